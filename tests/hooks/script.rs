//! One session as hooks and transcript tell it, line by line as it would happen.

#![allow(clippy::needless_pass_by_value, clippy::too_many_lines)] // a script is read from top to bottom

use std::collections::BTreeMap;

use serde_json::{Value, json};

pub(super) const SESSION: &str = "5e551011-aaaa-4bbb-8ccc-000000000001";
const CALL: [&str; 4] = [
    "toolu_01BashAaaaaaaaaaaaaaaa01",
    "toolu_01TaskAaaaaaaaaaaaaaaa02",
    "toolu_01GrepAaaaaaaaaaaaaaaa03",
    "toolu_01FailAaaaaaaaaaaaaaaa04",
];
const AGENT: &str = "a1b2c3d4e5f60718";

/// What happens next.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Hook(Value),
    Line(String, Value),
}

fn hook(event: &str, more: Value) -> Step {
    let mut payload = json!({
        "session_id": SESSION, "transcript_path": format!("/h/.claude/projects/-w/{SESSION}.jsonl"), "cwd": "/w",
        "permission_mode": "default", "hook_event_name": event,
    });
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    Step::Hook(payload)
}

pub(super) fn stop(session: &str) -> Value {
    json!({"session_id": session, "hook_event_name": "Stop"})
}

/// A record of the main transcript, or of the subagent's.
fn line(agent: bool, number: u32, parent: Option<u32>, kind: &str, message: Value, more: Value) -> Step {
    let uuid = |n: u32| format!("{}-0000-4000-8000-{n:012}", if agent { "bbbbbbbb" } else { "aaaaaaaa" });
    let mut record = json!({
        "parentUuid": parent.map(uuid), "isSidechain": agent, "cwd": "/w", "sessionId": SESSION, "version": "2.1.200",
        "type": kind, "message": message, "uuid": uuid(number),
        "timestamp": format!("2026-11-28T10:00:{number:02}.000Z"),
    });
    if agent {
        record["agentId"] = json!(AGENT);
    }
    record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let file =
        if agent { format!("{SESSION}/subagents/agent-{AGENT}.jsonl") } else { format!("{SESSION}.jsonl") };
    Step::Line(file, record)
}

