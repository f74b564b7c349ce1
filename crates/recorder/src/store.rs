//! Asking: sessions, events, timelines, straight from the journal or through the index.

use std::path::Path;
use std::time::Duration;

use event::{Event, EventRef, SessionId, nearest};
use index::{Answer, AsOf, Cache, Compared, Facts, Index, Options, Query, Scope, Views};
use journal::{Journal, JournalError, Place, Pointer, ReadError, Report, SessionReport};
use serde_json::Value;
use world::World;

use crate::error::RecorderError;
use crate::fetch::Fetcher;
use crate::listing::LEAST_BYTES;
use crate::moment::Moment;
use crate::named::with_ids;
use crate::sessions::{self, SessionRow};
use crate::stats::{self, Stats};
use crate::steps::{Step, steps};

/// One store, to be asked.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) journal: Journal,
    pub(crate) listing_bytes: u64,
}

/// The list of sessions.
#[derive(Debug, Clone)]
pub struct Sessions {
    /// The latest last.
    pub rows: Vec<SessionRow>,
    /// How much of the journal was asked.
    pub as_of: AsOf,
    /// False when damage was passed over.
    pub complete: bool,
}

impl Store {
    /// Opens the store in `root`.
    pub fn open(world: World, root: &Path) -> Result<Self, RecorderError> {
        Ok(Self::over(Journal::open(world, root)?))
    }

    pub(crate) fn over(journal: Journal) -> Self {
        Self { journal, listing_bytes: LEAST_BYTES }
    }

    /// The same store, of which sessions with so many bytes are worth a listing.
    #[must_use]
    pub fn with_listing_bytes(mut self, bytes: u64) -> Self {
        self.listing_bytes = bytes;
        self
    }

    /// The journal below.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The session that a person means: its id, the id that its transcript uses, or a unique beginning of one.
    pub fn session(&self, name: &str) -> Result<SessionId, RecorderError> {
        let no_session = |near: Option<String>| RecorderError::NoSession { name: name.to_owned(), near };
        if let Ok(id) = SessionId::new(name)
            && self.journal.has(&id)?
        {
            return Ok(id);
        }
        let sessions = self.journal.sessions()?;
        let mut names: Vec<(String, SessionId)> = Vec::new();
        for id in sessions {
            if let Some(original) = self.original(&id) {
                names.push((original, id.clone()));
            }
            names.push((id.to_string(), id));
        }
        if let Some((_, id)) = names.iter().find(|(known, _)| known == name) {
            return Ok(id.clone());
        }
        let starts = |(known, _): &&(String, SessionId)| name.len() >= 4 && known.starts_with(name);
        let mut fits: Vec<SessionId> = names.iter().filter(starts).map(|(_, id)| id.clone()).collect();
        fits.sort_unstable();
        fits.dedup();
        match fits.as_slice() {
            [] => Err(no_session(
                nearest(name, names.iter().map(|(known, _)| known.as_str())).map(str::to_owned),
            )),
            [one] => Ok(one.clone()),
            many => {
                let some = many.iter().take(5).map(ToString::to_string).collect();
                Err(RecorderError::Ambiguous { name: name.to_owned(), count: many.len(), some })
            }
        }
    }

    /// The name that a mapped session's caller uses.
    pub fn original(&self, session: &SessionId) -> Option<String> {
        sessions::original_id(&self.journal, session)
    }

    /// One event, verified; a hash in the reference must match.
    pub fn event(&self, reference: &EventRef) -> Result<(Event, Pointer), RecorderError> {
        let session = self.session(&reference.session)?;
        let (event, pointer) = match self.journal.event(&session, reference.seq) {
            Err(JournalError::NoEvent { session: name, seq }) => {
                let last = self.last_seq(&session)?;
                return Err(RecorderError::NoEvent { session: name, seq, last });
            }
            found => found?,
        };
        match &reference.hash {
            Some(wanted) if !event.hash.starts_with(wanted.as_str()) => Err(RecorderError::OtherHash {
                session: session.to_string(),
                seq: reference.seq,
                wanted: wanted.clone(),
                found: event.hash[..16].to_owned(),
            }),
            _ => Ok((event, pointer)),
        }
    }

    fn last_seq(&self, session: &SessionId) -> Result<Option<u64>, RecorderError> {
        let found = steps(&self.journal, session, false)?;
        Ok(found.told.last().map(Step::seq))
    }

    /// The latest sessions, at most so many, summed up, the latest last.
    pub fn sessions(&self, most: usize) -> Result<Sessions, RecorderError> {
        let views = self.index().views(&Scope::All)?;
        let rows = sessions::rows(&self.journal, &views, most)?;
        Ok(Sessions { rows, as_of: views.as_of.clone(), complete: views.complete })
    }

    /// The same, of what was there at a moment; read from the journal.
    pub fn sessions_at(&self, at: &Moment, most: usize) -> Result<Sessions, RecorderError> {
        let then = |facts: &Facts| at.covers(&facts.session, facts.seq, || facts.time);
        let views = self.index().folded_where(&then)?;
        let mut rows = sessions::rows(&self.journal, &views, most)?;
        for row in &mut rows {
            let session = event::SessionId::new(&row.view.session);
            let told = session.map_or_else(|_| Ok(Vec::new()), |session| views.timeline(&session))?;
            row.bytes = told.iter().map(|row| u64::from(row.pointer.len) + 1).sum();
        }
        Ok(Sessions { rows, as_of: views.as_of.clone(), complete: views.complete })
    }

