//! Calls of tools: one object has the call, how it stands, and what came back.

use event::Draft;
use serde_json::{Map, Value, json};

use super::message::take_objects;
use super::{Chat, base as base_of};
use crate::derive;
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::same::Known;
use crate::{Keys, time};

/// Where the text of an answer stands: `result[0].functionResponse.response.<name>`.
const RESPONSE: &str = "/0/functionResponse/response";

/// One call, as its events share it.
struct Call {
    id: Option<String>,
    skill: String,
    /// The beginning of its keys.
    key: String,
}

impl Call {
    fn draft(&self, stamp: &Stamp, kind: &'static str, verb: &str) -> Draft {
        let draft = stamp.draft(kind).key(format!("{}.{verb}", self.key));
        draft.with("skill", self.skill.as_str()).with("call", self.id.clone())
    }
}

impl Chat {
    /// The events of all calls of a message.
    pub(super) fn calls(
        &self,
        stamp: &Stamp,
        base: &str,
        fields: &mut Map<String, Value>,
        keys: &dyn Keys,
    ) -> Vec<Draft> {
        let mut drafts = Vec::new();
        for (at, value) in take_objects(fields, "toolCalls").into_iter().enumerate() {
            let Value::Object(call) = value else { continue };
            drafts.extend(self.call(stamp, &format!("{base}.k"), at, call, keys));
        }
        drafts
    }

    fn call(
        &self,
        stamp: &Stamp,
        base: &str,
        at: usize,
        mut fields: Map<String, Value>,
        keys: &dyn Keys,
    ) -> Vec<Draft> {
        let id = fields.take_text("id");
        let part = id.as_ref().map_or_else(|| at.to_string(), |id| derive::id(keys, id));
        let skill = fields.take_text("name").unwrap_or_else(|| "unknown".to_owned());
        let call = Call { id, skill, key: format!("{base}{part}") };
        let input = fields.take_value("args");
        let mut drafts = vec![call.draft(stamp, "skill.invoked", "invoked").data("input", input)];
        let agent = fields.text("agentId").map(|id| (id.to_owned(), base_of(keys, id)));
        let link = |draft: Draft, id: &str| {
            draft.with("agent", "subagent").with("agent_id", id).with("parent_agent", self.agent)
        };
        if let Some((id, key)) = &agent {
            let spawned = Stamp { model: None, ..stamp.clone() }.draft("agent.spawned");
            drafts.push(link(spawned.key(format!("{key}..spawned")), id).with("call", call.id.clone()));
        }
        let came = came(&call, stamp, fields);
        let ended = came.first().filter(|draft| draft.kind == *"skill.returned").map(|draft| {
            let status = draft.header.get("status").cloned().unwrap_or_default();
            (draft.header.get("at").cloned().unwrap_or_default(), status)
        });
        drafts.extend(came);
        if let (Some((at, status)), Some((id, key))) = (ended, agent) {
            let stopped = Stamp { model: None, ..stamp.clone() }.draft("agent.stopped").with("at", at);
            let stopped = link(stopped.key(format!("{key}..stopped")), &id).with("call", call.id.clone());
            drafts.push(stopped.with("status", status));
        }
        drafts
    }
}

/// What came of a call so far.
fn came(call: &Call, stamp: &Stamp, mut fields: Map<String, Value>) -> Vec<Draft> {
    let empty = fields.is_empty();
    let at = time::take_at_or(&mut fields, "timestamp", stamp.at.as_ref());
    let stamp = Stamp { at, ..stamp.clone() };
    let cause = format!("{}.invoked", call.key);
    let status = fields.text("status").unwrap_or_default().to_owned();
    let back = matches!(status.as_str(), "success" | "error" | "cancelled");
    if !back && fields.get("result").is_none_or(Value::is_null) {
        if empty {
            return Vec::new();
        }
        let progressed = call.draft(&stamp, "skill.progressed", "progressed").with("cause", cause);
        let mut progressed = progressed.data("text", status);
        pen::add_ext_member(&mut progressed, "call", fields);
        return vec![progressed];
    }
    let mut drafts = vec![returned(call, &stamp, &status, &mut fields).with("cause", cause.as_str())];
    drafts.extend(shown(call, &stamp, &cause, &mut fields));
    pen::add_ext_member(&mut drafts[0], "call", fields);
    drafts
}

