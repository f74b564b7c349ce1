//! What tools gave back: `tool_result` blocks and the structure beside them.
//!
//! `toolUseResult` repeats most of the text; copies become pointers (see `same`).

use event::Draft;
use serde_json::{Map, Value};

use super::Rec;
use super::agents::Agents;
use crate::derive::is_global;
use crate::members::TakeMembers;
use crate::pen::add_ext;
use crate::same::Known;

/// Words with which a refusal begins.
const DENIED: &[&str] = &[
    "The user doesn't want to",
    "The user doesn't want to proceed",
    "Claude requested permissions",
    "Permission to use",
    "Permission prompt was aborted",
    "User rejected",
    "This tool use was rejected",
];
const INTERRUPTED: &[&str] = &["[Request interrupted", "Interrupted by user", "The tool use was interrupted"];

/// `skill.returned`, and `agent.stopped` if the tool was an agent.
pub(super) fn returned(
    rec: &mut Rec<'_>,
    agents: &mut Agents,
    part: usize,
    block: &mut Map<String, Value>,
) -> Vec<Draft> {
    let call = block.take_text("tool_use_id");
    let failed = block.flag("is_error");
    let output = block.remove("content").unwrap_or_default();
    // one structure stands beside all blocks; the first result takes it
    let structure = rec.fields.remove("toolUseResult").filter(|value| !value.is_null());
    let status = status(rec, &output, structure.as_ref(), failed);
    let (skill, cause) = call.as_deref().map_or((None, None), |call| agents.call(call));
    let global = call.as_ref().filter(|call| is_global(call));
    let key = global.map_or_else(|| rec.key(part), |call| format!("{call}.returned"));
    let of =
        |names: &[&str]| structure.as_ref().and_then(|s| names.iter().find_map(|n| s.as_object()?.count(n)));
    let mut draft = rec
        .stamp
        .draft("skill.returned")
        .key(key.as_str())
        .with("skill", skill)
        .with("call", call.clone())
        .with("status", status)
        .with("exit", of(&["exitCode", "exit_code"]).or_else(|| exit_code(&output, failed)))
        .with("duration_ms", of(&["durationMs", "totalDurationMs"]))
        .with("cause", cause.as_deref());
    let stopped = call.as_deref().and_then(|call| {
        stopped(rec, agents, call, cause.as_deref(), status, structure.as_ref()?.as_object()?)
    });
    if let Some(structure) = structure {
        add_ext(
            &mut draft,
            Map::from_iter([("toolUseResult".to_owned(), without_copies(structure, &output, failed))]),
        );
    }
    let draft = draft.data(member(failed), output);
    std::iter::once(draft).chain(stopped).collect()
}

fn member(failed: bool) -> &'static str {
    if failed { "error" } else { "output" }
}

fn without_copies(mut structure: Value, output: &Value, failed: bool) -> Value {
    let mut known = Known::default();
    known.add(member(failed), output);
    known.replace(&mut structure);
    structure
}

fn status(rec: &Rec<'_>, output: &Value, structure: Option<&Value>, failed: bool) -> &'static str {
    let flag = |name: &str| structure.and_then(Value::as_object).is_some_and(|map| map.flag(name));
    let text = first_text(output);
    let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    if flag("interrupted") || (failed && begins(INTERRUPTED)) {
        return "interrupted";
    }
    if rec.fields.contains_key("toolDenialKind") || (failed && begins(DENIED)) {
        return "denied";
    }
    if failed && text.contains("timed out after") {
        return "timeout";
    }
    let said = structure.and_then(Value::as_str).is_some_and(|text| text.starts_with("Error:"));
    if failed || said || flag("is_error") { "error" } else { "ok" }
}

fn first_text(output: &Value) -> &str {
    let text = match output {
        Value::Array(blocks) => blocks.iter().find_map(|block| block.get("text")?.as_str()),
        other => other.as_str(),
    };
    text.unwrap_or_default()
}

/// `Exit code 2` in front of a failed command's output.
fn exit_code(output: &Value, failed: bool) -> Option<i64> {
    let rest = first_text(output).strip_prefix("Exit code ").filter(|_| failed)?;
    rest.split_whitespace().next()?.parse::<i32>().ok().map(i64::from)
}

/// An agent's end, told by the result of the call that started it.
fn stopped(
    rec: &Rec<'_>,
    agents: &Agents,
    call: &str,
    invoked: Option<&str>,
    status: &str,
    structure: &Map<String, Value>,
) -> Option<Draft> {
    let id = structure.text("agentId")?;
    // a call that only starts an agent in the background returns at once
    let done = structure.text("status") == Some("completed") || structure.contains_key("totalDurationMs");
    let mut stamp = rec.stamp.clone();
    stamp.parent_agent = stamp.agent.take();
    stamp.agent = Some(agents.kind_of(id).to_owned());
    stamp.agent_id = Some(id.to_owned());
    let spawned = invoked.map(|key| format!("{}.spawned", key.strip_suffix(".invoked").unwrap_or(key)));
    let draft = stamp.draft("agent.stopped").key(format!("{id}.stopped"));
    done.then(|| draft.with("call", call).with("status", status).with("cause", spawned))
}
