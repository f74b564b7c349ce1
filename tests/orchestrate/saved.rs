//! Reasoning, outputs of skills and events: saved, found again, ranked, refused.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::house::House;

fn save(house: &House, group: &str, agent: &str, phase: &str, text: &str) -> Value {
    house.feed(&["save-reasoning", "s", group, agent, phase, "-"], text).ok().json()
}

fn get(house: &House, args: &[&str]) -> Vec<Value> {
    let args = [&["get-reasoning", "s"], args].concat();
    house.run(&args).ok().json().as_array().unwrap().clone()
}

#[test]
fn r001_saved_reasoning_is_shown_byte_equal() {
    let house = House::new();
    let text = "first line\n  \"quoted\" \\ back\u{7}slash\n\u{202e}漢字 🔑 é\n\n";
    let flags = ["--agent_id", "dev-2", "--iteration", "3", "--confidence", "high"];
    let args = [&["save-reasoning", "s", "AUTH", "developer", "approach", "-"], &flags[..]].concat();
    let saved =
        house.feed(&[&args[..], &["--references", "[\"src/a.py\",\"b.py\"]"]].concat(), text).ok().json();
    assert_eq!((saved["event"].as_str(), saved["durable"].as_bool()), (Some("s/1"), Some(true)));
    assert_eq!(saved["redacted"], false);
    let shown = house.run(&["show", "s/1", "--json"]).ok().json();
    assert_eq!(shown["event"]["data"]["text"], text);
    assert_eq!(shown["event"]["data"]["references"], json!(["src/a.py", "b.py"]));
    let header = &shown["event"]["header"];
    for (name, value) in
        [("group", "AUTH"), ("agent", "developer"), ("agent_id", "dev-2"), ("origin", "claimed")]
    {
        assert_eq!(header[name], value);
    }
    assert_eq!((header["attempt"].as_u64(), header["confidence"].as_str()), (Some(3), Some("high")));
    let quiet = house.feed(&["save-reasoning", "s", "AUTH", "developer", "risks", "-", "-q"], "x").ok();
    assert_eq!(quiet.text(), "s/2\n");
}

#[test]
fn r002_r003_a_wrong_word_is_refused_with_the_nearest_and_nothing_is_written() {
    let house = House::new();
    save(&house, "AUTH", "developer", "approach", "there");
    let said = house.feed(&["save-reasoning", "s", "AUTH", "developer", "planning", "-"], "x").exit(2);
    let said = said.says("did you mean \"approach\"");
    for phase in ["understanding", "approach", "decisions", "risks", "blockers", "pivot", "completion"] {
        assert!(said.err.contains(phase), "{phase}");
    }
    let wrong: [&[&str]; 6] = [
        &["save-reasoning", "s", "AUTH", "developer", "approach", "x", "--confidence", "0.9"],
        &["save-reasoning", "s", "../x", "developer", "approach", "x"],
        &["save-reasoning", "s", "AUTH", "developer", "approach", "x", "--references", "src/a.py"],
        &["save-reasoning", "s", "AUTH", "developer", "approach", " "],
        &["get-reasoning", "s", "--phase", "aproach"],
        &["skill", "save", "s", "lint", "{broken"],
    ];
    for args in wrong {
        assert!(house.run(args).exit(2).out.is_empty(), "{args:?}");
    }
    assert_eq!(house.lines("s").len(), 2);
}

#[test]
fn r007_concurrent_writers_lose_nothing() {
    const WRITERS: usize = 4;
    const EACH: usize = 25;
    let house = House::new();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let house = &house;
            scope.spawn(move || {
                for number in 0..EACH {
                    save(
                        house,
                        &format!("G{writer}"),
                        "developer",
                        "decisions",
                        &format!("{writer} {number}"),
                    );
                }
            });
        }
    });
    let entries = get(&house, &["--limit", "1000"]);
    assert_eq!(entries.len(), WRITERS * EACH);
    for writer in 0..WRITERS {
        let own: Vec<&Value> = entries.iter().filter(|e| e["group"] == format!("G{writer}")).rev().collect();
        let texts: Vec<String> = own.iter().map(|e| e["text"].as_str().unwrap().to_owned()).collect();
        assert_eq!(texts, (0..EACH).map(|n| format!("{writer} {n}")).collect::<Vec<_>>());
    }
    house.run(&["verify", "s"]).ok();
}

