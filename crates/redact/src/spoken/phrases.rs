//! Phrases of several words that are said to be a password: between quotes behind its name, or to the end of the line
//! where a lock `unlocks with` them.

use super::joint::is_plain;
use crate::prose;
use crate::span::Spans;
use crate::value;

const REACH: usize = 72;
const LONGEST: usize = 96;
/// Quotes and what closes them.
const QUOTES: [(&str, &str); 6] =
    [("\"", "\""), ("« ", " »"), ("«", "»"), ("“", "”"), ("„", "“"), ("`", "`")];

/// `master is "velvet sunshine marble"`, `c'est la phrase « lumière jardin soleil »`.
pub(super) fn quoted(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    let line = crate::search::line(text, end, REACH);
    let Some((at, open, close)) = (0..line.len()).find_map(|at| {
        QUOTES
            .iter()
            .find(|(open, _)| line[at..].starts_with(open.as_bytes()))
            .map(|(open, close)| (at, open, close))
    }) else {
        return false;
    };
    let joint = line[..at].trim_ascii();
    let verb = [
        &b"is"[..],
        b":",
        b"ist",
        b"est",
        b"es",
        b"to",
        b"was",
        b"phrase",
        b"lautet",
        b"with",
        b"=",
        b"answered",
        b"answered just",
        b"replied",
        b"said",
    ]
    .iter()
    .any(|verb| joint.ends_with(verb))
        || joint.is_empty();
    let start = end + at + open.len();
    let rest = &text[start..text.len().min(start + LONGEST)];
    let Some(long) = memchr::memmem::find(rest, close.as_bytes()) else { return false };
    let phrase = &rest[..long];
    let words = phrase.split(|&byte| byte == b' ').count();
    let holds = verb && is_plain(&line[..at]) && (3..=9).contains(&words) && is_chosen(phrase);
    if holds {
        spans.add(start, start + long, "password", false);
    }
    holds
}

/// `the volume unlocks with ember sunshine cobalt bridge velvet`.
pub(super) fn told(text: &[u8], end: usize, spans: &mut Spans) {
    let rest = text.get(end..text.len().min(end + LONGEST)).unwrap_or_default();
    let Some(rest) = rest.strip_prefix(b" ") else { return };
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let phrase = line.trim_ascii_end();
    let phrase = phrase.strip_suffix(b".").unwrap_or(phrase);
    let words = phrase.split(|&byte| byte == b' ').count();
    let plain = phrase
        .split(|&byte| byte == b' ')
        .all(|word| word.len() >= 4 && word.iter().all(u8::is_ascii_lowercase));
    if plain && (4..=8).contains(&words) && is_chosen(phrase) {
        spans.add(end + 1, end + 1 + phrase.len(), "password", false);
    }
}

fn is_chosen(phrase: &[u8]) -> bool {
    let plain = phrase.iter().all(|byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'!' | b'&' | b'\'') || !byte.is_ascii()
    });
    plain && value::is_phrase(phrase) && !prose::is_jargon(phrase)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn phrases_are_said_too() {
        assert_eq!(
            found("my keepass master is \"velvet sunshine marble orchid\", open it"),
            ["velvet sunshine marble orchid"]
        );
        assert_eq!(
            found("le mot de passe, c'est « lumiere jardin soleil chaton »."),
            ["lumiere jardin soleil chaton"]
        );
        assert_eq!(
            found("the LUKS volume unlocks with ember sunshine cobalt bridge velvet"),
            ["ember sunshine cobalt bridge velvet"]
        );
    }

    #[test]
    fn what_is_said_about_passwords_stays() {
        for text in [
            "the passphrase is \"something you should not use\"",
            "mot de passe \"Enter your password here\"",
            "the door unlocks with the same card that everybody has",
            "the phone unlocks with Face ID",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
