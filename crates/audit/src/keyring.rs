//! The keys of a store's log, and what is remembered of it: outside the store, readable by the user alone.
//!
//! ```text
//! log.key          Ed25519, PKCS#8 PEM; signs every checkpoint
//! log.pub          the same key's public half, a vkey line and PEM
//! epoch-<n>.key    signs the checkpoints of epoch n; overwritten and removed when the epoch ends
//! pin              the pin of the store: whose log this is
//! seen             the last checkpoints that were signed here, one in each of two pages that take turns
//! ```
//! A file that is there is whole, or it is said to be damaged: never taken for one that is not there. `seen` is
//! written in place and not synced, so a crash may leave one of its pages torn, and then the other one counts.
//!
//! Keep the folder out of backups of the store: who has a copy of an epoch's key can rewrite that epoch.

use std::io;
use std::path::{Path, PathBuf};

use journal::{JournalError, replace_file, small_file};
use world::{Open, World};

use crate::error::AuditError;
use crate::note::{Checkpoint, Note};
use crate::sign::{Signer, Verifier};

const LOG_KEY: &str = "log.key";
const LOG_PUB: &str = "log.pub";
const PIN: &str = "pin";
const SEEN: &str = "seen";
/// A page of `seen`.
const PAGE_BYTES: usize = 4096;

/// The folder of a store's keys.
#[derive(Debug, Clone)]
pub struct Keyring {
    world: World,
    folder: PathBuf,
}

/// The log's name.
pub(crate) fn origin(store: &str) -> String {
    format!("recount/{store}")
}

/// The name of an epoch's key.
pub(crate) fn epoch_name(store: &str, epoch: u64) -> String {
    format!("recount/{store}/epoch/{epoch}")
}

fn epoch_file(epoch: u64) -> String {
    format!("epoch-{epoch}.key")
}

impl Keyring {
    /// The keys in a folder.
    pub fn new(world: World, folder: PathBuf) -> Self {
        Self { world, folder }
    }

    fn bytes(&self, file: &str) -> Result<Option<Vec<u8>>, AuditError> {
        Ok(small_file(&self.world, &self.folder.join(file))?)
    }

