//! Epochs: the next key is certified inside the tree, the old one signs a last time and is destroyed.

use world::rfc3339;

use super::{Log, micros};
use crate::error::AuditError;
use crate::leaf::{Epoch, Leaf, Reepoch};
use crate::sign::Signer;

impl Log<'_> {
    pub(super) fn is_epoch_over(&self) -> bool {
        let (options, since) =
            (&self.sealer.options, self.sealer.now().saturating_sub(self.state.epoch_since));
        since < 0
            || since >= micros(options.epoch_time)
            || self.tree.size() - self.state.epoch_at >= options.epoch_leaves
    }

    /// The old key certifies the new one inside the tree, signs a last time and is destroyed.
    pub(super) fn rotate(&mut self, old: &Signer) -> Result<(), AuditError> {
        let (keys, store) = (&self.sealer.keys, self.sealer.journal.store_id());
        let (closed, n) = (self.state.epoch, self.state.epoch + 1);
        let new = keys.make_epoch_key(store, n)?;
        let ts = rfc3339(self.sealer.now());
        self.append(&[Leaf::Epoch(Epoch { n, vkey: new.verifier().vkey(), ts })])?;
        let note = self.sign(old);
        self.turn.replace(&format!("epochs/{closed}.note"), note.to_text().as_bytes(), true)?;
        self.change_keys(closed)
    }

    /// The key of the epoch is lost: the leaf carries the last checkpoint that it signed, which is that of all leaves
    /// before; the log's key and the next one sign in its place. `None` if it is not lost.
    pub(super) fn break_off(&mut self) -> Result<Option<u64>, AuditError> {
        let (keys, store, journal) =
            (&self.sealer.keys, self.sealer.journal.store_id(), &self.sealer.journal);
        let lost = self.state.epoch;
        if matches!(keys.find_epoch_key(store, lost), Ok(Some(_))) {
            return Ok(None);
        }
        let last = journal.log_file("checkpoint")?.ok_or(AuditError::NeverSealed)?;
        let last = String::from_utf8_lossy(&last).into_owned();
        let new = keys.make_epoch_key(store, lost + 1)?;
        let (n, vkey, ts) = (lost + 1, new.verifier().vkey(), rfc3339(self.sealer.now()));
        self.append(&[Leaf::Reepoch(Reepoch { n, vkey, last, ts })])?;
        let note = self.sign(&new);
        self.turn.replace(&format!("epochs/{lost}.note"), note.to_text().as_bytes(), true)?;
        self.change_keys(lost)?;
        Ok(Some(lost))
    }

    /// The second half of a rotation: an interrupted one is taken up here.
    pub(super) fn change_keys(&mut self, closed: u64) -> Result<(), AuditError> {
        let (keys, store) = (&self.sealer.keys, self.sealer.journal.store_id());
        let note = self.sign(&keys.epoch_key(store, closed + 1)?);
        self.turn.replace("checkpoint", note.to_text().as_bytes(), true)?;
        keys.destroy_epoch_key(closed)?;
        keys.remember_seen(&note)?;
        (self.state.epoch, self.state.epoch_at) = (closed + 1, self.tree.size());
        self.state.epoch_since = self.sealer.now();
        Ok(())
    }
}
