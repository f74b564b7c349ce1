//! The store log's files: leaves as lines, and the small files beside them. What they mean is `audit`'s.
//!
//! ```text
//! journal/log/entries.ndjson    a leaf a line, only appended to; bytes behind the signed size may be cut
//! journal/log/checkpoint        the last signed size and root, replaced as a whole
//! journal/log/epochs/<n>.note   the last checkpoint of each closed epoch, kept for ever
//! journal/log/witnessed         the last checkpoint that witnesses cosigned
//! journal/log/anchors/          checkpoints that were stamped, and the stamps
//! journal/log/heads/<session>   caches: where sealing goes on
//! journal/log/state             a cache: the log's own tree
//! journal/log/unsealed          hints: who appended to which session since the last seal
//! journal/log/lock              flock: one sealer at a time
//! ```
//! Write path: lock → leaves (one write, synced) → checkpoint (aside, synced, renamed, folder synced) → caches.

use std::path::{Path, PathBuf};

use event::SessionId;
use world::{DiskFile, Lock, Open, World};

use crate::error::{Context, JournalError};
use crate::layout::Extent;
use crate::lock;
use crate::recover;
use crate::store::{Journal, read_file, write_new};

/// The longest leaf, in bytes.
pub const MAX_LEAF_BYTES: usize = 65_535;
/// The largest small file that is read.
const MAX_SMALL_BYTES: usize = 1024 * 1024;
/// Hints beyond this are not written: somebody cannot seal, and a full look finds the sessions anyway.
const MAX_HINT_BYTES: u64 = 64 * 1024;
const ENTRIES: &str = "entries.ndjson";
const HINTS: &str = "unsealed";
const HINTS_TAKEN: &str = "unsealed.taken";
const CHUNK_BYTES: usize = 64 * 1024;

/// Leaves of the store log, one after the other.
#[derive(Debug)]
pub struct LogLines {
    file: Option<Box<dyn DiskFile>>,
    path: PathBuf,
    buffer: Vec<u8>,
    taken: usize,
    offset: u64,
}

/// The only writer of the store log, until it is dropped.
#[derive(Debug)]
pub struct LogTurn {
    world: World,
    folder: PathBuf,
    journal: Journal,
    _lock: Box<dyn DiskFile>,
}

impl Journal {
    pub(crate) fn log_folder(&self) -> PathBuf {
        self.layout.journal.join("log")
    }

