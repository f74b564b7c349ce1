//! What a search answers, and the last step to it: candidates become hits by reading their events from the
//! journal, where they are checked once more.

use event::{Event, SessionId};
use journal::{Finding, Journal};
use serde::Serialize;

use crate::error::IndexError;
use crate::highlight::{Highlighter, Snippet, snippet_at};
use crate::matcher::Matcher;
use crate::query::Query;
use crate::relevance::{Candidate, Sort};
use crate::text::text_of_event;

/// How much of the journal an answer knows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AsOf {
    /// Sessions.
    pub sessions: u64,
    /// Events in them.
    pub events: u64,
    /// When the latest of them was recorded; empty when there is none.
    pub ts: String,
}

/// How to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The most hits.
    pub limit: usize,
    /// What comes first; by relevance if there are words, else the newest, unless this says otherwise.
    pub sort: Option<Sort>,
    /// So many events before and after each hit.
    pub context: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { limit: 20, sort: None, context: 0 }
    }
}

impl Options {
    pub(crate) fn sort_of(&self, query: &Query) -> Sort {
        self.sort.unwrap_or(if query.has_words() { Sort::Relevance } else { Sort::Newest })
    }
}

/// An event that was found.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The event, read from the journal and checked.
    pub event: Event,
    /// When it happened, microseconds since 1970.
    pub time: i64,
    /// How good it is; 0 unless relevance decides.
    pub score: f32,
    /// The part of its text that says why it was found.
    pub snippet: Snippet,
    /// Events of its session before it.
    pub before: Vec<Event>,
    /// Events of its session after it.
    pub after: Vec<Event>,
}

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The index, and a look at what is not in it yet.
    Index,
    /// The journal itself.
    Scan,
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The first hits.
    pub hits: Vec<Hit>,
    /// How many there are.
    pub total: u64,
    /// How much of the journal was asked.
    pub as_of: AsOf,
    /// True when that is everything that can be read; false when damage hides events, or time was up.
    pub complete: bool,
    /// True when time was up: there may be more hits.
    pub cut: bool,
    /// The damage that was met on the way.
    pub damage: Vec<Finding>,
    /// Where it comes from.
    pub source: Source,
}

/// Finds the places of told events of a session in a range of sequences.
pub(crate) type Neighbours<'a> = &'a dyn Fn(&str, u64, u64) -> Result<Vec<Event>, IndexError>;

/// Reads the events of candidates. One that is not there, or has none of the words, is an error that
/// [`IndexError::is_curable`].
pub(crate) fn hits<'a>(
    journal: &'a Journal,
    query: &Query,
    matcher: &'a Matcher,
    candidates: Vec<Candidate>,
    context: u64,
    neighbours: Neighbours<'a>,
) -> impl Iterator<Item = Result<Hit, IndexError>> {
    let highlighter = Highlighter::new(query);
    candidates.into_iter().map(move |candidate| {
        let event = read(journal, &candidate)?;
        let text = text_of_event(&event, &|id| journal.blob(id).ok());
        let marks = highlighter.marks(&text);
        if matcher.needs_words() && marks.is_empty() {
            return Err(astray(&candidate));
        }
        let (low, high) = (event.seq.saturating_sub(context), event.seq.saturating_add(context));
        let around = if context > 0 { neighbours(&candidate.session, low, high)? } else { Vec::new() };
        let (before, after) =
            around.into_iter().filter(|e| e.seq != event.seq).partition(|e| e.seq < event.seq);
        let snippet = snippet_at(&text, &marks);
        Ok(Hit { time: candidate.time, score: candidate.score, event, snippet, before, after })
    })
}

fn read(journal: &Journal, candidate: &Candidate) -> Result<Event, IndexError> {
    let session = SessionId::new(&candidate.session).map_err(|_| astray(candidate))?;
    let event = journal.event_at(&session, &candidate.pointer).map_err(|_| astray(candidate))?;
    if event.seq == candidate.seq && event.session == session { Ok(event) } else { Err(astray(candidate)) }
}

/// The index points at something that is not there: it is not to be trusted.
pub(crate) fn astray(candidate: &Candidate) -> IndexError {
    let what = format!("it leads astray at {}/{}", candidate.session, candidate.seq);
    IndexError::Text { path: std::path::PathBuf::new(), what }
}
