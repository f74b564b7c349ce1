//! Compliance: what every spawn of an agent owes, and what of it was documented. And honest coverage: how much
//! of what agents thought a provider withheld, and how much they said themselves.
//!
//! A fold over spawns, in the order of the journal. Reasoning belongs to the spawn with its agent id; without one, to
//! the latest spawn of its role in its group that has not stopped. Agents that nobody was seen to spawn are units, too.

use std::collections::BTreeMap;

use recorder::{Row, Store};
use serde::Serialize;

use crate::error::OrchestrateError;
use crate::house::Asked;
use crate::words::MANDATORY;

/// One spawn of an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Unit {
    /// The event that spawned it; none if nobody was seen to.
    pub spawned: Option<String>,
    /// Its first event.
    pub first: String,
    /// Its role.
    pub agent: Option<String>,
    /// Which agent of that role.
    pub agent_id: Option<String>,
    /// The group.
    pub group: Option<String>,
    /// How often it documented each phase.
    pub phases: BTreeMap<String, u64>,
    /// Mandatory phases that it never documented.
    pub missing: Vec<&'static str>,
    /// Mandatory phases that it documented more than once; they count once.
    pub repeated: Vec<&'static str>,
    /// Phases that it documented after it had stopped.
    pub late: Vec<String>,
    /// True once it has stopped.
    pub stopped: bool,
    #[serde(skip)]
    started: bool,
}

impl Unit {
    /// True if nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }
}

/// How a session stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Compliance {
    /// The session, by its id in the store.
    pub session: String,
    /// Spawns, and agents that nobody was seen to spawn.
    pub units: Vec<Unit>,
    /// How many of them are complete.
    pub complete: u64,
    /// Of a hundred; none if there is nothing to judge.
    pub percent: Option<u64>,
}

impl Compliance {
    /// True if there is something to judge and nothing is missing.
    pub fn holds(&self) -> bool {
        !self.units.is_empty() && self.units.iter().all(Unit::is_complete)
    }
}

/// Folds the spawns of a session, or of one group.
pub fn compliance(store: &Store, session: &str, group: Option<&str>) -> Result<Compliance, OrchestrateError> {
    let asked = Asked::about(store, session, &["agent", "reasoning"])?;
    let mut rows = asked.rows("agent", None)?;
    asked.views.reasoning(&asked.session, None, &mut |row| {
        rows.push(row);
        std::ops::ControlFlow::Continue(())
    })?;
    rows.sort_by_key(|row| row.seq);
    let mut units = Vec::new();
    for row in &rows {
        fold(&mut units, row);
    }
    units.retain(|unit: &Unit| group.is_none_or(|group| unit.group.as_deref() == Some(group)));
    units.iter_mut().for_each(judge);
    let complete = units.iter().filter(|unit| unit.is_complete()).count() as u64;
    let percent = (complete * 100).checked_div(units.len() as u64);
    Ok(Compliance { session: asked.session.to_string(), units, complete, percent })
}

fn fold(units: &mut Vec<Unit>, row: &Row) {
    match row.kind.as_str() {
        "agent.spawned" => units.push(unit(row, true)),
        "agent.started" => match of(units, row, &|unit| !unit.started && !unit.stopped) {
            Some(unit) => unit.started = true,
            None => units.push(Unit { started: true, ..unit(row, false) }),
        },
        "agent.stopped" => {
            if let Some(unit) = of(units, row, &|unit| !unit.stopped) {
                unit.stopped = true;
            }
        }
        "reasoning.recorded" => document(units, row),
        _ => {}
    }
}

fn unit(row: &Row, spawned: bool) -> Unit {
    let first = format!("{}/{}", row.session, row.seq);
    Unit {
        spawned: spawned.then(|| first.clone()),
        first,
        agent: row.agent.clone(),
        agent_id: row.agent_id.clone(),
        group: row.group.clone(),
        ..Unit::default()
    }
}

