//! What was said to a model and by it, in whatever dialect it was written down.
//!
//! ```text
//! GenAI        {"role":…,"parts":[{"type":"text"|"reasoning"|"tool_call"|"tool_call_response",…}]}
//! OpenAI       {"role":…,"content":"…"|[…],"tool_calls":[{"id":…,"function":{"name":…,"arguments":"…"}}]}
//! Anthropic    {"role":…,"content":[{"type":"thinking"|"tool_use"|"tool_result",…}]}
//! Vercel       {"role":…,"content":[{"type":"tool-call"|"tool-result"|"reasoning",…}]}
//! Gemini       {"role":…,"parts":[{"text":…}|{"functionCall":…}|{"functionResponse":…}]}
//! LangChain    {"type":"human"|"ai"|"tool","content":…}, or the same under "kwargs" or "data"
//! ```

use serde_json::{Map, Value, json};

use super::blocks;
use crate::members::TakeMembers;

/// How often JSON may stand in a string in a string.
const LAYERS: usize = 3;
/// Lists of messages in lists (a batch of prompts) go no deeper.
const NESTED: usize = 4;
/// Members that hold a list of messages.
const LISTS: &[&str] =
    &["messages", "contents", "input", "prompts", "choices", "candidates", "output", "generations"];
/// Members that hold one message.
const HOLDERS: &[&str] = &["message", "kwargs", "data", "delta"];

/// One message.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Message {
    pub(crate) role: String,
    pub(crate) name: Option<String>,
    pub(crate) parts: Vec<Part>,
    /// What it has beyond that.
    pub(crate) rest: Map<String, Value>,
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Text {
        text: String,
        rest: Map<String, Value>,
    },
    Reasoning {
        text: String,
        form: &'static str,
        rest: Map<String, Value>,
    },
    Call {
        id: Option<String>,
        name: String,
        arguments: Value,
        rest: Map<String, Value>,
    },
    Response {
        id: Option<String>,
        name: Option<String>,
        value: Value,
        failed: bool,
        rest: Map<String, Value>,
    },
    /// A picture, a file, or something newer than this build.
    Other(Value),
}

/// The messages of a value: a list, one of them, an object that holds them, or a bare text.
pub(crate) fn read(value: Value, role: &str) -> Vec<Message> {
    let mut found = Vec::new();
    gather(unwrapped(value), role, 0, &mut found);
    found
}

/// A value without the strings that it is wrapped in.
pub(crate) fn unwrapped(mut value: Value) -> Value {
    for _ in 0..LAYERS {
        let Value::String(text) = &value else { break };
        if !text.trim_start().starts_with(['{', '[', '"']) {
            break;
        }
        match crate::json::parse(text) {
            crate::json::Parsed::Value(inner) if !inner.is_number() => value = inner,
            _ => break,
        }
    }
    value
}

fn gather(value: Value, role: &str, level: usize, found: &mut Vec<Message>) {
    match value {
        Value::Array(items) if level < NESTED => {
            // a list of blocks without roles is the content of one message
            if !items.is_empty() && items.iter().all(blocks::is_block) {
                found.push(Message::new(role, blocks::read(Value::Array(items))));
                return;
            }
            for item in items {
                gather(item, role, level + 1, found);
            }
        }
        Value::Object(map) => found.extend(object(map, role, level)),
        Value::Null => {}
        other => found.push(Message::new(role, blocks::read(other))),
    }
}

fn object(mut map: Map<String, Value>, role: &str, level: usize) -> Vec<Message> {
    if is_message(&map) {
        return vec![message(map, role)];
    }
    if let Some(holder) = HOLDERS.iter().find(|name| map.get(**name).is_some_and(Value::is_object)) {
        let mut inner = map.take_object(holder).unwrap_or_default();
        if *holder == "kwargs" {
            inner.entry("type").or_insert_with(|| last_of(map.get("id")));
        }
        let mut messages = object(inner, role, level + 1);
        if let Some(first) = messages.first_mut() {
            first.rest.extend(map);
        }
        return messages;
    }
    let mut found = Vec::new();
    for name in ["system", "system_instruction", "instructions"] {
        if let Some(system) = map.remove(name) {
            gather(unwrapped(system), "system", level + 1, &mut found);
        }
    }
    let list = LISTS.iter().find(|name| map.get(**name).is_some_and(|value| !value.is_null()));
    if let (Some(name), true) = (list, level < NESTED) {
        gather(unwrapped(map.remove(*name).unwrap_or_default()), role, level + 1, &mut found);
    } else if let Some(text) =
        ["prompt", "text", "query", "question"].iter().find_map(|name| map.take_text(name))
    {
        found.push(Message::new(role, vec![Part::Text { text, rest: Map::new() }]));
    }
    if let (Some(last), false) = (found.last_mut(), map.is_empty()) {
        last.rest.extend(map);
    } else if found.is_empty() {
        found.push(Message::new(role, vec![Part::Other(Value::Object(map))]));
    }
    found
}

