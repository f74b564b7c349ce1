//! Changing one leaf of a record, and finding it again.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::time;

/// One step into a record.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Member(String),
    Item(usize),
    /// The JSON in a string.
    Inside,
}

/// Longer shapes are told by their beginning: a tool's own input is of any shape.
const DEEPEST: usize = 7;
const MARK: &str = "~q7x";
const DAY: &str = "2031-03-04";

/// The places of all leaves: scalars, and lists and objects with nothing in them.
pub(super) fn changes(record: &Value) -> Vec<Vec<Step>> {
    let mut places = Vec::new();
    walk(record, &mut Vec::new(), &mut places);
    places
}

fn walk(value: &Value, at: &mut Vec<Step>, places: &mut Vec<Vec<Step>>) {
    let mut enter = |step: Step, value: &Value, at: &mut Vec<Step>| {
        at.push(step);
        walk(value, at, places);
        at.pop();
    };
    match value {
        Value::Object(map) if !map.is_empty() => {
            map.iter().for_each(|(name, value)| enter(Step::Member(name.clone()), value, at));
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(index, value)| enter(Step::Item(index), value, at));
        }
        Value::String(text) if inside(text).is_some() => {
            let value = inside(text).unwrap_or_default();
            enter(Step::Inside, &value, at);
        }
        _ => places.push(at.clone()),
    }
}

/// An object that is written into a string.
fn inside(text: &str) -> Option<Value> {
    let object: Map<String, Value> =
        text.starts_with('{').then(|| serde_json::from_str(text).ok()).flatten()?;
    (!object.is_empty()).then_some(Value::Object(object))
}

/// What places of one kind have in common: names, and the `type` of the objects on the way.
pub(super) fn shape(record: &Value, place: &[Step]) -> String {
    let (mut shape, mut at) = (String::new(), Cow::Borrowed(record));
    for step in place.iter().take(DEEPEST) {
        if let Some(kind) = at.get("type").and_then(Value::as_str) {
            shape.push_str(&format!("<{kind}>"));
        }
        shape.push_str(&match step {
            Step::Member(name) if is_name(name) => format!(".{name}"),
            Step::Member(_) => ".*".to_owned(),
            Step::Item(_) => "[]".to_owned(),
            Step::Inside => "{}".to_owned(),
        });
        at = match at {
            Cow::Borrowed(at) => enter(at, step).unwrap_or_default(),
            Cow::Owned(at) => Cow::Owned(enter(&at, step).unwrap_or_default().into_owned()),
        };
    }
    shape
}

/// A name that the format gave, not a path or an id.
fn is_name(name: &str) -> bool {
    name.len() <= 40 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-$.@".contains(&b))
}

fn enter<'v>(value: &'v Value, step: &Step) -> Option<Cow<'v, Value>> {
    match step {
        Step::Member(name) => value.get(name).map(Cow::Borrowed),
        Step::Item(index) => value.get(*index).map(Cow::Borrowed),
        Step::Inside => inside(value.as_str()?).map(Cow::Owned),
    }
}

/// A record with one leaf changed.
pub(super) struct Change {
    pub(super) record: Value,
    mark: Mark,
}

/// How the change is known again.
enum Mark {
    /// A text that holds this.
    Text(String),
    Number(Value),
    /// It is enough that something is different: a flag, a time as a number.
    Any,
}

impl Change {
    pub(super) fn at(record: &Value, place: &[Step]) -> Option<Self> {
        let (record, mark) = changed(record, place)?;
        Some(Self { record, mark })
    }

    /// True if the new leaf can be read in the events.
    pub(super) fn stands_in(&self, told: &Value) -> bool {
        match &self.mark {
            Mark::Any => true,
            Mark::Text(text) => {
                // JSON that stays a string escapes it
                let escaped = Value::from(text.as_str()).to_string();
                let escaped = &escaped[1..escaped.len() - 1];
                holds(told, &|value| {
                    value.as_str().is_some_and(|told| told.contains(text) || told.contains(escaped))
                })
            }
            Mark::Number(number) => {
                let digits = number.to_string();
                holds(told, &|value| {
                    value == number || value.as_str().is_some_and(|text| text.contains(&digits))
                })
            }
        }
    }
}

fn holds(value: &Value, test: &dyn Fn(&Value) -> bool) -> bool {
    test(value)
        || match value {
            Value::Array(items) => items.iter().any(|item| holds(item, test)),
            // a path may be the name of a member
            Value::Object(map) => {
                map.iter().any(|(name, item)| test(&name.as_str().into()) || holds(item, test))
            }
            _ => false,
        }
}

fn changed(value: &Value, place: &[Step]) -> Option<(Value, Mark)> {
    let Some((step, rest)) = place.split_first() else { return other(value) };
    let (inner, mark) = changed(enter(value, step)?.as_ref(), rest)?;
    let mut value = value.clone();
    match step {
        Step::Member(name) => value[name.as_str()] = inner,
        Step::Item(index) => value[*index] = inner,
        Step::Inside => value = inner.to_string().into(),
    }
    Some((value, mark))
}

/// Another value of the same sort.
fn other(value: &Value) -> Option<(Value, Mark)> {
    let text = |text: String| (Value::from(text.as_str()), Mark::Text(text));
    Some(match value {
        Value::Bool(flag) => (Value::Bool(!flag), Mark::Any),
        Value::Null => text(MARK.to_owned()),
        Value::Array(_) => (vec![MARK].into(), Mark::Text(MARK.to_owned())),
        Value::Object(_) => (serde_json::json!({ "added": MARK }), Mark::Text(MARK.to_owned())),
        Value::String(old) if old.len() > DAY.len() && time::at(value).is_some() => {
            // an offset may move it by a day
            (format!("{DAY}{}", &old[DAY.len()..]).into(), Mark::Text(DAY[..7].to_owned()))
        }
        Value::String(old) => text(format!("{old}{MARK}")),
        Value::Number(old) => match (old.as_i64(), old.as_f64()?) {
            (Some(old), _) if old.abs() < 1_000_000_000 => {
                let new = Value::from(old + 1_234_567);
                (new.clone(), Mark::Number(new))
            }
            (Some(old), _) => ((old + 1000).into(), Mark::Any),
            (None, old) => ((old + 0.5).into(), Mark::Any),
        },
    })
}
