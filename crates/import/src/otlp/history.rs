//! Which messages were told before: every call of a model repeats the whole history, and only what is new
//! becomes events.
//!
//! A message's key is made of all messages in front of it, so the same history meets the same keys in a later
//! span, a later file and a later import. What sets an agent up stands outside the chain: it comes and goes.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::messages::{Message, Part};
use crate::derive::{once, short};
use crate::json::digest;
use crate::{Keys, derive};

/// Where a message stands.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The key of its events, without the number of its part.
    pub(super) key: String,
    /// Told before.
    pub(super) known: bool,
    /// Told before in other words, which nobody has kept yet.
    pub(super) differs: bool,
}

/// What was told in this file.
#[derive(Default)]
pub(super) struct History {
    chains: HashSet<u64>,
    /// Messages by themselves, for histories that were cut at the front.
    loose: HashSet<u64>,
    scopes: HashSet<u64>,
    exact: HashSet<u64>,
}

impl History {
    /// The key of the last of these messages, wherever they are told.
    pub(super) fn last_key(scope: &str, messages: &[Message], keys: &dyn Keys) -> String {
        messages.iter().filter(|message| !message.is_system()).fold(String::new(), |front, message| {
            format!("otel:{}", once(keys, &format!("said\n{scope}\n{front}\n{}", said(message))))
        })
    }

    /// Places messages behind `before` (an empty text, or the key of the message in front).
    pub(super) fn place(
        &mut self,
        scope: &str,
        before: &str,
        messages: &[Message],
        keys: &dyn Keys,
    ) -> Vec<Place> {
        let mut last = before.to_owned();
        let cut = before.is_empty()
            && self.scopes.contains(&short(scope))
            && !self.begins_alike(scope, messages, keys);
        let mut places = Vec::with_capacity(messages.len());
        for message in messages {
            let said = said(message);
            let outside = message.is_system();
            let front = if outside { "" } else { last.as_str() };
            let key = format!("otel:{}", once(keys, &format!("said\n{scope}\n{front}\n{said}")));
            let alone = short(&format!("{scope}\n{said}"));
            let known = self.chains.contains(&short(&key))
                || (cut && self.loose.contains(&alone))
                || keys.session_of(&format!("{key}.0")).is_some();
            let exact = short(&format!("{key}\n{}", exactly(message)));
            let differs = known && !self.exact.contains(&exact) && self.chains.contains(&short(&key));
            self.exact.insert(exact);
            self.chains.insert(short(&key));
            self.loose.insert(alone);
            if !outside {
                last.clone_from(&key);
            }
            places.push(Place { key, known, differs });
        }
        if !messages.is_empty() {
            self.scopes.insert(short(scope));
        }
        places
    }

    /// True if the first message of a history was told as a first message before.
    fn begins_alike(&self, scope: &str, messages: &[Message], keys: &dyn Keys) -> bool {
        messages.iter().find(|message| !message.is_system()).is_none_or(|first| {
            let key = format!("otel:{}", derive::once(keys, &format!("said\n{scope}\n\n{}", said(first))));
            self.chains.contains(&short(&key))
        })
    }
}

/// What a message says, however it is written: a hash that stays in memory.
fn said(message: &Message) -> String {
    let mut map = Map::from_iter([("role".to_owned(), Value::from(message.role.as_str()))]);
    let said = message.parts.iter().filter_map(|part| match part {
        Part::Reasoning { .. } => None,
        Part::Text { text, .. } if text.trim().is_empty() => None,
        Part::Text { text, .. } => Some(Value::from(text.trim())),
        Part::Call { id, name, arguments, .. } => Some(serde_json::json!([id, name, arguments])),
        Part::Response { id, value, .. } => Some(serde_json::json!([id, value])),
        Part::Other(value) => Some(value.clone()),
    });
    map.insert("parts".to_owned(), said.collect());
    digest(&map, &[]).to_hex().to_string()
}

/// All that it has, but for why the model stopped.
fn exactly(message: &Message) -> String {
    let parts = message.parts.iter().map(Part::plain).collect();
    let map = Map::from_iter([
        ("parts".to_owned(), parts),
        ("rest".to_owned(), Value::Object(message.rest.clone())),
    ]);
    let rest = digest(&message.rest, &["finish_reason"]).to_hex();
    format!("{}{rest}", digest(&map, &["rest"]).to_hex())
}
