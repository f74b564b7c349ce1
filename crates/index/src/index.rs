//! The index as one object: catch up, ask, make again.
//!
//! A query never waits: if nobody else is writing and much is missing, it catches up for a moment; what is
//! not in by then it looks at itself. A damaged part is set aside and made again; until then, and where
//! nothing may be written, the journal answers.

use std::collections::BTreeMap;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use event::{Event, SessionId};
use journal::{Journal, Place, ReadError};

use crate::answer::{Answer, AsOf, Options, Source, hits};
use crate::duplicates::{KeyBook, Verdict};
use crate::error::IndexError;
use crate::folders::{Folders, Part};
use crate::matcher::Matcher;
use crate::project::{Budget, Outcome, bytes_after, fold_sessions, is_cut, project};
use crate::query::Query;
use crate::relevance::Relevance;
use crate::scan::{Found, Start, scan};
use crate::text_index::{Size, Snapshot, TextIndex, TextWriter};
use crate::views::sled_store::SledStore;
use crate::views::store::{MemStore, Overlay, ViewStore};
use crate::views::{Views, checkpoints};

/// So much is rather looked at than indexed first.
const LOOK_BYTES: u64 = 4 * 1024 * 1024;
/// From so much on a rebuild's memory and threads are worth it.
const LARGE_BYTES: u64 = 16 * 1024 * 1024;

/// What views are wanted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Every session.
    All,
    /// One of them.
    Session(SessionId),
}

/// How far the index is after catching up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaughtUp {
    /// Everything is in.
    Fully,
    /// The budget was used up before.
    Partly,
}

/// The derived side of one store.
pub struct Index {
    journal: Journal,
    folders: Folders,
    text: Mutex<Option<(PathBuf, Arc<TextIndex>)>>,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").field("folders", &self.folders).finish_non_exhaustive()
    }
}

impl Index {
    /// The index of a journal, in `dir`. Nothing is opened or made yet.
    pub fn open(journal: Journal, dir: &Path) -> Self {
        let folders = Folders::new(dir, journal.store_id());
        Self { journal, folders, text: Mutex::new(None) }
    }

    /// Projects what is not in yet, within a budget. `Busy` when another process does.
    pub fn catch_up(&self, budget: Budget) -> Result<CaughtUp, IndexError> {
        let lock = self.folders.lock()?;
        let (outcome, _) = self.catch_up_locked(&lock, budget)?;
        Ok(outcome)
    }

    /// Makes everything again, in new folders; readers keep the old ones until that is done.
    pub fn reindex(&self) -> Result<(), IndexError> {
        let lock = self.folders.lock()?;
        self.rebuild(&lock).map(drop)
    }

    /// Compares every file of the text index with its checksum, and reads all views. A damaged part is set
    /// aside. True when all is well.
    pub fn check(&self) -> Result<bool, IndexError> {
        let lock = self.folders.lock()?;
        let text = match self.folders.current(Part::Text) {
            Some(path) => guarded(&path, || TextIndex::open(&path)?.check()),
            None => Ok(()),
        };
        let views = match self.folders.current(Part::Views) {
            Some(path) => SledStore::open(&path).and_then(|store| crate::views::check(store)),
            None => Ok(()),
        };
        let sound = text.is_ok() && views.is_ok();
        for (part, checked) in [(Part::Text, text), (Part::Views, views)] {
            match checked {
                Err(error) if error.is_curable() => self.folders.quarantine(part)?,
                other => other?,
            }
        }
        drop(lock);
        Ok(sound)
    }

    /// Searches; the index answers, and for what is not in it the journal.
    pub fn search(&self, query: &Query, options: &Options) -> Result<Answer, IndexError> {
        match self.ask_index(query, options) {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => self.scan(query, options),
            Err(error) if error.is_curable() => {
                self.set_text_aside();
                self.scan(query, options)
            }
            Err(error) => Err(error),
        }
    }

