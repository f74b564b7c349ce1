//! A sample: its session, its attachments, who is at work in it, and how it ends.

use std::collections::{BTreeMap, HashMap, HashSet};

use event::Draft;
use serde_json::{Map, Value, json};

use super::Log;
use crate::derive::once;
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::speech::{History, unwrapped};
use crate::{Keys, speech, time};

const POINTER: &str = "attachment://";
/// Values nested deeper are left as they are.
const DEEPEST: usize = 64;

/// A sample being told.
#[derive(Default)]
pub(super) struct Sample {
    pub(super) session: String,
    /// What its keys begin with.
    pub(super) base: String,
    pub(super) group: Option<String>,
    attachments: HashMap<String, String>,
    told: HashSet<String>,
    /// Messages that model events point to.
    pub(super) pool: Vec<Value>,
    /// Those that one did point to.
    pub(super) pooled: HashSet<usize>,
    /// Calls that have an event of their own.
    pub(super) calls: HashMap<String, Map<String, Value>>,
    scored: bool,
    /// Who judges, if only one does.
    pub(super) scorer: Option<String>,
    /// Names of tools by their calls.
    pub(super) tools: HashMap<String, String>,
    /// Agents by their spans, and which span is within which.
    pub(super) agents: HashMap<String, String>,
    pub(super) spans: HashMap<String, (String, String)>,
    pub(super) above: HashMap<String, String>,
    /// The chain of the message told last.
    pub(super) last: String,
    /// What the sample says at its end.
    rest: Map<String, Value>,
    last_at: Option<String>,
}

/// What a sample is called within its log.
pub(super) fn name_of(sample: &Map<String, Value>) -> String {
    let part = |name: &str| sample.get(name).map(Value::to_string).unwrap_or_default();
    format!("{}\n{}", part("id"), part("epoch"))
}

impl Sample {
    /// The stamp of an event.
    pub(super) fn stamp(&self, event: &Map<String, Value>) -> Stamp {
        let agent = event.text("span_id").and_then(|span| self.agent_of(span));
        let at = event.get("timestamp").and_then(time::at);
        Stamp { session: self.session.clone(), at, agent, ..Stamp::default() }
    }

    /// The agent in whose span this is.
    pub(super) fn agent_of(&self, span: &str) -> Option<String> {
        let mut at = span;
        for _ in 0..DEEPEST {
            if let Some(agent) = self.agents.get(at) {
                return Some(agent.clone());
            }
            at = self.above.get(at)?;
        }
        None
    }

    /// Puts attachments where they are pointed to, and notes which.
    pub(super) fn resolved(&mut self, value: &Value, used: &mut Vec<Value>) -> Value {
        self.resolve(value, used, 0)
    }

    fn resolve(&mut self, value: &Value, used: &mut Vec<Value>, depth: usize) -> Value {
        match value {
            Value::String(text) => {
                match text.strip_prefix(POINTER).and_then(|hash| Some((hash, self.attachments.get(hash)?))) {
                    Some((hash, found)) => {
                        let found = Value::from(found.as_str());
                        used.push(hash.into());
                        self.told.insert(hash.to_owned());
                        found
                    }
                    None => value.clone(),
                }
            }
            Value::Array(items) if depth < DEEPEST => {
                items.iter().map(|item| self.resolve(item, used, depth + 1)).collect()
            }
            Value::Object(map) if depth < DEEPEST => {
                let members =
                    map.iter().map(|(name, item)| (name.clone(), self.resolve(item, used, depth + 1)));
                Value::Object(members.collect())
            }
            other => other.clone(),
        }
    }

    /// A text as it is told, with its attachment.
    pub(super) fn text(&mut self, value: Option<Value>, used: &mut Vec<Value>) -> Value {
        value.map(|value| self.resolved(&value, used)).unwrap_or_default()
    }

