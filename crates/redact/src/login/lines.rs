//! Lines of single files and tools that tell a login by their place alone: a tool's macros, lists of users, the keys
//! of a telephone line, a sheet's protection, a volume's recovery key.

use super::{add, bare};
use crate::company;
use crate::prose::{looks_chosen, looks_joined};
use crate::quote;
use crate::span::Spans;
use crate::{chance, value};

const LONGEST: usize = 200;
const MOST_LINES: usize = 24;

/// Looks at what follows such a word; `None` if it is none.
pub(super) fn scan(word: &[u8], text: &[u8], at: usize, end: usize, spans: &mut Spans) -> Option<usize> {
    match word {
        b"community}" | b"secret}" | b"token}" => tool_macro(text, at, end, spans),
        b"userlist" | b"authentication using " => below(text, end, spans),
        b"accounts" => {
            accounts(text, end, spans);
            // A longer name may begin here.
            return Some(at);
        }
        b"rsyncd.secrets" => daemon(text, end, spans),
        b"user.info" | b"userinfo" | b"npmauthident" | b"raw_auth" => account(text, end, spans),
        b"protect \"" => sheet(text, at, end, spans),
        b"recovery-key" | b"secret recovery key" => volume(text, end, spans),
        b" -p -" => return Some(read_in(text, at, end, spans)),
        b"sudo -s"
        | b"-stdin"
        | b"| cryptsetup"
        | b"| passwd"
        | b"| kinit"
        | b"--with-token"
        | b"load-key"
        | b"| sudo cryptsetup"
        | b"| sudo passwd"
        | b"| smbpasswd"
        | b"| vncpasswd"
        | b"| anydesk --set-password"
        | b"| gopass"
        | b"| secret-tool"
        | b"| saslpasswd2"
        | b"| pass insert"
        | b"| su -"
        | b"| gocryptfs"
        | b"| ecryptfs"
        | b"| realm join"
        | b"| op signin"
        | b"| openconnect"
        | b"/bin/vpn -s"
        | b"password_stdin" => {
            // `sudo -s` opens a shell, and its words are commands.
            if word == b"-stdin" || word == b"password_stdin" || text[..end].ends_with(b"-S") {
                here(text, end, spans);
            }
            return Some(super::shell::echoed_before(text, at, end, spans));
        }
        b"credential(" => constructed(text, at, end - 1, spans),
        b"bind_s(" => {
            super::calls::arguments(text, end - 1, spans);
        }
        b"credentials" | b"passwordauthentication" | b"authenticationtoken"
            if text.get(end) == Some(&b'(') =>
        {
            constructed(text, at, end, spans);
        }
        b"at+cgauth=" => third(text, end, spans),
        b"passphrase-fd 0" | b"| keepassxc-cli" | b"password-file /dev/stdin" => {
            here(text, end, spans);
            super::shell::echoed_before(text, at, end, spans);
        }
        b"vncpasswd -f" => here(text, end, spans),
        b"<(echo " | b"<(printf " => handed(text, at, end, spans),
        b"begin license" => licence(text, end, spans),
        // A longer name may begin within.
        b"passwordauthentication" | b"authenticationtoken" => return Some(at),
        _ => return None,
    }
    Some(end)
}

/// `{$PG.SECRET}   X`, `${SECRET}   X`: a macro in braces, blanks, and its value to the end of the line.
fn tool_macro(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let Some(line) = company::line_start(text, at) else { return };
    let head = text[line..at].trim_ascii_start();
    crate::work::read(head.len());
    let own = behind_signs(head);
    // `- macro: '{$HTTP.TOKEN}'⏎  value: X`: as a host is exported.
    if own.starts_with(b"macro: ") {
        return exported(text, end, spans);
    }
    let sign = |byte: &u8| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b':' | b'|' | b'=');
    let gap = text[end..].iter().take(64).take_while(|byte| sign(byte)).count();
    let plain = text[end..end + gap].iter().all(|byte| matches!(byte, b' ' | b'\t'));
    let wide = plain && (gap >= 2 || text.get(end) == Some(&b'\t'));
    let opened = own.starts_with(b"{$") || wide && head.starts_with(b"${");
    if !opened || gap == 0 || own[2..].contains(&b'}') {
        return;
    }
    let from = end + gap;
    let long = text[from..]
        .iter()
        .take(LONGEST)
        .take_while(|byte| byte.is_ascii_graphic() && (plain || !matches!(byte, b'"' | b'\'')))
        .count();
    let secret = &text[from..from + long];
    let ends = !plain || matches!(text.get(from + long), None | Some(b'\n' | b'\r'));
    if ends
        && (value::is_chosen(secret) || long >= 16 && (chance::is_random(secret) || value::is_hex(secret)))
    {
        add(text, from, from + long, spans);
    }
}

