//! Hooks and growing transcripts: what both tell is told once, whatever comes first; no agent is ever stopped.

mod capture;
mod script;
mod settings;

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::house::{House, Ran, files_under};
use script::{SESSION, Step, script};

/// Feeds a hook; it must be silent and well.
fn fire(house: &House, agent: &str, payload: impl AsRef<[u8]>) {
    silent(&house.feed(&["hook", agent], payload), agent);
}

#[track_caller]
fn silent(ran: &Ran, what: &str) {
    assert_eq!((ran.code, ran.text(), &*ran.err), (Some(0), String::new(), ""), "{what}");
}

/// What is told of a session: (kind, agent, label, text), and how often.
fn told(house: &House, session: &str) -> BTreeMap<[String; 4], usize> {
    let rows = house.run(&["timeline", session, "--json"]).ok().json();
    let word = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let mut told = BTreeMap::new();
    for row in rows["rows"].as_array().unwrap() {
        assert_eq!(row["conflict"], json!(false), "{row}");
        let mut names = ["kind", "agent", "label", "text"].map(|name| word(row, name));
        // whose id it got is known to who comes late
        if names[0] == "agent.spawned" {
            names[2].clear();
        }
        // how a session came to be known is not what happened in it
        if !names[0].starts_with("session.") {
            *told.entry(names).or_default() += 1;
        }
    }
    told
}

/// Does the steps in this order, and takes the transcripts in after each line that `imports` says.
fn play(steps: &[Step], imports: &dyn Fn(usize) -> bool) -> House {
    let house = House::bare();
    let folder = house.path("home").join(".claude/projects/-w");
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Hook(payload) => fire(&house, "claude-code", payload.to_string()),
            Step::Line(file, record) => {
                let file = folder.join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                let mut text = fs::read_to_string(&file).unwrap_or_default();
                text.push_str(&format!("{record}\n"));
                fs::write(&file, text).unwrap();
            }
        }
        if imports(at) && folder.is_dir() {
            if !house.store().join("journal/STORE").exists() {
                house.run(&["init"]).ok();
            }
            house.run(&["import", "claude-code"]).ok();
        }
    }
    house
}

/// Searching finds each thing once, in the journal and in the index, which are the same.
fn found_once(house: &House) {
    for (query, kind) in [
        ("kind:message.recorded \"list the files\"", "message.recorded"),
        ("kind:skill.invoked quokka", "skill.invoked"),
        ("kind:skill.returned wombat", "skill.returned"),
        ("\"There is one file\"", "message.recorded"),
    ] {
        let scan = house.run(&["search", query, "--no-index", "--json"]).ok().json();
        let kinds: Vec<_> = scan["hits"].as_array().unwrap().iter().map(|hit| hit["kind"].clone()).collect();
        assert_eq!(kinds, [kind], "{query}: {scan}");
        let index = house.run(&["search", query, "--json"]).ok().json();
        assert_eq!(
            (&index["total"], &index["hits"][0]["event"]),
            (&json!(1), &scan["hits"][0]["event"]),
            "{query}"
        );
    }
}

#[test]
fn a_session_through_hooks_and_its_transcript_is_told_once_in_any_order() {
    let steps = script();
    let is_hook = |step: &&Step| matches!(step, Step::Hook(_));
    let hooks: Vec<Step> = steps.iter().filter(is_hook).cloned().collect();
    let lines: Vec<Step> = steps.iter().filter(|step| !is_hook(step)).cloned().collect();
    let never = |_: usize| false;
    let (after, before) = ([hooks.clone(), lines.clone()].concat(), [lines.clone(), hooks.clone()].concat());
    let last = steps.len() - 1;
    let houses = [
        ("hooks first", play(&after, &|at| at == last)),
        ("transcript first", play(&before, &|at| at == lines.len() - 1)),
        ("transcript twice", play(&before, &|at| at == lines.len() - 1 || at == last)),
        ("interleaved", play(&steps, &|_| true)),
        ("every third", play(&steps, &|at| at % 3 == 0 || at == last)),
    ];
    let expected = script::expected();
    for (name, house) in &houses {
        let told = told(house, SESSION);
        assert_eq!(told, expected, "{name}");
        found_once(house);
        house.run(&["reindex"]).ok();
        found_once(house);
        house.run(&["verify", "--index"]).ok();
        let row = house.run(&["sessions", "--json"]).ok().json()["sessions"][0].clone();
        let kinds = |kind: &str| {
            expected.iter().filter(|(names, _)| names[0] == kind).map(|(_, n)| *n as u64).sum::<u64>()
        };
        for kind in ["skill.invoked", "skill.returned", "message.recorded", "agent.started", "agent.stopped"]
        {
            assert_eq!(row["kinds"][kind], json!(kinds(kind)), "{name}: {kind}");
        }
    }
    // hooks alone tell who, when and what, and nothing twice
    let alone = play(&hooks, &never);
    let told = told(&alone, SESSION);
    assert!(told.keys().any(|names| names[0] == "skill.returned" && names[3].contains("wombat")), "{told:?}");
    assert_eq!(
        told.iter().find(|(_, n)| **n > 1).map(|(names, n)| (names[3].clone(), *n)),
        Some(("continue".to_owned(), 2))
    );
}

