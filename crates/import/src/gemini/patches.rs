//! What is no message: the header, patches of it, and what was taken back.

use event::Draft;
use serde_json::{Map, Value};

use super::Chat;
use crate::derive::{self, short};
use crate::members::TakeMembers;
use crate::pen::{self, revisable};
use crate::{Keys, time};

impl Chat {
    /// The header; of a document that was not taken apart, with its messages.
    pub(super) fn header(&mut self, mut fields: Map<String, Value>, keys: &dyn Keys) -> Vec<Draft> {
        let messages = self.take_messages(&mut fields, keys).unwrap_or_default();
        self.document_at = fields.get("lastUpdated").and_then(time::at);
        let at = fields.get("startTime").and_then(time::at);
        let draft = self.updated(at, &fields).key(format!("{}..head", self.base));
        let mut draft = revisable(draft);
        pen::add_ext(&mut draft, fields);
        [vec![draft], messages].concat()
    }

    fn updated(&self, at: Option<String>, fields: &Map<String, Value>) -> Draft {
        let draft = self.stamp(at, None).draft("session.updated");
        let cwd = fields.get("directories").and_then(|list| list.get(0)?.as_str());
        draft.data("title", fields.text("summary")).data("cwd", cwd)
    }

    /// The events of a list of messages; in their place stay their ids. `None` if it is no such list.
    fn take_messages(&mut self, fields: &mut Map<String, Value>, keys: &dyn Keys) -> Option<Vec<Draft>> {
        let list = fields.get("messages")?.as_array().filter(|list| list.iter().all(Value::is_object))?;
        let (mut drafts, mut ids) = (Vec::new(), Vec::with_capacity(list.len()));
        for message in list.clone() {
            let Value::Object(message) = message else { continue };
            ids.push(message.get("id").cloned().unwrap_or_default());
            drafts.extend(self.message(message, keys));
        }
        fields.insert("messages".to_owned(), ids.into());
        Some(drafts)
    }

    /// `{"$set":{…}}`. A list of messages in it is the history from now on.
    pub(super) fn patched(&mut self, mut fields: Map<String, Value>, keys: &dyn Keys) -> Vec<Draft> {
        let mut set = fields.take_object("$set").unwrap_or_default();
        let digest = crate::json::digest(&set, &[]).to_hex();
        // set once more it is the same
        let key = derive::once(keys, &format!("gemini set\n{}\n{digest}", self.thread));
        let key = format!("{}..set-{key}", self.base);
        let before: Vec<String> = self.live.messages.iter().map(|(id, _)| id.clone()).collect();
        let replaces = set.get("messages").is_some_and(Value::is_array);
        if replaces {
            self.live = super::Live::default();
        }
        let messages = self.take_messages(&mut set, keys).unwrap_or_default();
        let gone: Vec<String> = before.iter().filter(|id| !self.live.has(id)).cloned().collect();
        let new = self.live.messages.iter().any(|(id, _)| !before.contains(id));
        let at = set.get("lastUpdated").and_then(time::at);
        let mut draft = match (replaces && !gone.is_empty(), new) {
            (false, _) => self.updated(at, &set),
            // a summary stands in the place of what went
            (true, true) => self.stamp(at, None).draft("context.compacted").with("trigger", "history"),
            (true, false) => self.stamp(at, None).draft("context.rewound"),
        };
        draft = draft.key(key).data("gone", list(gone));
        fields.insert("$set".to_owned(), set.into());
        pen::add_ext(&mut draft, fields);
        [messages, vec![draft]].concat()
    }

    pub(super) fn rewound(&mut self, mut fields: Map<String, Value>, keys: &dyn Keys) -> Vec<Draft> {
        let target = derive::id(keys, fields.text("$rewindTo").unwrap_or_default());
        let key = self.derived.next(keys, &format!("gemini rewind\n{}\n{target}", self.thread));
        let gone = self.live.rewind(&target);
        let to = self.live.messages.last().map(|(_, key)| key.clone());
        // it has no time of its own: that of the message before it in the file
        fields.insert("ts_q".to_owned(), "inferred".into());
        let draft = self.stamp(self.last_at.clone(), to.clone()).draft("context.rewound").with("to", to);
        let mut draft = draft.key(format!("{}..rewound-{key}", self.base)).data("gone", list(gone));
        pen::add_ext(&mut draft, fields);
        vec![draft]
    }

    /// A document is written whole: what the session was told of its past and it no longer has, was taken back.
    pub(super) fn vanished(&mut self) -> Option<Draft> {
        let written = self.document_at.clone()?;
        let start = format!("{}.", self.base);
        let known = std::mem::take(&mut self.before);
        let mut gone: Vec<String> = Vec::new();
        let past = known.iter().filter(|past| past.at.as_ref().is_none_or(|at| *at <= written));
        for id in past.filter_map(|past| past.key.as_ref()?.strip_prefix(&start)?.split('.').next()) {
            let there = id.is_empty() || self.seen.contains(&short(id)) || gone.iter().any(|gone| gone == id);
            if !there {
                gone.push(id.to_owned());
            }
        }
        let first = gone.first()?.clone();
        let to = self.live.messages.last().map(|(_, key)| key.clone());
        let draft = self.stamp(Some(written), to).draft("context.rewound");
        Some(revisable(draft.key(format!("{start}.vanished-{first}")).data("gone", list(gone))))
    }
}

/// Ids of messages; nothing for none.
fn list(ids: Vec<String>) -> Value {
    if ids.is_empty() { Value::Null } else { ids.into() }
}
