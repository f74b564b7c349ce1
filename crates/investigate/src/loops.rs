//! Repetition: an agent does the same again and again, to the letter, and nothing changes in between.
//!
//! Who reads on in a file gives other numbers, and is in no loop.

use std::collections::{HashMap, HashSet};

use event::Event;

use crate::act::{self, Deed};
use crate::print::exact;
use crate::trace::Trace;

/// So often is a loop.
const TIMES: usize = 3;
/// Within so many acts of the agent.
const WITHIN: usize = 20;

/// One loop.
#[derive(Debug, Clone)]
pub struct Loop<'t> {
    /// The act, each time it was done.
    pub events: Vec<&'t Event>,
    /// So many of them failed.
    pub failed: usize,
}

/// Every loop, in the order in which they begin.
pub fn loops(trace: &Trace) -> Vec<Loop<'_>> {
    let mut lanes: HashMap<&str, Lane<'_>> = HashMap::new();
    let mut found = Vec::new();
    for event in &trace.events {
        let lane = lanes.entry(act::actor(event)).or_default();
        found.extend(lane.take(event));
    }
    found.extend(lanes.into_values().flat_map(Lane::close));
    let failing = trace.events.iter().filter(|event| act::is_failure(event));
    let failing: HashSet<&str> = failing.filter_map(|event| event.text("call")).collect();
    let failed = |event: &&&Event| event.text("call").is_some_and(|call| failing.contains(call));
    for found in &mut found {
        found.failed = found.events.iter().filter(failed).count();
    }
    found.sort_by_key(|l| l.events.first().and_then(|event| trace.place_of(&event.session, event.seq)));
    found
}

/// What one agent did since the last change.
#[derive(Default)]
struct Lane<'t> {
    acts: usize,
    runs: HashMap<String, (usize, Vec<&'t Event>)>,
}

impl<'t> Lane<'t> {
    fn take(&mut self, event: &'t Event) -> Vec<Loop<'t>> {
        let Some(deed) =
            act::deed(event).filter(|_| event.kind == "skill.invoked" || event.kind == "file.changed")
        else {
            return Vec::new();
        };
        self.acts += 1;
        if deed == Deed::Changes {
            return std::mem::take(self).close();
        }
        let Some(print) = exact(event) else { return Vec::new() };
        let (last, events) = self.runs.entry(print).or_default();
        let ended = if self.acts - *last > WITHIN { std::mem::take(events) } else { Vec::new() };
        *last = self.acts;
        events.push(event);
        if ended.len() >= TIMES { vec![Loop { events: ended, failed: 0 }] } else { Vec::new() }
    }

    fn close(self) -> Vec<Loop<'t>> {
        let runs = self.runs.into_values().map(|(_, events)| events);
        runs.filter(|events| events.len() >= TIMES).map(|events| Loop { events, failed: 0 }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{event, trace};
    use serde_json::json;

    #[test]
    fn the_same_three_times_is_a_loop_unless_something_changed() {
        let call = |seq, skill: &str| {
            event(seq, "skill.invoked", json!({"agent": "dev", "skill": skill}), json!({"input": {}}))
        };
        let same = trace(vec![call(0, "Grep"), call(1, "Grep"), call(2, "Read"), call(3, "Grep")]);
        let found = loops(&same);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].events.len(), 3);
        let changed = trace(vec![call(0, "Grep"), call(1, "Grep"), call(2, "Edit"), call(3, "Grep")]);
        assert!(loops(&changed).is_empty());
    }

    #[test]
    fn to_read_on_is_no_loop_and_failures_are_counted() {
        let run = |seq, command: &str| {
            let header = json!({"agent": "dev", "skill": "Bash", "call": format!("c{seq}")});
            event(seq, "skill.invoked", header, json!({"input": {"command": command}}))
        };
        let lines = |n: u64| format!("sed -n {n},{}p a.rs", n + 50);
        let pages = trace(vec![run(0, &lines(1)), run(1, &lines(51)), run(2, &lines(101))]);
        assert!(loops(&pages).is_empty());
        let failed = event(3, "skill.returned", json!({"call": "c1", "status": "error"}), json!({}));
        let same = trace(vec![run(0, "make"), run(1, "make"), run(2, "make"), failed]);
        assert_eq!(loops(&same)[0].failed, 1);
    }
}
