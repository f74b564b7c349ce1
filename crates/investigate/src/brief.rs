//! A failing group on one page: the failure, how the work was handed on, where to read first, what is missing.

use std::collections::HashMap;

use event::Event;

use crate::act::{self, Deed};
use crate::gaps::{Gap, gaps};
use crate::suspects::{Suspects, suspects};
use crate::trace::Trace;

/// One handoff of the chain.
#[derive(Debug, Clone)]
pub struct Handed<'t> {
    /// The handoff.
    pub event: &'t Event,
    /// The event that says that it was read, if there is one.
    pub read: Option<&'t Event>,
}

/// The failure that the page is about, and the trace up to it.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The event that says so.
    pub event: Event,
    /// The error that stands behind it, if there is another.
    pub error: Option<Event>,
    /// The group's events up to there.
    pub trace: Trace,
}

/// The page.
#[derive(Debug, Clone)]
pub struct Brief<'t> {
    /// The chain of handoffs.
    pub chain: Vec<Handed<'t>>,
    /// Phases that agents documented, of those that they should have.
    pub documented: (usize, usize),
    /// What to read first.
    pub suspects: Suspects<'t>,
    /// What is missing.
    pub gaps: Vec<Gap<'t>>,
}

/// The failure of a group: its first handoff that says FAIL, else its first error, else its first failing test,
/// else the first call that failed and was more than a look, else the first that failed at all.
pub fn failure(trace: &Trace, group: Option<&str>) -> Option<Failure> {
    let own =
        trace.only(|event| group.is_none() || event.text("group") == group || event.text("group").is_none());
    let failing = |event: &&Event| act::is_failure(event);
    let first = |kind: &str| own.events.iter().filter(failing).find(|event| event.kind == kind);
    let deeds: HashMap<&str, Deed> =
        own.events.iter().filter_map(|event| Some((event.text("call")?, act::deed(event)?))).collect();
    let of_call = |event: &Event| event.text("call").and_then(|call| deeds.get(call).copied());
    let call =
        |fits: fn(Option<Deed>) -> bool| own.events.iter().filter(failing).find(|event| fits(of_call(event)));
    let event = first("handoff.made")
        .or_else(|| first("error.raised"))
        .or_else(|| call(|deed| deed == Some(Deed::Tests)))
        .or_else(|| call(|deed| deed != Some(Deed::Looks)))
        .or_else(|| call(|_| true))?;
    let place = own.place_of(&event.session, event.seq)?;
    let before = &own.events[..place];
    let error =
        before.iter().rev().find(|e| e.kind == "error.raised").or_else(|| before.iter().rev().find(failing));
    let error = error.filter(|_| event.kind == "handoff.made").cloned();
    let upto = own.upto(place);
    Some(Failure { event: event.clone(), error, trace: upto })
}

/// Makes the page of a failure.
pub fn brief(failure: &Failure, most: usize) -> Brief<'_> {
    let trace = &failure.trace;
    Brief {
        chain: chain(trace),
        documented: documented(trace),
        suspects: suspects(trace, most),
        gaps: gaps(trace),
    }
}

fn chain(trace: &Trace) -> Vec<Handed<'_>> {
    let mut chain = Vec::new();
    // the last one is the failure itself, which nobody had the time to read
    let before = &trace.events[..trace.events.len().saturating_sub(1)];
    for (at, made) in before.iter().enumerate().filter(|(_, e)| e.kind == "handoff.made") {
        let by_it = |e: &&Event| {
            e.kind == "handoff.read"
                && made.text("to").is_some_and(|to| e.text("by") == Some(to) || act::is_agent(e, to))
        };
        chain.push(Handed { event: made, read: trace.events[at..].iter().find(by_it) });
    }
    chain
}

/// `understanding` and `completion` of every agent that used a tool.
fn documented(trace: &Trace) -> (usize, usize) {
    let works = |e: &&Event| act::deed(e).is_some_and(|deed| deed != Deed::Says);
    let mut actors: Vec<&str> = trace.events.iter().filter(works).map(act::actor).collect();
    actors.sort_unstable();
    actors.dedup();
    let has = |actor: &str, phase: &str| {
        trace.events.iter().any(|e| act::actor(e) == actor && e.text("phase") == Some(phase))
    };
    let found = actors
        .iter()
        .map(|actor| usize::from(has(actor, "understanding")) + usize::from(has(actor, "completion")));
    (found.sum(), actors.len() * 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{event, trace};
    use serde_json::json;

    #[test]
    fn the_failure_is_a_test_before_another_call_and_a_look_last() {
        let failed = |seq: u64, skill: &str| {
            let call = format!("c{seq}");
            let made =
                event(seq, "skill.invoked", json!({"agent": "a", "skill": skill, "call": call}), json!({}));
            [made, event(seq + 1, "skill.returned", json!({"call": call, "status": "error"}), json!({}))]
        };
        let events = [failed(0, "Read"), failed(2, "deploy"), failed(4, "test-runner")].concat();
        let found = |events: &[Event]| failure(&trace(events.to_vec()), None).expect("one").event.seq;
        assert_eq!(found(&events), 5);
        assert_eq!(found(&events[..4]), 3);
        assert_eq!(found(&events[..2]), 1);
    }
}