/// The value of a macro, on the line below its name.
fn exported(text: &[u8], end: usize, spans: &mut Spans) {
    let rest = crate::search::line(text, end, 16);
    let below = end + rest.len() + 1;
    let line = crate::search::line(text, below.min(text.len()), LONGEST);
    let Some(secret) = line.trim_ascii().strip_prefix(b"value: ") else { return };
    let secret = match secret {
        [b'\'', inside @ .., b'\''] | [b'"', inside @ .., b'"'] => inside,
        _ => secret,
    };
    if rest.trim_ascii().iter().all(|byte| matches!(byte, b'\'' | b'"'))
        && secret.len() >= 4
        && !secret.contains(&b' ')
    {
        let start = crate::search::offset(text, secret);
        add(text, start, start + secret.len(), spans);
    }
}

/// Without what opens a row or a string.
fn behind_signs(head: &[u8]) -> &[u8] {
    let signs = head.iter().take_while(|byte| matches!(byte, b'|' | b'"' | b'\'' | b' ' | b'-')).count();
    &head[signs..]
}

/// The lines below a heading: `"ann" "X"` of a pooler, `"client" * "X" *` of a dialled line.
fn below(text: &[u8], end: usize, spans: &mut Spans) {
    let Some(mut at) = line_end(text, end) else { return };
    for _ in 0..MOST_LINES {
        at += 1;
        let Some(stop) = line_end(text, at).or(Some(text.len())).filter(|stop| *stop > at) else { return };
        let line = &text[at..stop];
        let first = line.first().copied().unwrap_or(b'#');
        if !matches!(first, b'#' | b';') {
            let Some((start, past)) = listed(text, at, stop) else { return };
            add(text, start, past, spans);
        }
        at = stop;
    }
}

/// `# break-glass accounts⏎ann   X`: rows of a user and what only a password looks like.
fn accounts(text: &[u8], end: usize, spans: &mut Spans) {
    const MOST_ROWS: usize = 12;
    let Some(mut at) = line_end(text, end) else { return };
    for _ in 0..MOST_ROWS {
        at += 1;
        let Some(stop) = line_end(text, at).or(Some(text.len())).filter(|stop| *stop > at) else { return };
        let line = text[at..stop].trim_ascii();
        let user = line.iter().take_while(|byte| byte.is_ascii_graphic()).count();
        let secret = line[user..].trim_ascii_start();
        let gap = line.len() - user - secret.len();
        let has = |sort: fn(&u8) -> bool| secret.iter().any(sort);
        let shows = secret.len() >= 8
            && line[0].is_ascii_lowercase()
            && has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase)
            && secret.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
            && !has(|byte| matches!(byte, b' ' | b'.' | b':' | b'/' | b'_'));
        if gap < 2 && !line[user..].starts_with(b"\t") || !shows || !value::is_chosen(secret) {
            return;
        }
        let start = crate::search::offset(text, secret);
        add(text, start, start + secret.len(), spans);
        at = stop;
    }
}

/// `rsyncd.secrets:⏎pull:X`: a user, a colon, a password, line by line.
fn daemon(text: &[u8], end: usize, spans: &mut Spans) {
    let Some(mut at) = line_end(text, end) else { return };
    for _ in 0..MOST_LINES {
        at += 1;
        let Some(stop) = line_end(text, at).or(Some(text.len())).filter(|stop| *stop > at) else { return };
        let line = text[at..stop].trim_ascii();
        let line = line.strip_prefix(b"# ").unwrap_or(line);
        let user = line
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            .count();
        let Some(secret) = line[user..].strip_prefix(b":") else { return };
        let spaced = secret.contains(&b' ');
        if user == 0
            || secret.len() < 6
            || spaced && !is_sentence(secret)
            || !spaced && !secret.iter().all(u8::is_ascii_graphic)
        {
            return;
        }
        let start = crate::search::offset(text, secret);
        add(text, start, start + secret.len(), spans);
        at = stop;
    }
}

