//! `ndjson`: the stored lines, byte for byte, in journal order.

use std::io::Write;

use event::SessionId;
use journal::{Place, ReadError};
use recorder::{RecorderError, Store};

use super::{ExportError, Exporter};

pub(super) struct Ndjson;

impl Exporter for Ndjson {
    fn name(&self) -> &'static str {
        "ndjson"
    }

    fn export(
        &self,
        store: &Store,
        session: &SessionId,
        until: u64,
        out: &mut dyn Write,
    ) -> Result<u64, ExportError> {
        let mut reader = store.journal().read(session, Place::default()).map_err(RecorderError::from)?;
        let mut damaged = 0;
        loop {
            match reader.next() {
                Ok(Some(entry)) if entry.line.seq > until => return Ok(damaged),
                Ok(Some(entry)) => {
                    out.write_all(entry.bytes)?;
                    out.write_all(b"\n")?;
                }
                Ok(None) => return Ok(damaged),
                Err(ReadError::Damage(_)) => damaged += 1,
                Err(ReadError::Journal(error)) => return Err(RecorderError::from(error).into()),
            }
        }
    }
}
