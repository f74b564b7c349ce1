//! A user, a slash and a password: `- Jira: oskar / X`.

use super::told::{is_made, is_mixed, is_strong};
use super::{add, bare};
use crate::prose::looks_joined;
use crate::search::Words;
use crate::span::Spans;

/// Users that a device or a server has from the start.
#[rustfmt::skip]
const KNOWN: [&[u8]; 25] = [
    b"admin", b"adm", b"root", b"user", b"guest", b"operator", b"demo", b"sysadmin", b"administrator", b"ubnt", b"pi", b"ubuntu", b"sa", b"postgres",
    b"cisco", b"installer", b"service", b"beheerder", b"verwalter", b"benutzer", b"gast", b"administrateur", b"administrador", b"amministratore", b"invitado",
];
/// Users whose names are words of sentences too: only where a name stands before them.
#[rustfmt::skip]
const HEADED: [&[u8]; 10] = [
    b"super", b"oper", b"manager", b"monitor", b"supervisor", b"support", b"technician", b"netadmin", b"webadmin", b"maintenance",
];

/// Parts of what a role, a mode, a part of a system is called.
#[rustfmt::skip]
const SAID: [&[u8]; 12] = [
    b"only", b"user", b"users", b"admin", b"root", b"write", b"read", b"mode", b"level", b"access", b"bin", b"type",
];

/// `- Jira: oskar / X`, `` `oskar` / `X` ``: a user, a slash, and what only a password looks like.
pub(super) fn strong_pair(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    // `**admin** / **X**`.
    let bold = if text[..at].ends_with(b"**") { 2 } else { 0 };
    let ticked = text[..at].ends_with(b"`");
    let blanks = text[..at].iter().rev().take(12).take_while(|&&byte| byte == b' ').count();
    let stop = at - usize::from(ticked) - bold - blanks;
    let long = text[..stop]
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'@' | b'-'))
        .count();
    let user = &text[stop - long..stop];
    let set_off =
        [&b"`"[..], b"**", b"<code>", b"<b>", b"<tt>", "“".as_bytes(), "„".as_bytes(), "«".as_bytes()]
            .into_iter()
            .find(|sign| text[end..].starts_with(sign));
    let start = end + set_off.map_or(0, <[u8]>::len);
    let past = start + bare(text, start);
    let past = past - if bold > 0 && text[start..past].ends_with(b"**") { 2 } else { 0 };
    let spelt = user.iter().any(|byte| byte.is_ascii_lowercase() || *byte == b'_');
    let said = Pair { text, head: &text[..stop - long], user, word: &text[start..past], past };
    if long >= 2
        && (spelt && said.shows()
            || said.is_made()
            || said.is_of_directory()
            || said.is_lent()
            || said.is_of_desk())
    {
        add(text, start, past, spans);
    }
    end
}

/// `k=!IK)5DbWo-*2+I6b`: of every sort, in no order.
fn is_made_up(word: &[u8]) -> bool {
    let has = |sort: fn(&u8) -> bool| word.iter().any(sort);
    let signs = word.iter().filter(|byte| byte.is_ascii_punctuation() && **byte != b'/').count();
    (12..=40).contains(&word.len())
        && signs >= 3
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && !has(|byte| *byte == b'/')
        && crate::chance::is_random(word)
}

/// `Берёза-1975`: letters of another script, and digits.
fn is_foreign(word: &[u8]) -> bool {
    let letters = word.iter().filter(|byte| !byte.is_ascii()).count();
    letters >= 8 && word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
}

/// A user, a slash and a word.
struct Pair<'a> {
    text: &'a [u8],
    head: &'a [u8],
    user: &'a [u8],
    word: &'a [u8],
    past: usize,
}

