//! A pin: which store, and how far its log was when somebody looked. Kept outside the store, it is what shows
//! an old copy, a swapped store and a rewritten past.
//!
//! ```text
//! recount pin 1
//! store <store id>
//! pin <64 hex: SHA-256 of the log's first leaf>
//!
//! <the checkpoint, a signed note>
//! ```
//! The 64 hex digits alone are a pin, too: short enough to print.

use journal::Journal;
use sha2::{Digest as _, Sha256};

use crate::error::AuditError;
use crate::keyring::Keyring;
use crate::note::{Checkpoint, Note};
use crate::tree::{hex, unhex};

const TITLE: &str = "recount pin 1";

/// What somebody knows of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// The store id, where the pin tells it.
    pub store: Option<String>,
    /// SHA-256 of the log's first leaf, in hex.
    pub id: String,
    /// The checkpoint that was seen.
    pub seen: Option<Note>,
}

impl Pin {
    /// Reads 64 hex digits, or what `recount pin` printed.
    pub fn parse(text: &str) -> Result<Self, AuditError> {
        let bad = |what| AuditError::BadPin { what };
        if unhex(text.trim()).is_some() {
            return Ok(Self { store: None, id: text.trim().to_owned(), seen: None });
        }
        let (head, note) =
            text.split_once("\n\n").ok_or(bad("neither 64 hex digits nor the text of a pin"))?;
        let mut lines = head.lines();
        if lines.next() != Some(TITLE) {
            return Err(bad("its first line is not that of a pin"));
        }
        let store = lines.next().and_then(|line| line.strip_prefix("store "));
        let id = lines.next().and_then(|line| line.strip_prefix("pin ")).filter(|id| unhex(id).is_some());
        let id = id.ok_or(bad("it has no pin line"))?.to_owned();
        let seen = Note::parse(note.as_bytes()).map_err(bad)?;
        Checkpoint::parse(&seen.text).map_err(bad)?;
        Ok(Self { store: store.map(str::to_owned), id, seen: Some(seen) })
    }

    /// The pin as text.
    pub fn to_text(&self) -> String {
        match (&self.store, &self.seen) {
            (Some(store), Some(seen)) => {
                format!("{TITLE}\nstore {store}\npin {}\n\n{}", self.id, seen.to_text())
            }
            _ => format!("{}\n", self.id),
        }
    }

    /// The pin of a store as it stands; it proves nothing until somebody keeps it elsewhere.
    pub fn of(journal: &Journal) -> Result<Self, AuditError> {
        let mut lines = journal.log_lines(0)?;
        let id = lines.next()?.map(|(line, _)| hex(&Sha256::digest(line))).ok_or(AuditError::NeverSealed)?;
        let bytes = journal.log_file("checkpoint")?.ok_or(AuditError::NeverSealed)?;
        let seen = Note::parse(&bytes).map_err(|what| AuditError::LogDamaged { what: what.to_owned() })?;
        Ok(Self { store: Some(journal.store_id().to_owned()), id, seen: Some(seen) })
    }

    /// What is remembered of a store on this machine, as far as it is whole; and what is not.
    pub fn remembered(keys: &Keyring, store: &str) -> (Option<Self>, Vec<AuditError>) {
        let mut damage = Vec::new();
        let id = whole(keys.pin(), &mut damage);
        let seen = whole(keys.seen(), &mut damage);
        (id.map(|id| Self { store: Some(store.to_owned()), id, seen }), damage)
    }

    /// How many leaves the log had when it was seen.
    pub fn size(&self) -> Option<u64> {
        self.checkpoint().map(|seen| seen.size)
    }

    pub(crate) fn checkpoint(&self) -> Option<Checkpoint> {
        self.seen.as_ref().and_then(|note| Checkpoint::parse(&note.text).ok())
    }
}

fn whole<T>(read: Result<Option<T>, AuditError>, damage: &mut Vec<AuditError>) -> Option<T> {
    read.map_err(|error| damage.push(error)).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sign::Signer;
    use crate::tree::Tree;

    #[test]
    fn a_pin_reads_back_and_other_text_is_none() {
        let seen = Checkpoint::of("recount/ab", &Tree::default()).sign(&[&Signer::new("k", &[1; 32])]);
        let pin = Pin { store: Some("ab".to_owned()), id: "0f".repeat(32), seen: Some(seen) };
        assert_eq!(Pin::parse(&pin.to_text()).expect("a pin"), pin);
        let short = Pin::parse(&format!(" {}\n", pin.id)).expect("a pin");
        assert_eq!((short.id.as_str(), &short.seen), (pin.id.as_str(), &None));
        for bad in ["", "x", &pin.to_text()[1..], &pin.to_text().replace("pin 0f", "pin xx")] {
            assert!(matches!(Pin::parse(bad), Err(AuditError::BadPin { .. })), "{bad}");
        }
    }
}
