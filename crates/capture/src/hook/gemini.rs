//! The words of Gemini CLI. Its calls have no id here, so a call is told by the transcript alone, and the hook
//! says when it was made and what came of it.

use event::Draft;
use serde_json::Value;

use super::House;
use super::payload::Payload;
use super::wire::{ended, prompted, ran, started, stopped};

/// The drafts of an event, and its name; `None` for one that is unknown.
pub(super) fn drafts(payload: &mut Payload, house: &dyn House) -> Option<(&'static str, Vec<Draft>)> {
    let event = payload.event.clone();
    Some(match event.as_str() {
        "SessionStart" => ("SessionStart", started(payload, house)),
        "SessionEnd" => ("SessionEnd", ended(payload, house)),
        "BeforeAgent" => ("BeforeAgent", prompted(payload, house)),
        "AfterAgent" => {
            payload.value(&["prompt"]);
            ("AfterAgent", stopped(payload, house, "completed"))
        }
        "BeforeTool" => ("BeforeTool", vec![tool(payload, "BeforeTool")]),
        "AfterTool" => ("AfterTool", vec![tool(payload, "AfterTool")]),
        "BeforeModel" => ("BeforeModel", vec![model(payload, "BeforeModel")]),
        "AfterModel" => ("AfterModel", vec![model(payload, "AfterModel")]),
        "BeforeToolSelection" => ("BeforeToolSelection", vec![model(payload, "BeforeToolSelection")]),
        "PreCompress" => ("PreCompress", vec![ran(payload, "PreCompress")]),
        "Notification" => ("Notification", vec![ran(payload, "Notification")]),
        _ => return None,
    })
}

fn tool(payload: &mut Payload, hook: &'static str) -> Draft {
    let skill = payload.text("tool_name");
    payload.value(&["tool_input"]);
    let response = payload.value(&["tool_response"]);
    let failed = response.get("error").is_some_and(|error| !error.is_null());
    let status = (hook == "AfterTool").then_some(if failed { "error" } else { "ok" });
    ran(payload, hook).with("skill", skill).with("status", status)
}

/// Requests repeat the whole history: only that there was one counts.
fn model(payload: &mut Payload, hook: &'static str) -> Draft {
    let request = payload.value(&["llm_request"]);
    payload.value(&["llm_response"]);
    let model = request.get("model").and_then(Value::as_str).map(str::to_owned);
    ran(payload, hook).with("model", model)
}