    fn read(&self, file: &str) -> Result<Option<String>, AuditError> {
        Ok(self.bytes(file)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn write(&self, file: &str, text: &str, durable: bool) -> Result<(), AuditError> {
        Ok(replace_file(&self.world, &self.folder.join(file), text.as_bytes(), durable)?)
    }

    fn damaged(&self, file: &str, what: &'static str) -> AuditError {
        AuditError::KeyFile { path: self.folder.join(file), what }
    }

    /// A key, if its file is there.
    fn find(&self, name: &str, file: &str) -> Result<Option<Signer>, AuditError> {
        let Some(pem) = self.read(file)? else { return Ok(None) };
        let signer = Signer::from_pem(name, &pem);
        signer.map(Some).ok_or_else(|| self.damaged(file, "it is not an Ed25519 key in PKCS#8 PEM"))
    }

    fn load(&self, name: &str, file: &str, store: &str) -> Result<Signer, AuditError> {
        let key = file.strip_suffix(".key").unwrap_or(file).to_owned();
        self.find(name, file)?.ok_or_else(|| AuditError::NoKey { key, store: store.to_owned() })
    }

    /// A key as it is there, or a new one. The caller has the log's turn.
    fn load_or_make(&self, name: &str, file: &str) -> Result<Signer, AuditError> {
        if let Some(signer) = self.find(name, file)? {
            return Ok(signer);
        }
        let mut seed = [0; 32];
        self.world.chance.fill(&mut seed).map_err(|source| AuditError::Chance { source })?;
        if seed == [0; 32] {
            let weak = io::Error::other("the system's randomness gave only zeros");
            return Err(AuditError::Chance { source: weak });
        }
        let signer = Signer::new(name, &seed);
        self.write(file, &signer.to_pem(), true)?;
        Ok(signer)
    }

    /// The log's key, for who signs with it for want of their own.
    pub fn hand(&self, store: &str) -> Result<Signer, AuditError> {
        self.log_key(store)
    }

    /// The log's key.
    pub(crate) fn log_key(&self, store: &str) -> Result<Signer, AuditError> {
        self.load(&origin(store), LOG_KEY, store)
    }

    /// The log's key, made if it is not there.
    pub(crate) fn make_log_key(&self, store: &str) -> Result<Signer, AuditError> {
        let signer = self.load_or_make(&origin(store), LOG_KEY)?;
        let key = signer.verifier();
        self.write(LOG_PUB, &public_text(&key), true)?;
        Ok(signer)
    }

    /// The key of an epoch.
    pub(crate) fn epoch_key(&self, store: &str, epoch: u64) -> Result<Signer, AuditError> {
        self.load(&epoch_name(store, epoch), &epoch_file(epoch), store)
    }

    /// The key of an epoch that is about to begin; one that an interrupted rotation left is as good.
    pub(crate) fn make_epoch_key(&self, store: &str, epoch: u64) -> Result<Signer, AuditError> {
        self.load_or_make(&epoch_name(store, epoch), &epoch_file(epoch))
    }

    /// Overwrites and removes the key of an epoch that has ended.
    pub(crate) fn destroy_epoch_key(&self, epoch: u64) -> Result<(), AuditError> {
        let path = self.folder.join(epoch_file(epoch));
        let disk = |doing, source| JournalError::Disk { doing, path: path.clone(), source };
        let file = match self.world.disk.open(&path, Open::Update) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened.map_err(|e| disk("open", e))?,
        };
        let len = file.stat().map_err(|e| disk("look at", e))?.len;
        let zeros = vec![0; usize::try_from(len.min(4096)).unwrap_or(0)];
        file.write_at(&zeros, 0).and_then(|()| file.sync()).map_err(|e| disk("overwrite", e))?;
        self.world.disk.remove(&path).map_err(|e| disk("remove", e))?;
        self.world.disk.sync_dir(&self.folder).map_err(|e| disk("sync", e))?;
        Ok(())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The key of the log, for showing what it is, if it is here.
    pub(crate) fn find_log_key(&self, store: &str) -> Result<Option<Signer>, AuditError> {
        self.find(&origin(store), LOG_KEY)
    }

    /// The key of an epoch, if it is here.
    pub(crate) fn find_epoch_key(&self, store: &str, epoch: u64) -> Result<Option<Signer>, AuditError> {
        self.find(&epoch_name(store, epoch), &epoch_file(epoch))
    }

    /// The public half of the log's key as its file has it.
    pub(crate) fn public_key(&self) -> Result<Option<Verifier>, AuditError> {
        let Some(text) = self.read(LOG_PUB)? else { return Ok(None) };
        let key = text.lines().next().and_then(Verifier::parse).filter(|key| public_text(key) == text);
        key.map(Some)
            .ok_or_else(|| self.damaged(LOG_PUB, "it is not a vkey line and the PEM of the same key"))
    }

    /// The remembered pin: 64 hex digits.
    pub fn pin(&self) -> Result<Option<String>, AuditError> {
        let Some(text) = self.read(PIN)? else { return Ok(None) };
        let pin = text.strip_suffix('\n').unwrap_or(&text);
        let good = crate::tree::unhex(pin).is_some();
        if good { Ok(Some(pin.to_owned())) } else { Err(self.damaged(PIN, "it is not 64 hex digits")) }
    }

    pub(crate) fn remember_pin(&self, pin: &str) -> Result<(), AuditError> {
        self.write(PIN, &format!("{pin}\n"), true)
    }

    /// The last checkpoint that was signed here.
    pub fn seen(&self) -> Result<Option<Note>, AuditError> {
        let Some(bytes) = self.bytes(SEEN)? else { return Ok(None) };
        let newest = pages(&bytes).into_iter().flatten().max_by_key(|(_, checkpoint)| checkpoint.size);
        newest.map(|(note, _)| Some(note)).ok_or_else(|| self.damaged(SEEN, "it has no checkpoint"))
    }

    /// True when a crash, or somebody, left one of the two pages unreadable: what was signed last may not be known.
    pub fn is_seen_torn(&self) -> Result<bool, AuditError> {
        let bytes = self.bytes(SEEN)?.filter(|bytes| bytes.len() == 2 * PAGE_BYTES);
        Ok(bytes.is_some_and(|bytes| pages(&bytes).iter().any(Option::is_none)))
    }

    /// Remembers a checkpoint over the older of the two that are remembered.
    pub(crate) fn remember_seen(&self, note: &Note) -> Result<(), AuditError> {
        // padding counts characters, pages bytes
        let text = note.to_text();
        let width = (PAGE_BYTES - 1) - (text.len() - text.chars().count());
        let page = format!("{text:<width$}\n");
        let known = self.bytes(SEEN)?.filter(|bytes| bytes.len() == 2 * PAGE_BYTES);
        let Some(known) = known else {
            // the first time, or as an earlier build wrote it
            return self.write(SEEN, &page.repeat(2), true);
        };
        let sizes = pages(&known).map(|page| page.map(|(_, checkpoint)| checkpoint.size));
        let at = if sizes[0] <= sizes[1] { 0 } else { PAGE_BYTES as u64 };
        let path = self.folder.join(SEEN);
        let disk = |doing, source| JournalError::Disk { doing, path: path.clone(), source };
        let file = self.world.disk.open(&path, Open::Update).map_err(|e| disk("open", e))?;
        Ok(file.write_at(page.as_bytes(), at).map_err(|e| disk("write", e))?)
    }

    /// Writes the public half of the log's key anew if it is not there or not its own.
    pub(crate) fn mend_public_key(&self, key: &Signer) -> Result<bool, AuditError> {
        let good = matches!(self.public_key(), Ok(Some(public)) if public == key.verifier());
        if !good {
            self.write(LOG_PUB, &public_text(&key.verifier()), true)?;
        }
        Ok(!good)
    }

    /// Forgets what was seen, for who remembers it anew.
    pub(crate) fn forget_seen(&self) -> Result<(), AuditError> {
        let path = self.folder.join(SEEN);
        match self.world.disk.remove(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => Ok(removed.map_err(|source| JournalError::Disk { doing: "remove", path, source })?),
        }
    }
}

fn public_text(key: &Verifier) -> String {
    format!("{}\n{}", key.vkey(), key.to_pem())
}

/// The checkpoints in the pages of `seen`. A file without pages has one.
fn pages(bytes: &[u8]) -> [Option<(Note, Checkpoint)>; 2] {
    let page = |page: &[u8]| {
        let end = page.iter().rposition(|byte| !matches!(byte, b'\n' | b' '))?;
        let note = Note::parse(&[&page[..=end], b"\n"].concat()).ok()?;
        let checkpoint = Checkpoint::parse(&note.text).ok()?;
        Some((note, checkpoint))
    };
    match bytes.split_at_checked(PAGE_BYTES) {
        Some((one, two)) if two.len() == PAGE_BYTES => [page(one), page(two)],
        _ => [page(bytes), None],
    }
}
