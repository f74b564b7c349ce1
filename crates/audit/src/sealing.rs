//! When to seal, with no daemon. What a process leaves, the next one that writes takes up.
//!
//! | durability | in a stream | at its end |
//! |---|---|---|
//! | always | 256 events, or 5 s after the first unsealed one; at once for errors, handoffs, ends, the house's own | all |
//! | os | after 5 s; at once for errors, handoffs, ends, the house's own | all |
//! | batch | after 5 s: nothing is acknowledged before the end | all |
//!
//! A seal covers synced events only, so each round syncs. So that a stream spends at most a twentieth of its
//! time on seals, the next round waits twenty times as long as the last one took, 20 ms at least and 5 s at
//! most: a run of handoffs is one round.

use std::collections::BTreeSet;
use std::time::Duration;

use recorder::{Durability, MAX_LINKS, Recorder};

use crate::error::AuditError;
use crate::sealer::{Feed, Moment, Sealed, Sealer};

/// A seal is due for so many events.
const DUE_EVENTS: u64 = 256;
/// A seal is due so long after the first event without one.
const DUE_AFTER: Duration = Duration::from_secs(5);
/// Two rounds are at least so far apart.
const PAUSE: Duration = Duration::from_millis(20);
/// And so many times what the last one took.
const PAUSE_TIMES: u32 = 20;

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
    /// When the last round ended, and how long the next one waits.
    last: i64,
    pause: Duration,
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
            last: 0,
            pause: Duration::ZERO,
            started: false,
        }
    }

    /// To be called after each event of a stream: costs nothing until a seal is due.
    pub fn after(&mut self, recorder: &mut Recorder) -> Result<Option<Sealed>, AuditError> {
        self.note(recorder)?;
        let urgent = self.urgent && recorder.durability() != Durability::Batch;
        if !self.is_due(recorder.durability(), urgent) || self.age(self.last) < self.pause {
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
        let enough = if durability == Durability::Always { DUE_EVENTS } else { MAX_LINKS as u64 };
        urgent || self.waiting >= enough || (self.waiting > 0 && self.age(self.since) >= DUE_AFTER)
    }

    /// How old; a clock that was set back makes everything old.
    fn age(&self, since: i64) -> Duration {
        let now = self.sealer.journal().world().clock.now();
        u64::try_from(now.saturating_sub(since)).map_or(Duration::MAX, Duration::from_micros)
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

    fn now(&self) -> i64 {
        self.sealer.journal().world().clock.now()
    }

    fn seal(&mut self, wait: bool, moment: Moment) -> Result<Option<Sealed>, AuditError> {
        // whatever comes of it, the next attempt is a whole interval away: recording does not wait for seals
        (self.waiting, self.fed, self.urgent) = (0, 0, false);
        self.hinted.clear();
        let feed = std::mem::take(&mut self.feed);
        let began = self.now();
        let sealed = self.sealer.seal_fed(wait, moment, &feed);
        self.pause = (self.age(began).min(DUE_AFTER) * PAUSE_TIMES).clamp(PAUSE, DUE_AFTER);
        self.last = self.now();
        let sealed = sealed?;
        self.started |= moment == Moment::Start && sealed.is_some();
        Ok(sealed)
    }
}
