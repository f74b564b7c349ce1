//! What is owed, told and found: compliance, digests, reviews, criteria, flow, prompts.

use serde_json::{Value, json};

use crate::house::House;

fn save(house: &House, group: &str, agent: &str, phase: &str, text: &str) {
    house.feed(&["save-reasoning", "s", group, agent, phase, "-"], text).ok();
}

fn spawn(house: &House, group: &str, agent: &str, prompt: &str) -> Value {
    house.feed(&["spawned", "s", group, agent, "-"], prompt).ok().json()
}

#[test]
fn r014_r015_spawns_count_and_not_rows() {
    let house = House::new();
    house.run(&["init"]).ok();
    for group in ["A", "B", "C", "D", "E"] {
        spawn(&house, group, "developer", "do it");
        save(&house, group, "developer", "understanding", "I see");
        if group != "C" {
            save(&house, group, "developer", "completion", "done");
        }
    }
    // twice in one spawn counts once
    save(&house, "A", "developer", "completion", "done again");
    let report = house.run(&["compliance", "s", "--json"]).ok().json();
    assert_eq!((report["complete_units"].as_u64(), report["percent"].as_u64()), (Some(4), Some(80)));
    let units = report["units"].as_array().unwrap();
    let open: Vec<&Value> = units.iter().filter(|unit| unit["missing"] != json!([])).collect();
    assert_eq!(
        (open.len(), &open[0]["group"], &open[0]["missing"]),
        (1, &json!("C"), &json!(["completion"]))
    );
    assert!(open[0]["spawned"].is_string());
    assert_eq!(units[0]["repeated"], json!(["completion"]));
    let text = house.run(&["compliance", "s", "--check"]).exit(1).text();
    assert!(text.contains("missing completion") && text.contains("4 of 5 complete: 80 %"), "{text}");
    house.run(&["compliance", "s", "--check", "--group", "A"]).ok();
    house.run(&["compliance", "s", "--check", "--group", "none"]).exit(1);
}

#[test]
fn coverage_says_what_a_provider_withheld() {
    let house = House::new();
    let think = |form: &str, text: Option<&str>| {
        let data = text.map_or_else(|| json!({}), |text| json!({"text": text}));
        json!({"session": "s", "kind": "reasoning.recorded", "agent": "developer", "form": form, "data": data})
    };
    let drafts = [think("full", Some("hm")), think("empty", None), think("encrypted", None)];
    house.feed(&["record"], drafts.map(|draft| format!("{draft}\n")).concat()).ok();
    save(&house, "A", "developer", "understanding", "I see");
    let report = house.run(&["compliance", "s", "--json"]).ok().json();
    let coverage = &report["coverage"];
    assert_eq!(coverage["thinking"], json!({"full": 1, "empty": 1, "encrypted": 1}));
    let developer = &coverage["agents"]["developer"];
    let told = (developer["thinking"].as_u64(), developer["withheld"].as_u64(), developer["phases"].as_u64());
    assert_eq!((told, &developer["missing"]), ((Some(3), Some(2), Some(1)), &json!({"completion": 1})));
    let text = house.run(&["compliance", "s"]).ok().text();
    assert!(text.contains("thinking: 3 blocks, 2 withheld by the provider"), "{text}");
}

#[test]
fn r016_r117_prompts_have_the_commands_with_the_ids_filled_in() {
    let house = House::new();
    for agent in [
        "developer",
        "senior_software_engineer",
        "qa_expert",
        "tech_lead",
        "project_manager",
        "investigator",
        "requirements_engineer",
    ] {
        let args = ["prompt", "reasoning", "--agent", agent, "--session", "my run", "--group", "AUTH"];
        let text = house.run(&args).ok().text();
        for phase in ["understanding", "approach", "decisions", "risks", "blockers", "pivot", "completion"] {
            assert!(text.contains(&format!("| {phase} |")), "{agent} {phase}");
        }
        assert!(
            text.contains(&format!("recount save-reasoning 'my run' AUTH {agent} understanding -")),
            "{text}"
        );
    }
    let text = house.run(&["prompt", "orchestrator", "--session", "s"]).ok().text();
    assert!(text.contains("S=s\n") && text.contains("recount compliance \"$S\" --check"));
}

