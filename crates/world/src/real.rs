//! The world as it is: std's files, the system clock, the system's randomness.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::disk::{Disk, DiskFile, Lock, Open, Stat};
use crate::{Chance, Clock, Instant};

/// Files and folders of this machine. New ones are private to the user.
#[derive(Debug, Clone, Copy)]
pub struct RealDisk;

/// The system clock.
#[derive(Debug, Clone, Copy)]
pub struct RealClock;

/// The system's randomness.
#[derive(Debug, Clone, Copy)]
pub struct RealChance;

#[derive(Debug)]
struct RealFile(File);

/// The boot id, or a constant where the system has none (then every crash looks like a process crash).
pub(crate) fn boot_id() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .map_or_else(|_| "unknown".to_owned(), |id| id.trim().to_owned())
}

fn stat_of(meta: &fs::Metadata) -> Stat {
    Stat { len: meta.len(), inode: meta.ino(), is_dir: meta.is_dir() }
}

impl Disk for RealDisk {
    fn open(&self, path: &Path, how: Open) -> io::Result<Box<dyn DiskFile>> {
        let mut options = OpenOptions::new();
        options.read(true).mode(0o600);
        match how {
            Open::Read => &mut options,
            Open::Append => options.append(true).create(true),
            Open::Update => options.write(true),
            Open::CreateNew => options.append(true).create_new(true),
        };
        Ok(Box::new(RealFile(options.open(path)?)))
    }

    fn stat(&self, path: &Path) -> io::Result<Option<Stat>> {
        match fs::symlink_metadata(path) {
            Ok(meta) => Ok(Some(stat_of(&meta))),
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(e),
        };
        let mut names = Vec::new();
        for entry in entries {
            // a name that is not UTF-8 is none of ours
            names.extend(entry?.file_name().into_string().ok());
        }
        names.sort_unstable();
        Ok(names)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }
}

impl DiskFile for RealFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }

    fn append(&self, bytes: &[u8]) -> io::Result<usize> {
        (&self.0).write(bytes)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.0.write_all_at(bytes, offset)
    }

    fn stat(&self) -> io::Result<Stat> {
        self.0.metadata().map(|meta| stat_of(&meta))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn try_lock(&self, lock: Lock) -> io::Result<bool> {
        let taken = match lock {
            Lock::Shared => self.0.try_lock_shared(),
            Lock::Exclusive => self.0.try_lock(),
        };
        match taken {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(e)) => Err(e),
        }
    }

    fn unlock(&self) -> io::Result<()> {
        self.0.unlock()
    }
}

impl Clock for RealClock {
    fn now(&self) -> Instant {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

impl Chance for RealChance {
    fn fill(&self, buffer: &mut [u8]) -> io::Result<()> {
        getrandom::fill(buffer).map_err(|e| io::Error::other(e.to_string()))
    }
}
