//! OTLP's own JSON as plain JSON: attribute lists as objects, any-values as values, ids as hex, times as nanoseconds.
//!
//! Exporters differ in how they write it: `traceId` or `trace_id`, ids as hex or (against the specification)
//! base64, enums as numbers or names, 64-bit integers as strings or numbers. All of them are read.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Number, Value};

/// Integers that a journal line carries as numbers.
const LARGEST: i64 = 1 << 53;
/// Deeper values stay as they are written.
const DEEPEST: usize = 32;

/// Takes the first of several names out of an object.
pub(super) fn take(map: &mut Map<String, Value>, names: &[&str]) -> Option<Value> {
    names.iter().find_map(|name| map.remove(*name)).filter(|value| !value.is_null())
}

/// The first of several names, left where it is.
pub(super) fn get<'a>(map: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| map.get(*name))
}

/// Attributes as an object; what is no attribute keeps its place under its number.
pub(super) fn attributes(value: Value) -> Map<String, Value> {
    let items = match value {
        Value::Object(map) => return map,
        Value::Array(items) => items,
        _ => return Map::new(),
    };
    let mut found = Map::new();
    for (number, item) in items.into_iter().enumerate() {
        let (name, value) = attribute(number, item);
        let name = if found.contains_key(&name) { format!("{name}#{number}") } else { name };
        found.insert(name, value);
    }
    found
}

fn attribute(number: usize, item: Value) -> (String, Value) {
    match item {
        Value::Object(mut pair) if pair.get("key").is_some_and(Value::is_string) => {
            let name = pair.remove("key").and_then(|key| key.as_str().map(str::to_owned)).unwrap_or_default();
            (name, pair.remove("value").map_or(Value::Null, |value| any(value, 0)))
        }
        other => (format!("#{number}"), other),
    }
}

/// An any-value as the value that it stands for.
pub(super) fn any(value: Value, depth: usize) -> Value {
    let Value::Object(mut map) = value else { return value };
    if map.len() != 1 || depth > DEEPEST {
        return Value::Object(map);
    }
    let name = map.keys().next().cloned().unwrap_or_default();
    let inner = map.remove(&name).unwrap_or_default();
    let inner = match (name.as_str(), inner) {
        ("stringValue" | "string_value" | "boolValue" | "bool_value", value) => return value,
        ("intValue" | "int_value", value) => return integer(value),
        ("doubleValue" | "double_value", value) => return double(value),
        ("arrayValue" | "array_value", Value::Object(mut list)) if list.len() <= 1 => {
            return match list.remove("values") {
                Some(Value::Array(items)) => items.into_iter().map(|item| any(item, depth + 1)).collect(),
                _ => Value::Array(Vec::new()),
            };
        }
        ("kvlistValue" | "kvlist_value", Value::Object(mut list)) if list.len() <= 1 => {
            let pairs = list.remove("values").unwrap_or_default();
            let Value::Array(pairs) = pairs else { return Value::Object(Map::new()) };
            let pairs = pairs.into_iter().enumerate().map(|(number, pair)| match pair {
                Value::Object(mut pair) if pair.get("key").is_some_and(Value::is_string) => {
                    let name = pair.remove("key").unwrap_or_default();
                    let value = pair.remove("value").map_or(Value::Null, |value| any(value, depth + 1));
                    (name.as_str().unwrap_or_default().to_owned(), value)
                }
                other => (format!("#{number}"), other),
            });
            return Value::Object(pairs.collect());
        }
        (_, other) => other,
    };
    map.insert(name, inner);
    Value::Object(map)
}

fn integer(value: Value) -> Value {
    let number = match &value {
        Value::String(text) => text.parse::<i64>().ok(),
        other => other.as_i64(),
    };
    match number {
        Some(number) if number.unsigned_abs() < LARGEST.unsigned_abs() => number.into(),
        Some(number) => number.to_string().into(),
        None => value,
    }
}

fn double(value: Value) -> Value {
    match &value {
        Value::String(text) => {
            text.parse::<f64>().ok().and_then(Number::from_f64).map_or(value, Value::Number)
        }
        _ => value,
    }
}

