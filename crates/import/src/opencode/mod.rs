//! `OpenCode`: `~/.local/share/opencode/opencode.db`, or before 1.2 the folder `storage` of one JSON file a row.
//!
//! ```text
//! session  id, parent_id, directory, title, …       a subagent's session has a parent
//! message  id, session_id, {"role":"user"|"assistant","tokens":…,"error":…}       a turn, an answer of the model
//! part     id, message_id, {"type":"text"|"reasoning"|"tool"|"file"|"patch"|"step-finish"|"compaction"|…}
//! ```
//! - both forms of a row become the same events under the same keys, `oc:<session>.<row>.<part>`: who moved from
//!   one to the other is told once
//! - rows are rewritten while a turn runs: what changed supersedes what it was
//! - a subagent's session is an agent of the session at the root of its parents
//! - when a row was written is the store's own affair, unless nothing else says when it happened

mod parts;
mod rows;
mod sessions;
mod tools;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use event::Draft;
use serde_json::{Map, Value};

use crate::derive::{self, short};
use crate::members::TakeMembers;
use crate::pen::{self, Stamp, revisable};
use crate::{Importer, Keys, Mapped, Nested, Record, SourceFile, Transcript};
use rows::Row;

/// The importer.
#[derive(Debug)]
pub(crate) struct OpenCode;

/// Where rows go that belong to no session.
const SETTINGS: &str = "opencode";

impl Importer for OpenCode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn home(&self) -> &'static str {
        ".local/share/opencode"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        let has = |table: &str, column: &str| {
            let columns = head.iter().filter(|value| value["table"] == table);
            columns.filter_map(|value| value["columns"].as_array()).flatten().any(|name| name == column)
        };
        let database =
            has("session", "directory") && has("message", "session_id") && has("part", "message_id");
        database || (has("message", "file") && (has("part", "file") || has("info", "file")))
    }

    fn nested(&self) -> Option<Nested> {
        Some(Nested { outer: "message", inner: "part", column: "message_id" })
    }

    fn open(&self, _file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Store::default())
    }
}

/// What has to be known of other rows.
#[derive(Default)]
struct Store {
    /// Parents of sessions.
    parents: HashMap<u64, Rc<str>>,
    /// How many steps each message has that say what they cost.
    steps: HashMap<u64, u32>,
    sessions: HashMap<u64, Rc<Session>>,
    messages: HashMap<u64, Rc<Message>>,
    /// Messages that sessions were told of before and that were not met yet: when they happened, by key.
    unseen: BTreeMap<String, Option<String>>,
    /// When each session was written last, by the beginning of its keys; with the session.
    written: BTreeMap<String, (String, Rc<Session>)>,
}

/// A row of the table of sessions, as its messages need it.
#[derive(Debug)]
struct Session {
    /// The session at the root of its parents.
    root: Rc<str>,
    /// The beginning of its keys.
    base: String,
    agent: String,
    agent_id: Option<String>,
    parent_agent: Option<String>,
}

/// A message, as its parts need it.
#[derive(Debug)]
struct Message {
    session: Rc<Session>,
    role: String,
    model: Option<String>,
    at: Option<String>,
    /// The key of its first event.
    key: String,
}

impl Store {
    /// The session with this id, known or not.
    fn session(&mut self, id: &str, keys: &dyn Keys) -> Rc<Session> {
        if let Some(session) = self.sessions.get(&short(id)) {
            return Rc::clone(session);
        }
        let session = Rc::new(self.placed(id, None, keys));
        self.sessions.insert(short(id), Rc::clone(&session));
        session
    }

    /// Where a session stands among its parents.
    fn placed(&self, id: &str, agent: Option<String>, keys: &dyn Keys) -> Session {
        let mut root: Rc<str> = id.into();
        let mut levels = 0;
        // a ring of parents ends where it is found to be one
        while let Some(parent) = self.parents.get(&short(&root)).filter(|_| levels < 64) {
            root = Rc::clone(parent);
            levels += 1;
        }
        let below = levels > 0;
        Session {
            base: format!("oc:{}", derive::id(keys, id)),
            agent: agent.unwrap_or_else(|| if below { "subagent" } else { "main" }.to_owned()),
            agent_id: below.then(|| id.to_owned()),
            parent_agent: (levels == 1).then(|| "main".to_owned()),
            root,
        }
    }

    /// What the session was told of before, to see what is gone.
    fn remember(&mut self, session: &Rc<Session>, updated: Option<String>, keys: &dyn Keys) {
        let start = format!("{}.", session.base);
        for past in keys.told(&session.root) {
            let Some(key) =
                past.key.filter(|key| key.starts_with(&start) && key.strip_suffix(".m").is_some())
            else {
                continue;
            };
            self.unseen.insert(key, past.at);
        }
        self.written.extend(updated.map(|at| (session.base.clone(), (at, Rc::clone(session)))));
    }

