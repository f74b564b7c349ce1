//! ATIF, the Agent Trajectory Interchange Format (1.0 to 1.8): one document a trajectory, or one a line.
//!
//! ```text
//! {"schema_version":"ATIF-v1.4","session_id":…,"agent":{"name":…,"version":…},"steps":[…],"subagent_trajectories":[…]}
//! step    {"step_id":1,"source":"system"|"user"|"agent","message":…,"reasoning_content":…,"tool_calls":[…],
//!          "observation":{"results":[…]},"metrics":{…},"is_copied_context":true}
//! ```
//! - a step has the key `at:<trajectory>.<step id>.<part>`; a document that grew tells only what is new
//! - a continuation (`<session>-cont-1`) is a session of its own in the group of the first; steps that it copied
//!   are the first one's, where that is here
//! - a trajectory inside of another one is an agent of its session; one in a file of its own is too, if who refers
//!   to it was told before
//! - our own exports say in `extra.recount` which event a step is, and give the very events again

mod ours;
mod parts;
mod step;

use std::collections::{HashMap, HashSet};

use event::{Draft, Kind, Origin};
use serde_json::{Map, Value};

use crate::derive::{self, Derived};
use crate::members::TakeMembers;
use crate::pen::{self, Stamp, revisable};
use crate::{Importer, Keys, Mapped, Record, SourceFile, Transcript, time};

/// The importer.
#[derive(Debug)]
pub(crate) struct Atif;

impl Importer for Atif {
    fn name(&self) -> &'static str {
        "atif"
    }

    fn home(&self) -> &'static str {
        ".atif"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        head.first().and_then(Value::as_object).is_some_and(is_root)
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(File::new(file))
    }
}

/// A trajectory without its steps has its agent still.
fn is_root(record: &Map<String, Value>) -> bool {
    let version = record.text("schema_version").is_some_and(|version| version.starts_with("ATIF"));
    version && record.get("agent").is_some_and(Value::is_object)
}

/// Steps of a trajectory, or the trajectory of a subagent.
fn is_trajectory(record: &Map<String, Value>) -> bool {
    record.get("steps").is_some_and(Value::is_array) && record.get("agent").is_some_and(Value::is_object)
}

fn is_step(record: &Map<String, Value>) -> bool {
    record.contains_key("step_id") || (record.contains_key("source") && record.contains_key("message"))
}

/// One file: mostly one trajectory.
struct File {
    stem: String,
    head: Vec<Value>,
    opening: Option<Draft>,
    here: Trajectory,
    derived: Derived,
}

/// The trajectory whose steps are being read.
#[derive(Default)]
struct Trajectory {
    /// The beginning of its keys: `at:<id>`.
    base: String,
    session: String,
    /// The session of which this one and its continuations are parts.
    group: Option<String>,
    /// Those that it may have copied steps of, nearest first, as beginnings of keys.
    copied_from: Vec<String>,
    agent: Option<String>,
    agent_id: Option<String>,
    parent_agent: Option<String>,
    model: Option<String>,
    /// Steps so far.
    steps: u64,
    /// The first event of the last step.
    previous: Option<String>,
    /// Calls that wait for their result: id, skill, key of the invocation.
    open: Vec<(String, String, String)>,
    /// Our own export: the store that it is of, and its events by sequence.
    ours: Option<String>,
    known: HashMap<u64, String>,
    /// Hashes of what the session was told already.
    told: HashSet<String>,
}

impl Trajectory {
    fn stamp(&self, at: Option<String>) -> Stamp {
        Stamp {
            session: self.session.clone(),
            at,
            agent: self.agent.clone(),
            agent_id: self.agent_id.clone(),
            parent_agent: self.parent_agent.clone(),
            parent: self.previous.clone(),
            model: None,
        }
    }
}

