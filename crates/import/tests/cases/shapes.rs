//! Values of any shape: times, names, arguments, outputs, pieces, documents.

use serde_json::{Value, json};

use super::{Case, SESSION, assistant, call, lines_of, meta, record, result, rolled, user};

#[test]
fn case_30_a_clock_that_jumps_back_changes_no_order() {
    let mut late = user(2, "two");
    late["timestamp"] = "2026-05-04T08:00:00.000Z".into();
    let case = Case::session(lines_of(&[user(1, "one"), late, user(3, "three")]));
    assert_eq!(case.texts(), ["one", "two", "three"]);
    assert_eq!(case.all("message.recorded")[1].header["at"], "2026-05-04T08:00:00.000000Z");
}

#[test]
fn case_31_records_without_times_have_none() {
    let run = [
        json!({"type": "thread.started", "thread_id": "0199eeee-0000-7000-8000-0000000000e1"}),
        json!({"type": "turn.started"}),
        json!({"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": "done"}}),
    ];
    let case = Case::of(&[("run.jsonl", lines_of(&run).as_bytes())]);
    assert_eq!(case.texts(), ["done"]);
    assert!(case.memory.stored.iter().all(|draft| !draft.header.contains_key("at")));
}

#[test]
fn case_32_a_time_that_nobody_set_stays_as_it_was_written() {
    let odd = |id: u32, time: Value| {
        let mut record = user(id, "x");
        record["timestamp"] = time;
        record
    };
    let case = Case::session(lines_of(&[
        odd(1, "2026-05-04T11:00:00.5+02:00".into()),
        odd(2, 1_777_885_200_000_u64.into()),
        odd(3, "1970-01-01T00:00:00.000Z".into()),
        odd(4, "yesterday".into()),
    ]));
    let told = case.all("message.recorded");
    assert_eq!(told[0].header["at"], "2026-05-04T09:00:00.500000Z");
    assert_eq!(told[1].header["at"], "2026-05-04T09:00:00.000000Z");
    assert!(told[2..].iter().all(|draft| !draft.header.contains_key("at")));
    // what is not the usual form can be made again
    assert_eq!(told[0].data["ext"]["timestamp"], "2026-05-04T11:00:00.5+02:00");
    assert_eq!(told[2].data["ext"]["timestamp"], "1970-01-01T00:00:00.000Z");
}

#[test]
fn case_34_an_array_of_records_is_a_transcript() {
    let records = [user(1, "one"), user(2, "two")];
    let list = serde_json::to_string(&records).expect("prints");
    let pretty = serde_json::to_string_pretty(&records).expect("prints");
    let held = json!({"title": "shared", "loglines": records}).to_string();
    let expected = Case::session(lines_of(&records)).memory.key_set();
    for text in [&list, &pretty] {
        let case = Case::of(&[(&format!("{SESSION}.json"), text.as_bytes())]);
        assert_eq!(case.memory.key_set(), expected);
    }
    let case = Case::of(&[(&format!("{SESSION}.json"), held.replacen('{', "{\n", 1).as_bytes())]);
    assert_eq!(case.texts(), ["one", "two"]);
    let stream = json!([
        {"type": "system", "subtype": "init", "session_id": SESSION, "tools": []},
        {"type": "assistant", "message": {"id": "msg_1", "role": "assistant", "content": [{"type": "text", "text": "done"}]}},
        {"type": "result", "total_cost_usd": 0.1, "duration_ms": 5, "result": "done"},
    ]);
    let case = Case::of(&[("turns.json", stream.to_string().as_bytes())]);
    assert_eq!((case.reports[0].importer, case.texts()), (Some("claude-stream-json"), vec!["done"]));
    assert_eq!(case.one("turn.ended").header["duration_ms"], 5);
}

#[test]
fn the_oldest_rollouts_are_one_document() {
    let document = json!({
        "session": {"id": "0199aaaa-0000-7000-8000-0000000000c9", "timestamp": "2025-04-20T09:10:00.000Z", "instructions": ""},
        "items": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
            {"type": "function_call", "name": "shell", "call_id": "call_1", "arguments": "{\"command\":[\"ls\"]}"},
            {"type": "function_call_output", "call_id": "call_1", "output": "{\"output\":\"a.rs\",\"metadata\":{\"exit_code\":0}}"},
        ],
    });
    let case = Case::of(&[(
        "rollout-2025-04-20-0199aaaa.json",
        serde_json::to_string_pretty(&document).expect("prints").as_bytes(),
    )]);
    assert_eq!((case.reports[0].importer, case.reports[0].raw), (Some("codex"), 0));
    assert!(case.memory.stored.iter().all(|draft| draft.session == "0199aaaa-0000-7000-8000-0000000000c9"));
    assert_eq!((case.texts(), &case.one("skill.returned").data["output"]), (vec!["go"], &"a.rs".into()));
}

