//! Captures of the Model Context Protocol: JSON-RPC messages between a client and a server, one a line, bare or in
//! the envelope of whoever recorded them.
//!
//! ```text
//! {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":…,"arguments":…}}
//! {"timestamp":…,"direction":"client->server","message":{…} | "{…}"}
//! ```
//! Ids are a connection's and a direction's own and are used again: a key is made of all three and what is said.
//! A call of a tool is a skill; so is any other request, under the name of its method.

use std::collections::HashMap;

use event::{Draft, Kind};
use serde_json::{Map, Value};

use crate::derive::{Derived, once};
use crate::json::digest;
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::speech::{self, Part as Said};
use crate::{Importer, Keys, Mapped, Part, Record, SourceFile, Transcript, time};

/// Members of an envelope that hold the message.
const HOLDERS: &[&str] = &[
    "message",
    "msg",
    "payload",
    "data",
    "content",
    "raw",
    "body",
    "frame",
    "jsonrpc_message",
    "request",
    "response",
];
const TIMES: &[&str] = &["timestamp", "ts", "time", "at", "date", "created_at"];
const DIRECTIONS: &[&str] = &["direction", "dir", "from", "source", "sender", "type", "kind"];
const CONNECTIONS: &[&str] = &[
    "connection_id",
    "connectionId",
    "connection",
    "session_id",
    "sessionId",
    "mcp_session_id",
    "server",
    "server_name",
    "serverName",
];
/// What methods of this protocol begin with.
const FAMILIES: &[&str] = &[
    "initialize",
    "ping",
    "tools/",
    "resources/",
    "prompts/",
    "notifications/",
    "sampling/",
    "elicitation/",
    "roots/",
    "logging/",
    "completion/",
    "tasks/",
    "server/",
    "subscriptions/",
];
/// What a server asks of a client.
const OF_SERVERS: &[&str] = &["sampling/", "elicitation/", "roots/"];
/// What only results of this protocol have.
const RESULTS: &[&str] = &[
    "content",
    "structuredContent",
    "tools",
    "resources",
    "resourceTemplates",
    "prompts",
    "protocolVersion",
    "serverInfo",
    "contents",
    "completion",
    "roots",
    "messages",
    "supportedVersions",
    "inputRequests",
    "resultType",
    "_meta",
];

pub(crate) struct Mcp;

impl Importer for Mcp {
    fn name(&self) -> &'static str {
        "mcp"
    }

    fn home(&self) -> &'static str {
        ".mcp"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        let list = |value: &Value| value.as_array().is_some_and(|items| items.iter().any(is_ours));
        head.iter().take(8).any(|value| is_ours(value) || list(value))
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Capture { stem: file.stem.clone(), ..Capture::default() })
    }

    fn holds_parts(&self) -> bool {
        true
    }

    /// A batch is its messages.
    fn parts(&self, record: Value) -> Vec<Part> {
        let items = match record {
            Value::Array(items) => items,
            other => vec![other],
        };
        items.into_iter().map(|value| Part { order: 0, value }).collect()
    }
}

fn is_ours(value: &Value) -> bool {
    let Some(map) = value.as_object() else { return false };
    let inner =
        if map.contains_key("jsonrpc") { Some(map.clone()) } else { held(map).map(|(_, message)| message) };
    let Some(message) = inner else { return false };
    let result = message.get("result").and_then(Value::as_object);
    if let Some(method) = message.text("method") {
        FAMILIES.iter().any(|family| method.starts_with(family))
    } else {
        let failed = message.get("error").is_some_and(|error| error["code"].is_number());
        failed
            || result.is_some_and(|result| {
                result.is_empty() || RESULTS.iter().any(|name| result.contains_key(*name))
            })
    }
}

/// True for a message without an envelope; some leave the version out.
fn is_bare(map: &Map<String, Value>) -> bool {
    let named = map.text("method").is_some_and(|method| {
        method.contains('/') && FAMILIES.iter().any(|family| method.starts_with(family))
    });
    map.get("jsonrpc").is_some_and(Value::is_string)
        || (named && (map.contains_key("id") || map.contains_key("params")))
}

/// The message in an envelope, and where it stood.
fn held(map: &Map<String, Value>) -> Option<(&'static str, Map<String, Value>)> {
    HOLDERS.iter().find_map(|name| {
        let Value::Object(inner) = speech::unwrapped(map.get(*name)?.clone()) else { return None };
        (inner.get("jsonrpc")? == "2.0").then_some((*name, inner))
    })
}

/// Who sent a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Client,
    Server,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

/// A request that waits for its answer.
struct Asked {
    method: String,
    skill: String,
    key: String,
}

