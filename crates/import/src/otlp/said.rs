//! Messages as events: texts, reasoning, calls of tools and what came back.

use std::rc::Rc;

use event::Draft;
use serde_json::{Map, Value, json};

use super::telling::{Telling, Work, call_key, call_place};
use crate::derive::short;
use crate::speech::{Message, Part, Place};
use crate::{Keys, pen};

/// A list of messages, told.
#[derive(Default)]
pub(super) struct Said {
    pub(super) drafts: Vec<Draft>,
    /// The chain of the last one, told now or before.
    pub(super) last: String,
    /// Its key.
    pub(super) last_key: String,
    /// Messages that were told before in other words.
    variants: Vec<Value>,
}

impl Said {
    pub(super) fn has_variants(&self) -> bool {
        !self.variants.is_empty()
    }

    /// What stays with the span: where the messages are, and those that differ.
    pub(super) fn note(self, work: &mut Work, name: &str, count: usize) {
        let mut note = json!({"last": self.last_key, "count": count});
        if !self.variants.is_empty() {
            note["variants"] = self.variants.into();
        }
        let Value::Object(messages) = work.ext.entry("messages").or_insert_with(|| Value::Object(Map::new()))
        else {
            return;
        };
        messages.insert(name.to_owned(), note);
    }
}

