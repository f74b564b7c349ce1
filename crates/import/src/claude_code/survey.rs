//! What has to be known before the first record is mapped.
//!
//! - how much a response cost in the end: its lines are written while it streams
//! - under which key a record's first event will stand: `parent` may name a later record
//! - in which session a record stands: titles name only a leaf
//! - which tool a call was for, which agent it started, and in which side chain a record stands (kept by [`Agents`])

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::agents::Agents;
use super::chains::Side;
use super::turns::{is_call, starts_agent};
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
    #[serde(borrow)]
    timestamp: Option<&'a RawValue>,
    #[serde(borrow, rename = "isSidechain")]
    side: Option<&'a RawValue>,
    #[serde(borrow, rename = "agentId")]
    agent: Option<&'a RawValue>,
    #[serde(borrow, rename = "parentUuid")]
    parent: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "forkedFrom")]
    origin: Option<&'a RawValue>,
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
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
}

/// What a call that starts an agent is given.
#[derive(Deserialize)]
struct LookInput<'a> {
    #[serde(borrow, rename = "subagent_type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    prompt: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
struct LookOrigin<'a> {
    #[serde(borrow, rename = "messageUuid")]
    uuid: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct LookResult<'a> {
    #[serde(borrow, rename = "agentId")]
    agent: Option<Cow<'a, str>>,
}

impl Look<'_> {
    /// True for a record of a side chain that does not say whose it is.
    fn is_side(&self) -> bool {
        let named = self.agent.is_some_and(|agent| agent.get().starts_with('"') && agent.get() != "\"\"");
        !named && self.side.is_some_and(|side| side.get() == "true")
    }

    /// The record's identity: its own, or that of the record which it copies.
    fn identity(&self) -> Option<Cow<'_, str>> {
        let origin = self.origin.and_then(|origin| serde_json::from_str::<LookOrigin<'_>>(origin.get()).ok());
        origin.and_then(|origin| origin.uuid).or_else(|| self.uuid.as_deref().map(Cow::Borrowed))
    }

    fn at(&self) -> &str {
        self.timestamp.map_or("", RawValue::get)
    }

    fn side(&self, content: Option<&RawValue>, agents: &mut Agents) {
        let (Some(uuid), Some(name)) = (&self.uuid, self.identity()) else { return };
        let said = content.and_then(string).or_else(|| blocks(content).find_map(|block| string(block.text?)));
        let parent = self.parent.as_deref().map(short);
        let prompt = said.as_deref().map(short);
        agents.side(uuid, Side { name: name.into(), parent, prompt, at: self.at().into() });
    }

    /// A call of a tool, if this block is one.
    fn call(&self, part: usize, block: &LookBlock<'_>, agents: &mut Agents) {
        let is_call = block.kind.as_deref().is_some_and(is_call);
        let (Some(id), Some(name), true) = (block.id.as_deref(), block.name.as_deref(), is_call) else {
            return;
        };
        let own = || self.identity().map(|uuid| format!("cc:{uuid}.{part}"));
        let own = if is_global(id) { None } else { own() };
        agents.will_call(id, name, own.as_deref());
        if !starts_agent(name) {
            return;
        }
        let input = block.input.and_then(|input| serde_json::from_str::<LookInput<'_>>(input.get()).ok());
        let own = own.or_else(|| is_global(id).then(|| id.to_owned()));
        if let (Some(input), Some(own)) = (input, own) {
            agents.spawns.spawned(Some(id), &own, input.kind.as_deref(), input.prompt.as_deref(), self.at());
        }
    }
}

impl Survey {
    /// Looks at one record; what cannot be read is left to the mapping.
    pub(super) fn see(&mut self, text: &str, agents: &mut Agents) {
        let Ok(look) = serde_json::from_str::<Look<'_>>(text.trim_start_matches('\u{feff}')) else { return };
        let message = look.message.and_then(|raw| serde_json::from_str::<LookMessage<'_>>(raw.get()).ok());
        let mut blocks = blocks(message.as_ref().and_then(|message| message.content));
        let block = blocks.next();
        if let (Some(uuid), Some(session)) = (&look.uuid, &look.session) {
            self.own(uuid, session);
        }
        let call = block.as_ref().and_then(|block| block.tool_use_id.as_deref());
        if let (Some(call), Some(agent)) = (call, look.result.or(look.tool_use_result).and_then(agent_of)) {
            agents.answered(call, agent);
        }
        if look.is_side() {
            look.side(message.as_ref().and_then(|message| message.content), agents);
        }
        let answer = message.as_ref().filter(|_| look.kind.as_deref() == Some("assistant"));
        let called = answer.and_then(|message| {
            let key = response_key(message.id.as_deref()?, look.request.as_deref());
            let new = !self.responses.contains_key(&short(&key));
            self.responses.entry(short(&key)).or_default().add(message);
            (new && message.model.as_deref() != Some("<synthetic>")).then_some(key)
        });
        let native = || block.as_ref().and_then(native_key);
        if let (Some(uuid), Some(key)) = (&look.uuid, called.or_else(native)) {
            self.first.entry(short(uuid)).or_insert_with(|| key.into());
        }
        if answer.is_some() {
            for (part, block) in block.into_iter().chain(blocks).enumerate() {
                look.call(part, &block, agents);
            }
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

/// The blocks of a message, as far as they can be read.
fn blocks(content: Option<&RawValue>) -> impl Iterator<Item = LookBlock<'_>> {
    let text = content.and_then(|content| content.get().strip_prefix('['));
    let mut rest = text.unwrap_or_default();
    std::iter::from_fn(move || {
        let mut blocks = serde_json::Deserializer::from_str(rest).into_iter::<LookBlock<'_>>();
        let block = blocks.next()?.ok()?;
        rest = rest[blocks.byte_offset()..].trim_start().strip_prefix(',').unwrap_or_default();
        Some(block)
    })
}

/// A text, if this is one.
fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    raw.get().starts_with('"').then(|| serde_json::from_str(raw.get()).ok().map(|Text(text)| text))?
}

/// Calls and results stand under the tool's own id, if no other session can have it.
fn native_key(block: &LookBlock<'_>) -> Option<String> {
    let (id, verb) = match block.kind.as_deref()? {
        kind if is_call(kind) => (block.id.as_deref()?, "invoked"),
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
