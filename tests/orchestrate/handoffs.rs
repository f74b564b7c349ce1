//! Handoffs: written once and never over, checked, read, routed, told in one line.

use serde_json::{Value, json};

use crate::house::House;

fn body(agent: &str, status: &str, lines: [&str; 3]) -> Value {
    json!({"from_agent": agent, "status": status, "summary": lines})
}

fn write(house: &House, group: &str, agent: &str, body: &Value) -> Value {
    house.feed(&["handoff", "write", "s", group, agent, "-"], body.to_string()).ok().json()
}

const DONE: [&str; 3] = ["Implemented JWT auth", "Created 3 files", "15/15 tests passing"];

#[test]
fn r110_the_examples_of_the_protocol_fit_their_schemas() {
    let house = House::new();
    let examples = [
        json!({"from_agent": "developer", "to_agent": "qa_expert", "timestamp": "2025-12-22T10:30:00Z",
            "session_id": "s", "group_id": "AUTH", "status": "READY_FOR_QA",
            "summary": "Implemented JWT auth with 3 endpoints, 15 tests passing",
            "files_modified": ["src/auth/jwt_handler.py"], "files_created": [],
            "tests": {"total": 15, "passing": 15, "failing": 0, "coverage": "92%"},
            "branch": "feature/group-AUTH-jwt-auth", "concerns": ["Should we add refresh token rotation?"],
            "tech_debt_logged": false, "artifacts": {"reasoning": "r.md", "test_output": "t.md"}}),
        json!({"from_agent": "qa_expert", "status": "PASS", "summary": "all passed",
            "tests_run": {"integration": {"passed": 15, "failed": 0, "duration": "30s"},
                "e2e": {"passed": 4, "failed": 0, "duration": "1m45s"}},
            "total_tests": {"passed": 25, "failed": 0}, "challenge_level_reached": 3,
            "quality_assessment": "good", "failures": [], "artifacts": {"test_report": "q.md"}}),
        json!({"from_agent": "tech_lead", "status": "APPROVED", "summary": "fine", "decision": "APPROVED",
            "code_quality_score": 9, "security_issues": 0, "lint_issues": 2, "coverage_acceptable": true,
            "what_was_done_well": ["a"], "required_changes": [], "suggestions": ["b"], "artifacts": {}}),
        json!({"from_agent": "investigator", "status": "ROOT_CAUSE_FOUND", "summary": ["a", "b", "c"]}),
        json!({"from_agent": "senior_software_engineer", "status": "READY_FOR_QA", "summary": "x"}),
    ];
    for example in &examples {
        let ran = house.feed(&["handoff", "validate", "-"], example.to_string()).exit(0);
        assert!(ran.out.is_empty(), "{}", ran.text());
    }
    let wrong = body("developer", "DONE", DONE);
    let said = house.feed(&["handoff", "validate", "-"], wrong.to_string()).exit(1).text();
    assert!(said.contains("/status") && said.contains("READY_FOR_QA, READY_FOR_REVIEW, BLOCKED"), "{said}");
    house
        .feed(&["handoff", "write", "s", "AUTH", "developer", "-"], wrong.to_string())
        .exit(2)
        .says("BLOCKED");
    assert!(!house.session("s").exists() && !house.store().join("artifacts").exists());
    let schema = house.run(&["schema", "handoff", "--agent", "qa_expert"]).ok().json();
    assert_eq!(schema["properties"]["status"]["enum"][0], "PASS");
    let other =
        house.feed(&["handoff", "validate", "-", "--agent", "qa"], examples[0].to_string()).exit(1).text();
    assert!(other.contains("/from_agent"), "{other}");
}

