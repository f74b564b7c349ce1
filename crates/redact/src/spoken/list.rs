//! Several passwords behind one word for them: `Passwörter der Testkonten: tester1 X, tester2 Y`.

use super::joint::LONGEST;
use crate::prose;
use crate::search::Words;
use crate::span::Spans;
use crate::value;

const REACH: usize = 2 * LONGEST;
const MOST: usize = 12;

/// Two pairs of a user and a password or more, with a sign between them, behind the first colon of the line.
pub(crate) fn scan(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    let line = crate::search::line(text, end, REACH);
    let line = &line[..memchr::memmem::find(line, b". ").unwrap_or(line.len())];
    crate::work::read(line.len());
    let Some(colon) = memchr::memchr(b':', line).filter(|&at| at < 40 && line.get(at + 1) == Some(&b' '))
    else {
        return false;
    };
    // Most lists end at the first that is no pair.
    let pairs: Option<Vec<&[u8]>> =
        line[colon + 2..].split(|byte| matches!(byte, b',' | b';')).take(MOST).map(secret).collect();
    let Some(pairs) = pairs.filter(|pairs| pairs.len() >= 2) else { return false };
    for secret in pairs {
        let at = crate::search::offset(text, secret);
        spans.add(at, at + secret.len(), "password", false);
    }
    true
}

/// `tester1 X`, `tester1: X`, `and tester1 = X`: the last of two words.
fn secret(pair: &[u8]) -> Option<&[u8]> {
    const BETWEEN: [&[u8]; 10] = [b"and", b"und", b"et", b"y", b"e", b"=", b"->", b":", b"/", b"-"];
    let pair = pair.trim_ascii();
    let pair = pair.strip_suffix(b".").unwrap_or(pair);
    let mut words =
        pair.split(|&byte| byte == b' ').filter(|word| !word.is_empty() && !BETWEEN.contains(word));
    let (user, secret) = (words.next()?, words.next()?);
    let shows = prose::looks_joined(secret) || prose::looks_like_secret(secret) || value::is_chosen(secret);
    let named = user.iter().any(u8::is_ascii_alphabetic);
    (words.next().is_none() && named && shows && secret.iter().any(u8::is_ascii_digit)).then_some(secret)
}

/// What passwords are called where there are several; a language is a row.
#[rustfmt::skip]
static SEVERAL: Words<17> = Words::new([
    b"logins", b"credentials", b"creds",
    b"passwords", b"passw\xC3\xB6rter", b"kennw\xC3\xB6rter", b"mots de passe", b"contrase\xC3\xB1as", b"senhas", b"palavras-passe", b"wachtwoorden",
    b"l\xC3\xB6senord", b"adgangskoder", b"has\xC5\x82a", b"hesla", b"salasanat", b"\xD0\xBF\xD0\xB0\xD1\x80\xD0\xBE\xD0\xBB\xD0\xB8",
]);
/// What one of them makes several: `Passwort-Liste`, `password list`.
static LISTS: Words<6> =
    Words::new([b"list", b"lijst", b"lista", b"\xC3\xBCbersicht", b"overview", b"zettel"]);

/// `# Passwort-Liste Lager⏎Packtisch: X⏎Waage: 0852`: lines below a heading, each a thing and its password.
pub(crate) fn below(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 16;
    const LONGEST_HEADING: usize = 96;
    let rest = crate::search::line(text, end, LONGEST_HEADING);
    // Hot path: behind most names there is no line that has a colon further on.
    let first = text.get(end + rest.len()..).filter(|below| below.starts_with(b"\n"));
    let Some(first) = first.map(|below| &below[1..below.len().min(LONGEST_HEADING)]) else { return };
    let joined = memchr::memchr3(b':', b'>', 0xE2, first).is_some() || memchr::memchr(b'/', first).is_some();
    if !joined || !heads(text, at, end, rest) {
        return;
    }
    let mut rows: Vec<(usize, usize)> = Vec::new();
    let (mut from, mut shown) = (end + rest.len() + 1, 0);
    for _ in 0..MOST_LINES {
        let line = crate::search::line(text, from, LONGEST);
        crate::work::read(line.len());
        if line.trim_ascii().is_empty() {
            break;
        }
        if let Some(value) = of_thing(line) {
            let start = crate::search::offset(text, value);
            shown += usize::from(shows(value));
            rows.push((start, start + value.len()));
        }
        from += line.len() + 1;
    }
    // Of a policy's lines, of settings, none shows itself.
    if shown > 0 && rows.len() >= 2 {
        for (start, stop) in rows {
            spans.add(start, stop, "password", false);
        }
    }
}

