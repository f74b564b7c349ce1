//! Exports: a session in the form that somebody else reads.

mod atif;
mod copy;
mod csv;
mod markdown;
mod ndjson;
mod otlp;
mod told;

use std::io::{self, Write};

use event::SessionId;
use recorder::{RecorderError, Store};

pub use copy::{Copied, copy};

/// Every format. To add one: write `src/export/<name>.rs` and add a line here.
pub const EXPORTERS: &[&dyn Exporter] =
    &[&ndjson::Ndjson, &markdown::Markdown, &csv::Csv, &otlp::Otlp, &atif::Atif];

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
