//! Codes that stand some words behind what names them, and what looks like one and is none.

use super::codes::is_entry_code;
use super::joint::{dressing, pair_end, value_end};
use crate::value::{self, Traits};

/// `PIN they ask for on the phone is 9860`, `door code to room 3 is 82934#`: the first verb or sign of the sentence
/// that digits stand behind.
pub(super) fn later(text: &[u8], end: usize) -> Option<(usize, usize)> {
    const JOINTS: [&str; 15] = [
        " (",
        " is ",
        " is now ",
        " is still ",
        " set to ",
        " changed to ",
        " ist ",
        " lautet ",
        " est ",
        " es ",
        " è ",
        " é ",
        " är ",
        " jest ",
        ": ",
    ];
    let window = &text[end..text.len().min(end + 80)];
    let line = &window[..memchr::memchr2(b'\n', b'?', window).unwrap_or(window.len())];
    let sentence = &line[..memchr::memmem::find(line, b". ").unwrap_or(line.len())];
    // "no longer works; set to 5830".
    let next = memchr::memmem::find(sentence, b"; ").filter(|at| !sentence[at + 2..].starts_with(b"set to "));
    let sentence = &sentence[..next.unwrap_or(sentence.len())];
    crate::work::read(sentence.len());
    let numbers = (0..sentence.len()).filter(|&at| {
        sentence[at].is_ascii_digit()
            && at.checked_sub(1).is_some_and(|before| !sentence[before].is_ascii_alphanumeric())
    });
    numbers.take(4).find_map(|at| {
        let start = end + at;
        let stop = value_end(text, start);
        let stop = pair_end(text, start, stop);
        let joined = JOINTS.iter().any(|joint| {
            memchr::memmem::rfind(&sentence[..at], joint.as_bytes())
                .is_some_and(|from| from + joint.len() + dressing(&sentence[from + joint.len()..]) == at)
        });
        let joined = joined && (text[start - 1] != b'(' || text.get(stop) == Some(&b')'));
        let coded = sentence[..at].iter().any(|byte| matches!(byte, b'{' | b'<' | b'=' | b'"' | b'/'));
        let code = is_entry_code(text, start, stop) || is_paired(&text[start..stop]);
        (joined && !coded && !is_measured(text, stop) && code).then_some((start, stop))
    })
}

/// `604-118`, `493 118`, `0000-4471`: two halves.
pub(super) fn is_paired(word: &[u8]) -> bool {
    let mut halves = word.split(|byte| matches!(byte, b' ' | b'-'));
    let half = |half: Option<&[u8]>| half.filter(|half| half.iter().all(u8::is_ascii_digit)).map(<[u8]>::len);
    matches!((half(halves.next()), half(halves.next()), halves.next()), (Some(one @ 3..=4), Some(other), None) if one == other)
}

/// `capercaillie!8`, `Auerhahn_3`: letters, a digit and a sign that no cipher has.
pub(super) fn is_only_a_password(text: &[u8], end: usize) -> bool {
    let start = end + dressing(&text[end..text.len().min(end + 8)]);
    let word = &text[start..value_end(text, start)];
    let traits = Traits::of(word);
    let sign = traits.symbols > 0 || word.contains(&b'_');
    let plain = !word.iter().any(|byte| matches!(byte, b'/' | b'(' | b'=' | b':' | b'{' | b'<'));
    // `Cloudflare_WAF2`, `Key_v3`: of a product.
    let acronym = word.windows(2).any(|two| two.iter().all(u8::is_ascii_uppercase));
    let version = crate::search::has(word, b"_v");
    sign && plain && !acronym && !version && traits.digits > 0 && traits.lowers >= 4 && value::is_chosen(word)
}

/// `the code is 4000 lines`: of what, stands behind it.
pub(super) fn is_measured(text: &[u8], stop: usize) -> bool {
    const UNITS: [&[u8]; 24] = [
        b"lines",
        b"characters",
        b"chars",
        b"bytes",
        b"words",
        b"pages",
        b"files",
        b"times",
        b"seconds",
        b"minutes",
        b"hours",
        b"days",
        b"years",
        b"users",
        b"items",
        b"mv",
        b"ms",
        b"kb",
        b"mb",
        b"zeilen",
        b"zeichen",
        b"lignes",
        b"vintage",
        b"percent",
    ];
    let rest = &text[stop..text.len().min(stop + 16)];
    let word = rest.strip_prefix(b" ").unwrap_or_default();
    let long = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    UNITS.iter().any(|unit| unit.eq_ignore_ascii_case(&word[..long]))
}
