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

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use event::SessionId;
use journal::{Journal, LogTurn};
use sha2::{Digest as _, Sha256};
use world::rfc3339;

use crate::cache::{self, Head, State, TreeFile};
use crate::error::AuditError;
use crate::head::{self, Stuck};
use crate::keyring::{Keyring, origin};
use crate::leaf::{Beat, Epoch, Export, Exported, Genesis, Leaf, Process, Seal};
use crate::note::{Checkpoint, Note};
use crate::sign::Signer;
use crate::tree::{Tree, hex, leaf_hash};

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
        self.round(false, true, Moment::Within).map(drop)
    }

    /// Seals every session now.
    pub fn seal_all(&self) -> Result<Sealed, AuditError> {
        Ok(self.round(true, true, Moment::Within)?.unwrap_or_default())
    }

    /// Seals the sessions that hints name, or all of them if nobody did for long. `None` when another process
    /// has the turn and `wait` is false.
    pub fn seal_hinted(&self, wait: bool, moment: Moment) -> Result<Option<Sealed>, AuditError> {
        self.round(false, wait, moment)
    }

    /// Seals every session and says who asks for which bundle; gives the checkpoint that covers it.
    pub(crate) fn export(&self, bundle: &str, request: String, by: String) -> Result<Vec<u8>, AuditError> {
        let leaf = |ts| Leaf::Export(Export { bundle: bundle.to_owned(), request, by, ts });
        self.round_with(true, true, Moment::Within, Some(leaf))?;
        self.journal.log_file("checkpoint")?.ok_or(AuditError::NeverSealed)
    }

    /// Says that the bundle was made.
    pub(crate) fn exported(&self, bundle: &str, manifest: String) -> Result<(), AuditError> {
        let leaf = |ts| Leaf::Exported(Exported { bundle: bundle.to_owned(), manifest, ts });
        self.round_with(false, true, Moment::Within, Some(leaf)).map(drop)
    }

    fn round(&self, all: bool, wait: bool, moment: Moment) -> Result<Option<Sealed>, AuditError> {
        self.round_with(all, wait, moment, None::<fn(String) -> Leaf>)
    }

    /// A round that a leaf of its own comes with.
    fn round_with(
        &self,
        all: bool,
        wait: bool,
        moment: Moment,
        own: Option<impl FnOnce(String) -> Leaf>,
    ) -> Result<Option<Sealed>, AuditError> {
        let Some(turn) = self.journal.log_turn(wait)? else { return Ok(None) };
        let mut log = Log::open(self, turn)?;
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
            match log.seal(session, lost.remove(session)) {
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
        leaves.extend(own.map(|own| own(rfc3339(self.now()))));
        log.finish(&leaves, heads)?;
        (sealed.size, sealed.root) = (log.tree.size(), hex(&log.tree.root()));
        Ok(Some(sealed))
    }
}

/// What is signed: the checkpoint, or an epoch's note that is ahead of it.
struct Signed {
    checkpoint: Checkpoint,
    note: Note,
    /// The epoch whose last checkpoint this is.
    closes: Option<u64>,
}

impl<'a> Log<'a> {
    fn open(sealer: &'a Sealer, turn: LogTurn) -> Result<Self, AuditError> {
        let (journal, keys) = (&sealer.journal, &sealer.keys);
        let store = journal.store_id();
        let Some(signed) = last_signed(journal)? else {
            return Self::begin(sealer, turn);
        };
        let log_key = keys.log_key(store)?;
        if signed.checkpoint.origin != origin(store) || !signed.note.is_signed_by(&log_key.verifier()) {
            let what = "its last checkpoint is not signed by the key of this store".to_owned();
            return Err(AuditError::LogDamaged { what });
        }
        check_seen(keys, &log_key, &signed.checkpoint)?;
        let known = known(journal, &signed.checkpoint)?;
        let (state, tree) = if let Some(known) = known {
            known
        } else {
            turn.forget_heads()?;
            let (state, tree) = replay(journal, &signed.checkpoint)?;
            if let Some(closed) = state.epoch.checked_sub(1).filter(|_| signed.closes.is_none()) {
                // a rotation may have got as far as the new key's first checkpoint
                keys.destroy_epoch_key(closed)?;
            }
            (state, tree)
        };
        if turn.bytes()? < state.bytes {
            return Err(AuditError::LogDamaged { what: "leaves are missing".to_owned() });
        }
        let mut log = Self { sealer, turn, key: log_key, state, tree };
        if let Some(closed) = signed.closes {
            log.change_keys(closed)?;
        }
        if keys.pin()?.is_none() {
            log.remember_pin()?;
        }
        Ok(log)
    }

