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

/// The elements of a key as Windows writes it: `<Exponent>AQAB</Exponent><P>X</P><Q>X</Q>…`.
const ELEMENTS: [&[u8]; 6] = [b"<P>", b"<Q>", b"<DP>", b"<DQ>", b"<InverseQ>", b"<D>"];

/// Looks at the elements behind a public exponent; returns where it stopped reading.
pub(crate) fn elements(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let window = &text[end..text.len().min(end + REACH)];
    let mut at = 0;
    for _ in 0..ELEMENTS.len() {
        at += window[at..].iter().take(64).take_while(|byte| byte.is_ascii_whitespace()).count();
        let Some(element) = ELEMENTS.iter().find(|element| window[at..].starts_with(element)) else { break };
        let from = at + element.len();
        let long = window[from..]
            .iter()
            .take_while(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\n' | b'\r' | b' ')
            })
            .count();
        if long >= SHORTEST && window.get(from + long) == Some(&b'<') {
            spans.add(end + from, end + from + long, "private_key", true);
        }
        at = from + long + element.len() + 1;
        if at >= window.len() {
            break;
        }
    }
    crate::work::read(at);
    end + at.min(window.len())
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

#[cfg(test)]
mod tests {
    use crate::scan;

    #[test]
    fn elements_of_a_key_are_its_owners() {
        let part = "rHAfyrKxj1mVQ2I41oR3qOt5LPYmNy0EMYENP1FwMwm9RhjOnn3DugUSW1bT6A==";
        for element in super::ELEMENTS {
            let element = std::str::from_utf8(element).expect("text");
            let text = format!("<Modulus>{part}</Modulus><Exponent>AQAB</Exponent>\n  {element}{part}</x>");
            let found: Vec<_> = scan(&text).iter().map(|span| span.start).collect();
            assert_eq!(found, [text.rfind(part).expect("it")], "{element}");
        }
        assert_eq!(scan(&format!("<Modulus>{part}</Modulus><Exponent>AQAB</Exponent>")), []);
    }

    #[test]
    fn keys_are_printed_with_single_quotes_too() {
        let key = "sTBpI_oCHSyW-n0exSwhzNHwU9FGRioPauxWA84bnRU";
        assert_eq!(scan(&format!("bad key: {{'kty': 'oct', 'k': '{key}'}}")).len(), 1);
        assert_eq!(scan(&format!("bad key: {{'kty': 'OKP', 'x': '{key}'}}")), []);
    }
}
