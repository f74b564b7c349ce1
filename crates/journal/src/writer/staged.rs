//! Appending in batches: an event finds its place at once, under the session's lock, and reaches the disk with
//! those behind it in one write.
//!
//! - nothing that is staged is stored: its receipt says where it is going to stand, and only [`Writer::flush`] says
//!   that it does; whoever acknowledges waits for that, and for the sync
//! - a batch is short, in events, bytes and time, for others wait for the lock meanwhile: whoever stages asks
//!   [`Writer::is_due`], and flushes before waiting for anything
//! - whatever else a writer does, it flushes first; dropping it flushes too

use redact::Clean;
use world::DiskFile;

use super::{End, Receipt, Writer};
use crate::error::JournalError;
use crate::prepare::prepare;

const MOST_EVENTS: usize = 64;
const MOST_BYTES: usize = 256 * 1024;
const LONGEST_US: i64 = 2_000;

/// Lines that wait for their one write.
#[derive(Debug)]
pub(super) struct Staged {
    bytes: Vec<u8>,
    events: usize,
    /// When the lock was taken.
    since: i64,
    /// The end of the session with all of them.
    end: End,
    /// Held from before the session's lock until the events are written that name new blobs.
    _blobs: Option<Box<dyn DiskFile>>,
}

impl Writer {
    /// Gives an event its place; the session's lock is held until [`Writer::flush`] has written it.
    pub fn stage(&mut self, clean: &Clean) -> Result<Receipt, JournalError> {
        if self.poisoned {
            return Err(self.poisoned_error());
        }
        let (prepared, blobs) = prepare(std::slice::from_ref(clean));
        if !blobs.is_empty() {
            // their lock comes before the session's, which is never held for a sync
            self.flush()?;
        }
        let blobs = self.write_blobs(&blobs)?;
        let mut staged = match self.staged.take() {
            Some(staged) => staged,
            None => self.begin_batch(blobs)?,
        };
        let receipts = self.encode(&mut staged.end, &prepared, None, &mut staged.bytes);
        staged.events += 1;
        self.staged = Some(staged);
        receipts?.pop().ok_or_else(|| self.poisoned_error())
    }

    /// True when what is staged should be written before more is.
    pub fn is_due(&self) -> bool {
        let Some(staged) = &self.staged else { return false };
        let held = self.journal.world.clock.now().saturating_sub(staged.since);
        let full = staged.end.len >= self.journal.options.segment_bytes;
        full || staged.events >= MOST_EVENTS || staged.bytes.len() >= MOST_BYTES || held >= LONGEST_US
    }

    /// Writes what is staged: all of it, or none and an error.
    pub fn flush(&mut self) -> Result<(), JournalError> {
        let Some(staged) = self.staged.take() else { return Ok(()) };
        let written = if staged.bytes.is_empty() { Ok(()) } else { self.put(&staged.bytes, staged.end) };
        self.give_lock_back();
        written
    }

    fn begin_batch(&mut self, blobs: Option<Box<dyn DiskFile>>) -> Result<Staged, JournalError> {
        self.take_lock()?;
        let begun = self.end_to_write_at();
        let Ok(end) = begun else {
            self.give_lock_back();
            return Err(begun.err().unwrap_or_else(|| self.poisoned_error()));
        };
        let since = self.journal.world.clock.now();
        Ok(Staged { bytes: Vec::new(), events: 0, since, end, _blobs: blobs })
    }

    fn end_to_write_at(&mut self) -> Result<End, JournalError> {
        if let Some(recovered) = self.find_tail()? {
            self.write_lines(&[], Some(&recovered))?;
        }
        self.roll_if_full()?;
        self.tail.as_ref().map(|tail| tail.end.clone()).ok_or_else(|| self.poisoned_error())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // who wants to know whether it went well flushes
        let _ = self.flush();
    }
}
