//! Another tool's commands, beside the tool itself: the same calls to both, the same shapes from both.
//!
//! The original is found by `RECOUNT_PYTHON`, a Python that has the package `bazinga-cli`; without one the tests
//! beside it say that they are skipped, and in CI they fail.

mod calls;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::house::{House, PROGRAM, Ran, files_under};
use calls::{CALLS, Call};

/// The Python with the peers, if there is one.
pub(crate) fn python() -> Option<String> {
    let python = std::env::var("RECOUNT_PYTHON").ok();
    if python.is_none() {
        assert!(std::env::var_os("CI").is_none(), "CI needs RECOUNT_PYTHON");
        println!("skipped: RECOUNT_PYTHON names no Python with the packages bazinga-cli and mcp");
    }
    python
}

/// The original's script.
fn original(python: &str) -> PathBuf {
    let asked = Command::new(python).args(["-c", "import sys; print(sys.prefix)"]).output().unwrap();
    let prefix = String::from_utf8(asked.stdout).unwrap();
    let script = "share/bazinga_cli/.claude/skills/bazinga-db/scripts/bazinga_db.py";
    PathBuf::from(prefix.trim()).join(script)
}

/// Calls the original, over a database in the house.
fn theirs(house: &House, python: &str, script: &Path, args: &[String]) -> Ran {
    let mut command = Command::new(python);
    house.settle(&mut command);
    // it changes to a folder of its own
    let database = house.path("here").join("theirs.db");
    command.arg(script).arg("--db").arg(database).args(args);
    Ran::new(args, command.output().unwrap())
}

/// What a call prints besides its lines for people.
fn printed(ran: &Ran) -> Value {
    let text = ran.text();
    let from = text.lines().position(|line| line.starts_with(['{', '[']) || line == "null");
    let Some(from) = from else { return Value::Null };
    let json: String = text.lines().skip(from).map(|line| format!("{line}\n")).collect();
    serde_json::from_str(&json).unwrap_or(Value::String(text))
}

/// Names and types, without values.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) => "flag".into(),
        Value::Number(_) => "number".into(),
        Value::String(_) => "text".into(),
        // within one second the original has no order
        Value::Array(items) => {
            let mut shapes: Vec<Value> = items.iter().map(shape).collect();
            shapes.sort_by_key(Value::to_string);
            shapes.into()
        }
        Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), shape(value))).collect(),
    }
}

/// Fills in what earlier calls answered: `$package_id`.
fn filled(args: &[&str], answers: &BTreeMap<String, String>) -> Vec<String> {
    let fill = |arg: &&str| {
        arg.strip_prefix('$').and_then(|name| answers.get(name)).cloned().unwrap_or((*arg).to_owned())
    };
    args.iter().map(fill).collect()
}

/// Keeps the scalars of an answer for later calls.
fn keep(answers: &mut BTreeMap<String, String>, value: &Value) {
    for (name, value) in value.as_object().into_iter().flatten() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        answers.insert(name.clone(), text);
    }
}

/// Leaves out of ours what the call's row says that we add.
fn without(mut value: Value, more: &[&str]) -> Value {
    if let Some(map) = value.as_object_mut() {
        map.retain(|name, _| !more.contains(&name.as_str()));
    }
    value
}

fn compare(call: &Call, ours: &Ran, theirs: &Ran) {
    let said = || {
        format!(
            "{:?}\nours {:?}: {}\n{}\ntheirs {:?}: {}\n{}",
            call.args,
            ours.code,
            ours.text(),
            ours.err,
            theirs.code,
            theirs.text(),
            theirs.err
        )
    };
    let expected = if call.lost { Some(1) } else { theirs.code };
    assert_eq!(ours.code, expected, "{}", said());
    let (ours_shape, theirs_shape) = (shape(&without(printed(ours), call.more)), shape(&printed(theirs)));
    assert_eq!(ours_shape, theirs_shape, "{}", said());
}

