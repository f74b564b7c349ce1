//! Records of type `system`: what the harness notes about itself.

use event::Draft;
use serde_json::{Map, Value};

use super::Rec;
use super::survey::Survey;
use crate::members::TakeMembers;

/// Maps a system record. A subtype that is not known is the harness telling a change of its state.
pub(super) fn map(rec: &mut Rec<'_>, survey: &Survey) -> Vec<Draft> {
    let subtype = rec.fields.text("subtype").unwrap_or("note").to_owned();
    let draft = match subtype.as_str() {
        "compact_boundary" | "microcompact_boundary" => compacted(rec, survey),
        "api_error" | "error" | "api_refusal" | "model_refusal_fallback" => failed(rec),
        "turn_duration" => {
            let duration = rec.fields.take_count("durationMs");
            rec.draft("turn.ended", 0).with("status", "completed").with("duration_ms", duration)
        }
        "stop_hook_summary" => return stop_hooks(rec),
        "local_command" => {
            let text = rec.fields.take_text("content");
            rec.draft("message.recorded", 0).with("role", "user").with("injected", true).data("text", text)
        }
        _ => noted(rec, &subtype),
    };
    vec![draft]
}

fn noted(rec: &mut Rec<'_>, subtype: &str) -> Draft {
    let body = rec.fields.take_text("content").map(|text| Map::from_iter([("text".to_owned(), text.into())]));
    rec.draft("state.changed", 0).with("what", subtype).data("body", body.map_or(Value::Null, Value::Object))
}

fn compacted(rec: &mut Rec<'_>, survey: &Survey) -> Draft {
    let details = rec.fields.get("compactMetadata").or_else(|| rec.fields.get("microcompactMetadata"));
    let details = details.and_then(Value::as_object);
    let trigger = details.and_then(|details| details.text("trigger")).map(str::to_owned);
    let tokens = details.and_then(|details| details.count("preTokens"));
    // the chain goes on behind the boundary, though the boundary has no parent
    let before = rec.fields.text("logicalParentUuid").map(|uuid| survey.first_key(uuid));
    rec.draft("context.compacted", 0).with("trigger", trigger).with("tokens", tokens).with("cause", before)
}

fn failed(rec: &mut Rec<'_>) -> Draft {
    let error = rec.fields.get("error");
    let told = error.and_then(|error| {
        let message = |value: &Value| value.get("message").and_then(Value::as_str).map(str::to_owned);
        error.as_str().map(str::to_owned).or_else(|| message(error)).or_else(|| message(error.get("error")?))
    });
    let text = rec.fields.take_text("content").or(told);
    let model = rec.fields.text("originalModel").map(str::to_owned);
    rec.draft("model.failed", 0).with("model", model).data("message", text)
}

/// The hooks that ran when the agent stopped; a duration only if it was one.
fn stop_hooks(rec: &mut Rec<'_>) -> Vec<Draft> {
    let call = rec.fields.take_text("toolUseID");
    let infos = rec.fields.get("hookInfos").and_then(Value::as_array).filter(|infos| infos.len() == 1);
    let duration = infos.and_then(|infos| infos[0].as_object()?.count("durationMs"));
    vec![rec.draft("hook.ran", 0).with("hook", "Stop").with("call", call).with("duration_ms", duration)]
}
