//! Codex: rollouts, `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl[.zst]`.
//!
//! - most records have no id: a key is made of content, what came before, and a count (see `Codex::base`)
//! - a fork or a subagent begins with a copy of its parent's rollout, in which a second `session_meta`
//!   stands: the copy meets the parent's keys
//! - the same thing is said twice, as `response_item` and as `event_msg`: the second is a duplicate
//! - a compaction repeats the whole history, pictures included: only what is new is kept in it
//!
//! Older shapes (no envelope, a bare first line) are brought into today's by `legacy`.

mod calls;
mod compacted;
mod events;
mod exec;
mod items;
mod legacy;
mod log;
mod opening;
mod state;
mod twins;

use std::collections::HashMap;

use event::Draft;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::derive::{Derived, LastLine, Names, short};
use crate::json::digest;
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::{Importer, Keys, Mapped, Record, SourceFile, Transcript, time};
pub(crate) use exec::CodexExec;
pub(crate) use log::CodexLog;
use opening::Thread;
use twins::Twins;

/// The importer.
#[derive(Debug)]
pub(crate) struct Codex;

/// Record types of the envelope.
const TYPES: &[&str] = &[
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
    "world_state",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
];

impl Importer for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn home(&self) -> &'static str {
        ".codex/sessions"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        let enveloped = |record: &Map<String, Value>| {
            record.text("type").is_some_and(|kind| TYPES.contains(&kind)) && record.contains_key("payload")
        };
        head.iter().filter_map(Value::as_object).any(enveloped) || legacy::recognises(head)
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Rollout::new(file))
    }
}

/// One rollout.
struct Rollout {
    thread: Thread,
    opening: Option<Draft>,
    started: Option<Draft>,
    derived: Derived,
    twins: Twins,
    /// What was told though an item may still come that says the same: its key and who says what, as
    /// hashes.
    lone: HashMap<u64, u64>,
    /// Items of the history by content, with the key of the event that tells them.
    told: HashMap<[u8; 32], Box<str>>,
    /// The history of the compaction before.
    replaced: compacted::History,
    /// Hash of the last record that only this history can hold.
    anchor: String,
    previous: Option<String>,
    model: Option<String>,
    totals: Option<Value>,
    /// The last answer, as a hash, and its key: the end of a turn repeats it.
    answer: Option<(u64, String)>,
    calls: HashMap<u64, calls::Call>,
    names: Names,
    last_line: LastLine,
}

/// One record being mapped.
struct Rec {
    /// What is left of the envelope.
    fields: Map<String, Value>,
    /// What is left of the payload.
    payload: Map<String, Value>,
    stamp: Stamp,
    base: String,
}

impl Rec {
    fn key(&self, part: usize) -> String {
        format!("{}.{part}", self.base)
    }

    fn draft(&self, kind: &'static str, part: usize) -> Draft {
        self.stamp.draft(kind).key(self.key(part))
    }
}

impl Rollout {
    fn new(file: &SourceFile) -> Self {
        let thread = Thread::of(file);
        Self {
            opening: thread.opening(file),
            started: thread.started(),
            thread,
            derived: Derived::default(),
            twins: Twins::default(),
            lone: HashMap::new(),
            told: HashMap::new(),
            replaced: compacted::History::default(),
            anchor: String::new(),
            previous: None,
            model: None,
            totals: None,
            answer: None,
            calls: HashMap::new(),
            names: Names::default(),
            last_line: LastLine::default(),
        }
    }

    fn start(&mut self, mut fields: Map<String, Value>, payload: Map<String, Value>, keys: &dyn Keys) -> Rec {
        let kind = kind_of(&fields, &payload);
        let time = fields.get("timestamp").or_else(|| payload.get("timestamp"));
        let at = time.and_then(time::at);
        if let Some(at) = &at
            && fields.text("timestamp").is_some_and(|text| time::is_usual(text, at))
        {
            fields.remove("timestamp");
        }
        let base = self.base(&kind, &payload, keys);
        let stamp = Stamp {
            session: self.thread.session.clone(),
            at,
            agent: Some(self.thread.agent.clone()),
            agent_id: self.thread.agent_id.clone(),
            parent_agent: self.thread.parent_agent.clone(),
            parent: self.previous.clone(),
            model: None,
        };
        Rec { fields, payload, stamp, base }
    }

    /// Identity of a record: lineage, kind, content without times, what came before, a count.
    ///
    /// A copy is written with new times, and some records may be missing from it, so neither times nor
    /// positions count. A short record ("continue", a turn's settings) is told from its like by the last
    /// record that cannot occur twice (a call, its output, an encrypted thought, an answer) and what was
    /// said since. So a fork shares its parent's past and no more, though both go on with equal records.
    fn base(&mut self, kind: &str, content: &Map<String, Value>, keys: &dyn Keys) -> String {
        let digest = digest(content, &["timestamp", "ordinal"]).to_hex().to_string();
        let lineage = &self.thread.lineage;
        let anchored = is_anchor(kind, content);
        let before = if anchored { String::new() } else { self.anchor.clone() };
        let key = self.derived.next(keys, &format!("record\n{lineage}\n{kind}\n{digest}\n{before}"));
        if anchored {
            self.anchor = digest;
        } else if kind == "response_item/message" {
            // what a person said makes the place of what follows
            self.anchor = blake3::hash(format!("{before}\n{digest}").as_bytes()).to_hex().to_string();
        }
        format!("cx:{key}")
    }

