//! Torn tails: what a crash may leave behind the last whole line, judged and cut by the lock holder.
//!
//! ```text
//! …whole line⏎ whole line⏎ {"v":1,"sess        an unterminated last line
//! …whole line⏎ {"v":1,…␀␀␀␀␀␀⏎                 last lines with NULs
//! …whole line⏎ ␀␀␀␀…⏎ whole line⏎              a hole, only after a crash of the machine
//! └── kept ──┘ └────── torn region ──────────┘
//! ```
//! Whole lines after a hole were never durably acknowledged: a sync would have filled the hole first.
//! A terminated last line without NULs that does not hold is *modified*, never torn.

use std::path::Path;

use event::SessionId;
use world::{DiskFile, Open, World};

use crate::error::{Context, JournalError};
use crate::layout::SegmentExtent;
use crate::lock;
use crate::store::{Journal, hex, write_new};

const CHUNK_BYTES: usize = 256 * 1024;
const FIRST_CHUNK_BYTES: usize = 4 * 1024;

/// What was cut off, for the `audit.recovered` event and for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// The session.
    pub session: SessionId,
    /// The sequence that the torn record would have had.
    pub seq: u64,
    /// Bytes cut off.
    pub bytes: u64,
    /// The file under `journal/torn/` that has them.
    pub file: String,
    /// BLAKE3 of them.
    pub digest: String,
}

/// Where the torn region of a segment begins; `None` if the segment ends in a whole line.
pub(crate) fn torn_start(
    file: &dyn DiskFile,
    len: u64,
    same_boot: bool,
    path: &Path,
) -> Result<Option<u64>, JournalError> {
    let mut start = line_start(file, len, path)?;
    while start > 0 {
        let before = line_start(file, start - 1, path)?;
        if !has_nul(file, before, start, path)? {
            break;
        }
        start = before;
    }
    if !same_boot && let Some(nul) = first_nul(file, len, path)? {
        start = start.min(line_start(file, nul, path)?);
    }
    Ok((start < len).then_some(start))
}

/// Offset behind the last LF before `end`.
fn line_start(file: &dyn DiskFile, end: u64, path: &Path) -> Result<u64, JournalError> {
    let mut end = end;
    // most lines are short, and a process that records one event pays for every page it touches
    let mut chunk = FIRST_CHUNK_BYTES;
    let mut buffer = Vec::new();
    while end > 0 {
        let len = chunk.min(usize::try_from(end).unwrap_or(chunk));
        let at = end - len as u64;
        buffer.resize(len, 0);
        let read = file.read_full_at(&mut buffer, at).at("read", path)?;
        if let Some(lf) = memchr::memrchr(b'\n', &buffer[..read]) {
            return Ok(at + lf as u64 + 1);
        }
        end = at;
        chunk = (chunk * 4).min(CHUNK_BYTES);
    }
    Ok(0)
}

/// The bytes of the last whole line before `end`, without its LF.
pub(crate) fn last_line(file: &dyn DiskFile, end: u64, path: &Path) -> Result<Vec<u8>, JournalError> {
    let start = line_start(file, end.saturating_sub(1), path)?;
    let mut bytes = vec![0; usize::try_from(end - start).unwrap_or(0)];
    let read = file.read_full_at(&mut bytes, start).at("read", path)?;
    bytes.truncate(read);
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    Ok(bytes)
}

fn has_nul(file: &dyn DiskFile, from: u64, to: u64, path: &Path) -> Result<bool, JournalError> {
    Ok(find_nul(file, from, to, path)?.is_some())
}

fn first_nul(file: &dyn DiskFile, len: u64, path: &Path) -> Result<Option<u64>, JournalError> {
    find_nul(file, 0, len, path)
}

fn find_nul(file: &dyn DiskFile, from: u64, to: u64, path: &Path) -> Result<Option<u64>, JournalError> {
    let mut buffer = vec![0; CHUNK_BYTES.min(usize::try_from(to - from).unwrap_or(CHUNK_BYTES))];
    let mut at = from;
    while at < to {
        let len = CHUNK_BYTES.min(usize::try_from(to - at).unwrap_or(CHUNK_BYTES));
        let read = file.read_full_at(&mut buffer[..len], at).at("read", path)?;
        if let Some(nul) = memchr::memchr(0, &buffer[..read]) {
            return Ok(Some(at + nul as u64));
        }
        if read == 0 {
            break;
        }
        at += read as u64;
    }
    Ok(None)
}