    /// Searches the journal itself.
    pub fn scan(&self, query: &Query, options: &Options) -> Result<Answer, IndexError> {
        let matcher = Matcher::new(query);
        let start = |session| Start { session, place: Place::default(), earlier: None };
        let starts = self.journal.sessions()?.into_iter().map(start).collect();
        let found = scan(&self.journal, &matcher, starts)?;
        let sort = options.sort_of(query);
        let relevance = Relevance::new(&query.wanted(), &found.stats);
        let total = found.matches.len() as u64;
        let as_of = as_of(BTreeMap::new(), &found, "");
        let damage = found.damage.clone();
        let mut candidates = found.candidates(&relevance, sort);
        candidates.sort_by(|a, b| a.order(b, sort));
        candidates.truncate(options.limit);
        let neighbours = |session: &str, low, high| told_between(&self.journal, session, low, high);
        let hits = hits(&self.journal, query, &matcher, candidates, options.context, &neighbours)?;
        Ok(Answer { hits, total, as_of, complete: damage.is_empty(), damage, source: Source::Scan })
    }

    /// Views of the journal as it is now.
    pub fn views(&self, scope: &Scope) -> Result<Views, IndexError> {
        match self.stored_views(scope) {
            Ok(views) => Ok(views),
            Err(IndexError::Journal(error)) => Err(error.into()),
            Err(_) => self.folded_views(scope),
        }
    }

    /// Views folded from the journal alone.
    pub fn folded_views(&self, scope: &Scope) -> Result<Views, IndexError> {
        self.views_over(Box::new(MemStore::default()), scope, None)
    }

    fn stored_views(&self, scope: &Scope) -> Result<Views, IndexError> {
        let lock = self.folders.lock()?;
        let opened = self.open_views().and_then(|views| {
            let places = checkpoints(&*views)?;
            let lag = self.lag(&places)?;
            Ok((views, lag))
        });
        let views = match opened {
            Ok((views, Lag { cut: false, bytes })) if bytes <= LOOK_BYTES => views,
            Ok((views, _)) => {
                drop(views);
                self.catch_up_locked(&lock, Budget::QUERY)?.1
            }
            Err(error) if error.is_curable() => {
                self.folders.quarantine(Part::Views)?;
                return Err(error);
            }
            Err(error) => return Err(error),
        };
        let views = self.views_over(views, scope, Some(lock));
        if views.as_ref().is_err_and(IndexError::is_curable) {
            let _lock = self.folders.lock()?;
            self.folders.quarantine(Part::Views)?;
        }
        views
    }

    fn views_over(&self, store: Box<dyn ViewStore>, scope: &Scope, lock: Option<File>) -> Result<Views, IndexError> {
        let store = Box::new(Overlay::new(store));
        let places = checkpoints(&*store)?;
        let sessions = match scope {
            Scope::All => self.journal.sessions()?,
            Scope::Session(session) => vec![session.clone()],
        };
        let mut starts = Vec::new();
        for session in &sessions {
            let place = places.get(session.as_str()).cloned().unwrap_or_default();
            let extent = self.journal.extent(session)?;
            if !extent.segments.is_empty() && !extent.ends_at(&place) {
                starts.push((session.clone(), place));
            }
        }
        fold_sessions(&self.journal, &*store, starts)?;
        let mut views = Views { store, as_of: AsOf::default(), complete: true, _lock: lock };
        for session in &sessions {
            if let Some(row) = views.session(session)? {
                views.complete &= row.lost == 0;
                views.as_of.sessions += 1;
                views.as_of.events += views.place(session)?.seq;
                views.as_of.ts = std::mem::take(&mut views.as_of.ts).max(row.last_ts);
            }
        }
        Ok(views)
    }

    fn ask_index(&self, query: &Query, options: &Options) -> Result<Option<Answer>, IndexError> {
        let lag = match self.text()? {
            Some(text) => self.lag(&text.snapshot()?.progress.places)?,
            None => Lag { cut: true, bytes: u64::MAX },
        };
        if lag.cut || lag.bytes > LOOK_BYTES {
            match self.catch_up(Budget::QUERY) {
                // somebody else is at it, or nothing may be written here: look at the rest
                Ok(_) | Err(IndexError::Busy { .. } | IndexError::Disk { .. }) => {}
                Err(error) if error.is_curable() => {}
                Err(error) => return Err(error),
            }
        }
        let Some(text) = self.text()? else { return Ok(None) };
        let path = self.folders.lock_path();
        guarded(&path, || self.answer_from(&text.snapshot()?, query, options))
    }