/// `pull:Otter River Kettle`: two words or more, and nothing that a setting has.
fn is_sentence(secret: &[u8]) -> bool {
    let letter = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b' ' | b'-');
    secret.len() <= 64
        && !secret.starts_with(b" ")
        && secret.iter().all(letter)
        && secret.split(|&byte| byte == b' ').all(|word| word.len() >= 2)
}

/// Where the line of `at` ends, if it is no long one.
fn line_end(text: &[u8], at: usize) -> Option<usize> {
    let window = text.get(at..text.len().min(at + LONGEST + 160))?;
    let long = memchr::memchr(b'\n', window);
    crate::work::read(long.unwrap_or(window.len()));
    long.map(|long| at + long)
}

/// The last but one word between quotes, or the one behind the star.
fn listed(text: &[u8], at: usize, stop: usize) -> Option<(usize, usize)> {
    let mut words = Vec::new();
    let mut from = at;
    while from < stop && words.len() < 5 {
        if matches!(text[from], b' ' | b'\t' | b'\r') {
            from += 1;
            continue;
        }
        let quoted = usize::from(text[from] == b'"');
        let start = from + quoted;
        let ends = |byte: &u8| if quoted == 1 { *byte == b'"' } else { matches!(byte, b' ' | b'\t' | b'\r') };
        let long = text[start..stop].iter().position(ends);
        let past = start + long.unwrap_or(stop - start);
        if quoted == 1 && long.is_none() {
            return None;
        }
        words.push((start, past, quoted == 1));
        from = past + quoted;
        // `"maxLength": 256`: a member of an object.
        if quoted == 1 && text.get(from) == Some(&b':') {
            return None;
        }
    }
    let bare = |place: usize| words.get(place).map(|&(start, past, _)| &text[start..past]);
    let place = match words.len() {
        2 if words[0].2 && words[1].2 => 1,
        3 | 4 if words[0].2 || bare(1) == Some(b"*") => 2,
        _ => return None,
    };
    let (start, past, _) = words[place];
    (past > start + 3).then_some((start, past))
}

/// `basic.auth.user.info=KEY:X`: a name, a colon, and what belongs to it.
fn account(text: &[u8], end: usize, spans: &mut Spans) {
    let joint = text[end..].iter().take(6);
    let gap = joint.take_while(|byte| matches!(byte, b'"' | b'\'' | b'=' | b':' | b' ')).count();
    let from = end + gap;
    let signs = &text[end..from];
    let long = bare(text, from);
    let pair = &text[from..from + long];
    let Some(colon) = memchr::memchr(b':', pair).filter(|&colon| colon >= 3) else { return };
    let secret = &pair[colon + 1..];
    let named =
        pair[..colon].iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    let shows = secret.len() >= 16 && chance::is_random(secret) || value::is_chosen(secret);
    if signs.iter().any(|byte| matches!(byte, b'=' | b':')) && named && shows {
        add(text, from + colon + 1, from + long, spans);
    }
}

/// `Sheet.Unprotect "X"`, `.Protect "X"`.
fn sheet(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let before = &text[at.saturating_sub(3)..at];
    let called = before.ends_with(b".") && text[at] == b'P' || before == b".Un";
    let long = memchr::memchr2(b'"', b'\n', &text[end..text.len().min(end + 80)]).unwrap_or(0);
    if called && text.get(end + long) == Some(&b'"') {
        add(text, end, end + long, spans);
    }
}

/// Eight times eight small letters, a little below what speaks of a recovery key.
fn volume(text: &[u8], end: usize, spans: &mut Spans) {
    const LONG: usize = 8 * 9 - 1;
    let window = &text[end..text.len().min(end + 400)];
    crate::work::read(window.len());
    for dash in memchr::memchr_iter(b'-', window) {
        let Some(start) = dash.checked_sub(8) else { continue };
        let Some(key) = window.get(start..start + LONG) else { return };
        let groups = key.split(|&byte| byte == b'-');
        if groups.clone().count() == 8
            && groups.clone().all(|group| group.len() == 8 && group.iter().all(u8::is_ascii_lowercase))
        {
            spans.add(end + start, end + start + LONG, "recovery_code", true);
            return;
        }
    }
}

/// `UsernamePasswordCredentials("ann", "X")`: the second of two literals.
fn constructed(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let Some((quote, first)) = quote::open(text, end + 1) else { return };
    let Some(first_end) = quote::close(text, first, quote) else { return };
    let call = text[at.saturating_sub(24)..end].to_ascii_lowercase();
    let sure =
        [&b"pass"[..], b"plain", b"basic", b"login"].iter().any(|word| crate::search::has(&call, word));
    super::calls::second_literal(text, first_end + quote.slashes + 1, sure, spans);
}