/// One file.
#[derive(Default)]
struct Capture {
    stem: String,
    derived: Derived,
    waiting: HashMap<(String, Side, String), Asked>,
    /// Calls by the tokens under which their progress is told.
    tokens: HashMap<(String, String), String>,
    names: HashMap<(String, Side), String>,
}

/// One message on its way.
struct Note {
    stamp: Stamp,
    side: Side,
    id: Option<String>,
    base: String,
    /// The envelope.
    around: Map<String, Value>,
    message: Map<String, Value>,
}

impl Note {
    fn draft(&self, kind: &'static str) -> Draft {
        self.stamp.draft(kind).key(self.base.clone())
    }
}

impl Transcript for Capture {
    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        let text = record.text;
        let Some(Value::Object(map)) = record.value else { return self.raw(text, keys) };
        let Some(mut note) = self.note(map, keys) else { return self.raw(text, keys) };
        let mut drafts = match note.message.take_text("method") {
            Some(method) => {
                let drafts = self.request(&mut note, &method);
                note.message.insert("method".to_owned(), method.into());
                drafts
            }
            None => self.response(&mut note),
        };
        if let Some(first) = drafts.first_mut() {
            pen::add_ext_member(first, "message", note.message);
            pen::add_ext_member(first, "envelope", note.around);
        }
        Mapped::Events(drafts)
    }

    fn gap_session(&self) -> &str {
        &self.stem
    }

    fn opening(&mut self) -> Option<Draft> {
        None
    }
}

impl Capture {
    fn raw(&mut self, text: &str, keys: &dyn Keys) -> Mapped {
        let key = format!("mcp:{}", self.derived.next(keys, &format!("raw\n{}\n{text}", self.stem)));
        Mapped::Raw(pen::raw(&Stamp { session: self.stem.clone(), ..Stamp::default() }, key, text))
    }

    fn note(&mut self, mut map: Map<String, Value>, keys: &dyn Keys) -> Option<Note> {
        let (around, message) = if is_bare(&map) {
            (Map::new(), map)
        } else {
            let (name, message) = held(&map)?;
            map.remove(name);
            (map, message)
        };
        let text = |names: &[&str]| names.iter().find_map(|name| around.text(name)).map(str::to_owned);
        let session = text(CONNECTIONS).unwrap_or_else(|| self.stem.clone());
        let at = TIMES.iter().find_map(|name| around.get(*name).and_then(time::at));
        let id = message.get("id").filter(|id| !id.is_null()).map(Value::to_string);
        let side = DIRECTIONS.iter().find_map(|name| side_of(around.text(name)?));
        let side = side.unwrap_or_else(|| self.guess_side(&session, id.as_deref(), &message));
        let material = format!("mcp\n{session}\n{}\n{}", side.word(), digest(&message, &[]).to_hex());
        // what has an id is said once; what has none may be said again
        let key = if id.is_some() { once(keys, &material) } else { self.derived.next(keys, &material) };
        let agent =
            self.names.get(&(session.clone(), side)).cloned().unwrap_or_else(|| side.word().to_owned());
        let stamp = Stamp { session, at, agent: Some(agent), ..Stamp::default() };
        Some(Note { stamp, side, id, base: format!("mcp:{key}"), around, message })
    }

    /// Without a word on the direction: what a method says, or whose request is answered.
    fn guess_side(&self, session: &str, id: Option<&str>, message: &Map<String, Value>) -> Side {
        if let Some(method) = message.text("method") {
            let server = OF_SERVERS.iter().any(|start| method.starts_with(start));
            let told = matches!(method, "notifications/message" | "notifications/progress")
                || method.ends_with("list_changed")
                || method.ends_with("updated");
            return if server || told { Side::Server } else { Side::Client };
        }
        let asked =
            |side| id.is_some_and(|id| self.waiting.contains_key(&(session.to_owned(), side, id.to_owned())));
        let of_client = message.get("result").is_some_and(|result| {
            result.get("action").is_some() || result.get("roots").is_some() || result.get("role").is_some()
        });
        match (asked(Side::Client), asked(Side::Server)) {
            (false, true) => Side::Client,
            (true, true) if of_client => Side::Client,
            _ => Side::Server,
        }
    }

