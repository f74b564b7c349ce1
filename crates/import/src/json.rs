//! JSON as the journal can carry it: strict reading, and hashing that ignores key order.
//!
//! A record that is JSON but would change when stored (a key twice, an integer beyond 64 bits, deep
//! nesting) is *odd*: it is kept as its own text instead of being mapped.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The deepest record that is mapped; the journal takes 64 levels and a draft adds a few of its own.
pub(crate) const MAX_DEPTH: usize = 48;
/// From here on a double may be an integer that lost digits.
const FIRST_LOSSY: f64 = 9.2e18;

/// What one piece of text is.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// A value that is stored as it stands.
    Value(Value),
    /// JSON, but no value that a journal line carries unchanged.
    Odd,
    /// No JSON.
    Bad,
}

/// Reads one whole text.
pub(crate) fn parse(text: &str) -> Parsed {
    let odd = Cell::new(false);
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict { odd: &odd, depth: 0 }.deserialize(&mut reader);
    match value {
        Ok(value) if reader.end().is_ok() && !odd.get() => Parsed::Value(value),
        _ if is_json(text) => Parsed::Odd,
        _ => Parsed::Bad,
    }
}

/// True for JSON of any depth and with numbers of any size.
pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// How much of a bad line is read again in search of a record: nested openings without an end would
/// otherwise cost the square of their length.
#[derive(Debug)]
pub(crate) struct Budget(usize);

impl Budget {
    pub(crate) fn of(text: &str) -> Self {
        Self(text.len().saturating_mul(16).saturating_add(4096))
    }

    fn spend(&mut self, bytes: usize) {
        self.0 = self.0.saturating_sub(bytes);
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.0 == 0
    }
}

/// Where the JSON value at the start of `text` ends.
pub(crate) fn extent(text: &str, budget: &mut Budget) -> Option<usize> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    match values.next()? {
        Ok(_) => {
            budget.spend(values.byte_offset());
            Some(values.byte_offset())
        }
        Err(error) => {
            budget.spend(if error.line() == 1 { error.column() } else { text.len() });
            None
        }
    }
}

#[derive(Clone, Copy)]
struct Strict<'a> {
    odd: &'a Cell<bool>,
    depth: usize,
}

impl Strict<'_> {
    fn inner(self) -> Self {
        if self.depth == MAX_DEPTH {
            self.odd.set(true);
        }
        Self { depth: self.depth + 1, ..self }
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        if number.abs() >= FIRST_LOSSY {
            self.odd.set(true);
        }
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.inner())? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(self.inner())?;
            if map.insert(name, value).is_some() {
                return Err(A::Error::custom("a key stands twice"));
            }
        }
        Ok(Value::Object(map))
    }
}

/// Hash of an object that does not depend on key order; members of the top level named in `skip` don't count.
///
/// It is only ever an input of a keyed hash and stays in memory: it must not be stored.
pub(crate) fn digest(map: &Map<String, Value>, skip: &[&str]) -> blake3::Hash {
    let mut out = Feed { hasher: blake3::Hasher::new(), waiting: Vec::with_capacity(4096) };
    out.object(map, skip);
    out.finish()
}

/// Gathers small writes: a hash over many short pieces is slow.
struct Feed {
    hasher: blake3::Hasher,
    waiting: Vec<u8>,
}

impl Feed {
    fn bytes(&mut self, tag: u8, bytes: &[u8]) {
        self.waiting.push(tag);
        self.waiting.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        if bytes.len() > 2048 {
            self.flush();
            self.hasher.update(bytes);
        } else {
            self.waiting.extend_from_slice(bytes);
        }
        if self.waiting.len() > 3072 {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.hasher.update(&self.waiting);
        self.waiting.clear();
    }

    fn finish(mut self) -> blake3::Hash {
        self.flush();
        self.hasher.finalize()
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.bytes(b'n', b""),
            Value::Bool(flag) => self.bytes(b'b', &[u8::from(*flag)]),
            Value::Number(number) => self.bytes(b'i', number.to_string().as_bytes()),
            Value::String(text) => self.bytes(b's', text.as_bytes()),
            Value::Array(items) => {
                self.bytes(b'[', b"");
                for item in items {
                    self.value(item);
                }
                self.bytes(b']', b"");
            }
            Value::Object(map) => self.object(map, &[]),
        }
    }

