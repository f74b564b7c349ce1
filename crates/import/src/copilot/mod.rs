//! Copilot CLI: `~/.copilot/session-state/<session>/events.jsonl`, before 1.0 `<session>.jsonl`.
//!
//! ```text
//! {"type":"tool.execution_start","data":{…},"id":…,"timestamp":…,"parentId":…,"agentId":…}
//! ```
//! - its log is one of events already, with an id and a parent each; most become one event by their name
//! - a call is told where it was asked for, in the model's message; that it then started is a progress of it
//! - what belongs to a subagent names the call that started it (`parentToolCallId`), or the agent itself
//! - types that are only about the program (its servers, tools and windows) are kept as changes of state

mod calls;
mod names;
mod said;
mod survey;

use event::{Draft, Kind, Origin};
use serde_json::{Map, Value};

use crate::derive::{self, Derived, is_global};
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::{Importer, Keys, Mapped, Record, SourceFile, Transcript, time};
use survey::Survey;

/// The importer.
#[derive(Debug)]
pub(crate) struct Copilot;

impl Importer for Copilot {
    fn name(&self) -> &'static str {
        "copilot"
    }

    fn home(&self) -> &'static str {
        ".copilot/session-state"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        head.iter().filter_map(Value::as_object).any(|record| {
            let known = record.text("type").is_some_and(names::is_telling);
            known && record.get("data").is_some_and(Value::is_object) && record.contains_key("id")
        })
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Log::new(file))
    }
}

/// One session's log.
struct Log {
    session: String,
    head: Vec<Value>,
    opening: Option<Draft>,
    survey: Survey,
    derived: Derived,
    /// The model in use, where a record does not say.
    model: Option<String>,
    begun: bool,
}

/// One record being mapped.
struct Rec {
    /// What is left of the envelope.
    fields: Map<String, Value>,
    /// What is left of its data.
    data: Map<String, Value>,
    stamp: Stamp,
    /// The beginning of its keys.
    base: String,
}

impl Rec {
    /// The first event of a record has a key that others can name without knowing what it is.
    fn draft(&self, kind: &'static str, part: usize) -> Draft {
        self.stamp.draft(kind).key(format!("{}.{part}", self.base))
    }
}

impl Log {
    fn new(file: &SourceFile) -> Self {
        let data = file.head.iter().filter_map(|record| record.get("data")?.as_object());
        let named = data.filter_map(|data| data.text("sessionId")).find(|id| !id.is_empty());
        let folder = || file.path.parent()?.file_name()?.to_str();
        let stem = if file.stem == "events" { folder().unwrap_or("events") } else { &file.stem };
        Self {
            session: named.unwrap_or(stem).to_owned(),
            head: file.head.clone(),
            opening: None,
            survey: Survey::default(),
            derived: Derived::default(),
            model: None,
            begun: false,
        }
    }

    /// An id that no other session has stands for itself.
    fn scoped(&self, id: &str, keys: &dyn Keys) -> String {
        let own = derive::id(keys, id);
        if is_global(id) && id.len() >= 32 {
            format!("cp:{own}")
        } else {
            format!("cp:{}.{own}", derive::id(keys, &self.session))
        }
    }

    fn begin(&mut self, keys: &dyn Keys) {
        self.begun = true;
        let records = || self.head.iter().filter_map(Value::as_object);
        let of = |kind: &str| {
            records().find(|record| record.text("type") == Some(kind)).and_then(|record| record.get("data"))
        };
        let typed = records().filter(|record| record.text("type") == Some("user.message"));
        let typed = typed.filter_map(|record| record.get("data")?.as_object());
        let title =
            typed.filter(|data| !said::is_made(data)).find_map(|data| data.text("content")).map(pen::title);
        let start = of("session.start").and_then(Value::as_object);
        let at = start.and_then(|start| time::at(start.get("startTime")?));
        let cwd = start.and_then(|start| start.get("context")?.get("cwd")?.as_str().map(str::to_owned));
        let names = ["copilotVersion", "producer", "selectedModel"];
        let meta: Map<String, Value> =
            names.iter().filter_map(|name| Some(((*name).to_owned(), start?.get(*name)?.clone()))).collect();
        let meta = if meta.is_empty() { Value::Null } else { meta.into() };
        let draft = Draft::new(&self.session, Kind::of("session.opened"), Origin::Imported);
        let draft = draft.key(format!("cp:{}..opened", derive::id(keys, &self.session))).with("at", at);
        self.opening = Some(draft.data("title", title).data("cwd", cwd).data("meta", meta));
        self.head.clear();
    }

