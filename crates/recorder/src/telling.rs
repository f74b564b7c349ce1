//! Telling a session: in the order in which it happened, the past that it shares with others in front.

use std::collections::HashMap;

use event::{Event, SessionId};
use journal::{Held, JournalError, Stretch};

use crate::error::RecorderError;
use crate::listing::Shelf;
use crate::order::order;
use crate::steps::{Step, Steps, steps};
use crate::store::Store;

/// How a session is read for telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// Headers.
    Heads,
    /// All that its events say.
    Whole,
    /// Rows, from a listing where one holds.
    Rows,
}

/// What was told so far.
#[derive(Default)]
struct Told {
    /// How many events of each session are told already, so that a past that is shared in several stretches, or in a
    /// ring, is told once.
    upto: HashMap<SessionId, u64>,
    /// The bytes of listings.
    held: Vec<Held>,
}

/// One row of a timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineRow {
    /// The session that has the event: the session asked for, or one whose past it shares.
    pub session: SessionId,
    /// The event.
    pub step: Step,
}

/// A session or group, told in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// In order of telling.
    pub rows: Vec<TimelineRow>,
    /// Events told again under a known key, left out.
    pub duplicates: u64,
    /// Damaged lines passed over.
    pub damaged: u64,
}

/// A session told in order, with all that its events say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Story {
    /// In order of telling.
    pub events: Vec<Event>,
    /// False when damage was passed over.
    pub complete: bool,
}

impl Timeline {
    /// False when damage was passed over.
    pub fn is_complete(&self) -> bool {
        self.damaged == 0
    }
}

impl Store {
    /// The last bytes of a session, at most so many ([`journal::Journal::stretch`]). Where they are all of a long session, its
    /// lines are known to be those that were checked before, as far as a listing says so.
    pub fn stretch(&self, session: &SessionId, at_most: u64) -> Result<Option<Stretch>, RecorderError> {
        let bytes = self.journal.extent(session)?.bytes();
        if (self.listing_bytes..=at_most).contains(&bytes) {
            let kept = self.index().kept("listings");
            if let Some(held) = (Shelf { journal: &self.journal, kept: &kept, session }).held()? {
                return Ok(self.journal.stretch_over(held)?);
            }
        }
        Ok(self.journal.stretch(session, at_most)?)
    }

    /// A session in the order in which it is told, the past that it shares with others in front.
    pub fn timeline(&self, session: &SessionId) -> Result<Timeline, RecorderError> {
        let mut timeline = Timeline::default();
        self.tell(session, u64::MAX, How::Heads, &mut Told::default(), &mut timeline)?;
        Ok(timeline)
    }

    /// The same for whoever shows rows: of a long session they are kept from one answer to the next, and each answer
    /// finds out whether they still hold. Who must not rely on what is derived takes [`Self::timeline`].
    pub fn listing(&self, session: &SessionId) -> Result<Timeline, RecorderError> {
        let mut timeline = Timeline::default();
        self.tell(session, u64::MAX, How::Rows, &mut Told::default(), &mut timeline)?;
        Ok(timeline)
    }

    /// The same with the whole events, read in one pass.
    pub fn story(&self, session: &SessionId) -> Result<Story, RecorderError> {
        let (mut timeline, mut told) = (Timeline::default(), Told::default());
        self.tell(session, u64::MAX, How::Whole, &mut told, &mut timeline)?;
        let (complete, rows) = (timeline.is_complete(), timeline.rows.len());
        let events = self.whole_events(timeline.rows, &told.held)?;
        Ok(Story { complete: complete && events.len() == rows, events })
    }

    /// Tells a session up to an event.
    fn tell(
        &self,
        session: &SessionId,
        upto: u64,
        how: How,
        told: &mut Told,
        timeline: &mut Timeline,
    ) -> Result<(), RecorderError> {
        let before = told.upto.get(session).copied().unwrap_or(0);
        if upto < before {
            return Ok(());
        }
        told.upto.insert(session.clone(), upto.saturating_add(1));
        let (found, ordered) = self.steps(session, (before, upto), how, &mut told.held)?;
        if before == 0 {
            timeline.duplicates += found.duplicates;
            timeline.damaged += found.damaged;
        }
        let row = |step| TimelineRow { session: session.clone(), step };
        if ordered {
            timeline.rows.extend(found.told.into_iter().map(row));
            return Ok(());
        }
        let own: Vec<Step> =
            found.told.into_iter().filter(|step| (before..=upto).contains(&step.seq())).collect();
        for (owner, upto) in owners(&own) {
            if self.journal.has(&owner)? {
                self.tell(&owner, upto, how, told, timeline)?;
            }
        }
        timeline.rows.extend(order(own).into_iter().map(row));
        Ok(())
    }

    /// The steps of a session that are told once, and whether they stand in the order of telling already.
    fn steps(
        &self,
        session: &SessionId,
        (before, upto): (u64, u64),
        how: How,
        held: &mut Vec<Held>,
    ) -> Result<(Steps, bool), JournalError> {
        // of a past that others share a part is told, in an order of its own
        if how != How::Heads && (before, upto) == (0, u64::MAX) {
            let kept = self.index().kept("listings");
            let shelf = Shelf { journal: &self.journal, kept: &kept, session };
            if let Some(found) = shelf.listed(how == How::Whole, self.listing_bytes)? {
                held.extend(found.held);
                return Ok((found.steps, found.ordered));
            }
        }
        Ok((steps(&self.journal, session, how == How::Whole)?, false))
    }
}

/// Whose past these steps share, and up to which event, in order of first mention.
pub(crate) fn owners(steps: &[Step]) -> Vec<(SessionId, u64)> {
    let mut owners: Vec<(SessionId, u64)> = Vec::new();
    for target in steps.iter().filter_map(Step::target) {
        match owners.iter_mut().find(|(owner, _)| owner.as_str() == target.session) {
            Some((_, upto)) => *upto = target.seq.max(*upto),
            None => owners.extend(SessionId::new(&target.session).ok().map(|owner| (owner, target.seq))),
        }
    }
    owners
}