    fn events(&mut self, rec: &mut Rec) -> Option<Outcome> {
        let kind = rec.fields.text("type").unwrap_or_default().to_owned();
        let drafts = match kind.as_str() {
            "response_item" => return self.item(rec).map(Outcome::Events),
            "event_msg" => return self.event(rec),
            "session_meta" => self.session_meta(rec),
            "turn_context" => self.turn_context(rec),
            "world_state" => vec![state::changed(rec, "world_state")],
            "compacted" => self.compacted(rec),
            "inter_agent_communication" => vec![events::mail(rec)],
            "inter_agent_communication_metadata" => vec![state::changed(rec, "inter_agent_communication")],
            _ => return None,
        };
        Some(Outcome::Events(drafts))
    }

    /// The second `session_meta` of a file is its parent's: the copy begins.
    fn session_meta(&mut self, rec: &mut Rec) -> Vec<Draft> {
        let mut body = std::mem::take(&mut rec.payload);
        let own = body.text("id").is_some_and(|id| id == self.thread.id);
        let cwd = body.take_text("cwd");
        let draft = rec.draft("session.updated", 0);
        let draft = if own { draft } else { draft.with("status", "copied") };
        vec![draft.data("cwd", cwd).data("meta", Value::Object(body))]
    }

    fn turn_context(&mut self, rec: &mut Rec) -> Vec<Draft> {
        if let Some(model) = rec.payload.text("model") {
            self.model = Some(model.to_owned());
        }
        rec.stamp.model.clone_from(&self.model);
        vec![state::changed(rec, "turn_context")]
    }

    fn finish(&mut self, rec: Rec, mut drafts: Vec<Draft>) -> Vec<Draft> {
        if let Some(first) = drafts.first_mut() {
            pen::add_ext(first, rec.fields);
            pen::add_ext_member(first, "payload", rec.payload);
            self.previous.clone_from(&first.key);
        }
        if let Some(started) = self.started.take() {
            drafts.insert(0, started);
        }
        drafts
    }

    fn raw(&mut self, fields: Option<&Map<String, Value>>, text: &str, keys: &dyn Keys) -> Mapped {
        #[derive(Deserialize, Default)]
        struct Envelope {
            timestamp: Option<String>,
        }
        let time = fields.map(|fields| fields.get("timestamp").cloned());
        let envelope =
            || serde_json::from_str::<Envelope>(text).unwrap_or_default().timestamp.map(Value::from);
        let at = time.unwrap_or_else(envelope).as_ref().and_then(time::at);
        let stamp = Stamp { session: self.thread.session.clone(), at, ..Stamp::default() };
        let hash = blake3::hash(text.as_bytes()).to_hex();
        let key = self.derived.next(keys, &format!("raw\n{}\n{hash}\n{}", self.thread.lineage, self.anchor));
        Mapped::Raw(pen::raw(&stamp, format!("cx:{key}"), text))
    }

    /// The very line before once more, time included.
    fn repeats(&mut self, text: &str) -> bool {
        let timed = || {
            text.contains("\"timestamp\"") || text.contains("\"created_at\"") || text.starts_with("{\"ts\"")
        };
        self.last_line.repeats(text) && timed()
    }
}

/// What became of a mapped record.
enum Outcome {
    Events(Vec<Draft>),
    /// Another record says the same.
    Twin,
}

fn kind_of(fields: &Map<String, Value>, payload: &Map<String, Value>) -> String {
    format!("{}/{}", fields.text("type").unwrap_or_default(), payload.text("type").unwrap_or_default())
}

fn is_anchor(kind: &str, content: &Map<String, Value>) -> bool {
    let has = |name: &str| content.get(name).is_some_and(Value::is_string);
    match kind {
        "response_item/reasoning" => has("encrypted_content"),
        "response_item/message" => content.get("role").is_some_and(|role| role == "assistant"),
        kind => kind.starts_with("response_item/") && has("call_id"),
    }
}

impl Transcript for Rollout {
    fn survey(&mut self, text: &str) -> bool {
        self.twins.see(text);
        true
    }

    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        if self.repeats(record.text) {
            return Mapped::Duplicate;
        }
        let Some(Value::Object(fields)) = record.value else { return self.raw(None, record.text, keys) };
        let mut fields = legacy::enveloped(fields);
        let Some(payload) = fields.take_object("payload") else {
            return self.raw(Some(&fields), record.text, keys);
        };
        let mut rec = self.start(fields, payload, keys);
        match self.events(&mut rec) {
            Some(Outcome::Events(drafts)) if !drafts.is_empty() => Mapped::Events(self.finish(rec, drafts)),
            Some(Outcome::Twin) => Mapped::Duplicate,
            _ => self.raw(Some(&rec.fields), record.text, keys),
        }
    }

    fn gap_session(&self) -> &str {
        &self.thread.session
    }

    fn holds_back(&self, draft: &Draft) -> bool {
        draft.key.as_ref().is_some_and(|key| self.lone.contains_key(&short(key)))
    }

    fn settle(&mut self, held: &mut Draft) -> bool {
        let lone = held.key.as_ref().and_then(|key| self.lone.remove(&short(key)));
        !lone.is_some_and(|said| self.twins.take_hash(said))
    }

    fn opening(&mut self) -> Option<Draft> {
        self.opening.take()
    }
}
