//! Reading single events one after the other without opening their segment anew each time, or many side by side.

use std::thread;

use event::{Event, SessionId};
use journal::{Held, Journal, JournalError, Pointer, SegmentFile};

use crate::brief::Brief;
use crate::store::Store;
use crate::telling::TimelineRow;

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

    /// What a row shows of its event: as it was kept, else as the event is read now, verified.
    pub fn brief<'r>(&mut self, row: &'r TimelineRow, limit: usize) -> Result<Brief<'r>, JournalError> {
        match Brief::kept(&row.step, limit) {
            Some(brief) => Ok(brief),
            None => Ok(Brief::of(&self.event(&row.session, &row.step.pointer)?, limit)),
        }
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

    /// One event, verified; `None` for a damaged one, which is for the caller to count.
    pub fn undamaged(&mut self, session: &SessionId, at: &Pointer) -> Result<Option<Event>, JournalError> {
        match self.event(session, at) {
            Ok(event) => Ok(Some(event)),
            Err(JournalError::Damaged(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// So many events are worth a thread to read them.
const WORTH_A_THREAD: usize = 250;

/// What is made of some rows of a timeline, in the thread that read their events.
pub type Make<'a, T> = &'a (dyn Fn(&[&TimelineRow], &mut Fetcher) -> T + Sync);

impl Store {
    /// What `make` makes of the rows of a timeline, so many at a time, in their order. Each thread has a fetcher of
    /// its own.
    pub fn of_rows<T: Send>(&self, rows: &[&TimelineRow], at_a_time: usize, make: Make<'_, T>) -> Vec<T> {
        let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let pages = rows.len().div_ceil(at_a_time.max(1));
        let part =
            (pages.div_ceil(threads) * at_a_time).max(WORTH_A_THREAD.next_multiple_of(at_a_time.max(1)));
        let read = |rows: &[&TimelineRow]| {
            let mut fetcher = self.fetcher();
            rows.chunks(at_a_time.max(1)).map(|rows| make(rows, &mut fetcher)).collect::<Vec<_>>()
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

impl Store {
    /// The undamaged events of rows: as they were read, or out of the bytes that are held, or read now.
    pub(crate) fn whole_events(
        &self,
        rows: Vec<TimelineRow>,
        held: &[Held],
    ) -> Result<Vec<Event>, JournalError> {
        if held.is_empty() && rows.iter().all(|row| row.step.is_read()) {
            return Ok(rows.into_iter().filter_map(|row| row.step.into_event()).collect());
        }
        let rows: Vec<&TimelineRow> = rows.iter().collect();
        let event = |row: &TimelineRow, fetcher: &mut Fetcher| {
            let held = held.iter().find(|held| *held.session() == row.session);
            if let Some(event) = held.and_then(|held| held.event(&row.step.pointer)) {
                return Ok(Some(event));
            }
            match row.step.event() {
                Some(event) => Ok(Some(event.clone())),
                None => fetcher.undamaged(&row.session, &row.step.pointer),
            }
        };
        let page = |rows: &[&TimelineRow], fetcher: &mut Fetcher| {
            rows.iter().filter_map(|row| event(row, fetcher).transpose()).collect::<Result<Vec<_>, _>>()
        };
        let pages = self.of_rows(&rows, WORTH_A_THREAD, &page).into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(pages.into_iter().flatten().collect())
    }
}
