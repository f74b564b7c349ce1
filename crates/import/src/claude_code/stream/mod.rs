//! The stream of `claude -p --output-format stream-json` and of the Agent SDK.
//!
//! - the same messages as in a transcript, under other names (`session_id`, `parent_tool_use_id`), without
//!   times, and often without a `uuid`; they are brought into the transcript's shape and mapped like them
//! - a subagent's messages stand inline: `parent_tool_use_id` is the call that started it
//! - `stream_event` tells an answer in pieces: the answer's own record says it again, or it is put together
//! - `result` ends the turn; `control_request` and `control_response` are hooks and permissions
//! - a transcript of the same session tells the same better: where it was imported before, its records own what this
//!   one says again; where it comes later, it is told instead (keys `stream:<its key>`, see `journal::Names`)

mod control;
mod normal;
mod notes;
mod partial;

use std::collections::{HashMap, HashSet};

use event::Draft;
use serde_json::{Map, Value};

use super::{Rec, Session};
use crate::derive::short;
use crate::members::TakeMembers;
use crate::{Importer, Keys, Mapped, Record, SourceFile, Transcript};
use partial::Partials;

pub(super) use normal::{is_stream, unwrapped};

/// The importer.
#[derive(Debug)]
pub(crate) struct ClaudeStream;

impl Importer for ClaudeStream {
    fn name(&self) -> &'static str {
        "claude-stream-json"
    }

    fn home(&self) -> &'static str {
        ".claude-stream-json"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        head.iter().filter_map(Value::as_object).any(is_stream)
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Stream::new(file))
    }
}

/// One stream.
struct Stream {
    session: Session,
    partials: Partials,
    /// Keys that this file's records stand under: another record under one of them is looked at again.
    seen: HashSet<u64>,
    /// The last event of each agent: records do not say what they follow.
    last: HashMap<String, String>,
    /// What a request of the control protocol asked for, by its id.
    asked: HashMap<String, control::Asked>,
}

/// What became of a record.
enum Outcome {
    Events(Vec<Draft>),
    /// Another record says the same.
    Told,
    /// No type that is known.
    Unknown,
}

impl Stream {
    fn new(file: &SourceFile) -> Self {
        let head = file.head.iter().map(|value| match value {
            Value::Object(record) => Value::Object(normal::shaped(record.clone())),
            other => other.clone(),
        });
        let file = SourceFile { head: head.collect(), ..file.clone() };
        Self {
            session: Session::new(&file),
            partials: Partials::default(),
            seen: HashSet::new(),
            last: HashMap::new(),
            asked: HashMap::new(),
        }
    }

    /// True if a transcript that was imported before has the record.
    fn is_owned(&mut self, fields: &Map<String, Value>, keys: &dyn Keys) -> bool {
        let names = normal::identities(fields);
        let again = names.iter().filter(|name| !self.seen.insert(short(name))).count() > 0;
        !again && names.iter().any(|name| keys.session_of(name).is_some())
    }

    fn events(&mut self, rec: &mut Rec<'_>) -> Outcome {
        let kind = rec.fields.text("type").unwrap_or_default().to_owned();
        match kind.as_str() {
            "user" | "assistant" => self.session.turn(rec, &kind).map_or(Outcome::Unknown, Outcome::Events),
            "stream_event" => self.partial(rec),
            "control_request" => Outcome::Events(vec![self.asked(rec)]),
            "control_response" => Outcome::Events(vec![self.answered(rec)]),
            "system" => Outcome::Events(notes::system(rec, &self.session.survey)),
            _ => notes::note(rec, &kind).map_or(Outcome::Unknown, |draft| Outcome::Events(vec![draft])),
        }
    }

    fn finish(&mut self, rec: Rec<'_>, drafts: Vec<Draft>) -> Vec<Draft> {
        let agent = rec.stamp.agent_id.clone().unwrap_or_default();
        if let Some(key) = drafts.first().and_then(|draft| draft.key.clone()) {
            self.last.insert(agent, key);
        }
        self.session.finish(rec, drafts)
    }
}

impl Transcript for Stream {
    fn survey(&mut self, text: &str) -> bool {
        let text = unwrapped(text);
        self.session.survey.see(text, &mut self.session.agents);
        self.partials.see(text, &mut self.session.survey);
        true
    }

    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        if self.session.last_line.repeats(record.text) && record.text.contains("\"uuid\"") {
            return Mapped::Duplicate;
        }
        let Some(Value::Object(fields)) = record.value else { return self.session.odd(record.text, keys) };
        let fields = normal::shaped(fields);
        let owned = self.is_owned(&fields, keys);
        let mut rec = self.session.start(fields, keys);
        rec.stamp.parent = self.last.get(rec.stamp.agent_id.as_deref().unwrap_or_default()).cloned();
        match self.events(&mut rec) {
            // mapped all the same: what follows builds on it
            Outcome::Events(_) if owned => Mapped::Duplicate,
            Outcome::Events(drafts) => Mapped::Events(streamed(self.finish(rec, drafts))),
            Outcome::Told => Mapped::Duplicate,
            Outcome::Unknown => Mapped::Raw(crate::pen::raw(&rec.stamp, rec.key(0), record.text)),
        }
    }

    fn gap_session(&self) -> &str {
        self.session.gap_session()
    }

    fn opening(&mut self) -> Option<Draft> {
        let mut opening = self.session.opening()?;
        // both may open the session: an opening is never told instead of another
        opening.key = opening.key.map(|key| format!("streamed:{key}"));
        Some(opening)
    }
}

/// Under names that a transcript's events go before.
fn streamed(mut drafts: Vec<Draft>) -> Vec<Draft> {
    for draft in &mut drafts {
        draft.key = draft.key.take().map(|key| format!("stream:{key}"));
        for name in ["parent", "cause"] {
            if let Some(Value::String(key)) = draft.header.get_mut(name) {
                *key = format!("stream:{key}");
            }
        }
    }
    drafts
}
