//! A file's bytes: as processes see them, and as they would be found after the power went.
//!
//! A write dirties pages; `sync` writes the dirty ones. A crash keeps any of them and any length on the
//! way, so a page that was not written shows NULs when the length got ahead of it.

use std::collections::BTreeSet;

use super::seed::Seeded;

/// Smaller than a real page, so that small tests meet every kind of hole.
const PAGE_BYTES: usize = 512;

#[derive(Debug, Clone, Default)]
pub(super) struct FileData {
    seen: Vec<u8>,
    durable: Vec<u8>,
    /// Pages written since they were last synced.
    dirty: BTreeSet<usize>,
    /// The shortest length since the last sync: durable bytes past it may be gone already.
    floor: usize,
}

impl FileData {
    /// A file whose bytes are all durable.
    pub(super) fn durable(bytes: &[u8]) -> Self {
        Self { seen: bytes.to_vec(), durable: bytes.to_vec(), dirty: BTreeSet::new(), floor: bytes.len() }
    }

    pub(super) fn seen(&self) -> &[u8] {
        &self.seen
    }

    pub(super) fn write(&mut self, at: usize, bytes: &[u8]) {
        let end = at + bytes.len();
        if self.seen.len() < end {
            self.seen.resize(end, 0);
        }
        self.seen[at..end].copy_from_slice(bytes);
        self.dirty.extend((at..end).step_by(PAGE_BYTES).chain(end.checked_sub(1)).map(|b| b / PAGE_BYTES));
    }

    pub(super) fn set_len(&mut self, len: usize) {
        self.seen.resize(len, 0);
        self.floor = self.floor.min(len);
        self.dirty.retain(|page| page * PAGE_BYTES < len);
    }

    pub(super) fn sync(&mut self) {
        *self = Self::synced(self.cut_and_written(self.seen.len(), |_| true), std::mem::take(&mut self.seen));
    }

    fn synced(durable: Vec<u8>, seen: Vec<u8>) -> Self {
        Self { floor: seen.len(), durable, seen, dirty: BTreeSet::new() }
    }

    /// A sync failed: the kernel marks the pages clean, and nobody will ever write them.
    pub(super) fn lose_sync(&mut self) {
        self.dirty.clear();
    }

    /// The power went.
    pub(super) fn crash(&mut self, seed: &mut Seeded) {
        if self.seen == self.durable && self.dirty.is_empty() {
            return;
        }
        let (floor, len) = (self.floor.min(self.seen.len()), self.seen.len());
        let between = floor + seed.below(len - floor + 1);
        let found = match seed.below(6) {
            0 => self.durable.clone(),
            1 => self.cut_and_written(len, |_| true),
            2 => self.cut_and_written(between, |_| true),
            3 => self.cut_and_written(between, |_| seed.flip()),
            4 => self.cut_and_written(len, |_| seed.flip()),
            _ => self.overwritten(self.durable.clone(), |_| seed.flip()),
        };
        *self = Self::durable(&found);
    }

    /// The file was cut and extended, and some of its dirty pages were written.
    fn cut_and_written(&self, len: usize, page_is_kept: impl FnMut(usize) -> bool) -> Vec<u8> {
        let mut base = self.durable[..self.durable.len().min(self.floor)].to_vec();
        base.resize(len, 0);
        self.overwritten(base, page_is_kept)
    }

    fn overwritten(&self, mut base: Vec<u8>, mut page_is_kept: impl FnMut(usize) -> bool) -> Vec<u8> {
        let end = base.len().min(self.seen.len());
        for &page in &self.dirty {
            let bytes = (page * PAGE_BYTES).min(end)..((page + 1) * PAGE_BYTES).min(end);
            if page_is_kept(page) {
                base[bytes.clone()].copy_from_slice(&self.seen[bytes]);
            }
        }
        base
    }
}
