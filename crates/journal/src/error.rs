//! What can go wrong with a journal, with coordinates.

use std::io;
use std::path::{Path, PathBuf};

use crate::finding::Finding;

/// An error of the journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The disk refused.
    #[error("cannot {doing} {}", path.display())]
    Disk {
        /// What was tried, as a verb.
        doing: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// No store there.
    #[error("no store at {}", root.display())]
    NoStore {
        /// The folder that has no `journal/STORE`.
        root: PathBuf,
    },
    /// `STORE` is not what a store has.
    #[error("{} is not a store file: {what}", path.display())]
    BadStore {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Made by a newer build.
    #[error("the store at {} has format {format}, newer than this build, which reads up to {}", root.display(), event::FORMAT)]
    NewerFormat {
        /// The store's folder.
        root: PathBuf,
        /// Its format.
        format: u64,
    },
    /// Somebody else holds the lock, and went on holding it.
    #[error("{} is locked by {holder}", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// Who holds it, as far as the file says.
        holder: String,
    },
    /// An earlier write failed; what is on disk is not known.
    #[error("the writer of {session} is closed after a failed write; open the session again")]
    Poisoned {
        /// The session.
        session: String,
    },
    /// A purge of the session was interrupted.
    #[error("{session} is being purged")]
    Purging {
        /// The session.
        session: String,
    },
    /// The journal is not what it was.
    #[error("{0}")]
    Damaged(Finding),
    /// No such session.
    #[error("no session {session}")]
    NoSession {
        /// The session.
        session: String,
    },
    /// No such event.
    #[error("no event {session}/{seq}")]
    NoEvent {
        /// The session.
        session: String,
        /// The sequence.
        seq: u64,
    },
    /// A draft that no line can carry.
    #[error("cannot write an event of {session}")]
    Encode {
        /// The session.
        session: String,
        /// Why.
        source: event::EncodeError,
    },
    /// What cannot be erased.
    #[error("{session}/{seq} cannot be erased: {what}")]
    NotErasable {
        /// The session.
        session: String,
        /// The sequence.
        seq: u64,
        /// Why.
        what: String,
    },
    /// A blob is gone.
    #[error("blob {id} is missing")]
    NoBlob {
        /// `b3:` and 64 hex digits.
        id: String,
    },
    /// A blob does not match its name.
    #[error("blob {id} has changed")]
    BlobChanged {
        /// `b3:` and 64 hex digits.
        id: String,
    },
}

/// Adds what was tried and where to an I/O error.
pub(crate) trait Context<T> {
    fn at(self, doing: &'static str, path: &Path) -> Result<T, JournalError>;
}

impl<T> Context<T> for io::Result<T> {
    fn at(self, doing: &'static str, path: &Path) -> Result<T, JournalError> {
        self.map_err(|source| JournalError::Disk { doing, path: path.to_owned(), source })
    }
}
