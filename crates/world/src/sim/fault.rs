//! What can go wrong with one disk operation.

use std::io;

/// What happens to an operation instead of what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is done, EIO.
    Io,
    /// Nothing is done, ENOSPC; only what needs space can suffer it.
    NoSpace,
    /// An append writes some of its bytes and says how many.
    ShortWrite,
    /// A write writes some of its bytes, or none, or all, and fails with EIO.
    TornWrite,
    /// A sync fails with EIO and what was to be synced is forgotten: still seen, never written, not by a
    /// later sync either.
    LostSync,
    /// The process dies here: a write is torn, anything else undone, and it does nothing ever again.
    Kill,
}

/// A fault that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fired {
    /// The operation's number since the machine was made; the first is 1.
    pub op: u64,
    /// What was asked.
    pub asked: Op,
    /// What happened.
    pub fault: Fault,
}

/// A disk operation, as far as faults care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// `open`.
    Open,
    /// `stat`, `list`, `read_at`.
    Look,
    /// `create_dir_all`, `link`, `rename`.
    Name,
    /// `remove`.
    Remove,
    /// `append` of so many bytes.
    Append(usize),
    /// `write_at` of so many bytes.
    Write(usize),
    /// `set_len`.
    SetLen,
    /// `sync`.
    Sync,
    /// `sync_dir`.
    SyncDir,
    /// `try_lock`, `unlock`.
    Lock,
}

impl Fault {
    /// Every kind of fault.
    pub const ALL: &[Self] =
        &[Self::Io, Self::NoSpace, Self::ShortWrite, Self::TornWrite, Self::LostSync, Self::Kill];

    /// True if the operation can suffer it.
    pub(super) fn fits(self, op: Op) -> bool {
        match self {
            Self::Io | Self::Kill => true,
            // delayed allocation runs out of space as late as in sync
            Self::NoSpace => {
                matches!(op, Op::Open | Op::Name | Op::Append(_) | Op::Write(_) | Op::Sync | Op::SyncDir)
            }
            Self::ShortWrite => matches!(op, Op::Append(2..)),
            Self::TornWrite => matches!(op, Op::Append(1..) | Op::Write(1..)),
            Self::LostSync => op == Op::Sync,
        }
    }

    /// What the caller hears.
    pub(super) fn error(self) -> io::Error {
        const EIO: i32 = 5;
        const ENOSPC: i32 = 28;
        match self {
            Self::NoSpace => io::Error::from_raw_os_error(ENOSPC),
            Self::Kill => killed(),
            _ => io::Error::from_raw_os_error(EIO),
        }
    }
}

/// What every operation of a dead process gets. A test's own code hears it, a real one never would.
pub(super) fn killed() -> io::Error {
    io::Error::other("this process was killed")
}
