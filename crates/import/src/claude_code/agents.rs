//! Who did it: the main agent, or which subagent.
//!
//! A subagent's records stand in a file of their own (`<session>/subagents/agent-<id>.jsonl`, earlier
//! `agent-<id>.jsonl` beside the session), or inline as a side chain whose first message is the prompt
//! of the call that started it.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path};
use std::rc::Rc;

use event::Draft;
use serde_json::{Map, Value};

use super::chains::{Chains, Side, Spawn, UNKNOWN_KIND};
use crate::SourceFile;
use crate::derive::{Names, is_global, short};
use crate::members::TakeMembers;
use crate::pen::Stamp;

/// An agent as headers name it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Agent {
    /// `main`, or the type of subagent.
    pub(super) kind: String,
    pub(super) id: Option<String>,
    pub(super) parent: Option<String>,
    /// The call that started it.
    call: Option<String>,
}

/// The agents of one file.
#[derive(Debug)]
pub(super) struct Agents {
    main: Rc<Agent>,
    of_file: Option<Rc<Agent>>,
    by_id: HashMap<String, Rc<Agent>>,
    /// Side chains, by root.
    chains: HashMap<u64, Rc<Agent>>,
    pub(super) spawns: Chains,
    /// Which agent a call started, and the other way round.
    by_call: HashMap<String, String>,
    starters: HashMap<String, String>,
    /// Which tool a call was for, and its key if that is not the call's own id.
    calls: HashMap<u64, (Rc<str>, Option<Box<str>>)>,
    names: Names,
    started: HashSet<String>,
}

impl Agents {
    pub(super) fn of_file(file: &SourceFile) -> Self {
        let main = Agent { kind: "main".to_owned(), id: None, parent: None, call: None };
        Self {
            main: Rc::new(main),
            of_file: file_agent(file).map(Rc::new),
            by_id: HashMap::new(),
            chains: HashMap::new(),
            spawns: Chains::default(),
            by_call: HashMap::new(),
            starters: HashMap::new(),
            calls: HashMap::new(),
            names: Names::default(),
            started: HashSet::new(),
        }
    }

    pub(super) fn is_subagent_file(&self) -> bool {
        self.of_file.is_some()
    }

    /// A record of a side chain, which says a text or does not.
    pub(super) fn side(&mut self, uuid: &str, side: Side) {
        if self.of_file.is_none() {
            self.spawns.side(uuid, side);
        }
    }

    /// A call's result says which agent it started.
    pub(super) fn answered(&mut self, call: &str, agent: String) {
        self.starters.entry(agent.clone()).or_insert_with(|| call.to_owned());
        self.by_call.insert(call.to_owned(), agent);
    }

    /// The agent that a call started, if its result says so.
    pub(super) fn of(&self, call: &str) -> Option<&str> {
        self.by_call.get(call).map(String::as_str)
    }

    /// A call of a tool: its result does not say which tool it was. `key` is the call's if that is not its own id.
    pub(super) fn called(&mut self, call: &str, skill: &str, key: Option<&str>) {
        let skill = self.names.keep(skill);
        self.calls.insert(short(call), (skill, key.map(Into::into)));
    }

    /// The same before anything is mapped: an id that comes again is the first call's until the next is mapped.
    pub(super) fn will_call(&mut self, call: &str, skill: &str, key: Option<&str>) {
        if !self.calls.contains_key(&short(call)) {
            self.called(call, skill, key);
        }
    }

    /// The tool of a call, and the key of its `skill.invoked`.
    pub(super) fn call(&self, call: &str) -> (Option<String>, Option<String>) {
        let made = self.calls.get(&short(call));
        let native = || is_global(call).then(|| format!("{call}.invoked"));
        let key = made.and_then(|(_, key)| key.as_deref()).map(str::to_owned).or_else(native);
        (made.map(|(skill, _)| skill.to_string()), key)
    }

    /// The type of an agent, from the call that started it.
    pub(super) fn kind_of(&self, id: &str) -> &str {
        self.starter(id).map_or(UNKNOWN_KIND, |spawn| &spawn.kind)
    }

    fn starter(&self, id: &str) -> Option<&Spawn> {
        self.spawns.by_call(self.starters.get(id)?)
    }

    /// The side chain in which a record stands, if it does and says no other name for its agent.
    pub(super) fn chain(&mut self, fields: &Map<String, Value>) -> Option<u64> {
        let is_side = fields.flag("isSidechain") && self.of_file.is_none();
        let links = ["uuid", "parentUuid"].map(|name| fields.text(name).filter(|_| is_side));
        links.iter().flatten().find_map(|uuid| self.spawns.root(uuid))
    }