#[test]
fn r060_r062_r064_a_digest_is_told_recorded_and_delivered() {
    let house = House::new();
    save(&house, "AUTH", "developer", "understanding", "JWT with refresh");
    save(&house, "AUTH", "developer", "risks", "clock skew");
    save(&house, "AUTH", "developer", "completion", "Done: 3 endpoints");
    save(&house, "DB", "developer", "completion", "Another group");
    let ask = |args: &[&str]| house.run(&[&["digest", "s", "AUTH", "--for"], args].concat()).ok();
    let first = ask(&["qa_expert"]).says("cache: miss").says("o200k_base");
    let text = first.text();
    assert!(text.starts_with("## Prior Agent Reasoning\n"), "{text}");
    let place = |what: &str| text.find(what).unwrap();
    assert!(place("### Developer (completion)\n\n> Done") < place("### Developer (understanding)\n\n> JWT"));
    assert!(!text.contains("clock skew") && !text.contains("Another"));
    ask(&["qa"]).says("cache: hit");
    let explained = ask(&["qa_expert", "--explain"]).text();
    assert!(
        explained.contains("developer/risks") && explained.contains("not in the matrix for qa_expert"),
        "{explained}"
    );
    assert!(ask(&["tech_lead"]).text().contains("clock skew"));
    let pm = ask(&["project_manager"]).text();
    assert!(pm.contains("> Another group") && !pm.contains("JWT"), "{pm}");
    // delivered when the prompt of the spawn holds it
    let spawned = spawn(&house, "AUTH", "qa_expert", &format!("Test it.\n\n{text}\nGo."));
    assert_eq!(spawned["delivered"].as_array().unwrap().len(), 1);
    let events = house.events("s");
    let delivered = events.iter().find(|event| event["kind"] == "digest.delivered").unwrap();
    assert_eq!((&delivered["to"], &delivered["data"]["whole"]), (&json!("qa_expert"), &json!(true)));
    assert_eq!(events.iter().filter(|event| event["kind"] == "digest.assembled").count(), 3);
    save(&house, "AUTH", "developer", "completion", "Done: 4 endpoints");
    ask(&["qa_expert"]).says("cache: miss");
}

#[test]
fn r061_r062_budget_and_matrix_are_the_callers() {
    let house = House::new();
    save(&house, "G", "developer", "completion", &"word ".repeat(500));
    save(&house, "G", "tech_lead", "risks", "a risk");
    for budget in ["0", "30", "60", "200"] {
        let args = ["digest", "s", "G", "--for", "qa", "--budget", budget, "--per-phase", "2000", "--json"];
        let digest = house.run(&args).ok().json()["digest"].clone();
        assert!(digest["tokens"].as_u64().unwrap() <= budget.parse().unwrap(), "{digest}");
        assert_eq!(digest["tokenizer"], "o200k_base");
    }
    house.run(&["digest", "s", "G", "--for", "qa_export"]).exit(2).says("did you mean \"qa_expert\"");
    let settings = "[digest.matrix]\nqa_expert = [\"tech_lead: risks\"]\n";
    std::fs::write(house.path("here/.recount.toml"), settings).unwrap();
    let text = house.run(&["digest", "s", "G", "--for", "qa"]).ok().text();
    assert!(text.contains("> a risk") && !text.contains("word"), "{text}");
    std::fs::write(house.path("here/.recount.toml"), settings.replace("risks", "riks")).unwrap();
    house.run(&["digest", "s", "G", "--for", "qa"]).exit(2).says("did you mean \"risks\"");
}