/// `terminus-1-cont-2` → (`terminus-1`, 2).
fn continuation(id: &str) -> Option<(&str, u32)> {
    let (first, number) = id.rsplit_once("-cont-")?;
    Some((first, number.parse().ok().filter(|number| (1..1000).contains(number))?))
}

impl File {
    fn new(file: &SourceFile) -> Self {
        Self {
            stem: file.stem.clone(),
            head: file.head.clone(),
            opening: None,
            here: Trajectory { session: file.stem.clone(), ..Trajectory::default() },
            derived: Derived::default(),
        }
    }

    /// A trajectory begins: what stands beside its steps, and steps and subagents that were not taken apart.
    fn root(&mut self, mut fields: Map<String, Value>, keys: &dyn Keys) -> Vec<Draft> {
        self.here = self.begin(&fields, keys);
        let steps = take_list(&mut fields, "steps");
        let inner = take_list(&mut fields, "subagent_trajectories");
        let first = steps.iter().chain(&self.head).filter_map(Value::as_object);
        let title = first.filter(|step| step.text("source") == Some("user")).find_map(parts::first_text);
        self.head.clear();
        let mut drafts = Vec::new();
        if self.here.agent_id.is_none() {
            self.opening = Some(self.opened(&fields, title.as_deref()));
        } else {
            drafts.push(self.started());
        }
        // of our own exports all that counts is in the steps
        if self.here.ours.is_none() {
            drafts.push(self.told(fields));
        }
        for trajectory in inner {
            drafts.extend(self.subagent(trajectory, keys));
        }
        drafts.extend(steps.into_iter().flat_map(|step| self.any_step(step, keys)));
        drafts
    }

    fn begin(&self, fields: &Map<String, Value>, keys: &dyn Keys) -> Trajectory {
        let named = ["session_id", "trajectory_id"].iter().find_map(|name| fields.text(name));
        let id = named.filter(|id| !id.is_empty()).unwrap_or(&self.stem).to_owned();
        let agent = fields.get("agent").and_then(Value::as_object);
        let told = |name: &str| agent.and_then(|agent| agent.text(name)).map(str::to_owned);
        let base_of = |id: &str| format!("at:{}", derive::id(keys, id));
        let mut here = Trajectory {
            base: base_of(&id),
            agent: told("name"),
            model: told("model_name"),
            ..Trajectory::default()
        };
        if let Some((first, number)) = continuation(&id) {
            let between = (1..number).rev().map(|number| format!("{first}-cont-{number}"));
            here.copied_from = between.map(|id| base_of(&id)).chain([base_of(first)]).collect();
            here.group = Some(first.to_owned());
        } else if fields.text("continued_trajectory_ref").is_some() {
            here.group = Some(id.clone());
        }
        // an agent of the session in which somebody referred to it
        if let Some(session) =
            keys.session_of(&format!("{}.spawned", here.base)).filter(|session| *session != id)
        {
            here.agent_id = Some(id.clone());
            here.session = session;
        } else {
            here.session = id;
        }
        here.ours = agent.filter(|_| told("name").as_deref() == Some("recount")).and_then(ours::store);
        if here.ours.is_some() {
            here.agent = None;
            here.told = keys.told(&here.session).into_iter().map(|past| past.hash).collect();
        }
        here
    }

    fn opened(&self, fields: &Map<String, Value>, title: Option<&str>) -> Draft {
        let draft = Draft::new(&self.here.session, Kind::of("session.opened"), Origin::Imported);
        let meta = fields.get("agent").and_then(Value::as_object).map(|agent| {
            let names = ["name", "version", "model_name"];
            names.iter().filter_map(|name| Some(((*name).to_owned(), agent.get(*name)?.clone()))).collect()
        });
        let first = self.head.iter().find_map(|step| time::at(step.get("timestamp")?));
        let draft = draft.key(format!("{}.opened", self.here.base)).with("at", first);
        let meta: Value = meta.map_or(Value::Null, Value::Object);
        revisable(self.grouped(draft.data("title", title.map(pen::title)).data("meta", meta)))
    }

