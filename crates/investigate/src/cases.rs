//! Cases: what an investigator writes down, in a chained session of its own, beside what it is about.
//!
//! A case is a session `case-<n>`; its events name others with their whole hash (`about`, `cause`), so
//! that a rewritten session contradicts every case about it.

use event::{Draft, Event, EventRef, Kind, Origin, SessionId};
use recorder::{Receipt, Recorder, RecorderError, Store};

use crate::error::InvestigateError;
use crate::link::reference;
use crate::trace::Trace;

/// What sessions of cases begin with.
const PREFIX: &str = "case-";

/// The failure modes of MAST, for verdicts: code, name. (Cemri et al., arXiv 2503.13657)
pub const MODES: &[(&str, &str)] = &[
    ("FM-1.1", "disobey task specification"),
    ("FM-1.2", "disobey role specification"),
    ("FM-1.3", "step repetition"),
    ("FM-1.4", "loss of conversation history"),
    ("FM-1.5", "unaware of termination conditions"),
    ("FM-2.1", "conversation reset"),
    ("FM-2.2", "fail to ask for clarification"),
    ("FM-2.3", "task derailment"),
    ("FM-2.4", "information withholding"),
    ("FM-2.5", "ignored other agent's input"),
    ("FM-2.6", "reasoning-action mismatch"),
    ("FM-3.1", "premature termination"),
    ("FM-3.2", "no or incomplete verification"),
    ("FM-3.3", "incorrect verification"),
];

/// One case.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its session.
    pub session: SessionId,
    /// What it is about, in words.
    pub title: String,
    /// True once it is closed.
    pub closed: bool,
    /// What was written down.
    pub events: Vec<Event>,
}

impl Case {
    /// The events that its entries name, as they name them.
    pub fn named(&self) -> Vec<EventRef> {
        let texts = self.events.iter().flat_map(|entry| [entry.text("about"), entry.text("cause")]);
        texts.flatten().filter_map(|text| EventRef::parse(text).ok()).collect()
    }

    /// Its own session, and those that it is about, as far as this store has them.
    pub fn sessions(&self, store: &Store) -> Result<Vec<SessionId>, InvestigateError> {
        let mut found = vec![self.session.clone()];
        for named in self.named() {
            let Ok(session) = SessionId::new(&named.session) else { continue };
            if !found.contains(&session) && store.journal().has(&session).map_err(RecorderError::from)? {
                found.push(session);
            }
        }
        Ok(found)
    }
}

/// True for what cases are called: a name like this that is no case is a mistake.
pub fn is_case_name(name: &str) -> bool {
    name == "last" || name.strip_prefix(PREFIX).is_some_and(|number| number.parse::<u64>().is_ok())
}

/// A reference with as much of its hash as people read.
pub fn short(reference: &str) -> String {
    match reference.split_once('#') {
        Some((name, hash)) => format!("recount://local/{name}#{}", hash.get(..16).unwrap_or(hash)),
        None => reference.to_owned(),
    }
}

/// What is written down.
#[derive(Debug, Clone, Default)]
pub struct Entry<'e> {
    /// The event it is about.
    pub about: Option<&'e Event>,
    /// The event that brought it about.
    pub cause: Option<&'e Event>,
    /// A failure mode.
    pub mode: Option<&'static str>,
    /// In words.
    pub text: Option<&'e str>,
}

/// The mode with this code, in any case.
pub fn mode(code: &str) -> Result<&'static str, InvestigateError> {
    let found = MODES.iter().find(|(known, _)| known.eq_ignore_ascii_case(code)).map(|(known, _)| *known);
    found.ok_or_else(|| InvestigateError::NoMode { mode: code.to_owned() })
}

/// What a mode means.
pub fn mode_name(code: &str) -> Option<&'static str> {
    MODES.iter().find(|(known, _)| *known == code).map(|(_, name)| *name)
}

/// Every case, in the order in which they were opened.
pub fn cases(store: &Store) -> Result<Vec<Case>, InvestigateError> {
    numbered(store)?.into_iter().map(|(_, session)| read(store, session)).collect()
}

/// The sessions of cases by their numbers.
fn numbered(store: &Store) -> Result<Vec<(u64, SessionId)>, InvestigateError> {
    let sessions = store.journal().sessions().map_err(RecorderError::from)?;
    let number = |id: &SessionId| id.as_str().strip_prefix(PREFIX)?.parse::<u64>().ok();
    let mut numbered: Vec<(u64, SessionId)> =
        sessions.into_iter().filter_map(|id| Some((number(&id)?, id))).collect();
    numbered.sort_unstable();
    Ok(numbered)
}

fn read(store: &Store, session: SessionId) -> Result<Case, InvestigateError> {
    let events = Trace::read(store, &session, None)?.events;
    let opened = events.iter().find(|event| event.kind == "case.opened");
    let title = opened.and_then(|event| event.data.get("text")?.as_str()).unwrap_or_default().to_owned();
    let closed = events.iter().any(|event| event.kind == "session.closed");
    Ok(Case { session, title, closed, events })
}

/// The case of this name; without one (or by `last`) the one that was opened last.
pub fn find(store: &Store, name: Option<&str>) -> Result<Case, InvestigateError> {
    let mut all = cases(store)?;
    if let Some(name) = name.filter(|name| *name != "last") {
        let found = all.into_iter().find(|case| case.session.as_str() == name);
        return found.ok_or_else(|| InvestigateError::NoCase { name: name.to_owned() });
    }
    match (all.iter().rposition(|case| !case.closed), name) {
        (Some(open), _) => Ok(all.swap_remove(open)),
        (None, Some(_)) => all.pop().ok_or(InvestigateError::NoneOpen),
        (None, None) => Err(InvestigateError::NoneOpen),
    }
}

/// Opens the next case. Who opens one at the same time gets another number.
pub fn open(recorder: &mut Recorder, entry: &Entry<'_>) -> Result<Receipt, InvestigateError> {
    let last = numbered(&recorder.store())?.last().map_or(0, |(number, _)| *number);
    let mut next = last.saturating_add(1);
    loop {
        let draft = draft(&format!("{PREFIX}{next}"), "case.opened", entry);
        if let Some(receipt) = recorder.begin(draft)? {
            return Ok(receipt);
        }
        next = next.saturating_add(1);
    }
}

/// A draft of something written down.
pub fn draft(session: &str, kind: &'static str, entry: &Entry<'_>) -> Draft {
    Draft::new(session, Kind::of(kind), Origin::Claimed)
        .with("about", entry.about.map(reference))
        .with("cause", entry.cause.map(reference))
        .with("mode", entry.mode)
        .data("text", entry.text)
}

/// The draft that closes a case.
pub fn closing(session: &str, reason: Option<&str>) -> Draft {
    Draft::new(session, Kind::of("session.closed"), Origin::Claimed)
        .with("status", "closed")
        .data("reason", reason)
}
