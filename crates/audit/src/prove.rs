//! The proof of one event: it is under a seal, the seal is under a checkpoint, the checkpoint is signed.
//!
//! ```text
//! line ─hash─▶ path ─▶ root of the seal · seal ─▶ path ─▶ root of the checkpoint ─▶ key of the genesis ─▶ pin
//! ```
//! A proof tells one event and nothing of the others but hashes. It is checked without the store.

use event::{Line, Member, SessionId};
use journal::{Journal, Place, ReadError};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::AuditError;
use crate::leaf::{Genesis, Leaf, Seal};
use crate::note::{Checkpoint, Note};
use crate::pin::Pin;
use crate::sign::Verifier;
use crate::tree::{Hash, hex, inclusion, leaf_hash, root_from, unhex};
use crate::verify::Finding;
use crate::verify::finding::{MALFORMED, MODIFIED, PAYLOAD_MISMATCH, PROOF, SIGNATURE, UNTRUSTED};

/// The proof of one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The stored line, byte for byte.
    pub line: String,
    /// The way from the event to the root of the seal, hex.
    pub event_path: Vec<String>,
    /// The seal's leaf, byte for byte.
    pub seal: String,
    /// Its place in the log.
    pub leaf: u64,
    /// The way from the seal to the root of the checkpoint, hex.
    pub leaf_path: Vec<String>,
    /// The checkpoint, a signed note.
    pub checkpoint: String,
    /// The log's first leaf, byte for byte: its SHA-256 is the pin.
    pub genesis: String,
}

/// Proves one event with the first seal that counts it.
pub fn prove(journal: &Journal, session: &SessionId, seq: u64) -> Result<Proof, AuditError> {
    let damaged = |what: &str| AuditError::LogDamaged { what: what.to_owned() };
    let bytes = journal.log_file("checkpoint")?.ok_or(AuditError::NeverSealed)?;
    let note = Note::parse(&bytes).map_err(damaged)?;
    let checkpoint = Checkpoint::parse(&note.text).map_err(damaged)?;
    let mut leaves = Vec::new();
    let (mut found, mut genesis) = (None, None);
    let mut lines = journal.log_lines(0)?;
    while (leaves.len() as u64) < checkpoint.size {
        let Some((line, _)) = lines.next()? else { return Err(damaged("leaves are missing")) };
        genesis.get_or_insert_with(|| String::from_utf8_lossy(line).into_owned());
        if found.is_none()
            && let Ok(Leaf::Seal(seal)) = Leaf::parse(line)
            && seal.session == session.as_str()
            && seal.events > seq
        {
            found = Some((leaves.len(), seal, String::from_utf8_lossy(line).into_owned()));
        }
        leaves.push(leaf_hash(line));
    }
    let (at, seal, leaf) =
        found.ok_or_else(|| AuditError::NotSealed { session: session.to_string(), seq })?;
    let (line, hashes) = events(journal, session, seq, seal.events)?;
    let index = usize::try_from(seq).unwrap_or(usize::MAX);
    let path = |path: Vec<Hash>| path.iter().map(|hash| hex(hash)).collect();
    Ok(Proof {
        line,
        event_path: path(inclusion(&hashes, index)),
        seal: leaf,
        leaf: at as u64,
        leaf_path: path(inclusion(&leaves, at)),
        checkpoint: note.to_text(),
        genesis: genesis.unwrap_or_default(),
    })
}

/// The line of one event, and the leaf hashes of the first `count`.
fn events(
    journal: &Journal,
    session: &SessionId,
    seq: u64,
    count: u64,
) -> Result<(String, Vec<Hash>), AuditError> {
    let mut reader = journal.read(session, Place::default())?;
    let (mut found, mut hashes) = (String::new(), Vec::new());
    while (hashes.len() as u64) < count {
        let entry = match reader.next() {
            Ok(Some(entry)) => entry,
            Ok(None) => break,
            Err(ReadError::Damage(finding)) => return Err(journal::JournalError::Damaged(finding).into()),
            Err(ReadError::Journal(error)) => return Err(error.into()),
        };
        if entry.line.seq == seq {
            found = String::from_utf8_lossy(entry.bytes).into_owned();
        }
        hashes.extend(unhex(entry.line.hash).map(|hash| leaf_hash(&hash)));
    }
    Ok((found, hashes))
}