#[test]
fn r063_components_share_a_total_and_nothing_is_cut() {
    let house = House::new();
    save(&house, "G", "developer", "completion", "done");
    std::fs::write(house.path("here/f.md"), "x".repeat(4000)).unwrap();
    let args = ["digest", "s", "G", "--for", "qa", "--tokenizer", "bytes4", "--total", "6000"];
    let plan = |component: &str| {
        house.run(&[&args[..], &["--component", component, "--json"]].concat()).ok().json()["plan"].clone()
    };
    let fits = plan("specialization=f.md,2400");
    assert_eq!((&fits["shares"][0]["tokens"], &fits["shares"][0]["over_tokens"]), (&json!(1000), &json!(0)));
    let told = fits["shares"][1]["tokens"].as_u64().unwrap();
    assert_eq!(fits["left_tokens"].as_u64(), Some(6000 - 1000 - told));
    assert_eq!(plan("specialization=f.md,900")["shares"][0]["over_tokens"], 100);
    house.run(&[&args[..], &["--component", "f.md"]].concat()).exit(2).says("NAME=FILE,TOKENS");
}

#[test]
fn r063_a_spawn_prompt_of_digest_handoff_and_reasoning_fits_its_budget() {
    let house = House::new();
    // everybody talks without end
    let long = "we chose HS256 because one service signs; rotation waits for the ticket. é→😀 ".repeat(300);
    for agent in ["developer", "senior_software_engineer", "qa_expert", "tech_lead", "investigator"] {
        for phase in ["understanding", "approach", "decisions", "pivot", "completion"] {
            house.feed(&["save-reasoning", "s", "AUTH", agent, phase, "-"], &long).ok();
        }
    }
    for (agent, status) in [("developer", "READY_FOR_QA"), ("qa_expert", "PASS"), ("tech_lead", "APPROVED")] {
        let body = json!({"from_agent": agent, "status": status, "summary": [long, long, long]});
        house.feed(&["handoff", "write", "s", "AUTH", agent, "-"], body.to_string()).ok();
    }
    let part = |name: &str, args: &[&str]| {
        std::fs::write(house.path("here").join(name), house.run(args).ok().out).unwrap();
    };
    for role in
        ["developer", "senior_software_engineer", "qa_expert", "tech_lead", "project_manager", "investigator"]
    {
        part("handoff.md", &["prompt", "handoff", "s", "AUTH", "--agent", role]);
        part("save.md", &["prompt", "reasoning", "--session", "s", "--group", "AUTH", "--agent", role]);
        part("return.md", &["prompt", "return", "--agent", role]);
        for budget in ["1200", "1600", "300"] {
            let args = [
                "digest",
                "s",
                "AUTH",
                "--for",
                role,
                "--budget",
                budget,
                "--per-phase",
                "4000",
                "--json",
                "--total",
                "6000",
                "--component",
                "handoff=handoff.md,400",
                "--component",
                "save=save.md,900",
                "--component",
                "return=return.md,300",
            ];
            let answer = house.run(&args).ok().json();
            let plan = &answer["plan"];
            assert_eq!(plan["over_tokens"], 0, "{role}: {plan}");
            for share in plan["shares"].as_array().unwrap() {
                assert_eq!(share["over_tokens"], 0, "{role}: {plan}");
                assert!(share["tokens"].as_u64().unwrap() > 0, "{role}: {plan}");
            }
            let digest = answer["digest"]["tokens"].as_u64().unwrap();
            assert!(digest <= budget.parse().unwrap(), "{role}: {digest} of {budget}");
        }
    }
}

