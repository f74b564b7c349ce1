//! Spans in order of time become events: what all of them have in common.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use event::Draft;
use serde_json::{Map, Value, json};

use super::Shared;
use super::names::{self, Class};
use super::span::Span;
use super::tree::{Tree, Worker};
use crate::derive::{Derived, Names, once, short};
use crate::json::digest;
use crate::pen::{self, Stamp};
use crate::speech::History;
use crate::{Keys, Mapped, time};

/// Attributes from here on are kept once a session.
const LONG: usize = 256;

/// One file being told.
#[derive(Default)]
pub(crate) struct Telling {
    pub(super) stem: String,
    pub(super) tree: Tree,
    pub(super) history: History,
    pub(super) pending: Pending,
    pub(super) derived: Derived,
    /// Tools by their calls, and the keys of these.
    pub(super) calls: HashMap<u64, (Rc<str>, Rc<str>)>,
    pub(super) tool_names: Names,
    /// Calls that were left to spans which do not name them, by trace and tool.
    pub(super) given: HashMap<u64, VecDeque<String>>,
    pub(super) given_calls: HashSet<u64>,
    /// Responses of models whose usage was counted.
    pub(super) counted: HashSet<u64>,
    seen: HashMap<u64, u64>,
    resources: HashSet<u64>,
    titled: HashSet<u64>,
    repeats: HashMap<u64, Rc<str>>,
    /// The events with which messages begin, by the messages' keys.
    pub(super) anchors: HashMap<u64, Rc<str>>,
    /// Where the log events of one exchange stand.
    pub(super) chains: HashMap<u64, String>,
}

/// One span on its way.
pub(super) struct Work {
    pub(super) span: Span,
    pub(super) class: Class,
    pub(super) trace: String,
    /// Its key.
    pub(super) base: String,
    pub(super) stamp: Stamp,
    pub(super) worker: Worker,
    /// Whose history it goes on with.
    pub(super) scope: String,
    pub(super) group: Option<String>,
    /// What else is kept of it, with its first event.
    pub(super) ext: Map<String, Value>,
}

/// What happens at a span's start, and at its end.
#[derive(Default)]
pub(super) struct Told {
    pub(super) now: Vec<Draft>,
    pub(super) later: Vec<Draft>,
}

impl Work {
    fn new(
        span: Span,
        trace: String,
        base: String,
        session: String,
        worker: Worker,
        parent: Option<String>,
    ) -> Self {
        let stamp = Stamp {
            session,
            at: span.start.and_then(time::at_nanos),
            agent: worker.name.clone(),
            agent_id: worker.id.clone(),
            parent_agent: worker.parent.clone(),
            parent,
            model: None,
        };
        let scope = format!("{}\n{}", stamp.session, worker.name.as_deref().unwrap_or_default());
        let (class, group) = (names::class(&span), span.text(names::WORKFLOW).map(str::to_owned));
        Self { span, class, trace, base, stamp, worker, scope, group, ext: Map::new() }
    }

    /// A draft at its start.
    pub(super) fn draft(&self, kind: &'static str) -> Draft {
        self.of_trace(self.stamp.draft(kind))
    }

    /// A draft at its end.
    pub(super) fn ending(&self, kind: &'static str) -> Draft {
        let at = self.span.end.and_then(time::at_nanos).or_else(|| self.stamp.at.clone());
        self.of_trace(Stamp { at, ..self.stamp.clone() }.draft(kind))
    }

    fn of_trace(&self, draft: Draft) -> Draft {
        let trace = (!self.trace.is_empty()).then(|| self.trace.clone());
        draft.with("corr", trace).with("group", self.group.clone())
    }

    pub(super) fn duration_ms(&self) -> Option<i64> {
        let (start, end) = (self.span.start?, self.span.end?);
        i64::try_from(end.checked_sub(start)? / 1_000_000).ok()
    }

    /// Takes the first of these attributes.
    pub(super) fn take(&mut self, names: names::Names) -> Option<Value> {
        names.iter().find_map(|name| self.span.attributes.remove(*name)).filter(|value| !value.is_null())
    }
}