    /// The leaves from a byte offset on; none if there is no log.
    pub fn log_lines(&self, from: u64) -> Result<LogLines, JournalError> {
        let path = self.log_folder().join(ENTRIES);
        let file = match self.world.disk.open(&path, Open::Read) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
            opened => Some(opened.at("open", &path)?),
        };
        Ok(LogLines { file, path, buffer: Vec::new(), taken: 0, offset: from })
    }

    /// True when the store has a log.
    pub fn has_log(&self) -> Result<bool, JournalError> {
        let path = self.log_folder().join(ENTRIES);
        Ok(self.world.disk.stat(&path).at("look at", &path)?.is_some())
    }

    /// A small file of the log, by its name under `journal/log/`.
    pub fn log_file(&self, name: &str) -> Result<Option<Vec<u8>>, JournalError> {
        small_file(&self.world, &self.log_folder().join(name))
    }

    /// The names in a folder of the log.
    pub fn log_files(&self, folder: &str) -> Result<Vec<String>, JournalError> {
        let path = self.log_folder().join(folder);
        self.world.disk.list(&path).at("list", &path)
    }

    /// The names of the epoch notes.
    pub fn log_notes(&self) -> Result<Vec<String>, JournalError> {
        let path = self.log_folder().join("epochs");
        self.world.disk.list(&path).at("list", &path)
    }

    /// The bytes of `STORE`.
    pub fn store_file(&self) -> Result<Vec<u8>, JournalError> {
        read_file(&self.world, &self.layout.store_file(), MAX_SMALL_BYTES)
    }

    /// Takes the turn to write the log: waits for it, or gives `None` at once if somebody else has it.
    pub fn log_turn(&self, wait: bool) -> Result<Option<LogTurn>, JournalError> {
        let folder = self.log_folder();
        let epochs = folder.join("epochs");
        self.world.disk.create_dir_all(&epochs).at("make", &epochs)?;
        let path = folder.join("lock");
        let file = lock::open(&self.world, &path)?;
        if wait {
            lock::take(&self.world, &*file, &path, Lock::Exclusive)?;
        } else if !file.try_lock(Lock::Exclusive).at("lock", &path)? {
            return Ok(None);
        }
        lock::sign(&self.world, &*file, &path, 0)?;
        Ok(Some(LogTurn { world: self.world.clone(), folder, journal: self.clone(), _lock: file }))
    }

    /// Says that a session has events that no seal counts; for whoever seals next.
    pub fn hint_unsealed(&self, session: &SessionId) -> Result<(), JournalError> {
        let path = self.log_folder().join(HINTS);
        let open = || self.world.disk.open(&path, Open::Append);
        let file = match open() {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                let folder = self.log_folder();
                self.world.disk.create_dir_all(&folder).at("make", &folder)?;
                open()
            }
            opened => opened,
        };
        let file = file.at("open", &path)?;
        if file.stat().at("look at", &path)?.len > MAX_HINT_BYTES {
            return Ok(());
        }
        let line = format!("{} {session}\n", self.world.clock.now());
        file.append(line.as_bytes()).at("append to", &path).map(drop)
    }

    /// The hints: when, and which session. Lines that are none are passed over.
    pub fn hints(&self) -> Result<Vec<(i64, SessionId)>, JournalError> {
        let mut hints = Vec::new();
        for name in [HINTS_TAKEN, HINTS] {
            let text = self.log_file(name)?.unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let hint = |line: &str| {
                let (time, session) = line.split_once(' ')?;
                Some((time.parse().ok()?, SessionId::new(session).ok()?))
            };
            hints.extend(text.lines().filter_map(hint));
        }
        Ok(hints)
    }

    /// What stands of a session now and can no longer be taken back: no write is under way in it, and it is
    /// on the disk. A torn tail is not cut; reading ends before it.
    pub fn settle(&self, session: &SessionId) -> Result<Extent, JournalError> {
        let path = self.layout.lock(session);
        let lock = match self.world.disk.open(&path, Open::Read) {
            // no lock file: nobody writes
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
            opened => Some(opened.at("open", &path)?),
        };
        if let Some(file) = &lock {
            lock::take(&self.world, &**file, &path, Lock::Shared)?;
        }
        let extent = self.extent(session)?;
        if let Some(file) = &lock {
            file.unlock().at("unlock", &path)?;
        }
        let Some(last) = extent.segments.last() else { return Ok(extent) };
        let segment = self.layout.segment(session, last.first);
        let file = match self.world.disk.open(&segment, Open::Read) {
            // only synced segments are compressed
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(extent),
            opened => opened.at("open", &segment)?,
        };
        let synced = file.sync().at("sync", &segment);
        if synced.is_err()
            && let Some(file) = &lock
        {
            lock::take(&self.world, &**file, &path, Lock::Exclusive)?;
            let _ = recover::write_again(&self.world, &segment);
        }
        synced.map(|()| extent)
    }
}

impl LogLines {
    /// The next leaf and the offset behind it; `None` before an unfinished line or at the end.
    #[allow(clippy::should_implement_trait)] // the item borrows the reader
    pub fn next(&mut self) -> Result<Option<(&[u8], u64)>, JournalError> {
        loop {
            let rest = &self.buffer[self.taken..];
            if let Some(len) = memchr::memchr(b'\n', rest) {
                let from = self.taken;
                self.taken += len + 1;
                self.offset += len as u64 + 1;
                return Ok(Some((&self.buffer[from..from + len], self.offset)));
            }
            // what is longer is no leaf: reading ends, and whoever counts leaves finds too few
            if rest.len() > MAX_LEAF_BYTES || self.fill()? == 0 {
                return Ok(None);
            }
        }
    }

    fn fill(&mut self) -> Result<usize, JournalError> {
        let Some(file) = &self.file else { return Ok(0) };
        self.buffer.drain(..self.taken);
        self.taken = 0;
        let len = self.buffer.len();
        self.buffer.resize(len + CHUNK_BYTES, 0);
        let read = file.read_at(&mut self.buffer[len..], self.offset + len as u64);
        self.buffer.truncate(len + *read.as_ref().unwrap_or(&0));
        read.at("read", &self.path)
    }
}

