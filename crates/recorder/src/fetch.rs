//! Reading single events one after the other without opening their segment anew each time, or many side by side.

use std::thread;

use event::{Event, SessionId};
use journal::{Journal, JournalError, Pointer, SegmentFile};

use crate::store::{Store, TimelineRow};

/// Reads events by pointer; every one is checked again.
#[derive(Debug)]
pub struct Fetcher {
    journal: Journal,
    open: Option<(SessionId, u64, SegmentFile)>,
}

impl Fetcher {
    /// A fetcher over a journal.
    pub fn new(journal: &Journal) -> Self {
        Self { journal: journal.clone(), open: None }
    }

    /// One event, verified.
    pub fn event(&mut self, session: &SessionId, at: &Pointer) -> Result<Event, JournalError> {
        let same =
            |(open, segment, _): &(SessionId, u64, SegmentFile)| open == session && *segment == at.segment;
        if !self.open.as_ref().is_some_and(same) {
            let file = self.journal.segment_file(session, at.segment)?;
            self.open = Some((session.clone(), at.segment, file));
        }
        match &self.open {
            Some((_, _, file)) => file.event_at(at),
            None => self.journal.event_at(session, at),
        }
    }
}

/// So many events are worth a thread to read them.
const WORTH_A_THREAD: usize = 250;

/// What is made of each event, in the thread that read it.
pub type Make<'a, T> = &'a (dyn Fn(&TimelineRow, Result<Event, JournalError>) -> T + Sync);

impl Store {
    /// What `make` makes of the events of some rows of a timeline, in their order. Each event is checked again.
    pub fn of_events<T: Send>(&self, rows: &[&TimelineRow], make: Make<'_, T>) -> Vec<T> {
        let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let part = rows.len().div_ceil(threads).max(WORTH_A_THREAD);
        let read = |rows: &[&TimelineRow]| {
            let mut fetcher = self.fetcher();
            let made = rows.iter().map(|row| make(row, fetcher.event(&row.session, &row.step.pointer)));
            made.collect::<Vec<_>>()
        };
        if rows.len() <= part {
            return read(rows);
        }
        thread::scope(|scope| {
            let read = &read;
            let parts: Vec<_> = rows.chunks(part).map(|rows| scope.spawn(move || read(rows))).collect();
            let joined =
                parts.into_iter().map(|part| part.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            joined.flatten().collect()
        })
    }
}