impl Pair<'_> {
    fn shows(&self) -> bool {
        let signs = b"\n\r,;. )`<\\";
        let ends = self.text.get(self.past).is_none_or(|byte| signs.contains(byte))
            || self.text[self.past..].starts_with(b"**");
        let word = self.word;
        let dotted = word.contains(&b'.');
        let known = self.is_known();
        let more = word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
            || word.iter().any(|byte| !byte.is_ascii_lowercase() && !byte.is_ascii_digit());
        let chosen = || {
            more && word.iter().any(u8::is_ascii_digit)
                && !crate::prose::is_numbered_thing(word)
                && crate::value::is_chosen(word)
        };
        let sure = || known && self.stands() && crate::value::is_choosable(word) && !dotted && !is_role(word);
        let strong = || is_strong(word) && word.iter().any(u8::is_ascii_uppercase);
        ends && (sure()
            || known && (crate::value::is_drawn_together(word) || is_made_up(word))
            || known && word.len() >= 8 && !dotted && (chosen() || is_foreign(word))
            || strong()
            || is_made(word)
            || self.is_joined() && more
            || self.is_ticked()
            || self.is_set_off()
            || self.is_told_user()
            || self.is_worded()
            || self.is_asked_for()
            || self.is_in_brackets()
            || self.is_number()
            || is_titled(word)
            || crate::value::is_crafted(word) && self.is_user()
            || self.head.ends_with(b"`") && word.len() >= 8 && crate::prose::is_leet(word) && self.is_user()
            || self.is_of_account() && word.len() >= 8 && chosen() && !dotted)
    }

    /// `` `stats_ro` / kQ7-quince-12 ``: behind a name that programs have.
    fn is_joined(&self) -> bool {
        let has = |sort: fn(&u8) -> bool| self.word.iter().any(sort);
        (self.head.ends_with(b"`") || self.user.contains(&b'_'))
            && has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase)
            && self.word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3
            && looks_joined(self.word)
    }

    /// `(scanuser / CobaltLiverpool55)`, "- staging admin: `root@otter.io` / `banjo-silver-81`": user and password alone between
    /// their signs.
    fn is_set_off(&self) -> bool {
        let ticks = self.head.ends_with(b"`") && self.text.get(self.past) == Some(&b'`');
        let ticks = ticks && (self.user.contains(&b'@') || self.is_known());
        // `**admin** / **X**`.
        let bold = self.head.ends_with(b"**") && self.text[self.past..].starts_with(b"**") && self.is_known();
        let ticks = ticks || bold;
        let brackets = self.head.ends_with(b"(") && self.text.get(self.past) == Some(&b')');
        (ticks || brackets)
            && self.word.iter().any(u8::is_ascii_digit)
            && !crate::prose::is_numbered_thing(self.word)
            && crate::value::is_disclosed(self.word)
    }

    /// "login `minio-admin` / `grapefruit-sunday-91`": both are set off, and the word for logging in stands right before.
    fn is_ticked(&self) -> bool {
        const SAID: [&[u8]; 8] =
            [b"login", b"logins", b"creds", b"credentials", b"zugang", b"zugangsdaten", b"account", b"auth"];
        let Some(before) = self.head.strip_suffix(b"`").map(<[u8]>::trim_ascii_end) else { return false };
        let joints = [&b":"[..], b" is", b" are"];
        let before = joints.iter().find_map(|joint| before.strip_suffix(*joint)).unwrap_or(before);
        let name = before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
        let dashes = memchr::memchr_iter(b'-', self.word).count();
        // `page` is a word of a sentence.
        let named = self.user.iter().any(|byte| byte.is_ascii_digit() || b"-_.@".contains(byte))
            || !name.eq_ignore_ascii_case(b"login");
        let ends =
            matches!(self.text.get(self.past + 1), None | Some(b'\n' | b'\r' | b'.' | b',' | b';' | b')'));
        (named || self.is_known())
            && ends
            && self.text.get(self.past) == Some(&b'`')
            && SAID.iter().any(|said| said.eq_ignore_ascii_case(name))
            && self.word.len() >= 8
            && crate::value::is_choosable(self.word)
            && (self.word.iter().any(u8::is_ascii_digit) || dashes >= 2)
            && !is_role(self.word)
    }

    /// `- Utente: itadmin / kR4-tNq-88b`: the word for a user stands before, and the line is over.
    fn is_told_user(&self) -> bool {
        #[rustfmt::skip]
        static USERS: Words<12> = Words::new([
            b"user", b"username", b"login", b"utente", b"usuario", b"utilisateur", b"identifiant", b"benutzer", b"gebruiker", b"konto", b"account",
            "użytkownik".as_bytes(),
        ]);
        let before = self.head.strip_suffix(b": ").or_else(|| self.head.strip_suffix(b" = "));
        let Some(before) = before else { return false };
        let from = before
            .iter()
            .rposition(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'"'))
            .map_or(0, |at| at + 1);
        let digits = self.word.iter().filter(|byte| byte.is_ascii_digit()).count();
        before.len() - from <= 16
            && USERS.equals(&before[from..])
            && !USERS.equals(self.user)
            && self.stands()
            && self.word.len() >= 8
            && digits >= 2
            && !crate::prose::is_numbered_thing(self.word)
            && crate::value::is_chosen(self.word)
    }

    /// `is admin / letmein-Hugo,`, `the R720: root / calvin-no-more,`: who is known, and words with a dash between of which
    /// one has a capital, or three behind a colon.
    fn is_worded(&self) -> bool {
        let mut parts = self.word.split(|&byte| byte == b'-');
        let plain = parts.clone().all(|part| {
            part.len() >= 2
                && part.iter().all(u8::is_ascii_alphabetic)
                && !SAID.iter().any(|said| said.eq_ignore_ascii_case(part))
        });
        let begins = |part: &[u8], sort: fn(&u8) -> bool| part.first().is_some_and(sort);
        let capital = parts.clone().skip(1).any(|part| begins(part, u8::is_ascii_uppercase))
            && parts.next().is_some_and(|part| begins(part, u8::is_ascii_lowercase));
        let three = self.head.ends_with(b": ") && memchr::memchr_iter(b'-', self.word).count() >= 2;
        plain && self.word.len() >= 8 && (self.word.contains(&b'-') && capital || three) && self.is_known()
    }

    /// `uses basic auth relay / Ott3rBridge77`: the words before say that somebody logs in.
    fn is_asked_for(&self) -> bool {
        let word = self.word;
        word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3
            && word.iter().any(u8::is_ascii_uppercase)
            && word.iter().any(u8::is_ascii_lowercase)
            && crate::value::is_chosen(word)
            && !crate::prose::is_numbered_thing(word)
            && tells_login(self.head)
    }

    /// `the Windows login (till3 / Marzipan.Otter)`: both in brackets behind what is logged in to.
    fn is_in_brackets(&self) -> bool {
        const FIELDS: [&[u8]; 8] =
            [b"user", b"username", b"login", b"name", b"email", b"mail", b"domain", b"local"];
        let joint = |byte: &u8| matches!(byte, b'.' | b'-' | b'_' | b'!' | b'&' | b'+');
        let spelt = self.word.iter().all(|byte| byte.is_ascii_alphanumeric() || joint(byte));
        let mut parts = self.word.split(joint).filter(|part| !part.is_empty());
        self.head.ends_with(b"(")
            && self.text.get(self.past) == Some(&b')')
            && self.is_user()
            && !FIELDS.contains(&self.user)
            && self.word.len() >= 8
            && spelt
            && parts.clone().count() >= 2
            && parts.all(|part| part.len() >= 3 && (part[0].is_ascii_uppercase() || part[0].is_ascii_digit()))
            && tells_login(self.head)
    }

    /// `apc / X`, `pgb_admin / X`: one of two, in small letters; no `raum / Halle`, no list of three.
    fn is_user(&self) -> bool {
        const WORDS: [&[u8]; 6] = [b"and", b"or", b"und", b"oder", b"et", b"y"];
        let small = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-@".contains(byte);
        let opens = self.head.is_empty()
            || [&b": "[..], b", ", b"; ", b"(", b" is ", b"- ", b"* ", b"\n", b"`", b"\n    "]
                .iter()
                .any(|sign| self.head.ends_with(sign));
        self.user.iter().all(small)
            && !WORDS.contains(&self.user)
            && opens
            && !self.text[self.past..].starts_with(b" / ")
    }

    /// Whether the line ends behind the word.
    fn stands(&self) -> bool {
        let ends = |at: usize| matches!(self.text.get(at), None | Some(b'\n' | b'\r'));
        ends(self.past)
            || self.text.get(self.past) == Some(&b'.') && ends(self.past + 1)
            || self.text[self.past..].starts_with(b" -->")
            || self.text[self.past..].starts_with(b" */")
    }

    fn is_known(&self) -> bool {
        KNOWN.contains(&self.user) || HEADED.contains(&self.user) && self.is_headed()
    }

    /// Whether a name stands before the user: `NAS: admin`, `NVR login  admin`.
    fn is_headed(&self) -> bool {
        let near = &self.head[self.head.len().saturating_sub(16)..];
        // `iLO: 10.0.0.7 / Administrator`, `iLO 10.0.0.7, Administrator`: where, between.
        let place = near.strip_suffix(b"/ ").or_else(|| near.strip_suffix(b", ")).map(<[u8]>::trim_ascii_end);
        let host = place.is_some_and(|place| {
            let part = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
            let long = place.iter().rev().take_while(part).count();
            memchr::memchr_iter(b'.', &place[place.len() - long..]).count() >= 2
        });
        near.ends_with(b": ") || host || crate::prose::ends_in(near.trim_ascii_end(), b"login")
    }

    /// `NVR login  oper / 4471`.
    fn is_number(&self) -> bool {
        let year = matches!(self.word.len(), 4 | 8)
            && (self.word.starts_with(b"19") || self.word.starts_with(b"20"));
        let digits = (4..=8).contains(&self.word.len()) && self.word.iter().all(u8::is_ascii_digit);
        digits && !year && self.is_known() && self.is_headed() && self.stands()
    }

    /// `FTP: web441 / X`: a user with a number.
    fn is_of_account(&self) -> bool {
        let letters = self.user.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        let digits = &self.user[letters..];
        let mixed =
            self.word.iter().any(u8::is_ascii_uppercase) && self.word.iter().any(u8::is_ascii_lowercase);
        letters > 0 && digits.len() >= 2 && digits.iter().all(u8::is_ascii_digit) && mixed && self.is_headed()
    }

    /// `cn=app,ou=svc,dc=corp / X`: behind a name of a directory.
    fn is_of_directory(&self) -> bool {
        let word = self.word;
        let sign = word.iter().any(|byte| !byte.is_ascii_alphabetic() && !matches!(byte, b'=' | b',' | b'-'));
        let head = &self.head[self.head.len().saturating_sub(4)..];
        let opens = [&b",dc="[..], b",DC=", b",o=", b",O="].iter().any(|part| head.ends_with(part));
        opens && sign && crate::value::is_choosable(word) && !word.contains(&b'=')
    }

    /// `TeamViewer 123 456 789 / k7x2p9`: behind the number of a desk that is reached from afar.
    fn is_of_desk(&self) -> bool {
        static DESKS: Words<5> =
            Words::new([b"teamviewer", b"anydesk", b"rustdesk", b"supremo", b"splashtop"]);
        let word = self.word;
        let spelt = word.iter().any(u8::is_ascii_digit) && word.iter().any(u8::is_ascii_alphabetic);
        let ends = self.text.get(self.past).is_none_or(|byte| b"\n\r,;. )".contains(byte));
        if self.user.len() < 3 || !self.user.iter().all(u8::is_ascii_digit) || !spelt || !ends {
            return false;
        }
        let line = crate::search::last_line(&self.head[self.head.len().saturating_sub(40)..]);
        crate::work::read(line.len());
        (6..=24).contains(&word.len()) && crate::value::is_choosable(word) && DESKS.within(line)
    }

    /// `use mine for now: KHANA / X`: a user in capitals, where an account is spoken of.
    fn is_lent(&self) -> bool {
        const SPOKEN: [&[u8]; 10] = [
            b"mine",
            b"login",
            b"my user",
            b"account",
            b"meinen",
            b"konto",
            b"anmeld",
            b"benutzer",
            b"compte",
            b"cuenta",
        ];
        let word = self.word;
        let capitals =
            self.user.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
        let product = word.iter().any(|byte| matches!(byte, b'*' | b'+' | b'^' | b'%'));
        if !capitals
            || self.user.len() < 3
            || word.len() < 8
            || product
            || !is_strong(word)
            || !is_mixed(word)
        {
            return false;
        }
        let line =
            crate::search::last_line(&self.head[self.head.len().saturating_sub(64)..]).to_ascii_lowercase();
        crate::work::read(line.len());
        SPOKEN.iter().any(|word| crate::search::has(&line, word))
    }

    /// `iLO: Administrator / QX7HF2M9`, `BMC: ADMIN / RWTKPLMZQA`: capitals, as makers print them on a tag.
    fn is_made(&self) -> bool {
        let capitals = self.word.iter().filter(|byte| byte.is_ascii_uppercase()).count();
        let digits = self.word.iter().filter(|byte| byte.is_ascii_digit()).count();
        let printed =
            self.word.len() == 8 && digits > 0 && capitals > 1 || self.word.len() == 10 && digits == 0;
        let known =
            self.user.eq_ignore_ascii_case(b"admin") || self.user.eq_ignore_ascii_case(b"administrator");
        known && self.is_headed() && printed && capitals + digits == self.word.len()
    }
}