impl Proof {
    /// Checks the proof; the findings say what does not hold.
    pub fn check(&self, pin: Option<&Pin>) -> Vec<Finding> {
        let mut findings = self.check_event();
        findings.extend(self.check_log());
        match pin {
            None => findings.push(Finding::new(UNTRUSTED, "no pin is known: anybody could have made this")),
            Some(pin) if pin.id != hex(&Sha256::digest(&self.genesis)) => {
                findings.push(Finding::new(UNTRUSTED, "the pin is another store's"));
            }
            Some(_) => {}
        }
        findings
    }

    /// The event that is proven, as `session/sequence`.
    pub fn event(&self) -> Option<String> {
        let line = Line::parse(self.line.as_bytes()).ok()?;
        Some(format!("{}/{}", line.session, line.seq))
    }

    fn check_event(&self) -> Vec<Finding> {
        let line = match Line::parse(self.line.as_bytes()) {
            Ok(line) => line,
            Err(error) => return vec![Finding::new(MALFORMED, error.to_string())],
        };
        let found = |code, msg: &str| Finding::new(code, msg).at(line.session, Some(line.seq));
        let mut findings = Vec::new();
        if !line.hash_matches() {
            findings.push(found(MODIFIED, "header bytes do not match their hash"));
        }
        if !line.members.iter().all(|member| member.is_erased() || Member::matches(member)) {
            findings.push(found(PAYLOAD_MISMATCH, "a field does not match its commitment"));
        }
        let Ok(Leaf::Seal(seal)) = Leaf::parse(self.seal.as_bytes()) else {
            findings.push(found(PROOF, "the seal is none"));
            return findings;
        };
        if !self.is_sealed(&line, &seal) {
            findings.push(found(PROOF, "it does not lead to the root of its seal"));
        }
        findings
    }

    fn is_sealed(&self, line: &Line<'_>, seal: &Seal) -> bool {
        let root = || {
            let hash = leaf_hash(&unhex(line.hash)?);
            root_from(hash, line.seq, seal.events, &path(&self.event_path)?)
        };
        seal.session == line.session && root().is_some_and(|root| hex(&root) == seal.root)
    }

    fn check_log(&self) -> Option<Finding> {
        let signed = Note::parse(self.checkpoint.as_bytes())
            .and_then(|note| Ok((Checkpoint::parse(&note.text)?, note)));
        let (checkpoint, note) = match signed {
            Ok(signed) => signed,
            Err(what) => return Some(Finding::new(SIGNATURE, format!("the checkpoint is no note: {what}"))),
        };
        let Ok(Leaf::Genesis(Genesis { origin, log_vkey, .. })) = Leaf::parse(self.genesis.as_bytes()) else {
            return Some(Finding::new(PROOF, "the genesis is none"));
        };
        let key =
            Verifier::parse(&log_vkey).filter(|key| key.name() == origin && origin == checkpoint.origin);
        if !key.is_some_and(|key| note.is_signed_by(&key)) {
            return Some(Finding::new(SIGNATURE, "the checkpoint is not signed by the key of the genesis"));
        }
        let leaf = leaf_hash(self.seal.as_bytes());
        let root = path(&self.leaf_path).and_then(|path| root_from(leaf, self.leaf, checkpoint.size, &path));
        let holds = root == Some(checkpoint.root);
        (!holds).then(|| Finding::new(PROOF, "the seal does not lead to the root of the checkpoint"))
    }
}

fn path(hashes: &[String]) -> Option<Vec<Hash>> {
    hashes.iter().map(|hash| unhex(hash)).collect()
}
