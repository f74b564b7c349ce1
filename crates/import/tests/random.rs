//! Whatever stands in a file: no panic, no hang, and the report adds up.

use std::fs;
use std::path::PathBuf;

use import::{Item, Reader};
use proptest::prelude::*;

use crate::sink::Memory;

/// Our own transcripts of lines, as seeds.
fn seeds() -> Vec<Vec<u8>> {
    let inputs = cases().into_iter().filter_map(|case| fs::read(case.join("input.jsonl")).ok());
    inputs.collect()
}

/// All of them, documents too.
fn every_seed() -> Vec<Vec<u8>> {
    let folders = cases().into_iter().map(|case| case.join("input")).filter(|folder| folder.is_dir());
    let inputs = folders.flat_map(|folder| crate::corpus::files(&folder));
    seeds().into_iter().chain(inputs.filter_map(|file| fs::read(file).ok())).collect()
}

fn cases() -> Vec<PathBuf> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/import"));
    let entries = fs::read_dir(folder).expect("tests/import").filter_map(Result::ok);
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    cases.sort();
    cases
}

fn import(bytes: &[u8]) -> Memory {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("session.jsonl");
    fs::write(&path, bytes).expect("writes");
    let mut memory = Memory::default();
    memory.import(std::slice::from_ref(&path));
    let stored = memory.stored.len();
    memory.import(&[path]);
    assert_eq!(memory.stored.len(), stored, "a second time adds nothing");
    memory
}

/// One change of a file, as crashes, editors and networks make them.
#[derive(Debug, Clone)]
enum Change {
    Cut(f64),
    Drop(f64, u8),
    Insert(f64, Vec<u8>),
    Repeat(f64, u8),
    Flip(f64, u8),
}

fn change() -> impl Strategy<Value = Change> {
    let at = || 0.0..1.0_f64;
    let piece = prop_oneof![
        Just(b"\0\0\0".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\\ud800".to_vec()),
        Just(b"{\"type\":\"user\"".to_vec()),
        Just(b"null".to_vec()),
        Just(b"[[[[".to_vec()),
        Just(b"99999999999999999999".to_vec()),
        proptest::collection::vec(any::<u8>(), 1..9),
    ];
    prop_oneof![
        at().prop_map(Change::Cut),
        (at(), any::<u8>()).prop_map(|(at, n)| Change::Drop(at, n)),
        (at(), piece).prop_map(|(at, piece)| Change::Insert(at, piece)),
        (at(), any::<u8>()).prop_map(|(at, n)| Change::Repeat(at, n)),
        (at(), any::<u8>()).prop_map(|(at, n)| Change::Flip(at, n)),
    ]
}

#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "any place will do"
)]
fn apply(bytes: &mut Vec<u8>, change: &Change) {
    let place = |at: &f64| ((bytes.len() as f64 * at) as usize).min(bytes.len());
    match change {
        Change::Cut(at) => bytes.truncate(place(at)),
        Change::Drop(at, n) => {
            let (start, end) = (place(at), (place(at) + usize::from(*n)).min(bytes.len()));
            bytes.drain(start..end);
        }
        Change::Insert(at, piece) => {
            let start = place(at);
            bytes.splice(start..start, piece.iter().copied());
        }
        Change::Repeat(at, n) => {
            let (start, end) = (place(at), (place(at) + usize::from(*n)).min(bytes.len()));
            let piece = bytes[start..end].to_vec();
            bytes.splice(end..end, piece);
        }
        Change::Flip(at, n) => {
            let start = place(at);
            if let Some(byte) = bytes.get_mut(start) {
                *byte ^= n;
            }
        }
    }
}

/// Values of any shape under the names that importers look for.
fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        "[a-z<\\[ ]{0,12}".prop_map(Into::into),
        prop::sample::select(NAMES).prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            proptest::collection::vec((prop::sample::select(NAMES), inner), 0..8).prop_map(|members| {
                let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
                serde_json::Value::Object(members.collect())
            }),
        ]
    })
}

const NAMES: &[&str] = &[
    "type",
    "uuid",
    "sessionId",
    "parentUuid",
    "timestamp",
    "message",
    "content",
    "role",
    "id",
    "name",
    "input",
    "tool_use_id",
    "toolUseResult",
    "user",
    "assistant",
    "system",
    "attachment",
    "progress",
    "summary",
    "leafUuid",
    "tool_use",
    "tool_result",
    "thinking",
    "text",
    "usage",
    "model",
    "agentId",
    "isSidechain",
    "data",
    "snapshot",
    "payload",
    "session_meta",
    "response_item",
    "event_msg",
    "compacted",
    "replacement_history",
    "function_call",
    "function_call_output",
    "call_id",
    "output",
    "arguments",
    "reasoning",
    "item",
    "item_completed",
    "changes",
    "info",
    "token_count",
    "forkedFrom",
    "messageUuid",
    "hookName",
    "source",
    "subagent",
    "error",
    "Task",
    "prompt",
    "created_at",
    "function",
    "duration",
    "metadata",
    "encrypted_content",
];

/// What tells the reader how to read on: lines, documents, packed bytes.
const STARTS: &[&[u8]] = &[b"", b"[{", b"{\n\"a\":[{", b"{\"", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_to_their_end(
        start in prop::sample::select(STARTS),
        rest in proptest::collection::vec(any::<u8>(), 0..600),
    ) {
        let bytes = [start, &rest].concat();
        let mut reader = Reader::open(&bytes[..]).expect("opens");
        let mut items = 0;
        while let Some(item) = reader.next_item().expect("reads") {
            items += 1;
            prop_assert!(items <= bytes.len() + 2);
            if let Item::Gap(gap) = item {
                prop_assert!(gap.bytes <= bytes.len() as u64);
            }
        }
        import(&bytes);
    }

    #[test]
    fn damaged_transcripts_import(
        seed in any::<prop::sample::Index>(),
        changes in proptest::collection::vec(change(), 1..8),
    ) {
        let seeds = every_seed();
        let mut bytes = seeds[seed.index(seeds.len())].clone();
        for change in &changes {
            apply(&mut bytes, change);
        }
        import(&bytes);
    }

    #[test]
    fn records_of_any_shape_import(records in proptest::collection::vec(value(), 1..12), kind in 0..4_usize) {
        let first = [
            r#"{"type":"user","sessionId":"s","uuid":"u","timestamp":"2026-01-01T00:00:00.000Z","message":{"content":"x"}}"#,
            r#"{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"t"}}"#,
        ];
        let wrap = |record: &serde_json::Value| match kind {
            0 | 1 => record.to_string(),
            2 => serde_json::json!({"type": "event_msg", "payload": record}).to_string(),
            _ => serde_json::json!({"type": "response_item", "payload": record}).to_string(),
        };
        let lines: Vec<String> = records.iter().map(wrap).collect();
        import(format!("{}\n{}\n", first[usize::from(kind > 0)], lines.join("\n")).as_bytes());
    }
}

#[test]
fn a_damaged_trace_is_told_once() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/import/otlp/input"));
    let files = crate::corpus::files(&folder);
    let traces: Vec<String> = files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect();
    assert!(traces.iter().any(|trace| trace.contains("gen_ai.tool.call.id")));
    for trace in traces {
        // a title goes before what the record says, and is told but once
        import(trace.replace("\"resource\"", "\"\\ud800resource\"").as_bytes());
        // a tool's span that does not say which call of an answer it runs, each by itself
        for (at, name) in trace.match_indices("gen_ai.tool.call.id") {
            let other = [&trace[..at], "other", &trace[at + name.len()..]].concat();
            import(other.as_bytes());
        }
    }
}
