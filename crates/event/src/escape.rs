//! Header strings: printable ASCII only, so that there is one way to write each.
//!
//! Every other byte, and `"` `\` `%`, is `%` and two lower-case hex digits.

use std::borrow::Cow;

const HEX: &[u8; 16] = b"0123456789abcdef";

/// True for a byte that stands for itself in a header string.
pub fn is_header_byte(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7e) && !matches!(byte, b'"' | b'\\' | b'%')
}

/// How long `text` is once encoded, in bytes.
pub fn encoded_len(text: &str) -> usize {
    text.bytes().map(|b| if is_header_byte(b) { 1 } else { 3 }).sum()
}

/// Encodes `text` for a header.
pub fn encode(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_header_byte) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(encoded_len(text));
    for byte in text.bytes() {
        if is_header_byte(byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
    Cow::Owned(out)
}

/// Decodes an encoded header string; `None` if it is not what [`encode`] would write.
pub fn decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return text.bytes().all(is_header_byte).then_some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte == b'%' {
            let (high, low) = (hex_digit(*tail.first()?)?, hex_digit(*tail.get(1)?)?);
            let value = (high << 4) | low;
            if is_header_byte(value) {
                return None;
            }
            bytes.push(value);
            rest = &tail[2..];
        } else if is_header_byte(byte) {
            bytes.push(byte);
            rest = tail;
        } else {
            return None;
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn decoding_gives_back_what_was_encoded(text in "\\PC*|.*") {
            let encoded = encode(&text);
            prop_assert_eq!(encoded.len(), encoded_len(&text));
            prop_assert!(encoded.bytes().all(|b| (0x20..=0x7e).contains(&b) && b != b'\\' && b != b'"'));
            let decoded = decode(&encoded);
            prop_assert_eq!(decoded.as_deref(), Some(text.as_str()));
        }
    }

    #[test]
    fn a_second_spelling_is_not_a_reading() {
        for bad in ["%41", "%2", "%", "%0A", "a\"b", "é", "%ff"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
