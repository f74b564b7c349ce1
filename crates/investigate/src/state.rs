//! The state of a session at an event: who was at work, with which calls open and which files touched.

use std::collections::{BTreeMap, BTreeSet};

use event::Event;

use crate::act::{self, Deed};
use crate::trace::Trace;

/// One agent at that moment.
#[derive(Debug, Clone, Default)]
pub struct AgentState<'t> {
    /// Its last event.
    pub last: Option<&'t Event>,
    /// The phase it documented last.
    pub phase: Option<&'t str>,
    /// Calls that had not returned.
    pub open: Vec<&'t Event>,
    /// Files it had read.
    pub read: BTreeSet<String>,
    /// Files it had changed.
    pub changed: BTreeSet<String>,
    /// True once it had stopped.
    pub stopped: bool,
}

/// The agents at the end of a trace, by id.
pub fn state(trace: &Trace) -> BTreeMap<&str, AgentState<'_>> {
    let mut agents: BTreeMap<&str, AgentState<'_>> = BTreeMap::new();
    for event in trace.events.iter().filter(|event| !act::actor(event).is_empty()) {
        agents.entry(act::actor(event)).or_default().take(event);
    }
    agents
}

impl<'t> AgentState<'t> {
    fn take(&mut self, event: &'t Event) {
        self.last = Some(event);
        self.phase = event.text("phase").or(self.phase);
        match event.kind.as_str() {
            "skill.invoked" => self.open.push(event),
            "skill.returned" => self.open.retain(|open| open.text("call") != event.text("call")),
            "agent.stopped" => self.stopped = true,
            "agent.spawned" | "agent.started" => self.stopped = false,
            _ => {}
        }
        match act::deed(event) {
            Some(Deed::Looks) => self.read.extend(act::paths(event)),
            Some(Deed::Changes) => self.changed.extend(act::paths(event)),
            _ => {}
        }
    }
}

/// Events that are worth a look when a night is halved: decisions, changes, handoffs, tests and errors.
pub fn is_key(event: &Event) -> bool {
    let deed = act::deed(event);
    act::is_failure(event)
        || matches!(deed, Some(Deed::Changes | Deed::Tests))
        || matches!(event.kind.as_str(), "handoff.made" | "decision.scored")
        || matches!(event.text("phase"), Some("decisions" | "pivot" | "completion"))
}

/// A search by halves among the key events after a good event, up to a bad one.
#[derive(Debug, Clone)]
pub struct Bisect<'t> {
    keys: Vec<&'t Event>,
    /// All below are good.
    low: usize,
    /// This one and all above are bad.
    high: usize,
}

impl<'t> Bisect<'t> {
    /// Between two sequences; `None` if nothing stands between them.
    pub fn new(trace: &'t Trace, good: u64, bad: u64) -> Option<Self> {
        let (from, to) = (trace.place(good)?, trace.place(bad)?);
        let between = trace.events.get(from + 1..=to)?;
        let mut keys: Vec<&Event> = between.iter().filter(|event| is_key(event)).collect();
        let last = &trace.events[to];
        if keys.last().is_none_or(|event| event.seq != last.seq) {
            keys.push(last);
        }
        let high = keys.len() - 1;
        Some(Self { keys, low: 0, high })
    }

    /// The event to ask about; `None` when the first bad one is known.
    pub fn ask(&self) -> Option<&'t Event> {
        (self.low < self.high).then(|| self.keys[usize::midpoint(self.low, self.high)])
    }

    /// What a person said about it.
    pub fn answer(&mut self, good: bool) {
        let middle = usize::midpoint(self.low, self.high);
        if good { self.low = middle + 1 } else { self.high = middle }
    }

    /// The first bad key event.
    pub fn first_bad(&self) -> &'t Event {
        self.keys[self.high]
    }

    /// Questions left, at most.
    pub fn left(&self) -> u32 {
        (self.high - self.low + 1).next_power_of_two().trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{event, trace};
    use serde_json::json;

    #[test]
    fn halving_finds_the_first_bad_event_in_few_questions() {
        let events = (0..100)
            .map(|seq| event(seq, "skill.invoked", json!({"skill": "Edit", "agent": "a"}), json!({})))
            .collect();
        let trace = trace(events);
        for culprit in [13, 50, 98] {
            let mut bisect = Bisect::new(&trace, 12, 98).expect("a stretch");
            let mut asked = 0;
            while let Some(event) = bisect.ask() {
                bisect.answer(event.seq < culprit);
                asked += 1;
            }
            assert_eq!(bisect.first_bad().seq, culprit);
            assert!(asked <= 7, "{asked}");
        }
        assert!(Bisect::new(&trace, 12, 500).is_none());
    }
}
