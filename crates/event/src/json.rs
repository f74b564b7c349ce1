//! A strict scanner of JSON bytes: RFC 8259, and what the journal adds to it.
//!
//! No key twice after unescaping, no lone surrogate, depth ≤ 64, integers under 2^53, finite doubles,
//! no white space outside strings. It finds where a value ends and builds nothing: verifying a journal
//! is a hot path.

use std::borrow::Cow;

/// The deepest nesting of a value; a bare string is depth 0.
pub const MAX_DEPTH: usize = 64;
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// What is wrong with a JSON value, and where.
#[derive(Debug, thiserror::Error, PartialEq, Eq, Clone, Copy)]
#[error("{what} at byte {offset}")]
pub struct JsonError {
    /// What is wrong.
    pub what: &'static str,
    /// Byte offset in the scanned text.
    pub offset: usize,
}

/// Scans one value that starts at `start` and returns where it ends.
pub fn scan_value(text: &str, start: usize) -> Result<usize, JsonError> {
    let mut scanner = Scanner { text, bytes: text.as_bytes(), at: start };
    scanner.value(0)?;
    Ok(scanner.at)
}

/// Reads the string literal `text[start..end]` (quotes included) that a scan has accepted.
pub fn unescape(literal: &str) -> Cow<'_, str> {
    let inner = &literal[1..literal.len() - 1];
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    // an accepted literal always parses; the fallback keeps a broken invariant visible instead of panicking
    serde_json::from_str(literal).map_or(Cow::Borrowed(inner), Cow::Owned)
}

/// Characters in all strings of a value that a scan has accepted; the keys of objects do not count.
pub(crate) fn string_chars(json: &str) -> usize {
    let (mut rest, mut count) = (json.as_bytes(), 0);
    while let Some(start) = memchr::memchr(b'"', rest) {
        let (chars, len) = chars_to_quote(&rest[start + 1..]);
        rest = &rest[start + 1 + len..];
        // between a key and its colon stands nothing
        count += if rest.first() == Some(&b':') { 0 } else { chars };
    }
    count
}

/// Characters up to the quote that ends a string, and bytes up to behind it.
fn chars_to_quote(text: &[u8]) -> (usize, usize) {
    let (mut chars, mut at) = (0, 0);
    loop {
        let plain = plain_len(&text[at..]);
        // every byte that begins a character
        chars += text[at..at + plain].iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        at += plain;
        match text.get(at..) {
            Some([b'\\', b'u', b'd' | b'D', b'8'..=b'9' | b'a'..=b'b' | b'A'..=b'B', ..]) => at += 12,
            Some([b'\\', b'u', ..]) => at += 6,
            Some([b'\\', ..]) => at += 2,
            _ => return (chars, (at + 1).min(text.len())),
        }
        chars += 1;
        if at >= text.len() {
            return (chars, text.len());
        }
    }
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn fail<T>(&self, what: &'static str) -> Result<T, JsonError> {
        Err(JsonError { what, offset: self.at })
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), JsonError> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            self.fail(what)
        }
    }

    fn value(&mut self, depth: usize) -> Result<(), JsonError> {
        match self.peek() {
            Some(b'"') => self.string().map(drop),
            Some(b'{') if depth < MAX_DEPTH => self.object(depth + 1),
            Some(b'[') if depth < MAX_DEPTH => self.array(depth + 1),
            Some(b'{' | b'[') => self.fail("nested deeper than 64"),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.fail("expected a value"),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), JsonError> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            self.fail("expected a value")
        }
    }

    fn array(&mut self, depth: usize) -> Result<(), JsonError> {
        self.at += 1;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.value(depth)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return self.fail("expected , or ]"),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<(), JsonError> {
        self.at += 1;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        let mut keys = Keys::default();
        loop {
            let start = self.at;
            if self.peek() != Some(b'"') {
                return self.fail("expected a key");
            }
            self.string()?;
            if !keys.add(unescape(&self.text[start..self.at])) {
                self.at = start;
                return self.fail("key stands twice");
            }
            self.expect(b':', "expected :")?;
            self.value(depth)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return self.fail("expected , or }"),
            }
        }
    }

    fn string(&mut self) -> Result<(), JsonError> {
        self.at += 1;
        loop {
            // the run without anything special is nearly the whole string
            self.at += plain_len(&self.bytes[self.at..]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(_) => return self.fail("control character in a string"),
                None => return self.fail("string does not end"),
            }
        }
    }

    fn escape(&mut self) -> Result<(), JsonError> {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            Some(b'u') => match self.unit(self.at)? {
                0xdc00..=0xdfff => self.fail("lone surrogate"),
                0xd800..=0xdbff => match self.unit(self.at + 6) {
                    Ok(0xdc00..=0xdfff) => {
                        self.at += 12;
                        Ok(())
                    }
                    _ => self.fail("lone surrogate"),
                },
                _ => {
                    self.at += 6;
                    Ok(())
                }
            },
            _ => self.fail("unknown escape"),
        }
    }

    /// The code unit of the `\uXXXX` at `at`.
    fn unit(&self, at: usize) -> Result<u16, JsonError> {
        let digits = self.text.get(at..at + 6).and_then(|t| t.strip_prefix("\\u"));
        match digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit())) {
            Some(digits) => u16::from_str_radix(digits, 16).or_else(|_| self.fail("bad \\u escape")),
            None => self.fail("bad \\u escape"),
        }
    }

    fn digits(&mut self) -> Result<usize, JsonError> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { self.fail("expected a digit") } else { Ok(self.at - start) }
    }

    fn number(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let first = self.peek();
        let count = self.digits()?;
        if first == Some(b'0') && count > 1 {
            self.at = start;
            return self.fail("leading zero");
        }
        let mut integer = true;
        if self.peek() == Some(b'.') {
            integer = false;
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            integer = false;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let token = &self.text[start..self.at];
        let fits = if integer {
            token.trim_start_matches('-').parse::<u64>().is_ok_and(|n| n <= MAX_SAFE_INTEGER)
        } else {
            token.parse::<f64>().is_ok_and(f64::is_finite)
        };
        if fits {
            Ok(())
        } else {
            self.at = start;
            self.fail("number out of range")
        }
    }
}

