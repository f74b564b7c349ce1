//! What these tests share: a machine with room for a store, short events, and reading everything back.

use std::path::Path;
use std::sync::OnceLock;

use event::{Draft, Event, Kind, Origin, SessionId};
use journal::{Durability, FindingCode, Journal, Options, Place, SessionReport, Writer, blob_refs};
use redact::{Clean, Keys, Redactor};
use world::World;
use world::sim::SimWorld;

/// Its parent is there and durable; the store itself is made by the test.
pub(crate) const ROOT: &str = "/home/store";
/// Three or four events fill a segment.
pub(crate) const SEGMENT_BYTES: u64 = 1500;

pub(crate) fn machine(seed: u64) -> SimWorld {
    let sim = SimWorld::new(seed);
    sim.write("/home/profile", b"a home");
    sim
}

pub(crate) fn id(name: &str) -> SessionId {
    SessionId::new(name).expect("a session id")
}

pub(crate) fn clean(draft: Draft) -> Clean {
    static REDACTOR: OnceLock<Redactor> = OnceLock::new();
    let keys = || Redactor::new(&Keys { store_secret: [1; 32], redaction_key: [2; 32] });
    REDACTOR.get_or_init(keys).clean(draft).expect("a good draft")
}

pub(crate) fn note(session: &str, text: &str) -> Clean {
    clean(Draft::new(session, Kind::of("note.added"), Origin::Claimed).data("text", text))
}

/// A note of the session `always` whose text goes into a blob; made once, for it is slow to redact.
pub(crate) fn large_note() -> Clean {
    static LARGE: OnceLock<Clean> = OnceLock::new();
    LARGE.get_or_init(|| large("always")).clone()
}

/// The same of the session `batch`.
pub(crate) fn large_note_in_batch() -> Clean {
    static LARGE: OnceLock<Clean> = OnceLock::new();
    LARGE.get_or_init(|| large("batch")).clone()
}

fn large(session: &str) -> Clean {
    note(session, &"a text that needs a blob ".repeat(11_000))
}

pub(crate) fn opened(session: &str) -> Clean {
    clean(Draft::new(session, Kind::of("session.opened"), Origin::Observed))
}

pub(crate) fn init(world: &World) -> Result<Journal, journal::JournalError> {
    Journal::init(world.clone(), Path::new(ROOT)).map(|(journal, _)| small(journal))
}

pub(crate) fn open(world: &World) -> Result<Journal, journal::JournalError> {
    Journal::open(world.clone(), Path::new(ROOT)).map(small)
}

fn small(journal: Journal) -> Journal {
    journal.with_options(Options { segment_bytes: SEGMENT_BYTES })
}

pub(crate) fn writer(journal: &Journal, session: &str, durability: Durability) -> Writer {
    journal.writer(opened(session), durability)
}

/// A store in which every event is durable: `session` with so many notes.
pub(crate) fn store_with(seed: u64, session: &str, notes: usize) -> (SimWorld, Journal) {
    let sim = machine(seed);
    let journal = init(&sim.process()).expect("a store");
    let mut writer = writer(&journal, session, Durability::Always);
    for n in 0..notes {
        writer.append(&note(session, &format!("note {n} of {session}"))).expect("appends");
    }
    (sim, journal)
}

/// An event as these tests compare it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) seq: u64,
    pub(crate) hash: String,
    pub(crate) kind: String,
    pub(crate) text: String,
}

/// Everything a session tells, in order; damage is an error.
pub(crate) fn tell(journal: &Journal, session: &SessionId) -> Result<Vec<Told>, String> {
    let mut reader = journal.read(session, Place::default()).map_err(|e| e.to_string())?;
    let mut told = Vec::new();
    while let Some(entry) = reader.next().map_err(|e| e.to_string())? {
        let event = Event::from_line(&entry.line).ok_or("a line without an event")?;
        told.push(told_of(journal, &event)?);
    }
    Ok(told)
}

pub(crate) fn told_of(journal: &Journal, event: &Event) -> Result<Told, String> {
    let text = event.data.get("text").cloned().unwrap_or_default();
    let text = match blob_refs(&text).pop() {
        Some(blob) => String::from_utf8(journal.blob(&blob.id).map_err(|e| e.to_string())?)
            .map_err(|e| e.to_string())?,
        None => text.as_str().unwrap_or_default().to_owned(),
    };
    Ok(Told { seq: event.seq, hash: event.hash.clone(), kind: event.kind.to_string(), text })
}

pub(crate) fn codes(report: &SessionReport) -> Vec<FindingCode> {
    report.findings.iter().map(|finding| finding.code).collect()
}