    fn started(&self) -> Draft {
        let draft = self.here.stamp(None).draft("agent.started").key(format!("{}.started", self.here.base));
        self.grouped(draft.with("cause", format!("{}.spawned", self.here.base)))
    }

    /// What stands beside the steps.
    fn told(&self, fields: Map<String, Value>) -> Draft {
        let mut draft =
            self.here.stamp(None).draft("session.updated").key(format!("{}.head", self.here.base));
        pen::add_ext(&mut draft, fields);
        self.grouped(draft)
    }

    fn grouped(&self, draft: Draft) -> Draft {
        draft.with("group", self.here.group.clone())
    }

    /// A trajectory inside of another one is an agent of its session.
    fn subagent(&mut self, value: Value, keys: &dyn Keys) -> Vec<Draft> {
        let Value::Object(mut fields) = value else { return Vec::new() };
        let mut here = self.begin(&fields, keys);
        here.agent_id =
            ["trajectory_id", "session_id"].iter().find_map(|name| fields.text(name)).map(str::to_owned);
        let id = here
            .agent_id
            .clone()
            .unwrap_or_else(|| derive::once(keys, &Value::Object(fields.clone()).to_string()));
        here.agent_id = Some(id.clone());
        here.base = format!("at:{}", derive::id(keys, &id));
        here.session.clone_from(&self.here.session);
        here.group.clone_from(&self.here.group);
        here.parent_agent.clone_from(&self.here.agent);
        let outer = std::mem::replace(&mut self.here, here);
        let steps = take_list(&mut fields, "steps");
        let inner = take_list(&mut fields, "subagent_trajectories");
        let mut drafts = vec![self.started(), self.told(fields)];
        for trajectory in inner {
            drafts.extend(self.subagent(trajectory, keys));
        }
        drafts.extend(steps.into_iter().flat_map(|step| self.any_step(step, keys)));
        self.here = outer;
        drafts
    }

    fn raw(&mut self, text: &str, keys: &dyn Keys) -> Draft {
        let hash = blake3::hash(text.as_bytes()).to_hex();
        let key = self.derived.next(keys, &format!("atif raw\n{}\n{hash}", self.here.session));
        pen::raw(&self.here.stamp(None), format!("at:raw-{key}"), text)
    }

    /// A step of a list; what is none is kept as it is.
    fn any_step(&mut self, step: Value, keys: &dyn Keys) -> Vec<Draft> {
        match step {
            Value::Object(fields) => self.step(fields, keys),
            other => vec![self.raw(&other.to_string(), keys)],
        }
    }
}

/// Takes a list of objects, and leaves how many there were; anything else stays.
fn take_list(fields: &mut Map<String, Value>, name: &str) -> Vec<Value> {
    let list = fields.get(name).and_then(Value::as_array);
    if list.is_none_or(|list| list.is_empty() || !list.iter().all(Value::is_object)) {
        return Vec::new();
    }
    match fields.remove(name) {
        Some(Value::Array(list)) => {
            fields.insert(name.to_owned(), list.len().into());
            list
        }
        _ => Vec::new(),
    }
}

impl Transcript for File {
    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        let Some(Value::Object(fields)) = record.value else {
            return Mapped::Raw(self.raw(record.text, keys));
        };
        let drafts = if is_root(&fields) {
            self.root(fields, keys)
        } else if is_trajectory(&fields) {
            self.subagent(fields.into(), keys)
        } else if is_step(&fields) {
            self.step(fields, keys)
        } else {
            return Mapped::Raw(self.raw(record.text, keys));
        };
        if drafts.is_empty() {
            Mapped::Duplicate
        } else {
            Mapped::Events(drafts.into_iter().map(revisable).collect())
        }
    }

    fn gap_session(&self) -> &str {
        &self.here.session
    }

    fn opening(&mut self) -> Option<Draft> {
        self.opening.take()
    }
}
