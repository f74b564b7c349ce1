//! Exports: a session in the form that somebody else reads.

mod markdown;
mod ndjson;

use std::io::{self, Write};

use event::SessionId;
use recorder::{RecorderError, Store};

/// Every format. To add one: write `src/export/<name>.rs` and add a line here.
pub const EXPORTERS: &[&dyn Exporter] = &[&ndjson::Ndjson, &markdown::Markdown];

/// One format.
pub trait Exporter: Sync {
    /// The name that commands take.
    fn name(&self) -> &'static str;
    /// Writes the session up to a sequence; says how many damaged lines were left out.
    fn export(
        &self,
        store: &Store,
        session: &SessionId,
        until: u64,
        out: &mut dyn Write,
    ) -> Result<u64, ExportError>;
}

/// Why an export ends early.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] RecorderError),
    /// Nobody takes the output.
    #[error("cannot write the export")]
    Write(#[from] io::Error),
}
