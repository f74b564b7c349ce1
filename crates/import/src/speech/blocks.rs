//! The pieces of a message's content, in the dialects that there are.

use serde_json::{Map, Value};

use super::messages::{Part, unwrapped};
use crate::members::TakeMembers;

/// Types of blocks that only content has.
const TYPES: &[&str] = &[
    "text",
    "input_text",
    "output_text",
    "reasoning",
    "thinking",
    "redacted_thinking",
    "tool_call",
    "tool_use",
    "tool-call",
    "tool_call_response",
    "tool_result",
    "tool-result",
    "image",
    "image_url",
    "input_image",
    "blob",
    "uri",
    "file",
];

/// True for a block of content that stands without a message.
pub(crate) fn is_block(value: &Value) -> bool {
    let Some(map) = value.as_object() else { return false };
    !map.contains_key("role")
        && map.get("type").and_then(Value::as_str).is_some_and(|kind| TYPES.contains(&kind))
}

/// The parts of a content: a text, a block, or a list of them.
pub(crate) fn read(content: Value) -> Vec<Part> {
    match content {
        Value::Array(items) => items.into_iter().map(block).collect(),
        Value::String(text) => match unwrapped(Value::String(text.clone())) {
            // a list of blocks that was put into a string
            Value::Array(items) if !items.is_empty() && items.iter().all(is_block) => {
                items.into_iter().map(block).collect()
            }
            _ => vec![Part::Text { text, rest: Map::new() }],
        },
        Value::Null => Vec::new(),
        other => vec![block(other)],
    }
}

fn block(value: Value) -> Part {
    let map = match value {
        Value::Object(map) => map,
        Value::String(text) => return Part::Text { text, rest: Map::new() },
        other => return Part::Other(other),
    };
    let wrapped = map.len() == 1 && map.contains_key("tool_call");
    let mut map = inner(map);
    if wrapped {
        return call(Value::Object(map));
    }
    let kind = map.text("type").unwrap_or_default().replace('-', "_");
    match kind.as_str() {
        "text" | "input_text" | "output_text" | "refusal" => text(map),
        "reasoning" | "thinking" | "reasoning_text" | "thought" => reasoning(map),
        "redacted_thinking" => Part::Reasoning { text: String::new(), form: "encrypted", rest: map },
        "tool_call" | "tool_use" | "function_call" | "function" | "server_tool_call" | "server_tool_use" => {
            call(Value::Object(map))
        }
        "tool_call_response" | "tool_result" | "function_call_output" | "server_tool_call_response" => {
            response(map)
        }
        "" if map.flag("thought") => reasoning(map),
        "" if map.get("text").is_some_and(Value::is_string) => text(map),
        "" => gemini(&mut map).unwrap_or(Part::Other(Value::Object(map))),
        _ => Part::Other(Value::Object(map)),
    }
}

/// A block in a wrapper of one member, as flattened attributes have it.
fn inner(mut map: Map<String, Value>) -> Map<String, Value> {
    for name in ["message_content", "tool_call"] {
        if map.len() == 1
            && let Some(inner) = map.take_object(name)
        {
            return inner;
        }
    }
    map
}

fn take_first(map: &mut Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| map.take_text(name))
}

fn text(mut map: Map<String, Value>) -> Part {
    match take_first(&mut map, &["content", "text", "refusal"]) {
        Some(text) => {
            if map.text("type") == Some("text") {
                map.remove("type");
            }
            Part::Text { text, rest: map }
        }
        None => Part::Other(Value::Object(map)),
    }
}

fn reasoning(mut map: Map<String, Value>) -> Part {
    let sealed = ["encrypted_content", "redacted", "data"]
        .iter()
        .any(|name| map.get(*name).is_some_and(|v| !v.is_null() && *v != false));
    if map.get("redacted") == Some(&Value::Bool(true)) {
        // what stands there is sealed
        return Part::Reasoning { text: String::new(), form: "encrypted", rest: map };
    }
    let mut form = "full";
    let told =
        take_first(&mut map, &["content", "text", "thinking", "reasoning"]).filter(|text| !text.is_empty());
    let summary = || {
        let parts = map.get("summary")?.as_array()?;
        let texts: Vec<&str> =
            parts.iter().filter_map(|part| part.as_str().or_else(|| part.get("text")?.as_str())).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    };
    let text = if let Some(text) = told.or_else(|| {
        let found = summary()?;
        form = "summary";
        Some(found)
    }) {
        text
    } else {
        form = if sealed { "encrypted" } else { "empty" };
        String::new()
    };
    if form == "summary" {
        map.remove("summary");
    }
    Part::Reasoning { text, form, rest: map }
}

/// A call of a tool, whoever wrote it.
pub(crate) fn call(value: Value) -> Part {
    let Value::Object(map) = value else { return Part::Other(value) };
    let mut map = inner(map);
    let id = take_first(&mut map, &["id", "call_id", "toolCallId", "tool_call_id"]);
    if let Some(mut function) = map.take_object("function") {
        for (name, value) in std::mem::take(&mut function) {
            map.entry(name).or_insert(value);
        }
    }
    let Some(name) = take_first(&mut map, &["name", "toolName", "tool_name", "function_name", "function"])
    else {
        if let Some(id) = id {
            map.insert("id".to_owned(), id.into());
        }
        return Part::Other(Value::Object(map));
    };
    let arguments = ["arguments", "args", "input"].iter().find_map(|member| map.remove(*member));
    Part::Call { id, name, arguments: unwrapped(arguments.unwrap_or_default()), rest: map }
}

fn response(mut map: Map<String, Value>) -> Part {
    let id = take_first(&mut map, &["id", "tool_use_id", "toolCallId", "call_id", "tool_call_id"]);
    let name = take_first(&mut map, &["name", "toolName"]);
    let value = ["response", "result", "output", "content"].iter().find_map(|member| map.remove(*member));
    let failed = map.flag("is_error") || map.flag("isError");
    let value = plain_output(value.unwrap_or_default());
    Part::Response { id, name, value, failed, rest: map }
}

/// `{"type":"text","value":…}` and a list of one text are that text.
fn plain_output(value: Value) -> Value {
    match &value {
        Value::Object(map) if map.len() == 2 && map.contains_key("value") && map.contains_key("type") => {
            map.get("value").cloned().unwrap_or_default()
        }
        Value::Array(items) if items.len() == 1 => {
            let text =
                items[0].as_object().filter(|block| block.len() == 2 && block.text("type") == Some("text"));
            text.and_then(|block| block.get("text").or_else(|| block.get("content")))
                .cloned()
                .unwrap_or(value)
        }
        _ => value,
    }
}

fn gemini(map: &mut Map<String, Value>) -> Option<Part> {
    for name in ["functionCall", "function_call"] {
        if let Some(inner) = map.take_object(name) {
            return Some(call(Value::Object(inner)));
        }
    }
    for name in ["functionResponse", "function_response"] {
        if let Some(inner) = map.take_object(name) {
            return Some(response(inner));
        }
    }
    None
}
