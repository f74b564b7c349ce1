//! Where a value came from: its first appearance, who passed it on, and whether there was evidence.

use std::collections::{BTreeMap, BTreeSet};

use event::{Event, SessionId};
use recorder::{Now, Options, Query, QueryError, Sort, Store};

use crate::act;
use crate::error::InvestigateError;

/// Sightings that are looked at.
const MOST: usize = 2_000;

/// What a first appearance rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// It came from outside: a person, a prompt, a tool's result, a file.
    Given,
    /// An agent said or wrote it, and nothing recorded before holds it.
    Ungrounded,
    /// Another agent had it before.
    PassedOn,
}

/// One appearance worth telling.
#[derive(Debug, Clone)]
pub struct Sighting {
    /// The event.
    pub event: Event,
    /// What it rests on.
    pub ground: Ground,
}

/// Where a value stands.
#[derive(Debug, Clone, Default)]
pub struct Blame {
    /// For each session its first appearance and then each agent's first, the earliest session first.
    pub sightings: Vec<Sighting>,
    /// In how many events it stands.
    pub total: u64,
    /// False if there are more than were looked at, or damage hides some.
    pub complete: bool,
}

/// Finds a value: by its words in the index, then letter by letter in the stored text.
pub fn blame(
    store: &Store,
    value: &str,
    only: Option<(&SessionId, Option<u64>)>,
    now: &Now,
) -> Result<Blame, InvestigateError> {
    let phrase = format!("\"{}\"", value.replace('"', " "));
    let parse = |text: &str| {
        Query::parse(text, now).map_err(|error: QueryError| InvestigateError::Value { what: error.message })
    };
    let mut query = parse(&phrase)?;
    if let Some((session, upto)) = only {
        query = query.and(parse(&format!("session:\"{session}\""))?);
        if let Some(last) = upto {
            query = query.and(parse(&format!("seq:<={last}"))?);
        }
    }
    let options = Options { limit: MOST, sort: Some(Sort::Oldest), ..Options::default() };
    let answer = store.search(&query, &options, false)?;
    let wanted = folded(value);
    let holds = |event: &Event| act::texts(event).iter().any(|text| folded(text).contains(&wanted));
    let complete = answer.complete && answer.total <= MOST as u64;
    let mut by_session: BTreeMap<SessionId, Vec<Event>> = BTreeMap::new();
    let mut total = 0;
    for event in answer.hits.into_iter().map(|hit| hit.event).filter(holds) {
        total += 1;
        by_session.entry(event.session.clone()).or_default().push(event);
    }
    let mut sessions: Vec<Vec<Event>> = by_session.into_values().collect();
    for events in &mut sessions {
        events.sort_by_key(|event| event.seq);
    }
    sessions.sort_by(|a, b| a[0].time().cmp(b[0].time()));
    let sightings = sessions.into_iter().flat_map(hops).collect();
    Ok(Blame { sightings, total, complete })
}

fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first appearance, and the first of each agent after it.
fn hops(events: Vec<Event>) -> Vec<Sighting> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut found: Vec<Sighting> = Vec::new();
    for event in events {
        let own = act::deed(&event).is_some();
        let who = if own { act::actor(&event).to_owned() } else { format!("→ {}", act::actor(&event)) };
        if !seen.insert(who) {
            continue;
        }
        let ground = match (own, found.is_empty()) {
            (true, true) => Ground::Ungrounded,
            (true, false) => Ground::PassedOn,
            (false, _) => Ground::Given,
        };
        found.push(Sighting { event, ground });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::event;
    use serde_json::json;

    #[test]
    fn what_an_agent_says_first_is_ungrounded_and_what_a_tool_gave_is_not() {
        let says = |seq, agent: &str| {
            event(seq, "message.recorded", json!({"agent": agent, "role": "assistant"}), json!({}))
        };
        let gave = |seq| event(seq, "skill.returned", json!({"agent": "a"}), json!({}));
        let grounds = |events| hops(events).iter().map(|s| s.ground).collect::<Vec<_>>();
        assert_eq!(
            grounds(vec![says(0, "a"), says(1, "a"), says(2, "b")]),
            [Ground::Ungrounded, Ground::PassedOn]
        );
        assert_eq!(grounds(vec![gave(0), says(1, "a")]), [Ground::Given, Ground::PassedOn]);
    }
}
