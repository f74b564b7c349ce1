//! Inspect: logs of evaluations, as one `.json` document or as an `.eval` archive, of a run that is going on too.
//!
//! ```text
//! {"version":2,"status":…,"eval":{…},"plan":{…},"results":{…},"samples":[…],"reductions":[…]}
//! header.json | _journal/start.json   samples/<id>_epoch_<n>.json   reductions.json   summaries.json
//! ```
//! A sample is a session; the log is one beside them. A record is a sample's head or one of its events. Long texts
//! stand in a sample's attachments (`attachment://<hash>`): where something is told they are resolved, and what is
//! kept beside it still points to them; those that were told nowhere are told when the sample ends.

mod events;
mod model;
mod sample;

use std::collections::HashSet;

use event::Draft;
use serde_json::{Map, Value, json};

use crate::derive::{Derived, once};
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::speech::History;
use crate::{Importer, Keys, Mapped, Part, Record, SourceFile, Transcript, time};
use sample::Sample;

/// What a call in a message and the event that ran it have in common.
const CALL: &[&str] = &["id", "function", "arguments", "type", "view"];

pub(crate) struct Inspect;

impl Importer for Inspect {
    fn name(&self) -> &'static str {
        "inspect"
    }

    fn home(&self) -> &'static str {
        ".inspect"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        let Some(first) = head.first().and_then(Value::as_object) else { return false };
        match first.get("value").and_then(Value::as_object) {
            Some(value) if first.contains_key("member") => is_log(value),
            _ => is_log(first),
        }
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Log { stem: file.stem.clone(), session: file.stem.clone(), ..Log::default() })
    }

    fn holds_parts(&self) -> bool {
        true
    }

    fn parts(&self, record: Value) -> Vec<Part> {
        parts(record).into_iter().map(|value| Part { order: 0, value }).collect()
    }
}

fn is_log(map: &Map<String, Value>) -> bool {
    let eval = map.get("eval").and_then(Value::as_object);
    eval.is_some_and(|eval| {
        eval.contains_key("task") && (eval.contains_key("run_id") || eval.contains_key("created"))
    })
}

fn is_sample(map: &Map<String, Value>) -> bool {
    let told = ["messages", "input", "events"].iter().any(|name| map.contains_key(*name));
    map.contains_key("id") && map.contains_key("epoch") && told
}

fn parts(record: Value) -> Vec<Value> {
    let Value::Object(mut map) = record else { return vec![json!({ "other": record })] };
    if let (Some(member), Some(value)) = (map.text("member").map(str::to_owned), map.remove("value")) {
        return member_parts(&member, value);
    }
    if is_log(&map) {
        let samples = take_list(&mut map, "samples");
        let reductions = take_list(&mut map, "reductions");
        let mut found = vec![json!({ "log": map })];
        found.extend(samples.into_iter().flat_map(sample_parts));
        if !reductions.is_empty() {
            found.push(json!({ "reductions": reductions }));
        }
        return found;
    }
    if is_sample(&map) {
        return sample_parts(Value::Object(map));
    }
    if map.contains_key("scorer") && map.contains_key("samples") {
        return vec![json!({ "reductions": [map] })];
    }
    vec![json!({ "other": map })]
}

fn member_parts(member: &str, value: Value) -> Vec<Value> {
    match value {
        Value::Object(map) if is_log(&map) => vec![json!({ "log": map })],
        Value::Object(map) if is_sample(&map) => sample_parts(Value::Object(map)),
        Value::Array(_) if member == "reductions.json" => vec![json!({ "reductions": value })],
        Value::Array(items) if member.contains("summaries") => {
            items.into_iter().map(|item| json!({ "summary": item })).collect()
        }
        value => vec![json!({"other": {"member": member, "value": value}})],
    }
}

fn take_list(map: &mut Map<String, Value>, name: &str) -> Vec<Value> {
    match map.remove(name) {
        Some(Value::Array(items)) => items,
        Some(Value::Null) | None => Vec::new(),
        Some(other) => {
            map.insert(name.to_owned(), other);
            Vec::new()
        }
    }
}

