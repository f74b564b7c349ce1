//! External memory: somebody else sees a checkpoint, so that an old copy or a second history of the log shows.
//!
//! All anchors take the same three lines, the checkpoint as it is signed. They are made by commands that say so;
//! recording and sealing never wait for one. One that fails is a leaf of the log (`anchor_failed`): it is about the
//! log and not about a session, and the next checkpoint covers it.
//!
//! ```text
//! journal/log/witnessed            the last checkpoint that witnesses cosigned, with their signatures
//! journal/log/anchors/<size>.note  a checkpoint that was stamped, byte for byte as it was then
//! journal/log/anchors/<size>.tsr   the RFC 3161 response over its SHA-256
//! journal/log/anchors/git          which commit of which repository has a checkpoint, a line each; for people
//! ```

pub(crate) mod http;
pub(crate) mod stamp;
pub(crate) mod witness;

use journal::Journal;
use serde::{Deserialize, Serialize};
use world::rfc3339;

use crate::error::AuditError;
use crate::keyring::origin;
use crate::note::{Checkpoint, Note};
use crate::sealer::Sealer;

pub use stamp::{Stamp, add_stamp, query, stamps};
pub use witness::{Witnessed, witness};

const GIT: &str = "anchors/git";

/// A checkpoint that stands in a git repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Committed {
    /// The log's size.
    pub size: u64,
    /// The commit.
    pub commit: String,
    /// When.
    pub ts: String,
}

/// The checkpoint as it is signed now.
pub(crate) fn current(journal: &Journal) -> Result<(Checkpoint, Note), AuditError> {
    let bytes = journal.log_file("checkpoint")?.ok_or(AuditError::NeverSealed)?;
    let read = Note::parse(&bytes).and_then(|note| Ok((Checkpoint::parse(&note.text)?, note)));
    read.map_err(|what| AuditError::LogDamaged { what: what.to_owned() })
}

/// Remembers that a commit has the checkpoint of so many leaves.
pub fn committed(journal: &Journal, size: u64, commit: &str) -> Result<(), AuditError> {
    let ts = rfc3339(journal.world().clock.now());
    let mut lines = journal.log_file(GIT)?.unwrap_or_default();
    let line = serde_json::to_string(&Committed { size, commit: commit.to_owned(), ts }).unwrap_or_default();
    lines.extend_from_slice(format!("{line}\n").as_bytes());
    write(journal, GIT, &lines)
}

/// What was committed, the oldest first.
pub fn commits(journal: &Journal) -> Result<Vec<Committed>, AuditError> {
    let lines = journal.log_file(GIT)?.unwrap_or_default();
    let lines = String::from_utf8_lossy(&lines);
    Ok(lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

fn write(journal: &Journal, name: &str, bytes: &[u8]) -> Result<(), AuditError> {
    let turn = journal.log_turn(true)?.ok_or(AuditError::NeverSealed)?;
    Ok(turn.replace(name, bytes, true)?)
}

/// Who cosigned the checkpoint that witnesses have seen, by the names of their keys, and its size.
pub fn cosigned(journal: &Journal) -> Result<Vec<(u64, String)>, AuditError> {
    let Some(note) = journal.log_file(witness::WITNESSED)?.and_then(|bytes| Note::parse(&bytes).ok()) else {
        return Ok(Vec::new());
    };
    let size = Checkpoint::parse(&note.text).map_or(0, |checkpoint| checkpoint.size);
    let own = origin(journal.store_id());
    let others = note.signatures.iter().map(crate::note::Signed::name).filter(|name| !name.starts_with(&own));
    Ok(others.map(|name| (size, name.to_owned())).collect())
}

/// Says in the log that an anchor could not be made. Where the keys are not, nobody can.
pub fn anchor_failed(sealer: &Sealer, how: &'static str) -> Result<(), AuditError> {
    sealer.anchor_failed(how)
}