    fn answer_from(&self, text: &Snapshot<'_>, query: &Query, options: &Options) -> Result<Option<Answer>, IndexError> {
        if self.lag(&text.progress.places)?.cut {
            return Ok(None);
        }
        let matcher = Matcher::new(query);
        let found = scan(&self.journal, &matcher, self.starts(text)?)?;
        if found.rewritten {
            return Ok(None);
        }
        let sort = options.sort_of(query);
        let mut stats = text.stats(matcher.tokens().map(|(token, _)| token))?;
        stats.add(&found.stats);
        let relevance = Relevance::new(&query.wanted(), &stats);
        let (mut candidates, indexed) = text.top(query, &relevance, sort, options.limit)?;
        let total = indexed + found.matches.len() as u64;
        let places = text.progress.places.iter().map(|(name, place)| (name.clone(), place.seq)).collect();
        let as_of = as_of(places, &found, &text.progress.last_ts);
        let damage = found.damage.clone();
        candidates.extend(found.candidates(&relevance, sort));
        candidates.sort_by(|a, b| a.order(b, sort));
        candidates.truncate(options.limit);
        let neighbours = |session: &str, low, high| self.neighbours(text, session, low, high);
        let hits = hits(&self.journal, query, &matcher, candidates, options.context, &neighbours)?;
        let complete = damage.is_empty() && text.progress.lost == 0;
        Ok(Some(Answer { hits, total, as_of, complete, damage, source: Source::Index }))
    }

    fn neighbours(&self, text: &Snapshot<'_>, session: &str, low: u64, high: u64) -> Result<Vec<Event>, IndexError> {
        if text.progress.places.get(session).is_none_or(|place| place.seq <= high) {
            return told_between(&self.journal, session, low, high);
        }
        let id = SessionId::new(session).ok();
        let pointers = text.pointers(session, low, high)?;
        let read = |(_, pointer)| id.as_ref().and_then(|id| self.journal.event_at(id, &pointer).ok());
        Ok(pointers.into_iter().filter_map(read).collect())
    }

    /// The sessions that go on behind what is indexed.
    fn starts<'t>(&self, text: &'t Snapshot<'_>) -> Result<Vec<Start<'t>>, IndexError> {
        let mut starts = Vec::new();
        for session in self.journal.sessions()? {
            let place = text.progress.places.get(session.as_str()).cloned().unwrap_or_default();
            if self.journal.extent(&session)?.ends_at(&place) {
                continue;
            }
            let name = session.to_string();
            let earlier: Option<Box<crate::duplicates::Earlier<'t>>> =
                if place.seq > 0 { Some(Box::new(move |key| text.holders(&name, key))) } else { None };
            starts.push(Start { session, place, earlier });
        }
        Ok(starts)
    }

    /// Bytes of the journal that the text index does not know yet.
    pub fn lag_bytes(&self) -> Result<u64, IndexError> {
        let places = match self.text()? {
            Some(text) => text.snapshot()?.progress.places,
            None => BTreeMap::new(),
        };
        Ok(self.lag(&places)?.bytes)
    }

    fn lag(&self, places: &BTreeMap<String, Place>) -> Result<Lag, IndexError> {
        let sessions = self.journal.sessions()?;
        let mut lag = Lag::default();
        for session in &sessions {
            let extent = self.journal.extent(session)?;
            let place = places.get(session.as_str()).cloned().unwrap_or_default();
            lag.cut |= is_cut(&extent, &place);
            lag.bytes += bytes_after(&extent, &place);
        }
        lag.cut |= places.keys().any(|name| sessions.binary_search_by(|s| s.as_str().cmp(name)).is_err());
        Ok(lag)
    }

    fn catch_up_locked(&self, lock: &File, budget: Budget) -> Result<(CaughtUp, Box<dyn ViewStore>), IndexError> {
        self.folders.sweep()?;
        match self.project_current(budget) {
            Ok((Outcome::Done, views)) => Ok((CaughtUp::Fully, views)),
            Ok((Outcome::Behind, views)) => Ok((CaughtUp::Partly, views)),
            Ok((Outcome::Rewritten, views)) => {
                views.destroy()?;
                Ok((CaughtUp::Fully, self.rebuild(lock)?))
            }
            Err(error) => {
                match &error {
                    IndexError::Text { .. } => self.folders.quarantine(Part::Text)?,
                    IndexError::Views { .. } => self.folders.quarantine(Part::Views)?,
                    _ => return Err(error),
                }
                // once more, into new folders; what fails again is told
                let (outcome, views) = self.project_current(budget)?;
                Ok((if outcome == Outcome::Done { CaughtUp::Fully } else { CaughtUp::Partly }, views))
            }
        }
    }

