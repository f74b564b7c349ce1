//! Checking the store log: leaves against every signed root, epochs against their notes, all against the pin.
//!
//! One pass over the leaves; of each seal 88 bytes are kept for the sessions' turn.

use std::collections::{BTreeMap, BTreeSet};

use journal::Journal;
use sha2::{Digest as _, Sha256};

use crate::anchor::stamp;
use crate::basis::Basis;
use crate::error::AuditError;
use crate::holds::Holds;
use crate::keyring::{epoch_name, origin};
use crate::leaf::{BadLeaf, Erased, Genesis, Leaf, Purge, Reepoch, Restore, Seal};
use crate::note::{Checkpoint, Note};
use crate::pin::Pin;
use crate::retention::{FLOOR_DAYS, is_old_enough};
use crate::sign::Verifier;
use crate::tree::{Hash, Tree, hex, leaf_hash, unhex};
use crate::verify::Demands;
use crate::verify::finding::{
    ANCHOR_INVALID, EPOCH, FORK, Finding, LOG_INCONSISTENT, MODIFIED, RETENTION, ROLLBACK, SIGNATURE,
    UNSUPPORTED,
};

/// What a seal says, as far as its session is compared with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SealPoint {
    pub(crate) leaf: u64,
    pub(crate) events: u64,
    pub(crate) bytes: u64,
    pub(crate) head: Hash,
    pub(crate) root: Hash,
}

/// The seals of one session, and the hash of the last one's leaf.
#[derive(Debug, Clone, Default)]
struct Chain {
    seals: Vec<SealPoint>,
    last: String,
    /// When the last seal was made.
    sealed_at: String,
}

/// What the log says.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// Signed leaves.
    pub(crate) size: u64,
    /// The epoch that signs now.
    pub(crate) epoch: u64,
    /// Seals by session.
    pub(crate) seals: BTreeMap<String, Vec<SealPoint>>,
    /// When each purged session was taken away last.
    pub(crate) purged: BTreeMap<String, String>,
    /// Mirrors of orders to erase, with their leaves, by session; of its life since the last purge.
    pub(crate) erased: BTreeMap<String, Vec<(u64, Erased)>>,
    /// Every session that began before this has a seal.
    pub(crate) covers: Option<String>,
    /// True when the leaves are those that were signed.
    pub(crate) holds: bool,
    pub(crate) findings: Vec<Finding>,
    pub(crate) notes: Vec<String>,
}

/// A root that the leaves must have at some size.
struct Wanted {
    size: u64,
    root: Hash,
    code: u8,
    whose: String,
}

/// A signed file of the log.
pub(super) struct Signed {
    pub(super) whose: String,
    pub(super) note: Note,
    pub(super) checkpoint: Checkpoint,
}

pub(super) struct Pass<'a> {
    journal: &'a Journal,
    pub(super) checked: Checked,
    tree: Tree,
    pub(super) id: String,
    pub(super) genesis: Option<Genesis>,
    /// Where each epoch's leaf stands, and its key.
    pub(super) epochs: Vec<(u64, Option<Verifier>)>,
    /// Epochs whose key was lost.
    pub(super) broken_off: BTreeSet<u64>,
    chains: BTreeMap<String, Chain>,
    holds: Holds,
    last_ts: String,
}

/// What there is of a log.
pub(crate) enum Log {
    /// The store was never sealed.
    None,
    /// Its first leaf is the pinned one, and nobody lived to sign it.
    Begun,
    /// It was checked.
    Checked(Box<Checked>),
}

