//! What is known of every span before the first one is told: who is below whom, whose conversation it is, which
//! agent works, and which calls of tools have a span of their own.
//!
//! Children stand in front of their parents, and a parent may never come (sampling, a crash): then its place
//! is empty, and what is below it goes by what it says itself.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::names::{self, Class};
use super::span::Span;
use crate::derive::{Names, short};

/// Further up than this is a circle.
const HIGHEST: usize = 512;

type Id = (u64, u64);

struct Node {
    id: u64,
    parent: Option<u64>,
    class: Class,
    conversation: Option<Rc<str>>,
    agent: Option<Rc<str>>,
    agent_id: Option<Rc<str>>,
    call: Option<Rc<str>>,
    /// It is a call of a model, and says what was said.
    speaks: bool,
    /// A call of a model below it does.
    spoken_below: bool,
}

/// An agent at work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Worker {
    pub(super) name: Option<String>,
    pub(super) id: Option<String>,
    pub(super) parent: Option<String>,
    /// The call by which its parent started it.
    pub(super) call: Option<String>,
}

/// Every span of the file, in short.
#[derive(Default)]
pub(super) struct Tree {
    nodes: HashMap<Id, Node>,
    names: Names,
    /// How many spans a call of a tool has.
    calls: HashMap<u64, u32>,
    /// Spans of tools that do not say which call they run, by trace and name.
    unnamed: HashMap<u64, u32>,
    /// The conversation of a trace, if it has only one.
    traces: HashMap<u64, Option<Rc<str>>>,
    complete: bool,
}

fn number(hex: &str) -> u64 {
    u64::from_str_radix(hex, 16).unwrap_or_else(|_| short(hex))
}

impl Tree {
    /// Notes a span.
    pub(super) fn see(&mut self, span: &Span, shared: Option<String>) {
        let (Some(trace), Some(id)) = (&span.trace, &span.id) else { return };
        let class = names::class(span);
        let mut keep = |text: Option<&str>| text.map(|text| self.names.keep(text));
        let conversation = names::conversation(&span.attributes).or(shared);
        let own = matches!(class, Class::Agent)
            .then(|| span.text(&["graph.node.id", "traceloop.entity.name"]))
            .flatten();
        let called = matches!(class, Class::Agent).then(|| span.name.strip_prefix("invoke_agent ")).flatten();
        let node = Node {
            id: number(id),
            parent: span.parent.as_deref().map(number),
            class,
            conversation: keep(conversation.as_deref()),
            agent: keep(span.text(names::AGENT).or(own).or(called)),
            agent_id: keep(span.text(names::AGENT_ID)),
            call: keep(span.text(names::CALL).filter(|_| class == Class::Tool)),
            speaks: class == Class::Chat && names::has_content(span),
            spoken_below: false,
        };
        let place = (short(trace), number(id));
        if let (Some(call), false) = (&node.call, self.nodes.contains_key(&place)) {
            *self.calls.entry(short(&format!("{trace}\n{call}"))).or_default() += 1;
        }
        if class == Class::Tool && node.call.is_none() && !self.nodes.contains_key(&place) {
            *self.unnamed.entry(short(&format!("{trace}\n{}", names::skill(span, class)))).or_default() += 1;
        }
        self.nodes.insert(place, node);
    }