    /// Attachments without telling that they were used: for what was told elsewhere.
    pub(super) fn peek(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                let found = text.strip_prefix(POINTER).and_then(|hash| self.attachments.get(hash));
                found.map_or_else(|| value.clone(), |found| Value::from(found.as_str()))
            }
            Value::Array(items) => items.iter().map(|item| self.peek(item)).collect(),
            Value::Object(map) => {
                Value::Object(map.iter().map(|(name, item)| (name.clone(), self.peek(item))).collect())
            }
            other => other.clone(),
        }
    }

    /// Notes which attachments these texts are.
    pub(super) fn tell(&mut self, value: &Value, used: &mut Vec<Value>) {
        self.resolve(value, used, 0);
    }

    pub(super) fn draft(&self, stamp: &Stamp, kind: &'static str) -> Draft {
        stamp.draft(kind).with("group", self.group.clone())
    }
}

impl Log {
    pub(super) fn open_sample(
        &mut self,
        mut fields: Map<String, Value>,
        part: &Map<String, Value>,
        keys: &dyn Keys,
    ) -> Vec<Draft> {
        let log = format!("{}\n{}", self.session, name_of(&fields));
        self.samples.insert(name_of(&fields));
        let id = fields.text("uuid").map_or_else(|| once(keys, &format!("sample\n{log}")), str::to_owned);
        let attachments = fields.take_object("attachments").unwrap_or_default();
        let attachments =
            attachments.into_iter().filter_map(|(hash, text)| Some((hash, text.as_str()?.to_owned())));
        let mut pool = list(fields.remove("message_pool"));
        if let Some(mut data) = fields.take_object("events_data") {
            pool.extend(list(data.remove("messages")));
            fields.insert("events_data".to_owned(), Value::Object(data));
        }
        let calls = part.get("calls").and_then(Value::as_array).into_iter().flatten();
        let mut sample = Sample {
            session: format!("inspect-{id}"),
            base: format!("inspect:{id}"),
            group: Some(self.session.clone()),
            attachments: attachments.collect(),
            pool,
            calls: calls
                .filter_map(Value::as_object)
                .filter_map(|call| Some((call.text("id")?.to_owned(), call.clone())))
                .collect(),
            scored: part.flag("scored"),
            ..Sample::default()
        };
        let scores = fields.get("scores").and_then(Value::as_object);
        sample.scorer =
            scores.filter(|scores| scores.len() == 1).and_then(|scores| scores.keys().next().cloned());
        self.history = History::within("inspect");
        let mut used = Vec::new();
        let input =
            fields.remove("input").map(|input| sample.resolved(&input, &mut used)).unwrap_or_default();
        let said = speech::read(input.clone(), "user");
        let asked = said
            .iter()
            .rfind(|message| message.role == "user")
            .map(speech::Message::text)
            .unwrap_or_default();
        let number = fields.get("id").map(unquoted).unwrap_or_default();
        let task = self.eval.text("task").unwrap_or_default();
        let epoch = fields.get("epoch").and_then(Value::as_u64).unwrap_or(1);
        let title = format!(
            "{task} {number}{}: {}",
            if epoch > 1 { format!(" #{epoch}") } else { String::new() },
            pen::title(&asked)
        );
        let at = fields.get("started_at").and_then(time::at);
        let stamp = Stamp { session: sample.session.clone(), at, ..Stamp::default() };
        let opened = sample.draft(&stamp, "session.updated").key(format!("{}.sample", sample.base));
        let mut meta = Map::new();
        for name in [
            "id",
            "epoch",
            "target",
            "choices",
            "metadata",
            "files",
            "setup",
            "sandbox",
            "uuid",
            "started_at",
        ] {
            if let Some(value) = fields.remove(name) {
                let value = sample.resolved(&value, &mut used);
                meta.insert(name.to_owned(), value);
            }
        }
        for name in ["task", "model", "run_id", "task_id", "eval_id"] {
            if let Some(value) = self.eval.get(name) {
                meta.insert(format!("eval_{name}"), value.clone());
            }
        }
        let mut opened =
            opened.data("title", title.trim()).data("requirements", input).data("meta", Value::Object(meta));
        note_attachments(&mut opened, used);
        sample.rest = fields;
        self.sample = Some(sample);
        vec![opened]
    }