fn said(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn answer(id: &str, block: Value) -> Value {
    json!({"id": id, "role": "assistant", "model": "claude-x", "stop_reason": null, "content": [block],
        "usage": {"input_tokens": 10, "output_tokens": 2}})
}

fn uses(id: &str, call: &str, name: &str, input: Value) -> Value {
    answer(id, json!({"type": "tool_use", "id": call, "name": name, "input": input}))
}

fn gave(call: &str, text: &str, failed: bool) -> Value {
    json!({"role": "user", "content": [{"tool_use_id": call, "type": "tool_result", "content": text, "is_error": failed}]})
}

/// The steps, in the order of the clock.
pub(super) fn script() -> Vec<Step> {
    let ls = json!({"command": "ls quokka"});
    let task = json!({"description": "look", "prompt": "look for wallabies", "subagent_type": "Explore"});
    let grep = json!({"pattern": "wallaby"});
    let none = || json!({});
    let by_agent = |mut more: Value| {
        more["agent_id"] = json!(AGENT);
        more["agent_type"] = json!("Explore");
        more
    };
    vec![
        hook("SessionStart", json!({"source": "startup", "model": "claude-x"})),
        hook("UserPromptSubmit", json!({"prompt": "list the files"})),
        line(false, 1, None, "user", said("list the files"), none()),
        line(
            false,
            2,
            Some(1),
            "assistant",
            uses("msg_1", CALL[0], "Bash", ls.clone()),
            json!({"requestId": "req_1"}),
        ),
        hook("PreToolUse", json!({"tool_name": "Bash", "tool_input": ls, "tool_use_id": CALL[0]})),
        hook("PermissionRequest", json!({"tool_name": "Bash", "tool_input": {"command": "ls"}})),
        hook(
            "PostToolUse",
            json!({"tool_name": "Bash", "tool_input": ls, "tool_use_id": CALL[0],
            "tool_response": {"stdout": "wombat.txt", "stderr": "", "interrupted": false}, "duration_ms": 12}),
        ),
        line(
            false,
            3,
            Some(2),
            "user",
            gave(CALL[0], "wombat.txt", false),
            json!({"toolUseResult": {"stdout": "wombat.txt", "stderr": "", "interrupted": false}}),
        ),
        line(
            false,
            4,
            Some(3),
            "assistant",
            answer("msg_2", json!({"type": "text", "text": "There is one file"})),
            json!({"requestId": "req_2"}),
        ),
        hook("Stop", json!({"last_assistant_message": "There is one file", "stop_hook_active": false})),
        hook("UserPromptSubmit", json!({"prompt": "continue"})),
        line(false, 5, Some(4), "user", said("continue"), none()),
        line(
            false,
            6,
            Some(5),
            "assistant",
            uses("msg_3", CALL[1], "Task", task.clone()),
            json!({"requestId": "req_3"}),
        ),
        hook("PreToolUse", json!({"tool_name": "Task", "tool_input": task, "tool_use_id": CALL[1]})),
        hook("SubagentStart", by_agent(none())),
        Step::Line(
            format!("{SESSION}/subagents/agent-{AGENT}.meta.json"),
            json!({"agentType": "Explore", "spawnDepth": 1}),
        ),
        line(true, 7, None, "user", said("look for wallabies"), none()),
        line(
            true,
            8,
            Some(7),
            "assistant",
            uses("msg_4", CALL[2], "Grep", grep.clone()),
            json!({"requestId": "req_4"}),
        ),
        hook(
            "PreToolUse",
            by_agent(json!({"tool_name": "Grep", "tool_input": grep, "tool_use_id": CALL[2]})),
        ),
        hook(
            "PostToolUse",
            by_agent(
                json!({"tool_name": "Grep", "tool_input": grep, "tool_use_id": CALL[2], "tool_response": {"content": "none"}}),
            ),
        ),
        line(true, 9, Some(8), "user", gave(CALL[2], "none", false), none()),
        line(
            true,
            10,
            Some(9),
            "assistant",
            answer("msg_5", json!({"type": "text", "text": "no wallabies"})),
            json!({"requestId": "req_5"}),
        ),
        hook(
            "SubagentStop",
            by_agent(json!({"last_assistant_message": "no wallabies", "stop_hook_active": false})),
        ),
        hook(
            "PostToolUse",
            json!({"tool_name": "Task", "tool_input": task, "tool_use_id": CALL[1],
            "tool_response": {"status": "completed", "agentId": AGENT, "content": [{"type": "text", "text": "no wallabies"}], "totalDurationMs": 900}}),
        ),
        line(
            false,
            11,
            Some(6),
            "user",
            gave(CALL[1], "no wallabies", false),
            json!({"toolUseResult": {"status": "completed", "agentId": AGENT, "content": [{"type": "text", "text": "no wallabies"}], "totalDurationMs": 900}}),
        ),
        line(
            false,
            12,
            Some(11),
            "assistant",
            uses("msg_6", CALL[3], "Bash", json!({"command": "false"})),
            json!({"requestId": "req_6"}),
        ),
        hook(
            "PreToolUse",
            json!({"tool_name": "Bash", "tool_input": {"command": "false"}, "tool_use_id": CALL[3]}),
        ),
        hook(
            "PostToolUseFailure",
            json!({"tool_name": "Bash", "tool_input": {"command": "false"}, "tool_use_id": CALL[3],
            "error": "Exit code 1", "is_interrupt": false}),
        ),
        line(false, 13, Some(12), "user", gave(CALL[3], "Exit code 1", true), none()),
        line(
            false,
            14,
            Some(13),
            "assistant",
            answer("msg_7", json!({"type": "text", "text": "that failed"})),
            json!({"requestId": "req_7"}),
        ),
        hook("Stop", json!({"last_assistant_message": "that failed", "stop_hook_active": false})),
        hook("UserPromptSubmit", json!({"prompt": "continue"})),
        line(false, 15, Some(14), "user", said("continue"), none()),
        line(
            false,
            16,
            Some(15),
            "assistant",
            answer("msg_8", json!({"type": "text", "text": "all done"})),
            json!({"requestId": "req_8"}),
        ),
        hook("Stop", json!({"last_assistant_message": "all done", "stop_hook_active": false})),
        hook("SessionEnd", json!({"reason": "prompt_input_exit"})),
    ]
}

/// Each thing, and how often it happened.
pub(super) fn expected() -> BTreeMap<[String; 4], usize> {
    let row = |kind: &str, agent: &str, label: &str, text: &str, n: usize| {
        ([kind, agent, label, text].map(str::to_owned), n)
    };
    let called = |agent: &str, n: usize| row("model.called", agent, "claude-x", "10 tokens in, 2 out", n);
    BTreeMap::from_iter([
        row("turn.started", "main", "", "", 3),
        row("turn.ended", "main", "completed", "", 3),
        row("permission.asked", "main", "Bash", "ls", 1),
        row("message.recorded", "main", "user", "list the files", 1),
        row("message.recorded", "main", "user", "continue", 2),
        row("message.recorded", "main", "assistant", "There is one file", 1),
        row("message.recorded", "main", "assistant", "that failed", 1),
        row("message.recorded", "main", "assistant", "all done", 1),
        called("main", 6),
        called("Explore", 2),
        row("skill.invoked", "main", "Bash", "ls quokka", 1),
        row("skill.returned", "main", "Bash ok", "wombat.txt", 1),
        row("skill.invoked", "main", "Task", "look", 1),
        row("agent.spawned", "Explore", "", "look for wallabies", 1),
        row("agent.started", "Explore", "", "", 1),
        row("message.recorded", "Explore", "user", "look for wallabies", 1),
        row("skill.invoked", "Explore", "Grep", "wallaby", 1),
        row("skill.returned", "Explore", "Grep ok", "none", 1),
        row("message.recorded", "Explore", "assistant", "no wallabies", 1),
        row("agent.stopped", "Explore", "ok", "", 1),
        row("skill.returned", "main", "Task ok", "no wallabies", 1),
        row("skill.invoked", "main", "Bash", "false", 1),
        row("skill.returned", "main", "Bash error exit 1", "Exit code 1", 1),
    ])
}
