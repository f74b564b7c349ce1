//! Who signed the log: the log's key everywhere, each epoch's key in its own range, witnesses, and the pin.

use std::collections::{BTreeMap, BTreeSet};

use super::log::{Pass, Signed};
use crate::pin::Pin;
use crate::sign::Verifier;
use crate::verify::finding::{ANCHOR_INVALID, ANCHOR_MISSING, EPOCH, Finding, SIGNATURE, UNTRUSTED};
use crate::verify::{Demands, unwitnessed};

impl Pass<'_> {
    pub(super) fn signatures(
        &mut self,
        checkpoint: Option<&Signed>,
        notes: &BTreeMap<u64, Signed>,
        all: &[&Signed],
    ) {
        let Some(genesis) = &self.genesis else { return };
        let origin = genesis.origin.clone();
        let log_key = Verifier::parse(&genesis.log_vkey).filter(|key| key.name() == origin);
        let Some(log_key) = log_key else {
            return self.found_at(SIGNATURE, 0, "the genesis has no key of the log");
        };
        for signed in all {
            if signed.checkpoint.origin != origin || !signed.note.is_signed_by(&log_key) {
                self.found(SIGNATURE, format!("{} is not signed by the log's key", signed.whose));
            }
        }
        if let Some(signed) = checkpoint {
            self.epoch_signed(signed);
        }
        for n in 0..self.epochs.len().saturating_sub(1) as u64 {
            match notes.get(&n) {
                Some(signed) => self.closed(n, signed),
                None => self.found(EPOCH, format!("epoch {n} has no last checkpoint")),
            }
        }
        for n in notes.keys().filter(|n| **n + 1 >= self.epochs.len() as u64) {
            let msg = format!("a note says that epoch {n} is over, and no leaf begins the next");
            self.checked.findings.push(Finding::new(EPOCH, msg));
        }
    }

    /// A key signs from its own epoch's leaf up to the leaf of the next, and nowhere else.
    fn epoch_signed(&mut self, signed: &Signed) {
        let size = signed.checkpoint.size;
        let ends = self.epochs.iter().skip(1).map(|(index, _)| index + 1).chain([u64::MAX]);
        let fits = self.epochs.iter().zip(ends).filter(|((start, _), end)| *start < size && size <= *end);
        let good = fits.filter_map(|((_, key), _)| key.as_ref()).any(|key| signed.note.is_signed_by(key));
        if !good {
            self.found(EPOCH, format!("{} is not signed by the key of its epoch", signed.whose));
        }
    }

    fn closed(&mut self, n: u64, signed: &Signed) {
        let at = usize::try_from(n).unwrap_or(usize::MAX);
        let next = self.epochs.get(at + 1).map(|(index, _)| index + 1);
        // the next key signs in place of one that was lost
        let by = at + usize::from(self.broken_off.contains(&n));
        let key = self.epochs.get(by).and_then(|(_, key)| key.clone());
        if next != Some(signed.checkpoint.size) {
            self.found(EPOCH, format!("{} has not the size at which the epoch ended", signed.whose));
        }
        if !key.is_some_and(|key| signed.note.is_signed_by(&key)) {
            self.found(EPOCH, format!("{} is not signed by that epoch's own key", signed.whose));
        }
    }

    /// What witnesses say of the signed roots: one of them must have enough.
    pub(super) fn anchors(&mut self, signed: &[&Signed], demands: &Demands) {
        let Some(policy) = &demands.policy else {
            return self.checked.findings.extend(unwitnessed(demands));
        };
        let vkey = self.genesis.as_ref().map(|genesis| genesis.log_vkey.clone()).unwrap_or_default();
        if !policy.logs.is_empty() && !policy.logs.iter().any(|key| key.vkey() == vkey) {
            self.found(UNTRUSTED, "the key of the log is none of the policy's");
        }
        let (mut best, mut enough) = (BTreeSet::new(), false);
        for signed in signed {
            let mut said = BTreeSet::new();
            for (name, key) in &policy.witnesses {
                match signed.note.witnessed_by(key) {
                    Some(Ok(_)) => drop(said.insert(name.clone())),
                    Some(Err(what)) => {
                        self.found(ANCHOR_INVALID, format!("witness {name} on {}: {what}", signed.whose));
                    }
                    None => {}
                }
            }
            enough |= policy.is_enough(&said, demands.anchor);
            best = if said.len() > best.len() { said } else { best };
        }
        let count = format!("{} of {}", best.len(), policy.witnesses.len());
        if enough {
            self.checked.notes.push(format!("witnessed by {count}"));
        } else {
            self.found(
                ANCHOR_MISSING,
                format!("{count} witnesses have seen this log, the policy asks for more"),
            );
        }
    }

    pub(super) fn trust(&mut self, pin: Option<&Pin>) {
        match pin {
            None => self.found(
                UNTRUSTED,
                "self-consistent, but no pin is known: this proves nothing about who wrote it",
            ),
            Some(pin) if pin.id != self.id => {
                self.found(UNTRUSTED, "the pin is another store's, or that of another log");
            }
            Some(_) => {}
        }
    }
}
