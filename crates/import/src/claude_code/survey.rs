//! What has to be known before the first record is mapped.
//!
//! - how much a response cost in the end: its lines are written while it streams
//! - under which key a record's first event will stand: `parent` may name a later record
//! - in which session a record stands: titles name only a leaf

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::derive::{is_global, short};
use crate::members::TakeMembers;

/// What is known of a file in advance: a few dozen bytes a record.
#[derive(Debug, Default)]
pub(super) struct Survey {
    responses: HashMap<u64, Response>,
    /// First keys that are not simply part 0 of the record.
    first: HashMap<u64, Box<str>>,
    owners: HashMap<u64, u32>,
    sessions: Vec<String>,
    /// Which agent a call started.
    agents: HashMap<String, String>,
}

/// One response of the model.
#[derive(Debug, Default, Clone)]
pub(super) struct Response {
    input: u64,
    output: u64,
    cached: u64,
    reasoning: u64,
    counted: bool,
    /// Why it stopped, once it is known.
    pub(super) stop: Option<Box<str>>,
}

#[derive(Deserialize)]
struct Look<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    uuid: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "sessionId")]
    session: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "requestId")]
    request: Option<Cow<'a, str>>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow, rename = "toolUseResult")]
    result: Option<&'a RawValue>,
    /// The same in a stream.
    #[serde(borrow)]
    tool_use_result: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct LookMessage<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    model: Option<Cow<'a, str>>,
    usage: Option<Value>,
    #[serde(borrow)]
    stop_reason: Option<Cow<'a, str>>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct LookBlock<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tool_use_id: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct LookResult<'a> {
    #[serde(borrow, rename = "agentId")]
    agent: Option<Cow<'a, str>>,
}

impl Survey {
    /// Looks at one record; what cannot be read is left to the mapping.
    pub(super) fn see(&mut self, text: &str) {
        let Ok(look) = serde_json::from_str::<Look<'_>>(text.trim_start_matches('\u{feff}')) else { return };
        let message = look.message.and_then(|raw| serde_json::from_str::<LookMessage<'_>>(raw.get()).ok());
        let block = message.as_ref().and_then(|message| first_block(message.content?));
        if let (Some(uuid), Some(session)) = (&look.uuid, &look.session) {
            self.own(uuid, session);
        }
        let call = block.as_ref().and_then(|block| block.tool_use_id.as_deref());
        if let (Some(call), Some(agent)) = (call, look.result.or(look.tool_use_result).and_then(agent_of)) {
            self.agents.insert(call.to_owned(), agent);
        }
        let called =
            message.as_ref().filter(|_| look.kind.as_deref() == Some("assistant")).and_then(|message| {
                let key = response_key(message.id.as_deref()?, look.request.as_deref());
                let new = !self.responses.contains_key(&short(&key));
                self.responses.entry(short(&key)).or_default().add(message);
                (new && message.model.as_deref() != Some("<synthetic>")).then_some(key)
            });
        let native = || block.as_ref().and_then(native_key);
        if let (Some(uuid), Some(key)) = (&look.uuid, called.or_else(native)) {
            self.first.entry(short(uuid)).or_insert_with(|| key.into());
        }
    }

    fn own(&mut self, uuid: &str, session: &str) {
        let index = self.sessions.iter().rposition(|known| known == session).unwrap_or_else(|| {
            self.sessions.push(session.to_owned());
            self.sessions.len() - 1
        });
        self.owners.entry(short(uuid)).or_insert(u32::try_from(index).unwrap_or(0));
    }

    /// The key of the first event of a record.
    pub(super) fn first_key(&self, uuid: &str) -> String {
        self.first.get(&short(uuid)).map_or_else(|| format!("cc:{uuid}.0"), ToString::to_string)
    }

    /// The session in whose records this one stands.
    pub(super) fn session_of(&self, uuid: &str) -> Option<&str> {
        let index = *self.owners.get(&short(uuid))?;
        self.sessions.get(index as usize).map(String::as_str)
    }

    /// The agent that a call started, if its result says so.
    pub(super) fn agent_of_call(&self, call: &str) -> Option<&str> {
        self.agents.get(call).map(String::as_str)
    }

    /// What a response cost and why it stopped, told beside its message.
    pub(super) fn spent(&mut self, key: &str, usage: Option<&Value>, stop: Option<&str>) {
        let response = self.responses.entry(short(key)).or_default();
        response.stop = stop.map(Into::into).or_else(|| response.stop.take());
        if let Some(Value::Object(usage)) = usage {
            response.count(usage);
        }
    }

    /// What is known of a response.
    pub(super) fn response(&self, key: &str) -> Option<&Response> {
        self.responses.get(&short(key))
    }
}

impl Response {
    fn add(&mut self, message: &LookMessage<'_>) {
        if let Some(stop) = &message.stop_reason {
            self.stop = Some((**stop).into());
        }
        if let Some(Value::Object(usage)) = &message.usage {
            self.count(usage);
        }
    }

    /// Takes the largest number of each field.
    fn count(&mut self, usage: &Map<String, Value>) {
        let number = |name: &str| usage.count(name).and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
        let cached = number("cache_read_input_tokens");
        let input = number("input_tokens") + number("cache_creation_input_tokens") + cached;
        let details = usage.get("output_tokens_details").and_then(Value::as_object);
        let thinking = details.and_then(|details| details.count("thinking_tokens"));
        self.counted = true;
        self.input = self.input.max(input);
        self.cached = self.cached.max(cached);
        self.output = self.output.max(number("output_tokens"));
        self.reasoning = self.reasoning.max(thinking.and_then(|n| u64::try_from(n).ok()).unwrap_or(0));
    }

    /// The header's `usage`: input counts what came from the cache.
    pub(super) fn usage(&self) -> Value {
        if !self.counted {
            return Value::Null;
        }
        let mut usage = json!({ "input": self.input, "output": self.output, "cached": self.cached });
        if self.reasoning > 0 {
            usage["reasoning"] = self.reasoning.into();
        }
        usage
    }

    /// A response seen only in the record at hand.
    pub(super) fn of(usage: Option<&Value>, stop: Option<&str>) -> Self {
        let mut response = Self { stop: stop.map(Into::into), ..Self::default() };
        if let Some(Value::Object(usage)) = usage {
            response.count(usage);
        }
        response
    }
}

/// The key of a response's `model.called`.
pub(super) fn response_key(message: &str, request: Option<&str>) -> String {
    match request {
        Some(request) => format!("cc:{message}.{request}.called"),
        None => format!("cc:{message}.called"),
    }
}

fn first_block(content: &RawValue) -> Option<LookBlock<'_>> {
    let text = content.get().strip_prefix('[')?;
    let mut blocks = serde_json::Deserializer::from_str(text).into_iter::<LookBlock<'_>>();
    blocks.next()?.ok()
}

/// Calls and results stand under the tool's own id, if no other session can have it.
fn native_key(block: &LookBlock<'_>) -> Option<String> {
    let (id, verb) = match block.kind.as_deref()? {
        "tool_use" | "server_tool_use" | "mcp_tool_use" => (block.id.as_deref()?, "invoked"),
        kind if kind.ends_with("tool_result") => (block.tool_use_id.as_deref()?, "returned"),
        _ => return None,
    };
    is_global(id).then(|| format!("{id}.{verb}"))
}

fn agent_of(result: &RawValue) -> Option<String> {
    if !result.get().starts_with('{') {
        return None;
    }
    serde_json::from_str::<LookResult<'_>>(result.get()).ok()?.agent.map(Cow::into_owned)
}
