//! Records of a stream beside its messages: the start, the end, and what the harness tells meanwhile.

use event::Draft;
use serde_json::{Map, Value};

use super::super::survey::Survey;
use super::super::{Rec, system};
use crate::members::TakeMembers;

/// Members that every record has; they stay in `ext`.
const COMMON: &[&str] = &["type", "subtype", "direction", "recording", "sideCall"];

/// Maps a `system` record.
pub(super) fn system(rec: &mut Rec<'_>, survey: &Survey) -> Vec<Draft> {
    let draft = match rec.fields.text("subtype") {
        Some("init") => {
            let cwd = rec.fields.take_text("cwd");
            rec.stamp.model = rec.fields.take_text("model");
            let meta = rest(rec);
            rec.draft("session.updated", 0).data("cwd", cwd).data("meta", meta)
        }
        Some("hook_response" | "hook_started" | "hook_progress") => hook(rec),
        Some("compact_boundary") => {
            let details = rec.fields.get("compact_metadata").and_then(Value::as_object);
            let trigger = details.and_then(|details| details.text("trigger")).map(str::to_owned);
            let tokens = details.and_then(|details| details.count("pre_tokens"));
            rec.draft("context.compacted", 0).with("trigger", trigger).with("tokens", tokens)
        }
        Some("api_retry") => {
            let error = rec.fields.take_text("error");
            rec.draft("model.failed", 0).data("message", error)
        }
        _ => return system::map(rec, survey),
    };
    vec![draft]
}

fn hook(rec: &mut Rec<'_>) -> Draft {
    let name = rec.fields.take_text("hook_event").or_else(|| rec.fields.take_text("hook_name"));
    let exit = rec.fields.take_count("exit_code");
    let mut output = Map::new();
    for name in ["output", "stdout", "stderr"] {
        output.extend(rec.fields.remove_entry(name));
    }
    let output = if output.is_empty() { Value::Null } else { Value::Object(output) };
    rec.draft("hook.ran", 0).with("hook", name).with("exit", exit).data("output", output)
}

/// Maps the other types; `None` for one that is not known.
pub(super) fn note(rec: &mut Rec<'_>, kind: &str) -> Option<Draft> {
    Some(match kind {
        "result" => result(rec),
        "tool_progress" => {
            let (call, skill) = (rec.fields.take_text("tool_use_id"), rec.fields.take_text("tool_name"));
            let cause = call.as_ref().map(|call| format!("{call}.invoked"));
            let draft = rec.draft("skill.progressed", 0).with("skill", skill).with("call", call);
            draft.with("cause", cause)
        }
        "rate_limit_event" => {
            let body = rec.fields.remove("rate_limit_info").unwrap_or_default();
            rec.draft("usage.reported", 0).data("body", body)
        }
        "control_cancel_request"
        | "keep_alive"
        | "auth_status"
        | "tool_use_summary"
        | "prompt_suggestion" => {
            let body = rest(rec);
            rec.draft("state.changed", 0).with("what", kind).data("body", body)
        }
        // what a recording says about itself
        "" => {
            let meta = rest(rec);
            rec.draft("session.updated", 0).data("meta", meta)
        }
        _ => return None,
    })
}

/// The end of a turn. What it cost in all is told by its responses; the sum stays in the body.
fn result(rec: &mut Rec<'_>) -> Draft {
    let subtype = rec.fields.text("subtype").unwrap_or("success");
    let failed = rec.fields.flag("is_error") || rec.fields.contains_key("error");
    let status = match subtype {
        subtype if subtype.starts_with("error_max") => "limit",
        "success" if !failed => "completed",
        _ => "error",
    };
    let duration = rec.fields.take_count("duration_ms");
    let text = rec.fields.take_text("result");
    let body = rest(rec);
    let draft = rec.draft("turn.ended", 0).with("status", status).with("duration_ms", duration);
    draft.data("text", text).data("body", body)
}

/// Everything that is left of a record but for what all of them have.
fn rest(rec: &mut Rec<'_>) -> Value {
    let names: Vec<String> =
        rec.fields.keys().filter(|name| !COMMON.contains(&name.as_str())).cloned().collect();
    let rest: Map<_, _> = names.into_iter().filter_map(|name| rec.fields.remove_entry(&name)).collect();
    if rest.is_empty() { Value::Null } else { Value::Object(rest) }
}