#[test]
fn r111_a_second_handoff_is_a_second_version_beside_the_first() {
    let house = House::new();
    let first = write(&house, "AUTH", "dev", &body("developer", "READY_FOR_QA", DONE));
    let second = write(&house, "AUTH", "developer", &body("developer", "BLOCKED", ["a", "b", "c"]));
    let file = |written: &Value| std::path::PathBuf::from(written["file"].as_str().unwrap());
    assert!(file(&first).ends_with("artifacts/s/AUTH/handoffs/handoff_developer.json"));
    assert!(file(&second).ends_with("artifacts/s/AUTH/handoffs/handoff_developer.2.json"));
    let read = |written: &Value| -> Value {
        serde_json::from_slice(&std::fs::read(file(written)).unwrap()).unwrap()
    };
    assert_eq!(
        (&read(&first)["status"], &read(&second)["status"]),
        (&json!("READY_FOR_QA"), &json!("BLOCKED"))
    );
    let pointer = file(&first).with_file_name("handoff_developer.latest");
    let pointer: Value = serde_json::from_slice(&std::fs::read(pointer).unwrap()).unwrap();
    assert_eq!((&pointer["file"], &pointer["event"]), (&json!("handoff_developer.2.json"), &second["event"]));
    assert_eq!((&first["to"], &second["to"]), (&json!("qa_expert"), &json!("investigator")));
}

#[test]
fn r111_parallel_handoffs_collide_nowhere() {
    let house = House::new();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let house = &house;
            scope.spawn(move || {
                let lines = [&*format!("dev {number}"), "b", "c"];
                write(
                    house,
                    &format!("G{}", number % 4),
                    "developer",
                    &body("developer", "READY_FOR_QA", lines),
                );
            });
        }
    });
    for group in 0..4 {
        let folder = house.store().join(format!("artifacts/s/G{group}/handoffs"));
        let read = |name: &str| -> Value {
            serde_json::from_slice(&std::fs::read(folder.join(name)).unwrap()).unwrap()
        };
        assert_ne!(read("handoff_developer.json"), read("handoff_developer.2.json"));
        assert_eq!(read("handoff_developer.latest")["version"], 2);
    }
    house.run(&["verify", "s"]).ok();
}

