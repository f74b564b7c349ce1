//! Keys that the store knows already, and where: what makes "tell me once" cheap.
//!
//! A key is remembered by 64 bits of its hash; who asks reads the event and compares, so that a
//! collision costs a read and nothing else.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use event::{Event, SessionId};
use journal::{Journal, JournalError, Place, Pointer, ReadError, Receipt};
use redact::Clean;
use serde_json::Value;

use crate::fetch::Fetcher;
use crate::record::stored_key;

/// Where a key was seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    session: u32,
    pub(crate) seq: u64,
    pub(crate) pointer: Pointer,
}

/// Where each key was seen, by its hash. Clones share it: another thread may ask whether one is there.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys(Arc<RwLock<HashMap<u64, Vec<Seen>>>>);

impl Keys {
    fn read(&self) -> RwLockReadGuard<'_, HashMap<u64, Vec<Seen>>> {
        // what a panic left behind is whole: entries are only added
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, key: &str, seen: Seen) {
        let mut keys = self.0.write().unwrap_or_else(PoisonError::into_inner);
        keys.entry(digest(key)).or_default().push(seen);
    }

    /// False if no event has the key so far.
    pub(crate) fn may_hold(&self, key: &str) -> bool {
        self.read().contains_key(&digest(key))
    }
}

/// Every key of the sessions that were read so far.
#[derive(Debug)]
pub(crate) struct Known {
    journal: Journal,
    fetcher: Fetcher,
    names: Vec<SessionId>,
    places: HashMap<SessionId, (u32, Place)>,
    keys: Keys,
    /// Targets of `session.linked`, by session.
    links: Vec<(u32, String)>,
    /// Keys of gaps, as their transcripts' records derive them.
    gaps: BTreeSet<String>,
}

impl Known {
    pub(crate) fn new(journal: &Journal) -> Self {
        let (names, places, keys, links) = (Vec::new(), HashMap::new(), Keys::default(), Vec::new());
        let (fetcher, gaps) = (Fetcher::new(journal), BTreeSet::new());
        Self { journal: journal.clone(), fetcher, names, places, keys, links, gaps }
    }

    /// Reads every session to its end.
    pub(crate) fn read_all(&mut self) -> Result<(), JournalError> {
        let sessions = self.journal.sessions()?;
        sessions.iter().try_for_each(|session| self.read(session))
    }

    /// True if the session was read as far as an event that stands there.
    pub(crate) fn is_past(&self, session: &SessionId, seq: u64) -> bool {
        self.places.get(session).is_some_and(|(_, place)| place.seq > seq)
    }

    /// Reads what was appended to a session since the last time.
    pub(crate) fn read(&mut self, session: &SessionId) -> Result<(), JournalError> {
        let (number, place) = if let Some((number, place)) = self.places.get(session) {
            (*number, place.clone())
        } else {
            self.names.push(session.clone());
            (u32::try_from(self.names.len() - 1).unwrap_or(u32::MAX), Place::default())
        };
        if place.seq > 0 && self.journal.extent(session)?.ends_at(&place) {
            return Ok(());
        }
        let mut reader = self.journal.read(session, place)?.heads_only();
        loop {
            match reader.next() {
                Ok(Some(entry)) => {
                    let seen = Seen { session: number, seq: entry.line.seq, pointer: entry.pointer };
                    if let Some(key) = entry.line.text("key") {
                        if entry.line.kind == "gap.found" {
                            self.gaps.extend(key.strip_prefix("imported:").map(str::to_owned));
                        }
                        self.keys.add(&key, seen);
                    }
                    if entry.line.kind == "session.linked"
                        && let Some(target) = entry.line.text("target")
                    {
                        self.links.push((number, target.into_owned()));
                    }
                }
                Ok(None) => break,
                // damage is `verify`'s to tell; here it only means that a key is not known
                Err(ReadError::Damage(_)) => {}
                Err(ReadError::Journal(error)) => return Err(error),
            }
        }
        self.places.insert(session.clone(), (number, reader.place().clone()));
        Ok(())
    }

    /// Learns of an event that was appended just now, where nothing unknown stands before it. Hot path: saves
    /// reading it back.
    pub(crate) fn note(&mut self, clean: &Clean, receipt: &Receipt) {
        let at = receipt.pointer;
        let Some((session, place)) = self.places.get_mut(clean.session()) else { return };
        if (place.segment, place.offset, place.seq) != (at.segment, at.offset, receipt.seq) {
            return;
        }
        place.offset += u64::from(at.len) + 1;
        place.seq += 1;
        place.head.clone_from(&receipt.hash);
        if let Some(key) = stored_key(clean) {
            let seen = Seen { session: *session, seq: receipt.seq, pointer: at };
            if clean.draft().kind == *"gap.found" {
                self.gaps.extend(clean.draft().key.clone());
            }
            self.keys.add(&key, seen);
        }
        if let Some(target) = clean.draft().header.get("target").and_then(Value::as_str)
            && clean.draft().kind == *"session.linked"
        {
            self.links.push((*session, target.to_owned()));
        }
    }

    /// The keys, for another thread to look at.
    pub(crate) fn keys(&self) -> Keys {
        self.keys.clone()
    }

    /// Keys of gaps that were told.
    pub(crate) fn gaps(&self) -> &BTreeSet<String> {
        &self.gaps
    }

    /// Every event that may have the key: in `own` first, then elsewhere, each in journal order.
    pub(crate) fn candidates(&self, key: &str, own: &SessionId) -> Vec<Seen> {
        let mut seen = self.keys.read().get(&digest(key)).cloned().unwrap_or_default();
        seen.sort_by_key(|seen| (self.session(*seen) != own, seen.session, seen.seq));
        seen
    }

    pub(crate) fn session(&self, seen: Seen) -> &SessionId {
        &self.names[seen.session as usize]
    }

    /// The event, if it really has the key, and is what was written: a damaged one is told again.
    pub(crate) fn event(&mut self, seen: Seen, key: &str) -> Result<Option<Event>, JournalError> {
        let session = self.names[seen.session as usize].clone();
        match self.fetcher.event(&session, &seen.pointer) {
            Ok(event) => Ok((event.text("key") == Some(key)).then_some(event)),
            Err(JournalError::Damaged(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The sequence of an event of `session` with this key.
    pub(crate) fn seq_in(&self, key: &str, session: &SessionId) -> Option<u64> {
        let keys = self.keys.read();
        let seen = keys.get(&digest(key))?;
        seen.iter().find(|seen| self.session(**seen) == session).map(|seen| seen.seq)
    }

    /// The last event of `session` with this key.
    pub(crate) fn last_in(&self, key: &str, session: &SessionId) -> Option<u64> {
        let keys = self.keys.read();
        let seen = keys.get(&digest(key))?;
        seen.iter().filter(|seen| self.session(**seen) == session).map(|seen| seen.seq).max()
    }

    /// The session that has an event with this key, as far as its hash says.
    pub(crate) fn owner(&self, key: &str) -> Option<&SessionId> {
        self.keys.read().get(&digest(key))?.first().map(|seen| self.session(*seen))
    }

    /// True if the session already says that it is linked to the target.
    pub(crate) fn is_linked(&self, session: &SessionId, target: &str) -> bool {
        self.links.iter().any(|(number, known)| &self.names[*number as usize] == session && known == target)
    }
}

fn digest(key: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(key)
}