/// Whether the name `at..end` is of several and opens or ends a short line that says nothing else of them.
fn heads(text: &[u8], at: usize, end: usize, rest: &[u8]) -> bool {
    let long = rest.iter().take(8).take_while(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()).count();
    let name = &text[at..end + long];
    let listed =
        rest[..rest.len().min(10)].iter().take(2).any(|byte| matches!(byte, b'-' | b' ' | b'l' | b'n'))
            && LISTS.within(&rest[..rest.len().min(10)]);
    // `Passwortzettel am Monitor`.
    let listed = listed || name.len() > 10 && LISTS.within(&name[4..]);
    if !listed && !SEVERAL.within(name) {
        return false;
    }
    let line = crate::search::last_line(&text[at.saturating_sub(48)..at]);
    let opens = line.iter().all(|byte| b" #*=-_\t>".contains(byte));
    let signs = |byte: &u8| b":*#=_".contains(byte);
    let ends = rest[long..].trim_ascii().iter().all(signs)
        // `Logins I was given here (for the cleanup):`
        || rest.trim_ascii_end().ends_with(b":") && !rest.iter().any(u8::is_ascii_digit);
    // `Büro Hr. Kessler:`
    let stop = |at: usize| {
        let word = rest[..at].rsplit(|&byte| byte == b' ').next().unwrap_or_default();
        !((1..=3).contains(&word.len()) && word[0].is_ascii_uppercase())
    };
    let sentence = rest.iter().any(|byte| matches!(byte, b';' | b'=' | b'{' | b'"' | b'|'))
        || memchr::memchr_iter(b'.', rest).any(stop);
    // `name: gitlab-credentials`: what something is called.
    let called = crate::search::has(line, b": ") && line.ends_with(b"-") && !rest.contains(&b':');
    (opens || ends && line.len() <= 40) && !sentence && !called
}

/// `user01:X`: no blank anywhere, and one colon.
fn tight(line: &[u8]) -> Option<(usize, usize)> {
    let one = memchr::memchr_iter(b':', line).count() == 1 && !line.contains(&b' ') && !line.contains(&b'/');
    memchr::memchr(b':', line).filter(|_| one).map(|at| (at, 1))
}

/// `- Waage Mettler: X`: a thing of few words, a colon, and one word that ends the line.
fn of_thing(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii();
    // `Waage -> X`.
    let (at, joint) = [": ", " -> ", " → ", " – ", " / "]
        .into_iter()
        .find_map(|joint| crate::search::find(line, joint.as_bytes()).map(|at| (at, joint.len())))
        .or_else(|| tight(line))?;
    let thing = line[..at].trim_ascii();
    let value = line[at + joint..].trim_ascii();
    let plain = thing
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b" -_./()&+*".contains(byte));
    // `User: anna`, `Version: 20240`: what is said of the list.
    let said = crate::names::is_identity(thing);
    let digits = (4..=8).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
    let word = value::is_choosable(value) && !prose::is_jargon(value) && shows(value);
    let named = (2..=40).contains(&thing.len()) && thing.iter().any(u8::is_ascii_alphabetic);
    (plain && named && !said && (digits || word)).then_some(value)
}

/// A digit or a sign, as words in lists do not have.
fn shows(value: &[u8]) -> bool {
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let digits = value.iter().any(u8::is_ascii_digit);
    let sign = value.iter().any(|byte| b"!#$%&*?^+@".contains(byte));
    letters >= 4
        && digits
        && !prose::is_numbered_thing(value)
        && (sign
            || value::is_chosen(value)
            || value::is_crafted(value)
            || value.len() >= 12 && crate::chance::is_random(value))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn each_user_has_one() {
        assert_eq!(
            found("Passwörter der Testkonten: tester1 Apfelmus-11, tester2 Birnenmus-12 und tester3 x"),
            Vec::<&str>::new()
        );
        assert_eq!(
            found("Passwörter der Testkonten: tester1 Apfelmus-11, tester2: Birnenmus-12."),
            ["Apfelmus-11", "Birnenmus-12"]
        );
        assert_eq!(found("Passwörter der Server: min 12, max 64, ab Version Bionic-18"), Vec::<&str>::new());
    }

    #[test]
    fn a_heading_says_what_stands_below() {
        for text in [
            "# Passwort-Liste Werkstatt (im Schrank)\nKasse 1-2: heron07!\nPresse: Kettle#River24\nWaage: 0852\nWLAN siehe Jens\n",
            "Passwords workshop\n- Till: heron07!\n- Press: Kettle#River24\n- Scale: 0852\n",
            "Passwörter:\nKasse: heron07!\nPresse: Kettle#River24\nWaage: 0852\n",
            "Passwortzettel am Monitor, Büro:\nKasse:   heron07!\nPresse:  Kettle#River24\nWaage:   0852\nFax:     keins\n",
            "Passwörter Werkstatt:\nKasse -> heron07!\nPresse -> Kettle#River24\nWaage -> 0852\n",
            "Inhalt Passwortzettel (Foto), Büro Hr. Teich:\nKasse – heron07!\nPresse – Kettle#River24\nWaage – 0852\n",
            "Mots de passe\nCaisse : heron07!\nPresse : Kettle#River24\nBalance : 0852\n",
        ] {
            assert_eq!(found(text), ["heron07!", "Kettle#River24", "0852"], "{text}");
        }
    }

    #[test]
    fn other_headings_say_nothing_of_it() {
        for text in [
            "Passwords\n- Minimum: 1400\n- History: 2400\n- Lockout: 0015\n",
            "Password list\nVersion: build2024\nOwner: team-4417\n",
            "# Passwords are stored hashed. Parameters:\nalgorithm: argon2id-v19\nmemory: 65536\n",
            "Passwords in this file are examples\nsee: chapter12\nand: page4417\n",
            "The password list\nKasse: siehe Tresor\nPresse: bei Jens\n",
            "Mots de passe\nLongueur : 1400\nHistorique : 2400\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