    fn request(&mut self, note: &mut Note, method: &str) -> Vec<Draft> {
        let mut params = note.message.take_object("params").unwrap_or_default();
        let Some(id) = note.id.clone() else { return self.notification(note, method, params) };
        let skill = match method {
            "tools/call" => params.take_text("name").unwrap_or_else(|| method.to_owned()),
            _ => method.to_owned(),
        };
        let session = note.stamp.session.clone();
        let token = params.get("_meta").and_then(|meta| meta.get("progressToken")).map(Value::to_string);
        if let Some(token) = token {
            self.tokens.insert((session.clone(), token), id.clone());
        }
        let asked = Asked { method: method.to_owned(), skill: skill.clone(), key: note.base.clone() };
        self.waiting.insert((session, note.side, id.clone()), asked);
        self.introduce(note, &params, "clientInfo");
        match method {
            "initialize" => {
                vec![note.draft("session.updated").data("meta", Value::Object(params))]
            }
            "tools/call" => {
                let input = params.remove("arguments");
                pen_params(note, params);
                let draft = note.draft("skill.invoked").with("skill", skill).with("call", id);
                vec![draft.data("input", input.unwrap_or_default())]
            }
            "sampling/createMessage" => {
                vec![note.draft("model.called").data("params", Value::Object(params))]
            }
            "elicitation/create" => {
                let draft = note.draft("permission.asked").with("skill", method).with("call", id);
                vec![draft.data("input", Value::Object(params))]
            }
            _ => {
                let draft = note.draft("skill.invoked").with("skill", skill).with("call", id);
                vec![draft.data("input", Value::Object(params))]
            }
        }
    }

    fn introduce(&mut self, note: &mut Note, params: &Map<String, Value>, member: &str) {
        let meta = || params.get("_meta")?.get(format!("io.modelcontextprotocol/{member}"));
        let info = params.get(member).or_else(meta);
        if let Some(name) = info.and_then(|info| info.get("name")?.as_str()) {
            self.names.insert((note.stamp.session.clone(), note.side), name.to_owned());
            note.stamp.agent = Some(name.to_owned());
        }
    }

    fn notification(&mut self, note: &mut Note, method: &str, mut params: Map<String, Value>) -> Vec<Draft> {
        let session = note.stamp.session.clone();
        let draft = match method {
            "notifications/progress" => {
                let token = params.get("progressToken").map(Value::to_string).unwrap_or_default();
                let call = self.tokens.get(&(session.clone(), token)).cloned();
                let asked = call
                    .as_ref()
                    .and_then(|call| self.waiting.get(&(session, note.side.other(), call.clone())));
                let (skill, cause) = asked.map(|asked| (asked.skill.clone(), asked.key.clone())).unzip();
                let draft = note
                    .draft("skill.progressed")
                    .with("skill", skill)
                    .with("call", call)
                    .with("cause", cause);
                let text = params.take_text("message");
                draft.data("text", text.unwrap_or_else(|| progress(&params)))
            }
            "notifications/cancelled" => {
                let call = params.get("requestId").map(Value::to_string);
                let asked =
                    call.as_ref().and_then(|call| self.waiting.get(&(session, note.side, call.clone())));
                let (skill, cause) = asked.map(|asked| (asked.skill.clone(), asked.key.clone())).unzip();
                let draft =
                    note.draft("skill.returned").with("skill", skill).with("call", call).with("cause", cause);
                draft.with("status", "interrupted").data("error", params.take_text("reason"))
            }
            "notifications/message" => {
                let mut draft = note.draft("state.changed");
                draft.kind = Kind::known("x.log").unwrap_or(draft.kind);
                let level = params.take_text("level");
                draft
                    .data("severity", level)
                    .data("name", params.take_text("logger"))
                    .data("body", params.remove("data").unwrap_or_default())
            }
            _ => note
                .draft("state.changed")
                .with("what", method)
                .data("body", Value::Object(std::mem::take(&mut params))),
        };
        pen_params(note, params);
        vec![draft]
    }

    fn response(&mut self, note: &mut Note) -> Vec<Draft> {
        let id = note.id.clone().unwrap_or_default();
        let asked = self.waiting.remove(&(note.stamp.session.clone(), note.side.other(), id.clone()));
        let (method, skill, cause) = match asked {
            Some(asked) => (asked.method, Some(asked.skill), Some(asked.key)),
            None => (String::new(), None, None),
        };
        let back = |draft: Draft| draft.with("cause", cause.clone());
        let result = note.message.remove("result");
        match (method.as_str(), result) {
            ("initialize", Some(Value::Object(result))) => {
                self.introduce(note, &result, "serverInfo");
                vec![back(note.draft("session.updated").data("meta", Value::Object(result)))]
            }
            ("sampling/createMessage", Some(Value::Object(mut result))) => {
                note.stamp.model = result.take_text("model");
                let drafts = sampled(note, result);
                drafts.into_iter().map(back).collect()
            }
            ("elicitation/create", Some(Value::Object(mut result))) => {
                let draft = note.draft("permission.decided").with("skill", method.as_str()).with("call", id);
                let draft = draft.with("decision", result.take_text("action"));
                vec![back(draft.data("reason", result.remove("content").unwrap_or_default()))]
            }
            (_, result) => {
                let draft = back(note.draft("skill.returned").with("skill", skill).with("call", id));
                vec![returned(note, draft, result)]
            }
        }
    }
}

