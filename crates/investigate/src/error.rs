//! What can go wrong while investigating.

use recorder::{QueryError, RecorderError};

/// An error of an investigation.
#[derive(Debug, thiserror::Error)]
pub enum InvestigateError {
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] RecorderError),
    /// A query that cannot be understood.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A value that cannot be looked for.
    #[error("cannot look for this value: {what}")]
    Value {
        /// Why.
        what: String,
    },
    /// No case of this name.
    #[error("no case {name:?}")]
    NoCase {
        /// As given.
        name: String,
    },
    /// No case is open.
    #[error("no case is open")]
    NoneOpen,
    /// A mode that the taxonomy does not have.
    #[error("no failure mode {mode:?}")]
    NoMode {
        /// As given.
        mode: String,
    },
}
