//! Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<time>-<id>`, as a document that is written anew on every
//! change (`.json`), or since 0.40 as lines: a header, messages, and patches.
//!
//! ```text
//! {"sessionId":…,"projectHash":…,"startTime":…,"kind":"main"|"subagent"}      the header; of a document all else
//! {"id":…,"type":"user"|"gemini"|"info"|"error"|"warning","content":…}        an id that comes again replaces
//! {"$set":{…}}      of the header; a list of messages in it replaces the history
//! {"$rewindTo":"<id>"}      this message and all behind it are taken back; an unknown one takes back all
//! ```
//! - every part of a message has a key of its own, `gm:<thread>.<message>.<part>`: a message that comes again
//!   tells only what is new in it, and what changed supersedes what it was
//! - a message that a document no longer has was taken back
//! - a subagent's file lies in a folder named after the session that it belongs to

mod calls;
mod message;
mod patches;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use event::{Draft, Kind, Origin};
use serde_json::{Map, Value};

use crate::derive::{self, Derived, short};
use crate::members::TakeMembers;
use crate::pen::{self, Stamp, revisable};
use crate::{Importer, Keys, Mapped, Past, Record, SourceFile, Transcript, time};

/// The importer.
#[derive(Debug)]
pub(crate) struct Gemini;

/// What only a message of this tool has beside its type.
const TYPES: &[&str] = &["gemini", "user", "info", "error", "warning", "model"];

impl Importer for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn home(&self) -> &'static str {
        ".gemini/tmp"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        let mut records = head.iter().filter_map(Value::as_object);
        records
            .any(|record| is_header(record) || (record.text("type") == Some("gemini") && is_message(record)))
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Chat::new(file))
    }
}

fn is_header(record: &Map<String, Value>) -> bool {
    record.text("sessionId").is_some() && record.text("projectHash").is_some() && !record.contains_key("type")
}

fn is_message(record: &Map<String, Value>) -> bool {
    let says = ["content", "parts", "toolCalls", "thoughts"].iter().any(|name| record.contains_key(*name));
    record.text("type").is_some_and(|kind| TYPES.contains(&kind)) && record.contains_key("id") && says
}

/// One file.
struct Chat {
    file: SourceFile,
    /// The id that the file gives itself.
    thread: String,
    /// The beginning of all keys of this file: `gm:<thread>`.
    base: String,
    session: String,
    agent: &'static str,
    agent_id: Option<String>,
    opening: Option<Draft>,
    /// `agent.started` of a subagent.
    started: Option<Draft>,
    live: Live,
    derived: Derived,
    /// What the session was told before this file.
    before: Vec<Past>,
    /// The time of the last message.
    last_at: Option<String>,
    /// The record before, if it took messages back.
    last_rewind: Option<String>,
    /// When a document says that it was written last.
    document_at: Option<String>,
    /// Messages of this file, taken back or not.
    seen: HashSet<u64>,
}

/// The messages that count, each with the key of its first event.
#[derive(Default)]
struct Live {
    messages: Vec<(String, String)>,
    places: HashMap<u64, usize>,
}

impl Live {
    /// The key of the message in front of this one.
    fn before(&self, id: &str) -> Option<String> {
        let at = self.places.get(&short(id)).copied().unwrap_or(self.messages.len());
        Some(self.messages.get(at.checked_sub(1)?)?.1.clone())
    }

    fn add(&mut self, id: &str, key: String) {
        if let Some(place) = self.places.get(&short(id)) {
            self.messages[*place].1 = key;
        } else {
            self.places.insert(short(id), self.messages.len());
            self.messages.push((id.to_owned(), key));
        }
    }

    fn has(&self, id: &str) -> bool {
        self.places.contains_key(&short(id))
    }

    /// Takes back a message and all behind it; of an unknown one, all.
    fn rewind(&mut self, id: &str) -> Vec<String> {
        let from = self.places.get(&short(id)).copied().unwrap_or(0);
        let gone: Vec<String> = self.messages.drain(from..).map(|(id, _)| id).collect();
        for id in &gone {
            self.places.remove(&short(id));
        }
        gone
    }
}

impl Chat {
    fn new(file: &SourceFile) -> Self {
        let header = header_of(file);
        let thread = header.and_then(|header| header.text("sessionId")).filter(|id| !id.is_empty());
        let thread = thread.unwrap_or(&file.stem).to_owned();
        let parent = parent_session(&file.path);
        let below = header.is_some_and(|header| header.text("kind") == Some("subagent")) || parent.is_some();
        Self {
            file: file.clone(),
            base: String::new(),
            session: parent.unwrap_or_else(|| thread.clone()),
            agent: if below { "subagent" } else { "main" },
            agent_id: below.then(|| thread.clone()),
            thread,
            opening: None,
            started: None,
            live: Live::default(),
            derived: Derived::default(),
            before: Vec::new(),
            last_at: None,
            last_rewind: None,
            document_at: None,
            seen: HashSet::new(),
        }
    }

