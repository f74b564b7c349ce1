//! What marks a step of a session: what failed first, what nothing recorded shows, where a coordinator turns, where
//! the record breaks off.

use std::collections::{BTreeSet, HashMap};

use event::Event;

use crate::act::{self, Deed};
use crate::words;

/// Events from which an agent can know something new, and those in which somebody speaks.
const TELLING: &[&str] = &[
    "message.recorded",
    "handoff.made",
    "handoff.read",
    "digest.delivered",
    "context.injected",
    "skill.invoked",
    "skill.progressed",
    "skill.returned",
    "step.acted",
    "step.observed",
    "file.changed",
    "agent.stopped",
];

/// One act, and where it stands in time (twice its place, so that something fits between).
pub(crate) struct Step<'t> {
    pub event: &'t Event,
    pub deed: Deed,
    pub place: usize,
    /// Of an agent that does not only hand out work.
    pub worker: bool,
}

/// The step whose outcome is the first failure.
#[derive(Clone, Copy)]
pub(crate) struct Failed {
    pub place: usize,
    /// The event that says so.
    pub by: u64,
    /// A test of it failed, not the step itself.
    pub tested: bool,
}

/// The step that went on from the first look-up.
#[derive(Clone, Copy)]
pub(crate) struct WentOn {
    pub place: usize,
    pub look: usize,
    /// The look-up's sequence.
    pub from: u64,
}

/// Where the course of all changes: a coordinator ends or begins anew, or the record breaks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    SaysDone,
    GivesUp,
    /// The last step, which ends in an error.
    BreaksOff,
}

/// Steps of a session that stand out.
pub(crate) struct Signs<'t> {
    pub failed: Option<Failed>,
    /// The group that failed first.
    pub group: Option<&'t str>,
    pub went_on: Option<WentOn>,
    /// The first step that says that it looked, with no act since the message before.
    pub claim: Option<usize>,
    /// Steps that were refused, by a person or a rule, and the event that says so.
    pub refused: HashMap<usize, u64>,
    /// Somebody only hands out work: to be a worker says something.
    pub coordinated: bool,
    turns: [(Option<usize>, Turn); 3],
}

impl<'t> Signs<'t> {
    pub(crate) fn of(events: &'t [Event], steps: &[Step<'t>]) -> Self {
        let failing = |event: &&Event| act::is_failure(event);
        Self {
            failed: first_failure(events, steps),
            group: events.iter().filter(failing).find_map(|event| event.text("group")),
            went_on: first_step_on(steps),
            refused: refused(events, steps),
            coordinated: steps.iter().any(|step| !step.worker),
            claim: steps.iter().find(|step| claims(events, step)).map(|step| step.place),
            turns: [
                (first_turn(steps, words::says_done), Turn::SaysDone),
                (first_turn(steps, words::gives_up), Turn::GivesUp),
                (broke_off(events, steps), Turn::BreaksOff),
            ],
        }
    }

    /// What turns at a step.
    pub(crate) fn turns(&self, place: usize) -> impl Iterator<Item = Turn> {
        self.turns.into_iter().filter(move |(at, _)| *at == Some(place)).map(|(_, turn)| turn)
    }
}

/// The acts of agents, in the order of telling.
pub(crate) fn steps(events: &[Event]) -> Vec<Step<'_>> {
    let routers = routers(events);
    let mut list: Vec<Step<'_>> = Vec::new();
    for (place, event) in events.iter().enumerate() {
        let Some(deed) = act::deed(event) else { continue };
        let worker = !routers.contains(act::role(event));
        if !tells_again(&list, event) {
            list.push(Step { event, deed, place: place * 2 + 1, worker });
        }
    }
    list
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

/// The steps behind the calls of a session.
fn calls<'s, 't>(steps: &'s [Step<'t>]) -> HashMap<&'t str, &'s Step<'t>> {
    let invoked = steps.iter().filter(|step| step.event.kind == "skill.invoked");
    invoked.filter_map(|step| Some((step.event.text("call")?, step))).collect()
}

