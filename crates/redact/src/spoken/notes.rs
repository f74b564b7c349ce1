//! What people note for one another: PINs, door codes, the guests' network, answers to security questions.

use super::{Sort, accepts, is_code, value_end, value_start};
use crate::prose;
use crate::span::Spans;
use crate::value::{self, Traits};

/// `пароль ogurchik2020`, `mot de passe Marseille13!`, `şifreniz Kadikoy.34!x`: the value stands right behind the
/// name, which may have an ending; nothing joins them, so it must show itself.
pub(super) fn adjacent(text: &[u8], sort: Sort, end: usize) -> Option<(usize, usize)> {
    let letters = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let ending = text[end..].iter().take(12).take_while(|byte| letters(byte)).count();
    let gap = end + ending;
    let start = gap
        + text
            .get(gap..)?
            .iter()
            .take(4)
            .take_while(|byte| matches!(byte, b' ' | b'"' | b'`' | b'\''))
            .count();
    if start == gap {
        return None;
    }
    let stop = value_end(text, start);
    let word = &text[start..stop];
    let digits = Traits::of(word).digits;
    let shows =
        digits > 0 && (sort == Sort::Key || prose::looks_joined(word) || prose::looks_like_secret(word));
    (shows && accepts(sort, word)).then_some((start, stop))
}

/// `Türcode Hintereingang 1938*`, `combination 24-7-31`, `Код домофона 38К1207`: at most one word stands between.
pub(super) fn near(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let mut start = end;
    for _ in 0..2 {
        start += text.get(start..)?.iter().take(3).take_while(|byte| matches!(byte, b' ' | b':')).count();
        let stop = value_end(text, start);
        let word = &text[start..stop];
        let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
        let plain = word
            .iter()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'#' | b'*' | b'-') || !byte.is_ascii());
        if start > end && plain && digits >= 4 && word.len() <= 12 {
            return Some((start, stop));
        }
        if word.iter().any(u8::is_ascii_digit) || word.is_empty() {
            return None;
        }
        start = stop;
    }
    None
}

/// Words that say from what to what: `mudou de X para Y`, `с X на Y`.
const CHANGES: [(&str, &str); 9] = [
    (" from ", " to "),
    (" de ", " para "),
    (" de ", " à "),
    (" de ", " a "),
    (" von ", " auf "),
    (" von ", " zu "),
    (" da ", " a "),
    (" с ", " на "),
    (" van ", " naar "),
];

/// Both passwords of a change, if they show themselves.
pub(super) fn changed(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    let window = &text[end..text.len().min(end + 96)];
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    crate::work::read(line.len());
    for (from, to) in CHANGES {
        for at in memchr::memmem::find_iter(line, from) {
            let old = end + at + from.len();
            let old_end = value_end(text, old);
            if !text[old_end..].starts_with(to.as_bytes()) {
                continue;
            }
            let new = old_end + to.len();
            let new_end = value_end(text, new);
            let shows = |word: &[u8]| Traits::of(word).digits > 0 && accepts(Sort::Password, word);
            if shows(&text[new..new_end]) {
                spans.add(old, old_end, "password", false);
                spans.add(new, new_end, "password", false);
                return true;
            }
        }
    }
    false
}

/// `PIN 8340`, `PUK: 35014081`, `PIN do sejfu: 70316`, `PINは8340`; `pin 13` is one of a chip's.
pub(super) fn pin(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let capitals = text[at].is_ascii_uppercase() || !text[at].is_ascii();
    let near = end + text[end..].iter().take(3).take_while(|byte| matches!(byte, b' ' | b'#' | b'"')).count();
    let start = if capitals && text.get(near).is_some_and(u8::is_ascii_digit) {
        near
    } else {
        match value_start(text, at, end) {
            Some(start) => start,
            None => return,
        }
    };
    let long = text[start..].iter().take(13).take_while(|byte| byte.is_ascii_digit()).count();
    let goes_on = text.get(start + long).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    if (4..=12).contains(&long) && !goes_on {
        spans.add(start, start + long, "recovery_code", false);
    }
}

/// Codes in a list below their heading: `Door codes⏎- Front entrance: 4471#⏎- Server room: C90825`.
pub(super) fn list(text: &[u8], end: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 12;
    let window = &text[end..text.len().min(end + 640)];
    let Some(first) = memchr::memchr(b'\n', &window[..window.len().min(24)]) else { return };
    if !window.starts_with(b"s") {
        return;
    }
    let mut at = first + 1;
    for line in window[at..].split(|&byte| byte == b'\n').take(MOST_LINES) {
        crate::work::read(line.len());
        let trimmed = line.trim_ascii_start();
        if !trimmed.starts_with(b"-") && !trimmed.starts_with(b"*") {
            return;
        }
        if let Some(colon) = memchr::memrchr(b':', line) {
            let start =
                end + at + colon + 1 + line[colon + 1..].iter().take_while(|&&byte| byte == b' ').count();
            let stop = value_end(text, start).min(end + at + line.len());
            if start < stop && is_code(&text[start..stop], &Traits::of(&text[start..stop])) {
                spans.add(start, stop, "recovery_code", false);
            }
        }
        at += line.len() + 1;
    }
}

/// `WIFI:T:WPA;S:Cafe;P:X;;` as in a printed square, `WiFi: NAME / X`, `Guest wifi (NAME) is X`.
pub(super) fn network(text: &[u8], end: usize, spans: &mut Spans) {
    let window = &text[end..text.len().min(end + 96)];
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    crate::work::read(line.len());
    let (start, stop) = match [&b":T:"[..], b":S:"].iter().find(|code| line.starts_with(code)) {
        Some(_) => {
            let Some(key) = memchr::memmem::find(line, b";P:") else { return };
            let long = line[key + 3..].iter().position(|&byte| byte == b';').unwrap_or(0);
            (end + key + 3, end + key + 3 + long)
        }
        None => match noted(line) {
            Some(at) => (end + at, value_end(text, end + at)),
            None => return,
        },
    };
    let word = &text[start..stop];
    // WPA takes eight characters and more.
    let plain = word.iter().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'/' | b'(' | b')' | b'<'));
    if word.len() >= 8 && plain && !value::is_placeholder(word) && !prose::is_jargon(word) {
        spans.add(start, stop, "password", true);
    }
}

/// Where the password begins on a line that goes on behind the word for the network.
fn noted(line: &[u8]) -> Option<usize> {
    if line.starts_with(b": ") {
        let slash = memchr::memmem::find(line, b" / ")?;
        return Some(slash + 3);
    }
    let close = line.starts_with(b" (").then(|| memchr::memchr(b')', line)).flatten()?;
    let is = line[close + 1..].strip_prefix(b" is ").or_else(|| line[close + 1..].strip_prefix(b": "))?;
    Some(line.len() - is.len())
}

/// `Mother's maiden name? X`, `First pet: X`: the rest of the line.
pub(super) fn answer(text: &[u8], end: usize, spans: &mut Spans) {
    let window = &text[end..text.len().min(end + 96)];
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    let gap = line.iter().take(8).take_while(|byte| matches!(byte, b'?' | b':' | b' ' | b'"' | b'*')).count();
    let asked = line[..gap].iter().any(|byte| matches!(byte, b'?' | b':')) && line[..gap].ends_with(b" ");
    let answer = line[gap..].trim_ascii_end();
    let words = answer.split(|&byte| byte == b' ').count();
    if asked && answer.len() >= 3 && words <= 4 && !answer.ends_with(b"?") && !value::is_placeholder(answer) {
        spans.add(end + gap, end + gap + answer.len(), "recovery_code", false);
    }
}
