//! Comparing all that is derived with the journal: every event is in, found by each of its tokens, and nothing
//! else is. Writes nothing; what is not in yet is counted, because the journal answers for it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use event::SessionId;
use journal::{Names, Place, ReadError};

use super::{Index, guarded};
use crate::duplicates::{KeyBook, Verdict};
use crate::error::IndexError;
use crate::facts::Facts;
use crate::folders::Part;
use crate::project::{fold_sessions, is_cut};
use crate::text::text_of;
use crate::text_index::{Contents, Document, Printer, Snapshot, TextIndex};
use crate::tokens::Buffers;
use crate::views::checkpoints;
use crate::views::sled_store::SledStore;
use crate::views::store::{Direction, MemStore, Overlay, ViewStore};

/// So often is the lock of the views tried.
const TRIES: u32 = 50;
const NAP: Duration = Duration::from_millis(100);

/// Where the index is not what the journal makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The session, where it has one.
    pub session: Option<String>,
    /// The event.
    pub seq: Option<u64>,
    /// What is wrong, without any recorded text.
    pub what: String,
}

/// What comparing found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compared {
    /// Events that were looked up by each of their tokens.
    pub events: u64,
    /// Their tokens.
    pub tokens: u64,
    /// Rows of views that are those of the journal.
    pub rows: u64,
    /// Events that are not in yet; the journal answers for them.
    pub behind: u64,
    /// What is wrong.
    pub flaws: Vec<Flaw>,
}

impl Compared {
    fn flaw(&mut self, session: Option<&str>, seq: Option<u64>, what: impl Into<String>) {
        self.flaws.push(Flaw { session: session.map(str::to_owned), seq, what: what.into() });
    }

    fn unusable(&mut self, checked: Result<(), IndexError>) -> Result<(), IndexError> {
        match checked {
            Err(error) if error.is_curable() => {
                self.flaw(None, None, error.to_string());
                Ok(())
            }
            other => other,
        }
    }
}

impl Index {
    /// Compares text index and views with the journal. `None` if there is no index: then the journal answers.
    pub fn compare(&self) -> Result<Option<Compared>, IndexError> {
        let (text, views) = (self.folders.current(Part::Text), self.folders.current(Part::Views));
        if text.is_none() && views.is_none() {
            return Ok(None);
        }
        let mut compared = Compared::default();
        if let Some(path) = text {
            let checked = guarded(&path, || self.compare_text(&path, &mut compared));
            compared.unusable(checked)?;
        }
        if let Some(path) = views {
            let checked = self.compare_views(&path, &mut compared);
            compared.unusable(checked)?;
        }
        Ok(Some(compared))
    }

    fn compare_text(&self, path: &Path, compared: &mut Compared) -> Result<(), IndexError> {
        let index = TextIndex::open(path)?;
        index.check()?;
        let (snapshot, printer) = (index.snapshot()?, Printer::default());
        let mut contents = snapshot.contents(&printer)?;
        for session in self.journal.sessions()? {
            let documents = contents.remove(session.as_str()).unwrap_or_default();
            let place = snapshot.progress.places.get(session.as_str()).cloned().unwrap_or_default();
            if is_cut(&self.journal.extent(&session)?, &place) {
                compared.flaw(Some(session.as_str()), None, "it was indexed further than the journal goes");
                continue;
            }
            self.compare_session(&snapshot, &printer, &session, (&place, documents), compared)?;
        }
        strangers(contents, compared);
        Ok(())
    }

    fn compare_session(
        &self,
        snapshot: &Snapshot<'_>,
        printer: &Printer,
        session: &SessionId,
        (place, documents): (&Place, Vec<Document>),
        compared: &mut Compared,
    ) -> Result<(), IndexError> {
        let name = session.as_str();
        let mut documents = documents.into_iter().peekable();
        let more = |seq, compared: &mut Compared| {
            compared.flaw(Some(name), Some(seq), "the index has an event that is not in the journal");
        };
        let replaced = self.replaced(session, place)?;
        let mut keys = KeyBook::new(&self.journal, session.clone(), None);
        let mut reader = self.journal.read(session, Place::default())?;
        let (mut text, mut buffers) = (String::new(), Buffers::default());
        loop {
            let entry = match reader.next() {
                Ok(Some(entry)) => entry,
                Ok(None) => break,
                // what is wrong with the journal is told by whoever verifies it
                Err(ReadError::Damage(_)) => continue,
                Err(ReadError::Journal(error)) => return Err(error.into()),
            };
            let verdict = keys.judge(&entry.line, entry.pointer);
            if entry.line.seq >= place.seq {
                compared.behind += 1;
                continue;
            }
            if verdict == Verdict::Duplicate || replaced.contains(&entry.line.seq) {
                continue;
            }
            let mut facts = Facts::of(&entry.line, entry.pointer);
            facts.conflict = verdict == Verdict::Conflict;
            text.clear();
            text_of(&entry.line, &|id| self.journal.blob(id).ok(), &mut text);
            let (expected, tokens) = snapshot.expected(printer, &facts, &text, &mut buffers);
            while let Some(other) = documents.next_if(|document| document.seq < expected.seq) {
                more(other.seq, compared);
            }
            match documents.next_if(|document| document.seq == expected.seq) {
                None => compared.flaw(Some(name), Some(expected.seq), "the index lacks it"),
                Some(document) if document != expected => {
                    compared.flaw(Some(name), Some(expected.seq), unlike(&document, &expected));
                }
                Some(_) => {}
            }
            compared.events += 1;
            compared.tokens += tokens;
        }
        for other in documents {
            more(other.seq, compared);
        }
        Ok(())
    }

