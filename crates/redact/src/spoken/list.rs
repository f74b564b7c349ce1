//! Several passwords behind one word for them: `Passwörter der Testkonten: tester1 X, tester2 Y`.

use super::joint::LONGEST;
use crate::prose;
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

#[cfg(test)]
mod tests {
    use crate::scan;

    fn found(text: &str) -> Vec<&str> {
        scan(text).iter().map(|span| &text[span.start..span.end]).collect()
    }

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
}