    /// The log begins: keys, genesis, pin remembered, first checkpoint. Whoever did not live to sign it is
    /// known by the pin.
    fn begin(sealer: &'a Sealer, turn: LogTurn) -> Result<Self, AuditError> {
        let (journal, keys) = (&sealer.journal, &sealer.keys);
        let damaged = |what: &str| AuditError::LogDamaged { what: what.to_owned() };
        let mut lines = journal.log_lines(0)?;
        let first = lines.next()?.map(|(line, end)| (line.to_vec(), end));
        if first.is_some() && lines.next()?.is_some() {
            return Err(damaged("it has leaves and no checkpoint"));
        }
        let pin = keys.pin()?;
        let begun =
            first.filter(|(line, _)| pin.as_ref().is_some_and(|pin| *pin == hex(&Sha256::digest(line))));
        if pin.is_some() && begun.is_none() {
            return Err(damaged("it is gone, and its pin is remembered"));
        }
        let log_key = keys.make_log_key(journal.store_id())?;
        let epoch_key = keys.make_epoch_key(journal.store_id(), 0)?;
        let (boot, epoch_since) = (journal.world().boot_id.clone(), sealer.now());
        let state = State { epoch_since, boot, ..State::default() };
        let mut log = Self { sealer, turn, key: log_key, state, tree: Tree::default() };
        if let Some((line, end)) = begun {
            log.tree.push(leaf_hash(&line));
            log.state.bytes = end;
        } else {
            let genesis = log.genesis(&epoch_key)?;
            log.append(std::slice::from_ref(&genesis))?;
            keys.remember_pin(&hex(&Sha256::digest(genesis.to_line())))?;
        }
        let note = log.sign(&epoch_key);
        log.turn.replace("checkpoint", note.to_text().as_bytes(), true)?;
        Ok(log)
    }

    fn genesis(&self, epoch_key: &Signer) -> Result<Leaf, AuditError> {
        let journal = &self.sealer.journal;
        Ok(Leaf::Genesis(Genesis {
            store: journal.store_id().to_owned(),
            origin: origin(journal.store_id()),
            store_file: hex(&Sha256::digest(journal.store_file()?)),
            log_vkey: self.key.verifier().vkey(),
            epoch_vkey: epoch_key.verifier().vkey(),
            ts: rfc3339(self.sealer.now()),
        }))
    }

    /// The pin of a log that was signed with our key, and that this machine does not remember.
    fn remember_pin(&self) -> Result<(), AuditError> {
        let mut lines = self.sealer.journal.log_lines(0)?;
        let pin = lines.next()?.map(|(line, _)| hex(&Sha256::digest(line)));
        pin.map_or(Ok(()), |pin| self.sealer.keys.remember_pin(&pin))
    }

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
        self.state.tree = TreeFile::from(&self.tree);
        self.turn.replace("state", &cache::to_bytes(&self.state), false)?;
        self.turn.drop_hints()?;
        Ok(())
    }

    fn is_epoch_over(&self) -> bool {
        let (options, since) =
            (&self.sealer.options, self.sealer.now().saturating_sub(self.state.epoch_since));
        since < 0
            || since >= micros(options.epoch_time)
            || self.tree.size() - self.state.epoch_at >= options.epoch_leaves
    }

    /// The old key certifies the new one inside the tree, signs a last time and is destroyed.
    fn rotate(&mut self, old: &Signer) -> Result<(), AuditError> {
        let (keys, store) = (&self.sealer.keys, self.sealer.journal.store_id());
        let (closed, n) = (self.state.epoch, self.state.epoch + 1);
        let new = keys.make_epoch_key(store, n)?;
        let ts = rfc3339(self.sealer.now());
        self.append(&[Leaf::Epoch(Epoch { n, vkey: new.verifier().vkey(), ts })])?;
        let note = self.sign(old);
        self.turn.replace(&format!("epochs/{closed}.note"), note.to_text().as_bytes(), true)?;
        self.change_keys(closed)
    }

    /// The second half of a rotation: an interrupted one is taken up here.
    fn change_keys(&mut self, closed: u64) -> Result<(), AuditError> {
        let (keys, store) = (&self.sealer.keys, self.sealer.journal.store_id());
        let note = self.sign(&keys.epoch_key(store, closed + 1)?);
        self.turn.replace("checkpoint", note.to_text().as_bytes(), true)?;
        keys.destroy_epoch_key(closed)?;
        keys.remember_seen(&note)?;
        (self.state.epoch, self.state.epoch_at) = (closed + 1, self.tree.size());
        self.state.epoch_since = self.sealer.now();
        Ok(())
    }

    /// The last seals of those sessions whose cached head is gone: one reading of the log for all of them.
    fn lost_heads(
        &self,
        sessions: &BTreeSet<SessionId>,
    ) -> Result<BTreeMap<SessionId, (Seal, String)>, AuditError> {
        let mut lost = BTreeMap::new();
        for session in sessions {
            if self.cached(session)?.is_none() {
                lost.insert(session.clone(), None);
            }
        }
        if lost.is_empty() {
            return Ok(BTreeMap::new());
        }
        let mut lines = self.sealer.journal.log_lines(0)?;
        while let Some((line, end)) = lines.next()? {
            if end > self.state.bytes {
                break;
            }
            if let Ok(Leaf::Seal(seal)) = Leaf::parse(line)
                && let Ok(session) = SessionId::new(&seal.session)
                && let Some(found) = lost.get_mut(&session)
            {
                *found = Some((seal, hex(&leaf_hash(line))));
            }
        }
        Ok(lost.into_iter().filter_map(|(session, found)| Some((session, found?))).collect())
    }

    fn cached(&self, session: &SessionId) -> Result<Option<Head>, AuditError> {
        let bytes = self.sealer.journal.log_file(&format!("heads/{session}"))?;
        Ok(bytes.and_then(|bytes| cache::from_bytes(&bytes)))
    }

    fn seal(&self, session: &SessionId, lost: Option<(Seal, String)>) -> Result<Option<(Seal, Head)>, Stuck> {
        let journal = &self.sealer.journal;
        let known = match lost {
            Some((seal, hash)) => Some(head::again(journal, session, &seal, hash)?),
            None => self.cached(session)?,
        };
        let Some(there) = head::advance(journal, session, known.as_ref(), None)? else { return Ok(None) };
        let seal = Seal {
            session: session.to_string(),
            events: there.tree.size(),
            bytes: there.bytes,
            head: there.place.head.clone(),
            root: hex(&there.tree.root()),
            previous: known.map_or_else(|| "0".repeat(64), |head| head.previous),
            status: if there.closed { "closed" } else { "open" }.to_owned(),
            ts: rfc3339(self.sealer.now()),
        };
        let previous = hex(&leaf_hash(Leaf::Seal(seal.clone()).to_line().as_bytes()));
        let head = Head { previous, place: there.place, tree: TreeFile::from(&there.tree) };
        Ok(Some((seal, head)))
    }
}