    /// Views of one session as it is now. While they are open nobody else writes the index.
    pub fn views(&self, session: &SessionId) -> Result<Views, RecorderError> {
        Ok(self.index().views(&Scope::Session(session.clone()))?)
    }

    /// The same for the events of some nouns alone, without an index where the session is of ordinary size.
    pub fn views_about(&self, session: &SessionId, nouns: &[&str]) -> Result<Views, RecorderError> {
        Ok(self.index().views_about(session, nouns)?)
    }

    /// Views of every session as it is now.
    pub fn views_of_all(&self) -> Result<Views, RecorderError> {
        Ok(self.index().views(&Scope::All)?)
    }

    /// Answers that were made once and hold until something relevant happens, by name.
    pub fn cache(&self, name: &str) -> Cache {
        self.index().cache(name)
    }

    /// A payload with what was too large for a line put back.
    pub fn whole(&self, value: &Value) -> Result<Value, RecorderError> {
        Ok(self.journal.whole(value)?)
    }

    /// Searches: the index answers, or with `scan` the journal itself.
    pub fn search(&self, query: &Query, options: &Options, scan: bool) -> Result<Answer, RecorderError> {
        self.search_within(query, options, scan, None)
    }

    /// The same, and stops looking when time is up: the answer says so (`cut`).
    pub fn search_within(
        &self,
        query: &Query,
        options: &Options,
        scan: bool,
        budget: Option<Duration>,
    ) -> Result<Answer, RecorderError> {
        let query = with_ids(query, || self.callers_names())?;
        let index = self.index();
        Ok(if scan {
            index.scan_within(&query, options, budget)?
        } else {
            index.search_within(&query, options, budget)?
        })
    }

    /// The names that callers use for mapped sessions.
    fn callers_names(&self) -> Result<Vec<(String, SessionId)>, RecorderError> {
        let sessions = self.journal.sessions()?.into_iter();
        Ok(sessions.filter_map(|id| Some((self.original(&id)?, id))).collect())
    }

    /// Makes the index anew and says how many events it has.
    pub fn reindex(&self) -> Result<u64, RecorderError> {
        self.index().reindex()?;
        Ok(self.index().views(&Scope::All)?.as_of.events)
    }

    /// Removes all that is derived, so that no erased text is left in it; false if there was nothing.
    pub fn forget_index(&self) -> Result<bool, RecorderError> {
        Ok(self.index().forget()?)
    }

    /// Derived files in which one of these texts stands as it is.
    pub fn index_files_with(&self, texts: &[Vec<u8>]) -> Vec<std::path::PathBuf> {
        self.index().holding(texts)
    }

    /// Bytes of the journal that are not in the index yet.
    pub fn index_lag(&self) -> Result<u64, RecorderError> {
        Ok(self.index().lag_bytes()?)
    }

    /// Compares every derived file with its checksum; damage is set aside and made again. True when all is well.
    pub fn check_index(&self) -> Result<bool, RecorderError> {
        Ok(self.index().check()?)
    }

    /// Compares text index and views with the journal, event by event; `None` if there is no index.
    pub fn compare_index(&self) -> Result<Option<Compared>, RecorderError> {
        Ok(self.index().compare()?)
    }

    /// Files of torn bytes that no `audit.recovered` names: a recovery was itself cut off.
    pub fn unnamed_torn_files(&self) -> Result<Vec<String>, RecorderError> {
        let mut files = self.journal.torn_files()?;
        files.retain(|name| name.strip_suffix(".bin").is_some());
        if files.is_empty() {
            return Ok(files);
        }
        for session in self.journal.sessions()? {
            let mut reader = self.journal.read(&session, Place::default())?;
            loop {
                match reader.next() {
                    Ok(Some(entry)) if entry.line.kind == "audit.recovered" => {
                        let member = entry.line.members.iter().find(|member| member.name == "file");
                        files.retain(|file| member.is_none_or(|m| m.value.trim_matches('"') != file));
                    }
                    Ok(None) => break,
                    Ok(Some(_)) | Err(ReadError::Damage(_)) => {}
                    Err(ReadError::Journal(error)) => return Err(error.into()),
                }
            }
        }
        Ok(files)
    }

    pub(crate) fn index(&self) -> Index {
        Index::open(self.journal.clone(), &self.journal.root().join("index"))
    }

    /// What is in the store, counted; or what was there at a moment.
    pub fn stats(&self, at: Option<&Moment>) -> Result<Stats, RecorderError> {
        Ok(stats::count(&self.journal, at)?)
    }

    /// Reads events one after the other.
    pub fn fetcher(&self) -> Fetcher {
        Fetcher::new(&self.journal)
    }

    /// Verifies one session.
    pub fn verify(&self, session: &SessionId) -> Result<SessionReport, RecorderError> {
        Ok(self.journal.verify(session)?)
    }

    /// Verifies every session, on as many threads as the machine has.
    pub fn verify_all(&self) -> Result<Report, RecorderError> {
        let sessions = self.journal.sessions()?;
        let threads =
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(sessions.len().max(1));
        let next = std::sync::atomic::AtomicUsize::new(0);
        let work = || -> Result<Vec<SessionReport>, JournalError> {
            let mut done = Vec::new();
            while let Some(session) = sessions.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                done.push(self.journal.verify(session)?);
            }
            Ok(done)
        };
        let parts = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let joined =
                workers.into_iter().map(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            joined.collect::<Result<Vec<_>, _>>()
        })?;
        let mut report = Report { sessions: parts.into_iter().flatten().collect() };
        report.sessions.sort_by(|a, b| a.session.cmp(&b.session));
        Ok(report)
    }
}
