//! Which agent took which context package in, in which of its iterations.

use event::{Event, Kind};
use recorder::{Recorded, Recorder, Store};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{draft, events, time};
use crate::words::{group as check_group, some};

const TAKEN: &str = "x.consumption";
const MOST: usize = 1000;

/// Who took what in.
#[derive(Debug, Clone, Copy)]
pub struct Consumption<'a> {
    /// The session.
    pub session: &'a str,
    /// The group.
    pub group: &'a str,
    /// The agent's role.
    pub agent: &'a str,
    /// The caller's count.
    pub iteration: u64,
    /// The package, by its number.
    pub package: u64,
}

impl Consumption<'_> {
    /// The same call, the same words: what the original's id is made of.
    fn composite(&self) -> String {
        let Self { session, group, agent, iteration, package } = self;
        format!("{session}:{group}:{agent}:{iteration}:{package}")
    }

    /// Made of what is said, and never stored.
    fn scope_id(&self) -> String {
        let hash = Sha256::digest(self.composite());
        hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// `save-consumption`: said again, it is said once.
pub fn save_consumption(recorder: &mut Recorder, taken: Consumption<'_>) -> Result<Answer, BazingaError> {
    some("the session id", taken.session)?;
    some("the agent", taken.agent)?;
    check_group(taken.group)?;
    let key = recorder.derived_key(&taken.composite());
    let mut draft = draft(taken.session, "note.added")
        .with("group", taken.group)
        .with("agent", taken.agent)
        .data("body", json!({"package_id": taken.package, "iteration": taken.iteration}))
        .key(key);
    draft.kind = Kind::stored(TAKEN);
    draft.check().map_err(|error| BazingaError::value("the command", error.to_string()))?;
    let inserted = matches!(recorder.record(draft)?, Recorded::Stored(_));
    let Consumption { session, group, agent, iteration, package } = taken;
    let said = if inserted {
        format!("✓ Saved consumption: {agent} consumed package {package}")
    } else {
        format!("✓ Consumption exists: {agent} package {package} (idempotent)")
    };
    Ok(Answer::of(json!({
        "success": true, "inserted": inserted, "scope_id": taken.scope_id(), "session_id": session,
        "group_id": group, "agent_type": agent, "iteration": iteration, "package_id": package,
    }))
    .saying(said))
}

/// `get-consumption`: the newest first.
pub fn consumption(
    store: &Store,
    session: &str,
    group: Option<&str>,
    agent: Option<&str>,
    limit: usize,
) -> Result<Answer, BazingaError> {
    let mut found = events(store, session, &[TAKEN])?;
    let is = |event: &Event, name: &str, wanted: Option<&str>| {
        wanted.is_none_or(|wanted| event.text(name) == Some(wanted))
    };
    found.retain(|event| is(event, "group", group) && is(event, "agent", agent));
    let rows = found.iter().rev().take(limit.clamp(1, MOST)).map(|event| row(event, session));
    Ok(Answer::of(rows.collect::<Vec<_>>()))
}

fn row(event: &Event, session: &str) -> Value {
    let (group, agent) = (event.text("group").unwrap_or_default(), event.text("agent").unwrap_or_default());
    let count = |name: &str| event.data.get("body").and_then(|body| body[name].as_u64()).unwrap_or(0);
    let (iteration, package) = (count("iteration"), count("package_id"));
    let taken = Consumption { session, group, agent, iteration, package };
    json!({
        "scope_id": taken.scope_id(), "session_id": session, "group_id": group, "agent_type": agent,
        "iteration": iteration, "package_id": package, "consumed_at": time(event),
    })
}
