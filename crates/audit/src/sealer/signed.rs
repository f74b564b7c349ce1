//! What was signed last, and whether it is what this machine saw.

use journal::Journal;

use crate::cache::{self, State};
use crate::error::AuditError;
use crate::keyring::Keyring;
use crate::leaf::{Epoch, Leaf, Reepoch};
use crate::note::{Checkpoint, Note};
use crate::sign::Signer;
use crate::tree::{Tree, leaf_hash};

/// What is signed: the checkpoint, or an epoch's note that is ahead of it.
pub(super) struct Signed {
    pub(super) checkpoint: Checkpoint,
    pub(super) note: Note,
    /// The epoch whose last checkpoint this is.
    pub(super) closes: Option<u64>,
}

fn parsed(bytes: &[u8]) -> Result<(Checkpoint, Note), AuditError> {
    let note = Note::parse(bytes).and_then(|note| Ok((Checkpoint::parse(&note.text)?, note)));
    note.map_err(|what| AuditError::LogDamaged { what: format!("its checkpoint is no signed note: {what}") })
}

/// The largest size that was signed; `None` if nothing was.
pub(super) fn last_signed(journal: &Journal) -> Result<Option<Signed>, AuditError> {
    let mut last = match journal.log_file("checkpoint")? {
        Some(bytes) => {
            let (checkpoint, note) = parsed(&bytes)?;
            Some(Signed { checkpoint, note, closes: None })
        }
        None => None,
    };
    let epochs = journal.log_notes()?;
    let newest = epochs.iter().filter_map(|name| name.strip_suffix(".note")?.parse::<u64>().ok()).max();
    if let Some(epoch) = newest
        && let Some(bytes) = journal.log_file(&format!("epochs/{epoch}.note"))?
    {
        let (checkpoint, note) = parsed(&bytes)?;
        if last.as_ref().is_none_or(|last| last.checkpoint.size < checkpoint.size) {
            last = Some(Signed { checkpoint, note, closes: Some(epoch) });
        }
    }
    Ok(last)
}

/// A log that is behind what was signed here before is another log, or an old copy: it gets no signature.
pub(super) fn check_seen(keys: &Keyring, log_key: &Signer, signed: &Checkpoint) -> Result<(), AuditError> {
    let Some(note) = keys.seen()?.filter(|note| note.is_signed_by(&log_key.verifier())) else {
        return Ok(());
    };
    let Ok(seen) = Checkpoint::parse(&note.text) else { return Ok(()) };
    let what = match seen.size.cmp(&signed.size) {
        std::cmp::Ordering::Greater => "is shorter than",
        std::cmp::Ordering::Equal if seen.root != signed.root => "is not the one of",
        _ => return Ok(()),
    };
    Err(AuditError::Behind { what, seen: seen.size })
}

/// The cached state, if it is that of the signed tree and was written in this boot.
pub(super) fn known(journal: &Journal, signed: &Checkpoint) -> Result<Option<(State, Tree)>, AuditError> {
    let state = journal.log_file("state")?.and_then(|bytes| cache::from_bytes::<State>(&bytes));
    let state = state.filter(|state| state.boot == journal.world().boot_id);
    let Some(state) = state else { return Ok(None) };
    let tree = state.tree.tree().filter(|tree| tree.size() == signed.size && tree.root() == signed.root);
    Ok(tree.map(|tree| (state, tree)))
}

/// The state, read again from the leaves.
pub(super) fn replay(journal: &Journal, signed: &Checkpoint) -> Result<(State, Tree), AuditError> {
    let mut state = State { boot: journal.world().boot_id.clone(), ..State::default() };
    let mut tree = Tree::default();
    let mut lines = journal.log_lines(0)?;
    while tree.size() < signed.size {
        let Some((line, end)) = lines.next()? else { break };
        tree.push(leaf_hash(line));
        state.bytes = end;
        if let Ok(Leaf::Epoch(Epoch { n, .. }) | Leaf::Reepoch(Reepoch { n, .. })) = Leaf::parse(line) {
            (state.epoch, state.epoch_at) = (n, tree.size());
        }
    }
    if tree.size() == signed.size && tree.root() == signed.root {
        return Ok((state, tree));
    }
    Err(AuditError::LogDamaged { what: "its leaves do not hash to the signed root".to_owned() })
}
