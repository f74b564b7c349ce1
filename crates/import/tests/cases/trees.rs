//! Who follows whom: forks, subagents, compactions, missing parents, any order.

use serde_json::{Value, json};

use super::{Case, SESSION, assistant, call, key, lines_of, meta, record, result, said, user, uuid};

const OTHER: &str = "5b1d2f60-0000-4000-8000-0000000000bb";

fn below(id: u32, parent: u32, text: &str) -> Value {
    record("user", id, &json!({"parentUuid": uuid(parent), "message": {"role": "user", "content": text}}))
}

fn of_session(mut record: Value, session: &str) -> Value {
    record["sessionId"] = session.into();
    record
}

#[test]
fn case_09_a_resumed_copy_adds_only_what_is_new() {
    let original = [user(1, "one"), below(2, 1, "two")];
    let copied =
        original.iter().cloned().chain([below(3, 2, "three")]).map(|record| of_session(record, OTHER));
    let case = Case::of(&[
        (&format!("{SESSION}.jsonl"), lines_of(&original).as_bytes()),
        (&format!("{OTHER}.jsonl"), lines_of(&copied.collect::<Vec<_>>()).as_bytes()),
    ]);
    assert_eq!(case.texts(), ["one", "two", "three"]);
    assert_eq!((case.reports[1].stored, case.reports[1].linked), (1, 2));
    let sessions: Vec<&str> =
        case.all("message.recorded").iter().map(|draft| draft.session.as_str()).collect();
    assert_eq!(sessions, [SESSION, SESSION, OTHER]);
}

#[test]
fn case_10_a_fork_that_begins_with_its_parents_rollout_adds_only_what_is_new() {
    let (parent, fork) = ("0199aaaa-0000-7000-8000-0000000000d1", "0199aaaa-0000-7000-8000-0000000000d2");
    let past = [meta(parent), said("user", "one"), said("assistant", "first answer")];
    let mut forked = meta(fork);
    forked["payload"]["forked_from_id"] = parent.into();
    let copy: Vec<Value> =
        std::iter::once(forked).chain(past.iter().cloned()).chain([said("user", "another way")]).collect();
    let case = Case::of(&[
        (&format!("rollout-2026-05-04T09-10-00-{parent}.jsonl"), lines_of(&past).as_bytes()),
        (&format!("rollout-2026-05-04T09-11-00-{fork}.jsonl"), lines_of(&copy).as_bytes()),
    ]);
    assert_eq!(case.texts(), ["one", "first answer", "another way"]);
    assert_eq!((case.reports[1].records, case.reports[1].linked), (5, 3));
}

#[test]
fn case_12_the_same_uuid_with_other_content_is_kept_beside_it() {
    let case = Case::session(lines_of(&[user(1, "one"), user(1, "something else")]));
    assert_eq!(case.texts(), ["one", "something else"]);
    let keys: Vec<_> = case.all("message.recorded").iter().map(|draft| draft.key.clone()).collect();
    assert_eq!(keys[0], keys[1], "the store flags it as a conflict");
}

#[test]
fn case_17_a_call_without_a_result_stays_open() {
    let bash = call("toolu_01Case17AAAAAAAAAA", "Bash", &json!({"command": "make"}));
    let case = Case::session(lines_of(&[user(1, "go"), assistant(2, "msg_1", &bash, &json!({}))]));
    assert_eq!(case.one("skill.invoked").header["call"], "toolu_01Case17AAAAAAAAAA");
    assert!(case.all("skill.returned").is_empty());
}

#[test]
fn case_18_a_result_without_or_before_its_call_is_kept_and_names_it() {
    let bash = call("toolu_01Case18AAAAAAAAAA", "Bash", &json!({"command": "make"}));
    let returned = result(1, "toolu_01Case18AAAAAAAAAA", &"done".into());
    let alone = Case::session(lines_of(std::slice::from_ref(&returned)));
    let before = Case::session(lines_of(&[returned, assistant(2, "msg_1", &bash, &json!({}))]));
    for case in [&alone, &before] {
        let returned = case.one("skill.returned");
        assert_eq!(
            (&returned.header["cause"], &returned.data["output"]),
            (&"toolu_01Case18AAAAAAAAAA.invoked".into(), &"done".into())
        );
    }
    assert_eq!(before.one("skill.invoked").key.as_deref(), Some("toolu_01Case18AAAAAAAAAA.invoked"));
}

#[test]
fn case_19_a_record_whose_parent_is_gone_keeps_its_name() {
    let case = Case::session(lines_of(&[below(2, 1, "two")]));
    assert_eq!(case.one("message.recorded").header["parent"], key(1).as_str());
}