    /// Keys are made by the recorder, which is there from the first record on.
    fn begin(&mut self, keys: &dyn Keys) {
        self.base = base(keys, &self.thread);
        self.before = keys.told(&self.session);
        let at = header_of(&self.file).and_then(|header| time::at(header.get("startTime")?));
        self.opening = (self.session == self.thread).then(|| self.opened(at.clone()));
        self.started = self.agent_id.is_some().then(|| {
            let draft = self.stamp(at, None).draft("agent.started").key(format!("{}..started", self.base));
            draft.with("cause", format!("{}..spawned", self.base))
        });
        self.file.head.clear();
    }

    fn opened(&self, at: Option<String>) -> Draft {
        let header = header_of(&self.file);
        let records = self.file.head.iter().filter_map(Value::as_object);
        // a document on one line has its messages in it
        let inner = header.and_then(|header| header.get("messages")?.as_array()).into_iter().flatten();
        let mut messages = records.chain(inner.filter_map(Value::as_object));
        let title = messages.find_map(message::typed).map(|text| pen::title(&text));
        let cwd = header.and_then(|header| header.get("directories")?.get(0)?.as_str());
        let names = ["projectHash", "kind"];
        let known = names.iter().filter_map(|name| Some(((*name).to_owned(), header?.get(*name)?.clone())));
        let meta: Map<String, Value> = known.collect();
        let meta = if meta.is_empty() { Value::Null } else { meta.into() };
        let draft = Draft::new(&self.session, Kind::of("session.opened"), Origin::Imported);
        let draft = draft.key(format!("{}..opened", self.base)).with("at", at);
        revisable(draft.data("title", title).data("cwd", cwd).data("meta", meta))
    }

    fn stamp(&self, at: Option<String>, parent: Option<String>) -> Stamp {
        Stamp {
            session: self.session.clone(),
            at,
            agent: Some(self.agent.to_owned()),
            agent_id: self.agent_id.clone(),
            parent_agent: self.agent_id.as_ref().map(|_| "main".to_owned()),
            parent,
            model: None,
        }
    }

    /// The line before once more: what it took back is gone already, and nothing else is meant.
    fn repeats_rewind(&mut self, text: &str) -> bool {
        let rewinds = text.len() < 4096 && text.contains("\"$rewindTo\"");
        let repeats = rewinds && self.last_rewind.as_deref() == Some(text);
        self.last_rewind = rewinds.then(|| text.to_owned());
        repeats
    }

    fn raw(&mut self, text: &str, keys: &dyn Keys) -> Mapped {
        let hash = blake3::hash(text.as_bytes()).to_hex();
        let key = self.derived.next(keys, &format!("gemini raw\n{}\n{hash}", self.thread));
        Mapped::Raw(pen::raw(&self.stamp(None, None), format!("{}..raw-{key}", self.base), text))
    }

    fn events(&mut self, fields: Map<String, Value>, keys: &dyn Keys) -> Option<Vec<Draft>> {
        if fields.get("$rewindTo").is_some_and(Value::is_string) {
            return Some(self.rewound(fields, keys));
        }
        if fields.get("$set").is_some_and(Value::is_object) {
            return Some(self.patched(fields, keys));
        }
        if is_header(&fields) {
            return Some(self.header(fields, keys));
        }
        is_message(&fields).then(|| self.message(fields, keys))
    }
}

fn base(keys: &dyn Keys, thread: &str) -> String {
    format!("gm:{}", derive::id(keys, thread))
}

fn header_of(file: &SourceFile) -> Option<&Map<String, Value>> {
    file.head.iter().filter_map(Value::as_object).find(|record| is_header(record))
}

/// The session whose folder a subagent's file lies in: `chats/<session>/<agent>.jsonl`.
fn parent_session(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    let chats = folder.parent()?.file_name()? == "chats";
    chats.then(|| folder.file_name().and_then(|name| name.to_str()).map(str::to_owned))?
}

impl Transcript for Chat {
    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        if self.base.is_empty() {
            self.begin(keys);
        }
        if self.repeats_rewind(record.text) {
            return Mapped::Duplicate;
        }
        let Some(Value::Object(fields)) = record.value else { return self.raw(record.text, keys) };
        let Some(mut drafts) = self.events(fields, keys) else { return self.raw(record.text, keys) };
        if let Some(started) = self.started.take() {
            drafts.insert(0, started);
        }
        Mapped::Events(drafts)
    }

    fn gap_session(&self) -> &str {
        &self.session
    }

    fn opening(&mut self) -> Option<Draft> {
        self.opening.take()
    }

    fn closing(&mut self) -> Vec<Draft> {
        self.vanished().into_iter().collect()
    }
}