#[test]
fn case_37_hostile_names_are_names_and_nothing_else() {
    for name in ["../../etc/passwd", "__proto__", "a\u{1b}[31mred", "\u{202e}evil", "con", &"x".repeat(5000)]
    {
        let mut line = user(1, "one");
        line["sessionId"] = name.into();
        line["agentId"] = name.into();
        line["__proto__"] = json!({"polluted": true});
        let case = Case::of(&[("hostile.jsonl", lines_of(&[line]).as_bytes())]);
        let told = case.one("message.recorded");
        // the store gives it an id of its own (its tests show that no path is made of it)
        assert_eq!((told.session.as_str(), &told.header["agent_id"]), (name, &name.into()));
        assert_eq!(told.data["ext"]["__proto__"]["polluted"], true);
    }
}

#[test]
fn case_38_arguments_are_an_object_whatever_they_are_written_as() {
    let called = |arguments: Value| {
        rolled(
            "response_item",
            &json!({"type": "function_call", "name": "shell", "arguments": arguments, "call_id": "call_1"}),
        )
    };
    for (given, told) in [
        (json!("{\"command\":\"ls\"}"), json!({"command": "ls"})),
        (json!({"command": "ls"}), json!({"command": "ls"})),
        (json!("{\"command\": not json"), json!("{\"command\": not json")),
        (json!("ls -l"), json!("ls -l")),
        (json!("\"{\\\"command\\\":\\\"ls\\\"}\""), json!("\"{\\\"command\\\":\\\"ls\\\"}\"")),
    ] {
        let case = Case::rollout(&[meta("0199aaaa-0000-7000-8000-0000000000c1"), called(given)]);
        assert_eq!(case.one("skill.invoked").data["input"], told);
    }
}

#[test]
fn case_39_outputs_of_every_shape_have_a_status() {
    let returned = |output: Value| {
        rolled(
            "response_item",
            &json!({"type": "function_call_output", "call_id": "call_1", "output": output}),
        )
    };
    for (output, status, exit) in [
        (json!("plain text"), "ok", None),
        (
            json!("{\"output\":\"text\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.5}}"),
            "ok",
            Some(0),
        ),
        (
            json!("{\"output\":\"text\",\"metadata\":{\"exit_code\":2,\"duration_seconds\":0.5}}"),
            "error",
            Some(2),
        ),
        (json!("{\"metadata\":{\"exit_code\":2},\"output\":\"text\"}"), "error", Some(2)),
        (json!({"output": "text", "metadata": {"exit_code": 1}}), "error", Some(1)),
        (json!([{"type": "input_text", "text": "Exit code: 3\nbroken"}]), "error", Some(3)),
        (json!({"Ok": {"content": []}}), "ok", None),
        (json!({"Err": "refused"}), "error", None),
        (json!({"content": "no", "success": false}), "error", None),
        (Value::Null, "ok", None),
    ] {
        let case = Case::rollout(&[meta("0199aaaa-0000-7000-8000-0000000000c1"), returned(output.clone())]);
        let told = case.one("skill.returned");
        assert_eq!(
            (told.header["status"].as_str(), told.header.get("exit").and_then(Value::as_i64)),
            (Some(status), exit),
            "{output}"
        );
    }
}

#[test]
fn case_40_an_exit_code_counts_more_than_a_word() {
    let done = rolled(
        "response_item",
        &json!({"type": "local_shell_call", "call_id": "call_1", "status": "completed", "action": {"command": ["make"]}}),
    );
    let returned = rolled(
        "response_item",
        &json!({"type": "local_shell_call_output", "call_id": "call_1", "status": "completed", "output": "{\"output\":\"no rule\",\"metadata\":{\"exit_code\":2}}"}),
    );
    let case = Case::rollout(&[meta("0199aaaa-0000-7000-8000-0000000000c1"), done, returned]);
    let told = case.one("skill.returned");
    assert_eq!((&told.header["status"], &told.header["exit"]), (&"error".into(), &2.into()));
    assert_eq!(told.data["ext"]["payload"]["status"], "completed", "what was said is kept");
    let run = [
        json!({"type": "thread.started", "thread_id": "0199eeee-0000-7000-8000-0000000000e1"}),
        json!({"type": "item.completed", "item": {"id": "item_0", "type": "command_execution", "command": "make", "aggregated_output": "", "exit_code": 2, "status": "completed"}}),
    ];
    let case = Case::of(&[("run.jsonl", lines_of(&run).as_bytes())]);
    assert_eq!(case.one("skill.returned").header["status"], "error");
}