/// Checks the log.
pub(crate) fn check(journal: &Journal, demands: &Demands) -> Result<Log, AuditError> {
    let pin = demands.pin.as_ref();
    let mut pass = Pass {
        journal,
        checked: Checked { holds: true, ..Checked::default() },
        tree: Tree::default(),
        id: String::new(),
        genesis: None,
        epochs: Vec::new(),
        broken_off: BTreeSet::new(),
        chains: BTreeMap::new(),
        holds: Holds::default(),
        last_ts: String::new(),
    };
    let checkpoint = pass.signed("checkpoint", "the checkpoint")?;
    let notes = pass.notes()?;
    if checkpoint.is_none() && notes.is_empty() && pass.checked.findings.is_empty() {
        // a first leaf that nobody signed is what a kill may leave of a beginning
        let mut lines = journal.log_lines(0)?;
        let first = lines.next()?.map(|(line, _)| hex(&Sha256::digest(line)));
        if first.is_none() || lines.next()?.is_none() {
            let begun = pin.is_some_and(|pin| pin.seen.is_none() && first.as_ref() == Some(&pin.id));
            return Ok(if begun { Log::Begun } else { Log::None });
        }
        pass.found(SIGNATURE, "leaves and no checkpoint");
        pass.checked.holds = false;
        return Ok(Log::Checked(Box::new(pass.checked)));
    }
    if checkpoint.is_none() && pass.checked.findings.is_empty() {
        pass.found(SIGNATURE, "the checkpoint is gone");
    }
    let mut lines = journal.log_lines(0)?;
    pass.id = lines.next()?.map(|(line, _)| hex(&Sha256::digest(line))).unwrap_or_default();
    // what another log's pin saw says nothing of this one
    let own = pin.filter(|pin| pin.id == pass.id);
    let witnessed = pass.signed("witnessed", "the witnessed checkpoint")?;
    let stamped = pass.stamped()?;
    let signed: Vec<&Signed> =
        checkpoint.iter().chain(&witnessed).chain(notes.values()).chain(&stamped).collect();
    pass.leaves(&signed, own)?;
    pass.signatures(checkpoint.as_ref(), &notes, &signed);
    pass.anchors(&signed, demands);
    pass.trust(pin);
    pass.checked.epoch = (pass.epochs.len() as u64).saturating_sub(1);
    pass.checked.seals = pass.chains.into_iter().map(|(session, chain)| (session, chain.seals)).collect();
    Ok(Log::Checked(Box::new(pass.checked)))
}

