//! A response that was read while it streamed: what it cost in the end counts, once.

use std::path::Path;

use event::{Event, SessionId};
use recorder::Recorder;
use serde_json::json;

use crate::ahead::{import_ahead, recorder};

fn line(part: usize, output: u64, stop: Option<&str>) -> String {
    let usage = json!({"input_tokens": 100, "output_tokens": output});
    let record = json!({
        "type": "assistant", "uuid": format!("u{part}"), "sessionId": "s", "requestId": "req_1",
        "timestamp": "2026-01-03T00:00:00.000Z",
        "message": {
            "id": "msg_1", "role": "assistant", "model": "claude-x", "stop_reason": stop, "usage": usage,
            "content": [{"type": "text", "text": format!("part {part}")}],
        },
    });
    format!("{record}\n")
}

/// The calls of a model: what each cost, and whether a later one says it better.
fn calls(recorder: &Recorder) -> Vec<(Option<u64>, bool)> {
    let (store, session) = (recorder.store(), SessionId::new("s").expect("an id"));
    let rows = store.timeline(&session).expect("a timeline").rows;
    let calls = rows.iter().filter(|row| row.step.kind() == "model.called");
    let mut fetcher = store.fetcher();
    let output = |event: &Event| event.header.get("usage")?.get("output")?.as_u64();
    calls
        .map(|row| {
            let event = fetcher.event(&session, &row.step.pointer).expect("an event");
            (output(&event), row.step.superseded)
        })
        .collect()
}

fn import(recorder: &mut Recorder, path: &Path, text: &str) -> u64 {
    std::fs::write(path, text).expect("writes");
    let _ = std::fs::remove_dir_all(recorder.store().journal().root().join("index"));
    import_ahead(recorder, path).iter().map(|report| report.events).sum()
}

#[test]
fn the_last_usage_of_a_half_read_response_wins_and_counts_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    let mut recorder = recorder(&folder.path().join("store"));
    let half = line(1, 2, None);
    let more = half.clone() + &line(2, 40, None);
    let whole = more.clone() + &line(3, 700, Some("end_turn"));
    import(&mut recorder, &path, &half);
    assert_eq!(calls(&recorder), [(Some(2), false)]);
    import(&mut recorder, &path, &more);
    import(&mut recorder, &path, &whole);
    assert_eq!(calls(&recorder), [(Some(2), true), (Some(40), true), (Some(700), false)]);
    for text in [&whole, &half, &more] {
        assert_eq!(import(&mut recorder, &path, text), 0, "nothing is new, and an older copy says nothing");
    }
    assert_eq!(calls(&recorder).len(), 3);
}

#[test]
fn a_response_that_was_whole_is_told_once_and_nothing_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.jsonl");
    let mut recorder = recorder(&folder.path().join("store"));
    let whole = line(1, 2, None) + &line(2, 700, Some("end_turn"));
    import(&mut recorder, &path, &whole);
    assert_eq!(calls(&recorder), [(Some(700), false)]);
    assert_eq!(import(&mut recorder, &path, &whole), 0);
    assert_eq!(import(&mut recorder, &path, &line(1, 2, None)), 0, "an older copy of the file");
}
