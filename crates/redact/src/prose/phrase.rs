//! Secrets of several words: seeds of wallets, passphrases, passwords of mail programs.

use crate::span::Spans;

/// Where what a heading announces begins: on the next line, if this one ends in a colon.
pub(super) fn below(text: &[u8], at: usize) -> usize {
    let rest = &text[at..text.len().min(at + 120)];
    let line = memchr::memchr(b'\n', rest).filter(|&line| rest[..line].trim_ascii_end().ends_with(b":"));
    line.map_or(at, |line| at + line + 1)
}

/// A phrase of twelve or more words.
pub(crate) fn phrase(text: &[u8], at: usize, spans: &mut Spans) {
    let at = below(text, at);
    let start = at
        + text[at..]
            .iter()
            .take(24)
            .take_while(|byte| matches!(byte, b' ' | b':' | b'=' | b'"' | b'\'' | b'\n' | b'`'))
            .count();
    let (mut end, mut words) = (start, 0);
    while words < 25 {
        let long = text[end..].iter().take(10).take_while(|byte| byte.is_ascii_lowercase()).count();
        if !(3..=8).contains(&long) {
            break;
        }
        words += 1;
        end += long;
        if text.get(end) != Some(&b' ') {
            break;
        }
        end += 1;
    }
    if words >= 12 {
        spans.add(start, end - usize::from(text[end - 1] == b' '), "mnemonic", true);
    }
}

/// Words that sentences are made of: a passphrase has none.
const SMALL: [&[u8]; 24] = [
    b"the", b"and", b"that", b"this", b"with", b"from", b"your", b"have", b"must", b"will", b"when", b"then",
    b"they", b"into", b"only", b"each", b"same", b"been", b"were", b"should", b"please", b"which", b"there",
    b"where",
];

/// `passphrase: copper window marmalade seventeen`, `App password: ekqt cnrt vspf reef`: behind a colon, up to the
/// end of the line, four words or more and nothing else.
pub(crate) fn words(text: &[u8], stop: usize) -> Option<(usize, usize)> {
    let rest = &text[stop..text.len().min(stop + 160)];
    let line = &rest[..memchr::memchr2(b'\n', b'"', rest).unwrap_or(rest.len())];
    let colon = memchr::memchr(b':', line).filter(|&colon| line.get(colon + 1) == Some(&b' '))?;
    let phrase = line[colon + 2..].trim_ascii();
    let words: Vec<&[u8]> = phrase.split(|&byte| byte == b' ').take(13).collect();
    let plain = words.iter().all(|word| word.len() >= 4 && word.iter().all(u8::is_ascii_lowercase));
    let sentence = words.iter().any(|word| SMALL.contains(word));
    let even = words.len() == 4 && words.iter().all(|word| word.len() == 4);
    let start = stop + colon + 2;
    (plain && !sentence && (4..=12).contains(&words.len()) && (even || colon < 64))
        .then_some((start, start + phrase.len()))
}
