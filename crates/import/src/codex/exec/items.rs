//! Items: what was said, thought, run and changed.

use std::rc::Rc;

use event::Draft;
use serde_json::{Map, Value};

use super::{Rec, Run};
use crate::members::TakeMembers;
use crate::pen;

/// A call that was started: its tool, and the key of its `skill.invoked`.
#[derive(Debug)]
pub(super) struct Call {
    skill: Rc<str>,
    key: String,
    input: Value,
}

/// Members that tell what a call was asked for; they are repeated at its end.
const INPUT: &[&str] =
    &["command", "arguments", "query", "action", "prompt", "receiver_thread_ids", "sender_thread_id"];
/// Members that tell what it gave.
const OUTPUT: &[&str] = &["aggregated_output", "result", "agents_states"];

impl Run {
    /// Maps an item at this stage; `None` if its type is not known.
    pub(super) fn item(&mut self, rec: &mut Rec, stage: &str) -> Option<Vec<Draft>> {
        let mut item = rec.fields.take_object("item")?;
        let kind = item.text("type").unwrap_or_default().to_owned();
        let mut drafts = match kind.as_str() {
            "agent_message" => vec![said(rec, stage, &mut item)],
            "reasoning" => vec![thought(rec, stage, &mut item)],
            "todo_list" => {
                vec![rec.draft("plan.updated", 0).data("plan", item.remove("items").unwrap_or_default())]
            }
            "error" => vec![rec.draft("error.raised", 0).data("message", item.take_text("message"))],
            "file_change" => changed(rec, stage, &mut item),
            // a command, a tool, a search, another agent, and whatever takes time next
            _ => self.call(rec, stage, &kind, &mut item),
        };
        pen::add_ext_member(&mut drafts[0], "item", item);
        Some(drafts)
    }

    fn call(&mut self, rec: &Rec, stage: &str, kind: &str, item: &mut Map<String, Value>) -> Vec<Draft> {
        let id = item.take_text("id").unwrap_or_default();
        let mut drafts = Vec::new();
        if !self.calls.contains_key(&id) {
            drafts.push(self.invoked(rec, &id, kind, item));
        }
        let Some(call) = self.calls.get(&id) else { return drafts };
        // what was asked is told by the call
        for name in INPUT {
            if call.input.get(*name).is_some_and(|told| item.get(*name) == Some(told)) {
                item.remove(*name);
            }
        }
        let part = drafts.len();
        if stage == "completed" {
            drafts.push(returned(rec, part, call, &id, item));
        } else if drafts.is_empty() {
            let text = item.take_text("aggregated_output");
            let draft = rec.draft("skill.progressed", part).with("skill", &*call.skill).with("call", id);
            drafts.push(draft.with("cause", call.key.as_str()).data("text", text));
        }
        drafts
    }

    fn invoked(&mut self, rec: &Rec, id: &str, kind: &str, item: &mut Map<String, Value>) -> Draft {
        let skill = item.take_text("tool").unwrap_or_else(|| kind.to_owned());
        let input: Map<_, _> = INPUT
            .iter()
            .filter_map(|name| item.get(*name).map(|value| ((*name).to_owned(), value.clone())))
            .collect();
        let input = Value::Object(input);
        let key = rec.key(0);
        let call = Call { skill: self.names.keep(&skill), key: key.clone(), input: input.clone() };
        self.calls.insert(id.to_owned(), call);
        rec.stamp.draft("skill.invoked").key(key).with("skill", skill).with("call", id).data("input", input)
    }
}

fn returned(rec: &Rec, part: usize, call: &Call, id: &str, item: &mut Map<String, Value>) -> Draft {
    if item.text("tool") == Some(&call.skill) {
        item.remove("tool");
    }
    let exit = item.take_count("exit_code");
    let error = item.remove("error").filter(|error| !error.is_null());
    let declined = matches!(item.text("status"), Some("declined"));
    let failed =
        item.text("status") == Some("failed") || error.is_some() || exit.is_some_and(|exit| exit != 0);
    let status = match (declined, failed) {
        (true, _) => "denied",
        (false, true) => "error",
        (false, false) => "ok",
    };
    let output = OUTPUT.iter().find_map(|name| item.remove(*name)).unwrap_or_default();
    rec.draft("skill.returned", part)
        .with("skill", &*call.skill)
        .with("call", id)
        .with("status", status)
        .with("exit", exit)
        .with("cause", call.key.as_str())
        .data("output", output)
        .data("error", error.unwrap_or_default())
}

/// A text that is still being written is no message yet.
fn said(rec: &Rec, stage: &str, item: &mut Map<String, Value>) -> Draft {
    if stage != "completed" {
        return unfinished(rec, item);
    }
    rec.draft("message.recorded", 0).with("role", "assistant").data("text", item.take_text("text"))
}

fn thought(rec: &Rec, stage: &str, item: &mut Map<String, Value>) -> Draft {
    if stage != "completed" {
        return unfinished(rec, item);
    }
    rec.draft("reasoning.recorded", 0).with("form", "summary").data("text", item.take_text("text"))
}

fn unfinished(rec: &Rec, item: &mut Map<String, Value>) -> Draft {
    let body = Value::Object(std::mem::take(item));
    rec.draft("state.changed", 0).with("what", "item").data("body", body)
}

/// One `file.changed` for each path; one at least.
fn changed(rec: &Rec, stage: &str, item: &mut Map<String, Value>) -> Vec<Draft> {
    if stage != "completed" {
        return vec![unfinished(rec, item)];
    }
    let Some(Value::Array(changes)) = item.remove("changes") else {
        return vec![rec.draft("file.changed", 0)];
    };
    let change = |(part, change): (usize, Value)| {
        let draft = rec.draft("file.changed", part);
        let Value::Object(mut change) = change else { return draft.data("diff", change) };
        let draft = draft.with("op", change.take_text("kind")).data("path", change.take_text("path"));
        draft.data("diff", if change.is_empty() { Value::Null } else { Value::Object(change) })
    };
    let drafts: Vec<Draft> = changes.into_iter().enumerate().map(change).collect();
    if drafts.is_empty() { vec![rec.draft("file.changed", 0)] } else { drafts }
}