impl Pass<'_> {
    pub(super) fn found(&mut self, code: u8, msg: impl Into<String>) {
        self.checked.findings.push(Finding::new(code, msg));
    }

    pub(super) fn found_at(&mut self, code: u8, leaf: u64, msg: impl Into<String>) {
        self.checked.findings.push(Finding::new(code, msg).leaf(leaf));
    }

    /// The leaves are not those that were signed: what they say of sessions proves nothing.
    fn broken(&mut self, leaf: u64, msg: impl Into<String>) {
        self.checked.holds = false;
        self.found_at(LOG_INCONSISTENT, leaf, msg);
    }

    fn signed(&mut self, name: &str, whose: &str) -> Result<Option<Signed>, AuditError> {
        let Some(bytes) = self.journal.log_file(name)? else { return Ok(None) };
        let read = Note::parse(&bytes).and_then(|note| Ok((Checkpoint::parse(&note.text)?, note)));
        match read {
            Ok((checkpoint, note)) => Ok(Some(Signed { whose: whose.to_owned(), note, checkpoint })),
            Err(what) => {
                self.found(SIGNATURE, format!("{whose} is no signed note: {what}"));
                Ok(None)
            }
        }
    }

    /// The last checkpoints of closed epochs, by their number.
    fn notes(&mut self) -> Result<BTreeMap<u64, Signed>, AuditError> {
        let names = self.journal.log_notes()?;
        let number = |name: &String| {
            let number = name.strip_suffix(".note")?;
            number.parse::<u64>().ok().filter(|n| n.to_string() == number)
        };
        let mut notes = BTreeMap::new();
        for n in names.iter().filter_map(number) {
            let note = self.signed(&format!("epochs/{n}.note"), &format!("the note of epoch {n}"))?;
            notes.extend(note.map(|note| (n, note)));
        }
        Ok(notes)
    }

    /// Checkpoints that were stamped, and whether each stamp is about its own.
    fn stamped(&mut self) -> Result<Vec<Signed>, AuditError> {
        let mut stamped = Vec::new();
        for (name, whose) in stamp::notes(self.journal)? {
            stamped.extend(self.signed(&name, &whose)?);
        }
        for stamp in stamp::stamps(self.journal)? {
            let (size, time) = (stamp.size, stamp.time.as_deref().unwrap_or("an unknown time"));
            if stamp.fits {
                self.checked
                    .notes
                    .push(format!("stamped at {time}, size {size}; --tsa-ca FILE has OpenSSL check by whom"));
            } else {
                let msg = format!("the time stamp of size {size} is about another checkpoint");
                self.checked.findings.push(Finding::new(ANCHOR_INVALID, msg));
            }
        }
        Ok(stamped)
    }

    /// Reads the leaves up to the signed size and compares every root on the way.
    fn leaves(&mut self, signed: &[&Signed], pin: Option<&Pin>) -> Result<(), AuditError> {
        let mut wanted: Vec<Wanted> = signed
            .iter()
            .map(|s| Wanted {
                size: s.checkpoint.size,
                root: s.checkpoint.root,
                code: LOG_INCONSISTENT,
                whose: s.whose.clone(),
            })
            .collect();
        let size = wanted.iter().map(|w| w.size).max().unwrap_or(0);
        let seen = pin.and_then(Pin::checkpoint);
        wanted.extend(seen.map(|seen| Wanted {
            size: seen.size,
            root: seen.root,
            code: FORK,
            whose: "the pin".to_owned(),
        }));
        wanted.sort_by_key(|w| w.size);
        let mut wanted = wanted.into_iter().peekable();
        let mut lines = self.journal.log_lines(0)?;
        let mut behind = 0;
        while let Some((line, _)) = lines.next()? {
            if self.tree.size() >= size && wanted.peek().is_none() {
                behind += 1;
                continue;
            }
            let (index, line) = (self.tree.size(), line.to_vec());
            if index < size {
                self.leaf(index, &line);
            }
            self.tree.push(leaf_hash(&line));
            while let Some(wanted) = wanted.next_if(|w| w.size == self.tree.size()) {
                self.compare(&wanted);
            }
        }
        for missing in wanted.by_ref() {
            self.missing(&missing);
        }
        self.checked.size = size.min(self.tree.size());
        if behind > 0 || self.tree.size() > size {
            self.checked
                .notes
                .push("the log goes on behind its checkpoint: a sealer was interrupted".to_owned());
        }
        Ok(())
    }

    fn compare(&mut self, wanted: &Wanted) {
        if self.tree.root() == wanted.root {
            return;
        }
        let size = wanted.size;
        if wanted.code == FORK {
            self.found(FORK, format!("the pin at size {size} is not a prefix of this log"));
        } else {
            self.broken(size, format!("the leaves before it do not hash to the root of {}", wanted.whose));
        }
    }

    fn missing(&mut self, wanted: &Wanted) {
        let there = self.tree.size();
        if wanted.code == FORK {
            self.found(ROLLBACK, format!("the pin saw size {}, the log has {there}", wanted.size));
        } else {
            self.broken(
                there,
                format!("the log has {there} leaves, {} counts {}", wanted.whose, wanted.size),
            );
        }
    }

    fn leaf(&mut self, index: u64, line: &[u8]) {
        let leaf = match Leaf::parse(line) {
            Ok(leaf) => leaf,
            Err(BadLeaf::Newer(v)) => {
                return self.found_at(UNSUPPORTED, index, format!("version {v} is newer than this build"));
            }
            Err(BadLeaf::Unknown) => {
                return self.found_at(UNSUPPORTED, index, "a kind of leaf that is newer than this build");
            }
            Err(BadLeaf::Malformed) => return self.broken(index, "not a leaf"),
        };
        if leaf.ts() < self.last_ts.as_str() {
            self.checked.notes.push(format!("log leaf {index}: the clock was set back"));
        }
        leaf.ts().clone_into(&mut self.last_ts);
        if (index == 0) != matches!(leaf, Leaf::Genesis(_)) {
            return self.broken(index, "the log begins with a genesis, and has no other");
        }
        match leaf {
            Leaf::Genesis(genesis) => self.genesis(genesis),
            Leaf::Seal(seal) => self.seal(index, &seal, line),
            Leaf::Epoch(epoch) => self.epoch(index, epoch.n, &epoch.vkey),
            Leaf::Beat(beat) => {
                self.checked.covers = self.checked.covers.take().max(Some(beat.covers));
            }
            Leaf::Reepoch(leaf) => self.reepoch(index, &leaf),
            Leaf::Restore(leaf) => self.restore(index, &leaf),
            Leaf::AnchorFailed(leaf) => {
                self.checked.notes.push(format!("log leaf {index}: anchoring by {} failed then", leaf.how));
            }
            Leaf::Start(_) | Leaf::Stop(_) | Leaf::Export(_) | Leaf::Exported(_) => {}
            Leaf::Purge(purge) => self.purge(index, purge),
            Leaf::Erased(erased) => self.erased(index, erased),
            Leaf::Hold(hold) => self.holds.take(&hold),
            Leaf::Release(hold) => self.holds.release(&hold),
        }
    }

    /// Something is erased: lawfully, and what the leaf says is compared with the session.
    fn erased(&mut self, index: u64, erased: Erased) {
        let held =
            self.holds.case_of(&erased.session).filter(|_| erased.basis != Basis::Court).map(str::to_owned);
        if let Some(case) = held {
            self.retention(index, &erased.session, format!("erased {} under hold {case}", erased.ts));
        }
        self.checked.erased.entry(erased.session.clone()).or_default().push((index, erased));
    }

    /// A session is taken away: lawfully, as a whole, and what comes later under its name begins anew.
    fn purge(&mut self, index: u64, purge: Purge) {
        let session = purge.session;
        let Some(chain) = self.chains.remove(&session) else {
            return self.broken(index, format!("it purges {session}, of which no seal is known"));
        };
        let whole = chain
            .seals
            .last()
            .is_some_and(|last| last.events == purge.events && hex(&last.head) == purge.head);
        if !whole {
            self.broken(index, format!("it does not purge {session} as it was sealed last"));
        }
        let held = self.holds.case_of(&session).filter(|_| purge.basis != Basis::Court).map(str::to_owned);
        if let Some(case) = held {
            self.retention(index, &session, format!("purged {} under hold {case}", purge.ts));
        } else if !is_old_enough(purge.basis, &chain.sealed_at, &purge.ts) {
            let msg = format!("purged {}, less than {FLOOR_DAYS} days after its last seal", purge.ts);
            self.retention(index, &session, msg);
        }
        let basis = purge.basis.word();
        self.checked.notes.push(format!("{session}: {} events purged {} ({basis})", purge.events, purge.ts));
        self.checked.erased.remove(&session);
        self.checked.purged.insert(session, purge.ts);
    }

    fn retention(&mut self, index: u64, session: &str, msg: String) {
        self.checked.findings.push(Finding::new(RETENTION, msg).at(session, None).leaf(index));
    }

    fn genesis(&mut self, genesis: Genesis) {
        let store = self.journal.store_id();
        if genesis.store != store || genesis.origin != origin(store) {
            self.broken(0, "the log is another store's");
        }
        let key = Verifier::parse(&genesis.epoch_vkey).filter(|key| key.name() == epoch_name(store, 0));
        self.epochs.push((0, key));
        let file = self.journal.store_file().map(|bytes| hex(&Sha256::digest(bytes)));
        if file.is_ok_and(|file| file != genesis.store_file) {
            self.found(MODIFIED, "journal/STORE is not what it was when the log began");
        }
        self.genesis = Some(genesis);
    }

    fn epoch(&mut self, index: u64, n: u64, vkey: &str) {
        let expected = self.epochs.len() as u64;
        if n != expected {
            self.found_at(EPOCH, index, format!("epoch {n} stands where {expected} belongs"));
        }
        let name = epoch_name(self.journal.store_id(), n);
        let key = Verifier::parse(vkey).filter(|key| key.name() == name);
        if key.is_none() {
            self.found_at(EPOCH, index, format!("epoch {n} has no key of its own"));
        }
        self.epochs.push((index, key));
    }

    /// An epoch whose key was lost: all leaves before are signed by that key, and only who comes next is vouched for
    /// by the log's key alone.
    fn reepoch(&mut self, index: u64, leaf: &Reepoch) {
        let lost = (self.epochs.len() as u64).saturating_sub(1);
        let key = self.epochs.last().and_then(|(_, key)| key.as_ref());
        let last =
            Note::parse(leaf.last.as_bytes()).and_then(|note| Ok((Checkpoint::parse(&note.text)?, note)));
        let signed = last.is_ok_and(|(checkpoint, note)| {
            (checkpoint.size, checkpoint.root) == (index, self.tree.root())
                && key.is_some_and(|key| note.is_signed_by(key))
        });
        if signed {
            let note = format!(
                "EPOCH_BROKEN: the key of epoch {lost} was lost at leaf {index}; the log's key vouches for the next"
            );
            self.checked.notes.push(note);
            self.broken_off.insert(lost);
        } else {
            self.found_at(
                EPOCH,
                index,
                format!("epoch {lost} is broken off, and not at its own last checkpoint"),
            );
        }
        self.epoch(index, leaf.n, &leaf.vkey);
    }

    /// The store goes on where another ended; that one is verified by its own pin.
    fn restore(&mut self, index: u64, leaf: &Restore) {
        let last = Note::parse(leaf.last.as_bytes()).and_then(|note| Checkpoint::parse(&note.text));
        match last {
            Ok(last) if last.origin == origin(&leaf.store) && unhex(&leaf.pin).is_some() => {
                let (store, size, pin) = (&leaf.store, last.size, &leaf.pin);
                self.checked.notes.push(format!("goes on from store {store} at size {size}, pin {pin}"));
            }
            _ => self.broken(index, "it goes on from a store that it does not name"),
        }
    }

    fn seal(&mut self, index: u64, seal: &Seal, line: &[u8]) {
        let (Some(head), Some(root)) = (unhex(&seal.head), unhex(&seal.root)) else {
            return self.broken(index, "a seal without head and root");
        };
        let chain = self.chains.entry(seal.session.clone()).or_default();
        let first = "0".repeat(64);
        let follows = seal.previous == if chain.seals.is_empty() { &first } else { &chain.last }.as_str();
        let grows = chain.seals.last().map_or(0, |last| last.events) < seal.events;
        let (events, bytes) = (seal.events, seal.bytes);
        chain.seals.push(SealPoint { leaf: index, events, bytes, head, root });
        chain.last = hex(&leaf_hash(line));
        chain.sealed_at.clone_from(&seal.ts);
        if !follows || !grows {
            self.broken(index, format!("it does not follow the seal of {} before it", seal.session));
        }
    }
}
