//! Outputs of skills: every one is kept; its iteration is its rank in the journal.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use event::{Draft, Kind, Origin};
use recorder::{Output, Recorder, Row, Store};
use serde::Serialize;
use serde_json::Value;

use crate::error::OrchestrateError;
use crate::house::{Asked, header};
use crate::told::{Saved, is_redacted, record};
use crate::words;

/// An output as its skill hands it in.
#[derive(Debug, Clone, PartialEq)]
pub struct NewOutput {
    /// The session.
    pub session: String,
    /// The skill.
    pub skill: String,
    /// What it gave, any JSON.
    pub output: Value,
    /// The role of the agent that ran it.
    pub agent: Option<String>,
    /// The group that it ran for.
    pub group: Option<String>,
}

/// What became of an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SavedOutput {
    /// 1 for the first output of its (session, skill, agent, group).
    pub iteration: u64,
    /// The acknowledgement.
    #[serde(flatten)]
    pub saved: Saved,
}

/// Saves an output.
pub fn save(recorder: &mut Recorder, new: NewOutput) -> Result<SavedOutput, OrchestrateError> {
    words::filled("skill", &new.skill)?;
    new.group.as_deref().map_or(Ok(()), words::group)?;
    let mut draft = Draft::new(&new.session, Kind::of("skill.returned"), Origin::Claimed)
        .with("group", new.group)
        .with("agent", new.agent)
        .with("skill", new.skill)
        .with("status", "ok");
    // null is an output, too
    draft.data.insert("output".to_owned(), new.output);
    let (saved, event) = record(recorder, draft)?;
    let text = |name: &str| event.text(name);
    let views = recorder.store().views_about(&event.session, &["skill"])?;
    let outputs =
        views.outputs_by(&event.session, text("skill").unwrap_or_default(), text("agent"), text("group"))?;
    let iteration = outputs.iter().find(|output| output.row.seq == saved.seq).map(|output| output.iteration);
    let lost = || OrchestrateError::Nothing { what: format!("output {} in the views", saved.event) };
    Ok(SavedOutput { iteration: iteration.ok_or_else(lost)?, saved })
}

/// Which outputs are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The session.
    pub session: String,
    /// The skill.
    pub skill: String,
    /// Only by agents of this role.
    pub agent: Option<String>,
    /// Only for this group.
    pub group: Option<String>,
}

impl Wanted {
    fn fits(&self, row: &Row) -> bool {
        let is = |wanted: &Option<String>, value: &Option<String>| wanted.is_none() || wanted == value;
        is(&self.agent, &row.agent) && is(&self.group, &row.group)
    }
}

/// One output.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SkillOutput {
    /// `session/sequence`.
    pub event: String,
    /// Its rank by (session, skill, agent, group).
    pub iteration: u64,
    /// The skill.
    pub skill: String,
    /// The role of the agent that ran it.
    pub agent: Option<String>,
    /// The group that it ran for.
    pub group: Option<String>,
    /// When.
    pub at: String,
    /// How it ended.
    pub status: Option<String>,
    /// What it gave, whole.
    pub output: Value,
    /// True if secrets were taken out.
    pub redacted: bool,
}

