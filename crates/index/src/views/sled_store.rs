//! sled behind [`ViewStore`]: one tree, small values, our own flushes; and never trusted.
//!
//! sled reports damage by panicking, in our thread or in one of its own. It is opened on a thread of its
//! own and every call is guarded: a panic becomes an error, and the caller makes the views again.
//! `len()` is never called: it reads everything.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::store::{Direction, Each, Pair, ViewStore};
use crate::error::{Context as _, IndexError};

/// Resident memory is two and a half times this.
const CACHE_BYTES: u64 = 16 * 1024 * 1024;
/// How long a store that was closed just now may still be held: a second.
const NAP: Duration = Duration::from_millis(5);
const PATIENCE_NAPS: u32 = 200;

/// On disk.
#[derive(Debug)]
pub(crate) struct SledStore {
    path: PathBuf,
    tree: sled::Db,
}

impl SledStore {
    /// Opens or makes the store in `path`. One process at a time.
    pub(crate) fn open(path: &Path) -> Result<Self, IndexError> {
        let config = sled::Config::new()
            .path(path)
            .cache_capacity(CACHE_BYTES)
            .flush_every_ms(None)
            .mode(sled::Mode::HighThroughput);
        let opened = std::thread::Builder::new().name("views".to_owned()).spawn(move || patiently(&config));
        let opened = opened.at("start a thread for", path)?.join();
        let unusable = |what: String| IndexError::Views { path: path.to_owned(), what };
        match opened {
            Ok(Ok(tree)) => Ok(Self { path: path.to_owned(), tree }),
            Ok(Err(error)) => Err(unusable(error.to_string())),
            Err(_) => Err(unusable("opening them panicked".to_owned())),
        }
    }

    fn guarded<T>(&self, work: impl FnOnce(&sled::Db) -> sled::Result<T>) -> Result<T, IndexError> {
        let unusable = |what: String| IndexError::Views { path: self.path.clone(), what };
        match catch_unwind(AssertUnwindSafe(|| work(&self.tree))) {
            Ok(result) => result.map_err(|error| unusable(error.to_string())),
            Err(_) => Err(unusable("using them panicked".to_owned())),
        }
    }
}

/// Whoever opens holds our own lock, so a store that is still held is one that this process has just closed: sled's
/// threads let go of it a moment later.
pub(crate) fn patiently(config: &sled::Config) -> sled::Result<sled::Db> {
    for _ in 0..PATIENCE_NAPS {
        match config.open() {
            Err(sled::Error::Io(error)) if error.to_string().contains("could not acquire lock") => {
                std::thread::sleep(NAP);
            }
            opened => return opened,
        }
    }
    config.open()
}

impl ViewStore for SledStore {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, IndexError> {
        self.guarded(|tree| Ok(tree.get(key)?.map(|value| value.to_vec())))
    }

    fn put(&self, pairs: Vec<Pair>) -> Result<(), IndexError> {
        self.guarded(|tree| {
            let mut batch = sled::Batch::default();
            for (key, value) in pairs {
                batch.insert(key, value);
            }
            tree.apply_batch(batch)
        })
    }

    fn scan(&self, prefix: &[u8], direction: Direction, each: Each<'_>) -> Result<(), IndexError> {
        self.guarded(|tree| {
            let mut range = tree.scan_prefix(prefix);
            loop {
                let next = match direction {
                    Direction::Forward => range.next(),
                    Direction::Back => range.next_back(),
                };
                let Some(pair) = next else { return Ok(()) };
                let (key, value) = pair?;
                if each(&key, &value).is_break() {
                    return Ok(());
                }
            }
        })
    }

    fn flush(&self) -> Result<(), IndexError> {
        self.guarded(|tree| tree.flush().map(drop))
    }

    fn destroy(self: Box<Self>) -> Result<(), IndexError> {
        let path = self.path.clone();
        drop(self);
        std::fs::remove_dir_all(&path).at("remove", &path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_was_closed_just_now_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let held = SledStore::open(folder.path()).expect("opens");
        let closing = std::thread::spawn(move || {
            std::thread::sleep(NAP * 20);
            drop(held);
        });
        SledStore::open(folder.path()).expect("opens as soon as it is closed");
        closing.join().expect("closes");
    }
}