#[test]
fn r018_a_review_lists_what_was_stated_and_not_done_and_done_and_not_stated() {
    let house = House::new();
    save(
        &house,
        "G",
        "developer",
        "decisions",
        "Change src/auth.py and leave src/db.py; see `docs/plan.md`.",
    );
    let call = |skill: &str, call: &str, input: Value| {
        json!({"session": "s", "kind": "skill.invoked", "group": "G", "agent": "developer", "skill": skill, "call": call,
            "data": {"input": input}})
    };
    let events = [
        call("Write", "c1", json!({"file_path": "/home/dev/tree/src/auth.py", "content": "x"})),
        call("Edit", "c2", json!({"file_path": "/home/dev/tree/src/secret.py"})),
        call("Bash", "c3", json!({"command": "pytest tests/ -q"})),
        json!({"session": "s", "kind": "skill.returned", "group": "G", "agent": "developer", "skill": "Bash", "call": "c3",
            "status": "error", "data": {"output": "1 failed"}}),
    ];
    house.feed(&["record"], events.map(|event| format!("{event}\n")).concat()).ok();
    let review = house.run(&["review", "s", "G", "--json"]).ok().json()["review"].clone();
    let files = |name: &str| -> Vec<String> {
        review[name].as_array().unwrap().iter().map(|n| n["file"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(files("stated_not_done"), ["src/db.py", "docs/plan.md"]);
    assert_eq!(files("done_not_stated"), ["/home/dev/tree/src/secret.py"]);
    assert_eq!(review["statements"][0]["written_after"], json!(["src/auth.py"]));
    assert_eq!(review["statements"][0]["tests_after"], json!([1, 1]));
    house.run(&["review", "s", "G", "--check"]).exit(1);
}

#[test]
fn r020_criteria_are_evidenced_or_not() {
    let house = House::new();
    save(&house, "A", "developer", "completion", "Access tokens expire after 15 minutes; covered by tests.");
    save(&house, "B", "developer", "completion", "Refresh tokens rotate on every use.");
    save(&house, "B", "developer", "risks", "The audit log might never be exported.");
    let list = "# Success\n- [ ] Access tokens expire after 15 minutes\n- refresh tokens rotate\n- audit log export works\n";
    std::fs::write(house.path("here/criteria.txt"), list).unwrap();
    let args = ["criteria", "s", "--file", "criteria.txt"];
    let found = house.run(&[&args[..], &["--json"]].concat()).ok().json()["criteria"].clone();
    let told: Vec<bool> =
        found.as_array().unwrap().iter().map(|c| c["evidenced"].as_bool().unwrap()).collect();
    assert_eq!(told, [true, true, false]);
    assert!(found[0]["hits"][0]["link"].as_str().unwrap().starts_with("s/1#"));
    let text = house.run(&[&args[..], &["--check"]].concat()).exit(1).text();
    assert!(text.contains("no evidence") && text.contains("2 of 3 evidenced"), "{text}");
}

#[test]
fn r021_flow_is_counted_from_statuses() {
    let house = House::new();
    for (agent, status) in [
        ("developer", "READY_FOR_REVIEW"),
        ("tech_lead", "CHANGES_REQUESTED"),
        ("developer", "READY_FOR_REVIEW"),
        ("tech_lead", "SPAWN_INVESTIGATOR"),
        ("investigator", "ROOT_CAUSE_FOUND"),
        ("tech_lead", "APPROVED"),
    ] {
        let body = json!({"from_agent": agent, "status": status, "summary": ["a", "b", "c"]}).to_string();
        house.feed(&["handoff", "write", "s", "G", agent, "-"], body).ok();
    }
    house.run(&["save-event", "s", "context_lost", "{}"]).ok();
    let flow = house.run(&["stats", "flow", "--json", "--since", "30d"]).ok().json()["flow"].clone();
    for (name, count) in [
        ("sessions", 1),
        ("groups", 1),
        ("handoffs", 6),
        ("sent_back", 1),
        ("investigator_iterations", 1),
        ("waiting_for_review", 0),
        ("context_lost", 1),
    ] {
        assert_eq!(flow[name].as_u64(), Some(count), "{name}: {flow}");
    }
    assert_eq!(flow["review"]["count"], 1);
    house.run(&["stats", "flow", "s"]).ok();
    house.run(&["stats", "flow", "--since", "whenever"]).exit(2);
}
