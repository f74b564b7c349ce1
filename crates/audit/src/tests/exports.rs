//! What the formats for other programs say of a session, and what becomes of it in another store.

use event::{Draft, Kind, Origin, SessionId};
use recorder::Store;
use serde_json::{Value, json};

use super::house::{House, segment};
use crate::export::{EXPORTERS, copy};

fn store(house: &House) -> Store {
    Store::open(house.world.clone(), "/store".as_ref()).unwrap()
}

fn id(session: &str) -> SessionId {
    SessionId::new(session).unwrap()
}

fn exported(house: &House, format: &str) -> String {
    let exporter = EXPORTERS.iter().find(|exporter| exporter.name() == format).unwrap();
    let mut out = Vec::new();
    assert_eq!(exporter.export(&store(house), &id("w"), u64::MAX, &mut out).unwrap(), 0);
    String::from_utf8(out).unwrap()
}

/// A session with a thought, a call that is answered, one that is not, and a handoff.
fn worked() -> House {
    let house = House::new(7);
    let draft = |kind: &'static str, at: u32| {
        let at = format!("2026-11-27T20:00:{at:02}.000000Z");
        Draft::new("w", Kind::of(kind), Origin::Claimed)
            .with("agent", "dev")
            .with("agent_id", "dev-1")
            .with("at", at)
    };
    let drafts = [
        Draft::new("w", Kind::of("message.recorded"), Origin::Claimed)
            .with("role", "user")
            .data("text", "=do it"),
        draft("reasoning.recorded", 1).with("phase", "approach").data("text", "first, \"look\""),
        draft("skill.invoked", 2)
            .with("skill", "Bash")
            .with("call", "c1")
            .data("input", json!({"command": "ls"})),
        draft("skill.invoked", 3).with("skill", "Read").with("call", "c2").data("input", "x"),
        draft("skill.returned", 5)
            .with("skill", "Bash")
            .with("call", "c1")
            .with("status", "error")
            .with("cause", 3)
            .data("output", "no"),
        draft("model.called", 6).with("model", "m-1").with("usage", json!({"input": 10, "output": 2})),
        draft("handoff.made", 7).with("from", "dev").with("to", "qa").data("summary", json!(["a", "b"])),
        draft("note.added", 8).data("text", "x".repeat(300_000)),
    ];
    let mut recorder = house.recorder();
    for draft in drafts {
        recorder.record(draft).unwrap();
    }
    house
}

#[test]
fn otlp_has_one_trace_whose_spans_are_named_as_the_conventions_name_them() {
    let document: Value = serde_json::from_str(&exported(&worked(), "otlp")).unwrap();
    let spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap();
    let names: Vec<&str> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["invoke_workflow w", "invoke_agent dev", "execute_tool Bash", "execute_tool Read", "chat m-1"]
    );
    let known: Vec<&Value> = spans.iter().map(|span| &span["spanId"]).collect();
    for span in spans {
        assert_eq!(
            (span["traceId"].as_str().unwrap().len(), span["spanId"].as_str().unwrap().len()),
            (32, 16)
        );
        assert!(span["parentSpanId"].is_null() || known.contains(&&span["parentSpanId"]));
        let nanos = |name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
        assert!(nanos("startTimeUnixNano") <= nanos("endTimeUnixNano"));
    }
    assert_eq!(spans[2]["status"]["code"], 2);
    let attribute = |span: &Value, key: &str| {
        let found = span["attributes"].as_array().unwrap().iter().find(|a| a["key"] == key).cloned();
        found.map(|found| found["value"].clone()).unwrap_or_default()
    };
    assert_eq!(attribute(&spans[2], "gen_ai.tool.call.result")["stringValue"], "no");
    assert_eq!(attribute(&spans[4], "gen_ai.usage.input_tokens")["intValue"], "10");
}

#[test]
fn atif_steps_are_counted_from_one_and_only_agents_think_and_call() {
    let trajectory: Value = serde_json::from_str(&exported(&worked(), "atif")).unwrap();
    assert_eq!(trajectory["schema_version"], "ATIF-v1.4");
    let steps = trajectory["steps"].as_array().unwrap();
    for (at, step) in steps.iter().enumerate() {
        assert_eq!(step["step_id"], at + 1);
        assert!(step["message"].is_string());
        let agents = ["tool_calls", "reasoning_content", "metrics", "model_name"];
        assert!(step["source"] == "agent" || agents.iter().all(|name| step[*name].is_null()), "{step}");
    }
    let call = steps.iter().find(|step| step["tool_calls"][0]["function_name"] == "Bash").unwrap();
    assert_eq!(call["tool_calls"][0]["arguments"], json!({"command": "ls"}));
    assert_eq!(call["observation"]["results"][0], json!({"source_call_id": "c1", "content": "no"}));
    assert_eq!(trajectory["final_metrics"]["total_prompt_tokens"], 10);
    // blobs are put back where they stood
    assert!(steps.iter().any(|step| step["message"].as_str().unwrap().len() == 300_000));
}

#[test]
fn csv_has_a_row_an_event_and_runs_nothing_in_a_spreadsheet() {
    let text = exported(&worked(), "csv");
    assert_eq!(text.matches("\r\n").count(), 1 + 9);
    assert!(text.contains(",\"'=do it\",") && text.contains("\"first, \"\"look\"\"\""));
}

#[test]
fn a_session_recorded_in_another_store_is_told_there_once_with_a_link_to_where_it_is_from() {
    let (house, other) = (worked(), House::new(8));
    let first = copy(&store(&house), &id("w"), &mut other.recorder()).unwrap();
    assert_eq!((first.stored, first.known, first.left_out), (9, 0, 1));
    let again = copy(&store(&house), &id("w"), &mut other.recorder()).unwrap();
    assert_eq!((again.stored, again.known), (0, 9));
    let text = other.text(segment("w"));
    let lines: Vec<event::Line<'_>> =
        text.lines().map(|line| event::Line::parse(line.as_bytes()).unwrap()).collect();
    assert_eq!(lines[1].text("rel").as_deref(), Some("copy"));
    let head = house
        .text(segment("w"))
        .lines()
        .last()
        .map(|line| event::Line::parse(line.as_bytes()).unwrap().hash.to_owned());
    assert_eq!(lines[1].text("target").unwrap(), format!("w/8#{}", head.unwrap()));
    // what an event answers is where that stands here
    let returned = lines.iter().find(|line| line.kind == "skill.returned").unwrap();
    let cause: u64 = returned.field("cause").unwrap().raw.parse().unwrap();
    assert_eq!(lines[usize::try_from(cause).unwrap()].text("call").as_deref(), Some("c1"));
    assert_eq!(returned.text("origin").as_deref(), Some("imported"));
    other.seal();
    other.exits(0);
}
