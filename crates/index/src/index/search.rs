//! Searching: the index and a look at what is not in it, or the journal itself.

use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use event::{Event, SessionId};
use journal::{Journal, Place, ReadError};

use super::{BEHIND_BYTES, Index, LOOK_BYTES, Survey, guarded};
use crate::answer::{Answer, AsOf, Hit, Options, Source, hits};
use crate::duplicates::{Earlier, KeyBook, Verdict};
use crate::error::IndexError;
use crate::matcher::Matcher;
use crate::project::Budget;
use crate::query::{Item, Keyword, Node, Query};
use crate::relevance::Relevance;
use crate::scan::{Deadline, Found, Start, check, scan};
use crate::text_index::{Snapshot, TextIndex};

impl Index {
    /// Searches; the index answers, and for what is not in it the journal.
    pub fn search(&self, query: &Query, options: &Options) -> Result<Answer, IndexError> {
        self.search_within(query, options, None)
    }

    /// The same, and stops looking when time is up: the answer says so.
    pub fn search_within(
        &self,
        query: &Query,
        options: &Options,
        budget: Option<Duration>,
    ) -> Result<Answer, IndexError> {
        query.closed()?;
        let deadline = budget.and_then(|budget| Instant::now().checked_add(budget));
        match self.ask_index(query, options, deadline) {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => self.scan_until(query, options, deadline),
            Err(error) if error.is_curable() => {
                self.set_text_aside(&error);
                self.scan_until(query, options, deadline)
            }
            Err(error) => Err(error),
        }
    }

    /// Searches the journal itself.
    pub fn scan(&self, query: &Query, options: &Options) -> Result<Answer, IndexError> {
        self.scan_within(query, options, None)
    }

    /// The same, and stops looking when time is up: the answer says so.
    pub fn scan_within(
        &self,
        query: &Query,
        options: &Options,
        budget: Option<Duration>,
    ) -> Result<Answer, IndexError> {
        query.closed()?;
        self.scan_until(query, options, budget.and_then(|budget| Instant::now().checked_add(budget)))
    }

    fn scan_until(&self, query: &Query, options: &Options, deadline: Deadline) -> Result<Answer, IndexError> {
        let matcher = Matcher::new(query);
        let start = |session| Start { session, place: Place::default(), earlier: None };
        let starts = self.journal.sessions()?.into_iter().map(start).collect();
        let found = scan(&self.journal, &matcher, starts, deadline)?;
        let cut = found.cut;
        let sort = options.sort_of(query);
        let relevance = Relevance::new(&query.wanted(), &found.stats);
        let total = found.matches.len() as u64;
        let as_of = as_of(BTreeMap::new(), &found, "");
        let damage = found.damage.clone();
        let mut candidates = found.candidates(&relevance, sort);
        candidates.sort_by(|a, b| a.order(b, sort));
        candidates.truncate(options.limit);
        let neighbours = |session: &str, low, high| told_between(&self.journal, session, low, high);
        let found = candidates.len();
        // an event that changes under our hands is left out
        let hits: Vec<Hit> = hits(&self.journal, query, &matcher, candidates, options.context, &neighbours)
            .filter(|hit| !hit.as_ref().is_err_and(IndexError::is_curable))
            .collect::<Result<_, _>>()?;
        let complete = damage.is_empty() && hits.len() == found && !cut;
        Ok(Answer { hits, total, as_of, complete, cut, damage, source: Source::Scan })
    }

    /// `None` when the index cannot answer, or need not: a journal that is small is rather looked at.
    fn ask_index(
        &self,
        query: &Query,
        options: &Options,
        deadline: Deadline,
    ) -> Result<Option<Answer>, IndexError> {
        let indexed = match self.text()? {
            Some(text) => guarded(text.path(), || self.answer_from(&text, query, options, deadline))?,
            None if self.survey(&BTreeMap::new())?.lag(&BTreeMap::new()).bytes <= LOOK_BYTES => {
                return Ok(None);
            }
            None => None,
        };
        if indexed.is_some() {
            return Ok(indexed);
        }
        match self.catch_up(Budget::QUERY) {
            // somebody else is at it, or nothing may be written here: look at the rest
            Ok(_) | Err(IndexError::Busy { .. } | IndexError::Disk { .. }) => {}
            Err(error) if error.is_curable() => {}
            Err(error) => return Err(error),
        }
        let Some(text) = self.text()? else { return Ok(None) };
        guarded(text.path(), || {
            let text = text.snapshot()?;
            self.answer_with(&text, &self.survey(&text.progress.places)?, query, options, deadline)
        })
    }

