//! Content: a text, or since 1.6 a list of parts.

use event::Draft;
use serde_json::{Map, Value};

use crate::members::TakeMembers;

/// The first text of a step's message.
pub(super) fn first_text(step: &Map<String, Value>) -> Option<String> {
    let text = match step.get("message")? {
        Value::Array(parts) => parts.iter().find_map(|part| part.get("text")?.as_str())?,
        other => other.as_str()?,
    };
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// The message of a step, a draft a part. What is left of each part stays in the list.
pub(super) fn message(
    fields: &mut Map<String, Value>,
    may_be_empty: bool,
    draft: impl Fn(usize) -> Draft,
) -> Vec<Draft> {
    match fields.get_mut("message") {
        Some(Value::String(text)) if text.is_empty() && !may_be_empty => Vec::new(),
        Some(Value::String(_)) => vec![draft(0).data("text", fields.take_text("message"))],
        Some(Value::Array(parts)) => {
            let told = |(at, part): (usize, &mut Value)| {
                let fields = part.as_object_mut()?;
                Some(match fields.take_text("text") {
                    Some(text) => draft(at).data("text", text),
                    None => draft(at).data("body", std::mem::take(fields)),
                })
            };
            parts.iter_mut().enumerate().filter_map(told).collect()
        }
        _ => Vec::new(),
    }
}