    fn object(&mut self, map: &Map<String, Value>, skip: &[&str]) {
        let mut names: Vec<&String> = map.keys().filter(|name| !skip.contains(&name.as_str())).collect();
        names.sort_unstable();
        self.bytes(b'{', b"");
        for name in names {
            self.bytes(b'k', name.as_bytes());
            self.value(&map[name]);
        }
        self.bytes(b'}', b"");
    }
}

/// Replaces escapes of unpaired surrogates by U+FFFD; `None` if the text has none.
pub(crate) fn without_lone_surrogates(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text.as_bytes().get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        let start = at + found;
        at = start + 2;
        let Some(unit) = unit_at(text, start) else { continue };
        at = start + 6;
        match unit {
            0xd800..=0xdbff if unit_at(text, at).is_some_and(|low| (0xdc00..=0xdfff).contains(&low)) => {
                at += 6;
            }
            0xd800..=0xdfff => {
                out.push_str(&text[copied..start]);
                out.push_str("\\ufffd");
                copied = at;
            }
            _ => {}
        }
    }
    if copied == 0 {
        return None;
    }
    out.push_str(&text[copied..]);
    Some(out)
}

/// Replaces numbers that JSON does not have (`NaN`, `Infinity`, as Python writes them) by `null`; `None` if there
/// is none.
pub(crate) fn without_odd_numbers(text: &str) -> Option<String> {
    const ODD: &[&str] = &["NaN", "-Infinity", "Infinity"];
    if !text.contains("NaN") && !text.contains("Infinity") {
        return None;
    }
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    let (mut in_string, mut escaped) = (false, false);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'N' | b'I' | b'-' if !in_string => {
                if let Some(odd) = ODD.iter().find(|odd| bytes[at..].starts_with(odd.as_bytes())) {
                    out.push_str(&text[copied..at]);
                    out.push_str("null");
                    at += odd.len();
                    copied = at;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    out.push_str(&text[copied..]);
    (copied > 0).then_some(out)
}

fn unit_at(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_cannot_carry_is_odd() {
        let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        for odd in ["18446744073709551616", "1e400", r#"{"a":1,"a":2}"#, r#"{"a":{"b":1,"\u0062":2}}"#] {
            assert!(matches!(parse(odd), Parsed::Odd), "{odd}");
        }
        assert!(matches!(parse(&deep(MAX_DEPTH)), Parsed::Value(_)));
        assert!(matches!(parse(&deep(MAX_DEPTH + 2)), Parsed::Odd));
        assert!(matches!(parse(&deep(3000)), Parsed::Odd));
        assert!(matches!(parse(r#"{"a":18446744073709551615,"b":-0.0,"c":1e18}"#), Parsed::Value(_)));
        assert!(matches!(parse("{\"a\":"), Parsed::Bad));
    }

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        let fixed = without_lone_surrogates(r#""\ud83d \ud83d\ude00 \udc00 \\ud83d \ud83dx""#);
        assert_eq!(fixed.as_deref(), Some(r#""\ufffd \ud83d\ude00 \ufffd \\ud83d \ufffdx""#));
        assert_eq!(without_lone_surrogates(r#""\ud83d\ude00 é \\""#), None);
        assert_eq!(without_lone_surrogates("\"\\"), None);
    }

    #[test]
    fn numbers_that_json_has_not_become_null() {
        let fixed = without_odd_numbers(r#"{"a":NaN,"b":"NaN \" Infinity","c":[-Infinity,-1]}"#);
        assert_eq!(fixed.as_deref(), Some(r#"{"a":null,"b":"NaN \" Infinity","c":[null,-1]}"#));
        assert_eq!(without_odd_numbers(r#""NaN""#), None);
    }

    #[test]
    fn a_digest_ignores_key_order_and_skipped_members() {
        let read = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
        let a = digest(&read(r#"{"a":[1,{"x":2,"y":"z"}],"t":1}"#), &["t"]);
        assert_eq!(a, digest(&read(r#"{"t":2,"a":[1,{"y":"z","x":2}]}"#), &["t"]));
        assert_ne!(a, digest(&read(r#"{"t":2,"a":[1,{"y":"z","x":"2"}]}"#), &["t"]));
        assert_ne!(digest(&read(r#"{"a":["ab","c"]}"#), &[]), digest(&read(r#"{"a":["a","bc"]}"#), &[]));
    }
}