#[test]
fn case_20_shuffled_records_are_the_same_events() {
    let thought = json!({"type": "thinking", "thinking": "look", "signature": "s"});
    let bash = call("toolu_01Case20AAAAAAAAAA", "Bash", &json!({"command": "make"}));
    let (little, much) =
        (json!({"input_tokens": 5, "output_tokens": 1}), json!({"input_tokens": 5, "output_tokens": 90}));
    let lines = [
        user(1, "go"),
        assistant(2, "msg_1", &thought, &little),
        assistant(3, "msg_1", &bash, &much),
        result(4, "toolu_01Case20AAAAAAAAAA", &"done".into()),
        below(5, 4, "thanks"),
    ];
    let mut case = Case::session(lines_of(&lines));
    for order in [[4, 3, 2, 1, 0], [0, 2, 1, 3, 4], [1, 0, 4, 2, 3]] {
        let shuffled: Vec<Value> = order.iter().map(|index| lines[*index].clone()).collect();
        let other = Case::session(lines_of(&shuffled));
        assert_eq!(case.memory.key_set(), other.memory.key_set());
        // not only the keys: into the same store it adds nothing
        let stored = case.memory.stored.len();
        case.memory.import(&other.paths);
        assert_eq!(case.memory.stored.len(), stored, "{order:?}: {:#?}", &case.lines()[stored..]);
    }
}

#[test]
fn case_21_both_branches_of_a_rewind_are_kept_under_their_parent() {
    let case =
        Case::session(lines_of(&[user(1, "one"), below(2, 1, "this way"), below(3, 1, "no, that way")]));
    assert_eq!(case.texts(), ["one", "this way", "no, that way"]);
    assert!(case.all("message.recorded")[1..].iter().all(|draft| draft.header["parent"] == key(1).as_str()));
}

#[test]
fn case_22_attachments_and_progress_are_links_of_the_chain() {
    let hook = json!({"parentUuid": uuid(1), "attachment": {"type": "hook_success", "hookName": "Stop", "stdout": "ok", "exitCode": 0}});
    let progress = json!({"parentUuid": uuid(2), "data": {"type": "bash_progress", "output": "…"}, "toolUseID": "t", "parentToolUseID": "toolu_x"});
    let case = Case::session(lines_of(&[
        user(1, "one"),
        record("attachment", 2, &hook),
        record("progress", 3, &progress),
        below(4, 3, "two"),
    ]));
    let parent = |kind: &str| case.one(kind).header["parent"].clone();
    assert_eq!((parent("hook.ran"), parent("skill.progressed")), (key(1).into(), key(2).into()));
    assert_eq!(case.all("message.recorded")[1].header["parent"], key(3).as_str());
}

#[test]
fn case_23_a_compaction_is_one_session_and_what_was_before_stays() {
    let boundary = json!({"subtype": "compact_boundary", "parentUuid": null, "logicalParentUuid": uuid(1),
        "compactMetadata": {"trigger": "auto", "preTokens": 155_000, "preservedMessages": {"uuids": [uuid(1)]}}});
    let summary = json!({"parentUuid": uuid(2), "isCompactSummary": true, "message": {"role": "user", "content": "So far: one."}});
    let case = Case::session(lines_of(&[
        user(1, "one"),
        record("system", 2, &boundary),
        record("user", 3, &summary),
        below(4, 3, "two"),
    ]));
    let told = case.all("context.compacted");
    assert_eq!((&told[0].header["trigger"], &told[0].header["tokens"]), (&"auto".into(), &155_000.into()));
    assert_eq!(told[0].header["cause"], key(1).as_str());
    assert_eq!(told[0].data["ext"]["compactMetadata"]["preservedMessages"]["uuids"], json!([uuid(1)]));
    assert_eq!(told[1].data["summary"], "So far: one.");
    assert_eq!(case.texts(), ["one", "two"]);
    assert!(case.memory.stored.iter().all(|draft| draft.session == SESSION));
}

#[test]
fn case_24_a_session_that_was_cleared_goes_on_in_another_which_says_so() {
    let named = |id: u32, session: &str| {
        let mut record = of_session(user(id, "go"), session);
        record["slug"] = "wobbling-forging-rabbit".into();
        record
    };
    let case = Case::of(&[
        (&format!("{SESSION}.jsonl"), lines_of(&[named(1, SESSION)]).as_bytes()),
        (&format!("{OTHER}.jsonl"), lines_of(&[named(2, OTHER), named(3, OTHER)]).as_bytes()),
    ]);
    let told: Vec<_> = case
        .all("session.updated")
        .iter()
        .map(|draft| (draft.session.as_str(), &draft.data["meta"]))
        .collect();
    let first = json!({"slug": "wobbling-forging-rabbit"});
    let second = json!({"slug": "wobbling-forging-rabbit", "continues": SESSION});
    assert_eq!(told, [(SESSION, &first), (OTHER, &second)]);
    assert_eq!(case.texts().len(), 3, "two sessions, nothing twice");
}

