//! Events of a caller's own, what agents said to each other, and tokens.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use event::{Draft, Event, Kind, Origin};
use recorder::{Recorder, Row, Store};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::OrchestrateError;
use crate::house::{Asked, header};
use crate::told::{Saved, is_redacted, record};
use crate::words;

/// The longest name that a kind of a caller's own can have.
const NAME_BYTES: usize = 64;

/// An event as a caller hands it in.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    /// The session.
    pub session: String,
    /// What happened: a kind of the house, or any name of the caller's own.
    pub name: String,
    /// Any JSON.
    pub payload: Value,
    /// The group.
    pub group: Option<String>,
    /// The agent's role.
    pub agent: Option<String>,
    /// With this key and content it is told once.
    pub key: Option<String>,
}

/// Saves an event. A name that is no kind of the house becomes `x.<name>`.
pub fn save(recorder: &mut Recorder, new: NewEvent) -> Result<Saved, OrchestrateError> {
    words::filled("event name", &new.name)?;
    new.group.as_deref().map_or(Ok(()), words::group)?;
    let known = Kind::known(&new.name).ok().filter(|kind| kind.spec().is_some());
    let own = kind_of(&new.name);
    let kind = known.clone().unwrap_or_else(|| Kind::stored(&own));
    let mut draft =
        Draft::new(&new.session, kind, Origin::Claimed).with("group", new.group).with("agent", new.agent);
    draft.key = new.key;
    draft.data = payload(known.is_some(), new.payload);
    if known.is_none() && own.strip_prefix("x.") != Some(new.name.as_str()) && own != new.name {
        draft = draft.data("name", new.name);
    }
    Ok(record(recorder, draft)?.0)
}

/// Members of a kind of the house stand where they belong; anything else is the caller's own.
fn payload(known: bool, payload: Value) -> Map<String, Value> {
    match payload {
        Value::Object(map) if known && map.keys().all(|name| is_member_name(name)) => map,
        other => Map::from_iter([("body".to_owned(), other)]),
    }
}

fn is_member_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'))
        && !matches!(name, "hash" | "data" | "salt")
}

/// The kind that a name of the caller's own is stored under.
pub fn kind_of(name: &str) -> String {
    if Kind::known(name).is_ok() {
        return name.to_owned();
    }
    // judged as it was written: in small letters, or cut, nobody would know a key for what it is
    if !redact::scan(name).is_empty() {
        return "x.redacted".to_owned();
    }
    let fit = |c: char| {
        let c = c.to_ascii_lowercase();
        if c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '.') { c } else { '_' }
    };
    let own: String = name.chars().map(fit).take(NAME_BYTES).collect();
    format!("x.{own}")
}

/// One event of a caller's own.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OwnEvent {
    /// `session/sequence`.
    pub event: String,
    /// The session, by its id in the store.
    pub session: String,
    /// Its place in the session.
    pub seq: u64,
    /// As its caller named it.
    pub name: String,
    /// As it is stored.
    pub kind: String,
    /// The group.
    pub group: Option<String>,
    /// The agent's role.
    pub agent: Option<String>,
    /// When.
    pub at: String,
    /// What the caller handed in.
    pub payload: Value,
    /// True if secrets were taken out.
    pub redacted: bool,
}

/// Events of callers' own, or of one name (a kind of the house, too), the newest first.
pub fn get(
    store: &Store,
    session: &str,
    name: Option<&str>,
    limit: usize,
) -> Result<Vec<OwnEvent>, OrchestrateError> {
    let kind = name.map(kind_of);
    let noun = kind.as_deref().and_then(|kind| kind.split('.').next()).unwrap_or("x").to_owned();
    let mut asked = Asked::about(store, session, &[noun.as_str()])?;
    let mut rows = asked.rows(&noun, None)?;
    rows.retain(|row| kind.as_ref().is_none_or(|kind| row.kind == *kind));
    let mut found = Vec::new();
    for row in rows.iter().rev() {
        if found.len() >= limit {
            break;
        }
        let event = asked.event(row)?;
        let own = own_event(&mut asked, &event)?;
        // two names may share a kind
        if name.is_none_or(|name| own.name == name || own.kind == name) {
            found.push(own);
        }
    }
    Ok(found)
}

fn own_event(asked: &mut Asked<'_>, event: &Event) -> Result<OwnEvent, OrchestrateError> {
    let kind = event.kind.as_str();
    let name = event.data.get("name").and_then(Value::as_str);
    let name = name.unwrap_or_else(|| kind.strip_prefix("x.").unwrap_or(kind)).to_owned();
    let payload = match asked.member(event, "body")? {
        Some(body) => body,
        None => asked.store.whole(&Value::Object(event.data.to_map()))?,
    };
    Ok(OwnEvent {
        event: event.name(),
        session: event.session.to_string(),
        seq: event.seq,
        name,
        kind: kind.to_owned(),
        group: header(event, "group"),
        agent: header(event, "agent"),
        at: event.time().to_owned(),
        payload,
        redacted: is_redacted(event),
    })
}

/// Something that an agent said or was told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewLog {
    /// The session.
    pub session: String,
    /// The agent's role.
    pub agent: String,
    /// Which agent of that role.
    pub agent_id: Option<String>,
    /// The group.
    pub group: Option<String>,
    /// The caller's own count.
    pub attempt: Option<u64>,
    /// What was said.
    pub text: String,
}

