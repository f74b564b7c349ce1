//! What led to an event: edges that were recorded, and edges that are only likely, told apart.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;

use event::Event;
use serde_json::Value;

use crate::act::{self, Deed};
use crate::print::normal;
use crate::trace::{Places, Trace};

/// How far back files and errors are looked for, in events.
const WINDOW: usize = 2_000;

/// How an event leads to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// The event says what it answers.
    Cause,
    /// The event says what stands before it in its line of thought.
    Parent,
    /// The result of a call.
    Call,
    /// The call that started the agent.
    Spawn,
    /// A handoff that was read.
    Handoff,
    /// A digest that was given to the agent.
    Digest,
    /// A file that was written and then read.
    File,
    /// The same error text before.
    SameError,
    /// The failing result that it reports.
    Reports,
    /// The agent's last thought before it acted.
    Thought,
    /// What the agent was started with.
    Started,
}

/// One edge.
#[derive(Debug, Clone)]
pub struct Edge<'t> {
    /// What led to the other.
    pub from: &'t Event,
    /// The other.
    pub to: &'t Event,
    /// How.
    pub how: How,
    /// True if the record says so; false if it is inferred.
    pub recorded: bool,
    /// Steps from the event that was asked about, from 1.
    pub depth: usize,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cause => "is what it answers",
            Self::Parent => "stands before it in its line",
            Self::Call => "is the call that returned it",
            Self::Spawn => "is the call that spawned the agent",
            Self::Handoff => "is the handoff that was read",
            Self::Digest => "is the digest that the agent was given",
            Self::File => "wrote the file that it uses",
            Self::Reports => "is the failing result that it reports",
            Self::SameError => "failed with the same text before",
            Self::Thought => "is the agent's last thought before it",
            Self::Started => "is how the agent was started",
        })
    }
}

/// Everything that led to the event with this sequence, nearest first; `None` if it is not there.
pub fn why(trace: &Trace, seq: u64, most_depth: usize) -> Option<Vec<Edge<'_>>> {
    let start = trace.place(seq)?;
    let graph = Graph::of(trace);
    let mut edges = Vec::new();
    let mut seen = BTreeSet::from([start]);
    let mut open = VecDeque::from([(start, 0)]);
    while let Some((at, depth)) = open.pop_front() {
        if depth >= most_depth {
            continue;
        }
        for (from, how, recorded) in graph.before(at) {
            let (from_event, to) = (&trace.events[from], &trace.events[at]);
            edges.push(Edge { from: from_event, to, how, recorded, depth: depth + 1 });
            if seen.insert(from) {
                open.push_back((from, depth + 1));
            }
        }
    }
    Some(edges)
}

struct Graph<'t> {
    trace: &'t Trace,
    calls: Places<&'t str>,
    keys: Places<&'t str>,
}

impl<'t> Graph<'t> {
    fn of(trace: &'t Trace) -> Self {
        let (mut calls, mut keys) = (Places::default(), Places::default());
        for (at, event) in trace.events.iter().enumerate() {
            if let (Some(call), "skill.invoked") = (event.text("call"), event.kind.as_str()) {
                calls.entry(call).or_insert(at);
            }
            if let Some(key) = event.text("key") {
                keys.insert(key.split_once(':').map_or(key, |(_, bare)| bare), at);
            }
        }
        Self { trace, calls, keys }
    }

    fn before(&self, at: usize) -> Vec<(usize, How, bool)> {
        let event = &self.trace.events[at];
        let mut found: Vec<(usize, How, bool)> = Vec::new();
        let mut add = |from: Option<usize>, how, recorded| {
            if let Some(from) = from.filter(|from| *from != at)
                && !found.iter().any(|(known, ..)| *known == from)
            {
                found.push((from, how, recorded));
            }
        };
        add(self.refers(event, "cause"), How::Cause, true);
        let call = event.text("call").and_then(|call| self.calls.get(call).copied());
        match event.kind.as_str() {
            "skill.returned" | "skill.progressed" => add(call, How::Call, true),
            "agent.spawned" => {
                add(call, How::Spawn, true);
                add(self.digest(at), How::Digest, false);
            }
            "handoff.read" => add(self.handoff(at), How::Handoff, false),
            _ => {}
        }
        add(self.refers(event, "parent"), How::Parent, true);
        let (file, certain) = self.file(at);
        add(file, How::File, certain);
        if act::is_failure(event) {
            add(self.reports(at), How::Reports, false);
            add(self.same_error(at), How::SameError, false);
        }
        if act::deed(event).is_some_and(|deed| deed != Deed::Says) {
            add(self.thought(at), How::Thought, false);
        }
        add(self.started(at), How::Started, false);
        found
    }

    fn refers(&self, event: &Event, name: &str) -> Option<usize> {
        match event.header.get(name)? {
            Value::Number(seq) => self.trace.place_of(&event.session, seq.as_u64()?),
            Value::String(text) => match event::EventRef::parse(text) {
                Ok(meant) => {
                    let session = event::SessionId::new(&meant.session).ok()?;
                    self.trace.place_of(&session, meant.seq)
                }
                Err(_) => self.keys.get(text.as_str()).copied(),
            },
            _ => None,
        }
    }

    /// The events before a place, the latest first.
    fn back(&self, at: usize) -> impl Iterator<Item = (usize, &'t Event)> {
        let trace = self.trace;
        (at.saturating_sub(WINDOW)..at).rev().map(move |place| (place, &trace.events[place]))
    }

