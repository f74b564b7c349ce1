//! A payload's common fields, and what of the rest nobody asked for.

use event::{Draft, Kind, Origin};
use serde_json::{Map, Value};

use super::Announced;

/// What every event of an agent says; `transcript_path` names our importers' source, and no event needs it.
const COMMON: [&str; 3] = ["transcript_path", "cwd", "timestamp"];

/// One payload being taken apart.
pub(super) struct Payload {
    pub(super) session: String,
    pub(super) event: String,
    cwd: Option<String>,
    transcript: Option<String>,
    pub(super) agent: String,
    agent_id: Option<String>,
    model: Option<String>,
    fields: Map<String, Value>,
}

impl Payload {
    /// Takes the common fields, or says why it is none.
    pub(super) fn new(mut fields: Map<String, Value>) -> Result<Self, &'static str> {
        fields.retain(|_, value| !value.is_null());
        let session = match fields.remove("session_id") {
            Some(Value::String(id)) if !id.trim().is_empty() => id,
            Some(Value::String(_)) | None => return Err("session_id is missing"),
            Some(_) => return Err("session_id is no string"),
        };
        let Some(Value::String(event)) = fields.remove("hook_event_name") else {
            return Err("hook_event_name is missing");
        };
        let mut payload = Self {
            session,
            event,
            cwd: None,
            transcript: None,
            agent: "main".to_owned(),
            agent_id: None,
            model: None,
            fields,
        };
        payload.cwd = payload.text("cwd");
        payload.transcript = payload.text("transcript_path");
        payload.model = payload.text("model");
        payload.agent_id = payload.text("agent_id");
        // a session may be started as an agent of a type; only an id makes it a subagent
        if payload.agent_id.is_some() {
            payload.agent = payload.text("agent_type").unwrap_or_else(|| "subagent".to_owned());
        }
        Ok(payload)
    }

    /// Takes a text by the first of these names that has one; empty ones say nothing.
    pub(super) fn text_of(&mut self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.text(name))
    }

    /// Takes a text.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        match self.fields.get(name) {
            Some(Value::String(_)) => match self.fields.remove(name) {
                Some(Value::String(text)) => Some(text).filter(|text| !text.is_empty()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Takes whatever stands there, by the first of these names.
    pub(super) fn value(&mut self, names: &[&str]) -> Value {
        names.iter().find_map(|name| self.fields.remove(*name)).unwrap_or_default()
    }

    /// Takes a count.
    pub(super) fn count(&mut self, name: &str) -> Option<i64> {
        let count = self.fields.get(name)?.as_f64().filter(|n| (0.0..9e15).contains(n))?;
        self.fields.remove(name);
        // checked above; a fraction of a millisecond is nobody's business
        #[allow(clippy::cast_possible_truncation)]
        Some(count as i64)
    }

    /// Takes a flag.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        let set = self.fields.get(name).and_then(Value::as_bool);
        if set.is_some() {
            self.fields.remove(name);
        }
        set.unwrap_or(false)
    }

    /// The subagent, if it is one's.
    pub(super) fn agent_id(&self) -> Option<&str> {
        self.agent_id.as_deref()
    }

    /// A draft by whoever the payload is about.
    pub(super) fn draft(&self, kind: &'static str) -> Draft {
        Draft::new(&self.session, Kind::of(kind), Origin::Observed)
            .with("agent", self.agent.as_str())
            .with("agent_id", self.agent_id.as_deref())
            .with("parent_agent", self.agent_id.as_ref().map(|_| "main"))
            .with("model", self.model.as_deref())
    }

    /// What nobody took goes with the first event.
    pub(super) fn leave_rest(&mut self, first: &mut Draft, repaired: &[&'static str]) {
        self.fields.retain(|name, _| !COMMON.contains(&name.as_str()));
        let mut rest = std::mem::take(&mut self.fields);
        if !repaired.is_empty() {
            rest.insert("repaired".to_owned(), repaired.to_vec().into());
        }
        if !rest.is_empty() {
            first.data.insert("ext".to_owned(), Value::Object(rest));
        }
    }

    /// What an announcement says of its session.
    pub(super) fn announced(&mut self) -> Announced {
        let source = self.text("source").map(|source| ("source", source));
        let model = self.model.clone().map(|model| ("model", model));
        Announced { session: self.session.clone(), words: source.into_iter().chain(model).collect() }
    }

    /// The opening of its session.
    pub(super) fn opening(&self) -> Draft {
        let meta = self.transcript.as_ref().map(|path| {
            Value::Object(Map::from_iter([("transcript_path".to_owned(), path.as_str().into())]))
        });
        Draft::new(&self.session, Kind::of("session.opened"), Origin::Observed)
            .with("status", "open")
            .data("cwd", self.cwd.as_deref())
            .data("meta", meta)
    }
}
