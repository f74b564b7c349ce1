//! The doors of other programs: the commands of bazinga-db, and the tools of the server for agents.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use super::Doors;

/// Every command that saves something, with secrets wherever a text goes, and in the places of names.
pub(super) fn bazinga_db(doors: &mut Doors) {
    saves(doors);
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import/bazinga/input.db");
    doors.run(&["import", file.to_str().unwrap()]).ok();
    names(doors);
}

/// What investigators write: cases, saved searches, hits that go to a program.
pub(super) fn investigation(doors: &mut Doors) {
    for (what, args) in [
        ("case open", &["case", "open"][..]),
        ("case note", &["case", "note"]),
        ("case note about", &["case", "note", "case-1/1"]),
        ("case bookmark", &["case", "bookmark", "case-1/1"]),
        ("case verdict", &["case", "verdict", "--step", "case-1/1"]),
        ("case close", &["case", "close"]),
    ] {
        doors.planter.at(what);
        let story = doors.planter.story();
        doors.run(&[args, &[&story]].concat()).ok();
    }
    doors.planter.at("case note -");
    doors.run(&["case", "open", "another"]).ok();
    let story = doors.planter.story();
    doors.feed(&["case", "note", "-"], &story).ok();
    doors.planter.at("names that are no names");
    let word = doors.planter.token();
    for args in [
        &["case", "note", &word, "x"][..],
        &["case", "note", "x", "--mode", &word],
        &["case", "note", "x", "--case", &word],
        &["case", "show", &word],
        &["case", "export", &word],
        &["search", &word, "--of", &word],
        &["search", "x", "--at", &word],
        &["suspects", &word],
        &["gaps", &word],
        &["why", &word],
        &["known", &word, "--at", "case-1/1"],
        &["diff", &word, "case-1"],
        &["blame", &word],
        &["errors", &word],
        &["investigate", &word],
        &["open", &word],
        &["watch", &word, "--once"],
        &["watch", &format!("@{word}"), "--once"],
        &["watch", "is:erorr", "--once", "--exec", &word],
        &["watch", "kind:verdict", "--once", "--exec", &format!("/{word}")],
    ] {
        doors.run(args);
    }
    doors.planter.at("search --save");
    let (token, password) = (doors.planter.token(), doors.planter.password());
    for args in [
        ["search", "--save", "tokens", &token],
        ["search", "--save", "passwords", &format!("agent:dev \"password={password}\"")],
        ["search", "--save", &token, "agent:dev"],
    ] {
        doors.run(&args);
    }
    doors.planter.at("watch --exec");
    doors
        .run(&["watch", "kind:note OR kind:case OR kind:verdict", "--once", "--exec", "tee", "hits.json"])
        .ok();
    for args in [
        &["search", "--saved"][..],
        &["case", "list"],
        &["case", "show", "case-1"],
        &["case", "show", "case-1", "--json"],
        &["case", "export", "case-1"],
        &["case", "export", "case-1", "--format", "ndjson"],
        &["suspects", "case-1"],
        &["gaps", "flags"],
        &["known", "dev", "--at", "b/1", "--as-prompt"],
    ] {
        doors.run(args);
    }
}

fn call(doors: &mut Doors, args: &[&str]) {
    doors.planter.at(&format!("bazinga-db {}", args[0]));
    // a name that is a secret may be refused or found nowhere
    let ran = doors.run(&[&["bazinga-db"], args].concat());
    assert!(matches!(ran.code, Some(0..=2)), "{args:?} {}", ran.err);
}

#[allow(clippy::many_single_char_names, reason = "six stories, each as good as the other")]
fn saves(doors: &mut Doors) {
    doors.planter.at("bazinga-db");
    let mut story = || doors.planter.story();
    let [a, b, c, d, e, f] = std::array::from_fn(|_| story());
    let body = json!({"body": doors.planter.structure(), "note": doors.planter.token()}).to_string();
    let list = json!([format!("src/{}.py", doors.planter.token()), doors.planter.story()]).to_string();
    let word = doors.planter.token();
    for args in [
        &["create-session", "b", "simple", &a, "--metadata", &body, "--initial_branch", &word][..],
        &["save-reasoning", "b", "G", "dev", "approach", &b, "--references", &list, "--agent_id", &word],
        &["save-skill-output", "b", "lint", &body, "--agent", "dev"],
        &["save-event", "b", "told", &body, "--idempotency-key", &word],
        &["log-interaction", "b", "dev", &c, "1", &word],
        &["create-task-group", "G", "b", &d, "pending", &word, "--component-path", &word],
        &["update-task-group", "H", "b", "--name", &e],
        &[
            "save-context-package",
            "b",
            "G",
            "research",
            "bazinga/artifacts/b/f.md",
            "developer",
            "[\"developer\"]",
            "high",
            &f,
        ],
        &["save-state", "b", "pm", &body],
        &["save-error-pattern", "p", &word, &a, &b, "--context_hints", &list],
        &["save-strategy", "p", "general", &c, "--lang", &word],
        &["extract-strategies", "b", "G", "p", "--lang", &word],
        &["save-consumption", "b", "G", &word, "1", "5"],
        &["query", &format!("SELECT '{a}' AS x, content FROM orchestration_logs")],
        &["query", &d],
        &["log-tokens", "b", "dev", "5", &word],
    ] {
        call(doors, args);
    }
    for args in [&["save-reasoning", "b", "G", "dev", "pivot", "-"][..], &["save-state", "b", "pm", "-"]] {
        doors.planter.at(&format!("bazinga-db {}, standard input", args[0]));
        let text = json!(doors.planter.story()).to_string();
        doors.feed(&[&["bazinga-db"], args].concat(), &text).ok();
    }
    for args in [
        &["get-session", "b"][..],
        &["list-sessions", "1000"],
        &["get-reasoning", "b"],
        &["get-reasoning", "b", "--format", "prompt-summary"],
        &["reasoning-timeline", "b", "--format", "markdown"],
        &["get-skill-output-all", "b", "lint"],
        &["get-events", "b"],
        &["stream-logs", "b"],
        &["get-task-groups", "b"],
        &["get-context-packages", "b", "G", "developer"],
        &["get-state", "b", "pm"],
        &["token-summary", "b", "agent_id"],
        &["get-error-patterns", "p", "--min_confidence", "0"],
        &["get-strategies", "p"],
        &["get-consumption", "b"],
        &["dashboard-snapshot", "b"],
        &["query", "SELECT * FROM orchestration_logs"],
        &["query", "SELECT * FROM task_groups, skill_outputs, state_snapshots, token_usage"],
        &["integrity-check"],
        &["cleanup-error-patterns"],
    ] {
        call(doors, args);
    }
}