impl Telling {
    pub(super) fn new(stem: &str) -> Self {
        Self { stem: stem.to_owned(), history: History::across("otel"), ..Self::default() }
    }

    /// Tells a span; one that was told already (a batch that was sent again) only once.
    pub(super) fn span(&mut self, shared: Shared, span: Span, text: &str, keys: &dyn Keys) -> Mapped {
        let (trace, id) = (span.trace.clone().unwrap_or_default(), span.id.clone().unwrap_or_default());
        let base = format!("otel:{trace}.{id}");
        let all = short(text);
        if self.seen.insert(short(&base), all) == Some(all) {
            return Mapped::Duplicate;
        }
        let own = names::conversation(&span.attributes).or_else(|| shared.conversation());
        let session = self.tree.conversation(&trace, Some(&id)).or(own).unwrap_or_else(|| trace.clone());
        let worker = self.tree.worker(&trace, &id);
        let parent = span.parent.as_ref().map(|parent| self.start_key(&trace, parent, keys));
        let work = Work::new(span, trace, base, session, worker, parent);
        self.told(shared, work, keys)
    }

    /// The history that a span tells at its end, as far as nobody else has told it.
    pub(super) fn told_again(&mut self, mut span: Span, keys: &dyn Keys) -> Mapped {
        let (trace, id) = (span.trace.clone().unwrap_or_default(), span.id.clone().unwrap_or_default());
        span.start = span.end.or(span.start);
        let base = format!("otel:{trace}.{id}");
        let session = self.tree.conversation(&trace, Some(&id)).unwrap_or_else(|| trace.clone());
        let worker = self.tree.worker(&trace, &id);
        let mut work = Work::new(span, trace, base, session, worker, None);
        let told = self.retold(&mut work, keys);
        if told.is_empty() {
            return Mapped::Duplicate;
        }
        Mapped::Events(told)
    }

    /// Tells a span of which nobody knows where it belongs.
    pub(super) fn bare(&mut self, span: Span, text: &str, keys: &dyn Keys) -> Mapped {
        let base = format!("otel:{}", self.derived.next(keys, &format!("bare\n{text}")));
        let session = names::conversation(&span.attributes).unwrap_or_else(|| self.stem.clone());
        let worker = Worker { name: span.text(names::AGENT).map(str::to_owned), ..Worker::default() };
        let work = Work::new(span, String::new(), base, session, worker, None);
        self.told(Shared::default(), work, keys)
    }

    fn told(&mut self, shared: Shared, mut work: Work, keys: &dyn Keys) -> Mapped {
        let (start, class) = (work.span.start.unwrap_or_default(), work.class);
        let mut drafts = self.pending.until(start);
        drafts.extend(self.resource(&mut work, shared, keys));
        work.ext.insert("span".to_owned(), Value::Object(std::mem::take(&mut work.span.rest)));
        let mut told = match class {
            Class::Chat | Class::Embedding => self.chat(&mut work, keys),
            Class::Tool | Class::Retrieval | Class::Handoff => self.tool(&mut work, keys),
            Class::Agent => self.agent(&mut work, keys),
            Class::Creation => Told { now: vec![creation(&work)], later: Vec::new() },
            Class::Turn => self.turn(&mut work, keys),
            Class::Plan => Told { now: vec![plan(&mut work)], later: Vec::new() },
            Class::Other => Told { now: vec![other(&work)], later: Vec::new() },
        };
        told.now.extend(scores(&work));
        self.keep_rest(&mut work, &mut told);
        drafts.extend(told.now);
        match work.span.end {
            Some(end) if !drafts.is_empty() => self.pending.push(end, told.later),
            _ => drafts.extend(told.later),
        }
        Mapped::Events(drafts)
    }