#[test]
fn r112_both_old_layouts_are_imported_once() {
    let house = House::new();
    let root = house.path("here/artifacts");
    let put = |path: &str, body: Value| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, body.to_string()).unwrap();
    };
    put("run-1/handoffs/AUTH_dev.json", body("developer", "READY_FOR_QA", DONE));
    put("run-1/AUTH/handoff_qa.json", body("qa_expert", "PASS", DONE));
    put("run-1/AUTH/handoffs/handoff_tech_lead.json", body("tech_lead", "APPROVED", DONE));
    put("run-1/AUTH/package.json", json!({"name": "no handoff"}));
    let ran = house.run(&["import", "handoffs", "artifacts"]).ok().says("3 handoffs, 3 of them stored now");
    assert!(ran.text().contains("its name is no handoff's"));
    house.run(&["import", "handoffs", "artifacts"]).ok().says("3 handoffs, 0 of them stored now");
    let chain = house.run(&["handoff", "chain", "run-1", "AUTH", "--json"]).ok().json();
    let roles: Vec<&str> = chain["chain"]["links"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|link| link["event"].is_string())
        .map(|link| link["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["developer", "qa_expert", "tech_lead"]);
    assert_eq!(house.events("run-1").iter().filter(|e| e["origin"] == "imported").count(), 3);
}

#[test]
fn r113_r114_returns_are_checked_and_never_rejected_for_their_length() {
    let house = House::new();
    let check = |text: &str, exit: i32| {
        house.feed(&["handoff", "return-check", "-", "--agent", "qa_expert"], text).exit(exit).json()
    };
    let whole = json!({"status": "PASS", "summary": ["a", "b", "c"]}).to_string();
    let returned = check(&whole, 0);
    assert_eq!((&returned["verdict"], &returned["next"]), (&json!("ok"), &json!("tech_lead")));
    assert_eq!((&returned["extra_chars"], &returned["tokenizer"]), (&json!(0), &json!("o200k_base")));
    assert_eq!(check(r#"{"status":"PASS"}"#, 0)["verdict"], "incomplete");
    assert_eq!(check(&format!("Sure!\n{whole}"), 0)["extra_chars"], 5);
    let long = check(&format!("{whole} {}", "word ".repeat(300)), 0);
    assert!(long["tokens"].as_u64().unwrap() > 150 && long["verdict"] == "ok");
    assert_eq!(check("all tests passed", 1)["verdict"], "invalid");
    let unknown = check(r#"{"status":"DONE"}"#, 0);
    assert!(unknown["warnings"].to_string().contains("FLAKY"), "{unknown}");
}

#[test]
fn r115_capsules_are_one_line_each() {
    let house = House::new();
    let tell = |agent: &str, status: &str, lines: [&str; 3]| {
        let written = write(&house, "AUTH", agent, &body(agent, status, lines));
        let event = written["event"].as_str().unwrap().to_owned();
        let line = house.run(&["capsule", &event]).ok().text();
        assert_eq!(line, house.run(&["capsule", "s", "--last"]).ok().text());
        line
    };
    let line = tell("developer", "READY_FOR_QA", ["s0", "s1", "s2"]);
    assert_eq!(line, "🔨 Group AUTH [Developer] | s0 | s1 | s2 → QA Expert\n");
    let line = tell("qa_expert", "PASS", ["25/25 tests passed", "contracts\nverified", "ready"]);
    assert_eq!(
        line,
        "✅ Group AUTH [QA Expert] | 25/25 tests passed | contracts verified | ready → Tech Lead\n"
    );
    let line = tell("tech_lead", "APPROVED", ["APPROVED", "good", "to PM"]);
    assert_eq!(line, "👔 Group AUTH [Tech Lead] | APPROVED | good | to PM → Project Manager\n");
    let ascii = house.run(&["capsule", "s", "--last", "--ascii"]).ok().text();
    assert_eq!(ascii, "* Group AUTH [Tech Lead] | APPROVED | good | to PM -> Project Manager\n");
    house.run(&["capsule", "s/0"]).exit(3);
}

#[test]
fn r115_tail_shows_capsules_alone() {
    let house = House::new();
    write(&house, "AUTH", "developer", &body("developer", "READY_FOR_QA", ["s0", "s1", "s2"]));
    for n in 0..20 {
        house.run(&["save-reasoning", "s", "AUTH", "developer", "approach", &format!("n {n}")]).ok();
    }
    write(&house, "AUTH", "qa_expert", &body("qa_expert", "PASS", ["a", "b", "c"]));
    let both = "🔨 Group AUTH [Developer] | s0 | s1 | s2 → QA Expert\n✅ Group AUTH [QA Expert] | a | b | c → Tech Lead\n";
    assert_eq!(house.run(&["tail", "s", "--capsules"]).ok().text(), both);
    assert_eq!(
        house.run(&["tail", "--capsules", "-n", "1"]).ok().text(),
        both.lines().nth(1).unwrap().to_owned() + "\n"
    );
    let ascii = house.run(&["tail", "s", "--capsules", "--ascii", "-n", "1"]).ok().text();
    assert_eq!(ascii, "* Group AUTH [QA Expert] | a | b | c -> Tech Lead\n");
    let line = house.run(&["tail", "s", "--capsules", "-n", "1", "--json"]).ok().json();
    assert_eq!((&line["event"], &line["capsule"]["from"]), (&json!("s/22"), &json!("qa_expert")));
    house.run(&["tail", "s", "--ascii"]).exit(2);
}

#[test]
fn r116_a_project_says_the_order_of_its_chain() {
    let house = House::new();
    write(&house, "AUTH", "developer", &body("developer", "READY_FOR_REVIEW", DONE));
    let roles = || -> Vec<String> {
        let chain = house.run(&["handoff", "chain", "s", "AUTH", "--json"]).ok().json();
        let links = chain["chain"]["links"].as_array().unwrap().clone();
        links.iter().map(|link| link["role"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(roles().len(), 4);
    let settings = |order: &str| {
        std::fs::write(house.path("here/.recount.toml"), format!("[chain]\norder = {order}\n")).unwrap();
    };
    settings(r#"["dev", "tech_lead"]"#);
    assert_eq!(roles(), ["developer", "tech_lead"]);
    for (order, said) in
        [("[]", "no role"), (r#"["dev", "developer"]"#, "twice"), ("[7]", "expected a string"), ("7", "")]
    {
        settings(order);
        house.run(&["handoff", "chain", "s", "AUTH"]).exit(2).says(".recount.toml").says(said);
    }
}

#[test]
fn r122_old_copies_go_and_the_session_says_which() {
    let house = House::new();
    std::fs::write(house.path("here/report.md"), "all passed").unwrap();
    let mut handoff = body("developer", "READY_FOR_QA", DONE);
    handoff["artifacts"] = json!({"report": "report.md"});
    let written = write(&house, "AUTH", "developer", &handoff);
    let files = [written["file"].as_str().unwrap(), written["artifacts"][0]["file"].as_str().unwrap()];
    let there = || files.map(|file| std::path::Path::new(file).exists());
    house.run(&["gc"]).exit(2).says("--artifact-days");
    house.run(&["retention", "--artifact-days", "30"]).ok().says("kept 30 days");
    house.run(&["gc"]).ok().says("removed 0 copies");
    assert_eq!(there(), [true, true]);
    let before = house.run(&["get-events", "s"]).ok().json();
    house.run(&["gc", "--days", "0", "--dry-run"]).ok().says("would remove 2 copies");
    assert_eq!(there(), [true, true]);
    assert_eq!(house.run(&["get-events", "s"]).ok().json(), before);
    house.run(&["gc", "--days", "0"]).ok().says("removed 2 copies");
    assert_eq!(there(), [false, false]);
    let said = house.run(&["get-events", "s", "artifacts_dropped"]).ok().json();
    let hashes: Vec<&Value> =
        said[0]["payload"]["files"].as_array().unwrap().iter().map(|f| &f["hash"]).collect();
    assert!(hashes.contains(&&written["artifacts"][0]["hash"]), "{said}");
    // the journal has it still, and a second time nothing is left to remove
    let read = house.run(&["handoff", "read", "s", "AUTH", "--by", "qa"]).ok().json();
    assert_eq!(read["status"], "READY_FOR_QA");
    house.run(&["gc", "--days", "0"]).ok().says("removed 0 copies");
    house.run(&["verify"]).ok();
    // a prompt says where the handoff is, not a file that is gone
    let prompt = house.run(&["prompt", "handoff", "s", "AUTH", "--agent", "qa_expert"]).ok().text();
    assert!(!prompt.contains(files[0]), "{prompt}");
}

#[test]
fn r116_r118_the_chain_shows_what_is_missing_and_what_was_read() {
    let house = House::new();
    let states = |group: &str| -> Vec<String> {
        let chain = house.run(&["handoff", "chain", "s", group, "--json"]).ok().json();
        let links = chain["chain"]["links"].as_array().unwrap().clone();
        links.iter().map(|link| link["state"].as_str().unwrap().to_owned()).collect()
    };
    write(
        &house,
        "AUTH",
        "senior_software_engineer",
        &body("senior_software_engineer", "READY_FOR_QA", DONE),
    );
    assert_eq!(states("AUTH"), ["unread", "waiting", "waiting", "waiting"]);
    house.run(&["handoff", "chain", "s", "AUTH", "--check"]).exit(1);
    let read = house.run(&["handoff", "read", "s", "AUTH", "--by", "qa"]).ok().json();
    assert_eq!(read["status"], "READY_FOR_QA");
    assert_eq!(states("AUTH"), ["read", "waiting", "waiting", "waiting"]);
    // a tech lead that hands over although QA never did
    write(&house, "AUTH", "tech_lead", &body("tech_lead", "APPROVED", DONE));
    assert_eq!(states("AUTH"), ["read", "missing", "unread", "waiting"]);
    // without tests the tech lead comes next
    write(&house, "DB", "developer", &body("developer", "READY_FOR_REVIEW", DONE));
    write(&house, "DB", "tech_lead", &body("tech_lead", "APPROVED", DONE));
    assert_eq!(states("DB"), ["unread", "skipped", "unread", "waiting"]);
    // a Read of the file by another agent is a receipt, too
    let input = json!({"input": {"file_path": "artifacts/s/DB/handoffs/handoff_developer.json"}}).to_string();
    let call = json!({"session": "s", "kind": "skill.invoked", "group": "DB", "agent": "tech_lead", "skill": "Read",
        "data": serde_json::from_str::<Value>(&input).unwrap()});
    house.feed(&["record"], format!("{call}\n")).ok();
    assert_eq!(states("DB")[0], "read");
}

#[test]
fn r117_a_spawn_prompt_names_the_handoff_or_says_that_there_is_none() {
    let house = House::new();
    let ask = |agent: &str| house.run(&["prompt", "handoff", "s", "AUTH", "--agent", agent]).ok().text();
    assert!(ask("qa_expert").contains("There is no prior handoff for the QA Expert of group AUTH"));
    write(&house, "AUTH", "developer", &body("developer", "READY_FOR_QA", DONE));
    let prompt = ask("qa");
    assert!(prompt.starts_with("## Prior Agent Handoff (MANDATORY FIRST ACTION)\n"), "{prompt}");
    let file = prompt.lines().find_map(|line| line.strip_prefix("Read: ")).unwrap();
    assert!(std::path::Path::new(file).is_file() && file.ends_with("handoff_developer.json"));
    write(&house, "AUTH", "developer", &body("developer", "READY_FOR_QA", ["2", "2", "2"]));
    assert!(ask("qa_expert").contains("handoff_developer.2.json"));
}

#[test]
fn r119_r123_routes_and_returns_by_role() {
    let house = House::new();
    for (agent, status, next) in [
        ("developer", "READY_FOR_QA", "qa_expert"),
        ("sse", "READY_FOR_REVIEW", "tech_lead"),
        ("qa", "FAIL", "developer"),
        ("tech_lead", "APPROVED", "project_manager"),
        ("pm", "BAZINGA", "end"),
    ] {
        assert_eq!(house.run(&["route", agent, status]).ok().text(), format!("{next}\n"));
    }
    house.run(&["route", "developer", "DONE"]).exit(1).says("READY_FOR_QA");
    house.run(&["route", "devloper", "READY_FOR_QA"]).exit(2).says("did you mean \"developer\"");
    let text = house.run(&["prompt", "return", "--agent", "tech_lead"]).ok().text();
    assert!(text.contains("| 1 | The decision: approved, or changes requested |"), "{text}");
    assert!(text.contains("STATUS is one of APPROVED, CHANGES_REQUESTED"));
    house.run(&["prompt", "return", "--agent", "nobody"]).exit(2);
}

#[test]
fn r120_artifacts_are_kept_by_their_content_and_missing_ones_are_said() {
    let house = House::new();
    std::fs::write(house.path("here/report.md"), "15 passed\n").unwrap();
    let mut handoff = body("developer", "READY_FOR_QA", DONE);
    handoff["artifacts"] = json!({"report": "report.md", "gone": "gone.md"});
    let ran = house.feed(&["handoff", "write", "s", "AUTH", "developer", "-"], handoff.to_string()).ok();
    let written = ran.says("gone.md is not there").json();
    let kept = &written["artifacts"][0];
    assert_eq!(kept["hash"], blake3::hash(b"15 passed\n").to_hex().to_string());
    assert_eq!(std::fs::read(kept["file"].as_str().unwrap()).unwrap(), b"15 passed\n");
    let shown = house.run(&["show", written["event"].as_str().unwrap(), "--json"]).ok().json();
    assert_eq!(shown["event"]["data"]["artifacts"]["report"]["content"], "15 passed\n");
}

#[test]
fn r121_returns_cost_a_fraction_of_the_whole() {
    let house = House::new();
    for group in ["A", "B", "C", "D"] {
        for (agent, status) in
            [("developer", "READY_FOR_QA"), ("qa_expert", "PASS"), ("tech_lead", "APPROVED")]
        {
            let mut handoff = body(agent, status, DONE);
            handoff["concerns"] = json!(vec!["a longer concern that nobody but the next agent needs"; 20]);
            write(&house, group, agent, &handoff);
        }
    }
    let stats = house.run(&["stats", "tokens", "s", "--json", "--tokenizer", "bytes4"]).ok().json();
    let rows = stats["handoffs"].as_array().unwrap();
    assert_eq!(rows.len(), 12);
    for row in rows {
        let tokens = |name: &str| row[name].as_u64().unwrap();
        assert!(tokens("return_tokens") * 4 < tokens("whole_tokens"), "{row}");
    }
}