fn document(units: &mut Vec<Unit>, row: &Row) {
    let phase = row.detail.clone().unwrap_or_default();
    if of(units, row, &|unit| !unit.stopped).is_none() && of(units, row, &|_| true).is_none() {
        units.push(unit(row, false));
    }
    let open = of(units, row, &|unit| !unit.stopped).is_some();
    let Some(unit) = of(units, row, &|unit| !open || !unit.stopped) else { return };
    if unit.stopped && !unit.late.contains(&phase) {
        unit.late.push(phase.clone());
    }
    *unit.phases.entry(phase).or_default() += 1;
}

/// The latest unit that an event belongs to: by its id, else by role and group.
fn of<'u>(units: &'u mut [Unit], row: &Row, fits: &dyn Fn(&Unit) -> bool) -> Option<&'u mut Unit> {
    let role = |unit: &Unit| row.agent.is_none() || unit.agent.is_none() || unit.agent == row.agent;
    let group = |unit: &Unit| row.group.is_none() || unit.group.is_none() || unit.group == row.group;
    let at = match &row.agent_id {
        Some(id) => {
            let same = |unit: &Unit| unit.agent_id.as_ref() == Some(id) && role(unit) && group(unit);
            let unnamed = |unit: &Unit| unit.agent_id.is_none() && unit.agent == row.agent && group(unit);
            let by_id = units.iter().rposition(|unit| same(unit) && fits(unit));
            by_id.or_else(|| units.iter().rposition(|unit| unnamed(unit) && fits(unit)))
        }
        None => units.iter().rposition(|unit| unit.agent == row.agent && group(unit) && fits(unit)),
    }?;
    let unit = &mut units[at];
    if unit.agent_id.is_none() {
        unit.agent_id.clone_from(&row.agent_id);
    }
    Some(unit)
}

fn judge(unit: &mut Unit) {
    let count = |phase: &str| unit.phases.get(phase).copied().unwrap_or(0);
    unit.missing = MANDATORY.into_iter().filter(|phase| count(phase) == 0).collect();
    unit.repeated = MANDATORY.into_iter().filter(|phase| count(phase) > 1).collect();
}

/// Which mandatory phases an agent has documented in a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Phases {
    /// True if none is missing.
    pub complete: bool,
    /// Mandatory ones that are missing.
    pub missing: Vec<String>,
    /// Mandatory ones that are there.
    pub documented: Vec<String>,
    /// All that are there.
    pub all_documented: Vec<String>,
}

/// Looks at one role in one group, over all its spawns.
pub fn phases(store: &Store, session: &str, group: &str, agent: &str) -> Result<Phases, OrchestrateError> {
    let asked = Asked::about(store, session, &["reasoning"])?;
    let mut all = Vec::new();
    asked.views.reasoning(&asked.session, Some(group), &mut |row| {
        let phase = row.detail.unwrap_or_default();
        if row.agent.as_deref() == Some(agent) && !all.contains(&phase) {
            all.push(phase);
        }
        std::ops::ControlFlow::Continue(())
    })?;
    all.sort_unstable();
    let mut mandatory = MANDATORY;
    mandatory.sort_unstable();
    let (there, missing): (Vec<_>, Vec<_>) =
        mandatory.iter().map(|phase| (*phase).to_owned()).partition(|phase| all.contains(phase));
    Ok(Phases { complete: missing.is_empty(), missing, documented: there, all_documented: all })
}

/// What is known of what one agent thought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Thought {
    /// Blocks of thinking that were captured, with and without text.
    pub thinking: u64,
    /// Of them, without text: empty or encrypted by the provider.
    pub withheld: u64,
    /// Entries that the agent documented itself.
    pub phases: u64,
    /// Mandatory phases that its spawns are missing.
    pub missing: BTreeMap<&'static str, u64>,
}

/// What is known of what the agents of a session thought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Captured thinking by form.
    pub thinking: BTreeMap<String, u64>,
    /// Documented entries by phase.
    pub phases: BTreeMap<String, u64>,
    /// By role; `-` where nobody is named.
    pub agents: BTreeMap<String, Thought>,
}

impl Coverage {
    /// Blocks of thinking.
    pub fn blocks(&self) -> u64 {
        self.thinking.values().sum()
    }

    /// Blocks that a provider withheld.
    pub fn withheld(&self) -> u64 {
        self.agents.values().map(|thought| thought.withheld).sum()
    }
}

