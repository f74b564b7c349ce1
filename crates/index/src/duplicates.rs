//! What is told once: one judge of duplicates, for the scan and for everything that folds.
//!
//! An event whose key an earlier *told* event of its session has is compared with it by
//! [`journal::compare`]. Keys are kept as 64-bit hashes with where their events stand; the journal is asked
//! again before anything is called equal. Twins (what a hook saw and a transcript tells, see
//! [`journal::Names`]) are judged in journal order too: the first is told, and a transcript that comes later
//! tells it again in its place.

use std::collections::HashMap;

use event::{Event, Line, SessionId};
use journal::{Journal, Names, Pointer, Sameness, compare};

/// What to do with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Tell it.
    Told,
    /// Tell it and flag it: an earlier one has the same key and other content.
    Conflict,
    /// Skip and count it.
    Duplicate,
    /// Tell it instead of those in [`KeyBook::replaced`]; what only counts has counted them.
    Retold,
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
    replaced: Vec<u64>,
}

impl<'a> KeyBook<'a> {
    pub(crate) fn new(journal: &'a Journal, session: SessionId, earlier: Option<Box<Earlier<'a>>>) -> Self {
        Self { journal, session, seen: HashMap::new(), earlier, replaced: Vec::new() }
    }

    /// Judges the next event of the session.
    pub(crate) fn judge(&mut self, line: &Line<'_>, pointer: Pointer) -> Verdict {
        self.replaced.clear();
        let names = Names::of(line);
        if names.is_empty() {
            return Verdict::Told;
        }
        let mut verdict = self.told_before(line);
        if verdict == Verdict::Told {
            verdict = self.twins(line, &names);
        }
        if verdict != Verdict::Duplicate {
            for key in names.own() {
                self.seen.entry(key_hash(&key)).or_default().push(Holder { seq: line.seq, pointer });
            }
        }
        verdict
    }

    /// The sequences of the events that the last one, [`Verdict::Retold`], stands for.
    pub(crate) fn replaced(&self) -> &[u64] {
        &self.replaced
    }

    fn holders(&self, key: &str, before: u64) -> Vec<Holder> {
        let seen = self.seen.get(&key_hash(key)).into_iter().flatten().copied();
        let earlier = self.earlier.as_ref().map(|earlier| earlier(key)).unwrap_or_default();
        seen.chain(earlier).filter(|holder| holder.seq < before).collect()
    }

    fn told_before(&self, line: &Line<'_>) -> Verdict {
        let Some(key) = line.text("key") else { return Verdict::Told };
        let mut verdict = Verdict::Told;
        let mut event: Option<Event> = None;
        for holder in self.holders(&key, line.seq) {
            let Ok(earlier) = self.journal.event_at(&self.session, &holder.pointer) else { continue };
            if earlier.text("key") != Some(&*key) {
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

    fn twins(&mut self, line: &Line<'_>, names: &Names) -> Verdict {
        for key in names.others() {
            for holder in self.holders(&key, line.seq) {
                let Ok(earlier) = self.journal.event_at(&self.session, &holder.pointer) else { continue };
                let told = Names::from(&earlier);
                if !told.own().contains(&key) {
                    continue;
                }
                if names.yields_to(&told) {
                    return Verdict::Duplicate;
                }
                self.replaced.push(holder.seq);
            }
        }
        // the same words said again: as many as were told before stand for as many of those that a hook told
        let own = names.own();
        let holders = own.iter().skip(1).flat_map(|key| self.holders(key, line.seq));
        let again = holders.filter(|holder| !self.replaced.contains(&holder.seq)).count();
        if again >= self.replaced.len() {
            self.replaced.clear();
            return Verdict::Told;
        }
        Verdict::Retold
    }
}

/// FNV-1a: stable from build to build, and a collision only costs a look into the journal.
pub(crate) fn key_hash(key: &str) -> u64 {
    key.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