    /// What nobody took stays with the first event that is the span's own.
    fn keep_rest(&mut self, work: &mut Work, told: &mut Told) {
        let attributes = std::mem::take(&mut work.span.attributes);
        let session = &work.stamp.session;
        let mut kept = Map::new();
        for (name, value) in attributes {
            let kept_value = self.once_a_session(session, &name, value, &work.base);
            kept.insert(name, kept_value);
        }
        if !kept.is_empty() {
            work.ext.insert("attributes".to_owned(), Value::Object(kept));
        }
        if !work.span.events.is_empty() {
            let events = work.span.events.drain(..).map(|event| {
                let mut map = event.rest;
                map.insert("attributes".to_owned(), Value::Object(event.attributes));
                Value::Object(map)
            });
            work.ext.insert("events".to_owned(), events.collect());
        }
        // with what it ends in, if it has an end: how it began may be told by somebody else
        let own = told.now.iter().position(|draft| draft.key.as_deref() == Some(work.base.as_str()));
        let first = match (work.class, own) {
            (Class::Tool | Class::Retrieval | Class::Handoff | Class::Agent | Class::Turn, own) => {
                told.later.last_mut().or(own.and_then(|own| told.now.get_mut(own)))
            }
            (_, own) => told.now.get_mut(own.unwrap_or_default()),
        };
        if let Some(first) = first {
            pen::add_ext(first, std::mem::take(&mut work.ext));
        }
    }

    /// A long attribute that a session has seen already is a pointer to the event that has it.
    fn once_a_session(&mut self, session: &str, name: &str, value: Value, base: &str) -> Value {
        let long = match &value {
            Value::String(text) => text.len() >= LONG,
            Value::Array(_) | Value::Object(_) => value.to_string().len() >= LONG,
            _ => false,
        };
        if !long {
            return value;
        }
        let place = short(&format!("{session}\n{name}\n{value}"));
        match self.repeats.get(&place) {
            Some(key) if **key != *base => json!({ "$same": &**key }),
            Some(_) => value,
            None => {
                self.repeats.insert(place, base.into());
                value
            }
        }
    }

    /// Where it ran, once a session; every span names it.
    pub(super) fn resource(&mut self, work: &mut Work, shared: Shared, keys: &dyn Keys) -> Option<Draft> {
        if !shared.scope.is_empty() {
            work.ext.insert("scope".to_owned(), Value::Object(shared.scope));
        }
        if shared.resource.is_empty() {
            return None;
        }
        let session = work.stamp.session.clone();
        let (key, draft) = self.place_resource(&session, work.stamp.at.clone(), shared.resource, keys);
        work.ext.insert("resource".to_owned(), json!({ "$same": key }));
        draft
    }

    /// The key of a resource's event, and the event if this file has not told it yet.
    pub(super) fn place_resource(
        &mut self,
        session: &str,
        at: Option<String>,
        resource: Map<String, Value>,
        keys: &dyn Keys,
    ) -> (String, Option<Draft>) {
        let hash = digest(&resource, &[]).to_hex();
        let key = format!("otel:{}", once(keys, &format!("resource\n{session}\n{hash}")));
        if !self.resources.insert(short(&format!("{session}\n{hash}"))) {
            return (key, None);
        }
        let stamp = Stamp { session: session.to_owned(), at, ..Stamp::default() };
        let draft = stamp.draft("state.changed").with("what", "resource").key(key.clone());
        (key, Some(draft.data("body", Value::Object(resource))))
    }

    /// The first thing that a person says names the session.
    pub(super) fn title(&mut self, stamp: &Stamp, text: &str, keys: &dyn Keys) -> Option<Draft> {
        let key = format!("otel:{}", once(keys, &format!("title\n{}", stamp.session)));
        if text.trim().is_empty() || !self.titled.insert(short(&stamp.session)) {
            return None;
        }
        let stamp = Stamp { session: stamp.session.clone(), at: stamp.at.clone(), ..Stamp::default() };
        let draft = stamp.draft("session.updated").key(key.clone()).data("title", pen::title(text));
        // another file has named it
        keys.session_of(&key).is_none().then_some(draft)
    }

