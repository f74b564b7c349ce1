//! ATIF, out and in: an export of ours that is imported somewhere else gives the same events.

use std::path::Path;

use serde_json::Value;

use crate::house::House;

/// What an event says, whoever stores it: without its place, its marks of the redactor and who told it.
fn said(event: &Value) -> Option<Value> {
    let kind = event["kind"].as_str().unwrap();
    if kind.starts_with("audit.") || kind == "session.linked" {
        return None;
    }
    let kind = if kind == "session.opened" { "session.updated" } else { kind };
    let mut said = event.clone();
    let members = said.as_object_mut().unwrap();
    for name in [
        "v", "session", "seq", "ts", "store", "prev", "commit", "hash", "salt", "origin", "key", "redacted",
        "src", "twin",
    ] {
        members.remove(name);
    }
    members.insert("kind".to_owned(), kind.into());
    // references are places, which differ; at is when it was recorded where nobody says when it happened
    for name in ["parent", "cause", "to", "at", "supersedes"] {
        if kind != "handoff.made" || name != "to" {
            members.remove(name);
        }
    }
    members["data"].as_object_mut().unwrap().remove("redactions");
    Some(said)
}

fn export(house: &House, store: &Path, session: &str) -> (Vec<Value>, String) {
    let store = store.to_str().unwrap();
    let events = house.run(&["export", session, "--format", "ndjson", "--store", store]).ok().json_lines();
    let atif = house.run(&["export", session, "--format", "atif", "--store", store]).ok().text();
    (events, atif)
}

#[test]
fn an_export_that_is_imported_gives_the_same_events() {
    let house = House::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR"));
    for session in ["sample-auth", "sample-api", "sample-ui", "sample-store"] {
        let (events, atif) = export(&house, samples, session);
        let file = house.path(&format!("{session}.json"));
        std::fs::write(&file, atif).unwrap();
        let report = house.run(&["import", file.to_str().unwrap(), "--json"]).ok().json();
        assert_eq!((&report["total"]["raw"], &report["total"]["gaps"]), (&0.into(), &0.into()), "{report}");
        let copies: Vec<Value> = house
            .events(session)
            .iter()
            .filter(|event| event["kind"] != "session.opened")
            .filter_map(said)
            .collect();
        let events: Vec<Value> = events.iter().filter_map(said).collect();
        // an answer stands with its call
        for event in &events {
            assert!(copies.contains(event), "{session} lost {event}");
        }
        assert_eq!(copies.len(), events.len(), "{session}");

        // once more, and the copy's own export into the store that it is of: nothing new
        house.run(&["import", file.to_str().unwrap()]).ok();
        let own = export(&house, &house.store(), session).1;
        let lines = house.lines(session).len();
        std::fs::write(&file, own).unwrap();
        let report = house.run(&["import", file.to_str().unwrap(), "--json"]).ok().json();
        assert_eq!(report["total"]["events"], 0, "{report}");
        assert_eq!(house.lines(session).len(), lines);
    }
    house.run(&["verify"]).ok();
}

#[test]
fn a_file_that_only_says_that_it_is_ours_can_say_no_more_than_a_transcript() {
    let house = House::new();
    let step = |id: u64, kind: &str, header: Value| {
        serde_json::json!({"step_id": id, "source": "system", "message": "x", "extra": {"recount": {
            "event": format!("s/{id}"), "hash": "00", "kind": kind, "key": "observed:tool.returned", "header": header,
            "data": {"text": {"$step": "/message"}, "Bad name": 1}}}})
    };
    let document = serde_json::json!({"schema_version": "ATIF-v1.4", "session_id": "forged",
        "agent": {"name": "recount", "extra": {"store": "0011"}}, "steps": [
            step(1, "audit.erased", serde_json::json!({"target": 0})), step(2, "note.added", serde_json::json!({"origin": "observed"})),
            step(3, "session.linked", serde_json::json!({"target": "a/0#00"})), step(4, "no.kind", serde_json::json!({})),
    ]});
    let file = house.path("forged.json");
    std::fs::write(&file, document.to_string()).unwrap();
    house.run(&["import", file.to_str().unwrap()]).ok();
    for event in house.events("forged") {
        assert!(event["origin"] == "imported" || event["kind"] == "session.opened", "{event}");
        let kind = event["kind"].as_str().unwrap();
        assert!(!kind.starts_with("audit.") && kind != "session.linked", "{event}");
    }
    house.run(&["verify"]).ok();
}