/// The name of a class at the end of its path: `["langchain","schema","messages","HumanMessage"]`.
fn last_of(path: Option<&Value>) -> Value {
    path.and_then(|path| path.as_array()?.last().cloned()).unwrap_or_default()
}

fn is_message(map: &Map<String, Value>) -> bool {
    let content = ["content", "contents", "parts", "tool_calls", "function_call"];
    let said = content.iter().any(|name| map.contains_key(*name));
    let role = map.get("role").is_some_and(Value::is_string) || role_of_type(map.text("type")).is_some();
    said && (role || map.contains_key("content") || map.contains_key("parts"))
        || (role && map.contains_key("text"))
}

fn role_of_type(kind: Option<&str>) -> Option<&'static str> {
    Some(match kind? {
        "human" | "HumanMessage" | "HumanMessageChunk" => "user",
        "ai" | "AIMessage" | "AIMessageChunk" => "assistant",
        "system" | "SystemMessage" => "system",
        "tool" | "function" | "ToolMessage" | "FunctionMessage" => "tool",
        _ => return None,
    })
}

fn message(mut map: Map<String, Value>, role: &str) -> Message {
    let kind = role_of_type(map.text("type"));
    let given = map.take_text("role");
    let role = given.as_deref().or(kind).unwrap_or(role);
    let role = match role.to_ascii_lowercase().as_str() {
        "human" => "user".to_owned(),
        "ai" | "model" => "assistant".to_owned(),
        "function" => "tool".to_owned(),
        other => other.to_owned(),
    };
    let mut parts = Vec::new();
    for name in ["reasoning_content", "reasoning"] {
        if let Some(text) = map.take_text(name).filter(|text| !text.is_empty()) {
            parts.push(Part::Reasoning { text, form: "full", rest: Map::new() });
        }
    }
    let call = map.take_text("tool_call_id").or_else(|| map.take_text("toolCallId"));
    for name in ["parts", "content", "contents", "text"] {
        if let Some(content) = map.remove(name).filter(|content| !content.is_null()) {
            parts.extend(blocks::read(content));
        }
    }
    let calls = ["tool_calls", "toolCalls", "function_call"].iter().filter_map(|name| map.remove(*name));
    let calls: Vec<Value> = calls
        .flat_map(|list| match unwrapped(list) {
            Value::Array(items) => items,
            Value::Null => Vec::new(),
            other => vec![other],
        })
        .collect();
    parts.extend(calls.into_iter().map(blocks::call));
    if role == "tool" && !parts.iter().any(|part| matches!(part, Part::Response { .. })) {
        let failed = map.get("error").is_some_and(|error| !error.is_null());
        let name = map.text("name").or_else(|| map.text("function"));
        parts = vec![response(call.clone(), name, failed, &parts)];
    } else if let Some(call) = call {
        map.insert("tool_call_id".to_owned(), call.into());
    }
    Message { role, name: map.take_text("name"), parts, rest: map }
}

/// The content of a message of a tool is what came back.
fn response(id: Option<String>, name: Option<&str>, failed: bool, parts: &[Part]) -> Part {
    let value = match parts {
        [] => Value::Null,
        [Part::Text { text, rest }] if rest.is_empty() => text.as_str().into(),
        parts => parts.iter().map(Part::plain).collect(),
    };
    Part::Response { id, name: name.map(str::to_owned), value, failed, rest: Map::new() }
}

impl Message {
    pub(crate) fn new(role: &str, parts: Vec<Part>) -> Self {
        Self { role: role.to_owned(), parts, ..Self::default() }
    }

