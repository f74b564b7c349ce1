//! Older shapes brought into today's envelope `{timestamp, type, payload}`.
//!
//! Before the envelope a rollout was a bare first line (`id`, `timestamp`, `instructions`, `git`) and
//! bare response items; some wrappers write `role` and `content` with `tool_call` and `tool_result`.

use serde_json::{Map, Value, json};

use crate::members::TakeMembers;

const ITEMS: &[&str] = &[
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "local_shell_call",
    "web_search_call",
    "ghost_snapshot",
    "compaction",
];

/// True if the first records are of an older shape.
pub(super) fn recognises(head: &[Value]) -> bool {
    let first = head.first().and_then(Value::as_object);
    first.is_some_and(is_bare_meta) || head.iter().filter_map(Value::as_object).any(is_bare_item)
}

fn is_bare_meta(record: &Map<String, Value>) -> bool {
    let said = record.contains_key("instructions") || record.contains_key("git");
    said && record.text("id").is_some() && record.text("timestamp").is_some() && !record.contains_key("type")
}

fn is_bare_item(record: &Map<String, Value>) -> bool {
    if ["payload", "uuid", "sessionId", "session_id", "parentId"]
        .iter()
        .any(|name| record.contains_key(*name))
    {
        return false;
    }
    let named = record.get("function").is_some_and(|function| function.get("name").is_some());
    let part = || record.get("content")?.as_array()?.first()?.get("type")?.as_str();
    match record.text("type") {
        Some("tool_call" | "function_call") => {
            named || (record.contains_key("call_id") && record.contains_key("arguments"))
        }
        Some("message") => matches!(part(), Some("input_text" | "output_text")),
        _ => false,
    }
}

/// The record in today's envelope; one that has it, or that nothing is known about, stays as it is.
pub(super) fn enveloped(mut record: Map<String, Value>) -> Map<String, Value> {
    if record.contains_key("payload") {
        return record;
    }
    let kind = record.text("type").map(str::to_owned);
    let kind = match kind.as_deref() {
        None if is_bare_meta(&record) => "session_meta",
        // what a document of `session` and `items` says beside its items
        None if record.get("session").is_some_and(|session| session.get("id").is_some()) => {
            let session = record.take_object("session").unwrap_or_default();
            record.extend(session);
            "session_meta"
        }
        None if record.contains_key("record_type") => {
            rename(&mut record, "record_type", "type");
            "event_msg"
        }
        None if record.contains_key("role") => {
            rename(&mut record, "message", "content");
            record.insert("type".to_owned(), "message".into());
            "response_item"
        }
        Some("tool_call") => item(&mut record, "function_call"),
        Some("tool_result" | "function_result") => {
            rename(&mut record, "result", "output");
            item(&mut record, "function_call_output")
        }
        Some("error") => {
            rename(&mut record, "text", "message");
            "event_msg"
        }
        Some(known) if ITEMS.contains(&known) => "response_item",
        _ => return record,
    };
    if let Some(Value::Object(mut function)) = record.remove("function") {
        record.extend(function.remove_entry("name"));
        if !function.is_empty() {
            record.insert("function".to_owned(), function.into());
        }
    }
    let time = record.remove("timestamp").or_else(|| record.remove("created_at"));
    let mut envelope =
        Map::from_iter([("type".to_owned(), kind.into()), ("envelope".to_owned(), json!("none"))]);
    if let Some(time) = time {
        // a bare first line tells its time itself
        if kind == "session_meta" {
            record.insert("timestamp".to_owned(), time.clone());
        }
        envelope.insert("timestamp".to_owned(), time);
    }
    envelope.insert("payload".to_owned(), Value::Object(record));
    envelope
}

fn item(record: &mut Map<String, Value>, kind: &str) -> &'static str {
    let bare = record.insert("type".to_owned(), kind.into());
    record.extend(bare.map(|bare| ("bare_type".to_owned(), bare)));
    "response_item"
}

fn rename(record: &mut Map<String, Value>, from: &str, to: &str) {
    if !record.contains_key(to)
        && let Some(value) = record.remove(from)
    {
        record.insert(to.to_owned(), value);
    }
}
