//! Why a command is refused.

use orchestrate::OrchestrateError;
use recorder::RecorderError;

/// Why a command is refused. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum BazingaError {
    /// The house below.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// The room of the team's words.
    #[error(transparent)]
    Team(OrchestrateError),
    /// A word that is none of those allowed.
    #[error("{what} {value:?} is none of {}", allowed.join(", "))]
    Word {
        /// What it is for.
        what: String,
        /// What was given.
        value: String,
        /// What may be given.
        allowed: &'static [&'static str],
    },
    /// A value of the wrong form.
    #[error("{what} takes {takes}")]
    Value {
        /// What it is for.
        what: String,
        /// What it takes, in words.
        takes: String,
    },
    /// Not the JSON that was expected; never the text itself, which may hold a secret.
    #[error("{what} is not JSON (line {line}, column {column})")]
    Json {
        /// What it is for.
        what: String,
        /// Where it goes wrong.
        line: usize,
        /// Where it goes wrong.
        column: usize,
    },
}

impl BazingaError {
    /// The allowed word that was most likely meant.
    pub fn near(&self) -> Option<&'static str> {
        match self {
            Self::Word { value, allowed, .. } => event::nearest(value, allowed.iter().copied()),
            _ => None,
        }
    }

    pub(crate) fn value(what: &str, takes: impl Into<String>) -> Self {
        Self::Value { what: what.to_owned(), takes: takes.into() }
    }
}

impl From<journal::JournalError> for BazingaError {
    fn from(error: journal::JournalError) -> Self {
        Self::Recorder(error.into())
    }
}

impl From<OrchestrateError> for BazingaError {
    fn from(error: OrchestrateError) -> Self {
        match error {
            OrchestrateError::Recorder(error) => Self::Recorder(error),
            error => Self::Team(error),
        }
    }
}