/// The latest output in the order of the journal.
pub fn latest(store: &Store, wanted: &Wanted) -> Result<Option<SkillOutput>, OrchestrateError> {
    let mut asked = Asked::about(store, &wanted.session, &["skill"])?;
    let mut found = None;
    asked.views.skill(&asked.session, &wanted.skill, &mut |row| {
        if wanted.fits(&row) {
            found = Some(row);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    let Some(row) = found else { return Ok(None) };
    let (agent, group) = (row.agent.as_deref(), row.group.as_deref());
    let output = asked.views.latest_output(&asked.session, &wanted.skill, agent, group)?;
    output.map(|output| told(&mut asked, &output)).transpose()
}

/// Every output in the order of the journal; for one agent and group that is the order of iterations.
pub fn all(store: &Store, wanted: &Wanted) -> Result<Vec<SkillOutput>, OrchestrateError> {
    let mut asked = Asked::about(store, &wanted.session, &["skill"])?;
    let mut outputs = ranked(&asked, wanted)?;
    outputs.sort_by_key(|output| output.row.seq);
    outputs.iter().map(|output| told(&mut asked, output)).collect()
}

/// The latest output of each agent that ran the skill, absent ones under the empty name.
pub fn latest_per_agent(store: &Store, wanted: &Wanted) -> Result<Vec<SkillOutput>, OrchestrateError> {
    let mut asked = Asked::about(store, &wanted.session, &["skill"])?;
    let mut latest: BTreeMap<Option<String>, Output> = BTreeMap::new();
    for output in ranked(&asked, wanted)? {
        let newer = latest.get(&output.row.agent).is_none_or(|known| known.row.seq < output.row.seq);
        if newer {
            latest.insert(output.row.agent.clone(), output);
        }
    }
    latest.values().map(|output| told(&mut asked, output)).collect()
}

fn ranked(asked: &Asked<'_>, wanted: &Wanted) -> Result<Vec<Output>, OrchestrateError> {
    let mut outputs = asked.views.outputs_of(&asked.session, &wanted.skill)?;
    outputs.retain(|output| wanted.fits(&output.row));
    Ok(outputs)
}

fn told(asked: &mut Asked<'_>, output: &Output) -> Result<SkillOutput, OrchestrateError> {
    let event = asked.event(&output.row)?;
    let value = match asked.member(&event, "output")? {
        Some(value) => Some(value),
        None => asked.member(&event, "error")?,
    };
    Ok(SkillOutput {
        event: event.name(),
        iteration: output.iteration,
        skill: output.skill.clone(),
        agent: header(&event, "agent"),
        group: header(&event, "group"),
        at: event.time().to_owned(),
        status: header(&event, "status"),
        output: value.unwrap_or(Value::Null),
        redacted: is_redacted(&event),
    })
}

/// One difference between two outputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Where, as a JSON pointer.
    pub path: String,
    /// added, removed or changed.
    pub op: &'static str,
    /// What was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// What is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// What changed from one iteration to another, both of one agent and group.
pub fn diff(store: &Store, wanted: &Wanted, from: u64, to: u64) -> Result<Vec<Change>, OrchestrateError> {
    let outputs = all(store, wanted)?;
    let maker = |output: &SkillOutput| (output.agent.clone(), output.group.clone());
    if let Some(other) = outputs.iter().find(|output| maker(output) != maker(&outputs[0])) {
        let why = format!(
            "the skill ran for several agents or groups ({} and {}); say which",
            name_of(&outputs[0]),
            name_of(other)
        );
        return Err(OrchestrateError::Json { what: "the range", why });
    }
    let find = |iteration: u64| {
        let what = || format!("iteration {iteration} of {:?} (there are {})", wanted.skill, outputs.len());
        let found = outputs.iter().find(|output| output.iteration == iteration);
        found.ok_or_else(|| OrchestrateError::Nothing { what: what() })
    };
    let mut changes = Vec::new();
    compare("", &find(from)?.output, &find(to)?.output, &mut changes);
    Ok(changes)
}

fn name_of(output: &SkillOutput) -> String {
    let part = |part: &Option<String>| part.clone().unwrap_or_else(|| "-".to_owned());
    format!("{}/{}", part(&output.agent), part(&output.group))
}

fn compare(path: &str, before: &Value, after: &Value, changes: &mut Vec<Change>) {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            for (name, value) in old {
                let path = format!("{path}/{}", escaped(name));
                match new.get(name) {
                    Some(other) => compare(&path, value, other, changes),
                    None => changes.push(change(path, Some(value), None)),
                }
            }
            for (name, value) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
                changes.push(change(format!("{path}/{}", escaped(name)), None, Some(value)));
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            for at in 0..old.len().max(new.len()) {
                let path = format!("{path}/{at}");
                match (old.get(at), new.get(at)) {
                    (Some(old), Some(new)) => compare(&path, old, new, changes),
                    (old, new) => changes.push(change(path, old, new)),
                }
            }
        }
        _ if before == after => {}
        _ => changes.push(change(path.to_owned(), Some(before), Some(after))),
    }
}

fn change(path: String, before: Option<&Value>, after: Option<&Value>) -> Change {
    let op = match (before, after) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    };
    Change { path, op, before: before.cloned(), after: after.cloned() }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Which of some skills have left an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// True if all have.
    pub complete: bool,
    /// Skills without one.
    pub missing: Vec<String>,
    /// Skills with one.
    pub found: Vec<String>,
    /// The skills that were asked for.
    pub mandatory: Vec<String>,
    /// Only outputs that are younger count, in minutes.
    pub recency_window_minutes: Option<u64>,
}

/// Looks for an output of each skill that was recorded within so many minutes.
pub fn evidence(
    store: &Store,
    session: &str,
    skills: &[String],
    agent: Option<&str>,
    since_minutes: Option<u64>,
) -> Result<Evidence, OrchestrateError> {
    let asked = Asked::about(store, session, &["skill"])?;
    let now = store.journal().world().clock.now();
    let span = since_minutes.and_then(|minutes| i64::try_from(minutes).ok()?.checked_mul(60_000_000));
    let after = span.map(|span| now.saturating_sub(span));
    let (mut missing, mut found) = (Vec::new(), Vec::new());
    for skill in skills {
        let mut seen = false;
        asked.views.skill(&asked.session, skill, &mut |row| {
            seen = agent.is_none_or(|agent| row.agent.as_deref() == Some(agent))
                && after.is_none_or(|after| row.time >= after);
            if seen { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if seen { &mut found } else { &mut missing }.push(skill.clone());
    }
    let complete = missing.is_empty();
    Ok(Evidence {
        complete,
        missing,
        found,
        mandatory: skills.to_vec(),
        recency_window_minutes: since_minutes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn differences_are_named_by_pointers() {
        let mut changes = Vec::new();
        let (old, new) =
            (json!({"a": {"b/c": 1, "gone": 2}, "l": [1, 2]}), json!({"a": {"b/c": 3}, "l": [1], "n": null}));
        compare("", &old, &new, &mut changes);
        let told: Vec<(&str, &str)> = changes.iter().map(|c| (c.op, c.path.as_str())).collect();
        let wanted = [("changed", "/a/b~1c"), ("removed", "/a/gone"), ("removed", "/l/1"), ("added", "/n")];
        assert_eq!(told, wanted);
        changes.clear();
        compare("", &old, &old, &mut changes);
        assert!(changes.is_empty());
    }
}