    /// Whose record this is.
    pub(super) fn of_record(
        &mut self,
        fields: &Map<String, Value>,
        base: &str,
        chain: Option<u64>,
    ) -> Rc<Agent> {
        if let Some(agent) = &self.of_file {
            return Rc::clone(agent);
        }
        // a workflow's notes name the agent that they are about
        let about = matches!(fields.text("type"), Some("started" | "result"));
        if let Some(id) = fields.text("agentId").filter(|id| !id.is_empty() && !about) {
            return self.with_id(id, fields);
        }
        if let Some(call) = fields.text("sideCall") {
            return self.of_call(call);
        }
        if !fields.flag("isSidechain") {
            return Rc::clone(&self.main);
        }
        match chain {
            Some(root) => self.of_chain(root),
            None => self.new_agent(base.trim_start_matches("cc:"), None, None),
        }
    }

    fn with_id(&mut self, id: &str, fields: &Map<String, Value>) -> Rc<Agent> {
        if let Some(agent) = self.by_id.get(id) {
            return Rc::clone(agent);
        }
        let spawn = self.starter(id);
        let kind = fields.text("attributionAgent").or_else(|| spawn.map(|spawn| &*spawn.kind));
        let agent = self.new_agent(id, kind, spawn.map(|spawn| &*spawn.call));
        self.by_id.insert(id.to_owned(), Rc::clone(&agent));
        agent
    }

    /// The agent that a call started, in a stream.
    fn of_call(&mut self, call: &str) -> Rc<Agent> {
        if let Some(agent) = self.by_id.get(call) {
            return Rc::clone(agent);
        }
        let kind = self.spawns.by_call(call).map(|spawn| &*spawn.kind);
        let agent = self.new_agent(call, kind, Some(call));
        self.by_id.insert(call.to_owned(), Rc::clone(&agent));
        agent
    }

    /// The agent of a side chain: named by the call that started it, else by the chain's first record.
    fn of_chain(&mut self, root: u64) -> Rc<Agent> {
        if let Some(agent) = self.chains.get(&root) {
            return Rc::clone(agent);
        }
        let first = self.spawns.name(root).unwrap_or_default().to_owned();
        let started = self.spawns.started(root).map(|spawn| (spawn.call.clone(), spawn.kind.clone()));
        let (call, kind) = started.unzip();
        let agent = self.new_agent(call.as_deref().unwrap_or(&first), kind.as_deref(), call.as_deref());
        self.chains.insert(root, Rc::clone(&agent));
        agent
    }

    fn new_agent(&self, id: &str, kind: Option<&str>, call: Option<&str>) -> Rc<Agent> {
        Rc::new(Agent {
            kind: kind.unwrap_or(UNKNOWN_KIND).to_owned(),
            id: Some(id.to_owned()),
            parent: Some(self.main.kind.clone()),
            call: call.map(str::to_owned),
        })
    }

    /// `agent.started`, in front of the first record of a subagent.
    pub(super) fn started(&mut self, stamp: &Stamp) -> Option<Draft> {
        let id = stamp.agent_id.as_ref()?;
        if !self.started.insert(id.clone()) {
            return None;
        }
        let named = self
            .of_file
            .as_ref()
            .filter(|agent| agent.id.as_ref() == Some(id))
            .or_else(|| self.by_id.get(id));
        // a side chain is called by its call, if it has one
        let chain = || self.spawns.by_call(id).map(|spawn| spawn.call.clone());
        let call = named.map_or_else(chain, |agent| agent.call.clone());
        let cause = call.as_ref().map(|call| format!("{call}.spawned"));
        let stamp = Stamp { parent: None, model: None, ..stamp.clone() };
        Some(
            stamp.draft("agent.started").key(format!("{id}.started")).with("call", call).with("cause", cause),
        )
    }
}

/// True for the name of a subagent's file.
pub(super) fn is_agent_file(stem: &str) -> bool {
    stem.starts_with("agent-")
}

/// The session of a file under `<session>/subagents/`.
pub(super) fn folder_session(path: &Path) -> Option<String> {
    let names: Vec<&str> = path
        .parent()?
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    let at = names.iter().rposition(|name| *name == "subagents")?;
    names.get(at.checked_sub(1)?).map(|name| (*name).to_owned())
}

fn file_agent(file: &SourceFile) -> Option<Agent> {
    let in_folder = folder_session(&file.path).is_some();
    if !is_agent_file(&file.stem) && !in_folder {
        return None;
    }
    let records = || file.head.iter().filter_map(Value::as_object);
    let named = file.stem.strip_prefix("agent-").unwrap_or(&file.stem);
    let id = records().find_map(|record| record.text("agentId")).unwrap_or(named);
    let meta = file.meta.as_ref();
    let told = |name: &str| meta.and_then(|meta| meta.get(name)?.as_str()).map(str::to_owned);
    let attributed = || records().find_map(|record| record.text("attributionAgent")).map(str::to_owned);
    // a compaction's own agent works on a copy of the history
    let compaction = named.starts_with("acompact").then(|| "acompact".to_owned());
    let depth = meta.and_then(|meta| meta.get("spawnDepth")?.as_u64()).unwrap_or(1);
    Some(Agent {
        kind: told("agentType").or(compaction).or_else(attributed).unwrap_or_else(|| UNKNOWN_KIND.to_owned()),
        id: Some(id.to_owned()),
        parent: (depth <= 1).then(|| "main".to_owned()),
        call: told("toolUseId"),
    })
}