/// A sample's head, then its events; the last part says so.
fn sample_parts(sample: Value) -> Vec<Value> {
    let Value::Object(mut sample) = sample else { return vec![json!({ "other": sample })] };
    let mut events = take_list(&mut sample, "events");
    if let Some(mut transcript) = sample.take_object("transcript") {
        // how it was before events had a member of their own
        events.extend(take_list(&mut transcript, "events"));
        if let Some(content) = transcript.take_object("content") {
            let attachments = sample.entry("attachments").or_insert_with(|| Value::Object(Map::new()));
            attachments.as_object_mut().into_iter().for_each(|map| map.extend(content.clone()));
        }
    }
    let mut flat = Vec::new();
    for event in events {
        flatten(event, &mut flat);
    }
    let calls =
        flat.iter().filter(|event| event["event"] == "tool").filter_map(Value::as_object).map(|event| {
            let members =
                CALL.iter().filter_map(|name| Some(((*name).to_owned(), event.get(*name)?.clone())));
            members.collect::<Map<_, _>>()
        });
    let calls: Vec<Value> = calls.map(Value::Object).collect();
    let scored = flat.iter().any(|event| event["event"] == "score" && event["intermediate"] != true);
    let count = flat.len();
    let mut parts = vec![json!({"sample": sample, "calls": calls, "scored": scored, "last": count == 0})];
    for (index, event) in flat.into_iter().enumerate() {
        parts.push(json!({"event": event, "index": index, "last": index + 1 == count}));
    }
    parts
}

/// Events of a tool or a subtask stand in it; they come behind it.
fn flatten(event: Value, into: &mut Vec<Value>) {
    let Value::Object(mut map) = event else {
        into.push(event);
        return;
    };
    let inner = take_list(&mut map, "events");
    into.push(Value::Object(map));
    for event in inner {
        flatten(event, into);
    }
}

/// One file.
#[derive(Default)]
pub(super) struct Log {
    stem: String,
    /// The log's own session.
    session: String,
    /// What the log says of the evaluation.
    eval: Map<String, Value>,
    status: String,
    derived: Derived,
    history: History,
    sample: Option<Sample>,
    /// Samples that are here, for those that are only summed up.
    samples: HashSet<String>,
    seen: HashSet<String>,
}

impl Transcript for Log {
    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        let text = record.text;
        let Some(Value::Object(mut part)) = record.value else { return self.raw(text, keys) };
        let last = part.flag("last");
        let drafts = if let Some(log) = part.take_object("log") {
            self.log(log)
        } else if let Some(sample) = part.take_object("sample") {
            let mut drafts = self.close_sample(Some(keys));
            drafts.extend(self.open_sample(sample, &part, keys));
            drafts
        } else if let Some(event) = part.take_object("event") {
            match self.event(event, part.count("index").unwrap_or_default(), keys) {
                Some(drafts) => drafts,
                None => vec![self.raw_event(text, &part)],
            }
        } else if let Some(reductions) = part.remove("reductions") {
            self.reductions(reductions, keys)
        } else if let Some(summary) = part.take_object("summary") {
            return self.summary(summary, text, keys);
        } else {
            return self.raw(text, keys);
        };
        let mut drafts = drafts;
        if last {
            drafts.extend(self.close_sample(Some(keys)));
        }
        match drafts.as_slice() {
            [] => Mapped::Duplicate,
            [only] if only.kind == *"raw.kept" => Mapped::Raw(drafts.remove(0)),
            _ => Mapped::Events(drafts),
        }
    }

    fn gap_session(&self) -> &str {
        &self.session
    }

    fn opening(&mut self) -> Option<Draft> {
        None
    }

    /// A sample whose last event never came.
    fn closing(&mut self) -> Vec<Draft> {
        self.close_sample(None)
    }
}

impl Log {
    fn stamp(&self) -> Stamp {
        Stamp { session: self.session.clone(), ..Stamp::default() }
    }