fn refused(events: &[Event], steps: &[Step<'_>]) -> HashMap<usize, u64> {
    let says_no = |event: &&Event| match event.kind.as_str() {
        "skill.returned" => event.text("status") == Some("denied"),
        "permission.decided" => event.text("decision").is_some_and(|said| said.starts_with("den")),
        _ => false,
    };
    let calls = calls(steps);
    let step = |event: &Event| Some((calls.get(event.text("call")?)?.place, event.seq));
    // the first that says so
    events.iter().rev().filter(says_no).filter_map(step).collect()
}

/// The step whose outcome is the first failure; a look that found nothing is none. A failing test points at
/// the change that it tested.
fn first_failure(events: &[Event], steps: &[Step<'_>]) -> Option<Failed> {
    let calls = calls(steps);
    let fails = |event: &Event| {
        act::is_failure(event) && event.kind != "handoff.made" && event.kind != "session.closed"
    };
    let (step, failure) =
        events.iter().enumerate().filter(|(_, event)| fails(event)).find_map(|(at, event)| {
            let before = |step: &&Step<'_>| step.worker && step.place < at * 2 + 1;
            match event.text("call").and_then(|call| calls.get(call).copied()) {
                Some(called) => (called.deed != Deed::Looks).then_some((called, event)),
                None => steps.iter().rev().find(before).map(|step| (step, event)),
            }
        })?;
    if step.deed == Deed::Tests {
        let group = step.event.text("group");
        let changes = |other: &&Step<'_>| {
            other.deed == Deed::Changes && other.place < step.place && other.event.text("group") == group
        };
        if let Some(change) = steps.iter().rev().find(changes) {
            return Some(Failed { place: change.place, by: failure.seq, tested: true });
        }
    }
    Some(Failed { place: step.place, by: failure.seq, tested: false })
}

/// The first step that goes on directly from what the same agent's look-up found.
fn first_step_on(steps: &[Step<'_>]) -> Option<WentOn> {
    let workers: Vec<&Step<'_>> = steps.iter().filter(|step| step.worker).collect();
    workers.windows(2).find_map(|pair| {
        let [look, on] = pair else { return None };
        let goes_on = look.deed == Deed::Looks
            && on.deed == Deed::Acts
            && act::actor(look.event) == act::actor(on.event);
        goes_on.then_some(WentOn { place: on.place, look: look.place, from: look.event.seq })
    })
}

/// True if a worker says that it looked, right after somebody spoke: since then nothing was recorded that
/// could show it. Who answers a person may tell what it knows from before.
fn claims(events: &[Event], step: &Step<'_>) -> bool {
    let event = step.event;
    if !step.worker || event.kind != "message.recorded" || act::has_code(event) {
        return false;
    }
    if !act::own_words(event).into_iter().any(|text| words::claim(text).is_some()) {
        return false;
    }
    let last = events[..step.place / 2].iter().rev().find(|event| TELLING.contains(&event.kind.as_str()));
    last.is_some_and(|last| {
        matches!(last.kind.as_str(), "message.recorded" | "handoff.made") && act::deed(last).is_some()
    })
}

/// The first step of a coordinator with such words.
fn first_turn(steps: &[Step<'_>], turns: fn(&str) -> bool) -> Option<usize> {
    let turning = |step: &&Step<'_>| !step.worker && act::own_words(step.event).into_iter().any(turns);
    steps.iter().find(turning).map(|step| step.place)
}

/// The last step, if the record ends in an error: of it, or told after it.
fn broke_off(events: &[Event], steps: &[Step<'_>]) -> Option<usize> {
    let last = steps.last()?;
    let broken =
        |event: &Event| act::is_failure(event) || act::own_words(event).into_iter().any(words::breaks_off);
    events[last.place / 2..].iter().any(broken).then_some(last.place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::event;
    use serde_json::json;

    fn says(seq: u64, agent: &str, text: &str) -> Event {
        event(seq, "message.recorded", json!({"agent": agent, "role": "assistant"}), json!({"text": text}))
    }

    fn signs<T>(events: &[Event], of: impl FnOnce(Signs<'_>) -> T) -> T {
        of(Signs::of(events, &steps(events)))
    }

    #[test]
    fn a_claim_stands_out_only_if_nothing_was_recorded_since_somebody_spoke() {
        let claim = says(1, "b", "I have checked the page: it is 7.");
        let place = |between: Vec<Event>| {
            let events = [vec![says(0, "a", "Please look.")], between, vec![claim.clone()]].concat();
            signs(&events, |signs| signs.claim.is_some())
        };
        let kind = |kind: &str, header| vec![event(5, kind, header, json!({"text": "x"}))];
        assert!(place(Vec::new()));
        assert!(place(kind("reasoning.recorded", json!({"agent": "b"}))));
        assert!(!place(kind("skill.returned", json!({"agent": "b"}))));
        assert!(!place(kind("message.recorded", json!({"role": "user"}))));
        signs(&[claim], |signs| assert_eq!(signs.claim, None));
    }

    #[test]
    fn what_was_refused_is_known_by_its_call() {
        let call = |seq, call: &str| {
            event(seq, "skill.invoked", json!({"agent": "a", "skill": "Edit", "call": call}), json!({}))
        };
        let decided = |seq, call: &str, decision: &str| {
            event(seq, "permission.decided", json!({"call": call, "decision": decision}), json!({}))
        };
        let back = event(5, "skill.returned", json!({"call": "y", "status": "denied"}), json!({}));
        let events = [call(0, "x"), decided(1, "x", "allow"), call(2, "y"), decided(4, "y", "deny"), back];
        signs(&events, |signs| assert_eq!(signs.refused, HashMap::from([(5, 4)])));
    }

    #[test]
    fn a_record_that_ends_in_an_error_broke_off_in_its_last_step() {
        let back = |text: &str, status: &str| {
            let header = json!({"call": "x", "status": status});
            let call =
                event(1, "skill.invoked", json!({"agent": "a", "skill": "run", "call": "x"}), json!({}));
            [says(0, "a", "Go."), call, event(2, "skill.returned", header, json!({"output": text}))]
        };
        let broken = "Traceback (most recent call last):\n";
        let at = |events: &[Event]| signs(events, |signs| (0..9).find(|at| signs.turns(*at).count() > 0));
        assert_eq!(at(&back(broken, "ok")), Some(3));
        assert_eq!(at(&back("x", "error")), Some(3));
        assert_eq!(at(&back("x", "ok")), None);
        let goes_on = [back(broken, "ok").to_vec(), vec![says(3, "a", "I go on.")]].concat();
        assert_eq!(at(&goes_on), None);
    }

    #[test]
    fn a_look_that_finds_nothing_is_not_the_first_failure() {
        let call = |seq, skill: &str, call: &str| {
            event(seq, "skill.invoked", json!({"agent": "a", "skill": skill, "call": call}), json!({}))
        };
        let fails = |seq, call: &str| {
            event(seq, "skill.returned", json!({"call": call, "status": "error"}), json!({}))
        };
        let events = [call(0, "Read", "x"), fails(1, "x"), call(2, "deploy", "y"), fails(3, "y")];
        signs(&events, |signs| {
            let failed = signs.failed.expect("one");
            assert_eq!((failed.place, failed.by, failed.tested), (5, 3, false));
        });
        signs(&events[..2], |signs| assert!(signs.failed.is_none()));
    }
}
