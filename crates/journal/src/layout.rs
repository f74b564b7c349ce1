//! Where things are: file names, and places in a session.

use std::path::{Path, PathBuf};

use event::SessionId;
use serde::{Deserialize, Serialize};

/// Where to go on reading a session. The default is its beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The segment, by its first sequence.
    pub segment: u64,
    /// Offset of the next line in it.
    pub offset: u64,
    /// Sequence of the next line.
    pub seq: u64,
    /// Hash of the line before; empty at the beginning.
    pub head: String,
}

/// Where one line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pointer {
    /// The segment, by its first sequence.
    pub segment: u64,
    /// Offset of the line in it.
    pub offset: u64,
    /// Length without the LF.
    pub len: u32,
}

/// One segment as it stands on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentExtent {
    /// Its first sequence.
    pub first: u64,
    /// Its length in bytes.
    pub len: u64,
}

/// The segments of a session, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extent {
    /// In order of their first sequence.
    pub segments: Vec<SegmentExtent>,
}

impl Extent {
    /// All bytes.
    pub fn bytes(&self) -> u64 {
        self.segments.iter().map(|s| s.len).sum()
    }

    /// True when nothing stands after `place`.
    pub fn ends_at(&self, place: &Place) -> bool {
        match self.segments.last() {
            None => place.seq == 0,
            Some(last) => last.first == place.segment && last.len == place.offset,
        }
    }
}

/// The folders of one store.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) root: PathBuf,
    pub(crate) journal: PathBuf,
}

impl Layout {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), journal: root.join("journal") }
    }

    pub(crate) fn store_file(&self) -> PathBuf {
        self.journal.join("STORE")
    }

    pub(crate) fn sessions(&self) -> PathBuf {
        self.journal.join("sessions")
    }

    pub(crate) fn session(&self, session: &SessionId) -> PathBuf {
        self.sessions().join(session.as_str())
    }

    pub(crate) fn lock(&self, session: &SessionId) -> PathBuf {
        self.session(session).join("lock")
    }

    pub(crate) fn segment(&self, session: &SessionId, first: u64) -> PathBuf {
        self.segment_as(session, first, Shape::Lines)
    }

    pub(crate) fn segment_as(&self, session: &SessionId, first: u64, shape: Shape) -> PathBuf {
        let end = if shape == Shape::Packed { PACKED } else { "" };
        self.session(session).join(segment_name(first) + end)
    }

    pub(crate) fn blobs(&self) -> PathBuf {
        self.journal.join("blobs")
    }

    pub(crate) fn torn(&self) -> PathBuf {
        self.journal.join("torn")
    }
}

/// What a compressed segment's name ends in, behind that of its lines.
const PACKED: &str = ".zst";

/// How a segment stands on the disk. Of both, the lines count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// As lines.
    Lines,
    /// As zstd frames.
    Packed,
}

pub(crate) fn segment_name(first: u64) -> String {
    format!("{first:010}.ndjson")
}

/// The first sequence of a segment's file name; `None` for anything that is not one.
pub(crate) fn segment_first(name: &str) -> Option<u64> {
    let first = name.strip_suffix(".ndjson")?.parse().ok()?;
    (segment_name(first) == name).then_some(first)
}

/// The same for a segment in either shape.
pub(crate) fn segment_of(name: &str) -> Option<(u64, Shape)> {
    match name.strip_suffix(PACKED) {
        Some(name) => Some((segment_first(name)?, Shape::Packed)),
        None => Some((segment_first(name)?, Shape::Lines)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segment_names_sort_and_read_back() {
        assert_eq!(segment_name(17), "0000000017.ndjson");
        assert_eq!(segment_first("0000000017.ndjson"), Some(17));
        assert_eq!(segment_first(&segment_name(12_345_678_901)), Some(12_345_678_901));
        for other in ["lock", "17.ndjson", "0000000017.ndjson.zst", "README.md", ".ndjson"] {
            assert_eq!(segment_first(other), None, "{other}");
        }
        assert_eq!(segment_of("0000000017.ndjson.zst"), Some((17, Shape::Packed)));
        assert_eq!(segment_of("0000000017.ndjson"), Some((17, Shape::Lines)));
        for other in ["0000000017.ndjson.zst.new", "0000000017.ndjson.new", "17.ndjson.zst", ".zst", "lock"] {
            assert_eq!(segment_of(other), None, "{other}");
        }
    }
}
