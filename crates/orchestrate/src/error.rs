//! What can go wrong with what agents hand in.

use std::io;
use std::path::PathBuf;

use event::DraftError;
use journal::JournalError;
use recorder::{QueryError, RecorderError};

/// An error of this room.
#[derive(Debug, thiserror::Error)]
pub enum OrchestrateError {
    /// The house refused.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// A draft that the house does not take.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// A word that is none of those that are allowed.
    #[error("{what} {given:?} is none of {}{}", allowed.join(", "), did_you_mean(near.as_deref()))]
    Word {
        /// What the word stands for.
        what: &'static str,
        /// The word.
        given: String,
        /// Every word that is allowed.
        allowed: Vec<String>,
        /// The nearest of them.
        near: Option<String>,
    },
    /// Nothing where something is needed.
    #[error("{what} is empty")]
    Empty {
        /// What.
        what: &'static str,
    },
    /// A name that does not fit its grammar.
    #[error("{what} {given:?} does not fit {takes}")]
    Shape {
        /// What the name is of.
        what: &'static str,
        /// The name.
        given: String,
        /// Its grammar.
        takes: &'static str,
    },
    /// Not the JSON that is needed; never the text itself.
    #[error("{what} is not what is needed: {why}")]
    Json {
        /// What was handed in.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A handoff that does not fit its schema.
    #[error("the handoff does not fit its schema: {}", problems.join("; "))]
    Handoff {
        /// Each with the pointer to its place.
        problems: Vec<String>,
    },
    /// Nothing of that name was recorded.
    #[error("no {what}")]
    Nothing {
        /// What was looked for.
        what: String,
    },
    /// A search that cannot be understood.
    #[error("{}", .0.message)]
    Query(QueryError),
    /// A file beside the journal.
    #[error("cannot {doing} {}", path.display())]
    File {
        /// What was tried, as a verb.
        doing: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!(", did you mean {near:?}?"))
}

impl From<JournalError> for OrchestrateError {
    fn from(error: JournalError) -> Self {
        Self::Recorder(error.into())
    }
}

impl From<index::IndexError> for OrchestrateError {
    fn from(error: index::IndexError) -> Self {
        Self::Recorder(error.into())
    }
}

/// Adds what was tried and where to an I/O error.
pub(crate) trait Context<T> {
    fn at(self, doing: &'static str, path: &std::path::Path) -> Result<T, OrchestrateError>;
}

impl<T> Context<T> for io::Result<T> {
    fn at(self, doing: &'static str, path: &std::path::Path) -> Result<T, OrchestrateError> {
        self.map_err(|source| OrchestrateError::File { doing, path: path.to_owned(), source })
    }
}
