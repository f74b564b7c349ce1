//! What a program types for a person: `page.fill('#password', 'X')`, `find_element("pass").send_keys("X")`,
//! `{"element":"Password field","text":"X"}`.
//!
//! A field that is called so takes the password itself, whatever it looks like.

use crate::quote;
use crate::span::Spans;
use crate::value;

/// Calls and members that hold what is typed.
#[rustfmt::skip]
pub(crate) const TYPES: &[&str] = &[
    "type(", "fill(", ".send_keys(", ".sendkeys(", ".settext(", ".setvalue(", ".entertext(", ".typetext(", ".inputtext(",
    ".sendtext(", ".replacetext(", "fill_in ", "typewrite(", "send ", "set_password(", "setpassword(", "\"value\":", "\\\"value\\\":",
];

/// How far before the call its field may stand.
const REACH: usize = 120;
/// Words by which fields for secrets are called.
const FIELDS: [&[u8]; 15] = [
    b"#pw",
    b"passw",
    b"#pass",
    b"pwd",
    b"passcode",
    b"passphrase",
    b"#pin",
    b"\"pin",
    b"'pin",
    b"passwort",
    b"kennwort",
    b"contrase",
    b"senha",
    b"mot de passe",
    b"wachtwoord",
];
/// Members beside which a `text` or a `value` is what is typed.
const SIBLINGS: [&[u8]; 9] =
    [b"element", b"selector", b"locator", b"field", b"ref\"", b"target", b"placeholder", b"label", b"xpath"];

/// Looks at the literal that the call or member `at..end` types.
pub(crate) fn scan(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let member = text[end - 1] == b':' || text[at] == b'\'';
    // `send -- "X"`.
    let end = end + if text[end..].starts_with(b"-- ") { 3 } else { 0 };
    let Some((start, stop, past)) = literal(text, end).or_else(|| expression(text, end)) else { return };
    let from = at.saturating_sub(REACH);
    // The call may say itself what it sets.
    let before = &text[from..if text[at] | 0x20 == b's' { end } else { at }];
    let line = &before[memchr::memrchr(b'\n', before).map_or(0, |line| line + 1)..];
    let lower = line.to_ascii_lowercase();
    crate::work::read(2 * lower.len());
    // The last statement, or the object that the member stands in.
    let own = if member {
        &lower[memchr::memrchr(b'}', &lower).map_or(0, |end| end + 1)..]
    } else {
        &lower[memchr::memrchr(b';', &lower).map_or(0, |end| end + 1)..]
    };
    // `expect "assword:"⏎send "X\r"`: the line above asks.
    if text[at..].get(..5).is_some_and(|call| call.eq_ignore_ascii_case(b"send ")) {
        let above = before[..before.len() - line.len()].trim_ascii_end();
        let asked = above.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        if crate::search::has(asked, b"xpect") && crate::search::has(asked, b"assw") {
            return add(text, start, stop, spans);
        }
    }
    let called = |words: &[&[u8]]| words.iter().any(|word| crate::search::has(own, word));
    if member {
        if called(&FIELDS) && called(&SIBLINGS) {
            add(text, start, stop, spans);
        }
        return;
    }
    // `fill('#password', 'X')`: the field is the first argument.
    let first = text[start..stop].to_ascii_lowercase();
    let second = text
        .get(past)
        .filter(|&&byte| byte == b',')
        .and_then(|_| literal(text, past + 1).or_else(|| with(text, past + 1)));
    if let Some((start, stop, _)) = second {
        if FIELDS.iter().any(|word| crate::search::has(&first, word)) || first == b"pass" || first == b"pin" {
            add(text, start, stop, spans);
        }
    } else if called(&FIELDS) && past > stop {
        add(text, start, stop, spans);
    }
}

/// `type(passwordField, …)`: what is no literal, up to its comma.
fn expression(text: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    let window = &text[at..text.len().min(at + 64)];
    let long =
        window.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    (long > 0 && window.get(long) == Some(&b',')).then_some((at, at + long, at + long))
}

/// A literal at `at`, and where its closing quote ends.
fn literal(text: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    let gap = text.get(at..)?.iter().take(4).take_while(|&&byte| byte == b' ').count();
    let (quote, start) = quote::open(text, at + gap)?;
    let stop = quote::close(text, start, quote)?;
    Some((start, stop, stop + quote.slashes + 1))
}

/// `, with: 'X'`.
fn with(text: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    let rest = text.get(at..)?;
    rest.starts_with(b" with: ").then(|| literal(text, at + 7)).flatten()
}

fn add(text: &[u8], start: usize, stop: usize, spans: &mut Spans) {
    // `send "X\r"`: the key that ends the entry.
    let stop = if text[start..stop].ends_with(b"\\r") || text[start..stop].ends_with(b"\\n") {
        stop - 2
    } else if text[start..stop].ends_with(b"{enter}") {
        stop - b"{enter}".len()
    } else {
        stop
    };
    let typed = &text[start..stop];
    let words = typed.iter().filter(|&&byte| byte == b' ').count();
    let wrong = [&b"wrong"[..], b"invalid", b"incorrect", b"{enter}", b"passw", b"short"];
    let lower = typed.to_ascii_lowercase();
    if (4..=64).contains(&typed.len())
        && words <= 3
        && !value::is_placeholder(typed)
        && !value::is_reference(typed)
        && !typed.starts_with(b"[REDACTED")
        && !matches!(typed[0], b'#' | b'.' | b'/' | b'[' | b'<' | b'$' | b')')
        && !wrong.iter().any(|word| crate::search::has(&lower, word))
    {
        spans.add(start, stop, "password", false);
    }
}