#[test]
fn case_25_a_title_goes_to_the_session_that_owns_its_leaf() {
    let title = json!({"type": "summary", "summary": "Fix the parser", "leafUuid": uuid(1)});
    let case = Case::of(&[
        (&format!("{SESSION}.jsonl"), lines_of(&[user(1, "one")]).as_bytes()),
        (&format!("{OTHER}.jsonl"), lines_of(&[title, of_session(user(2, "two"), OTHER)]).as_bytes()),
    ]);
    let titled = case.one("session.updated");
    assert_eq!((titled.session.as_str(), &titled.data["title"]), (SESSION, &"Fix the parser".into()));
}

#[test]
fn case_26_subagents_are_agents_of_their_session_wherever_their_file_lies() {
    let spawn =
        call("toolu_01Case26AAAAAAAAAA", "Task", &json!({"subagent_type": "explorer", "prompt": "find it"}));
    let mut returned = result(3, "toolu_01Case26AAAAAAAAAA", &"found".into());
    returned["toolUseResult"] =
        json!({"status": "completed", "agentId": "a1b2c3d4e5f60718", "totalDurationMs": 5});
    let main = lines_of(&[user(1, "go"), assistant(2, "msg_1", &spawn, &json!({})), returned]);
    let own = |session: &str| {
        let mut line = user(4, "find it");
        line["isSidechain"] = true.into();
        line["agentId"] = "a1b2c3d4e5f60718".into();
        line["sessionId"] = session.into();
        lines_of(&[line])
    };
    let flat = ("agent-a1b2c3d4e5f60718.jsonl".to_owned(), own(SESSION));
    let nested = (format!("{SESSION}/subagents/agent-a1b2c3d4e5f60718.jsonl"), own("agent-a1b2c3d4e5f60718"));
    for (name, text) in [flat, nested] {
        let case = Case::of(&[(&format!("{SESSION}.jsonl"), main.as_bytes()), (&name, text.as_bytes())]);
        assert!(case.memory.stored.iter().all(|draft| draft.session == SESSION), "{name}");
        let (spawned, started, stopped) =
            (case.one("agent.spawned"), case.one("agent.started"), case.one("agent.stopped"));
        assert_eq!(spawned.header["agent_id"], "a1b2c3d4e5f60718");
        assert_eq!(started.header["agent_id"], stopped.header["agent_id"]);
        assert_eq!(stopped.header["cause"], spawned.key.as_deref().expect("a key"));
    }
}

#[test]
fn case_26_inline_side_chains_are_the_agents_of_their_prompts() {
    let spawn = |id: u32, message: &str, prompt: &str, tool: &str| {
        assistant(
            id,
            message,
            &call(tool, "Task", &json!({"subagent_type": "explorer", "prompt": prompt})),
            &json!({}),
        )
    };
    let side = |id: u32, text: &str| {
        record(
            "user",
            id,
            &json!({"isSidechain": true, "parentUuid": null, "message": {"role": "user", "content": text}}),
        )
    };
    let case = Case::session(lines_of(&[
        user(1, "go"),
        spawn(2, "msg_1", "find a", "toolu_01Case26BBBBBBBBBB"),
        spawn(3, "msg_2", "find b", "toolu_01Case26CCCCCCCCCC"),
        side(4, "find b"),
        side(5, "find a"),
        record(
            "user",
            6,
            &json!({"isSidechain": true, "parentUuid": uuid(4), "message": {"role": "user", "content": "more b"}}),
        ),
    ]));
    let who = |text: &str| {
        let all = case.all("message.recorded");
        let told = all.iter().find(|draft| draft.data["text"] == text).expect(text);
        told.header["agent_id"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(
        (who("find a"), who("find b")),
        ("toolu_01Case26BBBBBBBBBB".to_owned(), "toolu_01Case26CCCCCCCCCC".to_owned())
    );
    assert_eq!(who("more b"), who("find b"));
}

#[test]
fn case_27_a_subagent_without_its_parent_belongs_to_its_folders_session() {
    let mut line = user(4, "find it");
    line["sessionId"] = "agent-a1b2c3d4e5f60718".into();
    let case = Case::of(&[(
        &format!("{SESSION}/subagents/agent-a1b2c3d4e5f60718.jsonl"),
        lines_of(&[line]).as_bytes(),
    )]);
    assert!(case.memory.stored.iter().all(|draft| draft.session == SESSION));
    assert_eq!(case.one("agent.started").header["agent_id"], "a1b2c3d4e5f60718");
}

#[test]
fn case_55_a_session_that_moved_is_still_itself() {
    let moved = json!({"type": "relocated", "sessionId": SESSION, "relocatedCwd": "C:\\work\\app"});
    let case = Case::of(&[
        ("-home-dev-app/a.jsonl", lines_of(&[user(1, "one"), moved]).as_bytes()),
        ("-home-dev_app/b.jsonl", lines_of(&[user(2, "two")]).as_bytes()),
    ]);
    assert!(case.memory.stored.iter().all(|draft| draft.session == SESSION), "by id, not by folder");
    assert_eq!(case.one("session.updated").data["cwd"], "C:\\work\\app");
}
