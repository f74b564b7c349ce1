//! Records whose members have any type under the names that the formats use: no panic, what is told fits the kinds,
//! and a second time adds nothing.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::corpus::check;
use crate::sink::Memory;

const NAMES: &[&str] = &[
    "id",
    "type",
    "timestamp",
    "content",
    "parts",
    "text",
    "thought",
    "thoughts",
    "subject",
    "description",
    "toolCalls",
    "name",
    "args",
    "result",
    "functionResponse",
    "response",
    "output",
    "error",
    "status",
    "success",
    "cancelled",
    "resultDisplay",
    "fileDiff",
    "todos",
    "agentId",
    "tokens",
    "input",
    "cached",
    "tool",
    "total",
    "model",
    "messages",
    "lastUpdated",
    "sessionId",
    "projectHash",
    "directories",
    "displayContent",
    "step_id",
    "source",
    "agent",
    "user",
    "system",
    "message",
    "reasoning_content",
    "tool_calls",
    "tool_call_id",
    "function_name",
    "arguments",
    "observation",
    "results",
    "source_call_id",
    "subagent_trajectory_ref",
    "session_id",
    "metrics",
    "prompt_tokens",
    "extra",
    "recount",
    "event",
    "hash",
    "kind",
    "header",
    "data",
    "is_copied_context",
    "steps",
    "toolRequests",
    "toolCallId",
    "toolName",
    "parentToolCallId",
    "reasoningText",
    "inputTokens",
    "outputTokens",
    "hookType",
    "hookInvocationId",
    "permissionRequest",
    "turnId",
    "upToEventId",
    "agentName",
    "time",
    "start",
    "end",
    "created",
    "role",
    "state",
    "metadata",
    "callID",
    "sessionID",
    "messageID",
    "parentID",
    "revert",
    "cache",
    "read",
    "write",
    "reason",
    "prompt",
    "snapshot",
    "files",
    "path",
    "diff",
    "tool-invocation",
    "toolInvocation",
    "step-finish",
    "completed",
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        "[a-z./<\\[\u{1}\u{202e}é ]{0,12}".prop_map(Into::into),
        prop::sample::select(NAMES).prop_map(Into::into),
        Just(Value::from("2026-01-01T00:00:00.000Z")),
        "x{90,300}".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            proptest::collection::vec((prop::sample::select(NAMES), inner), 0..8).prop_map(|members| {
                let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
                Value::Object(members.collect())
            }),
        ]
    })
}

/// A record with members of any type: at most one is of another type than it should be.
fn around(base: &Value, odd: &[Value], at: usize) -> Value {
    let mut record = base.clone();
    if let (Some(fields), Some(value)) = (record.as_object_mut(), odd.first()) {
        let names: Vec<String> = fields.keys().cloned().collect();
        if let Some(name) = names.get(at % (names.len() + 1)) {
            fields.insert(name.clone(), value.clone());
        }
    }
    record
}

fn gemini() -> Vec<Value> {
    vec![
        json!({"id": "g", "type": "gemini", "timestamp": "2026-01-01T00:00:00.000Z", "content": [{"text": "x"}], "thoughts": [{"subject": "s", "description": "d"}], "tokens": {"input": 1}, "model": "m", "toolCalls": [{"id": "c", "name": "n", "args": {}, "result": [{"functionResponse": {"response": {"output": "o"}}}], "status": "success", "resultDisplay": {"fileDiff": "d"}}]}),
        json!({"$set": {"summary": "s", "messages": [{"id": "u", "type": "user", "content": "x"}]}}),
        json!({"$rewindTo": "g"}),
        json!({"id": "u", "type": "user", "content": "hi", "displayContent": "hi"}),
    ]
}

fn atif() -> Vec<Value> {
    vec![
        json!({"step_id": 1, "source": "user", "message": "x", "timestamp": "2026-01-01T00:00:00.000Z", "is_copied_context": true}),
        json!({"step_id": 2, "source": "agent", "message": [{"type": "text", "text": "x"}], "reasoning_content": "r", "model_name": "m", "tool_calls": [{"tool_call_id": "c", "function_name": "f", "arguments": {}}], "observation": {"results": [{"source_call_id": "c", "content": "o", "subagent_trajectory_ref": [{"session_id": "x"}]}]}, "metrics": {"prompt_tokens": 1}}),
        json!({"step_id": 3, "source": "agent", "message": "x", "extra": {"recount": {"event": "s/1", "hash": "h", "kind": "note.added", "header": {"agent": "a"}, "data": {"text": {"$step": "/message"}}}}}),
    ]
}

