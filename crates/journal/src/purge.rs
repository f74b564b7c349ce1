//! Taking a whole session away: its segments, its torn tails, and the blobs that nobody names any more.
//!
//! ```text
//! session locked, and still as it was sealed ─▶ writers warned ─▶ (intent, leaf) ─▶ last segment … first ─▶ unlocked
//! ```
//! While an intent names a session nobody appends to it, so that no event is acknowledged and then taken away.
//! From the last segment to the first, so that what a crash leaves is a shorter session and no damaged one. Who may,
//! and that it was lawful, is said in the store log by `audit`.

use std::collections::BTreeSet;

use event::SessionId;
use serde_json::Value;
use world::{DiskFile, Lock};

use crate::blobs::blob_refs;
use crate::error::{Context, JournalError};
use crate::layout::{Place, segment_of};
use crate::lock;
use crate::reader::ReadError;
use crate::store::Journal;

/// Where intents stand, under `journal/log/`: files named by their session.
pub const PURGING: &str = "purging";

/// Of as many digits as a lock file has room for.
const NO_SEGMENT: u64 = 9_999_999_999_999_999;

/// A session that is about to be taken away, under its lock.
#[derive(Debug)]
pub struct Doomed {
    journal: Journal,
    session: SessionId,
    _lock: Box<dyn DiskFile>,
}

impl Doomed {
    /// Removes what stands of the session. Its folder stays, with the lock on which others may wait.
    pub fn remove(self) -> Result<(), JournalError> {
        let (journal, session) = (&self.journal, &self.session);
        let folder = journal.layout.session(session);
        let disk = &journal.world.disk;
        let names = disk.list(&folder).at("list", &folder)?;
        for name in names.iter().rev().filter(|name| segment_of(name).is_some()) {
            let path = folder.join(name);
            disk.remove(&path).at("remove", &path)?;
            disk.sync_dir(&folder).at("sync", &folder)?;
        }
        journal.remove_torn(session)
    }
}

impl Journal {
    /// Takes a session's lock to remove it. `None` if its segments no longer have so many bytes in all.
    pub fn doom(&self, session: &SessionId, bytes: Option<u64>) -> Result<Option<Doomed>, JournalError> {
        let path = self.layout.lock(session);
        let lock = lock::open(&self.world, &path)?;
        lock::take(&self.world, &*lock, &path, Lock::Exclusive)?;
        if bytes.is_some() && bytes != Some(self.extent(session)?.bytes()) {
            return Ok(None);
        }
        // no segment: whoever remembers the tail looks again, and sees the intent
        lock::sign(&self.world, &*lock, &path, NO_SEGMENT)?;
        Ok(Some(Doomed { journal: self.clone(), session: session.clone(), _lock: lock }))
    }

    /// Whether an intent names the session.
    pub(crate) fn is_purging(&self, session: &SessionId) -> Result<bool, JournalError> {
        let path = self.log_folder().join(PURGING).join(session.as_str());
        Ok(self.world.disk.stat(&path).at("look at", &path)?.is_some())
    }

    /// Tails that were cut off the session: `<session>-<seq>-<hash>.bin`.
    fn remove_torn(&self, session: &SessionId) -> Result<(), JournalError> {
        let folder = self.layout.torn();
        let is_own = |name: &String| {
            let mut parts = name.rsplitn(3, '-').skip(2);
            parts.next() == Some(session.as_str())
        };
        for name in self.torn_files()?.iter().filter(|name| is_own(name)) {
            let path = folder.join(name);
            self.world.disk.remove(&path).at("remove", &path)?;
        }
        Ok(())
    }

    /// Removes every blob that no event names any more; gives how many.
    pub fn sweep_blobs(&self) -> Result<usize, JournalError> {
        let folder = self.layout.blobs();
        if self.world.disk.stat(&folder).at("look at", &folder)?.is_none() {
            return Ok(0);
        }
        let path = folder.join("lock");
        let file = lock::open(&self.world, &path)?;
        // whoever writes an event with a blob holds this shared from before the blob is there
        lock::take(&self.world, &*file, &path, Lock::Exclusive)?;
        let named = self.named_blobs()?;
        let mut removed = 0;
        for shelf in self.world.disk.list(&folder).at("list", &folder)? {
            let shelf = folder.join(shelf);
            if !self.world.disk.stat(&shelf).at("look at", &shelf)?.is_some_and(|stat| stat.is_dir) {
                continue;
            }
            for name in self.world.disk.list(&shelf).at("list", &shelf)? {
                // what begins with a dot was left over by a killed writer
                if !named.contains(&name) {
                    let path = shelf.join(&name);
                    self.world.disk.remove(&path).at("remove", &path)?;
                    removed += 1;
                }
            }
            self.world.disk.sync_dir(&shelf).at("sync", &shelf)?;
        }
        Ok(removed)
    }

    /// The blobs that events name. A line that cannot be read may name any: then none is removed.
    fn named_blobs(&self) -> Result<BTreeSet<String>, JournalError> {
        let mut named = BTreeSet::new();
        for session in self.sessions()? {
            let mut reader = self.read(&session, Place::default())?;
            loop {
                match reader.next() {
                    Ok(Some(entry)) => {
                        for member in
                            entry.line.members.iter().filter(|member| member.value.contains("\"b3:"))
                        {
                            let value: Value = serde_json::from_str(member.value).unwrap_or_default();
                            let hex = |blob: crate::BlobRef| blob.id.trim_start_matches("b3:").to_owned();
                            named.extend(blob_refs(&value).into_iter().map(hex));
                        }
                    }
                    Ok(None) => break,
                    Err(ReadError::Damage(finding)) => return Err(JournalError::Damaged(finding)),
                    Err(ReadError::Journal(error)) => return Err(error),
                }
            }
        }
        Ok(named)
    }
}
