//! Searching: the index and a look at what is not in it, or the journal itself.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use event::{Event, SessionId};
use journal::{Journal, Place, ReadError};

use super::{Index, LOOK_BYTES, Lag, guarded};
use crate::answer::{Answer, AsOf, Options, Source, hits};
use crate::duplicates::{Earlier, KeyBook, Verdict};
use crate::error::IndexError;
use crate::folders::Part;
use crate::matcher::Matcher;
use crate::project::Budget;
use crate::query::Query;
use crate::relevance::Relevance;
use crate::scan::{Found, Start, scan};
use crate::text_index::Snapshot;

impl Index {
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

    fn answer_from(
        &self,
        text: &Snapshot<'_>,
        query: &Query,
        options: &Options,
    ) -> Result<Option<Answer>, IndexError> {
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

    fn neighbours(
        &self,
        text: &Snapshot<'_>,
        session: &str,
        low: u64,
        high: u64,
    ) -> Result<Vec<Event>, IndexError> {
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
            let earlier: Option<Box<Earlier<'t>>> =
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

    fn set_text_aside(&self) {
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // if nothing may be written here, the next query finds the same and scans again
        if let Ok(_lock) = self.folders.lock() {
            let _ = self.folders.quarantine(Part::Text);
        }
    }
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
