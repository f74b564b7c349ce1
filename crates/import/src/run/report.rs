//! What became of one file.

use std::path::{Path, PathBuf};

/// The account of one file: every record has exactly one fate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The file.
    pub file: PathBuf,
    /// Who read it; `None` if nobody recognised it, or it is empty.
    pub importer: Option<&'static str>,
    /// Records and gaps found.
    pub records: u64,
    /// Events of the records that were stored.
    pub events: u64,
    /// Records with at least one new event.
    pub stored: u64,
    /// Records kept as text.
    pub raw: u64,
    /// Stretches of bytes that are no record.
    pub gaps: u64,
    /// Records that were there already, or that say again what another one says.
    pub duplicates: u64,
    /// Records that another session owns, or whose session is not here.
    pub linked: u64,
    /// Records of `linked` that are about a session which is not here.
    pub elsewhere: u64,
    /// Sessions that this file opened.
    pub opened: u64,
    /// Bytes in gaps.
    pub gap_bytes: u64,
    /// Records whose text had to be repaired.
    pub repaired: u64,
    /// Values redacted on the way.
    pub redacted: u64,
    /// It is as it was when it was taken in, and was not read again.
    pub unchanged: bool,
    /// Why the file could not be read to its end.
    pub failed: Option<String>,
}

impl Report {
    pub(super) fn unrecognised(file: &Path, failed: Option<String>) -> Self {
        Self { file: file.to_owned(), failed, ..Self::default() }
    }

    /// True if every record is accounted for.
    pub fn adds_up(&self) -> bool {
        self.records == self.stored + self.raw + self.gaps + self.duplicates + self.linked
    }

    /// What a person should know, a sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let mut said = Vec::new();
        let mut say = |count: u64, one: &str, more: &str| match count {
            0 => {}
            1 => said.push(format!("1 {one}")),
            n => said.push(format!("{n} {more}")),
        };
        say(
            self.gap_bytes,
            "byte is no record and is kept as a gap",
            "bytes are no records and are kept as gaps",
        );
        say(
            self.raw,
            "record could not be mapped and is kept as it is",
            "records could not be mapped and are kept as they are",
        );
        say(
            self.repaired,
            "record had bad text, which was repaired",
            "records had bad text, which was repaired",
        );
        say(
            self.elsewhere,
            "title is for a session that is not here",
            "titles are for sessions that are not here",
        );
        said.extend(self.failed.iter().map(|why| format!("reading stopped: {why}")));
        said
    }
}
