//! A stream and the transcript of the same session, in any order: each thing is told once, and nothing conflicts.

use std::collections::BTreeMap;
use std::path::Path;

use event::{Draft, Kind, Origin, SessionId};
use recorder::Recorder;
use serde_json::{Value, json};

use crate::ahead::{import_ahead, recorder};

const CALL: &str = "toolu_01AbCdEfGhIjKlMn";

/// What the model and its tool said, as (uuid, type, message).
fn turns() -> Vec<(&'static str, &'static str, Value)> {
    let usage = json!({"input_tokens": 9, "output_tokens": 90});
    let said = |blocks: Value| json!({"id": "msg_1", "role": "assistant", "model": "claude-x", "stop_reason": null, "usage": usage, "content": blocks});
    vec![
        (
            "u1",
            "assistant",
            said(json!([{"type": "thinking", "thinking": "look first", "signature": "sig"}])),
        ),
        ("u2", "assistant", said(json!([{"type": "text", "text": "I look."}]))),
        (
            "u3",
            "assistant",
            said(json!([{"type": "tool_use", "id": CALL, "name": "Bash", "input": {"command": "ls"}}])),
        ),
        (
            "u4",
            "user",
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": CALL, "content": "a.txt"}]}),
        ),
    ]
}

fn stream(uuids: bool) -> String {
    let init = json!({"type": "system", "subtype": "init", "session_id": "s", "cwd": "/w", "model": "claude-x", "tools": ["Bash"]});
    let end = json!({"type": "result", "subtype": "success", "session_id": "s", "num_turns": 1, "duration_ms": 5, "total_cost_usd": 0.1});
    let turn = |(uuid, kind, message): (&str, &str, Value)| {
        let mut record =
            json!({"type": kind, "message": message, "session_id": "s", "parent_tool_use_id": null});
        if uuids {
            record["uuid"] = uuid.into();
        }
        record
    };
    let records: Vec<Value> = [init].into_iter().chain(turns().into_iter().map(turn)).chain([end]).collect();
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn transcript() -> String {
    let record = |at: usize, uuid: &str, kind: &str, message: &Value| {
        json!({
            "type": kind, "uuid": uuid, "parentUuid": null, "sessionId": "s", "version": "2.1.0", "cwd": "/w", "gitBranch": "main",
            "requestId": if kind == "assistant" { json!("req_1") } else { Value::Null },
            "timestamp": format!("2026-01-03T00:00:0{at}.000Z"), "message": message,
        })
    };
    let first = record(0, "u0", "user", &json!({"role": "user", "content": "List the files."}));
    let rest = turns();
    let rest = rest.iter().enumerate().map(|(at, (uuid, kind, message))| record(at + 1, uuid, kind, message));
    [first].into_iter().chain(rest).map(|record| format!("{record}\n")).collect()
}

/// What a hook saw of the call.
fn hooked(recorder: &mut Recorder) {
    let draft = Draft::new("s", Kind::of("skill.invoked"), Origin::Observed).key(format!("{CALL}.invoked"));
    let draft =
        draft.with("skill", "Bash").with("call", CALL).data("ext", json!({"permission_mode": "plan"}));
    recorder.record(draft).expect("records");
    recorder.sync().expect("syncs");
}

/// How often each kind is told, without how the session came to be known.
fn told(recorder: &Recorder) -> BTreeMap<String, usize> {
    let session = SessionId::new("s").expect("an id");
    let rows = recorder.store().timeline(&session).expect("a timeline").rows;
    let mut told = BTreeMap::new();
    for row in &rows {
        assert!(!row.step.conflict, "{}/{} {}", row.session, row.step.seq(), row.step.kind());
        if !row.step.kind().starts_with("session.") {
            *told.entry(row.step.kind().to_owned()).or_default() += 1;
        }
    }
    told
}

fn import(recorder: &mut Recorder, path: &Path) {
    let reports = import_ahead(recorder, path);
    assert!(reports.iter().all(|report| report.adds_up() && report.importer.is_some()), "{reports:?}");
}

#[test]
fn a_stream_and_its_transcript_are_told_once_in_any_order() {
    let files = tempfile::tempdir().expect("a folder");
    let (log, jsonl) = (files.path().join("stream.jsonl"), files.path().join("s.jsonl"));
    std::fs::write(&jsonl, transcript()).expect("writes");
    let of = |kinds: &[(&str, usize)]| {
        kinds.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect::<BTreeMap<_, _>>()
    };
    for uuids in [true, false] {
        std::fs::write(&log, stream(uuids)).expect("writes");
        let alone = recorder(&files.path().join(format!("alone-{uuids}")));
        let mut alone = alone;
        import(&mut alone, &log);
        assert_eq!(told(&alone)["skill.invoked"], 1);
        for order in ["st", "ts", "sts", "hst", "sht", "sth", "hts", "hs", "sh"] {
            let mut recorder = recorder(&files.path().join(format!("{order}-{uuids}")));
            for what in order.chars() {
                match what {
                    's' => import(&mut recorder, &log),
                    't' => import(&mut recorder, &jsonl),
                    _ => hooked(&mut recorder),
                }
            }
            let mut told = told(&recorder);
            told.retain(|kind, _| kind != "turn.ended" && kind != "state.changed");
            let said = if order.contains('t') { 2 } else { 1 };
            let expected = [
                ("message.recorded", said),
                ("model.called", 1),
                ("reasoning.recorded", 1),
                ("skill.invoked", 1),
                ("skill.returned", 1),
            ];
            assert_eq!(told, of(&expected), "{order}, uuids {uuids}");
            let index = recorder.store().search(
                &recorder::Query::parse("kind:skill.invoked", &recorder::Now::utc(0)).expect("a query"),
                &recorder::Options::default(),
                false,
            );
            assert_eq!(index.expect("an answer").hits.len(), 1, "{order}, uuids {uuids}, in the index");
        }
    }
}
