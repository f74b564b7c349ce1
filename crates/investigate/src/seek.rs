//! Stepping through a session: keys that go to the next event of a kind, or with the shift key to the one before.

use std::collections::BTreeSet;

use event::Event;

use crate::act::{self, Deed};
use crate::suspects::suspects;
use crate::trace::Trace;

/// Suspects that `x` goes through.
const SUSPECTS: usize = 10;

/// Where one stands in a session.
#[derive(Debug)]
pub struct Stepper<'t> {
    trace: &'t Trace,
    at: usize,
    suspects: BTreeSet<usize>,
    marked: BTreeSet<usize>,
}

/// One key.
#[derive(Debug)]
pub struct Key {
    /// Goes on; its upper-case letter goes back.
    pub letter: char,
    /// What it goes to.
    pub about: &'static str,
}

const fn key(letter: char, about: &'static str) -> Key {
    Key { letter, about }
}

/// Keys that go to the next event of a kind.
pub const KEYS: &[Key] = &[
    key('o', "same agent"),
    key('e', "error"),
    key('p', "phase"),
    key('a', "handoff"),
    key('d', "decision"),
    key('w', "write"),
    key('t', "test"),
    key('x', "suspect"),
    key('u', "marked"),
];

impl<'t> Stepper<'t> {
    /// At the first event; `None` if there is none.
    pub fn new(trace: &'t Trace) -> Option<Self> {
        let place = |event: &Event| trace.place_of(&event.session, event.seq);
        let suspects = suspects(trace, SUSPECTS).list.iter().filter_map(|s| place(s.event)).collect();
        (!trace.events.is_empty()).then_some(Self { trace, at: 0, suspects, marked: BTreeSet::new() })
    }

    /// The event one stands at.
    pub fn event(&self) -> &'t Event {
        &self.trace.events[self.at]
    }

    /// All up to and with that event.
    pub fn until_here(&self) -> Trace {
        self.trace.upto(self.at)
    }

    /// Marks the event, or takes the mark away.
    pub fn mark(&mut self) {
        if !self.marked.remove(&self.at) {
            self.marked.insert(self.at);
        }
    }

    /// Goes to a sequence. False if it is not there.
    pub fn go_to(&mut self, seq: u64) -> bool {
        let found = self.trace.place(seq);
        self.at = found.unwrap_or(self.at);
        found.is_some()
    }

    /// Does what a key means: `]` and `j` one on, `[` and `k` one back, `g` and `G` the ends, `}` and `{` by
    /// phase, else as [`KEYS`] say. False if there is nothing in that direction, or no such key.
    pub fn press(&mut self, key: char) -> bool {
        let last = self.trace.events.len() - 1;
        let found = match key {
            ']' | 'j' => (self.at < last).then_some(self.at + 1),
            '[' | 'k' => self.at.checked_sub(1),
            'g' => Some(0),
            'G' => Some(last),
            '}' => self.seek('p', true),
            '{' => self.seek('p', false),
            letter => self.seek(letter.to_ascii_lowercase(), letter.is_ascii_lowercase()),
        };
        self.at = found.unwrap_or(self.at);
        found.is_some()
    }

    fn seek(&self, letter: char, on: bool) -> Option<usize> {
        let fits = |at: &usize| self.fits(letter, *at);
        if on { (self.at + 1..self.trace.events.len()).find(fits) } else { (0..self.at).rev().find(fits) }
    }

    fn fits(&self, letter: char, at: usize) -> bool {
        let event = &self.trace.events[at];
        let deed = act::deed(event);
        match letter {
            'o' => act::actor(event) == act::actor(self.event()),
            'e' => act::is_failure(event),
            'p' => event.text("phase").is_some(),
            'a' => event.kind.as_str().starts_with("handoff."),
            'd' => event.kind == "decision.scored" || event.text("phase") == Some("decisions"),
            'w' => deed == Some(Deed::Changes),
            't' => deed == Some(Deed::Tests),
            'x' => self.suspects.contains(&at),
            'u' => self.marked.contains(&at),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{event, trace};
    use serde_json::json;

    #[test]
    fn keys_go_on_and_back_and_stop_at_the_ends() {
        let said = |seq| event(seq, "message.recorded", json!({"agent": "a", "role": "user"}), json!({}));
        let failed = |seq| event(seq, "error.raised", json!({"agent": "b"}), json!({}));
        let trace = trace(vec![said(0), failed(1), said(2), failed(3)]);
        let mut stepper = Stepper::new(&trace).expect("events");
        let mut seen = Vec::new();
        for key in ['e', 'e', 'e', 'E', 'o', '[', 'G', ']', 'g', 'k'] {
            let moved = stepper.press(key);
            seen.push((key, moved, stepper.event().seq));
        }
        let want =
            [('e', true, 1), ('e', true, 3), ('e', false, 3), ('E', true, 1), ('o', true, 3), ('[', true, 2)];
        assert_eq!(seen[..6], want);
        assert_eq!(seen[6..], [('G', true, 3), (']', false, 3), ('g', true, 0), ('k', false, 0)]);
        assert!(stepper.go_to(2) && !stepper.go_to(9));
    }
}
