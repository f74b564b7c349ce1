//! The control protocol between the tool and whoever runs it: permissions, hooks, settings.

use event::Draft;
use serde_json::{Map, Value};

use super::super::Rec;
use super::Stream;
use crate::derive::is_global;
use crate::members::TakeMembers;

/// A request that waits for its answer.
#[derive(Debug)]
pub(super) struct Asked {
    /// Its event.
    key: String,
    permission: bool,
    skill: Option<String>,
    call: Option<String>,
}

impl Stream {
    /// Maps a request.
    pub(super) fn asked(&mut self, rec: &mut Rec<'_>) -> Draft {
        let mut request = rec.fields.take_object("request").unwrap_or_default();
        let subtype = request.text("subtype").unwrap_or("request").to_owned();
        let call = request.text("tool_use_id").map(str::to_owned);
        let skill = request.text("tool_name").map(str::to_owned);
        let draft = match subtype.as_str() {
            "can_use_tool" => permission(rec, &mut request),
            "hook_callback" => hook(rec, &mut request),
            _ => rec
                .draft("state.changed", 0)
                .with("what", format!("control/{subtype}"))
                .data("body", Value::Object(std::mem::take(&mut request))),
        };
        if let Some(id) = rec.fields.text("request_id") {
            let permission = subtype == "can_use_tool";
            self.asked.insert(id.to_owned(), Asked { key: rec.key(0), permission, skill, call });
        }
        if !request.is_empty() {
            rec.fields.insert("request".to_owned(), Value::Object(request));
        }
        draft
    }

    /// Maps an answer: of a person or a rule to a permission, else a note.
    pub(super) fn answered(&mut self, rec: &mut Rec<'_>) -> Draft {
        let mut response = rec.fields.take_object("response").unwrap_or_default();
        let asked = response.text("request_id").and_then(|id| self.asked.get(id));
        let cause = asked.map(|asked| asked.key.clone());
        let draft = match asked.filter(|asked| asked.permission) {
            Some(asked) => {
                let mut inner = response.take_object("response").unwrap_or_default();
                let draft = rec
                    .draft("permission.decided", 0)
                    .with("skill", asked.skill.clone())
                    .with("call", asked.call.clone())
                    .with("decision", inner.take_text("behavior"))
                    .data("reason", inner.take_text("message"));
                if !inner.is_empty() {
                    response.insert("response".to_owned(), Value::Object(inner));
                }
                draft
            }
            None => rec
                .draft("state.changed", 0)
                .with("what", "control/response")
                .data("body", Value::Object(std::mem::take(&mut response))),
        };
        if !response.is_empty() {
            rec.fields.insert("response".to_owned(), Value::Object(response));
        }
        draft.with("cause", cause)
    }
}

fn permission(rec: &Rec<'_>, request: &mut Map<String, Value>) -> Draft {
    let call = request.take_text("tool_use_id");
    let cause = call.as_ref().filter(|call| is_global(call)).map(|call| format!("{call}.invoked"));
    rec.draft("permission.asked", 0)
        .with("skill", request.take_text("tool_name"))
        .with("call", call)
        .with("cause", cause)
        .data("input", request.remove("input").unwrap_or_default())
}

/// A hook that the program around the tool runs.
fn hook(rec: &Rec<'_>, request: &mut Map<String, Value>) -> Draft {
    let input = request.remove("input").unwrap_or_default();
    let told = |name: &str| input.get(name).and_then(Value::as_str).map(str::to_owned);
    let call = told("tool_use_id");
    let cause = call.as_ref().filter(|call| is_global(call)).map(|call| format!("{call}.invoked"));
    let draft = rec.draft("hook.ran", 0).with("hook", told("hook_event_name")).with("call", call);
    draft.with("cause", cause).data("input", input)
}
