//! Where an erased text may stand beside its line, and looking whether it does.

use std::collections::BTreeSet;

use event::{Line, SessionId, json_text};
use journal::{Journal, Place, ReadError, Target, blob_refs};
use recorder::Store;
use redact::{Clean, Fact};
use serde_json::Value;

use super::Eraser;
use crate::error::AuditError;

/// A shorter text stands in too many places by chance.
const LEAST_BYTES: usize = 12;

/// What was swept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sweep {
    /// Blobs that no event names any more, and were removed.
    pub blobs: u64,
    /// Torn files that were removed.
    pub torn: u64,
    /// Copies of an interrupted compression or write that were removed.
    pub copies: u64,
    /// True if there was an index: it was removed as a whole and is made again without the text.
    pub index: bool,
}

/// What is known of the text while it goes: held in memory, never written.
#[derive(Default)]
pub(super) struct Traces {
    /// Texts as lines have them.
    escaped: Vec<Vec<u8>>,
    /// Texts as they are.
    plain: Vec<Vec<u8>>,
    blobs: bool,
}

impl Traces {
    /// Reads what is about to go.
    pub(super) fn take(&mut self, journal: &Journal, target: &Target) -> Result<(), AuditError> {
        let bytes =
            journal.segment_file(&target.session, target.pointer.segment)?.line_at(&target.pointer)?;
        let Ok(line) = Line::parse(&bytes) else { return Ok(()) };
        let goes = |name: &str| target.slots.iter().any(|slot| slot.field == name);
        for member in line.members.iter().filter(|member| goes(member.name)) {
            let value: Value = serde_json::from_str(member.value).unwrap_or_default();
            self.blobs |= !blob_refs(&value).is_empty();
            self.texts(&value);
        }
        Ok(())
    }

    fn texts(&mut self, value: &Value) {
        match value {
            Value::String(text) => {
                self.plain.push(text.as_bytes().to_vec());
                let quoted = json_text(value);
                self.escaped.push(quoted.as_bytes()[1..quoted.len() - 1].to_vec());
            }
            Value::Array(items) => items.iter().for_each(|item| self.texts(item)),
            // a blob's text stands in no line
            Value::Object(map) if map.contains_key("blob") => {}
            Value::Object(map) => map.values().for_each(|item| self.texts(item)),
            _ => {}
        }
    }

    fn long(texts: &[Vec<u8>]) -> Vec<Vec<u8>> {
        texts.iter().filter(|text| text.len() >= LEAST_BYTES).cloned().collect()
    }

    /// Events in which one of the texts still stands.
    pub(super) fn elsewhere(&self, journal: &Journal) -> Result<Vec<(SessionId, u64)>, AuditError> {
        let texts = Self::long(&self.escaped);
        let finders: Vec<_> = texts.iter().map(memchr::memmem::Finder::new).collect();
        let mut found = Vec::new();
        if finders.is_empty() {
            return Ok(found);
        }
        for session in journal.sessions()? {
            let mut reader = journal.read(&session, Place::default())?;
            loop {
                match reader.next() {
                    Ok(Some(entry)) => {
                        let holds = finders.iter().any(|finder| finder.find(entry.bytes).is_some());
                        found.extend(holds.then(|| (session.clone(), entry.line.seq)));
                    }
                    Ok(None) => break,
                    Err(ReadError::Damage(_)) => {}
                    Err(ReadError::Journal(error)) => return Err(error.into()),
                }
            }
        }
        Ok(found)
    }
}

