//! Locks between processes: a bounded wait with jitter, then an error that says who holds it.
//!
//! flock is unfair, so waiters sleep a random while instead of queueing. The lock file is never
//! replaced and never removed. Its text (boot id, pid, first sequence of the last segment) is for people,
//! for recovery and for writers that remember a tail; it is written over in place, because cutting a file
//! to nothing makes the next writer wait for the disk.

use std::path::Path;
use std::time::Duration;

use world::{DiskFile, Lock, Open, World};

use crate::error::{Context, JournalError};

/// How long a writer waits for others.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
const FIRST_NAP_US: u64 = 20;
/// The lock is held for one write, never for a sync: longer naps only add to the slowest appends.
const LONGEST_NAP_US: u64 = 1_000;
/// Where the clock stands still, so many naps are [`PATIENCE`] at least.
const MOST_NAPS: u64 = 2 * PATIENCE.as_secs() * 1_000_000 / LONGEST_NAP_US;

/// One import at a time into a store; dropping it ends the turn.
#[derive(Debug)]
pub struct ImportTurn(#[allow(dead_code)] Box<dyn DiskFile>);

impl crate::Journal {
    /// Waits for its turn to import.
    pub fn import_turn(&self) -> Result<ImportTurn, JournalError> {
        let path = self.layout.journal.join("import.lock");
        let file = open(&self.world, &path)?;
        take(&self.world, &*file, &path, Lock::Exclusive)?;
        sign(&self.world, &*file, &path, 0)?;
        Ok(ImportTurn(file))
    }
}

/// Opens a lock file, making it if needed.
pub(crate) fn open(world: &World, path: &Path) -> Result<Box<dyn DiskFile>, JournalError> {
    match world.disk.open(path, Open::Update) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            world.disk.open(path, Open::Append).at("make", path)?;
            world.disk.open(path, Open::Update).at("open", path)
        }
        opened => opened.at("open", path),
    }
}

/// Takes the lock, or says who holds it after [`PATIENCE`].
pub(crate) fn take(world: &World, file: &dyn DiskFile, path: &Path, lock: Lock) -> Result<(), JournalError> {
    let started = world.clock.now();
    let patience = i64::try_from(PATIENCE.as_micros()).unwrap_or(i64::MAX);
    let mut nap = FIRST_NAP_US;
    let mut naps = 0;
    while !file.try_lock(lock).at("lock", path)? {
        // the clock may stand still or run backwards: naps are counted as well
        naps += 1;
        if world.clock.now().saturating_sub(started) > patience || naps > MOST_NAPS {
            return Err(JournalError::Locked { path: path.to_owned(), holder: holder(file) });
        }
        world.clock.sleep(Duration::from_micros(nap / 2 + jitter(world, nap)));
        nap = (nap * 2).min(LONGEST_NAP_US);
    }
    Ok(())
}

fn jitter(world: &World, below: u64) -> u64 {
    let mut bytes = [0; 8];
    // without randomness there is no jitter, which is unfair, not wrong
    world.chance.fill(&mut bytes).map_or(0, |()| u64::from_le_bytes(bytes) % below)
}

/// The text of a lock file: `<boot id> <pid> <segment>`.
pub(crate) fn text(file: &dyn DiskFile) -> String {
    let mut buffer = [0; 128];
    let len = file.read_full_at(&mut buffer, 0).unwrap_or(0);
    String::from_utf8_lossy(&buffer[..len]).trim().to_owned()
}

fn holder(file: &dyn DiskFile) -> String {
    match text(file).split_ascii_whitespace().nth(1) {
        Some(pid) => format!("process {pid}"),
        None => "another process".to_owned(),
    }
}

/// True when the file names the boot we are in: no machine crash since its last holder.
pub(crate) fn names_this_boot(world: &World, file: &dyn DiskFile) -> bool {
    text(file).split(' ').next() == Some(&world.boot_id)
}

/// True when the last writer to look for the tail went on in the segment that begins with `first`.
pub(crate) fn names_segment(file: &dyn DiskFile, first: u64) -> bool {
    text(file).split_ascii_whitespace().nth(2).and_then(|word| word.parse().ok()) == Some(first)
}

/// Writes who holds the lock and where the session goes on; a file that says so already is left alone.
pub(crate) fn sign(
    world: &World,
    file: &dyn DiskFile,
    path: &Path,
    segment: u64,
) -> Result<(), JournalError> {
    // always as long, so that nothing of an earlier text is left
    let mine = format!("{} {:<10} {segment:<16}", world.boot_id, world.pid);
    if text(file) == mine.trim_end() {
        return Ok(());
    }
    file.write_at(mine.as_bytes(), 0).at("sign", path)
}
