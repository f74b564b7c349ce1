use serde_json::json;

use super::*;

struct Empty;

impl House for Empty {
    fn keyed(&self, material: &str) -> String {
        material.bytes().map(|byte| format!("{byte:02x}")).rev().collect()
    }

    fn knows(&self, session: &str) -> bool {
        session == "known"
    }
}

fn heard(agent: Agent, payload: &Value) -> Heard {
    hear(agent, payload.to_string().as_bytes(), &Empty)
}

fn kinds(heard: &Heard) -> Vec<&str> {
    heard.drafts.iter().map(|draft| draft.kind.as_str()).collect()
}

#[test]
fn a_call_goes_under_its_own_id_and_its_agent() {
    let payload = json!({
        "session_id": "s", "transcript_path": "/p/s.jsonl", "cwd": "/w", "hook_event_name": "PreToolUse",
        "permission_mode": "plan", "agent_id": "a1b2c3d", "agent_type": "Explore", "tool_name": "Bash",
        "tool_input": {"command": "ls"}, "tool_use_id": "toolu_01AbCdEfGhIjKlMn"
    });
    let heard = heard(Agent::ClaudeCode, &payload);
    let draft = &heard.drafts[0];
    assert_eq!(draft.key.as_deref(), Some("toolu_01AbCdEfGhIjKlMn.invoked"));
    assert_eq!((&draft.header["agent"], &draft.header["agent_id"]), (&json!("Explore"), &json!("a1b2c3d")));
    assert_eq!(draft.data["ext"], json!({"permission_mode": "plan"}));
    assert_eq!(heard.opening.as_ref().map(|opening| &opening.data["cwd"]), Some(&json!("/w")));
}

#[test]
fn a_call_without_an_id_is_a_run_of_the_hook() {
    let payload = json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": "ls"}, "tool_output": "a.txt"});
    let told = heard(Agent::ClaudeCode, &payload);
    assert_eq!((kinds(&told), &told.drafts[0].data["output"]), (vec!["hook.ran"], &json!("a.txt")));
    let payload = json!({"session_id": "s", "hook_event_name": "BeforeTool", "tool_name": "run_shell_command",
        "tool_input": {"command": "ls"}});
    let told = heard(Agent::Gemini, &payload);
    assert_eq!((kinds(&told), told.drafts[0].data.len()), (vec!["hook.ran"], 0));
}

#[test]
fn what_was_announced_stands_in_the_opening() {
    let start =
        json!({"session_id": "new", "hook_event_name": "SessionStart", "source": "startup", "model": "m-1"});
    let announced = heard(Agent::ClaudeCode, &start).announced.expect("an announcement");
    assert_eq!(announced.session, "new");
    assert_eq!(announced.words, [("source", "startup".to_owned()), ("model", "m-1".to_owned())]);
    let prompt = json!({"session_id": "new", "hook_event_name": "UserPromptSubmit", "prompt": "go", "transcript_path": "/p"});
    let mut first = heard(Agent::ClaudeCode, &prompt);
    first.remember(announced.words.into_iter().map(|(name, word)| (name.to_owned(), word.into())).collect());
    let meta = &first.opening.expect("an opening").data["meta"];
    assert_eq!(*meta, json!({"transcript_path": "/p", "started": {"source": "startup", "model": "m-1"}}));
    assert_eq!(heard(Agent::ClaudeCode, &prompt).announced, None);
}

#[test]
fn an_announcement_makes_no_session() {
    let start =
        |session: &str| json!({"session_id": session, "hook_event_name": "SessionStart", "source": "resume"});
    assert_eq!(kinds(&heard(Agent::ClaudeCode, &start("phantom"))), [""; 0]);
    assert_eq!(kinds(&heard(Agent::ClaudeCode, &start("known"))), ["session.updated"]);
    let end = json!({"session_id": "phantom", "hook_event_name": "SessionEnd", "reason": "other"});
    assert_eq!(kinds(&heard(Agent::Codex, &end)), [""; 0]);
}

#[test]
fn what_is_no_payload_is_kept_with_the_reason() {
    let strange = |bytes: &[u8]| hear(Agent::ClaudeCode, bytes, &Empty);
    for bytes in [
        &b"{"[..],
        b"[1]",
        b"null",
        b"\xff\xfe{}",
        b"{} {}",
        br#"{"hook_event_name":"Stop"}"#,
        br#"{"session_id":12345,"hook_event_name":"PostToolUse","cwd":null}"#,
        br#"{"session_id":"s","hook_event_name":7}"#,
        br#"{"session_id":"s","hook_event_name":"FutureEvent","x":1}"#,
    ] {
        let heard = strange(bytes);
        assert_eq!(kinds(&heard), ["raw.kept"], "{}", String::from_utf8_lossy(bytes));
        assert!(heard.strange.is_some());
    }
    let deep = format!(
        r#"{{"session_id":"s","hook_event_name":"Stop","x":{}1{}}}"#,
        "[".repeat(5000),
        "]".repeat(5000)
    );
    assert_eq!(kinds(&strange(deep.as_bytes())), ["raw.kept"]);
    for nothing in [&b""[..], b" \n", b"\0\0"] {
        assert!(strange(nothing).drafts.is_empty() && strange(nothing).opening.is_none());
    }
    assert_eq!(strange(&vec![b'x'; MAX_PAYLOAD_BYTES + 1]).strange, Some("payload is larger than 64 MiB"));
}

#[test]
fn a_turn_begins_with_a_prompt_and_ends_with_an_answer() {
    let prompt = json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "fix it",
        "permission_mode": "acceptEdits"});
    let told = heard(Agent::ClaudeCode, &prompt);
    assert_eq!(kinds(&told), ["turn.started", "message.recorded"]);
    assert!(told.drafts[1].key.is_none() && told.drafts[1].header["twin"].as_str().is_some());
    assert_eq!(told.drafts[0].data["ext"], json!({"permission_mode": "acceptEdits"}));
    let stop = json!({"session_id": "s", "hook_event_name": "Stop", "last_assistant_message": "done",
        "turn_id": "0199f1f2-aaaa-bbbb-cccc-000000000001"});
    let told = heard(Agent::Codex, &stop);
    assert_eq!(kinds(&told), ["message.recorded", "turn.ended"]);
    assert_eq!(told.drafts[1].key.as_deref(), Some("0199f1f2-aaaa-bbbb-cccc-000000000001.ended"));
}