/// An id as lower-case hex of this many bytes: from hex, `0x…` or base64.
pub(super) fn id(value: &Value, bytes: usize) -> Option<String> {
    let text = value.as_str()?.trim();
    let text = text.strip_prefix("0x").unwrap_or(text);
    let is_hex = |text: &str| text.len() == bytes * 2 && text.bytes().all(|b| b.is_ascii_hexdigit());
    if is_hex(text) {
        let text = text.to_ascii_lowercase();
        return text.bytes().any(|b| b != b'0').then_some(text);
    }
    let decoded = STANDARD.decode(text).ok().filter(|decoded| decoded.len() == bytes);
    let hex = decoded.map(|decoded| decoded.iter().fold(String::new(), |hex, b| format!("{hex}{b:02x}")));
    hex.filter(|hex| hex.bytes().any(|b| b != b'0'))
}

/// A time in nanoseconds: a number or digits of any unit since 1970, `[seconds, nanoseconds]`, or RFC 3339.
pub(super) fn nanos(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().map(scaled).or_else(|| number.as_f64().and_then(seconds)),
        Value::String(text) => match text.parse::<u64>() {
            Ok(number) => Some(scaled(number)),
            Err(_) => crate::time::nanos(text),
        },
        Value::Array(pair) => match pair.as_slice() {
            [whole, part] => whole.as_u64()?.checked_mul(1_000_000_000)?.checked_add(part.as_u64()?),
            _ => None,
        },
        _ => None,
    }
    .filter(|nanos| *nanos > 0)
}

/// Seconds, milliseconds, microseconds or nanoseconds, told apart by their size.
fn scaled(number: u64) -> u64 {
    match number {
        n if n < 100_000_000_000 => n * 1_000_000_000,
        n if n < 100_000_000_000_000 => n * 1_000_000,
        n if n < 100_000_000_000_000_000 => n * 1_000,
        n => n,
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
fn seconds(number: f64) -> Option<u64> {
    (number > 0.0 && number < 1e11).then_some((number * 1e9) as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_of_every_type_become_plain() {
        let list = json!([
            {"key": "s", "value": {"stringValue": "x"}},
            {"key": "i", "value": {"intValue": "-7"}},
            {"key": "big", "value": {"int_value": "9007199254740993"}},
            {"key": "d", "value": {"doubleValue": 0.5}},
            {"key": "nan", "value": {"doubleValue": "NaN"}},
            {"key": "a", "value": {"arrayValue": {"values": [{"boolValue": true}, {"stringValue": "y"}]}}},
            {"key": "o", "value": {"kvlistValue": {"values": [{"key": "k", "value": {"intValue": 1}}]}}},
            {"key": "b", "value": {"bytesValue": "AAE="}},
            {"key": "s", "value": {"stringValue": "twice"}},
            {"key": "none"},
            7,
        ]);
        let expected = json!({
            "s": "x", "i": -7, "big": "9007199254740993", "d": 0.5, "nan": "NaN", "a": [true, "y"], "o": {"k": 1},
            "b": {"bytesValue": "AAE="}, "s#8": "twice", "none": null, "#10": 7,
        });
        assert_eq!(Value::Object(attributes(list)), expected);
    }

    #[test]
    fn ids_and_times_are_read_however_they_are_written() {
        for text in ["0af7651916cd43dd", "0x0AF7651916CD43DD", "CvdlGRbNQ90="] {
            assert_eq!(id(&text.into(), 8).as_deref(), Some("0af7651916cd43dd"), "{text}");
        }
        for text in ["", "0000000000000000", "xyz", "0af7651916cd43"] {
            assert_eq!(id(&text.into(), 8), None, "{text}");
        }
        let expected = Some(1_544_712_660_300_000_000);
        for time in [
            json!("1544712660300000000"),
            json!(1_544_712_660_300_000_000_u64),
            json!(1_544_712_660_300_000_u64),
            json!([1_544_712_660, 300_000_000]),
            json!("2018-12-13T14:51:00.3Z"),
        ] {
            assert_eq!(nanos(&time), expected, "{time}");
        }
        assert_eq!((nanos(&json!(0)), nanos(&json!("x")), nanos(&json!([1]))), (None, None, None));
    }
}
