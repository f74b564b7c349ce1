//! Attachments (what the harness shows the model) and progress. Both are links of the parent chain.

use event::Draft;
use serde_json::{Map, Value};

use super::Rec;
use crate::members::TakeMembers;

/// Maps an attachment; one of an unknown type is injected context like the others.
pub(super) fn map(rec: &mut Rec<'_>) -> Option<Vec<Draft>> {
    let mut attachment = rec.fields.take_object("attachment")?;
    let kind = attachment.text("type").unwrap_or("attachment").to_owned();
    let draft = match kind.as_str() {
        "hook_additional_context" => injected(rec, &kind, &mut attachment),
        kind if kind.starts_with("hook_") => hook(rec, &mut attachment),
        "queued_command" => queued(rec, &mut attachment),
        "budget_usd" => usage(rec, &mut attachment),
        kind => injected(rec, kind, &mut attachment),
    };
    if !attachment.is_empty() {
        rec.fields.insert("attachment".to_owned(), Value::Object(attachment));
    }
    Some(vec![draft])
}

fn hook(rec: &Rec<'_>, attachment: &mut Map<String, Value>) -> Draft {
    let mut output = Map::new();
    for name in ["content", "stdout", "stderr", "blockingError"] {
        if let Some(value) = attachment.remove(name) {
            output.insert(name.to_owned(), value);
        }
    }
    let output = if output.is_empty() { Value::Null } else { Value::Object(output) };
    rec.draft("hook.ran", 0)
        .with("hook", attachment.take_text("hookName"))
        .with("call", attachment.take_text("toolUseID"))
        .with("exit", attachment.take_count("exitCode"))
        .with("duration_ms", attachment.take_count("durationMs"))
        .data("output", output)
}

/// What a person typed while the agent was busy.
fn queued(rec: &Rec<'_>, attachment: &mut Map<String, Value>) -> Draft {
    let prompt = attachment.remove("prompt");
    let machine = attachment.text("commandMode").is_some_and(|mode| mode.contains("notification"));
    let draft = rec.draft("message.recorded", 0).with("role", "user");
    let draft = if machine { draft.with("injected", true) } else { draft };
    match prompt {
        Some(Value::String(text)) => draft.data("text", text),
        other => draft.data("body", other.unwrap_or_default()),
    }
}

fn usage(rec: &Rec<'_>, attachment: &mut Map<String, Value>) -> Draft {
    rec.draft("usage.reported", 0).data("body", Value::Object(std::mem::take(attachment)))
}

fn injected(rec: &Rec<'_>, kind: &str, attachment: &mut Map<String, Value>) -> Draft {
    let text = ["text", "content", "snippet"].iter().find_map(|name| attachment.take_text(name));
    rec.draft("context.injected", 0).with("source", kind).data("text", text)
}

/// Maps progress: of a hook, or of a tool that still runs.
pub(super) fn progress(rec: &mut Rec<'_>) -> Option<Vec<Draft>> {
    let mut data = rec.fields.take_object("data")?;
    let call = rec.fields.take_text("parentToolUseID");
    if rec.fields.text("toolUseID") == call.as_deref() {
        rec.fields.remove("toolUseID");
    }
    let cause = call.as_ref().map(|call| format!("{call}.invoked"));
    let draft = if data.text("type") == Some("hook_progress") {
        rec.draft("hook.ran", 0).with("hook", data.take_text("hookName"))
    } else {
        let text = ["output", "text", "content"].iter().find_map(|name| data.take_text(name));
        rec.draft("skill.progressed", 0).data("text", text)
    };
    if !data.is_empty() {
        rec.fields.insert("progress".to_owned(), Value::Object(data));
    }
    Some(vec![draft.with("call", call).with("cause", cause)])
}