#[test]
fn the_same_calls_have_the_same_shapes() {
    let Some(python) = python() else { return };
    let script = original(&python);
    let house = House::new();
    let (mut of_ours, mut of_theirs) = (BTreeMap::new(), BTreeMap::new());
    for call in CALLS {
        let args = filled(call.args, &of_ours);
        let words: Vec<String> =
            ["bazinga-db", "--db", "x.db"].map(str::to_owned).into_iter().chain(args).collect();
        let ours = house.run(&words);
        if call.refused {
            assert!(ours.code == Some(2) && !ours.err.is_empty(), "{:?} {}", call.args, ours.text());
            continue;
        }
        let theirs = theirs(&house, &python, &script, &filled(call.args, &of_theirs));
        compare(call, &ours, &theirs);
        keep(&mut of_ours, &printed(&ours));
        keep(&mut of_theirs, &printed(&theirs));
    }
    house.run(&["verify"]).ok();
}

fn db(house: &House, args: &[&str]) -> Ran {
    house.run(&[&["bazinga-db", "--quiet"], args].concat())
}

#[test]
fn every_call_answers_without_the_original_too() {
    let house = House::new();
    let mut answers = BTreeMap::new();
    for call in CALLS {
        let args = filled(call.args, &answers);
        let ran = house.run(&["bazinga-db".to_owned()].into_iter().chain(args).collect::<Vec<_>>());
        assert_eq!(ran.code == Some(2), call.refused, "{:?} {}", call.args, ran.err);
        keep(&mut answers, &printed(&ran));
    }
}

/// Commands that the original on the registry has not, and documents: they have tests of their own below.
/// `extract-strategies` of the original asks a table that it never makes.
const ELSEWHERE: &[&str] = &[
    "complete-session",
    "check-skill-evidence",
    "save-investigation-iteration",
    "stream-logs",
    "extract-strategies",
];

#[test]
fn every_command_is_called() {
    let help = House::bare().run(&["bazinga-db", "--help"]).ok().text();
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let names = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        let called = CALLS.iter().any(|call| call.args[0] == name && !call.refused);
        assert!(called || ELSEWHERE.contains(&name), "{name} is never called");
    }
}

#[test]
fn strategies_are_extracted_from_what_a_group_thought() {
    let house = House::new();
    for (phase, text) in [("completion", "it works"), ("approach", "small steps"), ("risks", "none")] {
        db(&house, &["save-reasoning", "s", "G", "developer", phase, text]).ok();
    }
    let done = db(&house, &["extract-strategies", "s", "G", "p", "--lang", "rust"]).ok().json();
    assert_eq!(done["extracted_count"], 2);
    let found = db(&house, &["get-strategies", "p"]).ok().json();
    let mut found: Vec<(String, String)> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["topic"].as_str().unwrap().to_owned(), row["insight"].as_str().unwrap().to_owned()))
        .collect();
    found.sort();
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(found, [pair("implementation", "it works"), pair("methodology", "small steps")]);
    // again: each counts for more, none is doubled
    db(&house, &["extract-strategies", "s", "G", "p", "--lang", "rust"]).ok();
    let again = db(&house, &["get-strategies", "p"]).ok().json();
    assert!(again.as_array().unwrap().iter().all(|row| row["helpfulness"] == 2), "{again}");
    assert_eq!(db(&house, &["extract-strategies", "nobody", "G", "p"]).ok().json()["extracted_count"], 0);
}

#[test]
fn a_query_reads_and_nothing_else() {
    let house = House::new();
    db(&house, &["log-interaction", "s", "developer", "hello 'there'", "1"]).ok();
    let rows = db(&house, &["query", "SELECT content, iteration FROM orchestration_logs"]).ok().json();
    assert_eq!(rows, json!([{"content": "hello 'there'", "iteration": 1}]));
    let endless = "SELECT count(*) FROM (WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t)";
    for bad in
        ["SELECT 1; DROP TABLE sessions", "SELECT load_extension('x')", "SELECT writefile('x', 'y')", endless]
    {
        db(&house, &["query", bad]).exit(2);
    }
    assert_eq!(db(&house, &["integrity-check"]).ok().json()["ok"], true);
    let path = house.session("s").join("0000000000.ndjson");
    let text = std::fs::read_to_string(&path).unwrap().replace("hello", "hallo");
    std::fs::write(&path, text).unwrap();
    let damaged = db(&house, &["integrity-check"]).exit(1).json();
    assert!(damaged["ok"] == false && damaged["details"].as_str().unwrap().contains("issues"), "{damaged}");
}

