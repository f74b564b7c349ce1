//! What is wrong with a journal: one finding each, with session, sequence, cause and exit code.

use std::fmt;

use serde::Serialize;

/// The kinds of damage that need no seal to be seen; numbers are exit codes of `verify`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FindingCode {
    /// The last record is incomplete: a crash; `repair` cures it.
    TornTail = 10,
    /// Header bytes do not match their hash.
    Modified = 20,
    /// Bytes that are not a line.
    Malformed = 21,
    /// A payload does not match its commitment.
    PayloadMismatch = 22,
    /// A payload or blob is gone and no erasure names it.
    PayloadMissing = 23,
    /// Events are missing.
    Dropped = 24,
    /// An event stands where another belongs.
    Reordered = 25,
    /// A line of another session or store.
    Foreign = 27,
    /// An erasure that was not lawful, or not carried out.
    ErasureInvalid = 37,
    /// A format newer than this build.
    Unsupported = 45,
}

impl FindingCode {
    /// The exit code.
    pub fn exit(self) -> u8 {
        self as u8
    }

    /// The name as it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::TornTail => "TORN_TAIL",
            Self::Modified => "MODIFIED",
            Self::Malformed => "MALFORMED",
            Self::PayloadMismatch => "PAYLOAD_MISMATCH",
            Self::PayloadMissing => "PAYLOAD_MISSING",
            Self::Dropped => "DROPPED",
            Self::Reordered => "REORDERED",
            Self::Foreign => "FOREIGN",
            Self::ErasureInvalid => "ERASURE_INVALID",
            Self::Unsupported => "UNSUPPORTED",
        }
    }
}

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind of damage.
    pub code: FindingCode,
    /// The session.
    pub session: String,
    /// The sequence of the event, or of the one that belongs there.
    pub seq: u64,
    /// The segment, by its first sequence.
    pub segment: u64,
    /// Offset of the line in its segment.
    pub offset: u64,
    /// What was seen, without any recorded text.
    pub cause: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}: {}", self.session, self.seq, self.cause)
    }
}
