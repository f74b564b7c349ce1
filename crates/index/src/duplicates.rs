//! What is told once: one judge of duplicates, for the scan and for everything that folds.
//!
//! An event whose key an earlier *told* event of its session has is compared with it by
//! [`journal::compare`]. Keys are kept as 64-bit hashes with where their events stand; the journal is asked
//! again before anything is called equal.

use std::collections::HashMap;

use event::{Event, Line, SessionId};
use journal::{Journal, Pointer, Sameness, compare};

/// What to do with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Tell it.
    Told,
    /// Tell it and flag it: an earlier one has the same key and other content.
    Conflict,
    /// Skip and count it.
    Duplicate,
}

/// A told event with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) seq: u64,
    pub(crate) pointer: Pointer,
}

/// Who holds a key among events that were folded before; by hash, the journal says for certain.
pub(crate) type Earlier<'a> = dyn Fn(&str) -> Vec<Holder> + 'a;

/// The keys of one session.
pub(crate) struct KeyBook<'a> {
    journal: &'a Journal,
    session: SessionId,
    seen: HashMap<u64, Vec<Holder>>,
    earlier: Option<Box<Earlier<'a>>>,
}

impl<'a> KeyBook<'a> {
    pub(crate) fn new(journal: &'a Journal, session: SessionId, earlier: Option<Box<Earlier<'a>>>) -> Self {
        Self { journal, session, seen: HashMap::new(), earlier }
    }

    /// Judges the next event of the session.
    pub(crate) fn judge(&mut self, line: &Line<'_>, pointer: Pointer) -> Verdict {
        let Some(key) = line.text("key") else { return Verdict::Told };
        let holders = self.seen.entry(key_hash(&key)).or_default();
        let before = self.earlier.as_ref().map(|earlier| earlier(&key)).unwrap_or_default();
        let known = holders.iter().chain(&before).filter(|holder| holder.seq < line.seq);
        let verdict = verdict(self.journal, &self.session, line, &key, known);
        if verdict != Verdict::Duplicate {
            holders.push(Holder { seq: line.seq, pointer });
        }
        verdict
    }
}

fn verdict<'h>(
    journal: &Journal,
    session: &SessionId,
    line: &Line<'_>,
    key: &str,
    holders: impl Iterator<Item = &'h Holder>,
) -> Verdict {
    let mut verdict = Verdict::Told;
    let mut event: Option<Event> = None;
    for holder in holders {
        let Ok(earlier) = journal.event_at(session, &holder.pointer) else { continue };
        if earlier.text("key") != Some(key) {
            continue;
        }
        if event.is_none() {
            event = Event::from_line(line);
        }
        let Some(later) = &event else { break };
        match compare((&earlier).into(), later.into()) {
            Sameness::Duplicate => return Verdict::Duplicate,
            // a later version of what its tool rewrites contradicts nothing
            Sameness::Conflict if line.field("supersedes").is_some() => {}
            Sameness::Conflict => verdict = Verdict::Conflict,
        }
    }
    verdict
}

/// FNV-1a: stable from build to build, and a collision only costs a look into the journal.
pub(crate) fn key_hash(key: &str) -> u64 {
    key.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
