//! When to seal, with no daemon: 256 events or 5 seconds after the first unsealed one, at once for errors,
//! handoffs, ends and the house's own events; what a process leaves, the next one that writes takes up.

use std::time::Duration;

use recorder::Recorder;

use crate::error::AuditError;
use crate::sealer::{Moment, Sealed, Sealer};

/// A seal is due for so many events.
const DUE_EVENTS: u64 = 256;
/// A seal is due so long after the first event without one.
const DUE_AFTER: Duration = Duration::from_secs(5);

/// Watches what a process records and seals it in time.
#[derive(Debug)]
pub struct Sealing {
    sealer: Sealer,
    /// Events of this process without a seal.
    waiting: u64,
    /// When the first of them was seen.
    since: i64,
    /// Sessions for which a hint stands.
    hinted: Vec<event::SessionId>,
    started: bool,
}

impl Sealing {
    /// Seals with this sealer.
    pub fn new(sealer: Sealer) -> Self {
        Self { sealer, waiting: 0, since: 0, hinted: Vec::new(), started: false }
    }

    /// To be called after each event of a stream: costs nothing until a seal is due.
    pub fn after(&mut self, recorder: &mut Recorder) -> Result<Option<Sealed>, AuditError> {
        let urgent = self.note(recorder)?;
        let late = self.waiting > 0 && self.age(self.since) >= DUE_AFTER;
        if !urgent && !late && self.waiting < DUE_EVENTS {
            return Ok(None);
        }
        let moment = if self.started { Moment::Within } else { Moment::Start };
        self.seal(urgent, moment)
    }

    /// To be called at the end of a stream: everything that was recorded is sealed.
    pub fn finish(&mut self, recorder: &mut Recorder) -> Result<Option<Sealed>, AuditError> {
        self.note(recorder)?;
        if self.waiting == 0 && !self.started {
            return Ok(None);
        }
        self.seal(true, if self.started { Moment::Stop } else { Moment::Within })
    }

    /// To be called by a process that records one event and ends: seals only what is due, its own or others'.
    pub fn leave(&mut self, recorder: &mut Recorder) -> Result<Option<Sealed>, AuditError> {
        let urgent = self.note(recorder)?;
        let hints = self.sealer.journal().hints()?;
        let late = hints.first().is_some_and(|(time, _)| self.age(*time) >= DUE_AFTER);
        if urgent || late || hints.len() as u64 >= DUE_EVENTS {
            return self.seal(urgent, Moment::Within);
        }
        Ok(None)
    }

    /// How old; a clock that was set back makes everything old.
    fn age(&self, since: i64) -> Duration {
        let now = self.sealer.journal().world().clock.now();
        u64::try_from(now.saturating_sub(since)).map_or(Duration::MAX, Duration::from_micros)
    }

    fn note(&mut self, recorder: &mut Recorder) -> Result<bool, AuditError> {
        let mut urgent = false;
        for (session, fresh) in recorder.take_fresh() {
            if self.waiting == 0 {
                self.since = self.sealer.journal().world().clock.now();
            }
            self.waiting += fresh.events;
            urgent |= fresh.urgent;
            if !self.hinted.contains(&session) {
                self.sealer.journal().hint_unsealed(&session)?;
                self.hinted.push(session);
            }
        }
        Ok(urgent)
    }

    fn seal(&mut self, wait: bool, moment: Moment) -> Result<Option<Sealed>, AuditError> {
        // whatever comes of it, the next attempt is a whole interval away: recording does not wait for seals
        self.waiting = 0;
        self.hinted.clear();
        let sealed = self.sealer.seal_hinted(wait, moment)?;
        self.started |= moment == Moment::Start && sealed.is_some();
        Ok(sealed)
    }
}
