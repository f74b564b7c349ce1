//! Compressing rolled segments, and restoring them.
//!
//! ```text
//! pack     lines ─▶ <name>.ndjson.zst.new (synced) ─▶ lock ─▶ compared with the lines ─▶ renamed, folder synced
//!          ─▶ lines unlinked, folder synced
//! restore  (under the lock) frames ─▶ <name>.ndjson.new (synced) ─▶ renamed, folder synced ─▶ .zst unlinked, folder synced
//! ```
//! While both are there the lines count, so a crash between any two steps loses nothing and changes nothing.
//! Who is writing waits for the comparison, not for the compression.

use std::path::{Path, PathBuf};

use event::SessionId;
use world::{DiskFile, Lock, Open};

use crate::error::{Context, JournalError};
use crate::frames::{self, FRAME_BYTES};
use crate::layout::Shape;
use crate::lock;
use crate::segment::Segment;
use crate::store::Journal;

/// What packing a segment did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packed {
    /// The segment, by its first sequence.
    pub first: u64,
    /// Bytes of its lines.
    pub bytes: u64,
    /// Bytes of its frames.
    pub packed_bytes: u64,
}

impl Journal {
    /// The segments of a session that stand as lines and that another follows, each with the first sequence
    /// of the next: what may be compressed.
    pub fn rolled(&self, session: &SessionId) -> Result<Vec<(u64, u64)>, JournalError> {
        let names = self.segments(session)?;
        let rolled = names.windows(2).filter(|pair| pair[0].1 == Shape::Lines);
        Ok(rolled.map(|pair| (pair[0].0, pair[1].0)).collect())
    }

    /// Compresses a rolled segment. `None` if it is none, is compressed already, is just being erased from, or
    /// changed while it was compressed.
    pub fn pack_segment(&self, session: &SessionId, first: u64) -> Result<Option<Packed>, JournalError> {
        let rolled = self.rolled(session)?;
        if !rolled.iter().any(|(known, _)| *known == first) || self.is_erasing(session)? {
            return Ok(None);
        }
        let lines = self.layout.segment_as(session, first, Shape::Lines);
        let packed = self.layout.segment_as(session, first, Shape::Packed);
        let aside = aside(&packed);
        let done = self.pack_aside(&lines, &aside)?;
        let path = self.layout.lock(session);
        let held = lock::open(&self.world, &path)?;
        lock::take(&self.world, &*held, &path, Lock::Exclusive)?;
        if self.is_erasing(session)? || !self.is_same(&lines, &aside)? {
            self.remove_if_there(&aside)?;
            return Ok(None);
        }
        self.swap(session, (&aside, &packed), &lines)?;
        Ok(Some(Packed { first, bytes: done.0, packed_bytes: done.1 }))
    }

    /// Makes the lines of a compressed segment stand as lines again. The caller holds the session's lock, or
    /// nobody else is there. True if there was something to restore.
    pub fn restore_segment(&self, session: &SessionId, first: u64) -> Result<bool, JournalError> {
        let lines = self.layout.segment_as(session, first, Shape::Lines);
        let packed = self.layout.segment_as(session, first, Shape::Packed);
        if self.world.disk.stat(&packed).at("look at", &packed)?.is_none() {
            return Ok(false);
        }
        if self.world.disk.stat(&lines).at("look at", &lines)?.is_some() {
            // the lines count: the other one is what an interrupted packing or restoring left
            self.remove_if_there(&packed)?;
            self.sync_session(session)?;
            return Ok(true);
        }
        let aside = aside(&lines);
        self.remove_if_there(&aside)?;
        let Some(segment) = Segment::open(self, session, first)? else { return Ok(false) };
        let file = self.world.disk.open(&aside, Open::CreateNew).at("make", &aside)?;
        let mut buffer = vec![0; FRAME_BYTES];
        let mut at = 0;
        loop {
            let len = segment.read_full_at(&mut buffer, at)?;
            if len == 0 {
                break;
            }
            write_all(&*file, &buffer[..len], &aside)?;
            at += len as u64;
        }
        file.sync().at("sync", &aside)?;
        self.swap(session, (&aside, &lines), &packed)?;
        Ok(true)
    }

    /// The new one under its name and durable, then the old one gone.
    fn swap(&self, session: &SessionId, new: (&Path, &Path), old: &Path) -> Result<(), JournalError> {
        self.world.disk.rename(new.0, new.1).at("rename", new.0)?;
        self.sync_session(session)?;
        self.world.disk.remove(old).at("remove", old)?;
        self.sync_session(session)
    }

    fn sync_session(&self, session: &SessionId) -> Result<(), JournalError> {
        let folder = self.layout.session(session);
        self.world.disk.sync_dir(&folder).at("sync", &folder)
    }

    fn remove_if_there(&self, path: &Path) -> Result<(), JournalError> {
        match self.world.disk.remove(path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
            removed => removed.at("remove", path),
        }
    }

    /// An erasure is under way or was cut off: its offsets are of the lines.
    fn is_erasing(&self, session: &SessionId) -> Result<bool, JournalError> {
        let path = self.layout.session(session).join("erasing");
        Ok(self.world.disk.stat(&path).at("look at", &path)?.is_some())
    }

    fn pack_aside(&self, lines: &Path, aside: &Path) -> Result<(u64, u64), JournalError> {
        self.remove_if_there(aside)?;
        let from = self.world.disk.open(lines, Open::Read).at("open", lines)?;
        let to = self.world.disk.open(aside, Open::CreateNew).at("make", aside)?;
        let mut buffer = vec![0; FRAME_BYTES];
        let (mut at, mut packed_bytes) = (0, 0);
        loop {
            let len = from.read_full_at(&mut buffer, at).at("read", lines)?;
            if len == 0 {
                break;
            }
            let frame = frames::pack(&buffer[..len]).at("compress", lines)?;
            write_all(&*to, &frame, aside)?;
            (at, packed_bytes) = (at + len as u64, packed_bytes + frame.len() as u64);
        }
        to.sync().at("sync", aside)?;
        Ok((at, packed_bytes))
    }

    /// True when the frames are those of the lines as they stand now.
    fn is_same(&self, lines: &Path, aside: &Path) -> Result<bool, JournalError> {
        let from = self.world.disk.open(lines, Open::Read).at("open", lines)?;
        let packed = self.world.disk.open(aside, Open::Read).at("open", aside)?;
        let len = packed.stat().at("look at", aside)?.len;
        let frames = frames::scan(&*packed, len).at("read", aside)?;
        if frames.damage.is_some() || frames.len() != from.stat().at("look at", lines)?.len {
            return Ok(false);
        }
        let mut buffer = Vec::new();
        for frame in &frames.list {
            buffer.resize(usize::try_from(frame.len).unwrap_or(0), 0);
            let read = from.read_full_at(&mut buffer, frame.start).at("read", lines)?;
            let content = frames::unpack(&*packed, frame).at("read", aside)?;
            if content.as_deref() != Some(&buffer[..read]) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn aside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

fn write_all(file: &dyn DiskFile, bytes: &[u8], path: &Path) -> Result<(), JournalError> {
    let mut rest = bytes;
    while !rest.is_empty() {
        match file.append(rest).at("write", path)? {
            0 => return Err(std::io::Error::from(std::io::ErrorKind::WriteZero)).at("write", path),
            count => rest = &rest[count..],
        }
    }
    Ok(())
}