    /// What stands at a sample's end: its messages, as far as nobody told them, its scores, and how it ended.
    pub(super) fn close_sample(&mut self, keys: Option<&dyn Keys>) -> Vec<Draft> {
        let Some(mut sample) = self.sample.take() else { return Vec::new() };
        let mut rest = std::mem::take(&mut sample.rest);
        let stamp = Stamp { session: sample.session.clone(), at: sample.last_at.clone(), ..Stamp::default() };
        let pool = std::mem::take(&mut sample.pool).into_iter().enumerate();
        let unused = pool.filter(|(place, _)| !sample.pooled.contains(place));
        let unused: Map<String, Value> =
            unused.map(|(place, message)| (place.to_string(), message)).collect();
        if !unused.is_empty() {
            rest.insert("message_pool".to_owned(), Value::Object(unused));
        }
        let mut drafts = Vec::new();
        if let (Some(messages), Some(keys)) =
            (rest.get("messages").filter(|list| list.is_array()).cloned(), keys)
        {
            rest.remove("messages");
            drafts = self.say(&mut sample, &stamp, messages, "messages", &mut rest, keys);
        }
        let scores = rest.take_object("scores").unwrap_or_default();
        if sample.scored {
            rest.insert("scores".to_owned(), Value::Object(scores));
        } else {
            for (scorer, score) in scores {
                let key = format!("{}.score.{scorer}", sample.base);
                let draft = sample.draft(&stamp, "score.given").key(key);
                drafts.push(super::events::scored(&mut sample, draft, Some(&scorer), &score));
            }
        }
        let error = rest.remove("error").filter(|error| !error.is_null());
        let limit = rest.get("limit").and_then(|limit| limit.get("type")?.as_str()).map(str::to_owned);
        let status = if error.is_some() {
            "error"
        } else if limit.is_some() {
            "limit"
        } else {
            "completed"
        };
        let at = rest.get("completed_at").and_then(time::at).or(stamp.at.clone());
        let stamp = Stamp { at, ..stamp };
        let closed = sample
            .draft(&stamp, "session.closed")
            .with("status", status)
            .key(format!("{}.closed", sample.base));
        let reason =
            error.as_ref().and_then(|error| error.get("message").cloned()).or(limit.map(Value::from));
        let mut closed = closed.data("reason", reason.unwrap_or_default());
        if let Some(error) = error {
            rest.insert("error".to_owned(), error);
        }
        pen::add_ext(&mut closed, rest);
        let untold: BTreeMap<&String, &String> =
            sample.attachments.iter().filter(|(hash, _)| !sample.told.contains(*hash)).collect();
        if !untold.is_empty() {
            let draft = sample.draft(&stamp, "state.changed").with("what", "attachments");
            drafts.push(draft.key(format!("{}.attachments", sample.base)).data("body", json!(untold)));
        }
        drafts.push(closed);
        drafts
    }
}

impl Sample {
    /// Remembers how late it is.
    pub(super) fn saw(&mut self, at: Option<&String>) {
        if at.is_some() {
            self.last_at = at.cloned();
        }
    }
}

/// Says which attachments were put in.
pub(super) fn note_attachments(draft: &mut Draft, used: Vec<Value>) {
    if !used.is_empty() {
        let mut seen = HashSet::new();
        let used: Vec<Value> = used.into_iter().filter(|hash| seen.insert(hash.to_string())).collect();
        pen::add_ext(draft, Map::from_iter([("attachments".to_owned(), used.into())]));
    }
}

fn list(value: Option<Value>) -> Vec<Value> {
    match value.map(unwrapped) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

/// An id that may be a number or a text.
fn unquoted(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}
