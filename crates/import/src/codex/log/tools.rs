//! Tools as events tell them: begun and ended, without a response item beside them.

use event::Draft;
use serde_json::{Map, Value};

use super::super::calls::duration_ms;
use super::super::{Rec, Rollout};
use crate::members::TakeMembers;

/// Maps the begin or end of a tool's work, or a question for permission; `None` for another event.
pub(super) fn event(rollout: &mut Rollout, rec: &mut Rec, kind: &str) -> Option<Draft> {
    let (skill, stage) = match kind {
        "exec_approval_request" | "apply_patch_approval_request" => return Some(asked(rec, kind)),
        "patch_apply_begin" => ("apply_patch", "begin"),
        "exec_command_begin" => ("exec_command", "begin"),
        "exec_command_end" => ("exec_command", "end"),
        "mcp_tool_call_begin" => ("mcp_tool", "begin"),
        "mcp_tool_call_end" => ("mcp_tool", "end"),
        "web_search_begin" => ("web_search", "begin"),
        "web_search_end" => ("web_search", "end"),
        _ => return None,
    };
    let tool = rec.payload.get("invocation").and_then(|asked| asked.get("tool")?.as_str());
    let skill = tool.unwrap_or(skill).to_owned();
    rec.payload.insert("name".to_owned(), skill.into());
    if stage == "begin" {
        let input = ["command", "changes", "query"].iter().find_map(|name| rec.payload.remove(*name));
        rec.payload.extend(input.map(|input| ("input".to_owned(), input)));
        return Some(rollout.invoked(rec, kind));
    }
    let output = ["aggregated_output", "stdout"].iter().find_map(|name| rec.payload.take_text(name));
    rec.payload.extend(output.map(|output| ("output".to_owned(), output.into())));
    let exit = rec.payload.count("exit_code");
    let failed = exit.is_some_and(|exit| exit != 0);
    let duration = duration_ms(rec.payload.get("duration"));
    let draft = rollout.returned(rec, "custom_tool_call_output", 0);
    let draft = if failed { draft.with("status", "error") } else { draft };
    Some(draft.with("exit", exit).with("duration_ms", duration))
}

fn asked(rec: &mut Rec, kind: &str) -> Draft {
    let skill = if kind.starts_with("exec") { "exec_command" } else { "apply_patch" };
    let call = rec.payload.take_text("call_id");
    let mut input = Map::new();
    for name in ["command", "cwd", "changes", "reason", "grant_root"] {
        input.extend(rec.payload.remove_entry(name));
    }
    let draft = rec.draft("permission.asked", 0).with("skill", skill).with("call", call);
    draft.data("input", Value::Object(input))
}
