//! Steps: what an order of events needs to know of each, without its payload.

use std::collections::{HashMap, HashSet};

use event::{Event, EventRef, Line, SessionId};
use journal::{Entry, Finding, Journal, JournalError, Names, Pointer, Sameness, compare};
use serde_json::Value;

use crate::fetch::Fetcher;

/// How an event points at another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// A sequence of the same session.
    Seq(u64),
    /// An event of another session.
    Event(EventRef),
    /// A key that had not been seen when the event was recorded.
    Key(String),
}

/// One event's header, as far as order and filters need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its place in the session.
    pub seq: u64,
    /// When it happened, as far as anybody says.
    pub time: String,
    /// True if its source says when it happened.
    pub dated: bool,
    /// What happened.
    pub kind: String,
    /// Role of the agent.
    pub agent: Option<String>,
    /// Which agent; where absent, the role stands for it.
    pub agent_id: Option<String>,
    /// The group.
    pub group: Option<String>,
    /// The event before it in its agent's line of thought.
    pub parent: Option<Reference>,
    /// What it answers.
    pub cause: Option<Reference>,
    /// The call that it belongs to.
    pub call: Option<String>,
    /// Its key.
    pub key: Option<String>,
    /// The record that told it: the source's id and the line.
    pub source: Option<(String, u64)>,
    /// `session.linked`: whose past this session shares.
    pub target: Option<EventRef>,
    /// What others who tell it call it.
    pub(crate) names: Names,
    /// True if an earlier event has its key and other content.
    pub conflict: bool,
    /// The earlier version of the same thing, where a tool rewrites what it wrote.
    pub supersedes: Option<u64>,
    /// True if a later version of it stands in the session.
    pub superseded: bool,
    /// Where its line stands.
    pub pointer: Pointer,
}

impl Step {
    /// Who acts: the agent id, else the role, else nobody.
    pub fn actor(&self) -> &str {
        self.agent_id.as_deref().or(self.agent.as_deref()).unwrap_or_default()
    }

    fn of(line: &Line<'_>, pointer: Pointer) -> Self {
        let text = |name: &str| line.text(name).map(std::borrow::Cow::into_owned);
        let target = || EventRef::parse(&text("target")?).ok();
        Self {
            seq: line.seq,
            time: text("at").unwrap_or_else(|| line.ts.to_owned()),
            dated: line.field("at").is_some(),
            kind: event::decode(line.kind).unwrap_or_default().into_owned(),
            agent: text("agent"),
            agent_id: text("agent_id"),
            group: text("group"),
            parent: reference(line, "parent"),
            cause: reference(line, "cause"),
            call: text("call"),
            key: text("key"),
            source: source(line),
            target: if line.kind == "session.linked" { target() } else { None },
            names: Names::of(line),
            conflict: false,
            supersedes: line.field("supersedes").and_then(|field| field.value()?.as_u64()),
            superseded: false,
            pointer,
        }
    }
}

fn source(line: &Line<'_>) -> Option<(String, u64)> {
    let source = line.field("src")?.value()?;
    Some((source.get("id")?.as_str()?.to_owned(), source.get("line")?.as_u64()?))
}

fn reference(line: &Line<'_>, name: &str) -> Option<Reference> {
    match line.field(name)?.value()? {
        Value::Number(seq) => seq.as_u64().map(Reference::Seq),
        Value::String(text) if text.contains('#') => EventRef::parse(&text).ok().map(Reference::Event),
        Value::String(key) => Some(Reference::Key(key)),
        _ => None,
    }
}

/// The steps of a session, and what was left out on the way.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    pub(crate) told: Vec<Step>,
    /// Events told again under a known key.
    pub(crate) duplicates: u64,
    /// Damaged lines passed over: the answer is then not complete.
    pub(crate) damaged: u64,
}

/// Reads the steps of a session in journal order, each told once.
pub(crate) fn steps(journal: &Journal, session: &SessionId) -> Result<Steps, JournalError> {
    let lines = journal.each_head(session, &|line| Some(told(line, false)))?;
    told_once(journal, session, lines, &mut |_, _| {})
}

/// Reads the steps, and the whole events with them, by sequence.
pub(crate) fn steps_and_events(
    journal: &Journal,
    session: &SessionId,
) -> Result<(Steps, HashMap<u64, Event>), JournalError> {
    let lines = journal.each_line(session, &|line| Some(told(line, true)))?;
    let mut events = HashMap::with_capacity(lines.len());
    let steps = told_once(journal, session, lines, &mut |seq, event| drop(events.insert(seq, event)))?;
    Ok((steps, events))
}

/// What a line says; `None` if it is damaged.
type Told = Option<(Step, Option<Event>)>;

fn told(line: Result<Entry<'_>, Finding>, whole: bool) -> Told {
    let entry = line.ok()?;
    let event = if whole { Event::from_line(&entry.line) } else { None };
    Some((Step::of(&entry.line, entry.pointer), event))
}

