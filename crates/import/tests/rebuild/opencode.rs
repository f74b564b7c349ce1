//! `OpenCode`, files and rows. When a row was written last is the store's own affair and is not kept.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use event::Draft;
use serde_json::{Map, Value};

use super::{drafts, ext, header};
use crate::corpus::{corpus, files};

fn tests() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/import")).to_owned()
}

#[test]
fn opencode_files_can_be_made_again() {
    let mut stores = vec![
        tests().join("opencode-folder/input/storage"),
        tests().join("opencode-oldest/input/storage/session"),
    ];
    let real = corpus().map(|corpus| files(&corpus.join("opencode"))).unwrap_or_default();
    let real = real.iter().find_map(|file| file.ancestors().find(|folder| folder.join("part").is_dir()));
    stores.extend(real.map(Path::to_owned));
    for store in stores {
        let mut wanted: BTreeMap<String, u32> = BTreeMap::new();
        for file in files(&store).iter().filter(|file| file.extension().is_some_and(|end| end == "json")) {
            let value: Value = serde_json::from_slice(&fs::read(file).expect("reads")).expect("JSON");
            *wanted.entry(value.to_string()).or_default() += 1;
        }
        let mut made: BTreeMap<String, u32> = BTreeMap::new();
        for drafts in drafts(&store) {
            *made.entry(row(&drafts).to_string()).or_default() += 1;
        }
        for (row, count) in &wanted {
            assert_eq!(made.get(row), Some(count), "{row}\nis none of {made:#?}");
        }
        assert_eq!(made, wanted);
    }
}

/// The row of a record, in the form of the files.
pub(super) fn row(drafts: &[Draft]) -> Value {
    let first = &drafts[0];
    if first.kind == *"raw.kept" {
        let record: Value = serde_json::from_str(first.data["record"].as_str().expect("text")).expect("JSON");
        return record["row"].clone();
    }
    let mut fields = ext(first);
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    match first.kind.as_str() {
        "session.opened" => {
            put("title", first.data.get("title").cloned());
            put("directory", first.data.get("cwd").cloned());
        }
        "plan.updated" => return first.data["plan"].clone(),
        "state.changed" if first.header.get("what").is_some_and(|what| what == "project") => {
            return first.data["body"].clone();
        }
        "state.changed" => put("snapshot", first.data.get("body").cloned()),
        "message.recorded" | "context.injected" if first.data.contains_key("body") => {
            return first.data["body"].clone();
        }
        "message.recorded" | "reasoning.recorded" => put("text", first.data.get("text").cloned()),
        "agent.spawned" => put("prompt", first.data.get("prompt").cloned()),
        "file.changed" => put("files", first.data.get("files").cloned()),
        "skill.invoked" => return tool(drafts),
        "model.called" | "turn.started" if fields.contains_key("parts") => inner(&mut fields, drafts),
        _ => {}
    }
    Value::Object(fields)
}

fn tool(drafts: &[Draft]) -> Value {
    let invoked = &drafts[0];
    let told = drafts.iter().rfind(|draft| draft.kind.as_str().starts_with("skill.")).expect("itself");
    let find = |kind: &str| drafts.iter().find(|draft| draft.kind == *kind);
    let mut fields = ext(invoked);
    let mut state =
        ext(told).remove("state").and_then(|state| state.as_object().cloned()).unwrap_or_default();
    fields.remove("state");
    fields.extend(header(invoked, "call").map(|id| ("callID".to_owned(), id)));
    fields.extend(header(invoked, "skill").map(|name| ("tool".to_owned(), name)));
    state.extend(invoked.data.get("input").map(|input| ("input".to_owned(), input.clone())));
    for name in ["output", "error"] {
        state.extend(told.data.get(name).map(|text| (name.to_owned(), text.clone())));
    }
    if let Some(Value::Object(metadata)) = state.get_mut("metadata") {
        for (name, told) in [
            ("diff", find("file.changed").map(|d| &d.data["diff"])),
            ("todos", find("plan.updated").map(|d| &d.data["plan"])),
        ] {
            metadata.extend(told.map(|told| (name.to_owned(), told.clone())));
        }
    }
    fields.insert("state".to_owned(), state.into());
    Value::Object(fields)
}

/// The oldest form: parts stand in their message.
fn inner(fields: &mut Map<String, Value>, drafts: &[Draft]) {
    let Some(Value::Array(parts)) = fields.get_mut("parts") else { return };
    let verb = |draft: &Draft| {
        draft.key.as_deref().unwrap_or_default().rsplit_once('.').map(|(base, _)| base.to_owned())
    };
    let mut rest: Vec<&[Draft]> = drafts[1..].chunk_by(|a, b| verb(a) == verb(b)).collect();
    rest.reverse();
    for part in parts.iter_mut().filter(|part| part.is_null()) {
        let drafts = rest.pop().expect("its events");
        let mut made = match drafts[0].kind.as_str() {
            "skill.invoked" => old_tool(drafts),
            _ => row(drafts).as_object().cloned().expect("an object"),
        };
        made.retain(|_, value| !value.is_null());
        *part = Value::Object(made);
    }
}

fn old_tool(drafts: &[Draft]) -> Map<String, Value> {
    let (invoked, last) = (&drafts[0], drafts.last().expect("itself"));
    let mut fields = ext(invoked);
    fields.remove("state");
    let mut tool = ext(last).remove("state").and_then(|state| state.as_object().cloned()).unwrap_or_default();
    tool.extend(header(invoked, "call").map(|id| ("toolCallId".to_owned(), id)));
    tool.extend(header(invoked, "skill").map(|name| ("toolName".to_owned(), name)));
    tool.extend(invoked.data.get("input").map(|input| ("args".to_owned(), input.clone())));
    tool.extend(last.data.get("output").map(|output| ("result".to_owned(), output.clone())));
    fields.insert("toolInvocation".to_owned(), tool.into());
    fields
}
