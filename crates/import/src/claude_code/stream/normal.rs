//! A stream's record in the shape of a transcript's.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::derive::is_global;
use crate::members::TakeMembers;

/// What the SDK writes before it knows the session.
const NO_SESSION: &str = "default";
/// Names of the stream, and of the transcript.
const NAMES: &[(&str, &str)] = &[("session_id", "sessionId"), ("tool_use_result", "toolUseResult")];

/// True for a record that only a stream has.
pub(in super::super) fn is_stream(record: &Map<String, Value>) -> bool {
    let record = inner(record).unwrap_or(record);
    let has = |name: &str| record.contains_key(name);
    let object = |name: &str| record.get(name).is_some_and(Value::is_object);
    let foreign = has("sessionId") || has("payload") || has("parentUuid");
    match record.text("type") {
        _ if foreign => false,
        Some("user" | "assistant") => {
            object("message") && (has("parent_tool_use_id") || record.text("session_id").is_some())
        }
        Some("system") => record.text("subtype").is_some() && record.text("session_id").is_some(),
        Some("result") => has("num_turns") || has("total_cost_usd") || (has("duration_ms") && has("subtype")),
        Some("stream_event") => object("event"),
        Some("control_request") => has("request_id") && object("request"),
        Some("control_response") => object("response"),
        _ => false,
    }
}

/// A recording of both directions: `{"direction":"recv","message":{…}}`.
fn inner(record: &Map<String, Value>) -> Option<&Map<String, Value>> {
    record.text("direction")?;
    record.get("message")?.as_object().filter(|message| message.text("type").is_some())
}

/// The text of the record in a recording's entry, or the text itself.
pub(in super::super) fn unwrapped(text: &str) -> &str {
    #[derive(Deserialize)]
    struct Look<'a> {
        direction: Option<String>,
        #[serde(borrow)]
        message: Option<&'a RawValue>,
    }
    if memchr::memmem::find(text.as_bytes(), b"\"direction\"").is_none() {
        return text;
    }
    match serde_json::from_str(text) {
        Ok(Look { direction: Some(_), message: Some(message) }) => message.get(),
        _ => text,
    }
}

/// The record with the transcript's names; what a transcript has no name for stays.
pub(super) fn shaped(mut record: Map<String, Value>) -> Map<String, Value> {
    if inner(&record).is_some()
        && let Some(mut message) = record.take_object("message")
    {
        // the entry's own members stand beside those of the record
        record.insert("recording".to_owned(), true.into());
        for (name, value) in record {
            let name = if message.contains_key(&name) { format!("recorded_{name}") } else { name };
            message.insert(name, value);
        }
        record = message;
    }
    for (name, known) in NAMES {
        if record.contains_key(*known) || record.text(name) == Some(NO_SESSION) {
            continue;
        }
        if let Some(value) = record.remove(*name) {
            record.insert((*known).to_owned(), value);
        }
    }
    if let Some(call) = record.text("parent_tool_use_id").map(str::to_owned) {
        record.remove("parent_tool_use_id");
        record.insert("sideCall".to_owned(), call.into());
    }
    record
}

/// The keys under which a transcript's copy of the record would stand.
pub(super) fn identities(record: &Map<String, Value>) -> Vec<String> {
    let own = record.text("uuid").filter(|uuid| !uuid.is_empty()).map(|uuid| format!("cc:{uuid}.0"));
    let content = record.get("message").and_then(|message| message.get("content")?.as_array());
    let call = |block: &Value| {
        let told = |name: &str| block.get(name).and_then(Value::as_str).filter(|id| is_global(id));
        let invoked = || told("id").map(|id| format!("{id}.invoked"));
        told("tool_use_id").map(|id| format!("{id}.returned")).or_else(invoked)
    };
    own.into_iter().chain(content.into_iter().flatten().filter_map(call)).collect()
}
