//! Which thread a rollout is, and whose.

use event::{Draft, Kind, Origin};
use serde_json::{Map, Value};

use super::items::is_injected;
use super::legacy;
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::{SourceFile, time};

/// A thread as its first record describes it.
#[derive(Debug, Default)]
pub(super) struct Thread {
    pub(super) id: String,
    /// The session: the root thread's id.
    pub(super) session: String,
    /// The oldest thread whose records a copy in this file can be of.
    pub(super) lineage: String,
    pub(super) agent: String,
    pub(super) agent_id: Option<String>,
    pub(super) parent_agent: Option<String>,
    at: Option<String>,
}

impl Thread {
    pub(super) fn of(file: &SourceFile) -> Self {
        let head: Vec<_> =
            file.head.iter().filter_map(Value::as_object).cloned().map(legacy::enveloped).collect();
        let is_meta = |record: &&Map<String, Value>| record.text("type") == Some("session_meta");
        let payload = |record: &Map<String, Value>| record.get("payload")?.as_object().cloned();
        let meta = head.iter().find(is_meta).and_then(payload).unwrap_or_default();
        // metas in a row at the start: this thread's, its parent's, the parent's parent's
        let run = head.iter().skip_while(|record| !is_meta(record)).take_while(is_meta);
        let oldest = run.last().and_then(payload).and_then(|meta| meta.text("id").map(str::to_owned));
        let id =
            meta.text("id").filter(|id| !id.is_empty()).unwrap_or_else(|| thread_of(&file.stem)).to_owned();
        let forked = meta.text("forked_from_id").map(str::to_owned);
        let lineage = oldest.filter(|oldest| *oldest != id).or(forked).unwrap_or_else(|| id.clone());
        let at = meta.get("timestamp").and_then(time::at);
        let mut thread =
            Self { session: id.clone(), lineage, agent: "main".to_owned(), at, id, ..Self::default() };
        thread.place(&meta);
        thread
    }

    /// A subagent's thread belongs to the session of the thread that started it.
    fn place(&mut self, meta: &Map<String, Value>) {
        let subagent = meta.get("source").and_then(|source| source.get("subagent"));
        let spawn = subagent.and_then(|subagent| subagent.get("thread_spawn")).and_then(Value::as_object);
        let told = |name: &str| {
            let text = meta.text(name).or_else(|| spawn?.text(name));
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let root = told("session_id").filter(|root| *root != self.id);
        let parent = told("parent_thread_id").filter(|parent| *parent != self.id);
        if subagent.is_none() && root.is_none() && parent.is_none() {
            return;
        }
        let name = told("agent_role").or_else(|| told("agent_nickname")).or_else(|| told("agent_path"));
        let other =
            subagent.and_then(|subagent| subagent.as_str().or_else(|| subagent.get("other")?.as_str()));
        self.agent = name.or_else(|| other.map(str::to_owned)).unwrap_or_else(|| "subagent".to_owned());
        self.agent_id = Some(self.id.clone());
        self.parent_agent = parent
            .as_ref()
            .filter(|parent| root.is_none() || root.as_ref() == Some(parent))
            .map(|_| "main".to_owned());
        if let Some(session) = root.or(parent) {
            self.session = session;
        }
    }

    /// `session.opened`, unless the session is another thread's.
    pub(super) fn opening(&self, file: &SourceFile) -> Option<Draft> {
        if self.agent_id.is_some() {
            return None;
        }
        let head: Vec<_> =
            file.head.iter().filter_map(Value::as_object).cloned().map(legacy::enveloped).collect();
        let payloads = || head.iter().filter_map(|record| record.get("payload")?.as_object());
        let title = payloads().find_map(typed).map(pen::title);
        let cwd = payloads().find_map(|payload| payload.text("cwd"));
        let first = payloads().next()?;
        let mut meta = Map::new();
        for name in ["cli_version", "originator", "model_provider", "git"] {
            if let Some(value) = first.get(name) {
                meta.insert(name.to_owned(), value.clone());
            }
        }
        let meta = if meta.is_empty() { Value::Null } else { Value::Object(meta) };
        let draft = Draft::new(&self.session, Kind::of("session.opened"), Origin::Imported);
        let draft = draft.key(format!("{}.opened", self.session)).with("at", self.at.clone());
        Some(draft.data("title", title).data("cwd", cwd).data("meta", meta))
    }

    /// `agent.started` of a subagent's thread.
    pub(super) fn started(&self) -> Option<Draft> {
        let id = self.agent_id.clone()?;
        let stamp = Stamp {
            session: self.session.clone(),
            at: self.at.clone(),
            agent: Some(self.agent.clone()),
            agent_id: Some(id.clone()),
            parent_agent: self.parent_agent.clone(),
            ..Stamp::default()
        };
        Some(stamp.draft("agent.started").key(format!("{id}.started")).with("cause", format!("{id}.spawned")))
    }
}

/// The thread id in a file's name: what follows the time.
fn thread_of(stem: &str) -> &str {
    const TIME: usize = "2025-09-25T08-02-05-".len();
    stem.strip_prefix("rollout-")
        .and_then(|rest| rest.get(TIME..))
        .filter(|id| !id.is_empty())
        .unwrap_or(stem)
}

/// The text of a message that a person typed.
fn typed(payload: &Map<String, Value>) -> Option<&str> {
    let text = match payload.text("type") {
        Some("user_message") => payload.text("message")?,
        Some("message") | None if payload.text("role") == Some("user") => match payload.get("content")? {
            Value::Array(parts) => parts.iter().find_map(|part| part.get("text")?.as_str())?,
            other => other.as_str()?,
        },
        _ => return None,
    };
    (!text.trim().is_empty() && !is_injected(text)).then_some(text)
}