#[test]
fn nothing_that_a_hook_is_fed_stops_an_agent() {
    let house = House::bare();
    let deep = format!("{{\"session_id\":\"s\",\"hook_event_name\":\"Stop\",\"x\":{}", "[".repeat(200_000));
    let huge = json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "quux ".repeat(2_000_000)});
    let payloads: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"\n".to_vec(),
        b"null".to_vec(),
        b"{".to_vec(),
        b"\xff\xfe\x00{\"a\":1}".to_vec(),
        b"{\"session_id\":\"s\",\"hook_event_name\":\"Stop\",\"x\":\"\xc3\x28\"}".to_vec(),
        br#"{"session_id":12345,"cwd":null,"hook_event_name":"PostToolUse","tool_input":"x"}"#.to_vec(),
        br#"{"hook_event_name":"PreToolUse","tool_name":"Bash"}"#.to_vec(),
        br#"{"session_id":"../../etc/passwd","hook_event_name":"Stop"}"#.to_vec(),
        br#"{"session_id":"s","hook_event_name":"NeverHeardOf","deep":{"a":[1e400]}}"#.to_vec(),
        br#"{"session_id":"s","hook_event_name":"Stop","n":123456789012345678901234567890}"#.to_vec(),
        br#"{"session_id":"\ud800","hook_event_name":"Stop"}"#.to_vec(),
        deep.into_bytes(),
        huge.to_string().into_bytes(),
    ];
    for agent in ["claude-code", "codex", "gemini"] {
        for payload in &payloads {
            fire(&house, agent, payload);
        }
    }
    house.run(&["verify"]).ok();
    let strange = house.run(&["timeline", "hooks-claude-code", "--json"]).ok().json();
    assert!(strange["rows"].as_array().unwrap().iter().any(|row| row["kind"] == "raw.kept"), "{strange}");
    // nothing can be written: no store, no keys, no log
    for (name, value) in [("RECOUNT_STORE", "/proc/none"), ("XDG_CONFIG_HOME", "/proc/none")] {
        let fed = |args: &[&str]| {
            let mut command = house.command(args);
            command.env(name, value).env("XDG_STATE_HOME", "/proc/none");
            crate::house::finish(args, command, script::stop("s9").to_string().as_bytes())
        };
        silent(&fed(&["hook", "claude-code"]), name);
    }
    // the agent's folder is gone, and so is what it writes to
    let mut command = house.command(&["hook", "codex"]);
    command.stdin(Stdio::null());
    let output = command.output().unwrap();
    silent(&Ran::new(&["hook", "codex"], output), "no input");
    let gone = house.path("gone");
    fs::create_dir(&gone).unwrap();
    let mut command = std::process::Command::new("sh");
    house.settle(&mut command);
    let line = format!("cd {0} && rmdir {0} && exec {1} hook codex", gone.display(), crate::house::PROGRAM);
    command.args(["-c", &line]).stdout(Stdio::piped()).stderr(Stdio::piped());
    silent(&crate::house::finish(&["hook"], command, script::stop("s8").to_string().as_bytes()), "no folder");
    assert!(house.session("s8").is_dir());
}

#[test]
fn every_real_payload_is_taken_in() {
    let Some(corpus) = crate::corpus::corpus() else { return };
    let house = House::bare();
    let mut fed = 0;
    for file in files_under(&corpus.join("claude-hooks"))
        .iter()
        .filter(|file| file.extension().is_some_and(|e| e == "json"))
    {
        fire(&house, "claude-code", fs::read(file).unwrap());
        fed += 1;
    }
    assert!(fed > 25, "{fed} payloads");
    let rows = house.run(&["sessions", "--json"]).ok().json();
    let kinds = |session: &str| {
        let rows = rows["sessions"].as_array().unwrap().iter();
        rows.clone().find(|row| row["session"] == session).map(|row| row["kinds"].clone()).unwrap_or_default()
    };
    let known = kinds("00000000-0000-4000-8000-000000000000");
    assert!(known["raw.kept"].is_null(), "all events are known: {known}");
    assert_eq!(
        (&known["turn.ended"], &known["agent.stopped"], &known["permission.asked"]),
        (&json!(3), &json!(1), &json!(1))
    );
    assert_eq!(kinds("hooks-claude-code")["raw.kept"], json!(1), "session_id is a number once");
    house.run(&["verify"]).ok();
}

#[test]
fn hooks_at_once_lose_nothing() {
    let house = House::bare();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let house = &house;
            scope.spawn(move || {
                for n in 0..12 {
                    let id = format!("toolu_{thread:02}_{n:012}_x");
                    let payload = json!({"session_id": "busy", "hook_event_name": "PreToolUse", "tool_name": "Bash",
                        "tool_use_id": id, "tool_input": {"command": format!("echo {thread} {n}")}});
                    fire(house, "claude-code", payload.to_string());
                }
            });
        }
    });
    let invoked = house.events("busy").iter().filter(|event| event["kind"] == "skill.invoked").count();
    assert_eq!(invoked, 96);
    house.run(&["verify"]).ok();
}

#[test]
fn no_secret_that_a_hook_is_fed_reaches_a_file() {
    let house = House::bare();
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    let own = "zq9-Xk4-wombat-Lm2";
    for payload in [
        json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "toolu_01AbCdEfGhIjKlMn",
            "tool_input": {"command": format!("curl -H 'Authorization: Bearer {token}' https://{own}@x.example")}}).to_string(),
        format!("not json {token} {own}"),
        json!({"session_id": token, "hook_event_name": format!("Future {token}"), "prompt": own}).to_string(),
        json!({"session_id": "s", "hook_event_name": "Stop", "last_assistant_message": format!("it is {own}"), "x": token}).to_string(),
    ] {
        let mut command = house.command(&["hook", "claude-code"]);
        command.env("DEPLOY_PASSWORD", own);
        silent(&crate::house::finish(&["hook"], command, payload.as_bytes()), "secret");
    }
    for file in files_under(&house.path("")) {
        let bytes = fs::read(&file).unwrap();
        for secret in [token, own] {
            let found = memchr::memmem::find(&bytes, secret.as_bytes());
            assert_eq!(found, None, "{} has {secret}", file.display());
        }
    }
}