    fn raw(&mut self, text: &str, keys: &dyn Keys) -> Mapped {
        let key = format!("inspect:{}", self.derived.next(keys, &format!("raw\n{}\n{text}", self.session)));
        Mapped::Raw(pen::raw(&self.stamp(), key, text))
    }

    /// The evaluation; of a run that goes on only its beginning.
    fn log(&mut self, mut log: Map<String, Value>) -> Vec<Draft> {
        if !self.status.is_empty() && !log.contains_key("status") {
            // how it began stands in what it became
            return Vec::new();
        }
        let eval = log.take_object("eval").unwrap_or_default();
        let text = |name: &str| eval.text(name).unwrap_or_default().to_owned();
        let (run, task) = (text("run_id"), text("task_id"));
        let id = [text("eval_id"), task, run, self.stem.clone()].into_iter().find(|id| !id.is_empty());
        self.session = format!("inspect-{}", id.unwrap_or_default());
        self.status = log.take_text("status").unwrap_or_else(|| "started".to_owned());
        let at = eval.get("created").and_then(time::at);
        let base = format!("inspect:{}.log", self.session);
        let stamp = Stamp { at, model: eval.text("model").map(str::to_owned), ..self.stamp() };
        let title = format!("{} · {}", text("task"), text("model"));
        let mut opened =
            stamp.draft("session.updated").key(format!("{base}.{}", self.status)).data("title", title);
        let results = log.remove("results").filter(|results| !results.is_null());
        let error = log.remove("error").filter(|error| !error.is_null());
        let stats = log.remove("stats");
        self.eval.clone_from(&eval);
        log.insert("eval".to_owned(), Value::Object(eval));
        opened = opened.data("meta", Value::Object(log));
        let ended = |name: &str| stats.as_ref().and_then(|stats| stats.get(name).and_then(time::at));
        let mut drafts = vec![opened];
        let at = ended("completed_at");
        let done = Stamp { at, ..self.stamp() };
        if let Some(results) = results {
            let draft = done.draft("state.changed").with("what", "results").key(format!("{base}.results"));
            drafts.push(draft.data("body", results));
        }
        if self.status != "started" {
            let draft = done
                .draft("session.closed")
                .with("status", self.status.as_str())
                .key(format!("{base}.closed"));
            let reason = error.as_ref().and_then(|error| error.get("message").cloned());
            let mut draft = draft.data("reason", reason.unwrap_or_default());
            let rest = [("stats", stats), ("error", error)];
            let rest = rest.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
            pen::add_ext(&mut draft, rest.collect());
            drafts.push(draft);
        }
        drafts
    }

    fn reductions(&mut self, reductions: Value, keys: &dyn Keys) -> Vec<Draft> {
        let key = once(keys, &format!("reductions\n{}\n{reductions}", self.session));
        let draft =
            self.stamp().draft("state.changed").with("what", "reductions").key(format!("inspect:{key}"));
        vec![draft.data("body", reductions)]
    }

    /// A sample in short: told only if the sample itself is not here.
    fn summary(&mut self, summary: Map<String, Value>, text: &str, keys: &dyn Keys) -> Mapped {
        let name = sample::name_of(&summary);
        if self.samples.contains(&name) || !self.seen.insert(name) {
            return Mapped::Duplicate;
        }
        let key = once(keys, &format!("summary\n{}\n{text}", self.session));
        let draft = self.stamp().draft("state.changed").with("what", "summary").key(format!("inspect:{key}"));
        Mapped::Events(vec![draft.data("body", Value::Object(summary))])
    }

    fn raw_event(&self, text: &str, part: &Map<String, Value>) -> Draft {
        let base = self.sample.as_ref().map_or_else(|| self.session.clone(), |sample| sample.base.clone());
        let key = format!("{base}.{}.raw", part.count("index").unwrap_or_default());
        let stamp = self.sample.as_ref().map_or_else(|| self.stamp(), |sample| sample.stamp(&Map::new()));
        pen::raw(&stamp, key, text)
    }
}