    /// The events of a session for which others before `place` are told.
    fn replaced(&self, session: &SessionId, place: &Place) -> Result<BTreeSet<u64>, IndexError> {
        let mut keys = KeyBook::new(&self.journal, session.clone(), None);
        let mut reader = self.journal.read(session, Place::default())?.heads_only();
        let mut replaced = BTreeSet::new();
        loop {
            match reader.next() {
                Ok(Some(entry)) if entry.line.seq >= place.seq => return Ok(replaced),
                Ok(Some(entry)) => {
                    // nothing yields to what a hook saw: most sessions are read without a look at any payload
                    if !Names::of(&entry.line).others().is_empty() {
                        keys.judge(&entry.line, entry.pointer);
                        replaced.extend(keys.replaced());
                    }
                }
                Ok(None) => return Ok(replaced),
                Err(ReadError::Damage(_)) => {}
                Err(ReadError::Journal(error)) => return Err(error.into()),
            }
        }
    }

    fn compare_views(&self, path: &Path, compared: &mut Compared) -> Result<(), IndexError> {
        let _lock = self.wait_for_lock()?;
        let stored = Overlay::new(Box::new(SledStore::open(path)?));
        let places = checkpoints(&stored)?;
        let sessions = self.journal.sessions()?;
        let start = |session: &SessionId| {
            let place = places.get(session.as_str()).cloned().unwrap_or_default();
            let extent = self.journal.extent(session)?;
            Ok((!is_cut(&extent, &place) && !extent.ends_at(&place)).then(|| (session.clone(), place)))
        };
        let starts: Vec<_> = sessions.iter().map(start).collect::<Result<_, IndexError>>()?;
        // rows of what is not in yet, over those that are stored: the same whatever was folded when
        fold_sessions(&self.journal, &stored, starts.into_iter().flatten().collect(), &|_| true)?;
        let mut known = BTreeMap::new();
        for session in &sessions {
            let made = MemStore::default();
            fold_sessions(&self.journal, &made, vec![(session.clone(), Place::default())], &|_| true)?;
            let (rows, wrong) = differences(&made, &stored)?;
            known.insert(session, rows);
            if wrong > 0 {
                let what = format!("{wrong} of {rows} rows of its views are not those of the journal");
                compared.flaw(Some(session.as_str()), None, what);
            }
        }
        let (expected, there) = (known.values().sum::<u64>(), count(&stored)?);
        if there > expected {
            let what = format!("the views have {} rows more than the journal makes", there - expected);
            compared.flaw(None, None, what);
        }
        compared.rows = expected;
        Ok(())
    }

    fn wait_for_lock(&self) -> Result<std::fs::File, IndexError> {
        for _ in 1..TRIES {
            match self.folders.lock() {
                Err(IndexError::Busy { .. }) => std::thread::sleep(NAP),
                other => return other,
            }
        }
        self.folders.lock()
    }
}

/// Documents of sessions that the journal does not have.
fn strangers(contents: Contents, compared: &mut Compared) {
    for (session, documents) in contents {
        let what = format!("the index has {} events of it, and the journal none", documents.len());
        compared.flaw(Some(&session), None, what);
    }
}

fn unlike(document: &Document, expected: &Document) -> &'static str {
    match () {
        () if document.print != expected.print => "it is not found by its own tokens and fields alone",
        () if document.pointer != expected.pointer => "the index points to another place",
        () => "the index has another time or length for it",
    }
}

/// How many rows there are, and how many of them the other store has not, or otherwise.
fn differences(made: &dyn ViewStore, stored: &dyn ViewStore) -> Result<(u64, u64), IndexError> {
    let (mut rows, mut wrong, mut failed) = (0, 0, None);
    made.scan(b"", Direction::Forward, &mut |key, value| {
        rows += 1;
        match stored.get(key) {
            Ok(found) => wrong += u64::from(found.as_deref() != Some(value)),
            Err(error) => failed = Some(error),
        }
        if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    failed.map_or(Ok((rows, wrong)), Err)
}

fn count(store: &dyn ViewStore) -> Result<u64, IndexError> {
    let mut rows = 0;
    store.scan(b"", Direction::Forward, &mut |_, _| {
        rows += 1;
        ControlFlow::Continue(())
    })?;
    Ok(rows)
}
