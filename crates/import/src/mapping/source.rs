//! Reading values out of a record: tests, sources of fields, counts.

use serde_json::{Map, Number, Value};

use super::plan::{Shape, Source, Test, Type, Usage, When};

impl When {
    pub(super) fn holds(&self, record: &Value) -> bool {
        self.0.iter().all(|(path, test)| test.holds(path.value(record)))
    }
}

impl Test {
    fn holds(&self, value: Option<&Value>) -> bool {
        match self {
            Self::OneOf(values) => value.is_some_and(|value| values.contains(value)),
            Self::Is(shape) => shape.holds(value),
            Self::Starts(starts) => value.and_then(Value::as_str).is_some_and(|text| begins(text, starts)),
            Self::Has(pieces) => pieces.iter().any(|piece| match value {
                Some(Value::String(text)) => text.contains(piece.as_str()),
                Some(Value::Array(items)) => items.iter().any(|item| item == piece.as_str()),
                _ => false,
            }),
            Self::Not(test) => !test.holds(value),
        }
    }
}

impl Type {
    fn holds(self, value: Option<&Value>) -> bool {
        match (self, value) {
            (Self::Missing, value) => value.is_none(),
            (_, None) => false,
            (Self::There, Some(_)) => true,
            (Self::Text, Some(value)) => value.as_str().is_some_and(|text| !text.trim().is_empty()),
            (Self::String, Some(value)) => value.is_string(),
            (Self::Number, Some(value)) => value.is_number(),
            (Self::Bool, Some(value)) => value.is_boolean(),
            (Self::Object, Some(value)) => value.is_object(),
            (Self::List, Some(value)) => value.is_array(),
        }
    }
}

impl Shape {
    pub(super) fn fits(&self, head: &[Value]) -> bool {
        let holds = |when: &Option<When>, record: &Value| when.as_ref().is_none_or(|when| when.holds(record));
        let Some(first) = head.first() else { return false };
        holds(&self.first, first)
            && head.iter().all(|record| holds(&self.all, record))
            && self.any.iter().all(|when| head.iter().any(|record| when.holds(record)))
            && self.none.as_ref().is_none_or(|when| !head.iter().any(|record| when.holds(record)))
    }
}

/// True for a text that starts with one of these, white space aside.
pub(super) fn begins(text: &str, starts: &[String]) -> bool {
    let text = text.trim_start();
    starts.iter().any(|start| text.starts_with(start.as_str()))
}

/// A value for a field, and where it was taken from unchanged.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) value: Value,
    /// Where it stood, and by which member of the value it can be put back.
    pub(super) from: Vec<(Vec<String>, Vec<String>)>,
}

impl Source {
    /// The value in this record; `Null` if there is none.
    pub(super) fn take(&self, record: &Value) -> Taken {
        if !self.object.is_empty() {
            return self.take_object(record);
        }
        let found = self.path.as_ref().and_then(|path| path.find(record));
        let Some(found) = found else {
            let value = self.value.clone().or_else(|| self.otherwise.clone());
            return Taken { value: value.unwrap_or_default(), from: Vec::new() };
        };
        let wrapped = |value: Value| match &self.wrap {
            Some(name) if !value.is_null() => Value::Object(Map::from_iter([(name.clone(), value)])),
            _ => value,
        };
        if let Some(value) = self.changed(found.value) {
            return Taken { value: wrapped(value), from: Vec::new() };
        }
        let inner = self.wrap.iter().cloned().collect();
        Taken { value: wrapped(found.value.clone()), from: vec![(found.steps.to_vec(), inner)] }
    }

    fn take_object(&self, record: &Value) -> Taken {
        let (mut map, mut from) = (Map::new(), Vec::new());
        for (name, path) in &self.object {
            if let Some(found) = path.find(record) {
                map.insert(name.clone(), found.value.clone());
                from.push((found.steps.to_vec(), vec![name.clone()]));
            }
        }
        let value = if map.is_empty() { Value::Null } else { Value::Object(map) };
        Taken { value, from }
    }

    /// What is made of the value; `None` if it is taken as it stands.
    fn changed(&self, value: &Value) -> Option<Value> {
        if let Some((before, after)) = &self.between {
            return Some(value.as_str().and_then(|text| piece(text, before, after)).unwrap_or_default());
        }
        if let Some(factor) = self.times {
            return Some(value.as_f64().and_then(|number| scaled(number * factor)).unwrap_or_default());
        }
        if !self.starts.is_empty() {
            return Some(value.as_str().is_some_and(|text| begins(text, &self.starts)).into());
        }
        if self.map.is_empty() {
            return None;
        }
        let name = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match (self.map.get(&name), &self.otherwise) {
            (Some(mapped), _) => Some(mapped.clone()),
            (None, Some(otherwise)) => Some(otherwise.clone()),
            (None, None) => None,
        }
    }
}

/// The text between two texts.
fn piece(text: &str, before: &str, after: &str) -> Option<Value> {
    let (_, rest) = text.split_once(before)?;
    Some(if after.is_empty() { rest } else { rest.split_once(after)?.0 }.trim().into())
}

#[allow(clippy::cast_possible_truncation, reason = "the range was checked")]
fn scaled(number: f64) -> Option<Value> {
    let whole = number.round();
    (whole.abs() < 9e15).then(|| Value::Number(Number::from(whole as i64)))
}

impl Usage {
    /// The header's `usage`; `Null` if no count is there.
    pub(super) fn read(&self, record: &Value) -> Value {
        let mut usage = Map::new();
        for (name, paths) in &self.counts {
            let counts = paths.iter().filter_map(|path| path.value(record)?.as_u64()).collect::<Vec<_>>();
            if !counts.is_empty() {
                let sum = counts.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
                usage.insert((*name).to_owned(), sum.min((1 << 53) - 1).into());
            }
        }
        if usage.is_empty() { Value::Null } else { Value::Object(usage) }
    }
}
