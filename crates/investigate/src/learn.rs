//! Lessons that the record suggests: what a verdict of a case says, and what turned a pivot or a blocker round.
//!
//! Proposals only, each with the events that it stands on: a person reads them, and records those that hold.

use event::{Event, EventRef};
use recorder::{Store, summary};

use crate::act::{self, Deed};
use crate::cases::{self, Case};
use crate::link::reference;
use crate::trace::Trace;

/// Characters of what an event says.
const CHARS: usize = 200;

/// One lesson, as far as the record knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proposal {
    /// The session that it would be recorded in.
    pub session: String,
    /// A failure mode by name, `pivot` or `blocker`.
    pub category: String,
    /// `high`, `medium` or `low`: how much of it was written down.
    pub confidence: &'static str,
    /// What it began with.
    pub trigger: String,
    /// What brought it about.
    pub root_cause: String,
    /// What helped.
    pub fix: String,
    /// In words.
    pub lesson: String,
    /// Whom it is for.
    pub applies_to: String,
    /// The events that it stands on, with their hashes.
    pub evidence: Vec<String>,
}

/// What the verdicts of a case say.
pub fn of_case(store: &Store, case: &Case) -> Vec<Proposal> {
    let closing = case.events.iter().rev().find(|event| event.kind == "session.closed");
    let fix = closing.and_then(|event| act::member(event, "reason")).unwrap_or_default();
    let verdicts = case.events.iter().filter(|event| event.kind == "verdict.given");
    verdicts.map(|verdict| of_verdict(store, case, verdict, fix)).collect()
}

fn of_verdict(store: &Store, case: &Case, verdict: &Event, fix: &str) -> Proposal {
    // one that is another event by now is no evidence
    let meant = |name: &str| Some(store.event(&EventRef::parse(verdict.text(name)?).ok()?).ok()?.0);
    let (step, cause) = (meant("about"), meant("cause"));
    let mode = verdict.text("mode").and_then(cases::mode_name);
    let named = [step.as_ref(), cause.as_ref()].into_iter().flatten();
    Proposal {
        session: case.session.to_string(),
        category: mode.unwrap_or("verdict").to_owned(),
        confidence: match (&cause, fix) {
            (Some(_), fix) if !fix.is_empty() => "high",
            (Some(_), _) => "medium",
            (None, _) => "low",
        },
        trigger: case.title.clone(),
        root_cause: cause.as_ref().or(step.as_ref()).map(says).unwrap_or_default(),
        fix: fix.to_owned(),
        lesson: act::member(verdict, "text").unwrap_or_default().to_owned(),
        applies_to: step.as_ref().map(act::role).unwrap_or_default().to_owned(),
        evidence: [reference(verdict)].into_iter().chain(named.map(reference)).collect(),
    }
}

fn says(event: &Event) -> String {
    let summary = summary(event, CHARS);
    if summary.label.is_empty() { summary.text } else { format!("[{}] {}", summary.label, summary.text) }
}

/// What pivots and blockers of a session were followed by: changes, and a test that passed.
pub fn of_session(trace: &Trace) -> Vec<Proposal> {
    let turns = trace.events.iter().enumerate().filter_map(|(at, event)| {
        let category = match event.text("phase") {
            Some("pivot") => "pivot",
            Some("blockers") => "blocker",
            _ => return None,
        };
        of_turn(trace, at, category)
    });
    turns.collect()
}

fn of_turn(trace: &Trace, at: usize, category: &str) -> Option<Proposal> {
    let turn = &trace.events[at];
    let ours = |event: &&Event| event.text("group") == turn.text("group");
    let later: Vec<&Event> = trace.events[at + 1..].iter().filter(ours).collect();
    let passed = |place: usize| {
        let call = later[place].text("call")?;
        let back = |e: &&&Event| e.kind == "skill.returned" && e.text("call") == Some(call);
        later[place..].iter().find(back).filter(|back| !act::is_failure(back)).copied()
    };
    let mut tests = later.iter().enumerate().filter(|(_, e)| act::deed(e) == Some(Deed::Tests));
    let (test, back) = tests.find_map(|(place, _)| Some((place, passed(place)?)))?;
    let changes: Vec<&Event> =
        later[..test].iter().filter(|e| act::deed(e) == Some(Deed::Changes)).copied().collect();
    if changes.is_empty() {
        return None;
    }
    let mut files: Vec<String> = changes.iter().flat_map(|change| act::paths(change)).collect();
    files.sort_unstable();
    files.dedup();
    let failure = trace.events[..at].iter().rev().filter(ours).find(|event| act::is_failure(event));
    let ran = act::command(later[test]).map_or_else(|| act::role(later[test]).to_owned(), str::to_owned);
    let stands_on = failure.into_iter().chain([turn]).chain(changes.first().copied()).chain([back]);
    Some(Proposal {
        session: trace.session.to_string(),
        category: category.to_owned(),
        confidence: if failure.is_some() { "medium" } else { "low" },
        trigger: failure.map(says).unwrap_or_default(),
        root_cause: String::new(),
        fix: format!("changed {}; then `{ran}` passed", files.join(", ")),
        lesson: summary(turn, CHARS).text,
        applies_to: act::role(turn).to_owned(),
        evidence: stands_on.map(reference).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{event, trace};
    use serde_json::json;

    #[test]
    fn a_pivot_that_was_followed_by_a_change_and_a_passing_test_is_proposed() {
        let call = |seq, skill: &str, id: &str, input| {
            event(
                seq,
                "skill.invoked",
                json!({"agent": "dev", "skill": skill, "call": id}),
                json!({"input": input}),
            )
        };
        let back = |seq, id: &str, status: &str| {
            event(
                seq,
                "skill.returned",
                json!({"agent": "dev", "call": id, "status": status}),
                json!({"output": "x"}),
            )
        };
        let pivot = event(
            2,
            "reasoning.recorded",
            json!({"agent": "dev", "phase": "pivot"}),
            json!({"text": "rotate"}),
        );
        let mut events = vec![
            call(0, "Bash", "a", json!({"command": "pytest"})),
            back(1, "a", "error"),
            pivot,
            call(3, "Edit", "b", json!({"file_path": "auth.py"})),
            call(4, "Bash", "c", json!({"command": "pytest"})),
        ];
        assert!(of_session(&trace(events.clone())).is_empty(), "nothing passed yet");
        events.push(back(5, "c", "ok"));
        let found = of_session(&trace(events));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].category.as_str(), found[0].confidence), ("pivot", "medium"));
        assert_eq!(found[0].fix, "changed auth.py; then `pytest` passed");
        let seqs: Vec<&str> =
            found[0].evidence.iter().map(|e| e.split('#').next().unwrap_or_default()).collect();
        assert_eq!(seqs, ["s/1", "s/2", "s/3", "s/5"]);
    }
}
