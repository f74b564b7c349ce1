//! Claude Code: `~/.claude/projects/<folder>/<session>.jsonl` and the files of its subagents.
//!
//! - a record's identity is its `uuid`, never session and line: a resumed session copies records into a
//!   new file under a new session id
//! - records form a tree by `parentUuid`; the file's order is kept, the tree is told by `parent`
//! - one response of the model stands on several lines that all repeat its usage: `model.called` tells
//!   it once, with the largest number of each field
//! - a subagent's file belongs to the session of its folder, whatever its records say
//!
//! Formats drift by adding: what is known is mapped, the rest of a record stays in `data.ext`, records of
//! unknown types stay whole in `raw.kept`.

mod agents;
mod attachments;
mod chains;
mod notes;
mod opening;
mod results;
mod stream;
mod survey;
mod system;
mod turns;

use std::collections::HashSet;

use event::Draft;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::derive::{Derived, LastLine};
use crate::json::digest;
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::{Importer, Keys, Mapped, Record, SourceFile, Transcript, time};
use agents::Agents;
pub(crate) use stream::ClaudeStream;
use survey::Survey;

/// The importer.
#[derive(Debug)]
pub(crate) struct ClaudeCode;

/// Record types that no other tool writes next to a `sessionId`.
const OWN_TYPES: &[&str] = &[
    "file-history-snapshot",
    "file-history-delta",
    "queue-operation",
    "permission-mode",
    "last-prompt",
    "custom-title",
    "ai-title",
    "agent-name",
    "agent-setting",
    "pr-link",
    "bridge-session",
    "worktree-state",
    "frame-link",
    "relocated",
    "atis-latch",
];

impl Importer for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn home(&self) -> &'static str {
        ".claude/projects"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        let records = || head.iter().filter_map(Value::as_object);
        records().any(is_own) && !records().any(is_foreign) && !records().any(stream::is_stream)
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Session::new(file))
    }
}

/// Another tool with the same tree of records writes `parts` instead of `content`.
fn is_foreign(record: &Map<String, Value>) -> bool {
    let parts = record.get("message").is_some_and(|message| message.get("parts").is_some());
    parts || record.contains_key("systemPayload")
}

fn is_own(record: &Map<String, Value>) -> bool {
    let has = |name: &str| record.get(name).is_some_and(Value::is_string);
    let message = record.get("message").and_then(Value::as_object);
    let content = message.is_some_and(|message| message.contains_key("content"));
    match record.text("type") {
        // `session_id` alone is the stream format
        Some("user" | "assistant") => {
            content && (has("sessionId") || has("timestamp")) && !record.contains_key("payload")
        }
        Some("summary") => has("leafUuid") || (content && has("sessionId")),
        Some("system" | "attachment" | "progress") => has("sessionId") && has("uuid"),
        Some(own) => OWN_TYPES.contains(&own) && (has("sessionId") || has("messageId")),
        None => false,
    }
}

/// One file.
struct Session {
    /// The session of the file: its folder's for a subagent, its name's or its first record's otherwise.
    home: String,
    /// The file holds records of its own session; a file of titles for other sessions doesn't.
    has_home: bool,
    opening: Option<Draft>,
    survey: Survey,
    agents: Agents,
    derived: Derived,
    /// Responses whose `model.called` was written.
    called: HashSet<u64>,
    last_line: LastLine,
    /// The nickname that sessions share which a `/clear` has split, until it was told.
    slug: Option<String>,
}

/// What became of a mapped record.
enum Outcome {
    Events(Vec<Draft>),
    /// It is about a session that is not here.
    Elsewhere,
}

/// One record being mapped.
struct Rec<'a> {
    fields: Map<String, Value>,
    stamp: Stamp,
    /// Identity: `cc:<uuid>`, or derived.
    base: String,
    keys: &'a dyn Keys,
}

impl Rec<'_> {
    /// The key of the record's part with this number.
    fn key(&self, part: usize) -> String {
        format!("{}.{part}", self.base)
    }

    /// A draft with the key of a part.
    fn draft(&self, kind: &'static str, part: usize) -> Draft {
        self.stamp.draft(kind).key(self.key(part))
    }
}

impl Session {
    fn new(file: &SourceFile) -> Self {
        let agents = Agents::of_file(file);
        let (home, has_home) = opening::home(file);
        let opening = opening::draft(file, &home).filter(|_| has_home && !agents.is_subagent_file());
        Self {
            home,
            has_home,
            opening,
            survey: Survey::default(),
            agents,
            derived: Derived::default(),
            called: HashSet::new(),
            last_line: LastLine::default(),
            slug: opening::slug(file),
        }
    }

