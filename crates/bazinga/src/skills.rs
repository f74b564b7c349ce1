//! What skills returned: every output is kept, and its number is its rank in the journal.

use orchestrate::skills::{self, NewOutput, SkillOutput, Wanted};
use recorder::{Recorder, Store};
use serde_json::{Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{named, written};
use crate::words::{json as parse, some};

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

/// `save-skill-output`.
pub fn save_skill_output(recorder: &mut Recorder, given: Output<'_>) -> Result<Answer, BazingaError> {
    some("the session id", given.session)?;
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let new = NewOutput {
        session: given.session.to_owned(),
        skill: given.skill.to_owned(),
        output: parse("the output", given.output)?,
        agent: owned(given.agent),
        group: owned(given.group),
    };
    let rank = skills::save(recorder, new)?.iteration;
    let agent = given.agent.map_or_else(String::new, |agent| format!(" for {agent}"));
    let said = format!("✓ Saved {} output{agent} (iteration {rank})", given.skill);
    Ok(Answer::of(json!({"iteration": rank})).saying(said))
}

/// What is asked for, if there is such a session.
fn wanted(
    store: &Store,
    session: &str,
    skill: &str,
    agent: Option<&str>,
) -> Result<Option<Wanted>, BazingaError> {
    let session = named(store, session)?.map(|session| session.to_string());
    let (skill, agent) = (skill.to_owned(), agent.map(str::to_owned));
    Ok(session.map(|session| Wanted { session, skill, agent, group: None }))
}

fn latest(
    store: &Store,
    session: &str,
    skill: &str,
    agent: Option<&str>,
) -> Result<Option<SkillOutput>, BazingaError> {
    match wanted(store, session, skill, agent)? {
        Some(wanted) => Ok(skills::latest(store, &wanted)?),
        None => Ok(None),
    }
}

/// `get-skill-output`: the latest, bare, or null.
pub fn skill_output(
    store: &Store,
    session: &str,
    skill: &str,
    agent: Option<&str>,
) -> Result<Answer, BazingaError> {
    let latest = latest(store, session, skill, agent)?;
    Ok(Answer::of(latest.map_or(Value::Null, |latest| latest.output)))
}

/// `get-skill-output-all`: the newest first.
pub fn skill_outputs(
    store: &Store,
    session: &str,
    skill: &str,
    agent: Option<&str>,
) -> Result<Answer, BazingaError> {
    let found = match wanted(store, session, skill, agent)? {
        Some(wanted) => skills::all(store, &wanted)?,
        None => Vec::new(),
    };
    let rows = found.into_iter().rev().map(|output| {
        json!({
            "iteration": output.iteration, "agent_type": output.agent, "group_id": output.group,
            "timestamp": written(&output.at), "output_data": output.output,
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
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for skill in &wanted {
        let latest = latest(store, session, skill, agent)?;
        let recent = latest.is_some_and(|latest| latest.at >= since);
        if recent { found.push(skill) } else { missing.push(skill) }
    }
    let complete = missing.is_empty();
    let answer = Answer::of(json!({
        "complete": complete, "missing": missing, "found": found, "mandatory": wanted,
        "recency_window_minutes": minutes,
    }));
    Ok(if complete { answer } else { answer.no() })
}
