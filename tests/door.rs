//! The door: what goes where, and that every way to name and show a thing means the same thing.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::House;

const GITHUB: &str = "ghp_U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oool8D";

fn record(house: &House, session: &str, text: &str) -> Value {
    house.run(&["record", "--session", session, "--kind", "note.added", "--text", text]).ok().json()
}

#[test]
fn data_goes_to_stdout_and_everything_else_to_stderr() {
    let house = House::bare();
    let made = house.run(&["init"]).ok().says("made a store");
    assert_eq!(made.text().trim_end(), house.store().to_str().unwrap());
    house.run(&["init"]).ok().says("there already");

    let receipt = record(&house, "s", "the token expired");
    assert_eq!(receipt["session"], "s");
    assert_eq!(receipt["seq"], 1);
    assert_eq!(receipt["durable"], true);
    for args in [&["sessions"][..], &["timeline", "s"], &["show", "s/1"], &["replay", "s"], &["export", "s"]]
    {
        let ran = house.run(args).ok();
        assert!(!ran.out.is_empty() && ran.err.is_empty(), "{args:?}: {}", ran.err);
    }
    for (args, code) in [
        (&["show", "s/9"][..], 3),
        (&["timeline", "other"], 3),
        (&["search", "kindd:x"], 2),
        (&["replay", "s", "--speed", "0"], 2),
        (&["no-such-command"], 2),
        (&["search", "nowhere"], 1),
        (&["explain", "R9999"], 2),
    ] {
        let ran = house.run(args).exit(code);
        assert!(ran.out.is_empty() && !ran.err.is_empty(), "{args:?} wrote {:?}", ran.text());
    }
}

#[test]
fn every_json_answer_names_its_schema_what_it_knows_and_whether_that_is_all() {
    let house = House::new();
    record(&house, "s", "the token expired");
    for (schema, args) in [
        ("init", &["init", "--json"][..]),
        ("sessions", &["sessions", "--json"]),
        ("search", &["search", "token", "--json"]),
        ("search", &["--json", "search", "nowhere"]),
        ("show", &["show", "s/1", "--json"]),
        ("timeline", &["timeline", "s", "--json"]),
        ("replay", &["replay", "s", "--json"]),
        ("verify", &["verify", "--json"]),
        ("stats", &["stats", "--json"]),
        ("reindex", &["reindex", "--json"]),
        ("repair", &["repair", "s", "--json"]),
        ("doctor", &["doctor", "--json"]),
    ] {
        let document = house.run(args).json();
        assert_eq!(document["schema"], format!("recount.{schema}/1"), "{args:?}");
        assert_eq!(document["complete"], true, "{args:?}");
        assert!(document["as_of"].is_object(), "{args:?}");
    }
}

#[test]
fn redact_is_a_filter_that_needs_no_store_and_leaves_none() {
    let house = House::bare();
    let ran = house.feed(&["redact"], format!("before {GITHUB}\nafter, with ümläut\n")).ok();
    let text = ran.text();
    assert!(text.starts_with("before [REDACTED:github_token") && text.ends_with("]\nafter, with ümläut\n"));
    assert!(!text.contains(GITHUB));
    assert!(!house.store().exists() && fs::read_dir(house.path("config")).unwrap().next().is_none());
}

#[test]
fn spans_are_byte_offsets_of_the_text_that_came_in() {
    let house = House::bare();
    let text = format!("ключ 漢字 🔑 {GITHUB} — und {GITHUB} ende");
    let input = format!("{}\n\n{}\n", json!({"id": 7, "text": text}), json!({"id": "b", "text": "nothing"}));
    let ran = house.feed(&["redact", "--ndjson"], input).ok();
    let [first, second] = ran.json_lines().try_into().unwrap();
    assert_eq!((&first["id"], &second["id"]), (&json!(7), &json!("b")));
    assert_eq!(second["text"], "nothing");
    let spans = first["spans"].as_array().unwrap();
    assert_eq!(spans.len(), 2);
    let mut outside = String::new();
    let mut at = 0;
    for span in spans {
        let offset = |name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
        assert_eq!(&text[offset("start")..offset("end")], GITHUB);
        assert_eq!(span["kind"], "github_token");
        outside.push_str(&text[at..offset("start")]);
        at = offset("end");
    }
    outside.push_str(&text[at..]);
    let redacted = first["text"].as_str().unwrap();
    let unmarked: Vec<&str> = redacted.split("[REDACTED:github_token:").collect();
    let unmarked = unmarked
        .iter()
        .enumerate()
        .map(|(n, part)| if n == 0 { part } else { part.split_once(']').unwrap().1 });
    assert_eq!(unmarked.collect::<String>(), outside);

    let ran =
        house.feed(&["redact", "--ndjson"], "no json\n{\"id\":1,\"text\":\"fine\"}\n").exit(2).says("line 1");
    assert_eq!(ran.json_lines()[0]["text"], "fine");
}