#[test]
fn r009_r010_reasoning_is_found_by_group_agent_and_phase() {
    let house = House::new();
    for (group, agent, phase) in [
        ("AUTH", "developer", "understanding"),
        ("AUTH", "developer", "completion"),
        ("AUTH", "qa_expert", "completion"),
        ("DB", "developer", "completion"),
    ] {
        save(&house, group, agent, phase, &format!("{group} {agent} {phase}"));
    }
    let texts = |args: &[&str]| -> Vec<String> {
        get(&house, args).iter().map(|e| e["text"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        texts(&["AUTH", "--agent-type", "developer"]),
        ["AUTH developer completion", "AUTH developer understanding"]
    );
    let all = ["DB developer completion", "AUTH qa_expert completion", "AUTH developer completion"];
    assert_eq!(texts(&["--phase", "completion"]), all);
    assert_eq!(texts(&["--phase", "completion", "--limit", "1"]), all[..1]);
    assert_eq!(texts(&["--group_id", "DB", "--agent_type", "developer"]), all[..1]);
    assert_eq!(house.run(&["get-reasoning", "s", "NONE"]).ok().text(), "[]\n");
    house.run(&["get-reasoning", "s", "NONE", "--check"]).exit(1);
    house.run(&["get-reasoning", "other"]).exit(3);
    // the same with the index and without it
    house.run(&["reindex"]).ok();
    assert_eq!(texts(&["--phase", "completion"]), all);
}

#[test]
fn r011_a_timeline_is_in_the_order_of_the_journal_and_quotes_what_was_said() {
    let house = House::new();
    save(&house, "AUTH", "developer", "understanding", "one\n## not a heading");
    save(&house, "DB", "developer", "approach", "two");
    save(&house, "AUTH", "qa_expert", "completion", "three");
    let text = house.run(&["reasoning-timeline", "s"]).ok().text();
    assert!(text.starts_with("# Reasoning Timeline\n\n## Group: AUTH\n"));
    assert!(text.contains("> one\n> ## not a heading\n"));
    let place = |what: &str| text.find(what).unwrap();
    assert!(place("one") < place("two") && place("two") < place("three"));
    assert_eq!(text, house.run(&["reasoning-timeline", "s", "--format", "markdown"]).ok().text());
    let group = house.run(&["reasoning-timeline", "s", "--group", "AUTH", "--format", "json"]).ok().json();
    let seqs: Vec<u64> = group.as_array().unwrap().iter().map(|e| e["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, [1, 3]);
}

#[test]
fn r012_two_megabytes_come_back_whole() {
    let house = House::new();
    let text = "Ünïcode and more of it. ".repeat(90_000);
    assert!(text.len() > 2_000_000);
    save(&house, "AUTH", "developer", "decisions", &text);
    let file = house.path("here/long.md");
    std::fs::write(&file, &text).unwrap();
    house.run(&["save-reasoning", "s", "AUTH", "developer", "risks", "--content-file", "long.md"]).ok();
    house.run(&["record", "--session", "s", "--kind", "context.compacted", "--agent", "developer"]).ok();
    let entries = get(&house, &["AUTH"]);
    assert_eq!(entries.len(), 2);
    assert!(entries.iter().all(|entry| entry["text"] == text));
}

#[test]
fn r022_nothing_turns_redaction_off_and_no_secret_reaches_a_file() {
    const SECRET: &str = "ghp_U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oool8D";
    let house = House::new();
    house.run(&["save-reasoning", "s", "G", "dev", "risks", "x", "--no-redact"]).exit(2);
    let with = |text: &str| text.replace('%', SECRET);
    let saved = house.feed(&["save-reasoning", "s", "G", "dev", "risks", "-"], with("token %")).ok().json();
    assert_eq!(saved["redacted"], true);
    house
        .feed(&["save-reasoning", "s", "G", "dev", "risks", "-", "--references", &with("[\"%\"]")], "x")
        .ok();
    house.feed(&["skill", "save", "s", "lint", "-"], with("{\"found\":[\"%\"]}")).ok();
    house.feed(&["save-event", "s", "scope_change", "-"], with("{\"why\":\"%\"}")).ok();
    house.feed(&["log-interaction", "s", "dev", "-"], with("I use %")).ok();
    let package = ["save-context-package", "s", "G", "research", "a.md", "dev", "qa", "high", &with("see %")];
    house.run(&package).ok();
    std::fs::write(house.path("here/report.md"), with("report %")).unwrap();
    let body = json!({
        "from_agent": "developer", "status": "READY_FOR_QA", "summary": with("with %"),
        "artifacts": {"report": "report.md"},
    });
    let written = house.feed(&["handoff", "write", "s", "G", "developer", "-"], body.to_string()).ok().json();
    let file = std::fs::read_to_string(written["file"].as_str().unwrap()).unwrap();
    assert!(file.contains("[REDACTED:"));
    let kept = std::fs::read_to_string(written["artifacts"][0]["file"].as_str().unwrap()).unwrap();
    assert!(kept.starts_with("report [REDACTED:"));
    house.run(&["digest", "s", "G", "--for", "project_manager", "--tokenizer", "bytes4"]).ok();
    house.run(&["reindex"]).ok();
    std::fs::remove_file(house.path("here/report.md")).unwrap();
    for folder in ["store", "config", "state", "cache", "data", "tmp", "here"] {
        for file in crate::house::files_under(&house.path(folder)) {
            let bytes = std::fs::read(&file).unwrap();
            let found = bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
            assert!(!found, "{} holds the secret", file.display());
        }
    }
}

#[test]
fn r022_a_pause_is_recorded_and_shows_in_the_timeline() {
    let house = House::new();
    let save = ["save-reasoning", "s", "AUTH", "developer", "approach", "the text"];
    house.run(&save).ok();
    let paused = |args: &[&str]| {
        let mut command = house.command(args);
        command.env("RECOUNT_DISABLE", "1");
        crate::house::finish(
            args,
            command,
            b"{\"session\":\"s\",\"kind\":\"note.added\",\"data\":{\"text\":\"x\"}}\n",
        )
    };
    for _ in 0..2 {
        paused(&save).exit(6).says("RECOUNT_DISABLE");
    }
    paused(&["record"]).exit(6);
    paused(&["bazinga-db", "--db", "x.db", "save-event", "s", "scope", "{}"]).exit(6);
    let kinds = || -> Vec<String> {
        house.events("s").iter().map(|event| event["kind"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(), ["session.opened", "reasoning.recorded", "recording.paused"]);
    // reading goes on, and zero is no pause
    paused(&["get-reasoning", "s"]).ok();
    let mut zero = house.command(&save);
    zero.env("RECOUNT_DISABLE", "0");
    crate::house::finish(&save, zero, b"").ok();
    house.run(&save).ok();
    let told = ["recording.paused", "recording.resumed", "reasoning.recorded", "reasoning.recorded"];
    assert_eq!(kinds()[2..], told);
    let timeline = house.run(&["timeline", "s"]).ok().text();
    assert!(timeline.contains("recording.paused") && timeline.contains("RECOUNT_DISABLE"), "{timeline}");
    // a session that begins in a pause says so, and the next pause is a new one
    paused(&["save-reasoning", "t", "AUTH", "developer", "approach", "x"]).exit(6);
    assert_eq!(house.events("t").len(), 2);
    paused(&save).exit(6);
    assert_eq!(kinds().last().unwrap(), "recording.paused");
    house.run(&["seal"]).ok();
    house.run(&["verify", "--require-sealed"]).ok();
}

#[test]
fn r040_r042_r043_every_output_is_kept_and_the_latest_is_the_latest() {
    let house = House::new();
    let mut iterations = Vec::new();
    for number in 1..=3 {
        let output = json!({"n": number}).to_string();
        let args = [
            "skill",
            "save",
            "s",
            "specialization-loader",
            &output,
            "--agent",
            "qa_expert",
            "--group",
            "CALC",
        ];
        iterations.push(house.run(&args).ok().json()["iteration"].as_u64().unwrap());
    }
    assert_eq!(iterations, [1, 2, 3]);
    let latest = house.run(&["skill", "latest", "s", "specialization-loader"]).ok().json();
    assert_eq!((latest["output"]["n"].as_u64(), latest["iteration"].as_u64()), (Some(3), Some(3)));
    let all = house.run(&["get-skill-output-all", "s", "specialization-loader"]).ok().json();
    let told: Vec<u64> = all.as_array().unwrap().iter().map(|o| o["output"]["n"].as_u64().unwrap()).collect();
    assert_eq!(told, [1, 2, 3]);
    assert_eq!(house.run(&["get-latest-skill-output", "s", "specialization-loader"]).ok().json(), latest);
    assert_eq!(house.run(&["skill", "latest", "s", "none"]).exit(1).text(), "null\n");
}

#[test]
fn r041_fifty_parallel_saves_have_the_iterations_one_to_fifty() {
    let house = House::new();
    house.run(&["skill", "save", "s", "lint", "0", "--agent", "dev"]).ok();
    let mut children: Vec<_> = Vec::new();
    let mut iterations: Vec<u64> = Vec::new();
    for number in 0..50 {
        let output = number.to_string();
        let mut command = house.command(&["skill", "save", "s", "lint", &output]);
        children.push(command.stdin(Stdio::null()).spawn().unwrap());
        if children.len() == 8 || number == 49 {
            for child in children.drain(..) {
                let done = child.wait_with_output().unwrap();
                assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
                let saved: Value = serde_json::from_slice(&done.stdout).unwrap();
                iterations.push(saved["iteration"].as_u64().unwrap());
            }
        }
    }
    iterations.sort_unstable();
    assert_eq!(iterations, (1..=50).collect::<Vec<_>>());
    // an agent without a name is not the agent "dev", nor one with an empty name
    let dev = house.run(&["skill", "save", "s", "lint", "1", "--agent", "dev"]).ok().json();
    let empty = house.run(&["skill", "save", "s", "lint", "1", "--agent", ""]).ok().json();
    assert_eq!((dev["iteration"].as_u64(), empty["iteration"].as_u64()), (Some(2), Some(1)));
}

#[test]
fn r044_r047_the_latest_of_each_agent_and_what_changed() {
    let house = House::new();
    for (agent, coverage) in [("dev", 50), ("qa", 60), ("dev", 70)] {
        let output = json!({"coverage": coverage, "same": [1]}).to_string();
        house.run(&["skill", "save", "s", "test-coverage", &output, "--agent", agent]).ok();
    }
    let each = house.run(&["skill", "latest", "s", "test-coverage", "--per-agent"]).ok().json();
    let told: Vec<(&str, u64)> = each
        .as_array()
        .unwrap()
        .iter()
        .map(|o| (o["agent"].as_str().unwrap(), o["output"]["coverage"].as_u64().unwrap()))
        .collect();
    assert_eq!(told, [("dev", 70), ("qa", 60)]);
    let diff = ["skill", "diff", "s", "test-coverage", "--iter", "1..2"];
    house.run(&diff).exit(2).says("say which");
    let changes = house.run(&[&diff[..], &["--agent", "dev"]].concat()).ok().json();
    assert_eq!(changes, json!([{"path": "/coverage", "op": "changed", "before": 50, "after": 70}]));
    house.run(&["skill", "diff", "s", "test-coverage", "--iter", "1..9", "--agent", "qa"]).exit(3);
    let found = house.run(&["check-skill-evidence", "s", "test-coverage,lint"]).exit(1).json();
    assert_eq!((&found["missing"], &found["found"]), (&json!(["lint"]), &json!(["test-coverage"])));
    house.run(&["check-skill-evidence", "s", "test-coverage", "--since", "10"]).ok();
}

#[test]
fn r045_r046_events_of_ones_own_are_stored_once_and_found() {
    let house = House::new();
    let save = |payload: &str| {
        let args =
            ["save-event", "s", "reasoning_handoff", payload, "--idempotency-key", "k", "--group-id", "AUTH"];
        house.run(&args).ok().json()
    };
    let (first, again) = (save(r#"{"to":"qa"}"#), save(r#"{"to":"qa"}"#));
    assert_eq!((first["known"].as_bool(), again["known"].as_bool()), (Some(false), Some(true)));
    assert_eq!(first["event"], again["event"]);
    house.run(&["save-event", "s", "Scope Change", "[1,2]"]).ok();
    let found = house.run(&["get-events", "s"]).ok().json();
    let names: Vec<&str> = found.as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Scope Change", "reasoning_handoff"]);
    let one = house.run(&["get-events", "s", "reasoning_handoff"]).ok().json();
    assert_eq!((&one[0]["payload"], &one[0]["kind"]), (&json!({"to": "qa"}), &json!("x.reasoning_handoff")));
    assert_eq!(house.run(&["get-events", "s", "Scope Change", "1"]).ok().json()[0]["payload"], json!([1, 2]));
    house.run(&["save-event", "s", "audit.erased", "{}"]).exit(2);
    house.feed(&["spawned", "s", "AUTH", "qa_expert", "-"], "## Prior Agent Reasoning\nread this").ok();
    house.run(&["search", "session:s \"Prior Reasoning\""]).exit(1);
    let found = house.run(&["stream-logs", "s", "--search", "\"Prior Agent Reasoning\""]).ok().text();
    assert!(found.contains("agent.spawned"), "{found}");
}

#[test]
fn interactions_tokens_and_packages_are_kept() {
    let house = House::new();
    for text in ["first", "second", "third"] {
        house.run(&["log-interaction", "s", "developer", text, "--iteration", "2"]).ok();
    }
    let logs = house.run(&["stream-logs", "s", "2", "1"]).ok().text();
    assert!(logs.contains("> first") && logs.contains("> second") && !logs.contains("third"), "{logs}");
    house.run(&["log-tokens", "s", "developer", "120"]).ok();
    house.run(&["log-tokens", "s", "developer", "30", "dev-1"]).ok();
    let tokens = house.run(&["stats", "tokens", "s", "--json", "--tokenizer", "bytes4"]).ok().json();
    assert_eq!(tokens["reported"], json!({"by": {"developer": 150}, "total": 150}));
    let save = |priority: &str, summary: &str| {
        let args = [
            "save-context-package",
            "s",
            "G",
            "research",
            "r.md",
            "re",
            "[\"developer\",\"qa\"]",
            priority,
            summary,
        ];
        house.run(&args).ok().json()["event"].as_str().unwrap().to_owned()
    };
    let (low, high) = (save("low", "a"), save("critical", "b"));
    let list = |agent: &str| -> Vec<String> {
        let found = house.run(&["get-context-packages", "s", "G", agent]).ok().json();
        found.as_array().unwrap().iter().map(|p| p["event"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(list("dev"), [high.clone(), low.clone()]);
    house.run(&["mark-context-consumed", &high, "developer"]).ok();
    house.run(&["mark-context-consumed", &high, "developer"]).exit(1);
    house.run(&["mark-context-consumed", &high, "tech_lead"]).exit(1);
    assert_eq!(list("developer"), [low]);
    assert_eq!(list("qa_expert").len(), 2);
    house
        .run(&["save-context-package", "s", "G", "reserch", "r", "re", "qa", "low", "x"])
        .exit(2)
        .says("research");
}
