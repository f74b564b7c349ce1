//! The keys of a store's log, and what is remembered of it: outside the store, readable by the user alone.
//!
//! ```text
//! log.key          Ed25519, PKCS#8 PEM; signs every checkpoint
//! log.pub          the same key's public half, a vkey line and PEM
//! epoch-<n>.key    signs the checkpoints of epoch n; overwritten and removed when the epoch ends
//! pin              the pin of the store: whose log this is
//! seen             the last checkpoint that was signed here
//! ```
//! Keep the folder out of backups of the store: who has a copy of an epoch's key can rewrite that epoch.

use std::io;
use std::path::PathBuf;

use journal::{JournalError, replace_file, small_file};
use world::{Open, World};

use crate::error::AuditError;
use crate::note::Note;
use crate::sign::Signer;

const LOG_KEY: &str = "log.key";
const PIN: &str = "pin";
const SEEN: &str = "seen";

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

    fn read(&self, file: &str) -> Result<Option<String>, AuditError> {
        let bytes = small_file(&self.world, &self.folder.join(file))?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn write(&self, file: &str, text: &str, durable: bool) -> Result<(), AuditError> {
        Ok(replace_file(&self.world, &self.folder.join(file), text.as_bytes(), durable)?)
    }

    fn load(&self, name: &str, file: &str, store: &str) -> Result<Signer, AuditError> {
        let pem = self.read(file)?;
        let signer = pem.and_then(|pem| Signer::from_pem(name, &pem));
        let key = file.strip_suffix(".key").unwrap_or(file).to_owned();
        signer.ok_or_else(|| AuditError::NoKey { key, store: store.to_owned() })
    }

    /// A key as it is there, or a new one. The caller has the log's turn.
    fn load_or_make(&self, name: &str, file: &str) -> Result<Signer, AuditError> {
        if let Some(signer) = self.read(file)?.and_then(|pem| Signer::from_pem(name, &pem)) {
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
        self.write("log.pub", &format!("{}\n{}", key.vkey(), key.to_pem()), false)?;
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

    /// The remembered pin: 64 hex digits.
    pub fn pin(&self) -> Result<Option<String>, AuditError> {
        let text = self.read(PIN)?.map(|text| text.trim().to_owned());
        Ok(text.filter(|text| crate::tree::unhex(text).is_some()))
    }

    pub(crate) fn remember_pin(&self, pin: &str) -> Result<(), AuditError> {
        self.write(PIN, &format!("{pin}\n"), true)
    }

    /// The last checkpoint that was signed here. One that a crash left empty is none.
    pub fn seen(&self) -> Result<Option<Note>, AuditError> {
        Ok(self.read(SEEN)?.and_then(|text| Note::parse(text.as_bytes()).ok()))
    }

    pub(crate) fn remember_seen(&self, note: &Note) -> Result<(), AuditError> {
        self.write(SEEN, &note.to_text(), false)
    }
}