#[test]
fn a_session_is_completed_and_opened_again() {
    let house = House::new();
    db(&house, &["create-session", "s", "simple", "Do it"]).ok();
    db(&house, &["complete-session", "s"]).ok();
    let done = db(&house, &["get-session", "s"]).ok().json();
    assert!(done["status"] == "completed" && done["end_time"].is_string(), "{done}");
    db(&house, &["update-session-status", "s", "active"]).ok();
    let open = db(&house, &["get-session", "s"]).ok().json();
    assert!(open["status"] == "active" && open["end_time"].is_null(), "{open}");
}

#[test]
fn the_name_of_the_program_is_the_command() {
    let house = House::bare();
    let link = house.path("here").join("bazinga-db");
    std::os::unix::fs::symlink(PROGRAM, &link).unwrap();
    let mut command = Command::new(&link);
    house.settle(&mut command);
    let ran = command.args(["--quiet", "create-session", "s1", "simple", "Do it"]).output().unwrap();
    let made: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((&made["session_id"], &made["status"]), (&json!("s1"), &json!("active")));
}

#[test]
fn quiet_drops_the_lines_for_people_and_nothing_else() {
    let house = House::new();
    let loud = house.run(&["bazinga-db", "create-session", "s1", "simple", "Do it"]).ok();
    assert!(loud.text().starts_with("✓ Session created: s1\n{"));
    assert!(db(&house, &["create-session", "s1", "simple", "Do it"]).ok().text().starts_with('{'));
    assert_eq!(db(&house, &["save-state", "s1", "pm", "{}"]).ok().text(), "");
}

#[test]
fn a_beginning_of_a_name_is_no_name() {
    let house = House::new();
    db(&house, &["save-state", "session-12345", "pm", "{\"a\":1}"]).ok();
    assert_eq!(db(&house, &["get-state", "session-1234", "pm"]).ok().json(), Value::Null);
    db(&house, &["get-session", "session-1234"]).exit(1).says("Session not found");
    db(&house, &["get-session", "session-12345"]).ok();
}

#[test]
fn what_is_large_goes_in_by_standard_input_and_comes_out_whole() {
    let house = House::new();
    let text = json!({"rows": "Ωx".repeat(600_000)});
    house.feed(&["bazinga-db", "save-state", "s", "pm", "-"], text.to_string()).ok();
    assert!(db(&house, &["get-state", "s", "pm"]).ok().json() == text, "not what was saved");
}

#[test]
fn counts_come_from_events_so_that_no_race_loses_one() {
    let house = House::new();
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let calls: Vec<_> = (0..5)
                .flat_map(|n| {
                    let (own, text) = (format!("w{writer}"), format!("said {writer}.{n}"));
                    [
                        vec!["log-tokens".to_owned(), "s".to_owned(), own.clone(), "10".to_owned()],
                        vec![
                            "save-strategy".to_owned(),
                            "p".to_owned(),
                            "general".to_owned(),
                            "one insight".to_owned(),
                        ],
                        vec![
                            "save-error-pattern".to_owned(),
                            "p".to_owned(),
                            "E".to_owned(),
                            "x".to_owned(),
                            "y".to_owned(),
                        ],
                        vec!["log-interaction".to_owned(), "s".to_owned(), own.clone(), text.clone()],
                        vec![
                            "save-reasoning".to_owned(),
                            "s".to_owned(),
                            "G".to_owned(),
                            own,
                            "pivot".to_owned(),
                            text,
                        ],
                        vec![
                            "save-skill-output".to_owned(),
                            "s".to_owned(),
                            "lint".to_owned(),
                            n.to_string(),
                        ],
                    ]
                })
                .collect();
            let mut commands: Vec<Command> = calls
                .into_iter()
                .map(|args| {
                    house.command(
                        &["bazinga-db".to_owned(), "--quiet".to_owned()]
                            .into_iter()
                            .chain(args)
                            .collect::<Vec<_>>(),
                    )
                })
                .collect();
            std::thread::spawn(move || {
                for command in &mut commands {
                    let output = command.output().unwrap();
                    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                }
            })
        })
        .collect();
    for writer in writers {
        writer.join().unwrap();
    }
    assert_eq!(db(&house, &["token-summary", "s"]).ok().json()["total"], 400);
    assert_eq!(db(&house, &["get-strategies", "p"]).ok().json()[0]["helpfulness"], 40);
    let patterns = db(&house, &["get-error-patterns", "p", "--min_confidence", "0"]).ok().json();
    assert_eq!((patterns.as_array().unwrap().len(), &patterns[0]["occurrences"]), (1, &json!(40)));
    assert_eq!(db(&house, &["stream-logs", "s", "1000"]).ok().text().matches("said ").count(), 80);
    assert_eq!(
        db(&house, &["get-reasoning", "s", "--limit", "99"]).ok().json().as_array().unwrap().len(),
        40
    );
    let outputs = db(&house, &["get-skill-output-all", "s", "lint"]).ok().json();
    let ranks: Vec<u64> =
        outputs.as_array().unwrap().iter().map(|row| row["iteration"].as_u64().unwrap()).collect();
    assert_eq!(ranks, (1..=40).rev().collect::<Vec<_>>());
    house.run(&["verify"]).ok();
}

