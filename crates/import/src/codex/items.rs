//! Records of type `response_item`: what went to the model and came back.

use event::Draft;
use serde_json::{Map, Value};

use super::{Rec, Rollout, events};
use crate::derive::short;
use crate::json::digest;
use crate::members::TakeMembers;
use crate::pen;

/// Texts that the tool puts into the user's mouth.
const INJECTED: &[&str] = &[
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<turn_aborted>",
    "<user_action>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<skill>",
    "<skills_instructions>",
    "# AGENTS.md instructions",
];

pub(super) fn is_injected(text: &str) -> bool {
    let text = text.trim_start();
    INJECTED.iter().any(|start| text.starts_with(start))
}

/// What an item is told by in a compaction: everything but the marks that a later copy lacks.
pub(super) const ITEM_MARKS: &[&str] =
    &["id", "internal_chat_message_metadata_passthrough", "metadata", "timestamp"];

impl Rollout {
    /// Maps an item; `None` if its type is not known.
    pub(super) fn item(&mut self, rec: &mut Rec) -> Option<Vec<Draft>> {
        let content = digest(&rec.payload, ITEM_MARKS);
        let kind = rec.payload.text("type").unwrap_or("message").to_owned();
        let drafts = match kind.as_str() {
            "message" => self.message(rec)?,
            "reasoning" => self.reasoning(rec),
            "agent_message" => vec![events::mail(rec)],
            "ghost_snapshot" => {
                let commit = rec.payload.remove("ghost_commit").unwrap_or_default();
                vec![rec.draft("file.snapshotted", 0).with("op", "commit").data("files", commit)]
            }
            "compaction" | "context_compaction" | "compaction_summary" => {
                vec![rec.draft("context.compacted", 0)]
            }
            "token_count" => vec![flat_usage(rec)],
            _ => self.tool(rec, &kind)?,
        };
        if let Some(key) = drafts.first().and_then(|draft| draft.key.clone()) {
            self.told.entry(*content.as_bytes()).or_insert(key.into());
        }
        Some(drafts)
    }

    fn message(&mut self, rec: &mut Rec) -> Option<Vec<Draft>> {
        let role = rec.payload.take_text("role")?;
        if role == "assistant" {
            rec.stamp.model = rec.payload.take_text("model").or_else(|| self.model.clone());
        }
        let content = rec.payload.remove("content").unwrap_or_default();
        let parts = match content {
            Value::Array(parts) => parts,
            Value::Null => Vec::new(),
            one => vec![one],
        };
        let mut drafts: Vec<Draft> = Vec::with_capacity(parts.len());
        for (part, value) in parts.into_iter().enumerate() {
            drafts.push(message_part(rec, &role, part, value));
        }
        if drafts.is_empty() {
            drafts.push(rec.draft("message.recorded", 0).with("role", role.as_str()));
        }
        if role == "assistant"
            && let Some(text) = drafts[0].data.text("text")
        {
            self.answer = Some((short(text), rec.key(0)));
        }
        Some(drafts)
    }

    /// A thought: its text if the provider gives it, else summaries, else only that there was one.
    fn reasoning(&mut self, rec: &mut Rec) -> Vec<Draft> {
        rec.stamp.model.clone_from(&self.model);
        let mut drafts = Vec::new();
        for (member, form) in [("content", "full"), ("summary", "summary")] {
            if !rec.payload.get(member).is_some_and(Value::is_array) {
                continue;
            }
            let parts = rec.payload.remove(member).and_then(|parts| match parts {
                Value::Array(parts) => Some(parts),
                _ => None,
            });
            for value in parts.into_iter().flatten() {
                drafts.push(thought_part(rec, form, drafts.len(), value));
            }
        }
        if drafts.is_empty() {
            let sealed = rec.payload.text("encrypted_content").is_some_and(|text| !text.is_empty());
            let form = if sealed { "encrypted" } else { "empty" };
            drafts.push(rec.draft("reasoning.recorded", 0).with("form", form));
        }
        drafts
    }
}

/// A bare count in place of `token_count`.
fn flat_usage(rec: &mut Rec) -> Draft {
    let body = std::mem::take(&mut rec.payload);
    let usage = events::usage(&body);
    rec.draft("usage.reported", 0).with("usage", usage).data("body", Value::Object(body))
}

fn message_part(rec: &Rec, role: &str, part: usize, value: Value) -> Draft {
    let draft = rec.draft("message.recorded", part).with("role", role);
    let (text, rest) = match value {
        Value::String(text) => (Some(text), Map::new()),
        Value::Object(mut map) => (map.take_text("text"), map),
        other => return draft.data("body", other),
    };
    let Some(text) = text else { return draft.data("body", Value::Object(rest)) };
    // developer and system messages are never a person's
    let injected = is_injected(&text) || matches!(role, "developer" | "system");
    let mut draft = if injected && role != "assistant" { draft.with("injected", true) } else { draft };
    pen::add_ext_member(&mut draft, "part", rest);
    draft.data("text", text)
}

fn thought_part(rec: &Rec, form: &str, part: usize, value: Value) -> Draft {
    let draft = rec.draft("reasoning.recorded", part).with("form", form);
    let Value::Object(mut map) = value else { return draft.data("text", value) };
    let text = map.take_text("text");
    let mut draft = draft.data("text", text);
    pen::add_ext_member(&mut draft, "part", map);
    draft
}
