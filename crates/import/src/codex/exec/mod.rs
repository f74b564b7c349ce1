//! `codex exec --json`: threads, turns and items as they happen, one a line.
//!
//! - no record has a time, and items are numbered anew in every run: a key is made of content, of what came
//!   before in the same run, and of the run's first item
//! - an item that takes time is told up to three times: started, updated, completed
//! - only the end of a turn says what was spent

mod items;

use std::collections::HashMap;

use event::{Draft, Kind, Origin};
use serde_json::{Map, Value};

use super::events::usage;
use crate::derive::{Derived, LastLine, Names};
use crate::json::digest;
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::{Importer, Keys, Mapped, Record, SourceFile, Transcript};

/// The importer.
#[derive(Debug)]
pub(crate) struct CodexExec;

impl Importer for CodexExec {
    fn name(&self) -> &'static str {
        "codex-exec-json"
    }

    fn home(&self) -> &'static str {
        ".codex-exec-json"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        head.iter().filter_map(Value::as_object).any(is_own)
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Run::new(file))
    }
}

fn is_own(record: &Map<String, Value>) -> bool {
    if record.contains_key("payload") {
        return false;
    }
    let item = || record.get("item")?.as_object();
    match record.text("type") {
        Some("thread.started") => record.text("thread_id").is_some(),
        Some("item.started" | "item.updated" | "item.completed") => {
            item().is_some_and(|item| item.text("id").is_some() && item.text("type").is_some())
        }
        _ => false,
    }
}

/// One run of the program, or several in one file.
struct Run {
    /// The thread, once a record has named it; the file's name before.
    thread: String,
    opening: Option<Draft>,
    derived: Derived,
    /// The runs of the file by their first items, in order.
    firsts: std::collections::VecDeque<String>,
    first: String,
    /// Hash over everything before in the run.
    anchor: String,
    previous: Option<String>,
    calls: HashMap<String, items::Call>,
    names: Names,
    /// The line before, as it was surveyed and mapped.
    surveyed: LastLine,
    mapped: LastLine,
}

/// One record being mapped.
struct Rec {
    fields: Map<String, Value>,
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

impl Run {
    fn new(file: &SourceFile) -> Self {
        let records = || file.head.iter().filter_map(Value::as_object);
        let thread = records().find_map(|record| record.text("thread_id").filter(|id| !id.is_empty()));
        Self {
            thread: thread.unwrap_or(&file.stem).to_owned(),
            opening: None,
            derived: Derived::default(),
            firsts: std::collections::VecDeque::new(),
            first: String::new(),
            anchor: String::new(),
            previous: None,
            calls: HashMap::new(),
            names: Names::default(),
            surveyed: LastLine::default(),
            mapped: LastLine::default(),
        }
        .opened(records().any(|record| record.text("type") == Some("thread.started")))
    }

    fn opened(mut self, told: bool) -> Self {
        if !told {
            self.opening = Some(opening(&self.thread));
        }
        self
    }

    /// A new run: its thread, its numbers and its past.
    fn begins(&mut self, fields: &Map<String, Value>) {
        if let Some(thread) = fields.text("thread_id").filter(|id| !id.is_empty()) {
            thread.clone_into(&mut self.thread);
        }
        self.first = self.firsts.pop_front().unwrap_or_default();
        self.anchor.clear();
        self.calls.clear();
        self.previous = None;
        self.opening = Some(opening(&self.thread));
    }

    fn start(&mut self, fields: Map<String, Value>, keys: &dyn Keys) -> Rec {
        let digest = digest(&fields, &[]).to_hex();
        let material = format!("exec\n{}\n{}\n{digest}\n{}", self.thread, self.first, self.anchor);
        self.anchor = blake3::hash(format!("{}\n{digest}", self.anchor).as_bytes()).to_hex().to_string();
        let base = format!("cx:{}", self.derived.next(keys, &material));
        let stamp = Stamp {
            session: self.thread.clone(),
            agent: Some("main".to_owned()),
            parent: self.previous.clone(),
            ..Stamp::default()
        };
        Rec { fields, stamp, base }
    }

    fn events(&mut self, rec: &mut Rec) -> Option<Vec<Draft>> {
        let kind = rec.fields.text("type")?.to_owned();
        Some(match kind.as_str() {
            "thread.started" => vec![rec.draft("session.updated", 0).data("meta", thread_of(rec))],
            "turn.started" => vec![rec.draft("turn.started", 0)],
            "turn.completed" | "turn.failed" => vec![ended(rec, &kind)],
            "error" => vec![rec.draft("error.raised", 0).data("message", rec.fields.take_text("message"))],
            "item.started" | "item.updated" | "item.completed" => self.item(rec, &kind["item.".len()..])?,
            _ => return None,
        })
    }
}

fn opening(thread: &str) -> Draft {
    Draft::new(thread, Kind::of("session.opened"), Origin::Imported).key(format!("{thread}.opened"))
}

fn thread_of(rec: &mut Rec) -> Value {
    Value::Object(rec.fields.remove_entry("thread_id").into_iter().collect())
}

fn ended(rec: &mut Rec, kind: &str) -> Draft {
    let spent = rec.fields.get("usage").and_then(Value::as_object).map_or(Value::Null, usage);
    let message = rec.fields.get("error").and_then(|error| error.get("message")).cloned();
    rec.draft("turn.ended", 0)
        .with("status", if kind == "turn.failed" { "error" } else { "completed" })
        .with("usage", spent)
        .data("reason", message.unwrap_or_default())
}

impl Transcript for Run {
    fn survey(&mut self, text: &str) -> bool {
        if self.surveyed.repeats(text) {
            return true;
        }
        let Ok(Value::Object(record)) = serde_json::from_str::<Value>(text) else { return true };
        match record.text("type") {
            Some("thread.started") => self.firsts.push_back(String::new()),
            Some("item.completed" | "item.started") => {
                if let Some(first) = self.firsts.back_mut().filter(|first| first.is_empty()) {
                    *first = digest(&record, &[]).to_hex().to_string();
                }
            }
            _ => {}
        }
        true
    }

    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        let Some(Value::Object(fields)) = record.value else {
            let hash = blake3::hash(record.text.as_bytes()).to_hex();
            let key = self.derived.next(keys, &format!("raw\n{}\n{hash}\n{}", self.thread, self.anchor));
            let stamp = Stamp { session: self.thread.clone(), ..Stamp::default() };
            return Mapped::Raw(pen::raw(&stamp, format!("cx:{key}"), record.text));
        };
        // the same error may well come twice; a thread, a turn and an item begin and end once
        if self.mapped.repeats(record.text) && fields.text("type") != Some("error") {
            return Mapped::Duplicate;
        }
        if fields.text("type") == Some("thread.started") {
            self.begins(&fields);
        }
        let mut rec = self.start(fields, keys);
        let Some(mut drafts) = self.events(&mut rec) else {
            return Mapped::Raw(pen::raw(&rec.stamp, rec.key(0), record.text));
        };
        self.previous = drafts.first().and_then(|draft| draft.key.clone());
        pen::add_ext(&mut drafts[0], rec.fields);
        Mapped::Events(drafts)
    }

    fn gap_session(&self) -> &str {
        &self.thread
    }

    fn opening(&mut self) -> Option<Draft> {
        self.opening.take()
    }
}
