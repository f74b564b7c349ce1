//! The spine of a session: header lines only, which say what there was without a word of what was said. A copy
//! elsewhere proves later what existed, and the chain of it can be checked alone.

use std::io::Write;

use event::SessionId;
use journal::{Journal, Place, ReadError};

use crate::export::ExportError;

/// Writes each event's header and hash as a line; says how many damaged lines were left out.
pub fn spine(journal: &Journal, session: &SessionId, out: &mut dyn Write) -> Result<u64, ExportError> {
    let stopped = |error| ExportError::Store(recorder::RecorderError::from(error));
    let mut reader = journal.read(session, Place::default()).map_err(stopped)?;
    let mut damaged = 0;
    loop {
        match reader.next() {
            Ok(Some(entry)) => {
                writeln!(out, "{},\"hash\":\"{}\"}}", entry.line.header(), entry.line.hash)?;
            }
            Ok(None) => return Ok(damaged),
            Err(ReadError::Damage(_)) => damaged += 1,
            Err(ReadError::Journal(error)) => return Err(stopped(error)),
        }
    }
}