impl Telling {
    /// Tells messages that stand behind `before`, as far as they are new.
    pub(super) fn say(
        &mut self,
        work: &Work,
        messages: Vec<Message>,
        before: &str,
        draft: &dyn Fn(&Work, &'static str) -> Draft,
        keys: &dyn Keys,
    ) -> Said {
        let places = self.history.place(&work.scope, before, &messages, keys);
        let mut said = Said { last: before.to_owned(), ..Said::default() };
        let mut anchor = self.anchors.get(&short(before)).cloned();
        for (message, place) in messages.into_iter().zip(places) {
            if message.role == "user" && !place.known {
                said.drafts.extend(self.title(&work.stamp, &message.text(), keys));
            }
            if place.differs {
                said.variants.push(variant(&message));
            }
            if !place.known {
                let parent = anchor.as_deref().filter(|_| !message.is_system());
                let drafts = self.message(work, &message, &place, parent, draft, keys);
                if drafts.is_empty() && !message.rest.is_empty() && self.is_told_by_spans(work, &message) {
                    said.variants.push(variant(&message));
                }
                let own = drafts.first().and_then(|draft| draft.key.as_deref());
                self.anchor(&place.chain, own.map(Into::into).or_else(|| anchor.clone()));
                said.drafts.extend(drafts);
            }
            if place.earlier {
                self.calls_of(work, &message, &place, keys);
            }
            if !message.is_system() {
                // told by another file: its first event has the key of its first part
                let other = place.known.then(|| format!("{}.0", place.key).into());
                anchor = self.anchors.get(&short(&place.chain)).cloned().or(other).or(anchor);
                said.last.clone_from(&place.chain);
                said.last_key.clone_from(&place.key);
            }
        }
        said
    }

    fn is_told_by_spans(&self, work: &Work, message: &Message) -> bool {
        message.parts.iter().any(|part| match part {
            Part::Call { id: Some(id), .. } | Part::Response { id: Some(id), .. } => {
                let given = self.given_calls.contains(&call_place(&work.trace, id));
                given || self.tree.spans_of_call(&work.trace, id) > 0
            }
            _ => false,
        })
    }

    fn anchor(&mut self, message: &str, event: Option<Rc<str>>) {
        if let Some(event) = event {
            self.anchors.insert(short(message), event);
        }
    }

    fn message(
        &mut self,
        work: &Work,
        message: &Message,
        place: &Place,
        parent: Option<&str>,
        draft: &dyn Fn(&Work, &'static str) -> Draft,
        keys: &dyn Keys,
    ) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = Vec::new();
        let mut others = Vec::new();
        for (number, part) in message.parts.iter().enumerate() {
            let key = format!("{}.{number}", place.key);
            match part {
                Part::Other(value) => others.push(value.clone()),
                part => drafts.extend(self.part(work, message, part, key, draft, keys)),
            }
        }
        let mut rest = message.rest.clone();
        if !others.is_empty() {
            rest.insert("parts".to_owned(), others.into());
        }
        if let Some(name) = &message.name {
            rest.insert("name".to_owned(), name.as_str().into());
        }
        let told_elsewhere =
            message.parts.iter().any(|part| matches!(part, Part::Call { .. } | Part::Response { .. }));
        if drafts.is_empty() && !told_elsewhere {
            drafts.push(text(message, draft(work, "message.recorded"), "").key(format!("{}.0", place.key)));
        }
        if let Some(first) = drafts.first_mut() {
            pen::add_ext(first, rest);
            if let Some(parent) = parent {
                first.header.insert("parent".to_owned(), parent.into());
            }
        }
        drafts
    }

    fn part(
        &mut self,
        work: &Work,
        message: &Message,
        part: &Part,
        key: String,
        draft: &dyn Fn(&Work, &'static str) -> Draft,
        keys: &dyn Keys,
    ) -> Option<Draft> {
        let (mut told, rest) = match part {
            Part::Text { text: said, rest } => {
                let told = if message.is_system() {
                    draft(work, "context.injected")
                        .with("source", message.role.as_str())
                        .data("text", said.as_str())
                } else {
                    text(message, draft(work, "message.recorded"), said)
                };
                (told.key(key), rest)
            }
            Part::Reasoning { text, form, rest } => {
                let told = draft(work, "reasoning.recorded").with("form", *form).data("text", text.as_str());
                (told.key(key), rest)
            }
            Part::Call { id, name, arguments, rest } => {
                let key = self.called(work, id.as_deref(), name, key, keys)?;
                let told = draft(work, "skill.invoked").with("skill", name.as_str()).with("call", id.clone());
                (told.key(key).data("input", arguments.clone()), rest)
            }
            Part::Response { id, name, value, failed, rest } => {
                let told = draft(work, "skill.returned").data("output", value.clone());
                (self.answered(work, told, (id.as_deref(), name.as_deref(), *failed), key, keys)?, rest)
            }
            Part::Other(_) => return None,
        };
        pen::add_ext_member(&mut told, "part", rest.clone());
        Some(told)
    }

    /// Gives the calls of a message that an earlier import told to their spans, as that import did.
    fn calls_of(&mut self, work: &Work, message: &Message, place: &Place, keys: &dyn Keys) {
        for (number, part) in message.parts.iter().enumerate() {
            if let Part::Call { id, name, .. } = part {
                self.called(work, id.as_deref(), name, format!("{}.{number}", place.key), keys);
            }
        }
    }

    /// The key under which a call is told here; `None` if a span of its own tells it.
    fn called(
        &mut self,
        work: &Work,
        id: Option<&str>,
        name: &str,
        key: String,
        keys: &dyn Keys,
    ) -> Option<String> {
        let Some(id) = id.filter(|id| !id.is_empty()) else { return Some(key) };
        let base = call_key(keys, &work.trace, id);
        let own = format!("{base}.invoked");
        let spans = self.tree.spans_of_call(&work.trace, id);
        let place = call_place(&work.trace, id);
        // some providers count their calls anew in every answer: then the id names nothing
        let again = self.calls.contains_key(&place);
        let key = if again { key } else { own.clone() };
        let tool = self.tool_names.keep(name);
        self.calls.insert(place, (tool, key.as_str().into()));
        if spans == 0 && self.tree.claim_unnamed(&work.trace, name) {
            self.given.entry(short(&format!("{}\n{name}", work.trace))).or_default().push_back(id.to_owned());
            self.given_calls.insert(place);
            return None;
        }
        let elsewhere = spans > 0 || (!again && keys.session_of(&own).is_some());
        (!elsewhere).then_some(key)
    }

    fn answered(
        &mut self,
        work: &Work,
        told: Draft,
        (id, name, failed): (Option<&str>, Option<&str>, bool),
        key: String,
        keys: &dyn Keys,
    ) -> Option<Draft> {
        let status = if failed { "error" } else { "ok" };
        let told = told.with("status", status).with("skill", name);
        let Some(id) = id.filter(|id| !id.is_empty()) else { return Some(told.key(key)) };
        let base = call_key(keys, &work.trace, id);
        let returned = format!("{base}.returned");
        let given = self.given_calls.contains(&call_place(&work.trace, id));
        if given || self.tree.spans_of_call(&work.trace, id) > 0 || keys.session_of(&returned).is_some() {
            return None;
        }
        let made = self.calls.get(&call_place(&work.trace, id));
        let cause = made.map_or_else(|| format!("{base}.invoked"), |(_, key)| key.to_string());
        let told =
            told.with("skill", name.map(str::to_owned).or_else(|| made.map(|(name, _)| name.to_string())));
        let first = made.is_none_or(|(_, key)| key.ends_with(".invoked"));
        Some(told.key(if first { returned } else { key }).with("call", id).with("cause", cause))
    }
}

fn text(message: &Message, draft: Draft, text: &str) -> Draft {
    draft.with("role", message.role.as_str()).data("text", text)
}

fn variant(message: &Message) -> Value {
    let mut map = message.rest.clone();
    map.insert("role".to_owned(), message.role.as_str().into());
    map.insert("name".to_owned(), message.name.clone().into());
    map.insert("parts".to_owned(), message.parts.iter().map(Part::plain).collect());
    Value::Object(map)
}