    /// Its texts, one below the other.
    pub(crate) fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text { text, .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// True for what sets an agent up and is repeated in front of every history.
    pub(crate) fn is_system(&self) -> bool {
        matches!(self.role.as_str(), "system" | "developer")
    }
}

impl Part {
    /// Itself as JSON, in the `GenAI` dialect.
    pub(crate) fn plain(&self) -> Value {
        let (value, rest) = match self {
            Self::Text { text, rest } => (json!({"type": "text", "content": text}), rest),
            Self::Reasoning { text, rest, .. } => (json!({"type": "reasoning", "content": text}), rest),
            Self::Call { id, name, arguments, rest } => {
                (json!({"type": "tool_call", "id": id, "name": name, "arguments": arguments}), rest)
            }
            Self::Response { id, name, value, rest, .. } => {
                (json!({"type": "tool_call_response", "id": id, "name": name, "response": value}), rest)
            }
            Self::Other(value) => return value.clone(),
        };
        let Value::Object(mut map) = value else { return value };
        map.extend(rest.clone());
        Value::Object(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(value: Value) -> Vec<String> {
        let part = |part: &Part| match part {
            Part::Text { text, .. } => format!("text {text}"),
            Part::Reasoning { text, form, .. } => format!("{form} {text}"),
            Part::Call { id, name, arguments, .. } => format!("call {id:?} {name} {arguments}"),
            Part::Response { id, value, failed, .. } => format!("back {id:?} {value} {failed}"),
            Part::Other(value) => format!("other {value}"),
        };
        let shape =
            |m: &Message| format!("{}: {}", m.role, m.parts.iter().map(part).collect::<Vec<_>>().join("; "));
        read(value, "user").iter().map(shape).collect()
    }

    #[test]
    fn every_dialect_tells_the_same() {
        let expected = [
            "user: text hi",
            "assistant: full hm; text I look; call Some(\"c1\") ls {\"p\":\"/\"}",
            "tool: back Some(\"c1\") \"a b\" false",
        ];
        for list in [
            json!([
                {"role": "user", "parts": [{"type": "text", "content": "hi"}]},
                {"role": "assistant", "parts": [{"type": "thinking", "content": "hm"}, {"type": "text", "content": "I look"},
                    {"type": "tool_call", "id": "c1", "name": "ls", "arguments": {"p": "/"}}], "finish_reason": "tool_call"},
                {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "a b"}]},
            ]),
            json!([
                {"role": "user", "content": "hi"},
                {"role": "assistant", "reasoning_content": "hm", "content": "I look",
                    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{\"p\":\"/\"}"}}]},
                {"role": "tool", "tool_call_id": "c1", "content": "a b"},
            ]),
            json!({"messages": [
                {"role": "user", "content": [{"type": "text", "text": "hi"}]},
                {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "I look"},
                    {"type": "tool_use", "id": "c1", "name": "ls", "input": {"p": "/"}}]},
                {"role": "tool", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "a b"}]},
            ]}),
            json!([
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "I look"},
                    {"type": "tool-call", "toolCallId": "c1", "toolName": "ls", "input": {"p": "/"}}]},
                {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c1", "toolName": "ls", "output": {"type": "text", "value": "a b"}}]},
            ]),
            json!([[
                {"id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "hi"}},
                {"type": "ai", "content": "I look", "reasoning_content": "hm", "tool_calls": [{"id": "c1", "name": "ls", "args": {"p": "/"}}]},
                {"type": "tool", "content": "a b", "tool_call_id": "c1"},
            ]]),
        ] {
            assert_eq!(shapes(list.to_string().into()), expected, "{list}");
        }
    }

    #[test]
    fn what_is_no_list_of_messages_is_read_as_well() {
        assert_eq!(shapes("plain".into()), ["user: text plain"]);
        assert_eq!(shapes(json!("{\"prompt\":\"p\"}")), ["user: text p"]);
        assert_eq!(
            shapes(json!({"system": "s", "messages": [{"role": "user", "content": "u"}]})),
            ["system: text s", "user: text u"]
        );
        assert_eq!(
            shapes(json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": "a"}}]})),
            ["assistant: text a"]
        );
        assert_eq!(shapes(json!({"a": 1})), ["user: other {\"a\":1}"]);
        assert_eq!(
            shapes(
                json!([{"role": "user", "parts": [{"text": "g"}, {"functionCall": {"name": "f", "args": {}}}]}])
            ),
            ["user: text g; call None f {}"]
        );
        assert!(shapes(Value::Null).is_empty());
    }
}