#[test]
fn show_raw_and_export_give_the_stored_bytes() {
    let house = House::new();
    for number in 0..5 {
        record(&house, "s", &format!("line {number} with \"quotes\", ünicode and a \u{7f}"));
    }
    let lines = house.lines("s");
    assert_eq!(lines.len(), 6);
    for (seq, line) in lines.iter().enumerate() {
        assert_eq!(&house.run(&["show", &format!("s/{seq}"), "--raw"]).ok().out, line);
    }
    assert_eq!(house.run(&["export", "s", "--format", "ndjson"]).ok().out, lines.concat());
    assert_eq!(house.run(&["export", "s"]).ok().out, lines.concat());
    house.run(&["export", "s", "--format", "ndjsn"]).exit(2).says("did you mean ndjson?");
}

#[test]
fn tail_follows_what_another_process_appends_and_ends_when_it_is_killed() {
    let house = House::new();
    record(&house, "s", "the beginning");
    for args in [&["tail", "-f", "s", "-n", "1"][..], &["tail", "--follow", "-n", "1"]] {
        let mut tail = house.command(args).spawn().unwrap();
        let stdout = BufReader::new(tail.stdout.take().unwrap());
        let (send, lines) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            stdout.lines().map_while(Result::ok).for_each(|line| send.send(line).unwrap());
        });
        let first = lines.recv_timeout(Duration::from_secs(20)).expect("tail begins with the latest event");
        assert!(first.starts_with("s/"), "{first}");
        for number in 0..3 {
            let text = format!("news {number} of {}", args.len());
            record(&house, "s", &text);
            let appended = Instant::now();
            let line = lines.recv_timeout(Duration::from_secs(20)).expect("tail follows");
            assert!(line.ends_with(&text), "{line}");
            assert!(appended.elapsed() < Duration::from_secs(2), "tail took {:?}", appended.elapsed());
        }
        tail.kill().unwrap();
        tail.wait().unwrap();
        reader.join().unwrap();
        assert_eq!(lines.try_recv().ok(), None);
    }
}

#[test]
fn tail_follows_a_session_that_begins_later() {
    let house = House::new();
    record(&house, "s", "the beginning");
    let mut tail = house.command(&["tail", "-f", "-n", "1"]).spawn().unwrap();
    let mut lines = BufReader::new(tail.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.next().unwrap().starts_with("s/1"));
    record(&house, "new", "here I am");
    assert!(lines.next().unwrap().starts_with("new/0"));
    assert!(lines.next().unwrap().starts_with("new/1"));
    tail.kill().unwrap();
    tail.wait().unwrap();
}

#[test]
fn tail_needs_few_files_however_many_sessions_there_are() {
    let house = House::new();
    let drafts = (0..60).map(|n| {
        let draft =
            json!({"session": format!("s{n}"), "kind": "note.added", "data": {"text": format!("note {n}")}});
        format!("{draft}\n")
    });
    house.feed(&["record"], drafts.collect::<String>()).ok();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -n 24; exec \"$0\" tail -f -n 61"]).arg(env!("CARGO_BIN_EXE_recount"));
    house.settle(&mut command);
    let mut tail = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(tail.stdout.take().unwrap()).lines().map_while(Result::ok);
    let first: Vec<String> = lines.by_ref().take(61).collect();
    // of 120 events the last 61: one opening and all from the note of the 30th session on
    assert_eq!(first.iter().filter(|line| line.contains("note.added")).count(), 31, "{first:?}");
    assert!(first[60].ends_with("note 59"), "{first:?}");
    for n in [7, 40] {
        record(&house, &format!("s{n}"), "more");
        assert!(lines.next().unwrap().starts_with(&format!("s{n}/2")));
    }
    tail.kill().unwrap();
    tail.wait().unwrap();
}

