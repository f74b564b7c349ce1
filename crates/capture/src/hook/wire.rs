//! The words of Claude Code, which Codex speaks too.
//!
//! Some tools write payloads with names of their own (`tool_output`, `prompt_text`, …); they are read as well.

use event::Draft;
use import::is_global;
use recorder::twin_of_text;
use serde_json::{Map, Value};

use super::House;
use super::payload::Payload;

/// Tools that start an agent.
const SPAWNING: [&str; 2] = ["Task", "Agent"];
/// Events that are told as runs of the hook: the transcript has what they are about, or nothing is.
const RUNS: [&str; 18] = [
    "PreCompact",
    "PostCompact",
    "Setup",
    "InstructionsLoaded",
    "ConfigChange",
    "CwdChanged",
    "DirectoryAdded",
    "FileChanged",
    "WorktreeCreate",
    "WorktreeRemove",
    "TaskCreated",
    "TaskCompleted",
    "TeammateIdle",
    "Elicitation",
    "ElicitationResult",
    "PostToolBatch",
    "UserPromptExpansion",
    "Notification",
];

/// The drafts of an event, and its name; `None` for one that is unknown.
pub(super) fn drafts(payload: &mut Payload, house: &dyn House) -> Option<(&'static str, Vec<Draft>)> {
    let event = payload.event.clone();
    Some(match event.as_str() {
        "SessionStart" => ("SessionStart", started(payload, house)),
        "SessionEnd" => ("SessionEnd", ended(payload, house)),
        "UserPromptSubmit" => ("UserPromptSubmit", prompted(payload, house)),
        "PreToolUse" => ("PreToolUse", invoked(payload)),
        "PostToolUse" => ("PostToolUse", vec![returned(payload, "PostToolUse", false)]),
        "PostToolUseFailure" => ("PostToolUseFailure", vec![returned(payload, "PostToolUseFailure", true)]),
        "PermissionRequest" => ("PermissionRequest", vec![asked(payload)]),
        "PermissionDenied" => ("PermissionDenied", vec![denied(payload)]),
        "SubagentStart" => ("SubagentStart", vec![agent_started(payload)]),
        "SubagentStop" => ("SubagentStop", vec![agent_stopped(payload)]),
        "Stop" => ("Stop", stopped(payload, house, "completed")),
        "StopFailure" => ("StopFailure", stopped(payload, house, "error")),
        "MessageDisplay" => {
            let text = payload.text_of(&["message", "message_text", "text"]);
            (
                "MessageDisplay",
                text.map(|text| said(payload, house, "assistant", &text)).into_iter().collect(),
            )
        }
        other => {
            let name = RUNS.into_iter().find(|name| *name == other)?;
            (name, vec![ran(payload, name)])
        }
    })
}

/// An announcement: of a session that nobody knows it makes none.
pub(super) fn started(payload: &mut Payload, house: &dyn House) -> Vec<Draft> {
    if !house.knows(&payload.session) {
        return Vec::new();
    }
    let title = payload.text("session_title");
    vec![payload.draft("session.updated").with("status", "open").data("title", title)]
}

pub(super) fn ended(payload: &mut Payload, house: &dyn House) -> Vec<Draft> {
    if !house.knows(&payload.session) {
        return Vec::new();
    }
    let reason = payload.text("reason");
    vec![payload.draft("session.closed").with("status", "closed").data("reason", reason)]
}

/// A turn begins with what a person typed.
pub(super) fn prompted(payload: &mut Payload, house: &dyn House) -> Vec<Draft> {
    let text = payload.text_of(&["prompt", "prompt_text", "user_prompt"]);
    let mut drafts = vec![turn(payload, "turn.started", "started")];
    drafts.extend(text.map(|text| said(payload, house, "user", &text)));
    drafts
}

/// A message under the id of its text.
pub(super) fn said(payload: &Payload, house: &dyn House, role: &str, text: &str) -> Draft {
    let twin = twin_of_text(&payload.session, text, &|material| house.keyed(material));
    payload.draft("message.recorded").with("role", role).with("twin", twin).data("text", text)
}

fn turn(payload: &mut Payload, kind: &'static str, verb: &str) -> Draft {
    let turn = payload.text_of(&["turn_id", "prompt_id"]);
    let draft = payload.draft(kind);
    match turn {
        Some(turn) if is_global(&turn) => draft.key(format!("{turn}.{verb}")).with("turn", turn),
        turn => draft.with("turn", turn),
    }
}

fn invoked(payload: &mut Payload) -> Vec<Draft> {
    let (skill, call) = call(payload);
    let input = payload.value(&["tool_input"]);
    let Some(id) = shared(call.as_deref()) else {
        return vec![ran_for(payload, "PreToolUse", skill, call).data("input", input)];
    };
    let consequence = skill.as_deref().and_then(|skill| consequence(payload, skill, id, input.as_object()?));
    let draft = payload.draft("skill.invoked").key(format!("{id}.invoked"));
    let draft = draft.with("skill", skill).with("call", id).data("input", input);
    std::iter::once(draft).chain(consequence).collect()
}