    /// `None` when much is missing or what is indexed is gone.
    fn answer_from(
        &self,
        text: &TextIndex,
        query: &Query,
        options: &Options,
        deadline: Deadline,
    ) -> Result<Option<Answer>, IndexError> {
        let text = text.snapshot()?;
        let survey = self.survey(&text.progress.places)?;
        if survey.lag(&text.progress.places).bytes > BEHIND_BYTES {
            return Ok(None);
        }
        self.answer_with(&text, &survey, query, options, deadline)
    }

    fn answer_with(
        &self,
        text: &Snapshot<'_>,
        survey: &Survey,
        query: &Query,
        options: &Options,
        deadline: Deadline,
    ) -> Result<Option<Answer>, IndexError> {
        if survey.lag(&text.progress.places).cut {
            return Ok(None);
        }
        let matcher = Matcher::new(query);
        let mut found = scan(&self.journal, &matcher, starts(text, survey), deadline)?;
        if found.rewritten || found.reaches_back(&text.progress.places) {
            return Ok(None);
        }
        let sort = options.sort_of(query);
        let mut stats = text.stats(matcher.tokens().map(|(token, _)| token))?;
        stats.add(&found.stats);
        let relevance = Relevance::new(&query.wanted(), &stats);
        let (mut candidates, indexed) = if query.root.is_exact() {
            text.top(query, &relevance, sort, options.limit)?
        } else {
            self.ask_events(text, query, &matcher, deadline, &mut found)?;
            (Vec::new(), 0)
        };
        let (total, cut) = (indexed + found.matches.len() as u64, found.cut);
        let places = text.progress.places.iter().map(|(name, place)| (name.clone(), place.seq)).collect();
        let as_of = as_of(places, &found, &text.progress.last_ts);
        let damage = found.damage.clone();
        candidates.extend(found.candidates(&relevance, sort));
        candidates.sort_by(|a, b| a.order(b, sort));
        candidates.truncate(options.limit);
        let neighbours = |session: &str, low, high| self.neighbours(text, session, low, high);
        let hits = hits(&self.journal, query, &matcher, candidates, options.context, &neighbours)
            .collect::<Result<_, _>>()?;
        let complete = damage.is_empty() && text.progress.lost == 0 && !cut;
        Ok(Some(Answer { hits, total, as_of, complete, cut, damage, source: Source::Index }))
    }

    /// What no index keeps: the events that may match are asked themselves, and join what was found.
    fn ask_events(
        &self,
        text: &Snapshot<'_>,
        query: &Query,
        matcher: &Matcher,
        deadline: Deadline,
        found: &mut Found,
    ) -> Result<(), IndexError> {
        let conflict = Item { text: "conflict".to_owned(), prefix: false };
        let conflict = Node::Keyword { field: Keyword::Is, values: vec![conflict] };
        let conflicts = text.candidates(&conflict)?.into_iter().map(|at| (at.session, at.seq)).collect();
        let candidates = text.candidates(&query.root)?;
        let (matches, cut) = check(&self.journal, matcher, candidates, &conflicts, deadline)?;
        found.matches.extend(matches);
        found.cut |= cut;
        Ok(())
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

    /// Bytes of the journal that the text index does not know yet.
    pub fn lag_bytes(&self) -> Result<u64, IndexError> {
        let places = match self.text()? {
            Some(text) => text.snapshot()?.progress.places.clone(),
            None => BTreeMap::new(),
        };
        Ok(self.survey(&places)?.lag(&places).bytes)
    }

    fn set_text_aside(&self, error: &IndexError) {
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // if nothing may be written here, the next query finds the same and scans again
        if let Ok(_lock) = self.folders.lock() {
            let _ = self.set_aside(error);
        }
    }
}

/// The sessions that go on behind what is indexed.
fn starts<'t>(text: &'t Snapshot<'_>, survey: &Survey) -> Vec<Start<'t>> {
    let mut starts = Vec::new();
    for (session, extent) in &survey.sessions {
        let place = text.progress.places.get(session.as_str()).cloned().unwrap_or_default();
        if extent.ends_at(&place) {
            continue;
        }
        let name = session.to_string();
        let earlier: Option<Box<Earlier<'t>>> =
            if place.seq > 0 { Some(Box::new(move |key| text.holders(&name, key))) } else { None };
        starts.push(Start { session: session.clone(), place, earlier });
    }
    starts
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
                    told.retain(|event: &Event| !keys.replaced().contains(&event.seq));
                    told.extend(Event::from_line(&entry.line));
                }
            }
            Ok(None) => return Ok(told),
            Err(ReadError::Damage(_)) => {}
            Err(ReadError::Journal(error)) => return Err(error.into()),
        }
    }
}
