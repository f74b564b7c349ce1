//! Where two attempts went different ways: each agent's acts side by side, and what the sets differ in.

use std::collections::{BTreeMap, BTreeSet};

use event::Event;

use crate::act::{self, Deed};
use crate::print::{self, of_act};
use crate::trace::Trace;

/// Where an agent's acts differ first.
#[derive(Debug, Clone)]
pub struct Divergence<'t> {
    /// The role.
    pub role: String,
    /// How many acts are alike before.
    pub alike: usize,
    /// What the first did; `None` if it had ended.
    pub left: Option<&'t Event>,
    /// What the second did.
    pub right: Option<&'t Event>,
    /// How many acts further on they are alike again, if they are.
    pub rejoins: Option<usize>,
}

/// What only one of two attempts has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Only {
    /// Only in the first.
    pub left: BTreeSet<String>,
    /// Only in the second.
    pub right: BTreeSet<String>,
}

/// Two attempts side by side.
#[derive(Debug, Clone)]
pub struct Diff<'t> {
    /// The first divergence of each role, the earliest first.
    pub divergences: Vec<Divergence<'t>>,
    /// Files that were changed.
    pub changed: Only,
    /// Files that were read.
    pub read: Only,
    /// Errors, by their fingerprints.
    pub errors: Only,
}

/// Compares two traces.
pub fn diff<'t>(left: &'t Trace, right: &'t Trace) -> Diff<'t> {
    let (lanes_left, lanes_right) = (lanes(left), lanes(right));
    let none = Vec::new();
    let roles: BTreeSet<&str> = lanes_left.keys().chain(lanes_right.keys()).copied().collect();
    let pick = |lanes: &BTreeMap<&str, Vec<Act<'t>>>, role: &str| lanes.get(role).unwrap_or(&none).clone();
    let mut divergences: Vec<Divergence<'t>> = roles
        .iter()
        .filter_map(|role| diverge(role, &pick(&lanes_left, role), &pick(&lanes_right, role)))
        .collect();
    let place = |d: &Divergence<'_>| {
        d.left.and_then(|event| left.place_of(&event.session, event.seq)).unwrap_or(usize::MAX)
    };
    divergences.sort_by_key(place);
    Diff {
        divergences,
        changed: only(left, right, |e| files(e, Deed::Changes)),
        read: only(left, right, |e| files(e, Deed::Looks)),
        errors: only(left, right, |e| if act::is_failure(e) { vec![error(e)] } else { Vec::new() }),
    }
}

type Act<'t> = (String, &'t Event);

fn lanes(trace: &Trace) -> BTreeMap<&str, Vec<Act<'_>>> {
    let mut lanes: BTreeMap<&str, Vec<Act<'_>>> = BTreeMap::new();
    for event in &trace.events {
        // that an agent read a handoff is an act here: it is what attempts differ in most often
        let read = event.kind == "handoff.read";
        let print = if read { Some("handoff.read".to_owned()) } else { of_act(event) };
        if let Some(print) = print {
            lanes.entry(act::role(event)).or_default().push((print, event));
        }
    }
    lanes
}

fn diverge<'t>(role: &str, left: &[Act<'t>], right: &[Act<'t>]) -> Option<Divergence<'t>> {
    let alike = left.iter().zip(right).take_while(|(a, b)| a.0 == b.0).count();
    let (rest_left, rest_right) = (&left[alike..], &right[alike..]);
    if rest_left.is_empty() && rest_right.is_empty() {
        return None;
    }
    let event = |rest: &[Act<'t>]| rest.first().map(|(_, event)| *event);
    let rejoins = rejoin(rest_left, rest_right);
    Some(Divergence {
        role: role.to_owned(),
        alike,
        left: event(rest_left),
        right: event(rest_right),
        rejoins,
    })
}

/// The first act further on that each has exactly once: patience's anchor.
fn rejoin(left: &[Act<'_>], right: &[Act<'_>]) -> Option<usize> {
    let count = |acts: &[Act<'_>]| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (print, _) in acts {
            *counts.entry(print.clone()).or_default() += 1;
        }
        counts
    };
    let (in_left, in_right) = (count(left), count(right));
    left.iter().position(|(print, _)| in_left.get(print) == Some(&1) && in_right.get(print) == Some(&1))
}

fn files(event: &Event, deed: Deed) -> Vec<String> {
    if act::deed(event) == Some(deed) { act::paths(event) } else { Vec::new() }
}

fn error(event: &Event) -> String {
    let line = match print::error_line(event) {
        Some(line) => line.chars().take(80).collect(),
        None => format!("{} failed without a word", event.text("skill").unwrap_or(event.kind.as_str())),
    };
    format!("{} {line}", print::of_error(event))
}

fn only(left: &Trace, right: &Trace, of: impl Fn(&Event) -> Vec<String>) -> Only {
    let set = |trace: &Trace| trace.events.iter().flat_map(&of).collect::<BTreeSet<String>>();
    let (left, right) = (set(left), set(right));
    Only {
        left: left.difference(&right).cloned().collect(),
        right: right.difference(&left).cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{event, trace};
    use serde_json::json;

    #[test]
    fn the_first_act_that_differs_is_found_and_where_they_meet_again() {
        let call = |seq, command: &str| {
            event(
                seq,
                "skill.invoked",
                json!({"agent": "dev", "skill": "Bash"}),
                json!({"input": {"command": command}}),
            )
        };
        let left = trace(vec![call(0, "ls 1"), call(1, "rm x"), call(2, "pytest")]);
        let right = trace(vec![call(0, "ls 2"), call(1, "cat x"), call(2, "pytest")]);
        let found = diff(&left, &right);
        let first = &found.divergences[0];
        assert_eq!((first.alike, first.left.map(|e| e.seq), first.rejoins), (1, Some(1), Some(1)));
        assert!(diff(&left, &left).divergences.is_empty());
    }
}
