//! What can go wrong in the house.

use index::IndexError;
use journal::JournalError;
use redact::RedactError;

/// An error of the recorder.
#[derive(Debug, thiserror::Error)]
pub enum RecorderError {
    /// The journal refused.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The redactor refused.
    #[error("cannot clean a draft of {session:?}")]
    Redact {
        /// The session as the caller names it.
        session: String,
        /// Why.
        source: RedactError,
    },
    /// The index could not answer.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// No such session.
    #[error("no session {name:?}")]
    NoSession {
        /// The name as given.
        name: String,
        /// The nearest one there is.
        near: Option<String>,
    },
    /// Recording is paused: nothing was recorded but that.
    #[error("recording is paused ({reason}), which session {session} says; this was not recorded")]
    Paused {
        /// The session.
        session: String,
        /// Who paused it.
        reason: &'static str,
    },
    /// A name that fits several sessions.
    #[error("{name:?} fits {count} sessions")]
    Ambiguous {
        /// The name as given.
        name: String,
        /// How many.
        count: usize,
        /// A few of them.
        some: Vec<String>,
    },
    /// No such event.
    #[error("no event {session}/{seq}")]
    NoEvent {
        /// The session.
        session: String,
        /// The sequence.
        seq: u64,
        /// The last one there is.
        last: Option<u64>,
    },
    /// The event is there, but is not the one that was meant.
    #[error("{session}/{seq} has hash {found}, not {wanted}")]
    OtherHash {
        /// The session.
        session: String,
        /// The sequence.
        seq: u64,
        /// What the caller gave.
        wanted: String,
        /// What is stored.
        found: String,
    },
}
