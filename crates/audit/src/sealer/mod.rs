//! Sealing: what stands in the journal becomes leaves of the store log under a signed checkpoint.
//!
//! ```text
//! turn ─▶ signed size found ─▶ sessions read on ─▶ leaves (synced) ─▶ checkpoint (synced) ─▶ caches, memory
//!                                                          └ rotation: epoch leaf ─▶ its note ─▶ new key signs ─▶ old key destroyed
//! ```
//! - L1  only bytes that were synced are sealed: no crash can take sealed events back
//! - L2  leaves behind the signed size were never promised: the next sealer cuts them
//! - L3  a root is signed only if the tree before it is the one that was signed last: edited leaves never
//!   get a signature
//! - L4  an epoch's key is destroyed only after its last checkpoint and the next key's first are on the disk
//! - L5  recording never waits for sealing, and a failed seal loses no event
//! - L6  receipts only save reading: they count while their events stand where they say, on the disk

mod begin;
mod exports;
mod purge;
mod rotate;
mod sessions;
mod signed;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use event::SessionId;
use journal::{Journal, LogTurn};
use recorder::Link;
use world::rfc3339;

use crate::cache::{self, Head, State, TreeFile};
use crate::error::AuditError;
use crate::head::Stuck;
use crate::keyring::{Keyring, origin};
use crate::leaf::{AnchorFailed, Beat, Leaf, Process, Restore};
use crate::note::{Checkpoint, Note};
use crate::pin::Pin;
use crate::sign::Signer;
use crate::tree::{Tree, hex, leaf_hash};

pub use self::purge::{LastSeal, Purged, is_hold_scope};

/// How long an event may be on its way from its time to the disk.
const SLACK: Duration = Duration::from_mins(1);

/// What tests set smaller than people need.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// An epoch ends after so many leaves.
    pub epoch_leaves: u64,
    /// An epoch ends after so long.
    pub epoch_time: Duration,
    /// Every session is looked at after so long, hinted at or not.
    pub beat_time: Duration,
}

impl Default for Options {
    fn default() -> Self {
        let (epoch_time, beat_time) = (Duration::from_hours(1), Duration::from_mins(10));
        Self { epoch_leaves: 1024, epoch_time, beat_time }
    }
}

/// What this process appended, by session and in order; an empty one is as good, and slower.
pub type Feed = BTreeMap<SessionId, Vec<Link>>;

/// Makes seals for one store.
#[derive(Debug, Clone)]
pub struct Sealer {
    journal: Journal,
    keys: Keyring,
    options: Options,
}

/// What a round of sealing did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sealed {
    /// Sessions that got a seal, and how many events it counts.
    pub seals: Vec<(SessionId, u64)>,
    /// Sessions that could not be sealed, and why.
    pub stuck: Vec<(SessionId, String)>,
    /// Leaves of the log.
    pub size: u64,
    /// Its root, in hex.
    pub root: String,
    /// The leaf that came with the round.
    pub own: Option<u64>,
}

/// Which process says that it begins or ends recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Neither.
    Within,
    /// It begins.
    Start,
    /// It ends.
    Stop,
}

/// The log while we have the turn.
struct Log<'a> {
    sealer: &'a Sealer,
    turn: LogTurn,
    key: Signer,
    state: State,
    tree: Tree,
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

impl Sealer {
    /// A sealer over an open journal and the store's keys.
    pub fn new(journal: &Journal, keys: Keyring) -> Self {
        Self { journal: journal.clone(), keys, options: Options::default() }
    }

    /// The same sealer with other options.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// The journal.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The keys.
    pub fn keys(&self) -> &Keyring {
        &self.keys
    }

    fn now(&self) -> i64 {
        self.journal.world().clock.now()
    }

    /// Begins the log, with its keys, if the store has none.
    pub fn begin(&self) -> Result<(), AuditError> {
        self.round(false, true, Moment::Within, &Feed::new()).map(drop)
    }

    /// Seals every session now.
    pub fn seal_all(&self) -> Result<Sealed, AuditError> {
        Ok(self.round(true, true, Moment::Within, &Feed::new())?.unwrap_or_default())
    }

    /// Seals the sessions that hints name, or all of them if nobody did for long. `None` when another process
    /// has the turn and `wait` is false.
    pub fn seal_hinted(&self, wait: bool, moment: Moment) -> Result<Option<Sealed>, AuditError> {
        self.round(false, wait, moment, &Feed::new())
    }

    /// The same by one who knows what it appended and need not read that again.
    pub fn seal_fed(&self, wait: bool, moment: Moment, feed: &Feed) -> Result<Option<Sealed>, AuditError> {
        self.round(false, wait, moment, feed)
    }

    /// Breaks the epoch off whose key is lost, and says which; `None` if it is not lost.
    pub(crate) fn reepoch(&self) -> Result<Option<u64>, AuditError> {
        let Some(turn) = self.journal.log_turn(true)? else { return Ok(None) };
        let mut log = Log::open(self, turn)?;
        let lost = log.break_off()?;
        if lost.is_some() {
            log.remember()?;
        }
        Ok(lost)
    }

    /// Says that this store goes on where another ended: with which log, as it was signed last.
    pub fn restore(&self, other: &Journal) -> Result<(), AuditError> {
        let Pin { id: pin, seen, .. } = Pin::of(other)?;
        let last = seen.ok_or(AuditError::NeverSealed)?.to_text();
        let store = other.store_id().to_owned();
        let leaf = |ts| Leaf::Restore(Restore { store, pin, last, ts });
        self.round_with(false, true, Moment::Within, &Feed::new(), Some(leaf)).map(drop)
    }

