//! What skills returned: every output is kept, and its number is its rank in the journal.

use std::collections::HashMap;

use event::Event;
use recorder::{Recorder, Store};
use serde_json::{Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{draft, events, field, record, time};
use crate::words::{group as check_group, json as parse, some};

const KIND: &str = "skill.returned";
const MICROS_PER_MINUTE: i64 = 60_000_000;

/// What a skill returned.
#[derive(Debug, Clone, Copy)]
pub struct Output<'a> {
    /// The session.
    pub session: &'a str,
    /// The skill.
    pub skill: &'a str,
    /// What it returned, as JSON.
    pub output: &'a str,
    /// The role of the agent that used it.
    pub agent: Option<&'a str>,
    /// The group.
    pub group: Option<&'a str>,
}

/// An output and its rank among those of the same skill, role and group.
struct Ranked {
    event: Event,
    rank: u64,
}

fn ranked(store: &Store, session: &str, skill: &str) -> Result<Vec<Ranked>, BazingaError> {
    let mut ranks: HashMap<(Value, Value), u64> = HashMap::new();
    let found = events(store, session, &[KIND])?;
    let own = found.into_iter().filter(|event| event.text("skill") == Some(skill));
    Ok(own
        .map(|event| {
            let rank = ranks.entry((field(&event, "agent"), field(&event, "group"))).or_default();
            *rank += 1;
            Ranked { rank: *rank, event }
        })
        .collect())
}

fn output(event: &Event) -> Value {
    event.data.get("output").cloned().unwrap_or_default()
}

/// `save-skill-output`.
pub fn save_skill_output(recorder: &mut Recorder, given: Output<'_>) -> Result<Answer, BazingaError> {
    some("the session id", given.session)?;
    some("the skill", given.skill)?;
    given.group.map(check_group).transpose()?;
    let draft = draft(given.session, KIND)
        .with("group", given.group)
        .with("agent", given.agent)
        .with("skill", given.skill)
        .with("status", "ok")
        .data("output", parse("the output", given.output)?);
    let event = record(recorder, draft)?;
    let ranked = ranked(&recorder.store(), given.session, given.skill)?;
    let rank = ranked.iter().find(|ranked| ranked.event.seq == event.seq).map_or(0, |ranked| ranked.rank);
    let agent = given.agent.map_or_else(String::new, |agent| format!(" for {agent}"));
    let said = format!("✓ Saved {} output{agent} (iteration {rank})", given.skill);
    Ok(Answer::of(json!({"iteration": rank})).saying(said))
}

fn of_agent(
    store: &Store,
    session: &str,
    skill: &str,
    agent: Option<&str>,
) -> Result<Vec<Ranked>, BazingaError> {
    let mut found = ranked(store, session, skill)?;
    found.retain(|found| agent.is_none_or(|agent| found.event.text("agent") == Some(agent)));
    Ok(found)
}

/// `get-skill-output`: the latest, bare, or null.
pub fn skill_output(
    store: &Store,
    session: &str,
    skill: &str,
    agent: Option<&str>,
) -> Result<Answer, BazingaError> {
    let latest = of_agent(store, session, skill, agent)?.pop();
    Ok(Answer::of(latest.map_or(Value::Null, |latest| output(&latest.event))))
}

/// `get-skill-output-all`: the newest first.
pub fn skill_outputs(
    store: &Store,
    session: &str,
    skill: &str,
    agent: Option<&str>,
) -> Result<Answer, BazingaError> {
    let found = of_agent(store, session, skill, agent)?;
    let rows = found.iter().rev().map(|Ranked { event, rank }| {
        json!({
            "iteration": rank, "agent_type": field(event, "agent"), "group_id": field(event, "group"),
            "timestamp": time(event), "output_data": output(event),
        })
    });
    Ok(Answer::of(rows.collect::<Vec<_>>()))
}

/// `check-skill-evidence`: no, while a skill has returned nothing in the last so many minutes.
pub fn skill_evidence(
    store: &Store,
    session: &str,
    skills: &str,
    agent: Option<&str>,
    minutes: u64,
) -> Result<Answer, BazingaError> {
    let mut wanted: Vec<&str> = skills.split(',').map(str::trim).filter(|skill| !skill.is_empty()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.is_empty() {
        return Err(BazingaError::value("the skills", "names with commas between them"));
    }
    let back = i64::try_from(minutes).unwrap_or(i64::MAX).saturating_mul(MICROS_PER_MINUTE);
    let since = world::rfc3339(store.journal().world().clock.now().saturating_sub(back));
    let found = events(store, session, &[KIND])?;
    let recent = found.iter().filter(|event| {
        event.time() >= since.as_str() && agent.is_none_or(|agent| event.text("agent") == Some(agent))
    });
    let recent: Vec<&str> = recent.filter_map(|event| event.text("skill")).collect();
    let (found, missing): (Vec<&str>, Vec<&str>) = wanted.iter().partition(|skill| recent.contains(skill));
    let complete = missing.is_empty();
    let answer = Answer::of(json!({
        "complete": complete, "missing": missing, "found": found, "mandatory": wanted,
        "recency_window_minutes": minutes,
    }));
    Ok(if complete { answer } else { answer.no() })
}
