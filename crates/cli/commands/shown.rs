//! How times and events are shown in rows.

use std::collections::{BTreeMap, HashMap};
use std::mem::ManuallyDrop;
use std::sync::LazyLock;

use ::investigate::{InvestigateError, Reason, Trace, ask, permalink};
use event::{Event, EventRef, SessionId};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use recorder::{Moment, Now, Query, QueryError, Store, summary};
use serde_json::{Value, json};

use crate::args::Part;
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::table::Cell;

/// Characters of an event's content in a row of a verb.
const BRIEF_CHARS: usize = 90;

/// Events by the name that people use: where a session's id is ours, by what its caller calls it.
pub(crate) struct Names<'a> {
    store: &'a Store,
    known: HashMap<SessionId, String>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(store: &'a Store) -> Self {
        Self { store, known: HashMap::new() }
    }

    /// `session/sequence`, as `show` takes it.
    pub(crate) fn event(&mut self, session: &SessionId, seq: u64) -> String {
        self.learn(session);
        self.told(session, seq)
    }

    /// Looks up what a session is called.
    pub(crate) fn learn(&mut self, session: &SessionId) {
        if !self.known.contains_key(session) {
            let name = self.store.original(session).unwrap_or_else(|| session.to_string());
            self.known.insert(session.clone(), name);
        }
    }

    /// The same as [`Names::event`] for sessions that were looked up.
    pub(crate) fn told(&self, session: &SessionId, seq: u64) -> String {
        format!("{}/{seq}", self.known.get(session).map_or(session.as_str(), String::as_str))
    }
}

/// The zone of this machine, looked up once.
static ZONE: LazyLock<TimeZone> = LazyLock::new(TimeZone::system);

/// `2026-11-27 02:11:07`, local unless UTC is wanted; what is no time stays as it is.
pub(crate) fn time(rfc3339: &str, utc: bool) -> String {
    let Ok(instant) = rfc3339.parse::<Timestamp>() else { return rfc3339.to_owned() };
    let zone = if utc { &TimeZone::UTC } else { &*ZONE };
    let (date, time) = {
        let told = zone.to_datetime(instant);
        (told.date(), told.time())
    };
    let (year, month, day) = (date.year(), date.month(), date.day());
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
}

/// Who acts, as people call it.
pub(crate) fn actor(event: &Event) -> &str {
    event.text("agent_id").or_else(|| event.text("agent")).unwrap_or("-")
}

/// An event as JSON answers have it.
pub(crate) fn event_json(event: &Event) -> Value {
    let mut value = json!({
        "event": event.name(),
        "session": event.session.as_str(),
        "seq": event.seq,
        "ts": event.ts,
        "kind": event.kind.as_str(),
        "header": event.header,
        "data": event.data,
        "hash": event.hash,
        "prev": event.prev,
    });
    if !event.erased.is_empty() {
        value["erased"] = json!(event.erased);
    }
    value
}

/// The instant and zone that relative times count from.
pub(crate) fn now(out: &Output) -> Now {
    Now { at: Timestamp::now(), zone: if out.utc { TimeZone::UTC } else { TimeZone::system() } }
}

/// Reads a query and fills in its names, or says where it cannot be understood.
pub(crate) fn query(store: &Store, text: &str, now: &Now) -> Result<Query, Failure> {
    // only a name needs the user's saved searches
    let saved = if text.contains('@') { place::searches()? } else { BTreeMap::new() };
    ask(store, text, now, &saved).map_err(|error| not_asked(text, error))
}

/// Reads a query without asking the store for what it names.
pub(crate) fn parsed(text: &str, now: &Now) -> Result<Query, Failure> {
    Query::parse(text, now).map_err(|error| misunderstood(text, error))
}

/// Why a query was not asked, with a caret where that is a place in it.
pub(crate) fn not_asked(text: &str, error: InvestigateError) -> Failure {
    match error {
        InvestigateError::Query(error) => misunderstood(text, error),
        error => error.into(),
    }
}