    /// Seals what is hinted, with a leaf of its own behind it.
    pub(crate) fn with_leaf(&self, own: impl FnOnce(String) -> Leaf) -> Result<Sealed, AuditError> {
        let sealed = self.round_with(false, true, Moment::Within, &Feed::new(), Some(own))?;
        Ok(sealed.unwrap_or_default())
    }

    /// Says that an anchor could not be made.
    pub(crate) fn anchor_failed(&self, how: &'static str) -> Result<(), AuditError> {
        let leaf = |ts| Leaf::AnchorFailed(AnchorFailed { how: how.to_owned(), ts });
        self.round_with(false, true, Moment::Within, &Feed::new(), Some(leaf)).map(drop)
    }

    fn round(
        &self,
        all: bool,
        wait: bool,
        moment: Moment,
        feed: &Feed,
    ) -> Result<Option<Sealed>, AuditError> {
        self.round_with(all, wait, moment, feed, None::<fn(String) -> Leaf>)
    }

    /// A round that a leaf of its own comes with.
    fn round_with(
        &self,
        all: bool,
        wait: bool,
        moment: Moment,
        feed: &Feed,
        own: Option<impl FnOnce(String) -> Leaf>,
    ) -> Result<Option<Sealed>, AuditError> {
        let Some(turn) = self.journal.log_turn(wait)? else { return Ok(None) };
        let mut log = Log::open(self, turn)?;
        log.finish_purges()?;
        let now = self.now();
        // a clock that was set back must not stop the beat
        let since = now.saturating_sub(log.state.beat);
        let all = all || since < 0 || since >= micros(self.options.beat_time);
        let hinted = log.turn.take_hints()?;
        let targets: BTreeSet<SessionId> =
            if all { self.journal.sessions()?.into_iter().collect() } else { hinted.into_iter().collect() };
        let (mut sealed, mut heads, mut leaves) = (Sealed::default(), BTreeMap::new(), Vec::new());
        let mut lost = log.lost_heads(&targets)?;
        for session in &targets {
            let links = feed.get(session).map_or(&[][..], Vec::as_slice);
            match log.seal(session, lost.remove(session), links) {
                Ok(Some((seal, head))) => {
                    sealed.seals.push((session.clone(), seal.events));
                    heads.insert(session.clone(), head);
                    leaves.push(Leaf::Seal(seal));
                }
                Ok(None) => {}
                Err(Stuck::Session(what)) => sealed.stuck.push((session.clone(), what)),
                Err(Stuck::Failed(error)) => return Err(error),
            }
        }
        let process = |at| Process { pid: self.journal.world().pid, ts: rfc3339(at) };
        match moment {
            Moment::Within => {}
            Moment::Start => leaves.insert(0, Leaf::Start(process(now))),
            Moment::Stop => leaves.push(Leaf::Stop(process(self.now()))),
        }
        if all {
            // an event is stamped a moment before it is written
            let covers = rfc3339(now.saturating_sub(micros(SLACK)));
            let ts = rfc3339(self.now());
            leaves.push(Leaf::Beat(Beat { sessions: targets.len() as u64, covers, ts }));
            log.state.beat = now;
        }
        if let Some(own) = own {
            sealed.own = Some(log.tree.size() + leaves.len() as u64);
            leaves.push(own(rfc3339(self.now())));
        }
        log.finish(&leaves, heads)?;
        (sealed.size, sealed.root) = (log.tree.size(), hex(&log.tree.root()));
        Ok(Some(sealed))
    }
}

impl Log<'_> {
    fn append(&mut self, leaves: &[Leaf]) -> Result<(), AuditError> {
        let lines: Vec<String> = leaves.iter().map(Leaf::to_line).collect();
        let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        self.turn.append(self.state.bytes, text.as_bytes())?;
        for line in &lines {
            self.tree.push(leaf_hash(line.as_bytes()));
        }
        self.state.bytes += text.len() as u64;
        Ok(())
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint::of(&origin(self.sealer.journal.store_id()), &self.tree)
    }

    fn sign(&self, epoch_key: &Signer) -> Note {
        self.checkpoint().sign(&[&self.key, epoch_key])
    }

    /// Appends the round's leaves, signs, rotates if it is time, and remembers.
    fn finish(&mut self, leaves: &[Leaf], heads: BTreeMap<SessionId, Head>) -> Result<(), AuditError> {
        let (keys, store) = (&self.sealer.keys, self.sealer.journal.store_id());
        if !leaves.is_empty() {
            let epoch_key = keys.epoch_key(store, self.state.epoch)?;
            self.append(leaves)?;
            let note = self.sign(&epoch_key);
            self.turn.replace("checkpoint", note.to_text().as_bytes(), true)?;
            keys.remember_seen(&note)?;
            if self.is_epoch_over() {
                self.rotate(&epoch_key)?;
            }
        }
        for (session, head) in heads {
            self.turn.replace(&format!("heads/{session}"), &cache::to_bytes(&head), false)?;
        }
        self.remember()?;
        self.turn.drop_hints()?;
        Ok(())
    }

    fn remember(&mut self) -> Result<(), AuditError> {
        self.state.tree = TreeFile::from(&self.tree);
        Ok(self.turn.replace("state", &cache::to_bytes(&self.state), false)?)
    }
}
