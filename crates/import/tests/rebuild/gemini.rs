//! Gemini CLI.

use event::Draft;
use serde_json::{Map, Value};

use super::{check, ext, header, of, put_time};

#[test]
fn gemini_records_can_be_made_again() {
    check(&of("gemini-cli", &["gemini", "gemini-document", "gemini-agents"]), record);
}

/// The part of a key behind `gm:<thread>.<message>.`.
fn part(draft: &Draft) -> &str {
    draft.key.as_deref().expect("a key").splitn(3, '.').nth(2).unwrap_or_default()
}

fn id(draft: &Draft) -> &str {
    draft.key.as_deref().expect("a key").split('.').nth(1).unwrap_or_default()
}

fn record(drafts: &[Draft]) -> Value {
    let of_file = drafts.iter().find(|draft| id(draft).is_empty() && !part(draft).starts_with('s'));
    let patch = drafts.iter().find(|draft| part(draft).starts_with("set-"));
    let Some(patch) = of_file.or(patch) else { return message(drafts) };
    let mut fields = ext(patch);
    let holder = match fields.get_mut("$set") {
        Some(set) => set.as_object_mut().expect("an object"),
        None => &mut fields,
    };
    if let Some(list) = holder.get_mut("messages").filter(|list| list.is_array()) {
        *list = messages(drafts).into();
    }
    Value::Object(fields)
}

/// The messages of a list, in the order of their events.
fn messages(drafts: &[Draft]) -> Vec<Value> {
    let drafts: Vec<&Draft> = drafts.iter().filter(|draft| !id(draft).is_empty()).collect();
    let groups = drafts.chunk_by(|a, b| id(a) == id(b));
    groups.map(|group| message(&group.iter().copied().cloned().collect::<Vec<_>>())).collect()
}

fn message(drafts: &[Draft]) -> Value {
    let (first, mut fields) = (&drafts[0], ext(&drafts[0]));
    if first.kind == *"model.called" {
        fields.extend(header(first, "model").map(|model| ("model".to_owned(), model)));
    }
    put_time(&mut fields, "timestamp", first);
    let kind = if first.kind == *"model.called" { "gemini" } else { "user" };
    fields.entry("type").or_insert(kind.into());
    content(drafts, &mut fields);
    let thoughts: Vec<Value> = drafts.iter().filter(|d| part(d).starts_with('t')).map(thought).collect();
    if !thoughts.is_empty() {
        fields.insert("thoughts".to_owned(), thoughts.into());
    }
    let invoked =
        drafts.iter().filter(|draft| draft.kind == *"skill.invoked" && part(draft).starts_with('k'));
    let calls: Vec<Value> = invoked.map(|invoked| call(invoked, drafts)).collect();
    if !calls.is_empty() {
        fields.insert("toolCalls".to_owned(), calls.into());
    }
    Value::Object(fields)
}

fn text(draft: &Draft) -> Option<Value> {
    draft.data.get("text").or_else(|| draft.data.get("message")).cloned()
}

fn content(drafts: &[Draft], fields: &mut Map<String, Value>) {
    let told = |at: usize| drafts.iter().find(|draft| part(draft) == format!("c{at}"));
    for name in ["content", "parts"] {
        let Some(Value::Array(parts)) = fields.get_mut(name) else { continue };
        for (at, part) in parts.iter_mut().enumerate() {
            let Some(draft) = told(at) else { continue };
            match (part, text(draft)) {
                (part @ Value::Null, Some(text)) => *part = text,
                (Value::Object(part), Some(text)) => {
                    part.insert("text".to_owned(), text);
                }
                (part, None) => *part = draft.data["body"].clone(),
                (part, _) => panic!("{part}"),
            }
        }
        return;
    }
    if let Some(text) = told(0).and_then(text) {
        fields.insert("content".to_owned(), text);
    }
}

fn thought(draft: &Draft) -> Value {
    let mut fields = ext(draft);
    put_time(&mut fields, "timestamp", draft);
    let text = draft.data["text"].as_str().expect("text");
    if let Some(name) = fields.remove("only").as_ref().and_then(Value::as_str) {
        fields.insert(name.to_owned(), text.into());
    } else {
        let (subject, description) = text.split_once('\n').expect("two lines");
        fields.insert("subject".to_owned(), subject.into());
        fields.insert("description".to_owned(), description.into());
    }
    Value::Object(fields)
}

fn call(invoked: &Draft, drafts: &[Draft]) -> Value {
    let key = invoked.key.as_deref().expect("a key").trim_end_matches("invoked");
    let of_call =
        |verb: &str| drafts.iter().find(|draft| draft.key.as_deref() == Some(&format!("{key}{verb}")));
    let came = of_call("returned").or_else(|| of_call("progressed"));
    let left = came.map(ext).unwrap_or_default().remove("call");
    let mut fields = left.and_then(|left| left.as_object().cloned()).unwrap_or_default();
    if let Some(came) = came {
        // its own time, unless it has none and took that of the message
        put_time(&mut fields, "timestamp", came);
        if let Some(output) = came.data.get("output").filter(|output| !output.is_string()) {
            fields.insert("result".to_owned(), output.clone());
        }
    }
    fields.extend(header(invoked, "call").map(|id| ("id".to_owned(), id)));
    fields.extend(header(invoked, "skill").map(|name| ("name".to_owned(), name)));
    fields.extend(invoked.data.get("input").map(|input| ("args".to_owned(), input.clone())));
    if let (Some(changed), Some(Value::Object(shown))) = (of_call("changed"), fields.get_mut("resultDisplay"))
    {
        shown.insert("fileDiff".to_owned(), changed.data["diff"].clone());
    }
    if let (Some(plan), Some(Value::Object(shown))) = (of_call("plan"), fields.get_mut("resultDisplay")) {
        shown.insert("todos".to_owned(), plan.data["plan"].clone());
    }
    Value::Object(fields)
}