    fn start(&mut self, mut fields: Map<String, Value>, data: Map<String, Value>, keys: &dyn Keys) -> Rec {
        let at = time::take_at(&mut fields, "timestamp");
        let base = if let Some(id) = fields.text("id") {
            self.scoped(id, keys)
        } else {
            let digest = crate::json::digest(&fields, &[]).to_hex();
            let inner = crate::json::digest(&data, &[]).to_hex();
            let key = self.derived.next(keys, &format!("copilot\n{}\n{digest}\n{inner}", self.session));
            format!("cp:{key}")
        };
        let parent = fields.text("parentId").filter(|id| !id.is_empty());
        let agent = self.survey.agent(fields.text("agentId"), data.text("parentToolCallId"));
        let stamp = Stamp {
            session: self.session.clone(),
            at,
            agent: Some(agent.as_ref().map_or_else(|| "main".to_owned(), |agent| agent.name.clone())),
            parent_agent: agent.as_ref().map(|_| "main".to_owned()),
            agent_id: agent.map(|agent| agent.id),
            parent: parent.map(|id| format!("{}.0", self.scoped(id, keys))),
            model: None,
        };
        Rec { fields, data, stamp, base }
    }

    fn events(&mut self, rec: &mut Rec, keys: &dyn Keys) -> Option<Vec<Draft>> {
        let kind = rec.fields.text("type")?.to_owned();
        let one = |draft: Draft| Some(vec![draft]);
        match kind.as_str() {
            "user.message" => one(said::asked(rec)),
            "assistant.message" => Some(self.answered(rec, keys)),
            "assistant.reasoning" => one(said::thought(rec)),
            "assistant.usage" => one(said::used(rec)),
            "tool.execution_start" | "tool.user_requested" => one(self.started(rec, keys)),
            "tool.execution_progress" | "tool.execution_partial_result" => one(self.progressed(rec, keys)),
            "tool.execution_complete" => one(self.returned(rec, keys)),
            "subagent.started" => Some(self.spawned(rec, keys)),
            "subagent.completed" | "subagent.failed" => one(self.stopped(rec, &kind)),
            "permission.requested"
            | "user_input.requested"
            | "elicitation.requested"
            | "exit_plan_mode.requested" => one(calls::permission(rec, &kind)),
            "permission.completed"
            | "user_input.completed"
            | "elicitation.completed"
            | "exit_plan_mode.completed" => one(calls::decided(rec)),
            "hook.start" => one(self.hook(rec)),
            "hook.end" => one(calls::hook_ended(rec)),
            "session.snapshot_rewind" => one(self.rewound(rec, keys)),
            "session.model_change" => {
                self.model = rec.data.text("newModel").map(str::to_owned);
                rec.stamp.model.clone_from(&self.model);
                one(rec.draft("session.updated", 0))
            }
            kind => names::simple(rec, kind).map(|draft| vec![draft]),
        }
    }

    fn rewound(&self, rec: &mut Rec, keys: &dyn Keys) -> Draft {
        let to = rec.data.text("upToEventId").map(|id| format!("{}.0", self.scoped(id, keys)));
        rec.draft("context.rewound", 0).with("to", to)
    }

    fn raw(&mut self, text: &str, fields: Option<Rec>, keys: &dyn Keys) -> Mapped {
        if let Some(rec) = fields {
            return Mapped::Raw(rec.draft("raw.kept", 0).data("record", text));
        }
        let hash = blake3::hash(text.as_bytes()).to_hex();
        let key = self.derived.next(keys, &format!("copilot raw\n{}\n{hash}", self.session));
        let stamp = Stamp { session: self.session.clone(), ..Stamp::default() };
        Mapped::Raw(pen::raw(&stamp, format!("cp:raw-{key}"), text))
    }
}

impl Transcript for Log {
    fn survey(&mut self, text: &str) -> bool {
        self.survey.see(text);
        true
    }

    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        if !self.begun {
            self.begin(keys);
        }
        let Some(Value::Object(mut fields)) = record.value else { return self.raw(record.text, None, keys) };
        let Some(data) = fields.take_object("data") else { return self.raw(record.text, None, keys) };
        let mut rec = self.start(fields, data, keys);
        let Some(mut drafts) = self.events(&mut rec, keys).filter(|drafts| !drafts.is_empty()) else {
            return self.raw(record.text, Some(rec), keys);
        };
        pen::add_ext(&mut drafts[0], rec.fields);
        pen::add_ext_member(&mut drafts[0], "data", rec.data);
        Mapped::Events(drafts)
    }

    fn gap_session(&self) -> &str {
        &self.session
    }

    fn opening(&mut self) -> Option<Draft> {
        self.opening.take()
    }
}