/// The last segment of a session and where its torn region begins, for who holds no lock; writes nothing.
pub(crate) fn torn_region(
    journal: &Journal,
    session: &SessionId,
) -> Result<Option<(SegmentExtent, u64)>, JournalError> {
    let Some(last) = journal.end(session)?.segments.last().copied() else { return Ok(None) };
    let lock = journal.world.disk.open(&journal.layout.lock(session), Open::Read);
    let same_boot = lock.map_or(true, |file| lock::names_this_boot(&journal.world, &*file));
    Ok(look(journal, session, last, same_boot)?.map(|start| (last, start)))
}

/// Looks for a torn region in the last segment of a session; writes nothing.
pub(crate) fn look(
    journal: &Journal,
    session: &SessionId,
    last: SegmentExtent,
    same_boot: bool,
) -> Result<Option<u64>, JournalError> {
    let path = journal.layout.segment(session, last.first);
    let file = match journal.world.disk.open(&path, Open::Read) {
        // only whole segments are compressed
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        opened => opened.at("open", &path)?,
    };
    torn_start(&*file, last.len, same_boot, &path)
}

/// Keeps the torn bytes aside and cuts them off. The caller holds the session's lock.
pub(crate) fn cut(
    journal: &Journal,
    session: &SessionId,
    last: SegmentExtent,
    start: u64,
    seq: u64,
) -> Result<Recovered, JournalError> {
    let path = journal.layout.segment(session, last.first);
    let file = journal.world.disk.open(&path, Open::Update).at("open", &path)?;
    let mut torn = vec![0; usize::try_from(last.len - start).unwrap_or(0)];
    let read = file.read_full_at(&mut torn, start).at("read", &path)?;
    torn.truncate(read);
    let digest = hex(blake3::hash(&torn).as_bytes());
    let name = format!("{session}-{seq}-{}.bin", &digest[..16]);
    keep_aside(&journal.world, journal, &name, &torn)?;
    file.set_len(start).at("cut", &path)?;
    sync(&journal.world, &*file, &path)?;
    Ok(Recovered { session: session.clone(), seq, bytes: torn.len() as u64, file: name, digest })
}

fn keep_aside(world: &World, journal: &Journal, name: &str, torn: &[u8]) -> Result<(), JournalError> {
    let folder = journal.layout.torn();
    let path = folder.join(name);
    world.disk.create_dir_all(&folder).at("make", &folder)?;
    match write_new(world, &path, torn) {
        // an earlier recovery got this far: the name carries the hash, so these are the same bytes, but
        // nobody knows whether they are durable
        Err(JournalError::Disk { source, .. }) if source.kind() == std::io::ErrorKind::AlreadyExists => {
            world.disk.remove(&path).at("replace", &path)?;
            write_new(world, &path, torn)?;
        }
        other => other?,
    }
    world.disk.sync_dir(&folder).at("sync", &folder)?;
    journal.sync_names_of(&folder)
}

/// Syncs a segment whose session's lock is held.
pub(crate) fn sync(world: &World, file: &dyn DiskFile, path: &Path) -> Result<(), JournalError> {
    file.sync().at("sync", path).inspect_err(|_| {
        // if this fails as well, a later sync will not lie either
        let _ = write_again(world, path);
    })
}

/// After a failed sync the kernel takes the pages for written: a later sync succeeds and leaves a hole
/// where they are. Writing the same bytes over themselves makes it write them after all.
/// The caller holds the session's lock.
pub(crate) fn write_again(world: &World, path: &Path) -> Result<(), JournalError> {
    let file = world.disk.open(path, Open::Update).at("open", path)?;
    let mut buffer = vec![0; CHUNK_BYTES];
    let mut at = 0;
    loop {
        let len = file.read_full_at(&mut buffer, at).at("read", path)?;
        if len == 0 {
            return Ok(());
        }
        file.write_at(&buffer[..len], at).at("write", path)?;
        at += len as u64;
    }
}
