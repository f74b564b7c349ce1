//! RFC 3161: a time-stamping authority says that a checkpoint existed. Requests and responses are files that
//! OpenSSL makes and checks; here it is only read what a response is about.
//!
//! ```text
//! TSTInfo … messageImprint { SHA-256, <32 bytes> } … genTime …
//! ```

use journal::Journal;
use sha2::{Digest as _, Sha256};

use super::{current, write};
use crate::error::AuditError;
use crate::tree::{Hash, hex};

/// The beginning of a `messageImprint` with SHA-256, with and without parameters: its digest follows.
const IMPRINTS: [&[u8]; 2] = [
    &[0x30, 0x31, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 0x20],
    &[0x30, 0x2f, 0x30, 0x0b, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 4, 0x20],
];
const GENERALIZED_TIME: u8 = 0x18;

/// A response, and the checkpoint that it should be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The log's size.
    pub size: u64,
    /// SHA-256 of the note, in hex.
    pub digest: String,
    /// What the response says when it was made, as it says it; nobody checked its signature here.
    pub time: Option<String>,
    /// True if it is about this note.
    pub fits: bool,
    /// The response, byte for byte.
    pub response: Vec<u8>,
}

/// What a response is about: the digest and the time, as far as it has them.
pub(crate) fn about(response: &[u8]) -> Option<(Hash, Option<String>)> {
    let found = IMPRINTS
        .iter()
        .find_map(|imprint| memchr::memmem::find(response, imprint).map(|at| at + imprint.len()))?;
    let digest = response.get(found..found + 32)?.try_into().ok()?;
    let rest = &response[found + 32..];
    let time = memchr::memchr_iter(GENERALIZED_TIME, rest).find_map(|at| {
        let len = usize::from(*rest.get(at + 1)?);
        let text = std::str::from_utf8(rest.get(at + 2..at + 2 + len)?).ok()?;
        let good = (15..=24).contains(&len)
            && text.ends_with('Z')
            && text.as_bytes()[..14].iter().all(u8::is_ascii_digit);
        good.then(|| text.to_owned())
    });
    Some((digest, time))
}

fn names(size: u64) -> (String, String) {
    (format!("anchors/{size}.note"), format!("anchors/{size}.tsr"))
}

/// Keeps the checkpoint as it is now, so that a response can be about it; gives its size and its SHA-256 in hex.
pub fn query(journal: &Journal) -> Result<(u64, String), AuditError> {
    let (checkpoint, note) = current(journal)?;
    let (name, _) = names(checkpoint.size);
    // epoch and log sign the same bytes whenever they sign: one that is there stays
    let kept = journal.log_file(&name)?;
    let bytes = kept.clone().unwrap_or_else(|| note.to_text().into_bytes());
    if kept.is_none() {
        write(journal, &name, &bytes)?;
    }
    Ok((checkpoint.size, hex(&Sha256::digest(&bytes))))
}

/// Keeps a response beside the checkpoint that it is about.
pub fn add_stamp(journal: &Journal, response: &[u8]) -> Result<Stamp, AuditError> {
    let (digest, _) =
        about(response).ok_or(AuditError::BadStamp { what: "no SHA-256 of anything is in it" })?;
    for size in sizes(journal)? {
        let (note, stamp) = names(size);
        let bytes = journal.log_file(&note)?.unwrap_or_default();
        if Sha256::digest(&bytes)[..] == digest {
            write(journal, &stamp, response)?;
            return Ok(read(size, &bytes, response));
        }
    }
    Err(AuditError::BadStamp { what: "it is about none of the checkpoints that were asked for" })
}

/// Sizes of the checkpoints that were kept for stamping.
fn sizes(journal: &Journal) -> Result<Vec<u64>, AuditError> {
    let names = journal.log_files("anchors")?;
    let size = |name: &String| {
        let number = name.strip_suffix(".note")?;
        number.parse::<u64>().ok().filter(|size| size.to_string() == number)
    };
    let mut sizes: Vec<u64> = names.iter().filter_map(size).collect();
    sizes.sort_unstable();
    Ok(sizes)
}

fn read(size: u64, note: &[u8], response: &[u8]) -> Stamp {
    let digest = Sha256::digest(note);
    let said = about(response);
    Stamp {
        size,
        digest: hex(&digest),
        fits: said.as_ref().is_some_and(|(about, _)| about[..] == digest[..]),
        time: said.and_then(|(_, time)| time),
        response: response.to_vec(),
    }
}

/// The files of the stamps up to a size of the log that are about their checkpoints: names below the log, and bytes.
pub(crate) fn files(journal: &Journal, up_to: u64) -> Result<Vec<(String, Vec<u8>)>, AuditError> {
    let mut files = Vec::new();
    for stamp in stamps(journal)?.into_iter().filter(|stamp| stamp.fits && stamp.size <= up_to) {
        let (note, response) = names(stamp.size);
        let bytes = journal.log_file(&note)?.unwrap_or_default();
        files.extend([(note, bytes), (response, stamp.response)]);
    }
    Ok(files)
}

/// Every response there is, in order of the log's size.
pub fn stamps(journal: &Journal) -> Result<Vec<Stamp>, AuditError> {
    let mut stamps = Vec::new();
    for size in sizes(journal)? {
        let (note, stamp) = names(size);
        if let Some(response) = journal.log_file(&stamp)? {
            stamps.push(read(size, &journal.log_file(&note)?.unwrap_or_default(), &response));
        }
    }
    Ok(stamps)
}

/// The names of the kept checkpoints under the log, with what to call each.
pub(crate) fn notes(journal: &Journal) -> Result<Vec<(String, String)>, AuditError> {
    let named = |size| (names(size).0, format!("the stamped checkpoint of size {size}"));
    Ok(sizes(journal)?.into_iter().map(named).collect())
}
