//! Where to read first: the steps of workers, sorted by a few readable keys. A reading list, never a verdict.
//!
//! Keys, the first that differs decides: a worker's step → of the group that failed → it says that it assumes, stands in or guesses →
//! it is what failed first → it changed state or wrote code → time. Of the first look-up and the step that
//! went on from what it found, the latter stands in front.
//!
//! Nothing here knows what the right answer is: only what was recorded is read, and no verdict, score or
//! note.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use event::Event;

use crate::act::{self, Deed};
use crate::trace::Trace;
use crate::words::assumption;

/// Why a step is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// An agent that does work, not one that only hands it out.
    Worker,
    /// It says so with these words.
    Assumes(String),
    /// What it did failed first, in the event with this sequence.
    FailedFirst(u64),
    /// It is the last change before the first test that failed.
    TestedFirst(u64),
    /// It changed state.
    Changed,
    /// It wrote code.
    WroteCode,
    /// It went on from what the look-up with this sequence found.
    WentOnFrom(u64),
}

/// One step to read.
#[derive(Debug, Clone)]
pub struct Suspect<'t> {
    /// The step.
    pub event: &'t Event,
    /// Why it stands where it stands.
    pub reasons: Vec<Reason>,
}

/// The reading list.
#[derive(Debug, Clone)]
pub struct Suspects<'t> {
    /// In the order to read them.
    pub list: Vec<Suspect<'t>>,
    /// Of so many steps of agents.
    pub considered: usize,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Worker => f.write_str("worker"),
            Self::Assumes(words) => write!(f, "says \"{words}\""),
            Self::FailedFirst(seq) => write!(f, "failed first (/{seq})"),
            Self::TestedFirst(seq) => write!(f, "last change before the first failing test (/{seq})"),
            Self::Changed => f.write_str("changed state"),
            Self::WroteCode => f.write_str("wrote code"),
            Self::WentOnFrom(seq) => write!(f, "went on from what /{seq} found"),
        }
    }
}

/// Ranks the steps of a session.
pub fn suspects(trace: &Trace, most: usize) -> Suspects<'_> {
    let steps = Steps::of(&trace.events);
    let mut ranked: Vec<(Key, Suspect<'_>)> = steps.list.iter().map(|step| steps.judge(step)).collect();
    ranked.sort_by_key(|(key, _)| *key);
    let considered = ranked.len();
    let list = ranked.into_iter().take(most).map(|(_, suspect)| suspect).collect();
    Suspects { list, considered }
}

/// What the list is sorted by; `false` comes first.
type Key = (bool, bool, bool, bool, bool, usize);

/// One act, and where it stands in time (twice its place, so that something fits between).
struct Step<'t> {
    event: &'t Event,
    deed: Deed,
    place: usize,
    worker: bool,
}

struct Steps<'t> {
    list: Vec<Step<'t>>,
    /// The step that failed first, the event that says so, and whether it was tested and did not fail itself.
    failed: Option<(usize, u64, bool)>,
    /// The group that failed first.
    group: Option<&'t str>,
    /// The step that went on from the first look-up, and that look-up.
    went_on: Option<(usize, usize, u64)>,
}

impl<'t> Steps<'t> {
    fn of(events: &'t [Event]) -> Self {
        let routers = routers(events);
        let mut list: Vec<Step<'t>> = Vec::new();
        for (place, event) in events.iter().enumerate() {
            let Some(deed) = act::deed(event) else { continue };
            let worker = !routers.contains(act::role(event));
            if !tells_again(&list, event) {
                list.push(Step { event, deed, place: place * 2 + 1, worker });
            }
        }
        let failed = first_failure(events, &list);
        let went_on = first_step_on(&list);
        let group =
            events.iter().filter(|event| act::is_failure(event)).find_map(|event| event.text("group"));
        Self { list, failed, group, went_on }
    }

    fn judge(&self, step: &Step<'t>) -> (Key, Suspect<'t>) {
        let mut reasons = Vec::new();
        if step.worker {
            reasons.push(Reason::Worker);
        }
        let assumes = act::own_words(step.event).into_iter().find_map(assumption);
        reasons.extend(assumes.map(|words| Reason::Assumes(words.to_owned())));
        let failed = self.failed.filter(|(place, ..)| *place == step.place);
        reasons.extend(failed.map(
            |(_, seq, tested)| {
                if tested { Reason::TestedFirst(seq) } else { Reason::FailedFirst(seq) }
            },
        ));
        let changed = step.deed == Deed::Changes;
        let code = act::has_code(step.event);
        reasons.extend(changed.then_some(Reason::Changed));
        reasons.extend(code.then_some(Reason::WroteCode));
        let mut time = step.place;
        if let Some((_, before, seq)) = self.went_on.filter(|(place, ..)| *place == step.place) {
            time = before - 1;
            reasons.push(Reason::WentOnFrom(seq));
        }
        let elsewhere =
            self.group.is_some_and(|group| step.event.text("group").is_some_and(|own| own != group));
        let key = (!step.worker, elsewhere, assumes.is_none(), failed.is_none(), !(changed || code), time);
        (key, Suspect { event: step.event, reasons })
    }
}