#[test]
fn latest_is_latest_however_fast_it_came() {
    let house = House::new();
    for n in 1..=5 {
        db(&house, &["save-state", "s", "pm", &n.to_string()]).ok();
        let saved =
            db(&house, &["save-skill-output", "s", "lint", &n.to_string(), "--agent", "dev"]).ok().json();
        assert_eq!(saved["iteration"], n);
        db(&house, &["save-reasoning", "s", "G", "dev", "pivot", &format!("thought {n}")]).ok();
        db(&house, &["save-event", "s", "round", &n.to_string()]).ok();
    }
    assert_eq!(db(&house, &["get-state", "s", "pm"]).ok().json(), 5);
    assert_eq!(db(&house, &["get-skill-output", "s", "lint"]).ok().json(), 5);
    let all = db(&house, &["get-skill-output-all", "s", "lint"]).ok().json();
    let ranks: Vec<u64> =
        all.as_array().unwrap().iter().map(|row| row["iteration"].as_u64().unwrap()).collect();
    assert_eq!(ranks, [5, 4, 3, 2, 1]);
    let newest = &db(&house, &["get-reasoning", "s", "--limit", "1"]).ok().json()[0];
    assert_eq!(newest["content"], "thought 5");
    let oldest = &db(&house, &["reasoning-timeline", "s"]).ok().json()[0];
    assert_eq!(oldest["content"], "thought 1");
    assert_eq!(db(&house, &["get-events", "s", "round", "1"]).ok().json()[0]["event_payload"], "5");
}

#[test]
fn reasoning_goes_in_by_argument_file_and_standard_input() {
    let house = House::new();
    let text = "é☃ a long thought\n".repeat(120_000);
    let file = house.path("here").join("thought.txt");
    std::fs::write(&file, &text).unwrap();
    let args = ["bazinga-db", "--quiet", "save-reasoning", "s", "G", "dev", "approach"];
    house.feed(&[&args[..], &["-"]].concat(), &text).ok();
    let saved = house.run(&[&args[..], &["--content-file", "thought.txt"]].concat()).ok().json();
    assert_eq!(saved["content_length"], text.chars().count());
    for row in db(&house, &["get-reasoning", "s"]).ok().json().as_array().unwrap() {
        assert!(row["content"] == text.as_str(), "not what was saved");
    }
    let long = "x".repeat(128 * 1024 - 1);
    house.run(&[&args[..], &[&long]].concat()).ok();
    house.run(&[&args[..], &["text", "--content-file", "thought.txt"]].concat()).exit(2).says("given twice");
    house.run(&[&args[..], &["--content-file", "none.txt"]].concat()).exit(74);
    house.run(&args).exit(2).says("the content is missing");
}

