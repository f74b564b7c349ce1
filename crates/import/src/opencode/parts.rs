//! Parts of messages, but for calls of tools.

use event::Draft;
use serde_json::{Map, Value};

use super::rows::Row;
use super::{Message, Store, keep, sessions};
use crate::Keys;
use crate::derive::{self, short};
use crate::members::TakeMembers;
use crate::pen::Stamp;
use crate::time;

/// A part being mapped.
pub(super) struct Part<'m> {
    pub(super) message: &'m Message,
    /// The beginning of its keys.
    pub(super) base: String,
    pub(super) stamp: Stamp,
}

impl Part<'_> {
    pub(super) fn draft(&self, kind: &'static str) -> Draft {
        self.stamp.draft(kind).key(format!("{}.0", self.base)).with("cause", self.cause())
    }

    /// Of an answer: the call of the model that it came of.
    pub(super) fn cause(&self) -> Option<String> {
        (self.message.role == "assistant").then(|| self.message.key.clone())
    }

    fn said(&self, fields: &mut Map<String, Value>) -> Draft {
        let made = fields.flag("synthetic") || fields.flag("ignored");
        let draft = self.draft("message.recorded").with("role", self.message.role.as_str());
        let draft = if made { draft.with("injected", true) } else { draft };
        draft.data("text", fields.take_text("text"))
    }
}

impl Store {
    pub(super) fn part_row(&mut self, row: Row, keys: &dyn Keys) -> Option<Vec<Draft>> {
        let message = self.message_of(&row, keys);
        self.part(&message, row, keys)
    }

    /// The events of a part; `None` if nothing is known of its type.
    pub(super) fn part(&mut self, message: &Message, row: Row, keys: &dyn Keys) -> Option<Vec<Draft>> {
        let id = derive::id(keys, row.id.as_deref()?);
        let mut fields = row.fields;
        let times = fields.get("time").and_then(Value::as_object);
        let own =
            times.and_then(|times| ["start", "created"].iter().find_map(|name| time::at(times.get(*name)?)));
        let at = own.or(row.at).or_else(|| message.at.clone());
        let session = &message.session;
        let mut stamp = session.stamp(at);
        stamp.model = message.model.clone().filter(|_| message.role == "assistant");
        stamp.parent = Some(message.key.clone());
        let part = Part { message, base: format!("{}.{id}", session.base), stamp };
        let kind = fields.text("type")?.to_owned();
        let mut drafts = match kind.as_str() {
            "text" => vec![part.said(&mut fields)],
            "reasoning" => vec![thought(&part, &mut fields)],
            "tool" => self.tool(&part, &mut fields, keys),
            "tool-invocation" => Self::old_tool(&part, &mut fields)?,
            "step-finish" => vec![self.step(&part, row.message.as_deref().unwrap_or_default(), &fields)],
            "step-start" => vec![state(&part, "step-start", &mut fields)],
            "snapshot" => vec![state(&part, "snapshot", &mut fields)],
            "patch" => vec![patch(&part, &mut fields)],
            "compaction" => vec![compacted(&part, &fields)],
            "retry" => vec![retried(&part, &fields)],
            "subtask" => vec![subtask(&part, &mut fields)],
            // files, pictures, mentions of an agent, and where an answer comes from: the part as it is
            "file" | "agent" | "source-url" => vec![attached(&part, &kind, &mut fields)],
            _ => return None,
        };
        keep(&mut drafts, fields);
        Some(drafts)
    }

    fn step(&self, part: &Part<'_>, message: &str, fields: &Map<String, Value>) -> Draft {
        let several = self.steps.get(&short(message)).is_some_and(|steps| *steps > 1);
        if !several {
            // the message itself says what its only step cost
            return part.draft("state.changed").with("what", "step-finish");
        }
        let tokens = fields.get("tokens").and_then(Value::as_object).map_or(Value::Null, sessions::usage);
        part.draft("model.called").with("usage", tokens).with("stop", fields.text("reason"))
    }
}

/// A thought; a provider that keeps it to itself leaves no text, or one that only it can read.
fn thought(part: &Part<'_>, fields: &mut Map<String, Value>) -> Draft {
    let text = fields.take_text("text").unwrap_or_default();
    let sealed = fields.get("metadata").is_some_and(|metadata| {
        let text = metadata.to_string();
        text.contains("ncrypted") || text.contains("signature")
    });
    let form = match (text.is_empty(), sealed) {
        (false, _) => "full",
        (true, true) => "encrypted",
        (true, false) => "empty",
    };
    part.draft("reasoning.recorded").with("form", form).data("text", text)
}

fn state(part: &Part<'_>, what: &str, fields: &mut Map<String, Value>) -> Draft {
    part.draft("state.changed").with("what", what).data("body", fields.remove("snapshot"))
}

fn patch(part: &Part<'_>, fields: &mut Map<String, Value>) -> Draft {
    let files = fields.get("files").and_then(Value::as_array).map(Vec::as_slice);
    let path = match files {
        Some([only]) => only.as_str().map(str::to_owned),
        _ => None,
    };
    let draft = part.draft("file.changed").with("op", "update");
    match path {
        Some(path) => draft.data("path", path),
        None => draft.data("files", fields.remove("files")),
    }
}

fn compacted(part: &Part<'_>, fields: &Map<String, Value>) -> Draft {
    let trigger = if fields.flag("auto") { "auto" } else { "manual" };
    part.draft("context.compacted").with("trigger", trigger)
}

fn retried(part: &Part<'_>, fields: &Map<String, Value>) -> Draft {
    let error = fields.get("error");
    let said = error.and_then(|error| error.get("data")?.get("message").or_else(|| error.get("message")));
    let name = error.and_then(|error| error.get("name")?.as_str());
    part.draft("model.failed").with("stop", name).data("message", said.cloned())
}

/// A person gave a task to an agent.
fn subtask(part: &Part<'_>, fields: &mut Map<String, Value>) -> Draft {
    let spawned = part.draft("agent.spawned");
    let spawned = spawned.with("agent", fields.text("agent")).with("parent_agent", part.stamp.agent.clone());
    spawned.data("prompt", fields.take_text("prompt"))
}

fn attached(part: &Part<'_>, kind: &str, fields: &mut Map<String, Value>) -> Draft {
    let body = Value::Object(std::mem::take(fields));
    if part.message.role == "assistant" {
        return part.draft("message.recorded").with("role", "assistant").data("body", body);
    }
    part.draft("context.injected").with("source", kind).data("body", body)
}
