//! Taking up the log where it was signed last, or beginning it.

use journal::LogTurn;
use sha2::{Digest as _, Sha256};
use world::rfc3339;

use super::Log;
use super::signed::{check_seen, known, last_signed, replay};
use crate::cache::State;
use crate::error::AuditError;
use crate::keyring::origin;
use crate::leaf::{Genesis, Leaf};
use crate::sealer::Sealer;
use crate::sign::Signer;
use crate::tree::{Tree, hex, leaf_hash};

impl<'a> Log<'a> {
    pub(super) fn open(sealer: &'a Sealer, turn: LogTurn) -> Result<Self, AuditError> {
        let (journal, keys) = (&sealer.journal, &sealer.keys);
        let store = journal.store_id();
        let Some(signed) = last_signed(journal)? else {
            return Self::begin(sealer, turn);
        };
        let log_key = keys.log_key(store)?;
        if signed.checkpoint.origin != origin(store) || !signed.note.is_signed_by(&log_key.verifier()) {
            let what = "its last checkpoint is not signed by the key of this store".to_owned();
            return Err(AuditError::LogDamaged { what });
        }
        check_seen(keys, &log_key, &signed.checkpoint)?;
        let known = known(journal, &signed.checkpoint)?;
        let (state, tree) = if let Some(known) = known {
            known
        } else {
            turn.forget_heads()?;
            let (state, tree) = replay(journal, &signed.checkpoint)?;
            if let Some(closed) = state.epoch.checked_sub(1).filter(|_| signed.closes.is_none()) {
                // a rotation may have got as far as the new key's first checkpoint
                keys.destroy_epoch_key(closed)?;
            }
            (state, tree)
        };
        if turn.bytes()? < state.bytes {
            return Err(AuditError::LogDamaged { what: "leaves are missing".to_owned() });
        }
        let mut log = Self { sealer, turn, key: log_key, state, tree };
        if let Some(closed) = signed.closes {
            log.change_keys(closed)?;
        }
        if keys.pin()?.is_none() {
            log.remember_pin()?;
        }
        Ok(log)
    }

    /// The log begins: keys, genesis, pin remembered, first checkpoint. Whoever did not live to sign it is
    /// known by the pin.
    pub(super) fn begin(sealer: &'a Sealer, turn: LogTurn) -> Result<Self, AuditError> {
        let (journal, keys) = (&sealer.journal, &sealer.keys);
        let damaged = |what: &str| AuditError::LogDamaged { what: what.to_owned() };
        let mut lines = journal.log_lines(0)?;
        let first = lines.next()?.map(|(line, end)| (line.to_vec(), end));
        if first.is_some() && lines.next()?.is_some() {
            return Err(damaged("it has leaves and no checkpoint"));
        }
        let pin = keys.pin()?;
        let begun =
            first.filter(|(line, _)| pin.as_ref().is_some_and(|pin| *pin == hex(&Sha256::digest(line))));
        if pin.is_some() && begun.is_none() {
            return Err(damaged("it is gone, and its pin is remembered"));
        }
        let log_key = keys.make_log_key(journal.store_id())?;
        let epoch_key = keys.make_epoch_key(journal.store_id(), 0)?;
        let (boot, epoch_since) = (journal.world().boot_id.clone(), sealer.now());
        let state = State { epoch_since, boot, ..State::default() };
        let mut log = Self { sealer, turn, key: log_key, state, tree: Tree::default() };
        if let Some((line, end)) = begun {
            log.tree.push(leaf_hash(&line));
            log.state.bytes = end;
        } else {
            let genesis = log.genesis(&epoch_key)?;
            log.append(std::slice::from_ref(&genesis))?;
            keys.remember_pin(&hex(&Sha256::digest(genesis.to_line())))?;
        }
        let note = log.sign(&epoch_key);
        log.turn.replace("checkpoint", note.to_text().as_bytes(), true)?;
        Ok(log)
    }

    fn genesis(&self, epoch_key: &Signer) -> Result<Leaf, AuditError> {
        let journal = &self.sealer.journal;
        Ok(Leaf::Genesis(Genesis {
            store: journal.store_id().to_owned(),
            origin: origin(journal.store_id()),
            store_file: hex(&Sha256::digest(journal.store_file()?)),
            log_vkey: self.key.verifier().vkey(),
            epoch_vkey: epoch_key.verifier().vkey(),
            ts: rfc3339(self.sealer.now()),
        }))
    }

    /// The pin of a log that was signed with our key, and that this machine does not remember.
    fn remember_pin(&self) -> Result<(), AuditError> {
        let mut lines = self.sealer.journal.log_lines(0)?;
        let pin = lines.next()?.map(|(line, _)| hex(&Sha256::digest(line)));
        pin.map_or(Ok(()), |pin| self.sealer.keys.remember_pin(&pin))
    }
}