impl Eraser<'_> {
    /// Cleans the places beside, says so in each session, seals, and makes the index again.
    pub(super) fn sweep(
        &self,
        orders: &[(SessionId, u64)],
        traces: Option<&Traces>,
    ) -> Result<Sweep, AuditError> {
        let journal = self.sealer.journal();
        let mut sweep = Sweep::default();
        let texts = traces.map(|traces| traces.escaped.clone()).unwrap_or_default();
        let sessions: BTreeSet<&SessionId> = orders.iter().map(|(session, _)| session).collect();
        for session in sessions {
            let swept = journal.sweep(session, &texts)?;
            sweep.torn += swept.torn.len() as u64;
            sweep.copies += swept.copies;
        }
        if let Some(store) = self.index {
            sweep.index = store.forget_index()?;
        }
        if traces.is_none_or(|traces| traces.blobs) {
            sweep.blobs = journal.sweep_blobs()? as u64;
        }
        for (session, order) in orders {
            self.say_swept(session, *order, &sweep)?;
        }
        self.sealer.seal_hinted(true, crate::sealer::Moment::Within)?;
        if let (Some(store), true) = (self.index, sweep.index) {
            store.reindex()?;
            let texts = traces.map(|traces| Traces::long(&traces.plain)).unwrap_or_default();
            self.look_again(store, &texts)?;
        }
        Ok(sweep)
    }

    fn say_swept(&self, session: &SessionId, order: u64, sweep: &Sweep) -> Result<(), AuditError> {
        let places = Fact::Fields(vec![
            ("lines", Fact::Flag(true)),
            ("blobs", Fact::Number(sweep.blobs)),
            ("torn", Fact::Number(sweep.torn)),
            ("copies", Fact::Number(sweep.copies)),
            ("index", Fact::Flag(sweep.index)),
        ]);
        let header = vec![("target", Fact::Number(order))];
        let swept = Clean::system(session.clone(), "audit.swept", header, vec![("places", places)]);
        self.writer(session).append(&swept)?;
        Ok(self.sealer.journal().hint_unsealed(session)?)
    }

    /// The index is what the journal makes of it; a text that other events hold is theirs.
    fn look_again(&self, store: &Store, texts: &[Vec<u8>]) -> Result<(), AuditError> {
        let held = |text: &&Vec<u8>| {
            let one = Traces { escaped: vec![(*text).clone()], ..Traces::default() };
            one.elsewhere(self.sealer.journal()).map_or(true, |found| !found.is_empty())
        };
        let gone: Vec<Vec<u8>> = texts.iter().filter(|text| !held(text)).cloned().collect();
        match store.index_files_with(&gone).into_iter().next() {
            Some(path) => Err(AuditError::StillThere { path }),
            None => Ok(()),
        }
    }

    /// Finishes what was ordered in a session and not swept; how many orders that were.
    pub fn finish(&self, session: &SessionId) -> Result<u64, AuditError> {
        let journal = self.sealer.journal();
        journal.finish_erasure(session)?;
        let orders: Vec<(SessionId, u64)> =
            unswept(journal, session)?.into_iter().map(|order| (session.clone(), order)).collect();
        if !orders.is_empty() {
            self.sweep(&orders, None)?;
        }
        Ok(orders.len() as u64)
    }
}

/// True if an order to erase was given in the session and nobody said that its places were swept.
pub fn owes_sweep(journal: &Journal, session: &SessionId) -> Result<bool, AuditError> {
    Ok(!unswept(journal, session)?.is_empty())
}

fn unswept(journal: &Journal, session: &SessionId) -> Result<BTreeSet<u64>, AuditError> {
    let mut open = BTreeSet::new();
    let mut reader = journal.read(session, Place::default())?.heads_only();
    loop {
        match reader.next() {
            Ok(Some(entry)) => {
                let target = || entry.line.field("target")?.value()?.as_u64();
                match (entry.line.kind, target()) {
                    ("audit.erased", _) => drop(open.insert(entry.line.seq)),
                    ("audit.swept", Some(order)) => drop(open.remove(&order)),
                    _ => {}
                }
            }
            Ok(None) => return Ok(open),
            Err(ReadError::Damage(_)) => {}
            Err(ReadError::Journal(error)) => return Err(error.into()),
        }
    }
}
