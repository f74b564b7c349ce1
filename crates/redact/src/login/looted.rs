//! What tests of penetration, crackers and clouds print of what they got: `[loot] 10.0.0.4 ann:X`, `Success: 'ann:X'`, `Hash
//! NTLM: X`, `-hashes :X`, `"permissions":"FULL","value":"X"`.

use super::{REACH, add};
use crate::span::Spans;
use crate::value;

/// Looks behind such a word; `None` if it is none.
pub(super) fn scan(word: &[u8], text: &[u8], end: usize, spans: &mut Spans) -> Option<usize> {
    match word {
        b"[loot] " | b"success: '" | b"user = \"" => pair(text, end, spans),
        b"hash ntlm: " | b"-hashes :" => hash(text, end, spans),
        b"full\",\"value\":\"" | b"full\", \"value\": \"" => {
            account_key(text, end, spans);
        }
        _ => return None,
    }
    Some(end)
}

/// `ann:X` is the last word of the line, or stands between quotes.
fn pair(text: &[u8], end: usize, spans: &mut Spans) {
    let line = crate::search::line(text, end, REACH).trim_ascii_end();
    let quoted = memchr::memchr2(b'"', b'\'', line).filter(|_| matches!(text[end - 1], b'"' | b'\''));
    let line = &line[..quoted.unwrap_or(line.len())];
    let last = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let Some(colon) = memchr::memchr(b':', last).filter(|&colon| colon >= 2) else { return };
    let secret = &last[colon + 1..];
    let user = last[..colon].iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-@\\".contains(byte));
    let plain = secret.first() != Some(&b':') && !crate::search::has(secret, b"::");
    if user && plain && secret.len() >= 4 && !secret.iter().all(u8::is_ascii_digit) && !value::is_path(secret)
    {
        let start = crate::search::offset(text, secret);
        add(text, start, start + secret.len(), spans);
    }
}

/// What opens an account of a cloud's store.
fn account_key(text: &[u8], end: usize, spans: &mut Spans) {
    let digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let long = text[end..].iter().take(REACH).take_while(|byte| digit(byte)).count();
    if long >= 40 {
        spans.add(end, end + long, "api_key", true);
    }
}

/// The half of a password's hash that lets in as well as it.
fn hash(text: &[u8], end: usize, spans: &mut Spans) {
    const LONG: usize = 32;
    let long = text[end..].iter().take(LONG + 1).take_while(|byte| byte.is_ascii_hexdigit()).count();
    if long == LONG {
        spans.add(end, end + LONG, "password_hash", true);
    }
}
