//! ATIF.

use event::Draft;
use serde_json::{Map, Value};

use super::{check, ext, header, of, put_time};

#[test]
fn atif_records_can_be_made_again() {
    check(&of("atif", &["atif"]), record);
}

fn part(draft: &Draft) -> &str {
    draft.key.as_deref().expect("a key").rsplit_once('.').map_or("", |(_, part)| part)
}

fn base(draft: &Draft) -> &str {
    draft.key.as_deref().expect("a key").rsplit_once('.').map_or("", |(base, _)| base)
}

/// A trajectory, with what was in it, or one step.
fn record(drafts: &[Draft]) -> Value {
    let (made, rest) = any(drafts);
    assert!(rest.is_empty(), "left over");
    made
}

fn any(drafts: &[Draft]) -> (Value, &[Draft]) {
    if part(&drafts[0]) != "head" {
        let end = drafts.iter().position(|draft| !same_step(draft, &drafts[0])).unwrap_or(drafts.len());
        return (step(&drafts[..end]), &drafts[end..]);
    }
    let (mut fields, mut rest) = (ext(&drafts[0]), &drafts[1..]);
    for name in ["subagent_trajectories", "steps"] {
        let Some(count) = fields.get(name).and_then(Value::as_u64) else { continue };
        let mut list = Vec::new();
        for _ in 0..count {
            let (made, behind) = any(rest);
            list.push(made);
            rest = behind;
        }
        fields.insert(name.to_owned(), list.into());
    }
    (Value::Object(fields), rest)
}

/// Agents that a step refers to have keys of their own.
fn same_step(draft: &Draft, first: &Draft) -> bool {
    base(draft) == base(first) || draft.kind == *"agent.spawned" || draft.kind == *"agent.stopped"
}

fn step(drafts: &[Draft]) -> Value {
    let mut fields = ext(&drafts[0]);
    put_time(&mut fields, "timestamp", &drafts[0]);
    if part(&drafts[0]) == "copied" {
        fields.extend(drafts[0].data.get("text").map(|text| ("message".to_owned(), text.clone())));
        return Value::Object(fields);
    }
    let told = |name: &str| drafts.iter().find(|draft| part(draft) == name);
    let text = |name: &str| told(name)?.data.get("text").cloned();
    fields.extend(text("r").map(|text| ("reasoning_content".to_owned(), text)));
    match fields.get_mut("message") {
        Some(Value::Array(parts)) => {
            for (at, part) in parts.iter_mut().enumerate() {
                let Some(draft) = told(&format!("c{at}")) else { continue };
                match (part, draft.data.get("text")) {
                    (Value::Object(part), Some(text)) => {
                        part.insert("text".to_owned(), text.clone());
                    }
                    (part, _) => *part = draft.data["body"].clone(),
                }
            }
        }
        _ => fields.extend(text("c0").map(|text| ("message".to_owned(), text))),
    }
    fill(fields.get_mut("tool_calls"), |at| call(told(&format!("k{at}")).expect("a call")));
    let results = fields.get_mut("observation").and_then(|observation| observation.get_mut("results"));
    fill(results, |at| result(told(&format!("o{at}")).expect("a result")));
    Value::Object(fields)
}

fn fill(list: Option<&mut Value>, make: impl Fn(u64) -> Value) {
    if let Some(list) = list
        && let Some(count) = list.as_u64()
    {
        *list = (0..count).map(make).collect::<Vec<Value>>().into();
    }
}

fn inner(draft: &Draft, name: &str) -> Map<String, Value> {
    ext(draft).remove(name).and_then(|inner| inner.as_object().cloned()).unwrap_or_default()
}

fn call(draft: &Draft) -> Value {
    let mut fields = inner(draft, "call");
    fields.extend(header(draft, "call").map(|id| ("tool_call_id".to_owned(), id)));
    fields.extend(header(draft, "skill").map(|name| ("function_name".to_owned(), name)));
    fields.extend(draft.data.get("input").map(|input| ("arguments".to_owned(), input.clone())));
    Value::Object(fields)
}

fn result(draft: &Draft) -> Value {
    let mut fields = inner(draft, "result");
    fields.extend(header(draft, "call").map(|id| ("source_call_id".to_owned(), id)));
    fields.extend(draft.data.get("output").map(|output| ("content".to_owned(), output.clone())));
    Value::Object(fields)
}