/// Roles that only hand out work: they hand over or spawn, and neither use a tool nor change anything.
fn routers(events: &[Event]) -> BTreeSet<&str> {
    let mut hands_out: BTreeSet<&str> = BTreeSet::new();
    let mut works: BTreeSet<&str> = BTreeSet::new();
    for event in events {
        match event.kind.as_str() {
            "handoff.made" => drop(hands_out.insert(act::role(event))),
            "agent.spawned" => hands_out.extend(event.text("parent_agent")),
            "skill.invoked" | "file.changed" => drop(works.insert(act::role(event))),
            _ => {}
        }
    }
    let workers_there = events.iter().any(|e| act::deed(e).is_some() && !hands_out.contains(act::role(e)));
    // where everybody hands over (a pipeline), those that use tools are the workers
    let somebody_works = workers_there || hands_out.iter().any(|role| works.contains(role));
    if somebody_works { hands_out.difference(&works).copied().collect() } else { BTreeSet::new() }
}

/// True for a change that a call just before tells already.
fn tells_again(before: &[Step<'_>], event: &Event) -> bool {
    if event.kind != "file.changed" {
        return false;
    }
    let paths = act::paths(event);
    let same = |step: &&Step<'_>| {
        step.deed == Deed::Changes
            && step.event.kind == "skill.invoked"
            && act::actor(step.event) == act::actor(event)
            && act::paths(step.event) == paths
    };
    before.iter().rev().take(4).any(|step| same(&step))
}

/// The step whose outcome is the first failure. A failing test points at the change that it tested.
fn first_failure(events: &[Event], steps: &[Step<'_>]) -> Option<(usize, u64, bool)> {
    let (place, failure) = events.iter().enumerate().find(|(_, event)| {
        act::is_failure(event) && event.kind != "handoff.made" && event.kind != "session.closed"
    })?;
    let calls: HashMap<&str, &Step<'_>> = steps
        .iter()
        .filter(|step| step.event.kind == "skill.invoked")
        .filter_map(|step| Some((step.event.text("call")?, step)))
        .collect();
    let before = |step: &&Step<'_>| step.worker && step.place < place * 2 + 1;
    let called = failure.text("call").and_then(|call| calls.get(call).copied());
    let step = called.or_else(|| steps.iter().rev().find(before))?;
    if step.deed == Deed::Tests {
        let group = step.event.text("group");
        let changes = |other: &&Step<'_>| {
            other.deed == Deed::Changes && other.place < step.place && other.event.text("group") == group
        };
        if let Some(change) = steps.iter().rev().find(changes) {
            return Some((change.place, failure.seq, true));
        }
    }
    Some((step.place, failure.seq, false))
}

/// The first step that goes on directly from what the same agent's look-up found.
fn first_step_on(steps: &[Step<'_>]) -> Option<(usize, usize, u64)> {
    let workers: Vec<&Step<'_>> = steps.iter().filter(|step| step.worker).collect();
    workers.windows(2).find_map(|pair| {
        let [look, on] = pair else { return None };
        let goes_on = look.deed == Deed::Looks
            && on.deed == Deed::Acts
            && act::actor(look.event) == act::actor(on.event);
        goes_on.then_some((on.place, look.place, look.event.seq))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{event, trace};
    use serde_json::json;

    fn listed(trace: &Trace) -> Vec<u64> {
        suspects(trace, 10).list.iter().map(|s| s.event.seq).collect()
    }

    #[test]
    fn workers_come_before_those_who_hand_out_and_assumptions_before_code() {
        let says = |seq, agent: &str, text: &str| {
            event(
                seq,
                "message.recorded",
                json!({"agent": agent, "role": "assistant"}),
                json!({"text": text}),
            )
        };
        let trace = trace(vec![
            event(0, "handoff.made", json!({"agent": "lead", "from": "lead", "to": "dev"}), json!({})),
            says(1, "dev", "I look at it."),
            says(2, "dev", "```python\nprint(1)\n```"),
            says(3, "dev", "I assume that it is 7."),
            says(4, "lead", "I assume that all is well."),
        ]);
        assert_eq!(listed(&trace), [3, 2, 1, 4, 0]);
    }

    #[test]
    fn a_failing_test_points_at_the_last_change() {
        let call = |seq, skill: &str, call: &str| {
            event(
                seq,
                "skill.invoked",
                json!({"agent": "dev", "skill": skill, "call": call}),
                json!({"input": {}}),
            )
        };
        let trace = trace(vec![
            call(0, "Edit", "a"),
            call(1, "Write", "b"),
            call(2, "test-runner", "c"),
            event(3, "skill.returned", json!({"call": "c", "status": "error"}), json!({"error": "1 failed"})),
        ]);
        let found = suspects(&trace, 10);
        assert_eq!(found.list[0].event.seq, 1);
        assert!(found.list[0].reasons.contains(&Reason::TestedFirst(3)));
    }

    #[test]
    fn verdicts_and_notes_are_not_read() {
        let mut events =
            vec![event(0, "message.recorded", json!({"role": "assistant"}), json!({"text": "a"}))];
        let before = listed(&trace(events.clone()));
        events.push(event(1, "verdict.given", json!({"about": "s/0"}), json!({"text": "this assumes"})));
        assert_eq!(listed(&trace(events)), before);
    }
}
