//! Purging: a session is taken away as a whole, and the log says so for ever.
//!
//! ```text
//! all of it sealed ─▶ intent (durable) ─▶ purge leaf under a checkpoint ─▶ segments removed ─▶ intent removed
//! ```
//! Whoever has the turn next finishes what an intent names: with its leaf the session goes, without it stays.

use std::collections::{BTreeMap, BTreeSet};

use event::SessionId;
use journal::{Doomed, PURGING};
use world::rfc3339;

use super::{Feed, Log, Moment, Sealer};
use crate::basis::Basis;
use crate::error::AuditError;
use crate::holds::{ALL_SESSIONS, Holds};
use crate::leaf::{Hold, Leaf, Purge, Seal};
use crate::retention::{FLOOR_DAYS, is_old_enough, is_older};

/// What was purged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purged {
    /// The session.
    pub session: SessionId,
    /// How many events it had.
    pub events: u64,
    /// The leaf that says so.
    pub leaf: u64,
}

/// A session's last seal, as far as purging asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastSeal {
    /// How many events it counts.
    pub events: u64,
    /// When it was made.
    pub ts: String,
}

impl LastSeal {
    /// Whether so many days have gone by since.
    pub fn is_older(&self, now: &str, days: u32) -> bool {
        is_older(&self.ts, now, days)
    }
}

impl Sealer {
    /// The last seal of each session that was not purged since.
    pub fn last_seals(&self) -> Result<BTreeMap<String, LastSeal>, AuditError> {
        let (mut last, mut lines) = (BTreeMap::new(), self.journal().log_lines(0)?);
        while let Some((line, _)) = lines.next()? {
            match Leaf::parse(line) {
                Ok(Leaf::Seal(seal)) => {
                    drop(last.insert(seal.session, LastSeal { events: seal.events, ts: seal.ts }));
                }
                Ok(Leaf::Purge(purge)) => drop(last.remove(&purge.session)),
                _ => {}
            }
        }
        Ok(last)
    }

    /// Keeps a session (`*` for all) for a case, or no longer.
    pub fn hold(&self, session: &str, case: &str, release: bool) -> Result<u64, AuditError> {
        let hold = Hold { session: session.to_owned(), case: case.to_owned(), ts: rfc3339(self.now()) };
        let held = Holds::of(self.journal())?;
        let there = held.iter().any(|(session, case)| session == hold.session && case == hold.case);
        if release && !there {
            return Err(AuditError::NoHold { session: hold.session, case: hold.case });
        }
        let Some(turn) = self.journal().log_turn(true)? else { return Err(AuditError::NeverSealed) };
        let mut log = Log::open(self, turn)?;
        log.finish(&[if release { Leaf::Release(hold) } else { Leaf::Hold(hold) }], BTreeMap::new())?;
        Ok(log.tree.size() - 1)
    }

    /// Takes a session away. Seals all of it first; refuses what is held, and what is too young for its basis.
    pub fn purge(&self, session: &SessionId, basis: Basis, ticket: &str) -> Result<Purged, AuditError> {
        self.round(false, true, Moment::Within, &Feed::new())?;
        let Some(turn) = self.journal().log_turn(true)? else { return Err(AuditError::NeverSealed) };
        let mut log = Log::open(self, turn)?;
        let seal = log.sealed_whole(session)?;
        let ts = rfc3339(self.now());
        let name = session.to_string();
        if basis != Basis::Court
            && let Some(case) = Holds::of(self.journal())?.case_of(&name)
        {
            return Err(AuditError::Held { session: name, case: case.to_owned() });
        }
        if !is_old_enough(basis, &seal.ts, &ts) {
            return Err(AuditError::TooYoung { session: name, sealed: seal.ts, days: FLOOR_DAYS });
        }
        let Some(doomed) = self.journal().doom(session, Some(seal.bytes))? else {
            return Err(AuditError::Busy { session: name });
        };
        log.turn.replace(&format!("{PURGING}/{session}"), seal.head.as_bytes(), true)?;
        log.turn.remove(&format!("heads/{session}"))?;
        let ticket = ticket.to_owned();
        let leaf =
            Leaf::Purge(Purge { session: name, events: seal.events, head: seal.head, basis, ticket, ts });
        log.finish(&[leaf], BTreeMap::new())?;
        let leaf = log.tree.size() - 1;
        log.take_away(doomed, session)?;
        Ok(Purged { session: session.clone(), events: seal.events, leaf })
    }
}

impl Log<'_> {
    /// The last seal of a session, which counts all of its events.
    fn sealed_whole(&mut self, session: &SessionId) -> Result<Seal, AuditError> {
        let only: BTreeSet<SessionId> = [session.clone()].into_iter().collect();
        let lost = self.lost_heads(&only)?.remove(session);
        match self.seal(session, lost, &[]) {
            Ok(Some((seal, head))) => {
                let heads = [(session.clone(), head)].into_iter().collect();
                self.finish(&[Leaf::Seal(seal)], heads)?;
            }
            Ok(None) => {}
            Err(crate::head::Stuck::Failed(error)) => return Err(error),
            Err(crate::head::Stuck::Session(what)) => {
                return Err(AuditError::Unsealable { session: session.to_string(), what });
            }
        }
        let seal = self.last_seal(session)?;
        seal.ok_or_else(|| AuditError::NotSealed { session: session.to_string(), seq: 0 })
    }

    fn last_seal(&self, session: &SessionId) -> Result<Option<Seal>, AuditError> {
        let (mut last, mut lines) = (None, self.sealer.journal.log_lines(0)?);
        while let Some((line, end)) = lines.next()? {
            if end > self.state.bytes {
                break;
            }
            match Leaf::parse(line) {
                Ok(Leaf::Seal(seal)) if seal.session == session.as_str() => last = Some(seal),
                Ok(Leaf::Purge(purge)) if purge.session == session.as_str() => last = None,
                _ => {}
            }
        }
        Ok(last)
    }

    fn take_away(&self, doomed: Doomed, session: &SessionId) -> Result<(), AuditError> {
        doomed.remove()?;
        self.turn.remove(&format!("{PURGING}/{session}"))?;
        Ok(())
    }

    /// Finishes purges whose process did not live to see their end.
    pub(super) fn finish_purges(&self) -> Result<(), AuditError> {
        for name in self.turn.list(PURGING)? {
            let Ok(session) = SessionId::new(&name) else { continue };
            let head = self.sealer.journal.log_file(&format!("{PURGING}/{name}"))?.unwrap_or_default();
            if self.is_purged(&session, &head)? {
                if let Some(doomed) = self.sealer.journal.doom(&session, None)? {
                    self.take_away(doomed, &session)?;
                }
            } else {
                self.turn.remove(&format!("{PURGING}/{name}"))?;
            }
        }
        Ok(())
    }

    fn is_purged(&self, session: &SessionId, head: &[u8]) -> Result<bool, AuditError> {
        let mut lines = self.sealer.journal.log_lines(0)?;
        while let Some((line, end)) = lines.next()? {
            if end > self.state.bytes {
                break;
            }
            if let Ok(Leaf::Purge(purge)) = Leaf::parse(line)
                && purge.session == session.as_str()
                && purge.head.as_bytes() == head
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether a hold's session is one, or all.
pub fn is_hold_scope(scope: &str) -> bool {
    scope == ALL_SESSIONS || SessionId::new(scope).is_ok()
}
