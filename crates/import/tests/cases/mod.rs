//! What files in the wild look like, case by case. The number is the case's own; a case that only the whole
//! program can show (memory, secrets, blobs, the order of a timeline) stands in the tests of the program.

mod damage;
mod histories;
mod shapes;
mod trees;
mod usage;

use std::fs;
use std::path::PathBuf;

use event::Draft;
use import::Report;
use serde_json::{Value, json};

use crate::sink::Memory;

const SESSION: &str = "5b1d2f60-0000-4000-8000-0000000000aa";

/// Some files in a folder, and what became of them.
struct Case {
    _folder: tempfile::TempDir,
    paths: Vec<PathBuf>,
    memory: Memory,
    reports: Vec<Report>,
}

impl Case {
    /// Imports files that are given by name and content.
    fn of(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |(name, bytes): &(&str, &[u8])| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("makes folders");
            fs::write(&path, bytes).expect("writes");
        };
        files.iter().for_each(write);
        let paths = vec![folder.path().to_owned()];
        let mut memory = Memory::default();
        let reports = memory.import(&paths);
        let mut case = Self { _folder: folder, paths, memory, reports };
        case.imports_nothing_again();
        case
    }

    /// One session file.
    fn session(bytes: impl AsRef<[u8]>) -> Self {
        Self::of(&[(&format!("{SESSION}.jsonl"), bytes.as_ref())])
    }

    fn rollout(lines: &[Value]) -> Self {
        let name = "rollout-2026-05-04T09-10-00-0199aaaa-0000-7000-8000-0000000000c1.jsonl";
        Self::of(&[(name, lines_of(lines).as_bytes())])
    }

    fn imports_nothing_again(&mut self) {
        let stored = self.memory.stored.len();
        self.memory.import(&self.paths);
        assert_eq!(self.memory.stored.len(), stored, "a second time adds nothing");
    }

    fn all(&self, kind: &str) -> Vec<&Draft> {
        self.memory.stored.iter().filter(|draft| draft.kind == *kind).collect()
    }

    fn one(&self, kind: &str) -> &Draft {
        let all = self.all(kind);
        assert_eq!(all.len(), 1, "{kind}: {:?}", self.lines());
        all[0]
    }

    fn texts(&self) -> Vec<&str> {
        self.all("message.recorded").iter().filter_map(|draft| draft.data["text"].as_str()).collect()
    }

    fn lines(&self) -> Vec<String> {
        self.memory.stored.iter().map(crate::sink::line).collect()
    }
}

fn lines_of(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// A record of the session with a uuid that ends so.
fn record(kind: &str, id: u32, rest: &Value) -> Value {
    let mut record = json!({
        "type": kind, "uuid": uuid(id), "sessionId": SESSION, "timestamp": format!("2026-05-04T09:00:{:02}.000Z", id % 60),
    });
    if let (Value::Object(record), Value::Object(rest)) = (&mut record, rest.clone()) {
        record.extend(rest);
    }
    record
}

fn uuid(id: u32) -> String {
    format!("c0ffee00-0000-4000-8000-{id:012}")
}

fn user(id: u32, text: &str) -> Value {
    record("user", id, &json!({"message": {"role": "user", "content": text}}))
}

/// A line of the response `message`.
fn assistant(id: u32, message: &str, block: &Value, usage: &Value) -> Value {
    let message = json!({
        "id": message, "role": "assistant", "model": "claude-x", "content": [block], "stop_reason": null, "usage": usage,
    });
    record("assistant", id, &json!({"message": message, "requestId": "req_1"}))
}

fn result(id: u32, call: &str, content: &Value) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": call, "content": content});
    record("user", id, &json!({"message": {"role": "user", "content": [block]}}))
}

fn call(id: &str, name: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

fn key(id: u32) -> String {
    format!("cc:{}.0", uuid(id))
}

/// A line of a rollout.
fn rolled(kind: &str, payload: &Value) -> Value {
    json!({"timestamp": "2026-05-04T09:10:00.000Z", "type": kind, "payload": payload})
}

fn meta(id: &str) -> Value {
    rolled(
        "session_meta",
        &json!({"id": id, "timestamp": "2026-05-04T09:10:00.000Z", "cwd": "/home/dev/app"}),
    )
}

fn said(role: &str, text: &str) -> Value {
    let part = if role == "assistant" { "output_text" } else { "input_text" };
    rolled(
        "response_item",
        &json!({"type": "message", "role": role, "content": [{"type": part, "text": text}]}),
    )
}