/// Saves an interaction as a message of its agent.
pub fn log(recorder: &mut Recorder, new: NewLog) -> Result<Saved, OrchestrateError> {
    words::agent(&new.agent)?;
    words::filled("text", &new.text)?;
    new.group.as_deref().map_or(Ok(()), words::group)?;
    let draft = Draft::new(&new.session, Kind::of("message.recorded"), Origin::Claimed)
        .with("group", new.group)
        .with("agent", new.agent)
        .with("agent_id", new.agent_id)
        .with("role", "assistant")
        .with("attempt", new.attempt)
        .data("text", new.text);
    Ok(record(recorder, draft)?.0)
}

/// One message of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Log {
    /// `session/sequence`.
    pub event: String,
    /// Its place in the session.
    pub seq: u64,
    /// When.
    pub at: String,
    /// The agent's role.
    pub agent: Option<String>,
    /// Which agent of that role.
    pub agent_id: Option<String>,
    /// The group.
    pub group: Option<String>,
    /// Who speaks: user, assistant, system, …
    pub role: Option<String>,
    /// The caller's own count.
    pub attempt: Option<u64>,
    /// What was said, whole.
    pub text: String,
    /// True if secrets were taken out.
    pub redacted: bool,
}

/// Messages of a session, the newest first; `offset` of them are passed over.
pub fn logs(store: &Store, session: &str, limit: usize, offset: usize) -> Result<Vec<Log>, OrchestrateError> {
    let mut asked = Asked::about(store, session, &["message"])?;
    let mut rows: Vec<Row> = Vec::new();
    let wanted = limit.saturating_add(offset);
    if limit > 0 {
        asked.views.newest(&asked.session, &mut |row| {
            if row.kind == "message.recorded" {
                rows.push(row);
            }
            if rows.len() < wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
    }
    rows.iter().skip(offset).map(|row| message(&mut asked, row)).collect()
}

fn message(asked: &mut Asked<'_>, row: &Row) -> Result<Log, OrchestrateError> {
    let event = asked.event(row)?;
    Ok(Log {
        event: event.name(),
        seq: event.seq,
        at: event.time().to_owned(),
        agent: header(&event, "agent"),
        agent_id: header(&event, "agent_id"),
        group: header(&event, "group"),
        role: header(&event, "role"),
        attempt: event.header.get("attempt").and_then(Value::as_u64),
        text: asked.text(&event, "text")?,
        redacted: is_redacted(&event),
    })
}

/// Messages as Markdown, the oldest first; recorded text is quoted.
pub fn logs_markdown(logs: &[Log]) -> String {
    if logs.is_empty() {
        return "No logs found.\n".to_owned();
    }
    let entry = |log: &Log| {
        let attempt = log.attempt.map_or_else(|| "?".to_owned(), |n| n.to_string());
        let who = words::plain(log.agent.as_deref().or(log.role.as_deref()).unwrap_or("-"));
        format!(
            "## [{}] Iteration {attempt} - {}\n\n{}\n",
            log.at,
            who.to_uppercase(),
            words::quoted(&log.text)
        )
    };
    logs.iter().rev().map(entry).collect()
}

/// Tokens that an agent used, as its caller estimates them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewTokens {
    /// The session.
    pub session: String,
    /// The agent's role.
    pub agent: String,
    /// Which agent of that role.
    pub agent_id: Option<String>,
    /// The group.
    pub group: Option<String>,
    /// How many.
    pub tokens: u64,
}

/// Saves a count of tokens.
pub fn log_tokens(recorder: &mut Recorder, new: NewTokens) -> Result<Saved, OrchestrateError> {
    words::agent(&new.agent)?;
    let usage = Map::from_iter([("estimated".to_owned(), Value::from(new.tokens))]);
    let draft = Draft::new(&new.session, Kind::of("usage.reported"), Origin::Claimed)
        .with("group", new.group)
        .with("agent", new.agent)
        .with("agent_id", new.agent_id)
        .with("usage", usage);
    Ok(record(recorder, draft)?.0)
}

/// Estimated tokens of a session, by role, or by agent id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// By name; what nobody is named for stands under `-`.
    pub by: BTreeMap<String, u64>,
    /// All of them.
    pub total: u64,
}

/// Sums the counts of a session up.
pub fn tokens(store: &Store, session: &str, by_id: bool) -> Result<Tokens, OrchestrateError> {
    let mut asked = Asked::about(store, session, &["usage"])?;
    let mut sums = Tokens::default();
    for row in asked.rows("usage", None)? {
        let event = asked.event(&row)?;
        let usage = event.header.get("usage").and_then(|usage| usage.get("estimated"));
        let Some(tokens) = usage.and_then(Value::as_u64) else { continue };
        let name = if by_id { &row.agent_id } else { &row.agent };
        let sum = sums.by.entry(name.clone().unwrap_or_else(|| "-".to_owned())).or_default();
        *sum = sum.saturating_add(tokens);
        sums.total = sums.total.saturating_add(tokens);
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_callers_own_become_kinds() {
        assert_eq!(kind_of("reasoning_handoff"), "x.reasoning_handoff");
        assert_eq!(kind_of("Scope Change!"), "x.scope_change_");
        assert_eq!(kind_of("x.mine"), "x.mine");
        assert_eq!(kind_of("note.added"), "note.added");
        assert_eq!(kind_of("AKIA7VY5KIAX5K6YFESY"), "x.redacted");
        assert_eq!(kind_of("the password=\"Tr0ub4dor&3x\" event"), "x.redacted");
        assert!(Kind::known(&kind_of(&"é".repeat(100))).is_ok());
    }
}