/// Secrets where names and words belong.
fn names(doors: &mut Doors) {
    let calls: &[&[&str]] = &[
        &["create-session", "$", "simple", "x"],
        &["create-session", "b", "$", "x"],
        &["create-session", "n", "simple", "x", "--metadata", "$"],
        &["get-session", "$"],
        &["update-session-status", "$", "failed"],
        &["update-session-status", "b", "$"],
        &["save-reasoning", "$", "G", "dev", "approach", "x"],
        &["save-reasoning", "b", "$", "dev", "approach", "x"],
        &["save-reasoning", "b", "G", "$", "approach", "x"],
        &["save-reasoning", "b", "G", "dev", "$", "x"],
        &["save-reasoning", "b", "G", "dev", "approach", "x", "--references", "$"],
        &["check-mandatory-phases", "$", "G", "$"],
        &["save-skill-output", "b", "$", "{}"],
        &["save-skill-output", "b", "lint", "$"],
        &["save-event", "b", "$", "{}"],
        &["log-tokens", "b", "$", "1"],
        &["log-tokens", "b", "dev", "$"],
        &["log-interaction", "$", "$", "x"],
        &["create-task-group", "$", "b", "x"],
        &["save-context-package", "b", "G", "research", "$", "developer", "[\"developer\"]", "high", "x"],
        &["save-context-package", "b", "G", "research", "x", "$", "$", "$", "x"],
        &["mark-context-consumed", "5", "$"],
        &["save-state", "b", "$", "{}"],
        &["save-strategy", "$", "$", "x"],
        &["save-error-pattern", "$", "E", "x", "y"],
        &["update-error-confidence", "$", "p", "success"],
        &["update-strategy-helpfulness", "$"],
        &["update-context-references", "G", "b", "[$]"],
        &["update-context-references", "$", "b", "[1]"],
        &["extract-strategies", "$", "$", "$"],
        &["cleanup-error-patterns", "$"],
        &["get-consumption", "$", "--agent_type", "$"],
        &["dashboard-snapshot", "$"],
        &["query", "SELECT * FROM $"],
        &["query", "SELECT '$' AS n, status FROM sessions"],
        &["query", "$"],
        &["$", "b"],
        &["get-reasoning", "b", "--$"],
    ];
    for args in calls {
        doors.planter.at(&format!("bazinga-db {args:?}"));
        let filled: Vec<String> = args.iter().map(|word| word.replace('$', &doors.planter.token())).collect();
        call(doors, &filled.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

/// Every tool, with secrets in every argument that is a text; tools that save get stories.
pub(super) fn mcp(doors: &mut Doors) {
    let mut child = doors.house.command(&["mcp"]).stdin(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut ask = |method: &str, params: Value| {
        writeln!(stdin, "{}", json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
            .unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        line
    };
    let begin = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
    ask("initialize", begin);
    let tools: Value = serde_json::from_str(&ask("tools/list", json!({}))).unwrap();
    for tool in tools["result"]["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let arguments = tool["inputSchema"]["properties"].as_object().unwrap();
        let known = |argument: &str| match argument {
            "session" => Some("b"),
            "event" => Some("b/1"),
            "group" => Some("G"),
            "agent" | "for" | "role" => Some("developer"),
            _ => None,
        };
        // once as it should be, once with a secret in the place of each name
        for spoilt in std::iter::once(None).chain(arguments.keys().map(Some)) {
            doors.planter.at(&format!("mcp {name}, {spoilt:?}"));
            let mut given = serde_json::Map::new();
            for (argument, schema) in arguments {
                let needed =
                    tool["inputSchema"]["required"].as_array().unwrap().iter().any(|n| n == argument);
                let value = match (schema["type"].as_str(), schema["enum"][0].as_str()) {
                    _ if spoilt == Some(argument) => json!(doors.planter.token()),
                    _ if !needed => continue,
                    (_, Some(word)) => json!(word),
                    (Some("string"), None) => {
                        known(argument).map_or_else(|| json!(doors.planter.story()), |word| json!(word))
                    }
                    (Some("array"), _) => json!([doors.planter.story()]),
                    (Some("integer"), _) => schema["minimum"].clone(),
                    _ => json!({"text": doors.planter.story()}),
                };
                given.insert(argument.clone(), value);
            }
            let line = ask("tools/call", json!({"name": name, "arguments": given}));
            assert!(line.contains("\"result\""), "{name} {spoilt:?}: {line}");
            doors.printed.push((format!("answer of mcp {name}, {spoilt:?}"), line.into_bytes()));
        }
    }
    drop(stdin);
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success());
    doors.printed.push(("stderr of mcp".to_owned(), ended.stderr));
}