#[test]
fn secrets_are_taken_out_of_everything_that_is_saved() {
    let house = House::new();
    let secret = "ghp_x7Qm2LpZ9vTb4RkWn8YsEc3HdFj6GaUo1iKe";
    let json = format!("{{\"note\": \"{secret}\"}}");
    let list = format!("[\"src/{secret}.py\"]");
    let path = format!("bazinga/artifacts/s/{secret}.md");
    let calls: &[&[&str]] = &[
        &["create-session", "s", "simple", secret, "--metadata", &json],
        &["save-reasoning", "s", "G", "dev", "approach", secret, "--references", &list],
        &["save-skill-output", "s", "lint", &json],
        &["save-event", "s", "told", &json, "--idempotency-key", secret],
        &["log-interaction", "s", "dev", secret],
        &["create-task-group", "G", "s", secret, "pending", secret],
        &[
            "save-context-package",
            "s",
            "G",
            "research",
            &path,
            "developer",
            "[\"developer\"]",
            "high",
            secret,
        ],
        &["save-state", "s", "pm", &json],
        &["save-error-pattern", "p", "E", secret, secret],
        &["save-strategy", "p", "general", secret],
        &["log-tokens", "s", secret, "1"],
    ];
    for call in calls {
        let ran = db(&house, call).ok();
        let own_words = matches!(call[0], "save-context-package" | "log-interaction" | "log-tokens");
        assert!(own_words || !ran.text().contains(secret), "{call:?}\n{}", ran.text());
    }
    assert_eq!(db(&house, &["save-event", "s", "told", &json]).ok().json()["redacted"], true);
    for file in files_under(&house.path("")) {
        let bytes = std::fs::read(&file).unwrap();
        let found = bytes.windows(12).any(|window| window == &secret.as_bytes()[4..16]);
        assert!(!found, "{}", file.display());
    }
}

#[test]
fn an_event_is_saved_once_under_its_key() {
    let house = House::new();
    let save = |payload: &str, group: &str| {
        let args =
            ["save-event", "s", "tl_issues", payload, "--idempotency-key", "s|G|1", "--group-id", group];
        db(&house, &args).ok().json()
    };
    let first = save("{\"n\":1}", "G");
    let again = save("{\"n\":2}", "G");
    assert_eq!((&again["event_id"], &again["idempotent"]), (&first["event_id"], &json!(true)));
    assert!(first["idempotent"].is_null() && save("{\"n\":1}", "H")["idempotent"].is_null());
    assert_eq!(db(&house, &["get-events", "s"]).ok().json().as_array().unwrap().len(), 2);
}

#[test]
fn a_round_of_an_investigation_is_a_state_and_an_event_or_nothing() {
    let house = House::new();
    std::fs::write(house.path("here").join("state.json"), "{\"open\":[1]}").unwrap();
    std::fs::write(house.path("here").join("event.json"), "{\"found\":\"x\"}").unwrap();
    std::fs::write(house.path("here").join("bad.json"), "{").unwrap();
    let round = |n: &str, event: &str| {
        db(
            &house,
            &[
                "save-investigation-iteration",
                "s",
                "G",
                n,
                "under_investigation",
                "--state-file",
                "state.json",
                "--event_file",
                event,
            ],
        )
    };
    round("1", "bad.json").exit(2).says("--event-file is not JSON");
    assert_eq!(db(&house, &["get-state", "s", "investigation"]).ok().json(), Value::Null);
    let first = round("1", "event.json").ok().json();
    assert_eq!((&first["atomic"], &first["idempotent"]), (&json!(true), &json!(false)));
    assert_eq!(round("1", "event.json").ok().json()["idempotent"], true);
    assert_eq!(db(&house, &["get-state", "s", "investigation"]).ok().json(), json!({"open": [1]}));
    assert_eq!(
        db(&house, &["get-events", "s", "investigation_iteration"]).ok().json().as_array().unwrap().len(),
        1
    );
}

#[test]
fn evidence_of_a_skill_is_looked_for_in_a_window_of_time() {
    let house = House::new();
    db(&house, &["save-skill-output", "s", "lint", "{}", "--agent", "dev"]).ok();
    let found = db(&house, &["check-skill-evidence", "s", "lint,coverage", "--agent", "dev"]).exit(1).json();
    assert_eq!((&found["found"], &found["missing"]), (&json!(["lint"]), &json!(["coverage"])));
    assert_eq!((&found["complete"], &found["recency_window_minutes"]), (&json!(false), &json!(30)));
    db(&house, &["check-skill-evidence", "s", "lint", "--since", "5"]).ok();
    db(&house, &["check-skill-evidence", "s", "lint", "--agent", "qa"]).exit(1);
    db(&house, &["check-skill-evidence", "s", ","]).exit(2);
}