fn misunderstood(text: &str, error: QueryError) -> Failure {
    let failure =
        Failure::usage(format!("{}\n\n  {}", error.message, error.caret(text).replace('\n', "\n  ")))
            .code("R0006");
    match error.hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// The sequence that `--at` or `--until` means in a session: `17`, or `session/17` of this session.
pub(crate) fn sequence(store: &Store, session: &SessionId, at: &str) -> Result<u64, Failure> {
    let reference = match at.parse::<u64>() {
        Ok(seq) => EventRef { session: session.to_string(), seq, hash: None },
        Err(_) => EventRef::parse(at)?,
    };
    let (event, _) = store.event(&reference)?;
    if event.session == *session {
        return Ok(event.seq);
    }
    Err(Failure::usage(format!("{} is not an event of {session}", event.name()))
        .hint("name an event of this session"))
}

/// The moment that `--at` means for the whole store: an event by its session and sequence, or a permalink.
pub(crate) fn moment(store: &Store, at: Option<&str>) -> Result<Option<Moment>, Failure> {
    at.map(|at| Ok(Moment::of(&store.event(&EventRef::parse(at)?)?.0))).transpose()
}

/// The events that were there at a moment, as a query.
pub(crate) fn until(store: &Store, at: &str, now: &Now) -> Result<Query, Failure> {
    let (event, _) = store.event(&EventRef::parse(at)?)?;
    let (session, seq, time) = (&event.session, event.seq, event.time());
    let filter = format!("(session:\"{session}\" seq:<={seq}) OR (-session:\"{session}\" until:\"{time}\")");
    query(store, &filter, now)
}

/// A session as it was at a moment, as verbs over several read it.
pub(crate) fn trace_at(
    store: &Store,
    session: &str,
    group: Option<&str>,
    at: Option<&Moment>,
) -> Result<Trace, Failure> {
    let trace = Trace::read_at(store, &store.session(session)?, at)?;
    Ok(of_group(trace, group))
}

fn of_group(trace: Trace, group: Option<&str>) -> Trace {
    match group {
        Some(group) => trace.keeping(|event| event.text("group").is_none_or(|own| own == group)),
        None => trace,
    }
}

/// A session as a verb reads it. The process ends with its answer: to give back each string of ten thousand events
/// before would take longer than most verbs.
pub(crate) fn trace(store: &Store, session: &str, part: &Part) -> Result<ManuallyDrop<Trace>, Failure> {
    let session = store.session(session)?;
    let upto = part.at.as_deref().map(|at| sequence(store, &session, at)).transpose()?;
    Ok(ManuallyDrop::new(of_group(Trace::read(store, &session, upto)?, part.group.as_deref())))
}

/// How much was read, for JSON answers.
pub(crate) fn as_of(trace: &Trace) -> Value {
    let last =
        trace.events.iter().filter(|event| event.session == trace.session).map(|event| event.seq).max();
    json!({"session": trace.session.as_str(), "events": trace.events.len(), "last": last})
}

/// Says that damage was passed over.
pub(crate) fn warn(trace: &Trace) {
    if !trace.complete {
        eprintln!("warning: damaged lines were passed over; `recount verify {}` shows them", trace.session);
    }
}

/// The same, where they were counted.
pub(crate) fn warn_of(session: &SessionId, damaged: u64) {
    if damaged > 0 {
        eprintln!("warning: {damaged} damaged lines were passed over; `recount verify {session}` shows them");
    }
}

/// An event as a cell: its name with a link on a terminal, its permalink elsewhere.
pub(crate) fn link(event: &Event, names: &mut Names<'_>) -> Cell {
    Cell::link(&names.event(&event.session, event.seq), &permalink(event))
}

/// An event in the cells that every verb begins with: link, agent, kind, what.
pub(crate) fn brief(event: &Event, names: &mut Names<'_>) -> Vec<Cell> {
    names.learn(&event.session);
    brief_told(event, names)
}

/// The same of an event whose session was looked up.
pub(crate) fn brief_told(event: &Event, names: &Names<'_>) -> Vec<Cell> {
    let link = Cell::link(&names.told(&event.session, event.seq), &permalink(event));
    vec![link, actor(event).into(), event.kind.as_str().into(), what(event).into()]
}

fn what(event: &Event) -> String {
    let summary = summary(event, BRIEF_CHARS);
    if summary.label.is_empty() { summary.text } else { format!("[{}] {}", summary.label, summary.text) }
}

/// The same as JSON.
pub(crate) fn brief_json(event: &Event) -> Value {
    json!({
        "event": event.name(), "link": permalink(event), "time": event.time(), "kind": event.kind.as_str(),
        "agent": event.text("agent"), "agent_id": event.text("agent_id"), "group": event.text("group"),
        "what": what(event),
    })
}

/// Why a step is listed; what nothing speaks for stands where it happened.
pub(crate) fn reasons(reasons: &[Reason]) -> String {
    if reasons.is_empty() {
        return "next in time".to_owned();
    }
    reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join(" · ")
}
