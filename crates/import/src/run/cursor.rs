//! How far a file was taken in, so that an unchanged file costs a look at its first bytes and no more.
//!
//! A cursor is derived: without it the file is read again, and every key says that it is there. It is kept only
//! behind what is durable, and never for a file of which something waits for another session.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::report::Report;
use crate::Keys;
use crate::folder::Folder;

/// Changes whenever records are mapped otherwise: a cursor of another version says nothing.
pub(crate) const MAPPING_VERSION: u32 = 2;
const HEAD_BYTES: u64 = 4096;

/// How far one file was taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    mapping: u32,
    /// Device, inode, size and time of the file and of what belongs to it.
    stamp: String,
    /// Device and inode.
    file: (u64, u64),
    bytes: u64,
    /// Keyed hash of the first bytes.
    head: String,
    /// Records that begin before this offset (decoded) need not be told again.
    pub(super) done: u64,
    importer: String,
    records: u64,
}

/// What a file looks like before it is read.
#[derive(Debug, Clone)]
pub(crate) struct Look {
    pub(super) stamp: String,
    pub(super) file: (u64, u64),
    pub(super) bytes: u64,
    head: String,
}

impl Look {
    /// Looks at a file.
    pub(crate) fn at(path: &Path, keys: &dyn Keys) -> io::Result<Self> {
        let meta = fs::metadata(path)?;
        if meta.is_dir() {
            let (bytes, stamp) = Folder::look(path)?;
            return Ok(Self { stamp, file: (meta.dev(), meta.ino()), bytes, head: String::new() });
        }
        let stamp = stamp_of(path, &meta);
        let mut head = Vec::new();
        File::open(path)?.take(HEAD_BYTES).read_to_end(&mut head)?;
        let head = keys.derived_key(&format!("head\n{}", blake3::hash(&head).to_hex()));
        Ok(Self { stamp, file: (meta.dev(), meta.ino()), bytes: meta.len(), head })
    }

    /// The hash of its first bytes, if it is so long that they don't change any more.
    pub(super) fn whole_head(&self) -> Option<&str> {
        (self.bytes >= HEAD_BYTES).then_some(self.head.as_str())
    }

    /// The cursor of a file that was read to its end.
    pub(crate) fn cursor(self, importer: &str, done: u64, report: &Report) -> Cursor {
        let (stamp, file, bytes, head) = (self.stamp, self.file, self.bytes, self.head);
        let (importer, records) = (importer.to_owned(), report.records);
        Cursor { mapping: MAPPING_VERSION, stamp, file, bytes, head, done, importer, records }
    }
}

impl Cursor {
    /// The account of a file that is as it was; `None` if it has to be read.
    pub(crate) fn unchanged(&self, path: &Path, look: &Look) -> Option<Report> {
        let same = self.mapping == MAPPING_VERSION && self.stamp == look.stamp && self.head == look.head;
        let importer = super::IMPORTERS.iter().find(|importer| importer.name() == self.importer)?;
        same.then(|| Report {
            importer: Some(importer.name()),
            records: self.records,
            duplicates: self.records,
            unchanged: true,
            ..Report::unrecognised(path, None)
        })
    }

    /// The importer that read it.
    pub(crate) fn importer(&self) -> &str {
        &self.importer
    }

    /// From where records of the file are news; 0 if it is not the same file gone on.
    ///
    /// Lines are only ever added to; whatever else changes, a document or a database, may change anywhere. The first
    /// bytes of a short file change as it grows, and it is read quickly.
    pub(crate) fn resumes_at(&self, path: &Path, look: &Look) -> u64 {
        let lines = super::find::is_lines(path);
        let whole_head = self.bytes >= HEAD_BYTES && self.head == look.head;
        let same = self.mapping == MAPPING_VERSION && self.file == look.file && look.bytes >= self.bytes;
        if lines && whole_head && same { self.done } else { 0 }
    }
}

/// The stamp of a file and of what belongs to it, or of all files of a folder.
pub(super) fn stamp_of(path: &Path, meta: &Metadata) -> String {
    if meta.is_dir() {
        return Folder::look(path).map_or_else(|_| String::new(), |(_, stamp)| stamp);
    }
    let beside = beside(path).into_iter().filter_map(|beside| fs::metadata(beside).ok());
    beside.fold(stamp(meta), |stamp, meta| format!("{stamp} {}", self::stamp(&meta)))
}

fn stamp(meta: &Metadata) -> String {
    format!("{}:{}:{}:{}.{}", meta.dev(), meta.ino(), meta.len(), meta.mtime(), meta.mtime_nsec())
}

/// What a file's records are read from or with, too: a database's log, an agent's description.
fn beside(path: &Path) -> [PathBuf; 2] {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let meta = path.with_file_name(format!("{}.meta.json", super::find::stem(path)));
    [PathBuf::from(log), meta]
}
