//! Duplicates: the same thing told twice under one key.
//!
//! An event whose key an earlier event of its session has, with the same kind and `data`, is told once.
//! With other content it is a conflict: kept, shown and flagged.

use event::{Event, Kind};
use serde_json::{Map, Value};

/// How a later event with a known key relates to the earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// The same thing again: readers skip it.
    Duplicate,
    /// Something else under the same key: readers show and flag it.
    Conflict,
}

/// What counts when two events under one key are compared.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// What happened.
    pub kind: &'a Kind,
    /// The payload.
    pub data: &'a Map<String, Value>,
    /// Its erased members.
    pub erased: &'a [String],
}

impl<'a> From<&'a Event> for Told<'a> {
    fn from(event: &'a Event) -> Self {
        Self { kind: &event.kind, data: &event.data, erased: &event.erased }
    }
}

/// Compares two events with one key: all marks are equal, an erased member equals anything, and what
/// the redactor did (`redactions`) does not count.
pub fn compare(earlier: Told<'_>, later: Told<'_>) -> Sameness {
    let opened = |kind: &Kind| matches!(kind.as_str(), "session.opened" | "session.updated");
    if earlier.kind != later.kind && !(opened(earlier.kind) && opened(later.kind)) {
        return Sameness::Conflict;
    }
    let mut names = earlier.data.keys().chain(later.data.keys()).filter(|name| *name != "redactions");
    let erased = |name: &String| earlier.erased.contains(name) || later.erased.contains(name);
    let same = |name: &String| match (earlier.data.get(name), later.data.get(name)) {
        (Some(a), Some(b)) => equal(a, b),
        _ => erased(name),
    };
    if names.all(same) { Sameness::Duplicate } else { Sameness::Conflict }
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a == b || without_marks(a) == without_marks(b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((ka, a), (kb, b))| ka == kb && equal(a, b))
        }
        _ => a == b,
    }
}

/// The text with every `[REDACTED:…]` as one and the same mark.
fn without_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[REDACTED:") {
        let end = after.find(']').map_or(after.len(), |end| end + 1);
        out.push_str(before);
        out.push('\u{fffc}');
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_equal_whatever_their_kind() {
        assert!(equal(&"a [REDACTED:jwt:0011223344] b".into(), &"a [REDACTED:token] b".into()));
        assert!(!equal(&"a [REDACTED:jwt:0011223344] b".into(), &"a b".into()));
    }
}
