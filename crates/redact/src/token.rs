//! What a vendor's shape must show besides its shape, and JSON web tokens.

use crate::span::Spans;
use crate::{chance, decode, value};

/// Whether a token that starts at `start` is not the middle of a longer word. The letter of an escape
/// (`\n`, `\u0022`, `%20`) before it is no part of a word.
pub(crate) fn stands_alone(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(6)..start];
    // An address of a bot: `/bot57220082:AA…`.
    if before.ends_with(b"/bot") {
        return true;
    }
    match before {
        // `[1mX[0m`: a colour whose escape was lost.
        [.., b'\\', b'n' | b't' | b'r' | b'b' | b'f']
        | [b'\\', b'u', _, _, _, _]
        | [.., b'[', b'0'..=b'9', b'm']
        | [.., b'[' | b';', b'0'..=b'9', b'0'..=b'9', b'm'] => true,
        [.., b'%' | b'x', high, low] => {
            let escape = high.is_ascii_hexdigit() && low.is_ascii_hexdigit() && !low.is_ascii_lowercase();
            escape || !low.is_ascii_alphanumeric()
        }
        before => before.last().is_none_or(|last| !last.is_ascii_alphanumeric()),
    }
}

/// `s3('https://…', 'AKIA…', 'X')`: the secret right behind the id of a key, as arguments, fields and lines have the two.
pub(crate) fn secret_behind(text: &[u8], end: usize, kind: &str) -> Option<(usize, usize)> {
    const LONG: usize = 40;
    if kind != "aws_access_key_id" {
        return None;
    }
    let joint = |byte: &&u8| matches!(byte, b'"' | b'\'' | b',' | b':' | b';' | b' ' | b'\n' | b'\t' | b'|');
    let start = end + text[end..].iter().take(12).take_while(joint).count();
    let of_base64 = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let word = &text[start..start + text[start..].iter().take(LONG + 1).take_while(of_base64).count()];
    let has = |sort: fn(&u8) -> bool| word.iter().any(sort);
    let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    (start > end && word.len() == LONG && mixed).then_some((start, start + LONG))
}

/// Whether what follows the literal is not a placeholder or a word.
pub(crate) fn is_believable(strict: bool, anchor: &[u8], token: &[u8]) -> bool {
    let at = crate::search::find(token, anchor).unwrap_or(0);
    let (head, tail) = (&token[..at], &token[at + anchor.len()..]);
    let body = if tail.len() >= head.len() { tail } else { head };
    if value::is_placeholder(body)
        || body.ends_with(b"EXAMPLE")
        || is_monotonous(body)
        || is_slug(body)
        || anchor.starts_with(b"AAA") && is_hollow(body)
    {
        return false;
    }
    if strict {
        let digits = body.iter().any(u8::is_ascii_digit);
        let letters = body.iter().any(u8::is_ascii_alphabetic);
        return digits && letters && (chance::is_random(body) || value::is_hex(body));
    }
    body.len() < 8 || body.iter().any(u8::is_ascii_digit) || chance::density(body) >= 40
}

/// Zeros in base 64, as pictures and tables of numbers have them.
fn is_hollow(body: &[u8]) -> bool {
    const MOST_SHARE: usize = 6;
    memchr::memchr_iter(b'A', body).count() * MOST_SHARE > body.len()
}

/// `claim-otter-river-926f5939ca6b`, `pypi-publish-49e8e821`: small words that a package or a page is called by, and
/// perhaps a digest.
fn is_slug(body: &[u8]) -> bool {
    let word = |part: &[u8]| {
        part.len() >= 3
            && part.iter().all(u8::is_ascii_lowercase)
            && part.iter().any(|byte| *byte > b'f')
            && chance::density(part) < 45
    };
    // `claim-md-to-pdf-9f`: or three small words of any kind.
    let small = |part: &&[u8]| part.len() >= 2 && part.iter().all(u8::is_ascii_lowercase);
    let parts = || body.split(|&byte| byte == b'-');
    body.contains(&b'-')
        && body.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
        && (parts().any(word) || parts().filter(small).count() >= 3)
}

/// Few different bytes: `000000`, `xxxx-xxxx`, `ababab`.
fn is_monotonous(body: &[u8]) -> bool {
    // Most tokens show five different bytes at once.
    let (mut seen, mut different) = ([false; 256], 0);
    body.len() >= 12
        && body.iter().all(|&byte| {
            different += usize::from(!std::mem::replace(&mut seen[usize::from(byte)], true));
            different <= 4
        })
}

/// A bot's token is its user's number in base64, a dot, a time, a dot, a signature: where it ends.
pub(crate) fn discord_end(text: &[u8], number_end: usize, number: &str) -> Option<usize> {
    if number.len() < 17 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |at: usize| {
        text.get(at..).map(|rest| rest.iter().take(64).take_while(|&&byte| is_url_safe(byte)).count())
    };
    let time = part(number_end + 1)?;
    let signature = part(number_end + time + 2)?;
    let dotted = text.get(number_end) == Some(&b'.') && text.get(number_end + time + 1) == Some(&b'.');
    (dotted && (5..=8).contains(&time) && signature >= 20).then_some(number_end + time + 2 + signature)
}

fn is_url_safe(byte: u8) -> bool {
    crate::search::is_one!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_')
}

/// Looks at the JSON web token, signed or encrypted, that starts at `at`; returns where it ends.
pub(crate) fn scan_jwt(text: &[u8], at: usize, spans: &mut Spans) -> usize {
    let long = text[at..]
        .iter()
        .take_while(|&&byte| crate::search::is_one!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'='))
        .count();
    crate::work::read(long);
    let token = &text[at..at + long];
    let end = at + long - token.iter().rev().take_while(|byte| matches!(byte, b'.' | b'-')).count();
    let mut parts = text[at..end.max(at)].split(|&byte| byte == b'.');
    let head = parts.next().unwrap_or(b"");
    let body = parts.next().unwrap_or(b"");
    let opens = decode::base64(head)
        .or_else(|| decode::base64(&head[..head.len().saturating_sub(1)]))
        .is_some_and(|plain| is_jose(&plain));
    if stands_alone(text, at)
        && opens
        && (body.len() >= 10 || parts.next().is_some_and(|part| part.len() >= 8))
    {
        spans.add(at, end, "jwt", true);
    }
    at + long
}

fn is_jose(plain: &[u8]) -> bool {
    [&b"\"alg\""[..], b"\"typ\"", b"\"kid\"", b"\"enc\""]
        .iter()
        .any(|name| crate::search::has(&plain[..plain.len().min(512)], name))
}
