//! Erasing: an order in the chain, sealed at once, then the bytes, then every other place the text stands in.
//!
//! ```text
//! allowed? ─▶ order signed ─▶ appended (synced) ─▶ sealed with an `erased` leaf ─▶ slots overwritten, read back
//!          ─▶ torn files, blobs, copies, index ─▶ audit.swept ─▶ sealed
//! ```
//! A crash after the order loses nothing of it: who opens the session next overwrites, and [`Eraser::finish`]
//! sweeps what was ordered and not swept. The order is sealed before the bytes go, with the session's lock free:
//! sealing waits for writers. Until the bytes are gone readers see them as erased.

mod order;
mod sweep;

use event::SessionId;
use journal::{Journal, Receipt, Target};
use recorder::Store;
use redact::Redactor;
use serde_json::{Map, Value};

use crate::basis::Basis;
use crate::error::AuditError;
use crate::holds::Holds;
use crate::leaf::{Erased, Leaf};
use crate::sealer::Sealer;
use crate::sshsig::Hand;

pub use sweep::{Sweep, owes_sweep};

/// What a signature under an order is for.
pub(crate) const NAMESPACE: &str = "recount-erase";

/// What somebody asks to be erased.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The session.
    pub session: SessionId,
    /// The event.
    pub seq: u64,
    /// Members; none means all.
    pub fields: Vec<String>,
    /// Why.
    pub basis: Basis,
    /// Where it was asked for.
    pub ticket: String,
    /// In words.
    pub reason: Option<String>,
    /// What readers are to see instead, by member.
    pub replacement: Map<String, Value>,
}

/// One event from which something was erased.
#[derive(Debug, Clone)]
pub struct Erasure {
    /// The session.
    pub session: SessionId,
    /// The event.
    pub seq: u64,
    /// Members that are gone.
    pub fields: Vec<String>,
    /// The order.
    pub order: Receipt,
    /// The leaf that mirrors it; `None` if it could not be sealed.
    pub leaf: Option<u64>,
    /// Why it could not.
    pub unsealed: Option<String>,
    /// Who signed the order.
    pub by: String,
}

/// What erasing did.
#[derive(Debug, Clone, Default)]
pub struct Done {
    /// By event.
    pub erasures: Vec<Erasure>,
    /// The places beside.
    pub sweep: Sweep,
    /// Other events in which the same text stands.
    pub elsewhere: Vec<(SessionId, u64)>,
}

/// Erases from one store.
pub struct Eraser<'a> {
    sealer: &'a Sealer,
    redactor: &'a Redactor,
    index: Option<&'a Store>,
    hand: &'a dyn Hand,
}

impl std::fmt::Debug for Eraser<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Eraser({})", self.hand.principal())
    }
}

impl<'a> Eraser<'a> {
    /// An eraser that seals with `sealer`; what it writes down passes the redactor, and `hand` signs.
    pub fn new(sealer: &'a Sealer, redactor: &'a Redactor, hand: &'a dyn Hand) -> Self {
        Self { sealer, redactor, index: None, hand }
    }

    /// Sweeps the index of this store, too.
    #[must_use]
    pub fn with_index(self, store: &'a Store) -> Self {
        Self { index: Some(store), ..self }
    }

    /// Erases. All orders are checked before the first is given.
    pub fn erase(&self, asks: &[Ask]) -> Result<Done, AuditError> {
        let journal = self.sealer.journal();
        let targets: Vec<Target> = asks.iter().map(|ask| plan(journal, ask)).collect::<Result<_, _>>()?;
        // where nothing can be sealed nothing is ordered
        self.sealer.begin()?;
        let mut done = Done::default();
        let mut traces = sweep::Traces::default();
        for (ask, target) in asks.iter().zip(&targets) {
            traces.take(self.sealer.journal(), target)?;
            done.erasures.push(self.erase_one(ask, target)?);
        }
        let orders: Vec<(SessionId, u64)> =
            done.erasures.iter().map(|erasure| (erasure.session.clone(), erasure.order.seq)).collect();
        done.sweep = self.sweep(&orders, Some(&traces))?;
        done.elsewhere = traces.elsewhere(self.sealer.journal())?;
        Ok(done)
    }

    fn erase_one(&self, ask: &Ask, target: &Target) -> Result<Erasure, AuditError> {
        let journal = self.sealer.journal();
        let order = self.order(ask, target)?;
        let receipt = self.writer(&ask.session).order_erasure(&order, target)?;
        let leaf = |ts| {
            Leaf::Erased(Erased {
                session: ask.session.to_string(),
                seq: ask.seq,
                order: receipt.seq,
                hash: receipt.hash.clone(),
                basis: ask.basis,
                ts,
            })
        };
        // the order stands: whatever becomes of its seal, the text goes; the next round seals it
        let sealed = journal.hint_unsealed(&ask.session).map_err(AuditError::from);
        let sealed = sealed.and_then(|()| self.sealer.with_leaf(leaf));
        if !journal.finish_erasure(&ask.session)? {
            let (session, seq) = (ask.session.to_string(), ask.seq);
            return Err(AuditError::NotErased { session, seq });
        }
        let fields = target.slots.iter().map(|slot| slot.field.clone()).collect();
        let (leaf, unsealed) = match sealed {
            Ok(sealed) => {
                let stuck = sealed.stuck.into_iter().find(|(session, _)| *session == ask.session);
                (sealed.own, stuck.map(|(_, what)| what))
            }
            Err(error) => (None, Some(error.to_string())),
        };
        let (session, seq, by) = (ask.session.clone(), ask.seq, self.hand.principal());
        Ok(Erasure { session, seq, fields, order: receipt, leaf, unsealed, by })
    }
}

/// What would be erased, or why it may not be. Writes nothing.
pub fn plan(journal: &Journal, ask: &Ask) -> Result<Target, AuditError> {
    allowed(&Holds::of(journal)?, ask.session.as_str(), ask.basis)?;
    Ok(journal.target(&ask.session, ask.seq, &ask.fields)?)
}

/// A hold goes before everything but a court's order.
fn allowed(holds: &Holds, session: &str, basis: Basis) -> Result<(), AuditError> {
    match holds.case_of(session).filter(|_| basis != Basis::Court) {
        Some(case) => Err(AuditError::Held { session: session.to_owned(), case: case.to_owned() }),
        None => Ok(()),
    }
}
