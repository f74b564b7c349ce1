//! Following `{"$same":"<member>"}`: a copy of a text that stands beside it.

use serde_json::{Map, Value};

/// The data with every pointer to one of its own members replaced by what it stands for.
pub(super) fn followed(data: &Value) -> Value {
    follow(data, data)
}

fn follow(data: &Value, value: &Value) -> Value {
    match value {
        Value::Object(map) => pointed(data, map).unwrap_or_else(|| {
            map.iter().map(|(name, value)| (name.clone(), follow(data, value))).collect::<Map<_, _>>().into()
        }),
        Value::Array(items) => items.iter().map(|item| follow(data, item)).collect(),
        other => other.clone(),
    }
}

/// A pointer to an event's key leads to another record and stays; so does one that leads nowhere, and what it stood
/// for is lost.
fn pointed(data: &Value, pointer: &Map<String, Value>) -> Option<Value> {
    let path = pointer.get("$same")?.as_str()?;
    if path.contains(':') {
        return None;
    }
    let step = |at: Option<Value>, name: &str| match at? {
        Value::Array(items) => items.get(name.parse::<usize>().ok()?).cloned(),
        other => other.get(name).cloned(),
    };
    let target = path.split('.').fold(Some(data.clone()), step)?;
    let beside = |name: &str| pointer.get(name).and_then(Value::as_str).unwrap_or_default();
    let around = (beside("before"), beside("after"));
    match target.as_str() {
        Some(text) => Some(format!("{}{text}{}", around.0, around.1).into()),
        None => Some(target),
    }
}
