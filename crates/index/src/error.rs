//! What can go wrong with an index. Everything in it can be made again, so most of this is never seen:
//! the answer comes from the journal then.

use std::io;
use std::path::{Path, PathBuf};

use journal::JournalError;

use crate::query::QueryError;

/// An error of the index.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
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
    /// The journal cannot be read.
    #[error("cannot read the journal")]
    Journal(#[from] JournalError),
    /// The text index is not usable.
    #[error("text index {} is not usable: {what}", path.display())]
    Text {
        /// Its folder.
        path: PathBuf,
        /// What tantivy says.
        what: String,
    },
    /// The views are not usable.
    #[error("views {} are not usable: {what}", path.display())]
    Views {
        /// Their folder.
        path: PathBuf,
        /// What sled says, or its panic.
        what: String,
    },
    /// Another process writes the index right now.
    #[error("{} is held by another process", path.display())]
    Busy {
        /// The lock file.
        path: PathBuf,
    },
    /// A query that cannot be understood.
    #[error("{}", .0.message)]
    Query(QueryError),
}

impl IndexError {
    /// True when throwing the derived files away and making them again cures it.
    pub fn is_curable(&self) -> bool {
        matches!(self, Self::Text { .. } | Self::Views { .. })
    }
}

impl From<QueryError> for IndexError {
    fn from(error: QueryError) -> Self {
        Self::Query(error)
    }
}

/// Adds what was tried and where to an I/O error.
pub(crate) trait Context<T> {
    fn at(self, doing: &'static str, path: &Path) -> Result<T, IndexError>;
}

impl<T> Context<T> for io::Result<T> {
    fn at(self, doing: &'static str, path: &Path) -> Result<T, IndexError> {
        self.map_err(|source| IndexError::Disk { doing, path: path.to_owned(), source })
    }
}
