//! Copilot CLI.

use std::collections::HashMap;

use event::Draft;
use serde_json::{Map, Value};

use super::{drafts, ext, header, of, put_time, records};

/// Members that a record's type has under another name.
const MEMBERS: &[(&str, &str, &str)] = &[
    ("session.title_changed", "title", "title"),
    ("session.shutdown", "reason", "errorReason"),
    ("session.info", "text", "message"),
    ("session.warning", "text", "message"),
    ("session.error", "message", "message"),
    ("session.compaction_complete", "summary", "summaryContent"),
    ("abort", "text", "reason"),
    ("system.message", "text", "content"),
    ("system.notification", "text", "content"),
    ("user.message", "text", "content"),
    ("assistant.reasoning", "text", "content"),
    ("tool.execution_partial_result", "text", "partialOutput"),
    ("permission.requested", "input", "permissionRequest"),
    ("subagent.failed", "result", "error"),
];

#[test]
fn copilot_records_can_be_made_again() {
    for file in of("copilot-cli", &["copilot"]) {
        let (records, drafts) = (records(&file), drafts(&file));
        assert_eq!(records.len(), drafts.len(), "{}", file.display());
        let told = drafts.iter().flatten();
        let texts: HashMap<String, Value> =
            told.filter_map(|draft| Some((draft.key.clone()?, draft.data.get("text")?.clone()))).collect();
        for (number, (record, drafts)) in records.iter().zip(&drafts).enumerate() {
            let made = match drafts.iter().find(|draft| draft.kind == *"raw.kept") {
                Some(raw) => serde_json::from_str(raw.data["record"].as_str().expect("text")).expect("JSON"),
                None => made(drafts, &texts),
            };
            assert_eq!(&made, record, "{}: record {}", file.display(), number + 1);
        }
    }
}

fn made(drafts: &[Draft], texts: &HashMap<String, Value>) -> Value {
    let first = &drafts[0];
    let mut fields = ext(first);
    put_time(&mut fields, "timestamp", first);
    let mut data = fields.remove("data").and_then(|data| data.as_object().cloned()).unwrap_or_default();
    let kind = fields["type"].as_str().expect("a type").to_owned();
    for (_, from, to) in MEMBERS.iter().filter(|(of, ..)| *of == kind) {
        data.extend(first.data.get(*from).map(|value| ((*to).to_owned(), value.clone())));
    }
    match kind.as_str() {
        "assistant.message" => answered(drafts, &mut data, texts),
        "hook.end" => {
            data.extend(first.data.get("output").and_then(Value::as_object).cloned().unwrap_or_default());
        }
        kind if kind.starts_with("tool.") => tool(first, kind, &mut data),
        _ => {}
    }
    if first.kind == *"state.changed" && kind != "hook.start" {
        data = first.data["body"].as_object().cloned().expect("an object");
    }
    fields.insert("data".to_owned(), data.into());
    Value::Object(fields)
}

fn answered(drafts: &[Draft], data: &mut Map<String, Value>, texts: &HashMap<String, Value>) {
    let part =
        |end: &str| drafts.iter().find(|draft| draft.key.as_deref().is_some_and(|key| key.ends_with(end)));
    let text = |end: &str| part(end)?.data.get("text").cloned();
    data.extend(text(".2").map(|text| ("content".to_owned(), text)));
    data.extend(text(".1").map(|text| ("reasoningText".to_owned(), text)));
    if let Some(key) = data.get("reasoningText").and_then(|told| told.get("$event")?.as_str()) {
        let text = texts[key].clone();
        data.insert("reasoningText".to_owned(), text);
    }
    for request in data.get_mut("toolRequests").and_then(Value::as_array_mut).into_iter().flatten() {
        let fields = request.as_object_mut().expect("an object");
        let id = fields["toolCallId"].clone();
        let of_call =
            |draft: &&Draft| draft.kind == *"skill.invoked" && draft.header.get("call") == Some(&id);
        let invoked = drafts.iter().find(of_call).expect("a call");
        fields.extend(header(invoked, "skill").map(|name| ("name".to_owned(), name)));
        arguments(invoked, fields);
    }
}

fn arguments(invoked: &Draft, fields: &mut Map<String, Value>) {
    let input = invoked.data.get("input").cloned();
    match fields.get("arguments") {
        Some(Value::String(_)) => {}
        Some(mark) if mark.get("$json").is_some() => {
            fields.insert("arguments".to_owned(), input.expect("an input").to_string().into());
        }
        _ => fields.extend(input.map(|input| ("arguments".to_owned(), input))),
    }
}

fn tool(first: &Draft, kind: &str, data: &mut Map<String, Value>) {
    data.extend(header(first, "call").map(|id| ("toolCallId".to_owned(), id)));
    if kind == "tool.execution_start" {
        data.extend(header(first, "skill").map(|name| ("toolName".to_owned(), name)));
        if first.kind == *"skill.invoked" {
            arguments(first, data);
        }
    }
    for (outer, inner, from) in [("result", "content", "output"), ("error", "message", "error")] {
        if let (Some(Value::Object(outer)), Some(told)) = (data.get_mut(outer), first.data.get(from)) {
            outer.insert(inner.to_owned(), told.clone());
        }
    }
}
