//! Keys written as JSON: beside a `kty`, the members that only the owner of a key has.

use crate::quote;
use crate::span::Spans;

/// Members of private and of symmetric keys.
const PRIVATE: [&[u8]; 7] = [b"d", b"p", b"q", b"dp", b"dq", b"qi", b"k"];
const REACH: usize = 4096;
const SHORTEST: usize = 16;

/// Looks at the members of the object around the `kty` at `at`; returns where it stopped reading.
pub(crate) fn scan(text: &[u8], at: usize, floor: usize, spans: &mut Spans) -> usize {
    let before = &text[at.saturating_sub(REACH).max(floor)..at];
    let mut from = at - before.len() + memchr::memrchr(b'{', before).map_or(before.len(), |brace| brace + 1);
    let limit = text.len().min(at + REACH);
    while from < limit && text[from] != b'}' {
        let Some((quote, inside)) = quote::open(text, from) else {
            from += 1;
            continue;
        };
        let Some(end) = quote::close(text, inside, quote) else { return from.max(at) };
        from = end + quote.slashes + 1;
        if PRIVATE.contains(&&text[inside..end]) {
            from = member(text, from, spans);
        }
    }
    from.max(at)
}

/// The string behind the member's colon; returns where it ends.
fn member(text: &[u8], at: usize, spans: &mut Spans) -> usize {
    let gap = text[at..].iter().take(8).take_while(|byte| matches!(byte, b':' | b' ')).count();
    let Some((quote, inside)) = quote::open(text, at + gap).filter(|_| gap > 0) else { return at };
    let Some(end) = quote::close(text, inside, quote) else { return at };
    let encoded =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'/' | b'=');
    if end - inside >= SHORTEST && text[inside..end].iter().all(encoded) {
        spans.add(inside, end, "private_key", true);
    }
    end + quote.slashes + 1
}