fn copilot() -> Vec<Value> {
    let record = |kind: &str, data: Value| json!({"type": kind, "data": data, "id": "e", "timestamp": "2026-01-01T00:00:00.000Z", "parentId": "p"});
    vec![
        record(
            "assistant.message",
            json!({"content": "c", "toolRequests": [{"toolCallId": "t", "name": "n", "arguments": "{}"}], "reasoningText": "r", "outputTokens": 3}),
        ),
        record("tool.execution_start", json!({"toolCallId": "t", "toolName": "n", "arguments": {}})),
        record(
            "tool.execution_complete",
            json!({"toolCallId": "t", "success": true, "result": {"content": "c"}, "error": {"message": "m"}}),
        ),
        record("subagent.started", json!({"toolCallId": "t", "agentName": "a"})),
        record("assistant.usage", json!({"inputTokens": 1, "outputTokens": 2, "cacheReadTokens": 3})),
        record("permission.requested", json!({"permissionRequest": {"kind": "shell"}})),
        record("hook.end", json!({"hookType": "h", "success": false, "output": "o"})),
        record("session.shutdown", json!({"shutdownType": "x", "errorReason": "y"})),
    ]
}

fn opencode() -> Vec<(&'static str, Value)> {
    vec![
        (
            "session/p/s.json",
            json!({"id": "s", "title": "t", "directory": "d", "parentID": "r", "time": {"created": 1, "updated": 2}, "revert": {"messageID": "m"}}),
        ),
        (
            "message/s/m.json",
            json!({"id": "m", "sessionID": "s", "role": "assistant", "time": {"created": 1}, "tokens": {"input": 1}, "error": {"name": "e", "data": {"message": "x"}}, "parts": [{"type": "text", "text": "x"}], "modelID": "m"}),
        ),
        (
            "part/m/p.json",
            json!({"id": "p", "sessionID": "s", "messageID": "m", "type": "tool", "callID": "c", "tool": "t", "state": {"status": "completed", "input": {}, "output": "o", "metadata": {"exit": 1, "diff": "d", "sessionId": "x"}, "time": {"start": 1, "end": 2}}}),
        ),
        (
            "part/m/q.json",
            json!({"id": "q", "sessionID": "s", "messageID": "m", "type": "step-finish", "tokens": {"input": 1}, "reason": "r"}),
        ),
        (
            "part/m/r.json",
            json!({"id": "r", "sessionID": "s", "messageID": "m", "type": "subtask", "prompt": "p", "agent": "a"}),
        ),
        ("todo/s.json", json!([{"content": "c"}])),
    ]
}

fn twice(path: &Path) {
    let paths = [PathBuf::from(path)];
    let mut memory = Memory::default();
    let reports = memory.import(&paths);
    assert!(reports.iter().any(|report| report.importer.is_some()), "{reports:?}");
    for draft in &memory.stored {
        check(draft).unwrap_or_else(|error| panic!("{error}: {}", crate::sink::line(draft)));
    }
    let stored: Vec<String> = memory.stored.iter().map(crate::sink::line).collect();
    memory.import(&paths);
    let again: Vec<String> = memory.stored[stored.len()..].iter().map(crate::sink::line).collect();
    assert!(again.is_empty(), "{again:#?}\nafter {stored:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lines_and_documents_of_any_shape_import(
        picks in proptest::collection::vec((any::<prop::sample::Index>(), any::<usize>(), proptest::collection::vec(value(), 0..2)), 1..8),
        format in 0..3_usize,
        document in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let bases = [gemini(), atif(), copilot()];
        let base = &bases[format];
        let records: Vec<Value> = picks.iter().map(|(pick, at, odd)| around(&base[pick.index(base.len())], odd, *at)).collect();
        let lines = |first: Value| {
            let all: Vec<String> = std::iter::once(first).chain(records.iter().cloned()).map(|v| v.to_string()).collect();
            all.join("\n")
        };
        let text = match (format, document) {
            (0, false) => lines(json!({"sessionId": "s", "projectHash": "p"})),
            (0, true) => json!({"sessionId": "s", "projectHash": "p", "lastUpdated": "2026-01-02T00:00:00.000Z", "messages": records}).to_string(),
            (1, false) => lines(json!({"schema_version": "ATIF-v1.4", "session_id": "s-cont-1", "agent": {"name": "recount", "extra": {"store": "ab"}}})),
            (1, true) => json!({"schema_version": "ATIF-v1.7", "agent": {"name": "a"}, "steps": records, "subagent_trajectories": [{"agent": {}, "steps": [{"step_id": 1, "message": "x"}]}]}).to_string(),
            _ => lines(copilot()[0].clone()),
        };
        let path = folder.path().join("x.json");
        fs::write(&path, text).expect("writes");
        twice(&path);
    }

    #[test]
    fn rows_of_any_shape_import(picks in proptest::collection::vec((any::<usize>(), proptest::collection::vec(value(), 0..2)), 6)) {
        let folder = tempfile::tempdir().expect("a folder");
        for ((name, base), (at, odd)) in opencode().iter().zip(&picks) {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("makes folders");
            fs::write(path, around(base, odd, *at).to_string()).expect("writes");
        }
        twice(folder.path());
    }
}