    /// Who this record belongs to and what it is called.
    fn start<'k>(&mut self, mut fields: Map<String, Value>, keys: &'k dyn Keys) -> Rec<'k> {
        let chain = self.agents.chain(&fields);
        let session = self.session(&mut fields);
        let at = fields.get("timestamp").and_then(time::at);
        if let Some(at) = &at
            && fields.text("timestamp").is_some_and(|text| time::is_usual(text, at))
        {
            fields.remove("timestamp");
        }
        let base = self.base(&mut fields, &session, keys);
        let parent = fields.take_text("parentUuid").map(|uuid| self.survey.first_key(&uuid));
        if fields.get("parentUuid").is_some_and(Value::is_null) {
            fields.remove("parentUuid");
        }
        let agent = self.agents.of_record(&fields, &base, chain);
        let stamp = Stamp {
            session,
            at,
            agent: Some(agent.kind.clone()),
            agent_id: agent.id.clone(),
            parent_agent: agent.parent.clone(),
            parent,
            model: None,
        };
        Rec { fields, stamp, base, keys }
    }

    /// The session of a record: its own word for it, except in a subagent's file.
    fn session(&self, fields: &mut Map<String, Value>) -> String {
        let own = fields.text("sessionId").filter(|id| !id.is_empty()).unwrap_or(&self.home);
        let session = if self.agents.is_subagent_file() { self.home.clone() } else { own.to_owned() };
        for name in ["sessionId", "session_id"] {
            if fields.text(name) == Some(&session) {
                fields.remove(name);
            }
        }
        // a copy says which record it copies; that is its identity, and the link tells the rest
        if let Some(origin) = fields.take_object("forkedFrom")
            && let Some(uuid) = origin.text("messageUuid")
        {
            fields.insert("uuid".to_owned(), uuid.into());
        }
        session
    }

    fn base(&mut self, fields: &mut Map<String, Value>, session: &str, keys: &dyn Keys) -> String {
        if let Some(uuid) = fields.take_text("uuid").filter(|uuid| !uuid.is_empty()) {
            return format!("cc:{uuid}");
        }
        let digest = digest(fields, &["timestamp"]);
        format!("cc:~{}", self.derived.next(keys, &format!("record\n{session}\n{digest}")))
    }

    /// Maps by type; `None` for a type that is not known.
    fn events(&mut self, rec: &mut Rec<'_>) -> Option<Outcome> {
        let kind = rec.fields.text("type").or_else(|| rec.fields.text("role")).unwrap_or_default().to_owned();
        let drafts = match kind.as_str() {
            "user" | "assistant" => self.turn(rec, &kind)?,
            "system" => system::map(rec, &self.survey),
            "attachment" => attachments::map(rec)?,
            "progress" => attachments::progress(rec)?,
            "summary" if rec.fields.contains_key("leafUuid") => {
                return Some(
                    self.title(rec).map_or(Outcome::Elsewhere, |draft| Outcome::Events(vec![draft])),
                );
            }
            other => notes::map(rec, other)?,
        };
        Some(Outcome::Events(drafts))
    }

    /// Leftovers go to the record's own first event, not to the response that several records are part of;
    /// an event under a tool's id says which record it came from.
    fn finish(&mut self, rec: Rec<'_>, mut drafts: Vec<Draft>) -> Vec<Draft> {
        let own = drafts.iter().position(|draft| draft.kind != *"model.called").unwrap_or(0);
        if let Some(first) = drafts.get_mut(own) {
            pen::add_ext(first, rec.fields);
            let told = first.key.as_ref().is_some_and(|key| key.starts_with(&rec.base));
            if !told && !rec.base.starts_with("cc:~") {
                first.header.insert("corr".to_owned(), rec.base.into());
            }
        }
        if let Some(started) = self.agents.started(&rec.stamp) {
            drafts.insert(0, started);
        }
        if rec.stamp.session == self.home
            && let Some(slug) = self.slug.take()
        {
            drafts.push(opening::nickname(&self.home, &slug, rec.keys));
        }
        drafts
    }

    /// JSON that no line carries as a value, kept as its text.
    fn odd(&mut self, text: &str, keys: &dyn Keys) -> Mapped {
        #[derive(Deserialize, Default)]
        struct Envelope {
            uuid: Option<String>,
            #[serde(rename = "sessionId")]
            session: Option<String>,
            timestamp: Option<String>,
        }
        let envelope: Envelope = serde_json::from_str(text).unwrap_or_default();
        let own = envelope.session.filter(|id| !id.is_empty() && !self.agents.is_subagent_file());
        let at = envelope.timestamp.and_then(|text| time::at(&text.into()));
        let stamp = Stamp { session: own.unwrap_or_else(|| self.home.clone()), at, ..Stamp::default() };
        let key = if let Some(uuid) = envelope.uuid {
            format!("cc:{uuid}.0")
        } else {
            let hash = blake3::hash(text.as_bytes()).to_hex();
            format!("cc:~{}", self.derived.next(keys, &format!("raw\n{}\n{hash}", stamp.session)))
        };
        Mapped::Raw(pen::raw(&stamp, key, text))
    }
}

impl Transcript for Session {
    fn survey(&mut self, text: &str) -> bool {
        self.survey.see(text, &mut self.agents);
        true
    }

    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        if self.last_line.repeats(record.text) {
            return Mapped::Duplicate;
        }
        let Some(Value::Object(fields)) = record.value else { return self.odd(record.text, keys) };
        let mut rec = self.start(fields, keys);
        match self.events(&mut rec) {
            Some(Outcome::Events(drafts)) => Mapped::Events(self.finish(rec, drafts)),
            Some(Outcome::Elsewhere) => Mapped::Elsewhere,
            None => Mapped::Raw(pen::raw(&rec.stamp, rec.key(0), record.text)),
        }
    }

    fn gap_session(&self) -> &str {
        &self.home
    }

    fn settle(&mut self, call: &mut Draft) -> bool {
        if let Some(response) = call.key.as_deref().and_then(|key| self.survey.response(key)) {
            *call = call.clone().with("usage", response.usage()).with("stop", response.stop.as_deref());
        }
        true
    }

    fn opening(&mut self) -> Option<Draft> {
        self.opening.take()
    }
}