fn progress(params: &Map<String, Value>) -> String {
    let part = |name: &str| params.get(name).map(Value::to_string);
    match (part("progress"), part("total")) {
        (Some(done), Some(total)) => format!("{done} of {total}"),
        (Some(done), None) => done,
        _ => String::new(),
    }
}

/// What of the parameters nobody took.
fn pen_params(note: &mut Note, params: Map<String, Value>) {
    if !params.is_empty() {
        note.message.insert("params".to_owned(), Value::Object(params));
    }
}

/// `in`, `client->server`, `server`, `→ server`: who sent it.
fn side_of(word: &str) -> Option<Side> {
    let word = word.to_ascii_lowercase();
    let (client, server) = (word.find("client"), word.find("server"));
    match (client, server) {
        (Some(client), Some(server)) => Some(if client < server { Side::Client } else { Side::Server }),
        (Some(_), None) => Some(if word.starts_with("to") { Side::Server } else { Side::Client }),
        (None, Some(_)) => Some(if word.starts_with("to") { Side::Client } else { Side::Server }),
        (None, None) => match word.as_str() {
            "out" | "outgoing" | "outbound" | "send" | "sent" | "tx" | ">" | "->" => Some(Side::Client),
            "in" | "incoming" | "inbound" | "recv" | "receive" | "received" | "rx" | "<" | "<-" => {
                Some(Side::Server)
            }
            _ => None,
        },
    }
}

fn returned(note: &mut Note, draft: Draft, result: Option<Value>) -> Draft {
    if let Some(error) = note.message.remove("error") {
        let message = error.get("message").and_then(Value::as_str).map(str::to_owned);
        let code = error.get("code").and_then(Value::as_i64);
        // -32800 and -32001 are a client that gave up and a request that took too long
        let status = match code {
            Some(-32001) => "timeout",
            Some(-32800) => "interrupted",
            _ => "error",
        };
        note.message.insert("error".to_owned(), error);
        return draft.with("status", status).data("error", message.unwrap_or_default());
    }
    let Some(Value::Object(mut result)) = result else {
        return draft.with("status", "ok").data("output", result.unwrap_or_default());
    };
    let failed = result.flag("isError");
    let waits = result.contains_key("inputRequests");
    let status = if failed {
        "error"
    } else if waits {
        "unknown"
    } else {
        "ok"
    };
    let draft = draft.with("status", status);
    let Some(content) = result.remove("content") else { return draft.data("output", Value::Object(result)) };
    let output = match content.as_array().map(Vec::as_slice) {
        Some([block])
            if block["type"] == "text" && block.as_object().is_some_and(|block| block.len() == 2) =>
        {
            block["text"].clone()
        }
        _ => content,
    };
    if !result.is_empty() {
        note.message.insert("result".to_owned(), Value::Object(result));
    }
    draft.data("output", output)
}

/// What a client's model answered.
fn sampled(note: &mut Note, mut result: Map<String, Value>) -> Vec<Draft> {
    let stop = result.remove("stopReason");
    let messages = speech::read(Value::Object(result), "assistant");
    let mut rest = Map::new();
    let mut parts = Vec::new();
    for message in messages {
        parts.extend(message.parts.into_iter().map(|part| (message.role.clone(), part)));
        rest.extend(message.rest);
    }
    let mut drafts: Vec<Draft> = Vec::new();
    for (number, (role, part)) in parts.into_iter().enumerate() {
        let key = if number == 0 { note.base.clone() } else { format!("{}.{number}", note.base) };
        let said = note.stamp.draft("message.recorded").with("role", role);
        let draft = match part {
            Said::Call { id, name, arguments, rest } => {
                let draft = note.stamp.draft("skill.invoked").with("skill", name).with("call", id);
                let mut draft = draft.data("input", arguments);
                pen::add_ext_member(&mut draft, "part", rest);
                draft
            }
            Said::Text { text, rest } => {
                let mut draft = said.data("text", text);
                pen::add_ext_member(&mut draft, "part", rest);
                draft
            }
            other => said.data("text", "").data("body", other.plain()),
        };
        drafts.push(draft.key(key));
    }
    if drafts.is_empty() {
        drafts.push(note.draft("message.recorded").with("role", "assistant").data("text", ""));
    }
    rest.extend(stop.map(|stop| ("stopReason".to_owned(), stop)));
    pen::add_ext_member(&mut drafts[0], "result", rest);
    drafts
}
