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

/// A call that started an agent.
#[derive(Debug)]
struct Spawn {
    prompt: u64,
    call: String,
    kind: String,
}

/// The agents of one file.
#[derive(Debug)]
pub(super) struct Agents {
    main: Rc<Agent>,
    of_file: Option<Rc<Agent>>,
    by_id: HashMap<String, Rc<Agent>>,
    /// Side chains, by the key of a record's first event.
    chains: HashMap<u64, Rc<Agent>>,
    spawns: Vec<Spawn>,
    /// Type of agent and call that started it, by agent.
    kinds: HashMap<String, (String, String)>,
    /// Which tool a call was for, and its key if that is not the call's own id.
    calls: HashMap<u64, (Rc<str>, Option<Box<str>>)>,
    names: Names,
    started: HashSet<String>,
}

const UNKNOWN_KIND: &str = "subagent";

impl Agents {
    pub(super) fn of_file(file: &SourceFile) -> Self {
        let main = Agent { kind: "main".to_owned(), id: None, parent: None, call: None };
        Self {
            main: Rc::new(main),
            of_file: file_agent(file).map(Rc::new),
            by_id: HashMap::new(),
            chains: HashMap::new(),
            spawns: Vec::new(),
            kinds: HashMap::new(),
            calls: HashMap::new(),
            names: Names::default(),
            started: HashSet::new(),
        }
    }

    pub(super) fn is_subagent_file(&self) -> bool {
        self.of_file.is_some()
    }

    /// A tool call starts an agent: remember it for the records that follow.
    pub(super) fn spawned(&mut self, call: &str, kind: Option<&str>, prompt: Option<&str>, id: Option<&str>) {
        let kind = kind.unwrap_or(UNKNOWN_KIND).to_owned();
        if let Some(id) = id {
            self.kinds.insert(id.to_owned(), (kind.clone(), call.to_owned()));
        }
        if let Some(prompt) = prompt {
            self.spawns.push(Spawn { prompt: short(prompt), call: call.to_owned(), kind });
        }
    }

    /// A call of a tool: its result does not say which tool it was.
    pub(super) fn called(&mut self, call: &str, skill: &str, key: Option<&str>) {
        let skill = self.names.keep(skill);
        self.calls.insert(short(call), (skill, key.map(Into::into)));
    }

    /// The tool of a call, and the key of its `skill.invoked`.
    pub(super) fn call(&self, call: &str) -> (Option<String>, Option<String>) {
        let made = self.calls.get(&short(call));
        let native = || is_global(call).then(|| format!("{call}.invoked"));
        let key = made.and_then(|(_, key)| key.as_deref()).map(str::to_owned).or_else(native);
        (made.map(|(skill, _)| skill.to_string()), key)
    }

    pub(super) fn kind_of(&self, id: &str) -> Option<&str> {
        self.kinds.get(id).map(|(kind, _)| kind.as_str())
    }

    /// Whose record this is.
    pub(super) fn of_record(
        &mut self,
        fields: &Map<String, Value>,
        base: &str,
        parent: Option<&str>,
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
        let known = parent.and_then(|parent| self.chains.get(&short(parent))).cloned();
        let agent = known.unwrap_or_else(|| self.new_chain(fields, base));
        self.chains.insert(short(&format!("{base}.0")), Rc::clone(&agent));
        agent
    }

    /// A record's events may stand under other keys than its own; a chain goes on through them.
    pub(super) fn also_known_as(&mut self, base: &str, key: &str) {
        if let Some(agent) = self.chains.get(&short(&format!("{base}.0"))).cloned() {
            self.chains.insert(short(key), agent);
        }
    }

    fn with_id(&mut self, id: &str, fields: &Map<String, Value>) -> Rc<Agent> {
        if let Some(agent) = self.by_id.get(id) {
            return Rc::clone(agent);
        }
        let spawn = self.kinds.get(id);
        let kind = fields.text("attributionAgent").or_else(|| spawn.map(|(kind, _)| kind.as_str()));
        let agent = Rc::new(Agent {
            kind: kind.unwrap_or(UNKNOWN_KIND).to_owned(),
            id: Some(id.to_owned()),
            parent: Some(self.main.kind.clone()),
            call: spawn.map(|(_, call)| call.clone()),
        });
        self.by_id.insert(id.to_owned(), Rc::clone(&agent));
        agent
    }

    /// The agent that a call started, in a stream.
    fn of_call(&mut self, call: &str) -> Rc<Agent> {
        if let Some(agent) = self.by_id.get(call) {
            return Rc::clone(agent);
        }
        let kind = self.spawns.iter().find(|spawn| spawn.call == call).map(|spawn| spawn.kind.clone());
        let agent = Rc::new(Agent {
            kind: kind.unwrap_or_else(|| UNKNOWN_KIND.to_owned()),
            id: Some(call.to_owned()),
            parent: Some(self.main.kind.clone()),
            call: Some(call.to_owned()),
        });
        self.by_id.insert(call.to_owned(), Rc::clone(&agent));
        agent
    }

    /// The first record of a side chain: found by its prompt, else a chain of its own.
    fn new_chain(&mut self, fields: &Map<String, Value>, base: &str) -> Rc<Agent> {
        let content = fields.get("message").and_then(|message| message.get("content"));
        let block = || content?.as_array()?.iter().find_map(|block| block.get("text")?.as_str());
        let prompt = content.and_then(Value::as_str).or_else(block).map(short);
        let spawn = self.spawns.iter().position(|spawn| Some(spawn.prompt) == prompt);
        let spawn = spawn.map(|index| self.spawns.remove(index));
        let chain = base.trim_start_matches("cc:").to_owned();
        Rc::new(Agent {
            kind: spawn.as_ref().map_or(UNKNOWN_KIND, |spawn| &spawn.kind).to_owned(),
            id: Some(spawn.as_ref().map_or(chain, |spawn| spawn.call.clone())),
            parent: Some(self.main.kind.clone()),
            call: spawn.map(|spawn| spawn.call),
        })
    }

    /// `agent.started`, in front of the first record of a subagent.
    pub(super) fn started(&mut self, stamp: &Stamp) -> Option<Draft> {
        let id = stamp.agent_id.as_ref()?;
        if !self.started.insert(id.clone()) {
            return None;
        }
        let agents = || self.of_file.iter().chain(self.by_id.values()).chain(self.chains.values());
        let call = agents().find(|agent| agent.id.as_ref() == Some(id)).and_then(|agent| agent.call.clone());
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