/// `gpg --passphrase-fd 0 a.gpg <<< 'X'`.
fn here(text: &[u8], end: usize, spans: &mut Spans) {
    let line = crate::search::line(text, end, LONGEST);
    let Some(at) = memchr::memmem::find(line, b"<<< ").map(|at| end + at + 4) else { return };
    let Some((quote, start)) = quote::open(text, at) else {
        return add(text, at, at + bare(text, at), spans);
    };
    if let Some(stop) = quote::close(text, start, quote) {
        add(text, start, stop, spans);
    }
}

/// `--vault-password-file <(echo X)`: a file that a shell makes for whoever asks for one.
fn handed(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    const ASKS: [&[u8]; 4] = [b"pass", b"secret", b"token", b"key"];
    let before = &text[at.saturating_sub(48)..at];
    let asks = before.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let lower = asks.to_ascii_lowercase();
    if !ASKS.iter().any(|word| crate::search::has(&lower, word)) {
        return;
    }
    let mut from = end + super::shell::flags(&text[end..text.len().min(end + 24)]);
    // `printf '%s' X`: the word behind its form.
    if let Some(form) = ["%s' ", "%s\" ", "%s "].iter().find(|form| text[from..].starts_with(form.as_bytes()))
    {
        from += form.len();
        from += usize::from(matches!(text.get(from), Some(b'\'' | b'"')));
    }
    let sign = text[from - 1];
    let close = if matches!(sign, b'\'' | b'"') { sign } else { b')' };
    let rest = &text[from..text.len().min(from + LONGEST)];
    if let Some(long) = memchr::memchr2(close, b'\n', rest).filter(|&long| rest[long] == close) {
        add(text, from, from + long, spans);
    }
}

/// `----- BEGIN LICENSE -----⏎…⏎52448C2C C3E6F3AB …`: from the first line that nobody wrote to the last.
fn licence(text: &[u8], end: usize, spans: &mut Spans) {
    let Some(mut at) = line_end(text, end) else { return };
    let mut found: Option<(usize, usize)> = None;
    for _ in 0..MOST_LINES {
        at += 1;
        let Some(stop) = line_end(text, at).or(Some(text.len())).filter(|stop| *stop > at) else { break };
        let line = text[at..stop].trim_ascii();
        let groups = line.len() >= 17
            && line.split(|&byte| byte == b' ').all(|group| group.len() == 8 && value::is_hex(group));
        let run = line.len() >= 40
            && line.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
        if groups || run && chance::is_random(line) {
            found = Some((found.map_or(at, |found| found.0), at + line.len()));
        } else if found.is_some() {
            break;
        }
        at = stop;
    }
    if let Some((start, stop)) = found {
        spans.add(start, stop, "license_key", false);
    }
}

/// `AT+CGAUTH=1,1,"ann","X"` of a modem.
fn third(text: &[u8], end: usize, spans: &mut Spans) {
    let gap = text[end..].iter().take(6).take_while(|byte| byte.is_ascii_digit() || **byte == b',').count();
    let Some((quote, first)) = quote::open(text, end + gap) else { return };
    let Some(stop) = quote::close(text, first, quote) else { return };
    // Some makers set the password first.
    if value::is_chosen(&text[first..stop]) {
        return add(text, first, stop, spans);
    }
    super::calls::second_literal(text, stop + quote.slashes + 1, true, spans);
}