    fn project_current(&self, budget: Budget) -> Result<(Outcome, Box<dyn ViewStore>), IndexError> {
        let views = self.open_views()?;
        let path = self.open_or_make(Part::Text)?;
        let lag = self.lag(&checkpoints(&*views)?)?;
        let size = if lag.bytes > LARGE_BYTES && budget == Budget::ALL { Size::LARGE } else { Size::SMALL };
        let outcome = guarded(&path, || {
            let text = if path.join("meta.json").exists() { TextIndex::open(&path)? } else { TextIndex::create(&path)? };
            let mut writer = TextWriter::new(text, size)?;
            let outcome = project(&self.journal, &mut writer, &*views, budget)?;
            if outcome != Outcome::Rewritten {
                writer.finish()?;
            }
            Ok(outcome)
        })?;
        Ok((outcome, views))
    }

    fn open_views(&self) -> Result<Box<dyn ViewStore>, IndexError> {
        let path = self.open_or_make(Part::Views)?;
        Ok(Box::new(SledStore::open(&path)?))
    }

    fn open_or_make(&self, part: Part) -> Result<PathBuf, IndexError> {
        if let Some(path) = self.folders.current(part) {
            return Ok(path);
        }
        let path = self.folders.new_generation(part)?;
        self.folders.set_current(&[(part, Some(&path))])?;
        Ok(path)
    }

    fn rebuild(&self, _lock: &File) -> Result<Box<dyn ViewStore>, IndexError> {
        let (views_path, text_path) =
            (self.folders.new_generation(Part::Views)?, self.folders.new_generation(Part::Text)?);
        let views: Box<dyn ViewStore> = Box::new(SledStore::open(&views_path)?);
        guarded(&text_path, || {
            let mut writer = TextWriter::new(TextIndex::create(&text_path)?, Size::LARGE)?;
            project(&self.journal, &mut writer, &*views, Budget::ALL)?;
            writer.finish()
        })?;
        self.folders.set_current(&[(Part::Views, Some(&views_path)), (Part::Text, Some(&text_path))])?;
        self.folders.sweep()?;
        Ok(views)
    }

    /// The current text index, opened once.
    fn text(&self) -> Result<Option<Arc<TextIndex>>, IndexError> {
        let Some(path) = self.folders.current(Part::Text) else { return Ok(None) };
        if !path.join("meta.json").exists() {
            return Ok(None);
        }
        let mut opened = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, text)) = &*opened
            && *known == path
        {
            return Ok(Some(text.clone()));
        }
        let text = Arc::new(guarded(&path, || TextIndex::open(&path))?);
        *opened = Some((path, text.clone()));
        Ok(Some(text))
    }

    fn set_text_aside(&self) {
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // if nothing may be written here, the next query finds the same and scans again
        if let Ok(_lock) = self.folders.lock() {
            let _ = self.folders.quarantine(Part::Text);
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Lag {
    /// What stood below a checkpoint is gone.
    cut: bool,
    bytes: u64,
}

/// tantivy's panics are damage.
fn guarded<T>(path: &Path, work: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(IndexError::Text { path: path.to_owned(), what: "using it panicked".to_owned() }))
}

fn as_of(mut reached: BTreeMap<String, u64>, found: &Found, ts: &str) -> AsOf {
    reached.extend(found.reached.iter().map(|(name, seq)| (name.clone(), *seq)));
    let ts = if *found.last_ts > *ts { found.last_ts.clone() } else { ts.to_owned() };
    AsOf { sessions: reached.len() as u64, events: reached.values().sum(), ts }
}

/// The told events of a session in a range of sequences, from the journal.
fn told_between(journal: &Journal, session: &str, low: u64, high: u64) -> Result<Vec<Event>, IndexError> {
    let Ok(id) = SessionId::new(session) else { return Ok(Vec::new()) };
    let mut keys = KeyBook::new(journal, id.clone(), None);
    let mut reader = journal.read(&id, Place::default())?;
    let mut told = Vec::new();
    loop {
        match reader.next() {
            Ok(Some(entry)) if entry.line.seq > high => return Ok(told),
            Ok(Some(entry)) => {
                let verdict = keys.judge(&entry.line, entry.pointer);
                if entry.line.seq >= low && verdict != Verdict::Duplicate {
                    told.extend(Event::from_line(&entry.line));
                }
            }
            Ok(None) => return Ok(told),
            Err(ReadError::Damage(_)) => {}
            Err(ReadError::Journal(error)) => return Err(error.into()),
        }
    }
}
