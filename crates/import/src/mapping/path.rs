//! Where a value stands in a record: `message.content`, `choices.0.message`, `uiEvent."event.name"`; `.` is
//! the record itself, and `a | b` is the first of them that is there.
//!
//! What stood in a string as JSON is `{"$text": …}` once it is unpacked; paths go through it.

use serde_json::Value;

use crate::json::{Parsed, parse};

/// One way to a value.
type Steps = Vec<String>;

/// Ways to a value; the first that leads to one counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path(Vec<Steps>);

/// What a path found, and where it stood.
pub(super) struct Found<'v> {
    pub(super) value: &'v Value,
    pub(super) steps: &'v [String],
}

impl Path {
    /// Reads a path; the error says what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let ways = text.split(" | ").map(|way| steps(way.trim())).collect::<Result<Vec<_>, _>>()?;
        Ok(Self(ways))
    }

    /// The first value that is there and not null.
    pub(super) fn find<'v>(&'v self, record: &'v Value) -> Option<Found<'v>> {
        self.0.iter().find_map(|steps| {
            let value =
                steps.iter().try_fold(unpacked(record), |value, step| inner(value, step).map(unpacked))?;
            (!value.is_null()).then_some(Found { value, steps })
        })
    }

    /// The value, if it is there.
    pub(super) fn value<'v>(&'v self, record: &'v Value) -> Option<&'v Value> {
        self.find(record).map(|found| found.value)
    }
}

/// The member or item with this name.
fn inner<'v>(value: &'v Value, step: &str) -> Option<&'v Value> {
    match value {
        Value::Object(map) => map.get(step),
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    }
}

/// The name under which a text is unpacked.
const TEXT: &str = "$text";

fn unpacked(value: &Value) -> &Value {
    match value {
        Value::Object(map) if map.len() == 1 => map.get(TEXT).map_or(value, unpacked),
        value => value,
    }
}

fn unpacked_mut(value: &mut Value) -> &mut Value {
    if value.as_object().is_some_and(|map| map.len() == 1 && map.contains_key(TEXT)) {
        return unpacked_mut(&mut value[TEXT]);
    }
    value
}

/// The place that steps lead to, to be changed.
pub(super) fn place<'v>(record: &'v mut Value, steps: &[String]) -> Option<&'v mut Value> {
    steps.iter().try_fold(unpacked_mut(record), |value, step| {
        let inner = match value {
            Value::Object(map) => map.get_mut(step),
            Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
            _ => None,
        };
        inner.map(unpacked_mut)
    })
}

/// Unpacks JSON in a string, up to three deep.
pub(super) fn unpack(value: &mut Value) {
    for _ in 0..3 {
        let inner = unpacked_mut(value);
        let text = inner.as_str().filter(|text| text.trim_start().starts_with(['{', '[', '"']));
        match text.map(parse) {
            Some(Parsed::Value(parsed)) => *inner = serde_json::json!({ TEXT: parsed }),
            _ => return,
        }
    }
}

fn steps(way: &str) -> Result<Steps, String> {
    if way == "." {
        return Ok(Vec::new());
    }
    let (mut found, mut step, mut quoted) = (Vec::new(), String::new(), false);
    for char in way.chars() {
        match char {
            '"' => quoted = !quoted,
            '.' if !quoted => found.push(std::mem::take(&mut step)),
            ' ' if !quoted => {
                return Err(format!("{way:?} is no path: a name with a space stands in quotes"));
            }
            char => step.push(char),
        }
    }
    found.push(step);
    match (quoted, found.iter().any(String::is_empty)) {
        (true, _) => Err(format!("{way:?} is no path: a quote has no end")),
        (_, true) => Err(format!("{way:?} is no path: a name is missing")),
        _ => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_way_that_leads_to_a_value_counts() {
        let record = json!({ "a": { "b": [1, { "c.d": 2 }], "n": null }, "e": 3 });
        let value = |path: &str| Path::parse(path).expect("a path").value(&record).cloned();
        assert_eq!(value("a.b.0"), Some(json!(1)));
        assert_eq!(value("a.b.1.\"c.d\""), Some(json!(2)));
        assert_eq!(value("a.n | a.x | e"), Some(json!(3)));
        assert_eq!(value("."), Some(record.clone()));
        assert_eq!((value("a.b.7"), value("e.f"), value("a.b.-1")), (None, None, None));
    }

    #[test]
    fn what_is_unpacked_is_gone_through() {
        let mut record = json!({ "a": "{\"b\": \"[1, 2]\"}", "c": "no" });
        unpack(&mut record["a"]);
        assert_eq!(Path::parse("a.b").expect("a path").value(&record), Some(&json!("[1, 2]")));
        *place(&mut record, &["a".to_owned(), "b".to_owned()]).expect("a place") = json!(7);
        unpack(&mut record["c"]);
        assert_eq!(record, json!({ "a": { "$text": { "b": 7 } }, "c": "no" }));
        let mut twice = json!("\"{\\\"b\\\": 1}\"");
        unpack(&mut twice);
        assert_eq!(Path::parse("b").expect("a path").value(&twice), Some(&json!(1)));
    }

    #[test]
    fn what_is_no_path_says_so() {
        for bad in ["", "a..b", "a b", "\"a", "a.", "a | "] {
            assert!(Path::parse(bad).is_err(), "{bad}");
        }
    }
}