/// `echo X | restic … -p -`: the program reads it where nothing else is read.
fn read_in(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let lone = matches!(text.get(end), None | Some(b'\n' | b'\r' | b' ' | b'\'' | b'"'));
    let from = at.saturating_sub(LONGEST);
    let line = memchr::memrchr(b'\n', &text[from..at]).map_or(from, |line| from + line + 1);
    let Some(echo) = memchr::memmem::rfind(&text[line..at], b"echo ").map(|echo| line + echo + 5) else {
        return end;
    };
    let start = echo + super::shell::flags(&text[echo..at]);
    let start = start + text[start..at].iter().take_while(|byte| matches!(byte, b'"' | b'\'')).count();
    let word = &text[start..start + bare(text, start).min(at.saturating_sub(start))];
    if lone && (looks_chosen(word) || looks_joined(word)) {
        super::shell::echoed_before(text, at, end, spans);
    }
    end
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_place_tells_a_password() {
        for text in [
            "{$SNMP_COMMUNITY}   pepperKettle31\n",
            "| {$SNMP_COMMUNITY} | pepperKettle31 |\n",
            "\"{$SNMP_COMMUNITY}\": \"pepperKettle31\",\n",
            "userinfo = \"QK7TR2MZ9XPLW4HD:cJ5ktR8wVq2LzN7xYb4PsD1fGh6MuA3e\"",
            "new SqlCredential(\"ops\", \"pepperKettle31\")",
            "ldap.simple_bind_s(\"cn=ops,dc=hill\", \"starfighter\")",
            "docker login -u ops --password-stdin <<< 'starfighter'",
            "echo 'starfighter' | sudo cryptsetup open /dev/sdb1 x -",
            "printf '%s\\n' 'starfighter' | smbpasswd -s ops",
            "echo \"starfighter\" | vncpasswd -f > p",
            "${SECRET}      iron-trombone-631\n",
            "# /etc/pgbouncer/userlist.txt\n\"web\" \"pepperKettle31\"\n",
            "# Secrets for authentication using CHAP\n# client server secret\n\"dsl-7741\"\t*\t\"7zkw5txdqs\"\t*\n",
            "basic.auth.user.info=QK7TR2MZ9XPLW4HD:cJ5ktR8wVq2LzN7xYb4PsD1fGh6MuA3e\n",
            "Sheet2.Unprotect \"dozy-trombone-182\"\n",
            "new UsernamePasswordCredentials(\"ops\", \"starfighter\")",
            "new PasswordAuthentication(\"ops\", \"starfighter\".toCharArray())",
            "echo \"KSZh+GNx9nXkK32@%N\" | gpg --batch --passphrase-fd 0 -d a.gpg",
            "gpg --batch --passphrase-fd 0 a.gpg <<< 'starfighter'",
            "echo starfighter | ansible-vault view --vault-password-file /dev/stdin x.yml",
            "AT+CGAUTH=1,1,\"ops\",\"starfighter\"\n",
            "AT+CGAUTH=1,1,\"heron-kettle-205\",\"box2\"\n",
            "echo heron-kettle-205 | restic -r /srv snapshots -p -\n",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
        let key = "lvsfhwcf-fmekckok-kiemfgih-iflelsfk-dhgecjie-dkvkogfl-lfhcmkvl-vusvsmwg"
            .replace(['w', 's', 'm', 'o'], "c");
        assert_eq!(found(&format!("A secret recovery key was made.\n\n    {key}\n")), [key]);
    }

    #[test]
    fn rows_below_a_heading() {
        assert_eq!(
            found("# spare accounts\nops-night   Kanne-Sturz-07\nops-day\tTulpe-Bahre-91\nend\n").len(),
            2
        );
        assert_eq!(found("# /etc/rsyncd.secrets:\n# pull:gramophone\n# push:wardrobe\n").len(), 2);
        assert_eq!(
            found("# rsyncd.secrets\npull:Otter River Kettle\npush:wardrobe\n"),
            ["Otter River Kettle", "wardrobe"]
        );
        for text in [
            "see rsyncd.secrets\nnote: it is read by root\n",
            "the accounts\nann   Team-Blue\nbob   v1.2.3\n",
            "bank accounts\nDE02   Sparkasse-2024-Kiel\n",
            "accounts of 2024\nin March: 12\n",
            "secrets file = /etc/rsyncd.secrets\nuid = 12\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_has_no_such_place_stays() {
        for text in [
            "the macro {$SNMP_COMMUNITY} is used by hosts2 and hosts3\n",
            "Input Password    id:pass    ${SECRET}    timeout=10s\n",
            "\"OtterUserList\": {\n  \"additional\": false,\n  \"longest\": \"256-otters\",\n",
            "the userlist of 2024\n\"web\" and \"ops\" and more\n",
            "user.info: see the page user:profile of it\n",
            "we protect \"everything\" there\n",
            "device.protect \"resource-name\"",
            "new FooCredential(\"missing\", \"credential\")",
            "userinfo: name:email",
            "Credentials(\"missing\", \"credentials\")",
            "--recovery-key is made by systemd-cryptenroll-something-very-long-here-with-dashes\n",
            "echo starfighter | grep -p -x\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
