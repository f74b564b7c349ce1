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
