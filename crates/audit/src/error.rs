//! What can go wrong when sealing and proving.

use std::path::PathBuf;

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
    /// A case keeps the session.
    #[error("{session} is held for case {case}")]
    Held {
        /// The session.
        session: String,
        /// The case.
        case: String,
    },
    /// There is no such hold.
    #[error("no hold of {session} for case {case} is in force")]
    NoHold {
        /// The session, or `*`.
        session: String,
        /// The case.
        case: String,
    },
    /// Somebody is recording in the session.
    #[error("{session} is being recorded to")]
    Busy {
        /// The session.
        session: String,
    },
    /// The session is too young to be purged without an order.
    #[error("{session} was sealed last on {sealed}, less than {days} days ago")]
    TooYoung {
        /// The session.
        session: String,
        /// When it was sealed last.
        sealed: String,
        /// Days that it is kept.
        days: u32,
    },
    /// A session that cannot be sealed cannot be purged.
    #[error("{session} cannot be sealed: {what}")]
    Unsealable {
        /// The session.
        session: String,
        /// Why.
        what: String,
    },
    /// A response of a time-stamping authority that is of no use.
    #[error("not a time stamp of this log: {what}")]
    BadStamp {
        /// What is wrong.
        what: &'static str,
    },
    /// The order stands, and its target is not as it was.
    #[error("{session}/{seq} is ordered to be erased, and cannot be overwritten as it stands")]
    NotErased {
        /// The session.
        session: String,
        /// The event.
        seq: u64,
    },
    /// A swept place is not clean.
    #[error("erased text still stands in {}", path.display())]
    StillThere {
        /// Where.
        path: PathBuf,
    },
    /// Text that is no policy.
    #[error("line {line} of the policy: {what}")]
    BadPolicy {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// A part of a bundle could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A part of a bundle could not be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Bundles are made where nothing is yet.
    #[error("{} is there already", path.display())]
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// A person's key did not sign.
    #[error("the key did not sign: {what}")]
    NotSigned {
        /// What the signer said.
        what: String,
    },
    /// Custody that cannot go on.
    #[error("the custody lines cannot go on: {what}")]
    BadCustody {
        /// What is wrong.
        what: String,
    },
    /// Text that is no pin.
    #[error("not a pin: {what}")]
    BadPin {
        /// What is wrong.
        what: &'static str,
    },
}