    /// Gives a call to a span of its tool that does not say which call it runs; false if there is none left.
    pub(super) fn claim_unnamed(&mut self, trace: &str, skill: &str) -> bool {
        match self.unnamed.get_mut(&short(&format!("{trace}\n{skill}"))) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    /// How many spans tell of this call.
    pub(super) fn spans_of_call(&self, trace: &str, call: &str) -> u32 {
        self.calls.get(&short(&format!("{trace}\n{call}"))).copied().unwrap_or_default()
    }

    /// The call that a span ran.
    pub(super) fn call_of(&self, trace: &str, span: &str) -> Option<String> {
        self.nodes.get(&(short(trace), number(span)))?.call.as_deref().map(str::to_owned)
    }

    /// The conversation to which a span belongs: that of whoever started it all, not of those it called.
    pub(super) fn conversation(&mut self, trace: &str, span: Option<&str>) -> Option<String> {
        self.completed();
        let trace = short(trace);
        let above = span.and_then(|span| self.highest((trace, number(span))));
        let alone = || self.traces.get(&trace).cloned().flatten();
        above.or_else(alone).map(|name| name.to_string())
    }

    /// True if calls of models below a span tell what was said, so that the span need not.
    pub(super) fn is_spoken_below(&mut self, trace: &str, span: &str) -> bool {
        self.completed();
        self.nodes.get(&(short(trace), number(span))).is_some_and(|node| node.spoken_below)
    }

    /// What can be known only when every span was seen.
    fn completed(&mut self) {
        if !std::mem::replace(&mut self.complete, true) {
            self.count_conversations();
            self.mark_spoken();
        }
    }

    fn mark_spoken(&mut self) {
        let speaking = self.nodes.iter().filter(|(_, node)| node.speaks).map(|(place, _)| *place);
        for (trace, mut span) in speaking.collect::<Vec<Id>>() {
            for _ in 0..HIGHEST {
                let Some(parent) = self.nodes.get(&(trace, span)).and_then(|node| node.parent) else { break };
                match self.nodes.get_mut(&(trace, parent)) {
                    Some(node) if !node.spoken_below => node.spoken_below = true,
                    _ => break,
                }
                span = parent;
            }
        }
    }

    fn count_conversations(&mut self) {
        let found: HashSet<(u64, Rc<str>)> =
            self.nodes.keys().filter_map(|place| Some((place.0, self.highest(*place)?))).collect();
        for (trace, name) in found {
            self.traces.entry(trace).and_modify(|only| *only = None).or_insert(Some(name));
        }
    }

    fn highest(&self, place: Id) -> Option<Rc<str>> {
        self.upward(place).filter_map(|node| node.conversation.clone()).last()
    }

    /// A span and those above it, nearest first.
    fn upward(&self, place: Id) -> impl Iterator<Item = &Node> {
        let first = self.nodes.get(&place);
        let above = move |node: &&Node| self.nodes.get(&(place.0, node.parent?));
        std::iter::successors(first, above).take(HIGHEST)
    }

    /// True if a call of a model is part of another one (two instrumentations of one call).
    pub(super) fn is_within_chat(&self, trace: &str, span: &str) -> bool {
        self.upward((short(trace), number(span))).skip(1).any(|node| node.class == Class::Chat)
    }

    /// Which agent works in a span.
    pub(super) fn worker(&self, trace: &str, span: &str) -> Worker {
        let mut worker = Worker::default();
        let mut passed = false;
        let (mut call, mut run) = (None, None);
        for node in self.upward((short(trace), number(span))) {
            let name = node.agent.as_ref();
            if worker.name.is_none() {
                worker.name = name.map(ToString::to_string);
                worker.id = node.agent_id.as_ref().map(ToString::to_string);
            } else if worker.id.is_none() && name.is_some_and(|name| worker.name.as_deref() == Some(name)) {
                worker.id = node.agent_id.as_ref().map(ToString::to_string);
            }
            if passed && node.class == Class::Tool && call.is_none() {
                call.clone_from(&node.call);
            }
            if passed && name.is_some_and(|name| worker.name.as_deref() != Some(name)) {
                worker.parent = name.map(ToString::to_string);
                break;
            }
            if node.class == Class::Agent && !passed {
                passed = true;
                run = Some(node.id);
            }
        }
        // an agent without an id of its own is named by its run
        if let (None, Some(name), Some(run)) = (&worker.id, &worker.name, run) {
            worker.id = Some(format!("{name}-{:08x}", run >> 32));
        }
        worker.call = call.map(|call| call.to_string()).filter(|_| worker.parent.is_some());
        worker
    }
}