impl LogTurn {
    /// Appends lines behind the first `at` bytes, which stay; what is behind them was never signed and goes.
    pub fn append(&self, at: u64, lines: &[u8]) -> Result<(), JournalError> {
        let path = self.folder.join(ENTRIES);
        let file = self.world.disk.open(&path, Open::Append).at("open", &path)?;
        if file.stat().at("look at", &path)?.len > at {
            self.world.disk.open(&path, Open::Update).at("open", &path)?.set_len(at).at("cut", &path)?;
        }
        if at == 0 {
            self.world.disk.sync_dir(&self.folder).at("sync", &self.folder)?;
            self.journal.sync_names_of(&self.folder)?;
        }
        let written = file.append(lines).at("append to", &path)?;
        if written < lines.len() {
            let short = std::io::Error::new(std::io::ErrorKind::WriteZero, "the disk took only a part");
            return Err(short).at("append to", &path);
        }
        file.sync().at("sync", &path)
    }

    /// Length of the leaves' file.
    pub fn bytes(&self) -> Result<u64, JournalError> {
        let path = self.folder.join(ENTRIES);
        Ok(self.world.disk.stat(&path).at("look at", &path)?.map_or(0, |stat| stat.len))
    }

    /// Replaces a small file as a whole; `durable` says that it must outlive a crash of the machine.
    pub fn replace(&self, name: &str, bytes: &[u8], durable: bool) -> Result<(), JournalError> {
        replace_file(&self.world, &self.folder.join(name), bytes, durable)
    }

    /// Removes a small file, if it is there.
    pub fn remove(&self, name: &str) -> Result<(), JournalError> {
        let path = self.folder.join(name);
        match self.world.disk.remove(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
            removed => removed.at("remove", &path),
        }
    }

    /// The names in a folder of the log.
    pub fn list(&self, folder: &str) -> Result<Vec<String>, JournalError> {
        let path = self.folder.join(folder);
        self.world.disk.list(&path).at("list", &path)
    }

    /// Forgets every cache of a session's head.
    pub fn forget_heads(&self) -> Result<(), JournalError> {
        let folder = self.folder.join("heads");
        for name in self.world.disk.list(&folder).at("list", &folder)? {
            self.remove(&format!("heads/{name}"))?;
        }
        Ok(())
    }

    /// Takes the hints, for [`LogTurn::drop_hints`] when they are done with. A hint that comes in at just this
    /// moment may be lost: the next full look finds its session.
    pub fn take_hints(&self) -> Result<Vec<SessionId>, JournalError> {
        // what an earlier sealer took and did not live to seal stands first
        let hints = self.journal.hints()?;
        let (from, to) = (self.folder.join(HINTS), self.folder.join(HINTS_TAKEN));
        let renamed = self.world.disk.rename(&from, &to);
        match renamed {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            other => other.at("rename", &from)?,
        }
        Ok(hints.into_iter().map(|(_, session)| session).collect())
    }

    /// Forgets the hints that were taken.
    pub fn drop_hints(&self) -> Result<(), JournalError> {
        self.remove(HINTS_TAKEN)
    }
}

/// A small file as a whole, or `None`.
pub fn small_file(world: &World, path: &Path) -> Result<Option<Vec<u8>>, JournalError> {
    match world.disk.stat(path).at("look at", path)? {
        Some(stat) if !stat.is_dir => read_file(world, path, MAX_SMALL_BYTES).map(Some),
        _ => Ok(None),
    }
}

/// Writes a file aside and renames it into place: nobody sees half of it.
pub fn replace_file(world: &World, path: &Path, bytes: &[u8], durable: bool) -> Result<(), JournalError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    world.disk.create_dir_all(folder).at("make", folder)?;
    let aside = path.with_extension("new");
    let left = world.disk.stat(&aside).at("look at", &aside)?;
    if left.is_some() {
        world.disk.remove(&aside).at("remove", &aside)?;
    }
    if durable {
        write_new(world, &aside, bytes)?;
    } else {
        let file = world.disk.open(&aside, Open::CreateNew).at("make", &aside)?;
        if file.append(bytes).at("write", &aside)? < bytes.len() {
            return Err(std::io::Error::from(std::io::ErrorKind::WriteZero)).at("write", &aside);
        }
    }
    world.disk.rename(&aside, path).at("replace", path)?;
    if durable {
        world.disk.sync_dir(folder).at("sync", folder)?;
    }
    Ok(())
}
