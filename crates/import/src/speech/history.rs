//! Which messages were told before: every call of a model repeats the whole history, and only what is new
//! becomes events.
//!
//! A message's key is made of all messages in front of it, so the same history meets the same keys in a later
//! span, a later file and a later import. What sets an agent up stands outside the chain: it comes and goes.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::messages::{Message, Part};
use crate::Keys;
use crate::derive::{once, short};
use crate::json::digest;

/// Where a message stands.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The key of its events, without the number of its part.
    pub(crate) key: String,
    /// It and all in front of it: a hash that stays in memory.
    pub(crate) chain: String,
    /// Told before.
    pub(crate) known: bool,
    /// Known, but not from this file: an earlier import told it.
    pub(crate) earlier: bool,
    /// Told before in other words, which nobody has kept yet.
    pub(crate) differs: bool,
}

/// What was told in this file.
#[derive(Default)]
pub(crate) struct History {
    /// What the keys begin with.
    prefix: &'static str,
    /// Conversations go on in other files: what the sink has counts as told.
    across: bool,
    chains: HashSet<u64>,
    /// Messages by themselves, for histories that were cut at the front.
    loose: HashSet<u64>,
    scopes: HashSet<u64>,
    exact: HashSet<u64>,
}

impl History {
    /// A history that stands in one file; its keys begin so.
    pub(crate) fn within(prefix: &'static str) -> Self {
        Self { prefix, ..Self::default() }
    }

    /// A history that goes on from file to file; its keys begin so.
    pub(crate) fn across(prefix: &'static str) -> Self {
        Self { prefix, across: true, ..Self::default() }
    }

    fn key(&self, chain: &str, keys: &dyn Keys) -> String {
        format!("{}:{}", self.prefix, once(keys, &format!("said\n{chain}")))
    }

    /// The chain of the last of these messages.
    pub(crate) fn last_chain(scope: &str, messages: &[Message]) -> String {
        let told = messages.iter().filter(|message| !message.is_system());
        told.fold(String::new(), |front, message| chain(scope, &front, &said(message)))
    }

    /// The key of the last of these messages, wherever they are told.
    pub(crate) fn last_key(&self, scope: &str, messages: &[Message], keys: &dyn Keys) -> String {
        self.key(&Self::last_chain(scope, messages), keys)
    }

    /// Places messages behind `before` (an empty text, or the chain of the message in front).
    pub(crate) fn place(
        &mut self,
        scope: &str,
        before: &str,
        messages: &[Message],
        keys: &dyn Keys,
    ) -> Vec<Place> {
        let mut last = before.to_owned();
        let cut =
            before.is_empty() && self.scopes.contains(&short(scope)) && !self.begins_alike(scope, messages);
        let mut places = Vec::with_capacity(messages.len());
        for message in messages {
            let said = said(message);
            let outside = message.is_system();
            let front = if outside { "" } else { last.as_str() };
            let chain = chain(scope, front, &said);
            let key = self.key(&chain, keys);
            let alone = short(&format!("{scope}\n{said}"));
            let here = self.chains.contains(&short(&chain)) || (cut && self.loose.contains(&alone));
            let earlier = !here && self.across && keys.session_of(&format!("{key}.0")).is_some();
            let known = here || earlier;
            let exact = short(&format!("{chain}\n{}", exactly(message)));
            let differs = known && !self.exact.contains(&exact) && self.chains.contains(&short(&chain));
            self.exact.insert(exact);
            self.chains.insert(short(&chain));
            self.loose.insert(alone);
            if !outside {
                last.clone_from(&chain);
            }
            places.push(Place { key, chain, known, earlier, differs });
        }
        if !messages.is_empty() {
            self.scopes.insert(short(scope));
        }
        places
    }

    /// True if the first message of a history was told as a first message before.
    fn begins_alike(&self, scope: &str, messages: &[Message]) -> bool {
        let first = messages.iter().find(|message| !message.is_system());
        first.is_none_or(|first| self.chains.contains(&short(&chain(scope, "", &said(first)))))
    }
}

fn chain(scope: &str, front: &str, said: &str) -> String {
    blake3::hash(format!("{scope}\n{front}\n{said}").as_bytes()).to_hex().to_string()
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