/// `admin / editor`: two of a list.
fn is_role(word: &[u8]) -> bool {
    const ROLES: [&[u8]; 8] =
        [b"editor", b"viewer", b"member", b"moderator", b"customer", b"author", b"reader", b"developer"];
    let said = |part: &[u8]| SAID.iter().any(|said| said.eq_ignore_ascii_case(part));
    let parts = || word.split(|&byte| byte == b'-');
    KNOWN.contains(&word) || HEADED.contains(&word) || ROLES.contains(&word) || parts().any(said)
}

/// `Otter-Funnel-Plank-62`: names side by side, and a number.
fn is_titled(word: &[u8]) -> bool {
    let mut parts = word.rsplit(|&byte| byte == b'-');
    let number = parts.next().unwrap_or_default();
    let title = |part: &[u8]| {
        part.len() >= 4 && part[0].is_ascii_uppercase() && part[1..].iter().all(u8::is_ascii_lowercase)
    };
    (1..=4).contains(&number.len())
        && number.iter().all(u8::is_ascii_digit)
        && parts.clone().count() >= 3
        && parts.all(title)
}

/// Whether the words before a user's name say that somebody logs in: `uses basic auth relay / X`.
fn tells_login(head: &[u8]) -> bool {
    let before = crate::search::last_line(&head[head.len().saturating_sub(24)..]).to_ascii_lowercase();
    [&b"basic auth"[..], b"login", b"log in", b"sign in", b"anmeld", b"creds", b"account", b"konto"]
        .iter()
        .any(|word| crate::search::has(&before, word))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_user_a_slash_and_a_password() {
        for text in [
            "core switch: manager / heron-kettle-205",
            "NAS login  oper / heron-kettle-205",
            "use `ops-emergency` / `Heron-Kettle-Marble-205` then",
            "<td>FTP: web21 / <code>Hk4vLm2Zp</code></td>",
        ] {
            let word = found(text).first().copied().unwrap_or_default();
            assert!(["heron-kettle-205", "Heron-Kettle-Marble-205", "Hk4vLm2Zp"].contains(&word), "{text}");
        }
        assert_eq!(found("HMI login  oper / 4471\n"), ["4471"]);
        assert_eq!(found("- console on :9001, login `s3-root` / `heron-kettle-91`\n"), ["heron-kettle-91"]);
        assert_eq!(found("RK-09 iLO:   10.0.0.7  / Administrator / QX7HF2M9  (tag)"), ["QX7HF2M9"]);
        assert_eq!(found("RK-09 iLO 10.0.0.7, Administrator / QX7HF2M9"), ["QX7HF2M9"]);
        assert_eq!(found("RK-07 iLO: Administrator / QX7HF2M9 (tag)"), ["QX7HF2M9"]);
        assert_eq!(found("- Utente: itreiher / kR4-tNq-88b\n"), ["kR4-tNq-88b"]);
        assert_eq!(found("RK-08 IPMI: ADMIN / RWTKPLMZQA"), ["RWTKPLMZQA"]);
    }

    #[test]
    fn a_slash_stands_between_many_things() {
        for text in [
            "roles: admin / editor",
            "roles: user / manager",
            "a file manager / browser",
            "user: ann / Sprint-Review-12",
            "user: ann / bob22 / cem33",
            "the login `page` / `settings-tab-4` of it",
            "rename login `user_name` / `user-name-of-2`",
            "see `heron-one` / `heron-kettle-91`",
            "it runs on: Safari / Chrome118",
            "see `aria-label` / `aria-labelledby-2` and `Test-Case-1` / `Test-Case-2`",
            "HMI report  oper / 2019",
            "by date: admin / 20240101",
            "Menu: Administrator / SETTINGS",
            "part21 / Section4b",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
