//! Rows of sessions and messages.

use std::rc::Rc;

use event::Draft;
use serde_json::{Map, Value, json};

use super::rows::Row;
use super::{Message, Store, keep};
use crate::derive::{self, short};
use crate::members::TakeMembers;
use crate::{Keys, time};

impl Store {
    pub(super) fn session_row(&mut self, mut row: Row, keys: &dyn Keys) -> Vec<Draft> {
        let id = row.id.clone().unwrap_or_default();
        let fields = &mut row.fields;
        let agent = fields.text("agent").map(str::to_owned);
        let session =
            Rc::new(self.placed(&id, agent.filter(|_| self.parents.contains_key(&short(&id))), keys));
        self.sessions.insert(short(&id), Rc::clone(&session));
        let updated = fields.get("time").and_then(|time| time::at(time.get("updated")?));
        self.remember(&session, updated, keys);
        let at = fields.get("time").and_then(|time| time::at(time.get("created")?)).or(row.at);
        let stamp = session.stamp(at);
        let mut drafts = if session.agent_id.is_some() {
            let started = stamp.draft("agent.started").key(format!("{}..started", session.base));
            vec![started.with("cause", format!("{}..spawned", session.base))]
        } else {
            // a session has no agent of its own
            let mut opened = stamp.draft("session.opened").key(format!("{}..opened", session.base));
            opened.header.remove("agent");
            let project = fields.get("projectID").cloned();
            let mut meta = json!({"version": fields.get("version"), "project": project});
            if let Value::Object(meta) = &mut meta {
                meta.retain(|_, value| !value.is_null());
            }
            let (title, cwd) = (fields.take_text("title"), fields.take_text("directory"));
            vec![opened.data("title", title).data("cwd", cwd).data("meta", meta)]
        };
        if fields.get("revert").is_some_and(Value::is_object) {
            // all from this message on was taken back
            let gone = fields["revert"].get("messageID").cloned();
            let rewound = stamp.draft("context.rewound").key(format!("{}..revert", session.base));
            drafts.push(rewound.data("from", gone));
        }
        keep(&mut drafts, row.fields);
        drafts
    }

    pub(super) fn message_row(&mut self, mut row: Row, keys: &dyn Keys) -> Option<Vec<Draft>> {
        let id = row.id.clone()?;
        let session = self.session(row.session.as_deref()?, keys);
        let base = format!("{}.{}", session.base, derive::id(keys, &id));
        self.unseen.remove(&format!("{base}.m"));
        let fields = &mut row.fields;
        // the oldest form has its times and its model further in
        let metadata = fields.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
        let times = fields.get("time").or_else(|| metadata.get("time")).and_then(Value::as_object).cloned();
        let times = times.unwrap_or_default();
        let at = times.get("created").and_then(time::at).or(row.at.take());
        let role = fields.text("role").unwrap_or("unknown").to_owned();
        let answers = metadata.get("assistant").and_then(Value::as_object);
        let named = |from: &Map<String, Value>| from.text("modelID").map(str::to_owned);
        let model = named(fields).or_else(|| answers.and_then(named));
        let mut stamp = session.stamp(at.clone());
        stamp.parent =
            fields.text("parentID").map(|parent| format!("{}.{}.m", session.base, derive::id(keys, parent)));
        let mut drafts = Vec::new();
        if role == "assistant" {
            stamp.model.clone_from(&model);
            // a message of several steps is paid step by step
            let once = self.steps.get(&short(&id)).is_none_or(|steps| *steps < 2);
            let tokens = fields.get("tokens").or_else(|| answers?.get("tokens")).filter(|_| once);
            let called = stamp.draft("model.called").key(format!("{base}.m"));
            let called = called.with("usage", tokens.and_then(Value::as_object).map_or(Value::Null, usage));
            let called = called.with("duration_ms", duration(&times)).with("stop", fields.text("finish"));
            drafts.push(called);
            if let Some(error) = fields.get("error").and_then(Value::as_object) {
                let failed = stamp.draft("model.failed").key(format!("{base}.failed"));
                let said =
                    error.get("data").and_then(|data| data.get("message")).or_else(|| error.get("message"));
                drafts.push(failed.with("stop", error.text("name")).data("message", said.cloned()));
            }
        } else {
            drafts.push(stamp.draft("turn.started").key(format!("{base}.m")).with("turn", id.as_str()));
        }
        let message = Message { session, role, model, at, key: format!("{base}.m") };
        let message = Rc::new(message);
        self.messages.insert(short(&id), Rc::clone(&message));
        drafts.extend(self.inner_parts(&id, &message, fields, keys));
        keep(&mut drafts, row.fields);
        Some(drafts)
    }

    /// The oldest form has the parts in the message; where each stood stays a null.
    fn inner_parts(
        &mut self,
        id: &str,
        message: &Message,
        fields: &mut Map<String, Value>,
        keys: &dyn Keys,
    ) -> Vec<Draft> {
        let Some(Value::Array(parts)) = fields.get_mut("parts") else { return Vec::new() };
        let mut drafts = Vec::new();
        for (at, part) in parts.iter_mut().enumerate() {
            let Value::Object(inner) = part else { continue };
            let name = inner.text("id").map_or_else(|| format!("{id}-{at}"), str::to_owned);
            let row = Row {
                table: "part".to_owned(),
                id: Some(name),
                session: None,
                message: Some(id.to_owned()),
                at: None,
                fields: inner.clone(),
            };
            if let Some(told) = self.part(message, row, keys) {
                drafts.extend(told);
                *part = Value::Null;
            }
        }
        drafts
    }
}

fn duration(times: &Map<String, Value>) -> Option<i64> {
    let (start, end) = (times.count("created")?, times.count("completed")?);
    end.checked_sub(start).filter(|ms| *ms >= 0)
}

/// The tool counts what came from the cache, and what was put there, beside the input. Thoughts it counts beside
/// the output where its total says so.
pub(super) fn usage(tokens: &Map<String, Value>) -> Value {
    let fits = |count: &i64| (0..1 << 50).contains(count);
    let count = |name: &str| tokens.count(name).filter(fits).unwrap_or(0);
    let cache = tokens.get("cache").and_then(Value::as_object);
    let cached = |name: &str| cache.and_then(|cache| cache.count(name)).filter(fits).unwrap_or(0);
    let input = count("input") + cached("read") + cached("write");
    let (output, reasoning) = (count("output"), count("reasoning"));
    let beside = tokens.count("total") == Some(input + output + reasoning);
    let output = if beside { output + reasoning } else { output };
    if input + output == 0 {
        return Value::Null;
    }
    let mut usage = json!({"input": input, "output": output, "cached": cached("read")});
    if reasoning > 0 {
        usage["reasoning"] = reasoning.into();
    }
    usage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_counts_the_cache_and_thoughts_once() {
        let of = |tokens: Value| usage(&tokens.as_object().cloned().unwrap_or_default());
        assert_eq!(
            of(json!({"input": 1, "output": 2, "cache": {"read": 8, "write": 3}})),
            json!({"input": 12, "output": 2, "cached": 8})
        );
        let thought =
            json!({"input": 1, "output": 2, "reasoning": 5, "total": 8, "cache": {"read": 0, "write": 0}});
        assert_eq!(of(thought), json!({"input": 1, "output": 7, "cached": 0, "reasoning": 5}));
        let inside = json!({"input": 1, "output": 7, "reasoning": 5, "total": 8});
        assert_eq!(of(inside), json!({"input": 1, "output": 7, "cached": 0, "reasoning": 5}));
        assert_eq!(of(json!({"input": 0, "output": 0})), Value::Null);
    }
}