fn returned(call: &Call, stamp: &Stamp, status: &str, fields: &mut Map<String, Value>) -> Draft {
    let (output, error) = answer(fields);
    let text = output.as_ref().and_then(Value::as_str).unwrap_or_default();
    let exit = if call.skill.contains("shell") { exit_code(text) } else { None };
    let failed = exit.is_some_and(|exit| exit != 0) || error.is_some();
    let status = match status {
        "cancelled" => "interrupted",
        "error" => "error",
        _ if failed => "error",
        "success" => "ok",
        _ => "unknown",
    };
    let draft = call.draft(stamp, "skill.returned", "returned").with("status", status).with("exit", exit);
    let mut known = Known::default();
    known.add_some("output", output.as_ref());
    known.add_some("error", error.as_ref());
    fields.values_mut().for_each(|value| known.replace(value));
    draft.data("output", output).data("error", error)
}

/// Takes the text of an answer out of its place; an answer of another shape is taken whole.
fn answer(fields: &mut Map<String, Value>) -> (Option<Value>, Option<Value>) {
    let Some(result) = fields.get_mut("result") else { return (None, None) };
    let one = result.as_array().is_some_and(|parts| parts.len() == 1);
    let mut take = |name: &str| {
        let text =
            result.pointer_mut(&format!("{RESPONSE}/{name}")).filter(|text| text.is_string() && one)?;
        Some(std::mem::replace(text, json!({ "$same": name })))
    };
    let (output, error) = (take("output"), take("error"));
    if output.is_some() || error.is_some() || result.is_null() {
        return (output, error);
    }
    (fields.remove("result"), None)
}

/// `Exit Code: 1` in the lines that the shell tool puts behind the output.
fn exit_code(text: &str) -> Option<i64> {
    const WORDS: &str = "Exit Code: ";
    let at = text.rfind(WORDS)?;
    let before = &text[..at];
    // some write the end of the line as two characters
    let begins = before.is_empty() || before.ends_with('\n') || before.ends_with("\\n");
    let rest = &text[at + WORDS.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
    begins.then(|| rest[..end].parse::<i32>().ok().map(i64::from))?
}

/// What a person was shown beside it: a change of a file, a list of things to do.
fn shown(call: &Call, stamp: &Stamp, cause: &str, fields: &mut Map<String, Value>) -> Option<Draft> {
    let shown = fields.get_mut("resultDisplay")?.as_object_mut()?;
    if shown.contains_key("fileDiff") {
        let (diff, path) = (shown.take_text("fileDiff"), fields_path(shown));
        let new = shown.get("isNewFile").and_then(Value::as_bool).unwrap_or(false);
        let draft = stamp.draft("file.changed").key(format!("{}.changed", call.key)).with("cause", cause);
        let draft = draft.with("op", if new { "add" } else { "update" });
        return Some(draft.data("path", path).data("diff", diff));
    }
    let todos = shown.take_value("todos")?;
    let draft = stamp.draft("plan.updated").key(format!("{}.plan", call.key)).with("cause", cause);
    Some(draft.data("plan", todos))
}

fn fields_path(shown: &Map<String, Value>) -> Option<String> {
    shown.text("filePath").or_else(|| shown.text("fileName")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_tells_its_exit_at_the_end() {
        assert_eq!(exit_code("Output: a\nError: (none)\nExit Code: 1\nSignal: 0"), Some(1));
        assert_eq!(exit_code("Output: a\\nExit Code: 2\\nSignal: 0"), Some(2));
        assert_eq!(exit_code("Output: the Exit Code: 3"), None);
        assert_eq!(exit_code("Exit Code: (none)"), None);
        assert_eq!(exit_code("Exit Code: 99999999999999999999"), None);
    }
}
