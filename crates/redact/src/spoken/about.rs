//! What a code is for: many open nothing.

use super::Sort;
use super::accept::accepts;
use super::kind;
use crate::span::Spans;

pub(super) fn is_of_network(text: &[u8], at: usize) -> bool {
    let before = text[at.saturating_sub(64)..at].to_ascii_lowercase();
    [&b"wlan"[..], b"wifi", b"wi-fi", b"ssid"].iter().any(|word| crate::search::has(&before, word))
}

/// `"Pass": 1207, "pin": 1208`: one more than the number before is a place in a list of words.
pub(crate) fn is_counted(text: &[u8], at: usize, value: &[u8]) -> bool {
    if value.len() > 9 || !value.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let number =
        |digits: &[u8]| std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u32>().ok());
    let before = &text[at.saturating_sub(64)..at];
    // `SEC-1187`: a ticket's is no place in a list.
    let apart = |run: &&[u8]| {
        let from = crate::search::offset(before, run);
        from == 0 || matches!(before[from - 1], b' ' | b':' | b'\t' | b'=' | b'"' | b'\'' | b',' | b'\n')
    };
    let words = before.split(|byte| !byte.is_ascii_digit()).rev().filter(|run| run.len() >= 3).take(2);
    words.filter(apart).filter_map(number).any(|last| number(value) == last.checked_add(1))
}

/// `avstängningskod`, `portkoden`, `alarmkode`: what it opens, and the word for it, in one.
pub(super) fn is_swedish(text: &[u8], at: usize, name: &[u8]) -> bool {
    const OF: [&str; 9] =
        ["stängnings", "larm", "alarm", "port", "dörr", "dør", "lås", "garage", "upplåsnings"];
    let before = String::from_utf8_lossy(&text[at.saturating_sub(16)..at]).to_lowercase();
    matches!(name, b"kod" | b"koden" | b"kode") && OF.iter().any(|of| before.ends_with(of))
}

/// Where the name ends with its endings (`Lösenordet`, `şifreniz`, `codes`); `None` if it is part of another word:
/// `Testpasswort` is a password too, `enclave` no `clave`.
pub(super) fn name_end(text: &[u8], sort: Sort, at: usize, end: usize) -> Option<usize> {
    const LONGEST_ENDING: usize = 8;
    let letter = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let name = &text[at..end];
    let ascii = name.is_ascii();
    let left = letter(at.checked_sub(1).and_then(|at| text.get(at)));
    // `Tresorcode`: what it opens stands before.
    let compound = sort == Sort::Entry && (name == b"code" || is_swedish(text, at, name));
    if left && ascii && !compound && (end - at < 8 || name.contains(&b' ')) {
        return None;
    }
    // `PIN1 1881`, `PUK2 …`.
    if sort == Sort::Pin && text.get(end).is_some_and(u8::is_ascii_digit) && text.get(end + 1) == Some(&b' ')
    {
        return Some(end + 1);
    }
    // Words of scripts without blanks have none.
    if !letter(text.get(end)) || name[name.len() - 1] >= 0x80 {
        return Some(end);
    }
    let letters =
        |byte: &u8| byte.is_ascii_lowercase() || (0xC3..=0xD1).contains(byte) || (0x80..0xC0).contains(byte);
    let ending = text[end..].iter().take(LONGEST_ENDING + 1).take_while(|byte| letters(byte)).count();
    let ends = !letter(text.get(end + ending));
    let taken = match sort {
        Sort::Password => end - at >= 5 && ending <= LONGEST_ENDING,
        // `kódy`, `kodları`, `kodok`.
        Sort::Codes if end - at >= 9 => ending <= 6,
        Sort::Code | Sort::Codes | Sort::Entry | Sort::Word | Sort::Serial => {
            &text[end..end + ending] == b"s"
        }
        _ => false,
    };
    (ends && taken).then_some(end + ending)
}

/// `error code is 5003`: a code that opens nothing.
#[rustfmt::skip]
pub(super) const TECHNICAL: &[&str] = &[
    "error", "status", "exit", "return", "response", "area", "zip", "postal", "country", "http", "source", "product", "item", "sort",
    "qr", "bar", "dress", "language", "currency", "promo", "discount", "coupon", "reason", "result", "op", "char", "key", "event",
    "airport", "dialing", "dial", "this", "the", "machine", "byte", "unicode", "branch", "bank", "color", "colour", "clean",
    // `expired (code 4013)`: why it did
    "expired", "failed", "refused", "denied", "declined", "rejected", "closed", "ended", "exited", "aborted", "terminated", "disconnected",
];

/// The word in front of a name, or of the bracket in which it stands.
fn word_before(text: &[u8], at: usize) -> Vec<u8> {
    let before = text[at.saturating_sub(16)..at].trim_ascii_end();
    let before = before.strip_suffix(b"(").unwrap_or(before).trim_ascii_end();
    let before = before.strip_suffix(b"\"").unwrap_or(before);
    before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default().to_ascii_lowercase()
}

pub(super) fn is_technical(text: &[u8], at: usize, end: usize) -> bool {
    let word = word_before(text, at);
    // Only of a name that begins with "code" the word before says what it opens.
    text[at..end].starts_with(b"code")
        && !text[at..end].starts_with(b"code you")
        && TECHNICAL.iter().any(|technical| technical.as_bytes() == word)
}

/// Whether a code opens nothing by the word before it.
pub(super) fn technical_before(text: &[u8], at: usize) -> bool {
    const PLAIN: [&[u8]; 5] = [b"the", b"this", b"key", b"machine", b"event"];
    let word = word_before(text, at);
    !PLAIN.contains(&word.as_slice()) && TECHNICAL.iter().any(|technical| technical.as_bytes() == word)
}

/// "Use 771 204 as your one-time code", "482913 is your verification code".
pub(super) fn before(text: &[u8], at: usize, spans: &mut Spans) -> bool {
    let from = at.saturating_sub(40);
    let window = &text[from..at];
    let line = memchr::memrchr(b'\n', window).map_or(window, |line| &window[line + 1..]);
    // Other tongues have "your" in the name.
    let copula = [&b" ist "[..], b" est ", b" es ", " è il ".as_bytes(), " é o ".as_bytes(), b" to "]
        .iter()
        .find(|copula| line.ends_with(copula))
        .map(|copula| line.len() - copula.len());
    let Some(verb) = [&b" as your "[..], b" is your ", b" as the ", b" is the "]
        .iter()
        .find_map(|verb| memchr::memmem::rfind(line, verb))
        .or(copula)
    else {
        return false;
    };
    let stop = at - line.len() + verb;
    let long = text[..stop]
        .iter()
        .rev()
        .take(24)
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'-'))
        .count();
    let head = text[stop - long..stop].iter().take_while(|byte| !byte.is_ascii_digit()).count();
    let start = stop - long + head;
    let found = start < stop && accepts(Sort::Code, &text[start..stop]);
    if found {
        spans.add(start, stop, kind(Sort::Code), false);
    }
    found
}
