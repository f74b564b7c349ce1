//! Delivered: the prompt of a spawned agent holds the digest, which is known by the id in its second line.

use event::{Draft, Event, Kind, Origin};
use recorder::{Recorder, Row, Store};
use serde::Serialize;
use serde_json::Value;

use crate::error::OrchestrateError;
use crate::house::{Asked, header};
use crate::told::{Saved, record};

const MARK: &str = "[digest ";
const ID_DIGITS: usize = 12;

/// The ids of the digests in a text.
pub fn ids_in(text: &str) -> Vec<String> {
    let after = text.split(MARK).skip(1);
    let id = |rest: &str| {
        let id = rest.get(..ID_DIGITS)?;
        id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')).then(|| id.to_owned())
    };
    let mut ids: Vec<String> = after.filter_map(id).collect();
    ids.dedup();
    ids
}

/// A digest that reached an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Delivery {
    /// The digest, by its id.
    pub digest: String,
    /// The event that it was assembled by.
    pub assembled: String,
    /// The event that spawned the agent.
    pub spawned: String,
    /// True if the prompt holds the whole text.
    pub whole: bool,
}

/// A digest that was assembled and that no prompt holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Undelivered {
    /// The event that it was assembled by.
    pub event: String,
    /// Its place in the session.
    pub seq: u64,
    /// The group.
    pub group: Option<String>,
    /// The role that it was for.
    pub role: Option<String>,
    /// True if an agent of that role was spawned in the group since; false if none has come yet.
    pub spawned_since: bool,
}

/// An agent that is spawned, as its orchestrator hands it in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewSpawn {
    /// The session.
    pub session: String,
    /// The group.
    pub group: Option<String>,
    /// The agent's role.
    pub agent: String,
    /// Which agent of that role.
    pub agent_id: Option<String>,
    /// Who spawns it.
    pub parent_agent: Option<String>,
    /// All that it is told.
    pub prompt: String,
}

/// What became of a spawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spawned {
    /// The acknowledgement.
    #[serde(flatten)]
    pub saved: Saved,
    /// The events that say which digests it was given.
    pub delivered: Vec<String>,
}

/// Records a spawn, and the digests that its prompt holds as delivered.
pub fn spawn(recorder: &mut Recorder, new: NewSpawn) -> Result<Spawned, OrchestrateError> {
    crate::words::agent(&new.agent)?;
    new.group.as_deref().map_or(Ok(()), crate::words::group)?;
    let draft = Draft::new(&new.session, Kind::of("agent.spawned"), Origin::Claimed)
        .with("group", new.group)
        .with("agent", new.agent)
        .with("agent_id", new.agent_id)
        .with("parent_agent", new.parent_agent)
        .data("prompt", new.prompt);
    let (saved, event) = record(recorder, draft)?;
    let delivered = deliver(recorder, &event)?.into_iter().map(|saved| saved.event).collect();
    Ok(Spawned { saved, delivered })
}

/// Records the digests that the prompt of a spawn holds as delivered.
pub fn deliver(recorder: &mut Recorder, spawned: &Event) -> Result<Vec<Saved>, OrchestrateError> {
    let store = recorder.store();
    let prompt = match spawned.data.get("prompt").or_else(|| spawned.data.get("text")) {
        Some(prompt) => crate::house::text_of(store.whole(prompt)?),
        None => return Ok(Vec::new()),
    };
    let ids = ids_in(&prompt);
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut asked = Asked::about(&store, spawned.session.as_str(), &["digest"])?;
    let mut drafts = Vec::new();
    for event in assembled(&mut asked, spawned.seq)? {
        let id = event.data.get("digest").and_then(Value::as_str).unwrap_or_default();
        if ids.iter().any(|known| known == id) {
            let whole = prompt.contains(asked.text(&event, "text")?.trim());
            drafts.push(delivered(&event, spawned, whole));
        }
    }
    drop(asked);
    drafts.into_iter().map(|draft| Ok(record(recorder, draft)?.0)).collect()
}

fn assembled(asked: &mut Asked<'_>, before: u64) -> Result<Vec<Event>, OrchestrateError> {
    let rows = asked.rows("digest", None)?;
    let rows = rows.iter().filter(|row| row.kind == "digest.assembled" && row.seq < before);
    rows.map(|row| asked.event(row)).collect()
}