/// What a call means beyond the call.
fn consequence(payload: &Payload, skill: &str, call: &str, input: &Map<String, Value>) -> Option<Draft> {
    let cause = format!("{call}.invoked");
    if skill == "TodoWrite" {
        let plan = payload.draft("plan.updated").key(format!("{call}.plan")).with("cause", cause);
        return Some(plan.data("plan", input.get("todos")?.clone()));
    }
    let kind = input.get("subagent_type").and_then(Value::as_str).unwrap_or("subagent");
    SPAWNING.contains(&skill).then(|| {
        let mut draft = payload.draft("agent.spawned").key(format!("{call}.spawned")).with("cause", cause);
        // it is about the agent that comes, whose id nobody knows yet
        draft.header.remove("agent_id");
        let draft = draft.with("agent", kind).with("parent_agent", payload.agent.as_str()).with("call", call);
        draft.data("prompt", input.get("prompt").cloned().unwrap_or_default())
    })
}

fn returned(payload: &mut Payload, event: &'static str, failed: bool) -> Draft {
    let (skill, call) = call(payload);
    let input = payload.value(&["tool_input"]);
    let output = payload.value(&["tool_response", "tool_output", "tool_result"]);
    let error = payload.value(&["error", "error_message"]);
    let duration = payload.count("duration_ms");
    let status = status(payload, &output, failed);
    let draft = match shared(call.as_deref()) {
        // the call tells its input
        Some(id) => payload.draft("skill.returned").key(format!("{id}.returned")).with("skill", skill),
        None => ran_for(payload, event, skill, call.clone()).data("input", input),
    };
    let exit = ["exit_code", "exitCode"].iter().find_map(|name| output.get(*name)?.as_i64());
    let agent = output.get("agentId").and_then(Value::as_str).map(|id| format!("{id}.stopped"));
    draft
        .with("call", call)
        .with("status", status)
        .with("exit", exit)
        .with("duration_ms", duration)
        .with("corr", agent)
        .data("output", output)
        .data("error", error)
}

fn status(payload: &mut Payload, output: &Value, failed: bool) -> &'static str {
    let flag = |name: &str| output.get(name).and_then(Value::as_bool).unwrap_or(false);
    if payload.flag("is_interrupt") || flag("interrupted") {
        return "interrupted";
    }
    if failed || flag("is_error") { "error" } else { "ok" }
}

fn asked(payload: &mut Payload) -> Draft {
    let (skill, call) = call(payload);
    let input = payload.value(&["tool_input"]);
    payload.draft("permission.asked").with("skill", skill).with("call", call).data("input", input)
}

fn denied(payload: &mut Payload) -> Draft {
    let (skill, call) = call(payload);
    let input = payload.value(&["tool_input"]);
    let reason = payload.text_of(&["denial_reason", "reason", "message"]);
    let draft = payload.draft("permission.decided").with("skill", skill).with("call", call);
    draft.with("decision", "denied").data("reason", reason).data("input", input)
}

fn agent_started(payload: &mut Payload) -> Draft {
    let draft = payload.draft("agent.started");
    match payload.agent_id() {
        Some(id) => draft.key(format!("{id}.started")),
        None => draft,
    }
}

/// An agent's end has no call: the id of the agent joins it to the call that started it.
fn agent_stopped(payload: &mut Payload) -> Draft {
    let result = payload.text_of(&["last_assistant_message", "summary", "assistant_message"]);
    let draft = payload.draft("agent.stopped").with("status", "ok").data("result", result);
    match payload.agent_id() {
        Some(id) => draft.key(format!("{id}.stopped")),
        None => draft,
    }
}

pub(super) fn stopped(payload: &mut Payload, house: &dyn House, status: &'static str) -> Vec<Draft> {
    let said_last =
        payload.text_of(&["last_assistant_message", "assistant_message", "prompt_response", "response"]);
    let why = payload.text_of(&["error_message", "error", "error_details"]);
    let message = said_last.map(|text| said(payload, house, "assistant", &text));
    let end = turn(payload, "turn.ended", "ended").with("status", status).data("text", why);
    message.into_iter().chain([end]).collect()
}

/// The tool, and the call's own id.
pub(super) fn call(payload: &mut Payload) -> (Option<String>, Option<String>) {
    (payload.text("tool_name"), payload.text("tool_use_id"))
}

/// The call's id, if the transcript uses it as well.
fn shared(call: Option<&str>) -> Option<&str> {
    call.filter(|call| is_global(call))
}

/// The hook ran for a call that has no id to share.
fn ran_for(payload: &Payload, hook: &str, skill: Option<String>, call: Option<String>) -> Draft {
    payload.draft("hook.ran").with("hook", hook).with("skill", skill).with("call", call)
}

/// The hook ran; of what it was told, what a transcript tells is left to the transcript.
pub(super) fn ran(payload: &mut Payload, hook: &'static str) -> Draft {
    let told = match hook {
        "PostCompact" => {
            payload.value(&["compact_summary"]);
            Value::Null
        }
        "Notification" => payload.value(&["message"]),
        _ => Value::Null,
    };
    payload.draft("hook.ran").with("hook", hook).data("output", told)
}