    /// The last handoff to whoever reads here.
    fn handoff(&self, at: usize) -> Option<usize> {
        let event = &self.trace.events[at];
        let by = event.text("by").unwrap_or(act::role(event));
        let to_it = |made: &Event| made.kind == "handoff.made" && made.text("to") == Some(by);
        let here = |made: &Event| to_it(made) && made.text("group") == event.text("group");
        let find =
            |fits: &dyn Fn(&Event) -> bool| self.back(at).find(|(_, e)| fits(e)).map(|(place, _)| place);
        find(&here).or_else(|| find(&to_it))
    }

    fn digest(&self, at: usize) -> Option<usize> {
        let event = &self.trace.events[at];
        let given = |e: &Event| {
            e.kind.as_str().starts_with("digest.")
                && (e.text("to") == event.text("agent") || e.text("to") == event.text("agent_id"))
        };
        self.back(at).find(|(_, e)| given(e)).map(|(place, _)| place)
    }

    /// Who wrote what is read or changed here; certain if the blob is the same.
    fn file(&self, at: usize) -> (Option<usize>, bool) {
        let event = &self.trace.events[at];
        if act::deed(event).is_none() {
            return (None, false);
        }
        let wanted = act::paths(event);
        let wrote = |e: &Event| {
            act::deed(e) == Some(Deed::Changes) && act::paths(e).iter().any(|path| wanted.contains(path))
        };
        let found = if wanted.is_empty() { None } else { self.back(at).find(|(_, e)| wrote(e)) };
        let blobs = |e: &Event| -> Vec<String> {
            let text = Value::Object(e.data.to_map()).to_string();
            text.split("\"b3:").skip(1).filter_map(|rest| rest.get(..64).map(str::to_owned)).collect()
        };
        let same = |e: &Event| blobs(e).iter().any(|blob| blobs(event).contains(blob));
        let certain = found.is_some_and(|(_, e)| same(e));
        (found.map(|(place, _)| place), certain)
    }

    fn same_error(&self, at: usize) -> Option<usize> {
        let told = |e: &Event| {
            ["message", "error", "output"]
                .iter()
                .find_map(|name| act::member(e, name))
                .map(|text| normal(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()))
        };
        let event = &self.trace.events[at];
        let wanted = told(event).filter(|text| text.len() > 8);
        let same = |e: &Event| act::is_failure(e) && wanted.is_some() && told(e) == wanted;
        self.back(at).find(|(_, e)| same(e)).map(|(place, _)| place)
    }

    /// An error that is raised stands right behind the result that it tells of.
    fn reports(&self, at: usize) -> Option<usize> {
        let event = &self.trace.events[at];
        let result = |e: &Event| {
            act::is_failure(e) && e.kind == "skill.returned" && act::actor(e) == act::actor(event)
        };
        let found = self.back(at).take(6).find(|(_, e)| result(e)).map(|(place, _)| place);
        found.filter(|_| event.kind == "error.raised")
    }

    fn thought(&self, at: usize) -> Option<usize> {
        let event = &self.trace.events[at];
        let thought = |e: &Event| {
            matches!(e.kind.as_str(), "reasoning.recorded" | "decision.scored")
                && act::actor(e) == act::actor(event)
        };
        self.back(at).find(|(_, e)| thought(e)).map(|(place, _)| place)
    }

    /// The agent's spawn, if this is the first that it does after it; else its handoff just read.
    fn started(&self, at: usize) -> Option<usize> {
        let event = &self.trace.events[at];
        let own = |e: &Event| act::actor(e) == act::actor(event) && !act::actor(e).is_empty();
        let (place, before) = self.back(at).find(|(_, e)| own(e))?;
        matches!(before.kind.as_str(), "agent.spawned" | "handoff.read").then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{event, trace};
    use serde_json::json;

    #[test]
    fn recorded_and_inferred_edges_are_told_apart() {
        let trace = trace(vec![
            event(0, "handoff.made", json!({"agent": "pm", "to": "dev"}), json!({})),
            event(1, "handoff.read", json!({"agent": "dev", "by": "dev"}), json!({})),
            event(2, "reasoning.recorded", json!({"agent": "dev"}), json!({"text": "so"})),
            event(
                3,
                "skill.invoked",
                json!({"agent": "dev", "skill": "Edit", "call": "c", "cause": 2}),
                json!({}),
            ),
            event(4, "skill.returned", json!({"agent": "dev", "call": "c", "status": "error"}), json!({})),
        ]);
        let edges = why(&trace, 4, 9).expect("the event is there");
        let told: Vec<(u64, u64, How, bool)> =
            edges.iter().map(|e| (e.from.seq, e.to.seq, e.how, e.recorded)).collect();
        assert!(
            told.contains(&(3, 4, How::Call, true)) && told.contains(&(2, 3, How::Cause, true)),
            "{told:?}"
        );
        assert!(told.contains(&(1, 2, How::Started, false)) && told.contains(&(0, 1, How::Handoff, false)));
        assert!(why(&trace, 9, 9).is_none());
    }

    #[test]
    fn a_ring_of_causes_ends() {
        let ring = |seq, cause| event(seq, "note.added", json!({"cause": cause}), json!({}));
        let trace = trace(vec![ring(0, 1), ring(1, 0)]);
        assert_eq!(why(&trace, 0, 1_000).expect("there").len(), 2);
    }
}