/// Bytes in front of the first that is special in a string. Without an exit in the middle of a block, many bytes
/// are looked at at once.
fn plain_len(bytes: &[u8]) -> usize {
    const BLOCK_BYTES: usize = 32;
    let is_special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    let is_plain = |block: &&[u8]| !block.iter().fold(false, |special, &byte| special | is_special(byte));
    let plain = bytes.chunks_exact(BLOCK_BYTES).take_while(is_plain).count() * BLOCK_BYTES;
    let rest = &bytes[plain..];
    plain + rest.iter().position(|&byte| is_special(byte)).unwrap_or(rest.len())
}

/// The keys of one object; the first are compared one by one.
#[derive(Default)]
struct Keys<'a> {
    few: [&'a str; 16],
    count: usize,
    many: std::collections::HashSet<Cow<'a, str>>,
}

impl<'a> Keys<'a> {
    /// False if the key is there already.
    fn add(&mut self, key: Cow<'a, str>) -> bool {
        let few = &self.few[..self.count];
        if few.iter().any(|known| *known == key) {
            return false;
        }
        match key {
            Cow::Borrowed(key) if self.count < self.few.len() => {
                self.few[self.count] = key;
                self.count += 1;
                self.many.is_empty() || !self.many.contains(key)
            }
            key => self.many.insert(key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole(text: &str) -> bool {
        scan_value(text, 0) == Ok(text.len())
    }

    #[test]
    fn json_of_the_journal_is_accepted() {
        for good in [
            "null",
            "true",
            "0",
            "-0",
            "-1.5e-3",
            "9007199254740991",
            "\"\"",
            "[]",
            "{}",
            r#""a\"\\\/\b\f\n\r\té\ud83d\ude00é""#,
            r#"{"a":[1,{"b":null}],"c":"d"}"#,
            "1e308",
        ] {
            assert!(whole(good), "{good}");
        }
    }

    #[test]
    fn everything_with_a_second_reading_is_refused() {
        for bad in [
            "",
            "nul",
            "01",
            "1.",
            ".5",
            "+1",
            "9007199254740992",
            "1e400",
            "\"",
            "\"\n\"",
            r#""\x""#,
            r#""\ud83d""#,
            r#""\ude00""#,
            r#""\ud83dA""#,
            r#""\u00g1""#,
            "[1,]",
            "[1 ,2]",
            "{\"a\":1,}",
            r#"{"a":1,"a":2}"#,
            r#"{"a":1,"\u0061":2}"#,
            "{a:1}",
            r#"{"a" :1}"#,
        ] {
            assert!(!whole(bad), "{bad}");
        }
        let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(whole(&deep(MAX_DEPTH)));
        assert!(!whole(&deep(MAX_DEPTH + 1)));
    }

    #[test]
    fn a_key_that_stands_twice_in_a_large_object_is_found() {
        let mut members: Vec<String> = (0..40).map(|n| format!("\"k{n}\":{n}")).collect();
        assert!(whole(&format!("{{{}}}", members.join(","))));
        members.push("\"k30\":0".to_owned());
        assert!(!whole(&format!("{{{}}}", members.join(","))));
    }

    fn leaves(value: &serde_json::Value) -> usize {
        match value {
            serde_json::Value::String(text) => text.chars().count(),
            serde_json::Value::Array(items) => items.iter().map(leaves).sum(),
            serde_json::Value::Object(map) => map.values().map(leaves).sum(),
            _ => 0,
        }
    }

    #[test]
    fn characters_are_counted_as_in_the_strings_themselves() {
        for text in [
            r#""a\"b\\\u00e9\ud83d\uDE00 é漢😀\n""#,
            r#"{"k\"ey":["x","",{"y":"zz"}],"n":1}"#,
            r#"[]"#,
            r#""""#,
            r#"{"a":"","b":":"}"#,
        ] {
            let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(string_chars(text), leaves(&value), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_accepted_parses_elsewhere_too(text in "[\\[\\]{}\",:0-9eE.+\\-\\\\u a-f]{0,40}") {
            if whole(&text) {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
            }
        }
    }
}
