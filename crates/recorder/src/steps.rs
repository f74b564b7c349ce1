//! Steps: what an order of events needs to know of each, without its payload.

use std::collections::{HashMap, HashSet};

use event::{Event, EventRef, Line, SessionId};
use journal::{Journal, JournalError, Names, Place, Pointer, ReadError, Sameness, compare};
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
    read(journal, session, None)
}

/// Reads the steps, and the whole events with them, by sequence.
pub(crate) fn steps_and_events(
    journal: &Journal,
    session: &SessionId,
) -> Result<(Steps, HashMap<u64, Event>), JournalError> {
    let mut events = HashMap::new();
    let steps = read(journal, session, Some(&mut events))?;
    Ok((steps, events))
}

fn read(
    journal: &Journal,
    session: &SessionId,
    mut events: Option<&mut HashMap<u64, Event>>,
) -> Result<Steps, JournalError> {
    let mut found = Steps::default();
    let reader = journal.read(session, Place::default())?;
    let mut reader = if events.is_none() { reader.heads_only() } else { reader };
    let mut fetcher = Fetcher::new(journal);
    let mut keys: HashMap<String, Vec<Pointer>> = HashMap::new();
    loop {
        match reader.next() {
            Ok(Some(entry)) => {
                let mut step = Step::of(&entry.line, entry.pointer);
                match repeats(&mut fetcher, session, &mut keys, &step)? {
                    Some(Sameness::Duplicate) => {
                        found.duplicates += 1;
                        continue;
                    }
                    sameness => step.conflict = sameness.is_some(),
                }
                if let Some(events) = &mut events {
                    events.extend(Event::from_line(&entry.line).map(|event| (step.seq, event)));
                }
                found.told.push(step);
            }
            Ok(None) => {
                leave_out_twins(&mut found);
                place_our_own(&mut found.told);
                return Ok(found);
            }
            Err(ReadError::Damage(_)) => found.damaged += 1,
            Err(ReadError::Journal(error)) => return Err(error),
        }
    }
}

/// Of what a hook saw and a transcript tells, the transcript's is told; of a torn record, the whole one.
fn leave_out_twins(found: &mut Steps) {
    let yields = |step: &Step| step.names.yields() || step.kind == "gap.found";
    if !found.told.iter().any(|step| yields(step) && !step.names.is_empty()) {
        return;
    }
    let stays = found.told.iter().filter(|step| !step.names.yields());
    let replaced: HashSet<String> = stays.flat_map(|step| step.names.others()).collect();
    let before = found.told.len();
    found.told.retain(|step| !yields(step) || !step.names.own().iter().any(|name| replaced.contains(name)));
    found.duplicates += (before - found.told.len()) as u64;
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