    /// The key of the event that a span begins with.
    pub(super) fn start_key(&self, trace: &str, span: &str, keys: &dyn Keys) -> String {
        match self.tree.call_of(trace, span) {
            Some(call) if self.tree.spans_of_call(trace, &call) == 1 => {
                format!("{}.invoked", call_key(keys, trace, &call))
            }
            _ => format!("otel:{trace}.{span}"),
        }
    }

    pub(super) fn raw(&mut self, text: &str, keys: &dyn Keys) -> Mapped {
        let key = format!("otel:{}", self.derived.next(keys, &format!("raw\n{}\n{text}", self.stem)));
        Mapped::Raw(pen::raw(&Stamp { session: self.stem.clone(), ..Stamp::default() }, key, text))
    }
}

/// The key of a call of a tool, whoever tells of it: the model's answer, the span that ran it, the next question.
pub(super) fn call_key(keys: &dyn Keys, trace: &str, call: &str) -> String {
    format!("otel:{}", once(keys, &format!("call\n{trace}\n{call}")))
}

/// Where a call is remembered.
pub(super) fn call_place(trace: &str, call: &str) -> u64 {
    short(&format!("call\n{trace}\n{call}"))
}

fn creation(work: &Work) -> Draft {
    work.draft("agent.spawned").key(work.base.clone())
}

fn plan(work: &mut Work) -> Draft {
    let plan = work.take(names::ANSWERED).or_else(|| work.take(names::OUTPUT)).map(crate::speech::unwrapped);
    work.draft("plan.updated").key(work.base.clone()).data("plan", plan.unwrap_or_default())
}

/// A span about nothing we know: named, timed, and kept whole.
pub(super) fn other(work: &Work) -> Draft {
    let kind = event::Kind::known("x.span").unwrap_or(event::Kind::of("state.changed"));
    let mut draft = work.draft("state.changed").key(work.base.clone());
    draft.kind = kind;
    draft
        .data("name", work.span.name.as_str())
        .data("duration_ms", work.duration_ms())
        .data("status", if work.span.failure.is_some() { "error" } else { "ok" })
        .data("error", work.span.error())
}

/// Judgements that were noted within a span.
fn scores(work: &Work) -> Vec<Draft> {
    let judged =
        work.span.events.iter().enumerate().filter(|(_, event)| event.name.starts_with("gen_ai.evaluation"));
    judged
        .map(|(number, event)| {
            let draft = work
                .draft("score.given")
                .key(format!("{}.score{number}", work.base))
                .with("cause", work.base.clone());
            score(draft, &event.attributes)
        })
        .collect()
}

/// Fills in a judgement from the attributes of an evaluation.
pub(super) fn score(draft: Draft, attributes: &Map<String, Value>) -> Draft {
    let text = |name: &str| {
        attributes.get(name).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    draft
        .with("score", text("gen_ai.evaluation.score.value"))
        .with("label", text("gen_ai.evaluation.score.label").or_else(|| text("gen_ai.evaluation.name")))
        .data("text", text("gen_ai.evaluation.explanation"))
        .data("body", Value::Object(attributes.clone()))
}

/// Ends that wait for what began before them.
#[derive(Default)]
pub(super) struct Pending {
    waiting: Vec<(u64, Vec<Draft>)>,
}

impl Pending {
    pub(super) fn push(&mut self, end: u64, drafts: Vec<Draft>) {
        if !drafts.is_empty() {
            // of two that end together the one that began later ends first
            let place = self.waiting.partition_point(|(other, _)| *other >= end);
            self.waiting.insert(place, (end, drafts));
        }
    }

    /// Everything that ended before this time.
    pub(super) fn until(&mut self, time: u64) -> Vec<Draft> {
        let mut drafts = Vec::new();
        while time > 0 && self.waiting.last().is_some_and(|(end, _)| *end <= time) {
            drafts.extend(self.waiting.pop().into_iter().flat_map(|(_, drafts)| drafts));
        }
        drafts
    }

    pub(super) fn all(&mut self) -> Vec<Draft> {
        self.until(u64::MAX)
    }
}
