//! What a hook is fed, as drafts. Hot path: no disk, no clock, one pass over the payload.
//!
//! Claude Code and Codex speak the same words ([`wire`]), Gemini CLI others ([`gemini`]). An event that the
//! transcript tells as well goes under the id that both share: the call's, the agent's, the turn's; what was
//! said, under a keyed hash of its text. A call without such an id is told as the run of the hook (`hook.ran`):
//! it must not stand beside the call itself.

mod gemini;
mod payload;
mod wire;

use event::{Draft, Kind, Origin};
use import::{Item, Reader};
use serde_json::{Map, Value};

use payload::Payload;

/// The longest payload that is read as one.
pub const MAX_PAYLOAD_BYTES: usize = 64 << 20;
/// As much is kept of a longer one.
const KEPT_BYTES: usize = 1 << 20;

/// Whose hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
}

impl Agent {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::ClaudeCode, Self::Codex, Self::Gemini];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }

    /// The agent of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.name() == name)
    }
}

/// What the house knows that a payload doesn't say.
pub trait House {
    /// A keyed hash (hex) of what may hold secrets still.
    fn keyed(&self, material: &str) -> String;
    /// True if there is a session that the agent calls so.
    fn knows(&self, session: &str) -> bool;
}

/// What came of a payload.
#[derive(Default)]
pub struct Heard {
    /// The event that was announced, if it is one of those we know.
    pub event: Option<&'static str>,
    /// How the session opens, should this be its first event; it has the session's name.
    pub opening: Option<Draft>,
    /// The events; none for what only announces.
    pub drafts: Vec<Draft>,
    /// Why it is kept as it is.
    pub strange: Option<&'static str>,
    /// What was announced of a session that nobody knows yet: how it started, with which model. It makes no
    /// session; its opening is to say it ([`Heard::remember`]).
    pub announced: Option<Announced>,
}

/// What an announcement says of a session that is still to come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announced {
    /// What its agent calls the session.
    pub session: String,
    /// Words of the agent's, by name.
    pub words: Vec<(&'static str, String)>,
}

impl Heard {
    /// Has the opening say what was announced before.
    pub fn remember(&mut self, words: Map<String, Value>) {
        let Some(opening) = self.opening.as_mut().filter(|_| !words.is_empty()) else { return };
        let meta = opening.data.entry("meta").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(meta) = meta {
            meta.insert("started".to_owned(), Value::Object(words));
        }
    }
}

/// Hears one payload. Empty input says nothing.
pub fn hear(agent: Agent, bytes: &[u8], house: &dyn House) -> Heard {
    if bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
        return Heard::default();
    }
    if bytes.len() > MAX_PAYLOAD_BYTES {
        return kept(agent, &bytes[..KEPT_BYTES], "payload is larger than 64 MiB");
    }
    let Some((fields, repaired)) = object(bytes) else {
        return kept(agent, bytes, "payload is no JSON object");
    };
    let mut payload = match Payload::new(fields) {
        Ok(payload) => payload,
        Err(why) => return kept(agent, bytes, why),
    };
    let told = match agent {
        Agent::ClaudeCode | Agent::Codex => wire::drafts(&mut payload, house),
        Agent::Gemini => gemini::drafts(&mut payload, house),
    };
    let Some((event, mut drafts)) = told else {
        return strange(&payload, bytes);
    };
    let announced = (event == "SessionStart" && drafts.is_empty()).then(|| payload.announced());
    if let Some(first) = drafts.first_mut() {
        payload.leave_rest(first, &repaired);
    }
    Heard { event: Some(event), opening: Some(payload.opening()), drafts, strange: None, announced }
}

/// The one JSON object that the bytes are, and what had to be repaired in its text.
fn object(bytes: &[u8]) -> Option<(Map<String, Value>, Vec<&'static str>)> {
    let mut reader = Reader::open(bytes).ok()?;
    let found = match reader.next_item().ok()?? {
        Item::Record(record) => match record.value {
            Some(Value::Object(fields)) => (fields, record.repaired),
            _ => return None,
        },
        Item::Gap(_) => return None,
    };
    reader.next_item().ok()?.is_none().then_some(found)
}

/// Something that no session can be told of: kept in one for such things.
fn kept(agent: Agent, bytes: &[u8], why: &'static str) -> Heard {
    let session = format!("hooks-{}", agent.name());
    let opening = Draft::new(&session, Kind::of("session.opened"), Origin::Observed)
        .with("status", "open")
        .data("title", format!("What hooks of {} were fed that is no payload", agent.name()));
    let drafts = vec![raw(&session, bytes, why)];
    Heard { opening: Some(opening), drafts, strange: Some(why), ..Heard::default() }
}

/// An event that we don't know, of a session that we do.
fn strange(payload: &Payload, bytes: &[u8]) -> Heard {
    let why = "event is unknown";
    let drafts = vec![raw(&payload.session, bytes, why)];
    Heard { opening: Some(payload.opening()), drafts, strange: Some(why), ..Heard::default() }
}

fn raw(session: &str, bytes: &[u8], why: &'static str) -> Draft {
    let text = String::from_utf8_lossy(bytes);
    Draft::new(session, Kind::of("raw.kept"), Origin::Observed)
        .data("record", text.trim())
        .data("reason", why)
        .data("source", "hook")
}

#[cfg(test)]
mod tests;
