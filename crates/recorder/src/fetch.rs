//! Reading single events one after the other without opening their segment anew each time.

use event::{Event, SessionId};
use journal::{Journal, JournalError, Pointer, SegmentFile};

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
