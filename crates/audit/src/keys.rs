//! The keys of a store as they are here, and what can be done when one is lost or damaged.
//!
//! | lost | then |
//! |---|---|
//! | `log.pub`, `pin`, `seen` | written anew, from the log as it is signed |
//! | the key of the epoch | the epoch is broken off: a `reepoch` leaf carries the last checkpoint that it signed, and the next key goes on |
//! | the key of the log | nobody can sign in this log's name again: the store verifies as it is and gets no further seal; a new store goes on, and its log says from where (`restore`) |
//!
//! What is written anew is only as good as the log as it stands: compare it with a pin kept elsewhere first.

use std::path::PathBuf;

use journal::Journal;
use sha2::{Digest as _, Sha256};

use crate::error::AuditError;
use crate::keyring::Keyring;
use crate::note::{Checkpoint, Note};
use crate::sealer::Sealer;
use crate::tree::hex;

/// How a file beside the keys is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It is what it should be; with what can be shown of it.
    Whole(String),
    /// It is not there.
    Missing,
    /// It is there, and is not what was written.
    Damaged(&'static str),
}

/// One file beside the keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its name.
    pub file: String,
    /// What it is for.
    pub is: &'static str,
    /// How it is.
    pub standing: Standing,
}

/// What was put right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mended {
    /// `log.pub` is that of the key again.
    PublicKey,
    /// The pin is remembered again.
    Pin,
    /// The last checkpoint is remembered again.
    Seen,
    /// The key of this epoch is lost, the next one goes on.
    Epoch(u64),
}

fn standing(read: Result<Option<String>, AuditError>) -> Result<Standing, AuditError> {
    match read {
        Ok(Some(shown)) => Ok(Standing::Whole(shown)),
        Ok(None) => Ok(Standing::Missing),
        Err(AuditError::KeyFile { what, .. }) => Ok(Standing::Damaged(what)),
        Err(error) => Err(error),
    }
}

/// The epoch that signs now: one more than notes of closed ones.
fn epoch(journal: &Journal) -> Result<u64, AuditError> {
    let names = journal.log_notes()?;
    let closed = names.iter().filter_map(|name| name.strip_suffix(".note")?.parse::<u64>().ok()).max();
    Ok(closed.map_or(0, |closed| closed + 1))
}

/// Every file that should stand beside the keys of a store that is sealed here.
pub fn kept(journal: &Journal, keys: &Keyring) -> Result<Vec<Kept>, AuditError> {
    let store = journal.store_id();
    let epoch = epoch(journal)?;
    let log_key = keys.find_log_key(store);
    let public = keys.public_key().map(|key| key.map(|key| key.vkey()));
    let mut public = standing(public)?;
    if let (Ok(Some(key)), Standing::Whole(shown)) = (&log_key, &public)
        && key.verifier().vkey() != *shown
    {
        public = Standing::Damaged("it is not the public half of log.key");
    }
    let vkey = |key: Option<crate::Signer>| key.map(|key| key.verifier().vkey());
    let seen = keys.seen().map(|note| note.and_then(|note| Checkpoint::parse(&note.text).ok()));
    let seen =
        seen.map(|seen| seen.map(|seen| format!("size {}, root {}", seen.size, &hex(&seen.root)[..16])));
    let kept = |file: &str, is, standing| Kept { file: file.to_owned(), is, standing };
    Ok(vec![
        kept("log.key", "signs every checkpoint", standing(log_key.map(vkey))?),
        kept("log.pub", "what others check it with", public),
        kept(
            &format!("epoch-{epoch}.key"),
            "signs until the epoch ends",
            standing(keys.find_epoch_key(store, epoch).map(vkey))?,
        ),
        kept("pin", "whose log this is", standing(keys.pin())?),
        kept("seen", "the last checkpoint signed here", standing(seen)?),
    ])
}

/// The log's files for who wants to look at the public key: PEM and vkey, if the key is here.
pub fn public_key_file(keys: &Keyring) -> PathBuf {
    keys.folder().join("log.pub")
}

/// Puts right what can be. Without the log's key nothing can.
pub fn recover(sealer: &Sealer) -> Result<Vec<Mended>, AuditError> {
    let (journal, keys) = (sealer.journal(), sealer.keys());
    let store = journal.store_id();
    let bytes = journal.log_file("checkpoint")?.ok_or(AuditError::NeverSealed)?;
    let key = keys.log_key(store)?;
    let note = Note::parse(&bytes).map_err(|what| AuditError::LogDamaged { what: what.to_owned() })?;
    if !note.is_signed_by(&key.verifier()) {
        let what = "its last checkpoint is not signed by the key of this store".to_owned();
        return Err(AuditError::LogDamaged { what });
    }
    let mut mended = Vec::new();
    if keys.mend_public_key(&key)? {
        mended.push(Mended::PublicKey);
    }
    if !matches!(keys.pin(), Ok(Some(_))) {
        let first = journal.log_lines(0)?.next()?.map(|(line, _)| hex(&Sha256::digest(line)));
        keys.remember_pin(&first.ok_or(AuditError::NeverSealed)?)?;
        mended.push(Mended::Pin);
    }
    if !matches!(keys.seen(), Ok(Some(_))) {
        keys.forget_seen()?;
        keys.remember_seen(&note)?;
        mended.push(Mended::Seen);
    }
    mended.extend(sealer.reepoch()?.map(Mended::Epoch));
    Ok(mended)
}