#[test]
fn replay_stops_after_the_event_it_is_told() {
    let house = House::new();
    for number in 1..=4 {
        record(&house, "s", &format!("step {number}"));
    }
    record(&house, "t", "elsewhere");
    for until in ["2", "s/2"] {
        let told = house.run(&["replay", "s", "--until", until]).ok().text();
        assert!(told.contains("step 2") && !told.contains("step 3"), "{told}");
        let document = house.run(&["replay", "s", "--until", until, "--json"]).ok().json();
        let events: Vec<&Value> =
            document["events"].as_array().unwrap().iter().map(|e| &e["event"]).collect();
        assert_eq!(events, ["s/0", "s/1", "s/2"]);
    }
    assert!(house.run(&["replay", "s"]).ok().text().contains("step 4"));
    house.run(&["replay", "s", "--until", "99"]).exit(3);
    house.run(&["replay", "s", "--until", "t/1"]).exit(2);
}

#[test]
fn an_event_with_a_known_key_and_content_is_stored_once() {
    let house = House::new();
    let note = |text: &str| {
        let args = ["record", "--session", "s", "--kind", "note.added", "--key", "k-1", "--text", text];
        house.run(&args).ok().json()
    };
    let first = note("once");
    assert_eq!(note("once"), first);
    let draft = json!({"session": "s", "kind": "note.added", "key": "k-1", "data": {"text": "once"}});
    assert_eq!(house.feed(&["record"], format!("{draft}\n")).ok().json(), first);
    assert!(
        house.feed(&["import", "-"], format!("{draft}\n")).ok().text().contains("0 stored, 1 duplicates")
    );
    assert_eq!(house.lines("s").len(), 2);

    let other = note("with other content");
    assert_eq!(other["seq"], 2);
    let timeline = house.run(&["timeline", "s", "--json"]).ok().json();
    let conflicts: Vec<bool> =
        timeline["rows"].as_array().unwrap().iter().map(|r| r["conflict"] == true).collect();
    assert_eq!(conflicts, [false, false, true]);
}

#[test]
fn a_session_of_any_name_is_shown_and_found_by_it() {
    const NAME: &str = "My Run 7 (ÄÖ)";
    let house = House::new();
    let receipt = record(&house, NAME, "the token expired");
    let id = receipt["session"].as_str().unwrap();
    assert!(id.starts_with("m-") && id.len() == 34, "{id}");
    assert_eq!(record(&house, NAME, "again")["seq"], 2);
    assert_eq!(record(&house, id, "by its id")["seq"], 3);
    assert_eq!(house.sessions(), [id]);

    let sessions = house.run(&["sessions"]).ok().text();
    assert!(sessions.starts_with(NAME), "{sessions}");
    assert_eq!(house.run(&["sessions", "--json"]).ok().json()["sessions"][0]["original_id"], NAME);
    let event = format!("{NAME}/1");
    let by_id = format!("{id}/1");
    for (by_name, by_id) in [
        (&["show", &event][..], &["show", &by_id][..]),
        (&["show", &event, "--raw"], &["show", &by_id, "--raw"]),
        (&["timeline", NAME], &["timeline", id]),
        (&["replay", NAME], &["replay", id]),
        (&["replay", NAME, "--until", &event], &["replay", id, "--until", "1"]),
        (&["export", NAME], &["export", id]),
        (&["export", NAME, "--format", "markdown"], &["export", id, "--format", "markdown"]),
        (&["verify", NAME], &["verify", id]),
        (&["tail", NAME], &["tail", id]),
        (&["repair", NAME], &["repair", id]),
    ] {
        assert_eq!(house.run(by_name).ok().text(), house.run(by_id).ok().text(), "{by_name:?}");
    }
    let query = format!("session:\"{NAME}\" token");
    for args in [&["search", &query, "--json"][..], &["search", &query, "--json", "--no-index"]] {
        assert_eq!(house.run(args).ok().json()["total"], 1, "{args:?}");
    }
    for args in
        [&["timeline", NAME][..], &["show", &event], &["replay", NAME], &["tail"], &["search", "token"]]
    {
        let shown = house.run(args).ok().text();
        assert!(shown.contains(&event), "{args:?} shows\n{shown}");
    }
}

#[test]
fn a_word_at_the_end_of_a_value_over_256_kib_is_found() {
    let house = House::new();
    let text = format!("{} zyxplanted", "filler words here ".repeat(20_000));
    assert!(text.len() > 256 * 1024);
    house.feed(&["record", "--session", "s", "--kind", "note.added", "--text", "-"], &text).ok();
    assert!(house.events("s")[1]["data"]["text"]["blob"].is_string(), "it is a blob");
    for args in [&["search", "zyxplanted", "--json"][..], &["search", "zyxplanted", "--json", "--no-index"]] {
        let document = house.run(args).ok().json();
        assert_eq!(document["hits"][0]["event"], "s/1", "{args:?}");
        assert!(document["hits"][0]["snippet"]["text"].as_str().unwrap().ends_with("zyxplanted"));
    }
}