fn parsed(bytes: &[u8]) -> Result<(Checkpoint, Note), AuditError> {
    let note = Note::parse(bytes).and_then(|note| Ok((Checkpoint::parse(&note.text)?, note)));
    note.map_err(|what| AuditError::LogDamaged { what: format!("its checkpoint is no signed note: {what}") })
}

/// The largest size that was signed; `None` if nothing was.
fn last_signed(journal: &Journal) -> Result<Option<Signed>, AuditError> {
    let mut last = match journal.log_file("checkpoint")? {
        Some(bytes) => {
            let (checkpoint, note) = parsed(&bytes)?;
            Some(Signed { checkpoint, note, closes: None })
        }
        None => None,
    };
    let epochs = journal.log_notes()?;
    let newest = epochs.iter().filter_map(|name| name.strip_suffix(".note")?.parse::<u64>().ok()).max();
    if let Some(epoch) = newest
        && let Some(bytes) = journal.log_file(&format!("epochs/{epoch}.note"))?
    {
        let (checkpoint, note) = parsed(&bytes)?;
        if last.as_ref().is_none_or(|last| last.checkpoint.size < checkpoint.size) {
            last = Some(Signed { checkpoint, note, closes: Some(epoch) });
        }
    }
    Ok(last)
}

/// A log that is behind what was signed here before is another log, or an old copy: it gets no signature.
fn check_seen(keys: &Keyring, log_key: &Signer, signed: &Checkpoint) -> Result<(), AuditError> {
    let Some(note) = keys.seen()?.filter(|note| note.is_signed_by(&log_key.verifier())) else {
        return Ok(());
    };
    let Ok(seen) = Checkpoint::parse(&note.text) else { return Ok(()) };
    let what = match seen.size.cmp(&signed.size) {
        std::cmp::Ordering::Greater => "is shorter than",
        std::cmp::Ordering::Equal if seen.root != signed.root => "is not the one of",
        _ => return Ok(()),
    };
    Err(AuditError::Behind { what, seen: seen.size })
}

/// The cached state, if it is that of the signed tree and was written in this boot.
fn known(journal: &Journal, signed: &Checkpoint) -> Result<Option<(State, Tree)>, AuditError> {
    let state = journal.log_file("state")?.and_then(|bytes| cache::from_bytes::<State>(&bytes));
    let state = state.filter(|state| state.boot == journal.world().boot_id);
    let Some(state) = state else { return Ok(None) };
    let tree = state.tree.tree().filter(|tree| tree.size() == signed.size && tree.root() == signed.root);
    Ok(tree.map(|tree| (state, tree)))
}

/// The state, read again from the leaves.
fn replay(journal: &Journal, signed: &Checkpoint) -> Result<(State, Tree), AuditError> {
    let mut state = State { boot: journal.world().boot_id.clone(), ..State::default() };
    let mut tree = Tree::default();
    let mut lines = journal.log_lines(0)?;
    while tree.size() < signed.size {
        let Some((line, end)) = lines.next()? else { break };
        tree.push(leaf_hash(line));
        state.bytes = end;
        if let Ok(Leaf::Epoch(epoch)) = Leaf::parse(line) {
            (state.epoch, state.epoch_at) = (epoch.n, tree.size());
        }
    }
    if tree.size() == signed.size && tree.root() == signed.root {
        return Ok((state, tree));
    }
    Err(AuditError::LogDamaged { what: "its leaves do not hash to the signed root".to_owned() })
}