fn told_once(
    journal: &Journal,
    session: &SessionId,
    lines: Vec<Told>,
    keep: &mut dyn FnMut(u64, Event),
) -> Result<Steps, JournalError> {
    let mut found = Steps { told: Vec::with_capacity(lines.len()), ..Steps::default() };
    let mut fetcher = Fetcher::new(journal);
    let mut keys: HashMap<String, Vec<Pointer>> = HashMap::new();
    for line in lines {
        let Some((mut step, event)) = line else {
            found.damaged += 1;
            continue;
        };
        match repeats(&mut fetcher, session, &mut keys, &step)? {
            Some(Sameness::Duplicate) => {
                found.duplicates += 1;
                continue;
            }
            sameness => step.conflict = sameness.is_some() && step.supersedes.is_none(),
        }
        if let Some(event) = event {
            keep(step.seq, event);
        }
        found.told.push(step);
    }
    leave_out_twins(&mut found);
    mark_superseded(&mut found.told);
    place_hooks(&mut found.told);
    place_our_own(&mut found.told);
    Ok(found)
}

/// A version counts as replaced only by one under its own key: nobody can put an event of their own in the
/// place of another's.
fn mark_superseded(steps: &mut [Step]) {
    let later = steps.iter().filter_map(|step| Some((step.supersedes?, step.key.clone()?)));
    let later: HashSet<(u64, String)> = later.collect();
    if later.is_empty() {
        return;
    }
    for step in steps {
        step.superseded = step.key.clone().is_some_and(|key| later.contains(&(step.seq, key)));
    }
}

/// Of what a hook saw, a tool streamed and a transcript tells, the transcript's is told; of a torn record, the whole
/// one.
fn leave_out_twins(found: &mut Steps) {
    if !found.told.iter().any(|step| step.names.may_yield() && !step.names.is_empty()) {
        return;
    }
    let mut told_by: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, step) in found.told.iter().enumerate() {
        step.names.others().into_iter().for_each(|name| told_by.entry(name).or_default().push(at));
    }
    let told_better = |step: &Step| {
        let tellers = step.names.own().into_iter().filter_map(|name| told_by.get(&name)).flatten();
        tellers.into_iter().any(|at| step.names.yields_to(&found.told[*at].names))
    };
    let left_out: Vec<bool> =
        found.told.iter().map(|step| step.names.may_yield() && told_better(step)).collect();
    let mut left_out = left_out.into_iter();
    let before = found.told.len();
    found.told.retain(|_| !left_out.next().unwrap_or(false));
    found.duplicates += (before - found.told.len()) as u64;
}

/// What hooks saw stands among what a transcript tells by when it happened: a transcript that was taken in later
/// stands behind all of it in the journal.
fn place_hooks(told: &mut Vec<Step>) {
    let of_hook = |step: &Step| step.names.yields() && !step.dated && !is_our_own(&step.kind);
    if !told.iter().any(of_hook) || !told.iter().any(|step| step.dated) {
        return;
    }
    let (mut hooks, others): (Vec<Step>, Vec<Step>) = std::mem::take(told).into_iter().partition(of_hook);
    hooks.sort_by(|a, b| a.time.cmp(&b.time));
    let (mut hooks, mut now) = (hooks.into_iter().peekable(), String::new());
    for step in others {
        if step.dated && step.time > now {
            now.clone_from(&step.time);
        }
        while let Some(hook) = hooks.next_if(|hook| hook.time < now) {
            told.push(hook);
        }
        told.push(step);
    }
    told.extend(hooks);
}

/// What the recorder itself says (a session opens, is linked, was recovered) happened when it was recorded,
/// which says nothing about a transcript from last year: it is told where it stands. What a session opens
/// with is told first, whatever the first record of a shuffled transcript says of the time.
fn place_our_own(steps: &mut [Step]) {
    let own = |step: &Step| step.actor().is_empty() && !step.dated && is_our_own(&step.kind);
    let first = steps.iter().find(|step| !own(step)).map(|step| step.time.clone());
    let Some(mut before) = first else { return };
    for step in steps {
        if step.seq == 0 && step.kind == "session.opened" {
            step.time.clear();
        } else if own(step) {
            step.time.clone_from(&before);
        } else {
            before.clone_from(&step.time);
        }
    }
}

fn is_our_own(kind: &str) -> bool {
    kind.starts_with("audit.") || matches!(kind, "session.opened" | "session.updated" | "session.linked")
}

/// How the step relates to earlier ones with its key, if there are any.
fn repeats(
    fetcher: &mut Fetcher,
    session: &SessionId,
    keys: &mut HashMap<String, Vec<Pointer>>,
    step: &Step,
) -> Result<Option<Sameness>, JournalError> {
    let Some(key) = &step.key else { return Ok(None) };
    let earlier = keys.entry(key.clone()).or_default();
    let mut sameness = None;
    if !earlier.is_empty() {
        let later = fetcher.event(session, &step.pointer)?;
        for at in earlier.iter() {
            let event = fetcher.event(session, at)?;
            sameness = Some(compare((&event).into(), (&later).into()));
            if sameness == Some(Sameness::Duplicate) {
                return Ok(sameness);
            }
        }
    }
    earlier.push(step.pointer);
    Ok(sameness)
}
