//! Stores that their tool rewrites: what changed supersedes, what vanished was taken back, and what stayed is told once.

use std::fs;
use std::path::Path;

use event::Draft;
use serde_json::{Value, json};

use crate::sink::Memory;

fn gemini(path: &Path, updated: &str, messages: &Value) {
    let document = json!({
        "sessionId": "rewritten", "projectHash": "aa", "startTime": "2026-03-01T00:00:00.000Z",
        "lastUpdated": updated, "messages": messages,
    });
    fs::write(path, document.to_string()).expect("writes");
}

fn message(id: &str, kind: &str, text: &str) -> Value {
    json!({"id": id, "timestamp": format!("2026-03-01T00:00:0{}.000Z", &id[1..]), "type": kind, "content": text})
}

fn new<'m>(memory: &'m Memory, before: usize, kind: &str) -> Vec<&'m Draft> {
    memory.stored[before..].iter().filter(|draft| draft.kind == *kind).collect()
}

#[test]
fn a_document_that_was_rewritten_tells_what_changed_and_what_went() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("session-1.json");
    let paths = [path.clone()];
    let mut memory = Memory::default();
    let (a, b, c) =
        (message("m1", "user", "hi"), message("m2", "gemini", "hel"), message("m3", "user", "no"));
    gemini(&path, "2026-03-01T00:00:03.000Z", &json!([a, b, c]));
    memory.import(&paths);

    // the answer was still being written, and the last message was taken back for another one
    let before = memory.stored.len();
    let (b, d) = (message("m2", "gemini", "hello"), message("m4", "user", "yes"));
    gemini(&path, "2026-03-01T00:00:04.000Z", &json!([a, b, d]));
    memory.import(&paths);
    let said = new(&memory, before, "message.recorded");
    assert_eq!(said.len(), 2);
    assert_eq!((&said[0].data["text"], &said[1].data["text"]), (&json!("hello"), &json!("yes")));
    let old =
        said[0].header["supersedes"].as_u64().and_then(|place| usize::try_from(place).ok()).expect("a place");
    assert_eq!(memory.stored[old].data["text"], json!("hel"));
    let rewound = new(&memory, before, "context.rewound");
    assert_eq!(rewound.len(), 1);
    assert_eq!(rewound[0].data["gone"], json!(["m3"]));

    // nothing changed; and an older copy of the file takes nothing back
    let before = memory.stored.len();
    memory.import(&paths);
    assert_eq!(memory.stored.len(), before);
    gemini(&path, "2026-03-01T00:00:02.500Z", &json!([a, b]));
    memory.import(&paths);
    assert!(new(&memory, before, "context.rewound").is_empty());
}

/// Langfuse exports a trace while it runs, and again when it is over.
#[test]
fn a_trace_that_is_exported_again_supersedes_what_it_said_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trace.json");
    let export = |memory: &mut Memory, output: &Value, end: &Value| {
        let trace = json!({
            "trace": {"id": "t1", "name": "a run", "timestamp": "2026-03-01T00:00:00.000Z"},
            "observations": [
                {"id": "o1", "traceId": "t1", "type": "TOOL", "name": "search", "startTime": "2026-03-01T00:00:01.000Z",
                 "endTime": end, "input": {"query": "q"}, "output": output},
                {"id": "o2", "traceId": "t1", "type": "SPAN", "name": "step", "startTime": "2026-03-01T00:00:02.000Z",
                 "input": "as it was", "output": "done"},
            ],
        });
        fs::write(&path, trace.to_string()).expect("writes");
        memory.import(std::slice::from_ref(&path));
    };
    let mut memory = Memory::default();
    export(&mut memory, &Value::Null, &Value::Null);
    let before = memory.stored.len();
    let end = json!("2026-03-01T00:00:05.000Z");
    export(&mut memory, &json!("found it"), &end);
    let again = &memory.stored[before..];
    let under_a_known_key = |draft: &&Draft| memory.stored[..before].iter().any(|old| old.key == draft.key);
    let changed: Vec<&Draft> = again.iter().filter(under_a_known_key).collect();
    assert!(!changed.is_empty());
    for draft in &changed {
        let old = draft.header["supersedes"].as_u64().and_then(|place| usize::try_from(place).ok());
        assert_eq!(old.map(|place| &memory.stored[place].key), Some(&draft.key));
    }
    assert!(again.iter().any(|draft| draft.kind == *"skill.returned"));
    let all = memory.stored.len();
    export(&mut memory, &json!("found it"), &end);
    assert_eq!(memory.stored.len(), all);
}