#[test]
fn documents_cannot_be_broken_by_what_is_in_them() {
    let house = House::new();
    db(&house, &["save-reasoning", "s", "G", "dev", "approach", "a | b\n```\n# Obey"]).ok();
    let document = db(&house, &["reasoning-timeline", "s", "--format", "markdown"]).ok().text();
    assert!(document.contains("## Group: G") && document.contains("\n> # Obey\n"), "{document}");
    let prompt = db(&house, &["get-reasoning", "s", "--format", "prompt-summary"]).ok().text();
    assert!(prompt.contains("| dev | approach | - | a \\| b ``` # Obey |"), "{prompt}");
    let none = db(&house, &["get-reasoning", "nobody", "--format", "prompt-summary"]).ok().text();
    assert_eq!(none, "No previous reasoning found for this context.\n");
}

#[test]
fn a_group_that_is_changed_keeps_what_was_not_named() {
    let house = House::new();
    let first = [
        "create-task-group",
        "G",
        "s",
        "Name",
        "--item-count",
        "5",
        "--initial_tier",
        "Senior Software Engineer",
    ];
    db(&house, &first).ok();
    db(&house, &["create-task-group", "G", "s", "Other name", "in_progress"]).ok();
    let row = &db(&house, &["get-task-groups", "s"]).ok().json()[0];
    assert_eq!(
        (&row["name"], &row["status"], &row["item_count"]),
        (&json!("Other name"), &json!("in_progress"), &json!(5))
    );
    assert_eq!(row["initial_tier"], "Senior Software Engineer");
    let refused =
        db(&house, &["update-task-group", "H", "s", "--status", "failed", "--auto_create", "false"]).exit(1);
    refused.says("Task group not found");
    let made = db(&house, &["update-task-group", "H", "s", "--complexity", "7"]).ok().json();
    assert_eq!(
        (&made["task_group"]["name"], &made["task_group"]["complexity"]),
        (&json!("Task Group H"), &json!(7))
    );
}

#[test]
fn an_import_of_the_database_is_what_the_commands_read() {
    let Some(python) = python() else { return };
    let house = House::new();
    let script = original(&python);
    let theirs = |args: &[String]| theirs(&house, &python, &script, args);
    let mut answers = BTreeMap::new();
    for call in CALLS.iter().filter(|call| !call.refused && !call.args[0].starts_with("get-")) {
        let ran = theirs(&filled(call.args, &answers));
        keep(&mut answers, &printed(&ran));
    }
    let before = std::fs::read(house.path("here").join("theirs.db")).unwrap();
    let report = house.run(&["import", "--json", "./theirs.db"]).ok().json();
    assert!(report["total"]["stored"].as_u64().unwrap() > 10, "{report}");
    let again = house.run(&["import", "--json", "./theirs.db"]).ok().json();
    assert_eq!((&again["total"]["stored"], &again["total"]["raw"]), (&json!(0), &json!(0)));
    assert!(
        std::fs::read(house.path("here").join("theirs.db")).unwrap() == before,
        "the database was written"
    );
    // what names an entry is numbered anew, and patterns are named by what is stored of them
    for question in calls::QUESTIONS {
        let words: Vec<String> = question.iter().map(|word| (*word).to_owned()).collect();
        let (ours, theirs) = (db(&house, question), theirs(&words));
        assert_eq!(ours.code, theirs.code, "{question:?}\n{}\n{}", ours.text(), theirs.text());
        let (ours, theirs) = (printed(&ours), printed(&theirs));
        assert_eq!(plain(&ours), plain(&theirs), "{question:?}");
    }
    house.run(&["verify"]).ok();
}

/// Without what differs between two stores of the same events.
fn plain(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().into(),
        Value::Object(map) => {
            let same = |name: &String| !matches!(name.as_str(), "id" | "pattern_hash" | "redacted");
            map.iter()
                .filter(|(name, _)| same(name))
                .map(|(name, value)| (name.clone(), plain(value)))
                .collect()
        }
        // some of its times are written with a T and fractions, others are not
        Value::String(text) if text.len() > 19 && text.as_bytes()[10] == b'T' => {
            text[..19].replace('T', " ").into()
        }
        other => other.clone(),
    }
}
