//! Errors that are one error: by fingerprint across sessions, with when it was seen first and last.

use std::collections::BTreeMap;

use event::Event;
use recorder::{Now, Options, Query, Sort, Store};

use crate::error::InvestigateError;
use crate::print::of_error;

/// Errors that are looked at.
const MOST: usize = 100_000;

/// One error, however often.
#[derive(Debug, Clone)]
pub struct Kin {
    /// What its occurrences have in common.
    pub fingerprint: String,
    /// How often.
    pub count: usize,
    /// In so many sessions.
    pub sessions: usize,
    /// The first time.
    pub first: Event,
    /// The last time.
    pub last: Event,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Errors {
    /// Each error once; with `grouped` off, each occurrence.
    pub rows: Vec<Kin>,
    /// False if there are more than were looked at, or damage hides some.
    pub complete: bool,
}

/// Lists errors, the last seen first; `also` narrows the query.
pub fn errors(store: &Store, also: &Query, grouped: bool, now: &Now) -> Result<Errors, InvestigateError> {
    let query =
        Query::parse("is:error", now).map_err(|error| InvestigateError::Value { what: error.message })?;
    let options = Options { limit: MOST, sort: Some(Sort::Oldest), ..Options::default() };
    let answer = store.search(&query.and(also.clone()), &options, false)?;
    let complete = answer.complete && answer.total <= MOST as u64;
    let mut kin: BTreeMap<String, Vec<Event>> = BTreeMap::new();
    for (number, hit) in answer.hits.into_iter().enumerate() {
        let print = of_error(&hit.event);
        let key = if grouped { print } else { format!("{print} {number:06}") };
        kin.entry(key).or_default().push(hit.event);
    }
    let mut rows: Vec<Kin> = kin.into_iter().filter_map(|(key, events)| row(&key, &events)).collect();
    rows.sort_by(|a, b| b.last.time().cmp(a.last.time()).then_with(|| a.fingerprint.cmp(&b.fingerprint)));
    Ok(Errors { rows, complete })
}

fn row(key: &str, events: &[Event]) -> Option<Kin> {
    let mut sessions: Vec<&str> = events.iter().map(|event| event.session.as_str()).collect();
    sessions.sort_unstable();
    sessions.dedup();
    Some(Kin {
        fingerprint: key.split(' ').next().unwrap_or_default().to_owned(),
        count: events.len(),
        sessions: sessions.len(),
        first: events.first()?.clone(),
        last: events.last()?.clone(),
    })
}
