//! When to seal, with no daemon. What a process leaves, the next one that writes takes up.
//!
//! | durability | in a stream | at its end |
//! |---|---|---|
//! | always | at 256 events or 5 s; errors, handoffs, ends and the house's own at once | all |
//! | os | at 5 s; the same at once | what is due |
//! | batch | at 5 s: nothing is acknowledged before the end | all |
//!
//! A seal covers synced events only, so each round syncs. So that seals add a twenty-fifth to a stream's time
//! at most, each round has to be earned by [`SHARE`] times as long of recording: until then 256 events wait for
//! more, 5 s at most. What is to be sealed at once may go ahead of its time by [`CREDIT`]: some ten handoffs one after
//! the other are ten rounds, a flood of them is sealed together.

use std::collections::BTreeSet;
use std::time::Duration;

use recorder::{Durability, MAX_LINKS, Recorder};

use crate::error::AuditError;
use crate::sealer::{Feed, Moment, Sealed, Sealer};

/// A seal is due for so many events.
const DUE_EVENTS: u64 = 256;
/// A seal is due so long after the first event without one, whatever it costs.
const DUE_AFTER: Duration = Duration::from_secs(5);
/// Recording goes on for so many times as long as a round took before the next.
const SHARE: i64 = 25;
/// So far ahead of what was earned may urgent rounds go.
const CREDIT: Duration = Duration::from_millis(500);

/// Watches what a process records and seals it in time.
#[derive(Debug)]
pub struct Sealing {
    sealer: Sealer,
    /// Events of this process without a seal.
    waiting: u64,
    /// When the first of them was seen.
    since: i64,
    /// Sessions for which a hint stands.
    hinted: BTreeSet<event::SessionId>,
    /// What was appended since the last round.
    feed: Feed,
    fed: usize,
    /// True when an event among them is to be sealed at once.
    urgent: bool,
    /// When the rounds so far are earned.
    earned: i64,
    started: bool,
}

impl Sealing {
    /// Seals with this sealer.
    pub fn new(sealer: Sealer) -> Self {
        Self {
            sealer,
            waiting: 0,
            since: 0,
            hinted: BTreeSet::new(),
            feed: Feed::new(),
            fed: 0,
            urgent: false,
            earned: 0,
            started: false,
        }
    }

    /// To be called after each event of a stream: costs nothing until a seal is due.
    pub fn after(&mut self, recorder: &mut Recorder) -> Result<Option<Sealed>, AuditError> {
        self.note(recorder)?;
        let urgent = self.urgent && recorder.durability() != Durability::Batch;
        if !self.is_due(recorder.durability(), urgent) {
            return Ok(None);
        }
        let moment = if self.started { Moment::Within } else { Moment::Start };
        self.seal(urgent, moment)
    }

    /// To be called at the end of a stream: everything that was recorded is sealed. A short one that was left
    /// to the operating system stays with it: no sync is forced for a seal that is not due.
    pub fn finish(&mut self, recorder: &mut Recorder) -> Result<Option<Sealed>, AuditError> {
        if recorder.durability() == Durability::Os && !self.started {
            return self.leave(recorder);
        }
        self.note(recorder)?;
        if self.waiting == 0 && !self.started {
            return Ok(None);
        }
        self.seal(true, if self.started { Moment::Stop } else { Moment::Within })
    }

    /// To be called by a process that records one event and ends: seals only what is due, its own or others'.
    pub fn leave(&mut self, recorder: &mut Recorder) -> Result<Option<Sealed>, AuditError> {
        self.note(recorder)?;
        let urgent = self.urgent;
        let hints = self.sealer.journal().hints()?;
        let late = hints.first().is_some_and(|(time, _)| self.age(*time) >= DUE_AFTER);
        if urgent || late || hints.len() as u64 >= DUE_EVENTS {
            return self.seal(urgent, Moment::Within);
        }
        Ok(None)
    }

    fn is_due(&self, durability: Durability, urgent: bool) -> bool {
        if self.waiting == 0 {
            return false;
        }
        let enough = if durability == Durability::Always { DUE_EVENTS } else { MAX_LINKS as u64 };
        let ahead = self.earned.saturating_sub(self.now());
        (urgent && ahead < micros(CREDIT))
            || (self.waiting >= enough && ahead <= 0)
            || self.age(self.since) >= DUE_AFTER
    }

    fn now(&self) -> i64 {
        self.sealer.journal().world().clock.now()
    }

    /// How old; a clock that was set back makes everything old.
    fn age(&self, since: i64) -> Duration {
        u64::try_from(self.now().saturating_sub(since)).map_or(Duration::MAX, Duration::from_micros)
    }

    fn note(&mut self, recorder: &mut Recorder) -> Result<(), AuditError> {
        for (session, mut fresh) in recorder.take_fresh() {
            if self.waiting == 0 {
                self.since = self.now();
            }
            self.waiting += fresh.events;
            self.urgent |= fresh.urgent;
            if !self.hinted.contains(&session) {
                self.sealer.journal().hint_unsealed(&session)?;
                self.hinted.insert(session.clone());
            }
            fresh.links.truncate(MAX_LINKS - self.fed);
            self.fed += fresh.links.len();
            self.feed.entry(session).or_default().append(&mut fresh.links);
        }
        Ok(())
    }

    fn seal(&mut self, wait: bool, moment: Moment) -> Result<Option<Sealed>, AuditError> {
        // whatever comes of it, the next attempt is a whole interval away: recording does not wait for seals
        (self.waiting, self.fed, self.urgent) = (0, 0, false);
        self.hinted.clear();
        let feed = std::mem::take(&mut self.feed);
        let began = self.now();
        let sealed = self.sealer.seal_fed(wait, moment, &feed);
        let now = self.now();
        // a clock that was set ahead and back again would put the next round off for ever
        let took = now.saturating_sub(began).clamp(0, micros(DUE_AFTER));
        self.earned = self.earned.clamp(now, now.saturating_add(micros(CREDIT))) + took * SHARE;
        let sealed = sealed?;
        self.started |= moment == Moment::Start && sealed.is_some();
        Ok(sealed)
    }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