fn delivered(assembled: &Event, spawned: &Event, whole: bool) -> Draft {
    let mut draft = Draft::new(assembled.session.as_str(), Kind::of("digest.delivered"), Origin::Observed)
        .with("group", header(spawned, "group").or_else(|| header(assembled, "group")))
        .with("agent", header(spawned, "agent"))
        .with("agent_id", header(spawned, "agent_id"))
        .with("cause", assembled.seq)
        .data("digest", assembled.data.get("digest").cloned().unwrap_or_default())
        .data("spawned", spawned.seq)
        .data("whole", whole);
    for name in ["from", "to", "phases", "budget", "tokens", "cut"] {
        if let Some(value) = assembled.header.get(name) {
            draft.header.insert(name.to_owned(), value.clone());
        }
    }
    draft
}

/// Every delivery of a session: those that were recorded, and those that the prompts of its spawns show.
pub fn deliveries(store: &Store, session: &str) -> Result<Vec<Delivery>, OrchestrateError> {
    let mut asked = Asked::about(store, session, &["agent", "digest"])?;
    deliveries_of(&mut asked)
}

fn deliveries_of(asked: &mut Asked<'_>) -> Result<Vec<Delivery>, OrchestrateError> {
    let mut found: Vec<Delivery> = Vec::new();
    let digests = asked.rows("digest", None)?;
    let name = |seq: u64, asked: &Asked<'_>| format!("{}/{seq}", asked.session);
    for row in digests.iter().filter(|row| row.kind == "digest.delivered") {
        let event = asked.event(row)?;
        let (Some(cause), Some(spawned)) = (
            event.header.get("cause").and_then(Value::as_u64),
            event.data.get("spawned").and_then(Value::as_u64),
        ) else {
            continue;
        };
        found.push(Delivery {
            digest: event.data.get("digest").and_then(Value::as_str).unwrap_or_default().to_owned(),
            assembled: name(cause, asked),
            spawned: name(spawned, asked),
            whole: event.data.get("whole").is_some_and(|whole| *whole == true),
        });
    }
    let known: Vec<Event> = assembled(asked, u64::MAX)?;
    if known.is_empty() {
        return Ok(found);
    }
    for spawn in spawns(asked)? {
        let event = asked.event(&spawn)?;
        let prompt = if event.data.contains_key("prompt") { "prompt" } else { "text" };
        let prompt = asked.text(&event, prompt)?;
        for id in ids_in(&prompt) {
            let same = |digest: &&Event| {
                digest.seq < spawn.seq && digest.data.get("digest").is_some_and(|d| *d == id)
            };
            let Some(digest) = known.iter().rev().find(same) else { continue };
            let (assembled, spawned) = (name(digest.seq, asked), name(spawn.seq, asked));
            let told = |known: &Delivery| known.assembled == assembled && known.spawned == spawned;
            if !found.iter().any(told) {
                let whole = prompt.contains(asked.text(digest, "text")?.trim());
                found.push(Delivery { digest: id, assembled, spawned, whole });
            }
        }
    }
    Ok(found)
}

fn spawns(asked: &Asked<'_>) -> Result<Vec<Row>, OrchestrateError> {
    let mut rows = asked.rows("agent", None)?;
    rows.retain(|row| row.kind == "agent.spawned");
    Ok(rows)
}

/// Digests of a session that were assembled and never reached an agent. One that a newer digest for the same
/// role and group replaced before anybody was spawned is owed to nobody.
pub fn undelivered(store: &Store, session: &str) -> Result<Vec<Undelivered>, OrchestrateError> {
    let mut asked = Asked::about(store, session, &["agent", "digest"])?;
    let delivered = deliveries_of(&mut asked)?;
    let digests = asked.rows("digest", None)?;
    let made: Vec<&Row> = digests.iter().filter(|row| row.kind == "digest.assembled").collect();
    let spawns = spawns(&asked)?;
    let mut found = Vec::new();
    for (at, row) in made.iter().enumerate() {
        let event = format!("{}/{}", row.session, row.seq);
        if delivered.iter().any(|delivery| delivery.assembled == event) {
            continue;
        }
        let mine = |spawn: &&Row| {
            spawn.seq > row.seq
                && spawn.agent == row.to
                && (spawn.group == row.group || spawn.group.is_none())
        };
        let first_spawn = spawns.iter().find(mine).map(|spawn| spawn.seq);
        let next = made[at + 1..].iter().find(|later| later.to == row.to && later.group == row.group);
        if next.is_some_and(|next| first_spawn.is_none_or(|spawn| next.seq < spawn)) {
            continue;
        }
        let (group, role, spawned_since) = (row.group.clone(), row.to.clone(), first_spawn.is_some());
        found.push(Undelivered { event, seq: row.seq, group, role, spawned_since });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_in_any_prompt() {
        assert_eq!(ids_in("a [digest 0123456789ab, o200k_base] b [digest xyz]"), ["0123456789ab"]);
        assert!(ids_in("[digest é").is_empty());
    }
}
