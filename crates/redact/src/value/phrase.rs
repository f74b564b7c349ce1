//! Values of several words: what people choose, and what speaks about passwords.

use super::traits::Traits;

/// `drei Hasen im Hof`: words that somebody chose, and none that speaks about passwords.
pub(crate) fn is_phrase(value: &[u8]) -> bool {
    let shape = Traits::of(value);
    let lower = value.to_ascii_lowercase();
    let mut words = lower.split(|byte| !byte.is_ascii_alphanumeric());
    (1..=9).contains(&shape.spaces)
        && (10..=96).contains(&value.len())
        && !value.iter().any(|byte| {
            matches!(byte, b'(' | b'{' | b'<' | b'=' | b';' | b'%' | b'/' | b':' | b'.' | b'\\' | b'$')
        })
        && !names_itself_anywhere(&lower)
        && !words.any(|word| {
            (shape.spaces < 3 || !SMALL.contains(&word))
                && SPEAKING.iter().any(|speaking| speaking.as_bytes() == word)
        })
        && value[value.len() - 1] != b'?'
}

/// A pass phrase that somebody typed: few words, with digits or symbols among them.
pub(super) fn looks_typed(value: &[u8], shape: &Traits) -> bool {
    shape.spaces <= 4
        && value.len() <= 48
        && shape.digits > 0
        && shape.symbols > 0
        && !value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'<' | b'=' | b';'))
}

/// Those of them that a phrase of four words may have.
const SMALL: [&[u8]; 9] = [b"the", b"of", b"to", b"with", b"and", b"for", b"at", b"by", b"as"];

/// Words of sentences about passwords.
#[rustfmt::skip]
pub(super) const SPEAKING: [&str; 48] = [
    "must", "should", "least", "at", "characters", "chars", "enter", "your", "please", "invalid", "wrong", "is", "the", "of", "to", "with", "and", "for", "not", "than", "attempts", "minutes", "days", "digits", "this", "optional", "required", "default", "no", "same", "as", "used", "was", "has", "be", "can", "cannot", "by", "empty", "match", "does", "change", "set", "confirm", "new", "from", "if", "when",
];

/// `Gleis 9, Abschnitt C`: few words with a number among them, and none that speaks about passwords.
pub(super) fn is_sentence_like(value: &[u8], shape: &Traits) -> bool {
    let lower = value.to_ascii_lowercase();
    let mut words = lower.split(|byte| !byte.is_ascii_alphanumeric());
    shape.spaces <= 4
        && (12..=40).contains(&value.len())
        && shape.digits > 0
        && shape.uppers > 0
        && !names_itself_anywhere(&lower)
        && !value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'<' | b'=' | b';' | b'%' | b'/' | b':'))
        && !words.any(|word| SPEAKING.iter().any(|speaking| speaking.as_bytes() == word))
}

/// A label: it says what it is.
pub(super) fn names_itself_anywhere(lower: &[u8]) -> bool {
    [&b"pass"[..], b"pwd", b"login", b"secret", b"token", b"field", b"user"]
        .iter()
        .any(|word| crate::search::has(lower, word))
}