    /// Messages that are gone were taken back, unless they are newer than what this store knows.
    fn gone(&mut self) -> Vec<Draft> {
        let mut gone: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (key, at) in std::mem::take(&mut self.unseen) {
            let Some((base, id)) = key.strip_suffix(".m").and_then(|key| key.rsplit_once('.')) else {
                continue;
            };
            let known = self.written.get(base).is_some_and(|(updated, _)| at.is_none_or(|at| at <= *updated));
            if known {
                gone.entry(base.to_owned()).or_default().push(id.to_owned());
            }
        }
        let rewound = |(base, ids): (String, Vec<String>)| {
            let (updated, session) = self.written.get(&base)?;
            let draft = session.stamp(Some(updated.clone())).draft("context.rewound");
            Some(revisable(draft.key(format!("{base}..gone-{}", ids[0])).data("gone", ids)))
        };
        gone.into_iter().filter_map(rewound).collect()
    }

    fn message_of(&mut self, row: &Row, keys: &dyn Keys) -> Rc<Message> {
        let id = row.message.as_deref().unwrap_or_default();
        if let Some(message) = self.messages.get(&short(id)) {
            return Rc::clone(message);
        }
        // a part whose message is gone
        let session = self.session(row.session.as_deref().unwrap_or(SETTINGS), keys);
        let key = format!("{}.{}.m", session.base, derive::id(keys, id));
        Rc::new(Message { session, role: "unknown".to_owned(), model: None, at: row.at.clone(), key })
    }

    fn events(&mut self, row: Row, keys: &dyn Keys) -> Option<Vec<Draft>> {
        match row.table.as_str() {
            "session" => Some(self.session_row(row, keys)),
            "message" => self.message_row(row, keys),
            "part" => self.part_row(row, keys),
            "todo" => Some(vec![self.todo_row(row, keys)?]),
            "project" => Some(vec![setting(row, keys)]),
            table if table.starts_with("__") => Some(vec![setting(row, keys)]),
            _ => None,
        }
    }

    fn todo_row(&mut self, mut row: Row, keys: &dyn Keys) -> Option<Draft> {
        let session = self.session(row.session.as_deref()?, keys);
        let place = row.fields.count("position").map_or_else(|| "all".to_owned(), |place| place.to_string());
        let plan =
            row.fields.remove("list").unwrap_or_else(|| Value::Object(std::mem::take(&mut row.fields)));
        let draft =
            session.stamp(row.at).draft("plan.updated").key(format!("{}..todo-{place}", session.base));
        Some(draft.data("plan", plan))
    }
}

impl Session {
    fn stamp(&self, at: Option<String>) -> Stamp {
        Stamp {
            session: self.root.to_string(),
            at,
            agent: Some(self.agent.clone()),
            agent_id: self.agent_id.clone(),
            parent_agent: self.parent_agent.clone(),
            ..Stamp::default()
        }
    }
}

/// A row that is no session's: what the tool has set for itself. Of accounts only that there are some.
fn setting(row: Row, keys: &dyn Keys) -> Draft {
    let digest = crate::json::digest(&row.fields, &[]).to_hex();
    let key = derive::once(keys, &format!("opencode setting\n{}\n{digest}", row.table));
    let stamp = Stamp { session: SETTINGS.to_owned(), at: row.at, ..Stamp::default() };
    let draft = stamp.draft("state.changed").key(format!("oc:setting-{key}")).with("what", row.table);
    draft.data("body", row.fields)
}

impl Transcript for Store {
    fn survey(&mut self, text: &str) -> bool {
        let told = ["\"table\":\"session\"", "\"table\":\"info\"", "step-finish"];
        if told.iter().any(|mark| text.contains(mark))
            && let Ok(value) = serde_json::from_str::<Value>(text)
            && let Some(row) = Row::of(value)
        {
            match (row.table.as_str(), row.id.as_deref()) {
                ("session", Some(id)) => {
                    let parent =
                        row.fields.text("parentID").filter(|parent| !parent.is_empty() && *parent != id);
                    self.parents.extend(parent.map(|parent| (short(id), parent.into())));
                }
                ("part", _)
                    if row.fields.text("type") == Some("step-finish")
                        && row.fields.contains_key("tokens") =>
                {
                    *self.steps.entry(short(row.message.as_deref().unwrap_or_default())).or_default() += 1;
                }
                _ => {}
            }
        }
        true
    }

    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        let row = record.value.and_then(Row::of);
        let session = row.as_ref().and_then(|row| row.session.clone());
        // what a provider needs to know who asks is nobody's to keep
        let accounts =
            row.as_ref().is_some_and(|row| row.table.contains("account") || row.table.contains("auth"));
        let text = if accounts { "a row of an account" } else { record.text };
        match row.filter(|_| !accounts).and_then(|row| self.events(row, keys)) {
            Some(drafts) if !drafts.is_empty() => Mapped::Events(drafts.into_iter().map(revisable).collect()),
            _ => {
                let session = session.map(|id| self.session(&id, keys).stamp(None));
                let stamp = session.unwrap_or(Stamp { session: SETTINGS.to_owned(), ..Stamp::default() });
                let key = derive::once(keys, &format!("opencode raw\n{}", record.text));
                Mapped::Raw(pen::raw(&stamp, format!("oc:raw-{key}"), text))
            }
        }
    }

    fn gap_session(&self) -> &str {
        SETTINGS
    }

    fn opening(&mut self) -> Option<Draft> {
        None
    }

    fn closing(&mut self) -> Vec<Draft> {
        self.gone()
    }
}

/// The draft's leftovers, which are all that nobody took.
fn keep(drafts: &mut [Draft], fields: Map<String, Value>) {
    if let Some(first) = drafts.first_mut() {
        pen::add_ext(first, fields);
    }
}