#[test]
fn case_41_a_picture_is_a_block_of_its_message_and_a_missing_one_no_error() {
    let picture = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}});
    let block =
        json!({"message": {"role": "user", "content": [picture, {"type": "text", "text": "what is it"}]}});
    let case = Case::session(lines_of(&[record("user", 1, &block)]));
    let told = case.all("message.recorded");
    assert_eq!(told[0].data["body"]["source"]["media_type"], "image/png");
    assert_eq!(told[1].data["text"], "what is it");
    let missing = rolled(
        "response_item",
        &json!({"type": "message", "role": "user", "content": [{"type": "input_image", "image_url": null}]}),
    );
    let case = Case::rollout(&[meta("0199aaaa-0000-7000-8000-0000000000c1"), missing]);
    assert_eq!(case.one("message.recorded").data["body"]["type"], "input_image");
}

#[test]
fn case_51_pieces_are_put_together_before_anything_is_told() {
    let event = |event: Value| json!({"type": "stream_event", "session_id": SESSION, "parent_tool_use_id": null, "event": event});
    let piece = |text: &str| {
        event(
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
        )
    };
    let start = event(
        json!({"type": "message_start", "message": {"id": "msg_1", "model": "claude-x", "usage": {"input_tokens": 3, "output_tokens": 1}}}),
    );
    let case = Case::of(&[(
        "torn.jsonl",
        lines_of(&[start.clone(), piece("The key is hal"), piece("ves of one")]).as_bytes(),
    )]);
    assert_eq!(case.texts(), ["The key is halves of one"]);
    assert!(case.lines().iter().all(|line| !line.contains("\"ves of one")), "no half stands alone");
    let whole = json!({"type": "assistant", "session_id": SESSION, "parent_tool_use_id": null,
        "message": {"id": "msg_1", "role": "assistant", "model": "claude-x", "content": [{"type": "text", "text": "The key is halves of one"}]}});
    let case = Case::of(&[(
        "whole.jsonl",
        lines_of(&[start, piece("The key is hal"), piece("ves of one"), whole]).as_bytes(),
    )]);
    assert_eq!(case.texts(), ["The key is halves of one"]);
    assert_eq!((case.all("model.called").len(), case.reports[0].duplicates), (1, 3));
    let log = |msg: Value| json!({"ts": "2026-05-04T09:12:50.921Z", "dir": "to_tui", "kind": "codex_event", "payload": {"id": "1", "msg": msg}});
    let delta = |text: &str| log(json!({"type": "agent_message_delta", "delta": text}));
    let case =
        Case::of(&[("tui.jsonl", lines_of(&[delta("The key is hal"), delta("ves of one")]).as_bytes())]);
    assert_eq!(case.texts(), ["The key is halves of one"]);
}

/// A session's transcript and its stream tell the same once, if the transcript came first.
#[test]
fn a_stream_of_a_session_that_is_known_adds_what_only_it_has() {
    let bash = call("toolu_01StreamTwinAAAAAA", "Bash", &json!({"command": "ls"}));
    let transcript = lines_of(&[
        user(1, "go"),
        assistant(2, "msg_1", &bash, &json!({})),
        result(3, "toolu_01StreamTwinAAAAAA", &"a.rs".into()),
    ]);
    let stream = lines_of(&[
        json!({"type": "system", "subtype": "init", "session_id": SESSION, "tools": ["Bash"], "uuid": super::uuid(7)}),
        json!({"type": "assistant", "session_id": SESSION, "parent_tool_use_id": null, "uuid": super::uuid(2), "message": {"id": "msg_1", "role": "assistant", "model": "claude-x", "content": [bash]}}),
        json!({"type": "result", "subtype": "success", "num_turns": 1, "session_id": SESSION, "uuid": super::uuid(8)}),
    ]);
    let case = Case::of(&[
        (&format!("{SESSION}.jsonl"), transcript.as_bytes()),
        ("stream.jsonl", stream.as_bytes()),
    ]);
    assert_eq!(case.all("skill.invoked").len(), 1);
    assert_eq!((case.reports[1].stored, case.reports[1].duplicates), (2, 1));
}