/// Counts what was captured, withheld, documented and is missing.
pub fn coverage(store: &Store, compliance: &Compliance) -> Result<Coverage, OrchestrateError> {
    let asked = Asked::about(store, &compliance.session, &["reasoning"])?;
    let mut coverage = Coverage::default();
    let name = |agent: &Option<String>| agent.clone().unwrap_or_else(|| "-".to_owned());
    for row in asked.views.thinking(&asked.session)? {
        let form = row.detail.unwrap_or_else(|| "full".to_owned());
        let thought = coverage.agents.entry(name(&row.agent)).or_default();
        thought.thinking += 1;
        thought.withheld += u64::from(matches!(form.as_str(), "empty" | "encrypted"));
        *coverage.thinking.entry(form).or_default() += 1;
    }
    for unit in &compliance.units {
        let thought = coverage.agents.entry(name(&unit.agent)).or_default();
        for (phase, count) in &unit.phases {
            thought.phases += count;
            *coverage.phases.entry(phase.clone()).or_default() += count;
        }
        for phase in &unit.missing {
            *thought.missing.entry(phase).or_default() += 1;
        }
    }
    Ok(coverage)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seq: u64, kind: &str, agent: &str, id: Option<&str>, detail: Option<&str>) -> Row {
        Row {
            session: "s".to_owned(),
            seq,
            kind: kind.to_owned(),
            agent: Some(agent.to_owned()),
            agent_id: id.map(str::to_owned),
            group: Some("G".to_owned()),
            detail: detail.map(str::to_owned),
            ..Row::default()
        }
    }

    fn units(rows: &[Row]) -> Vec<Unit> {
        let mut units = Vec::new();
        for row in rows {
            fold(&mut units, row);
        }
        units.iter_mut().for_each(judge);
        units
    }

    fn spawn(seq: u64, id: Option<&str>) -> Row {
        row(seq, "agent.spawned", "dev", id, None)
    }

    fn says(seq: u64, id: Option<&str>, phase: &str) -> Row {
        row(seq, "reasoning.recorded", "dev", id, Some(phase))
    }

    #[test]
    fn spawns_count_and_not_rows() {
        let found = units(&[spawn(1, None), says(2, None, "completion"), says(3, None, "completion")]);
        assert_eq!((found.len(), found[0].repeated.as_slice()), (1, &["completion"][..]));
        assert_eq!(found[0].missing, ["understanding"]);
    }

    #[test]
    fn agents_with_ids_are_told_apart_however_they_interleave() {
        let both = [spawn(1, Some("a")), spawn(2, Some("b"))];
        let said = [says(3, Some("a"), "understanding"), says(4, Some("b"), "understanding")];
        let end = [says(5, Some("a"), "completion")];
        let found = units(&[&both[..], &said, &end].concat());
        assert!(found[0].is_complete());
        assert_eq!(found[1].missing, ["completion"]);
    }

    #[test]
    fn a_second_spawn_of_a_role_owes_its_own_phases() {
        let stop = row(3, "agent.stopped", "dev", None, None);
        let rows = [spawn(1, None), says(2, None, "understanding"), stop, spawn(4, None)];
        let found =
            units(&[&rows[..], &[says(5, None, "understanding"), says(6, None, "completion")]].concat());
        assert_eq!(found[0].missing, ["completion"]);
        assert!(found[1].is_complete());
    }

    #[test]
    fn what_comes_after_the_end_is_late_and_counts() {
        let rows =
            [spawn(1, None), says(2, None, "understanding"), row(3, "agent.stopped", "dev", None, None)];
        let found = units(&[&rows[..], &[says(4, None, "completion")]].concat());
        assert_eq!((found.len(), found[0].late.as_slice()), (1, &["completion".to_owned()][..]));
        assert!(found[0].is_complete());
    }

    #[test]
    fn an_agent_that_nobody_was_seen_to_spawn_is_a_unit() {
        let found = units(&[says(1, None, "approach")]);
        assert_eq!((found.len(), &found[0].spawned), (1, &None));
        assert_eq!(found[0].missing, MANDATORY);
    }
}
