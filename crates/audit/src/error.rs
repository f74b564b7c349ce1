//! What can go wrong when sealing and proving.

use journal::JournalError;
use recorder::RecorderError;

/// An error of the audit trail.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The journal refused.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The recorder refused.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// The store was sealed elsewhere, or its keys are lost.
    #[error("the {key} key of store {store} is not here")]
    NoKey {
        /// Which key.
        key: String,
        /// The store.
        store: String,
    },
    /// What is kept beside the keys is not what was written there.
    #[error("{} is damaged: {what}", path.display())]
    KeyFile {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Randomness failed.
    #[error("cannot draw a key")]
    Chance {
        /// Why.
        source: std::io::Error,
    },
    /// The store log is not what was signed.
    #[error("the store log does not hold: {what}")]
    LogDamaged {
        /// What was seen.
        what: String,
    },
    /// The log is shorter than, or another than, the one whose checkpoint is remembered.
    #[error("the store log {what} the checkpoint remembered at size {seen}")]
    Behind {
        /// How it differs.
        what: &'static str,
        /// The remembered size.
        seen: u64,
    },
    /// The store has no log yet.
    #[error("the store was never sealed")]
    NeverSealed,
    /// The event is not under a seal yet.
    #[error("{session}/{seq} is not sealed yet")]
    NotSealed {
        /// The session.
        session: String,
        /// The sequence.
        seq: u64,
    },
    /// Text that is no policy.
    #[error("line {line} of the policy: {what}")]
    BadPolicy {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// Text that is no pin.
    #[error("not a pin: {what}")]
    BadPin {
        /// What is wrong.
        what: &'static str,
    },
}
