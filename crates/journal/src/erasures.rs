//! What is erased of a session against what was ordered: each must have the other.

use std::collections::{BTreeMap, BTreeSet};

use event::{Line, SessionId};

use crate::erase::{Order, Slot};
use crate::error::JournalError;
use crate::finding::{Finding, FindingCode};
use crate::store::Journal;

/// A member that is erased.
struct Gone {
    /// The event's hash, and whether it is one that cannot be erased.
    hash: String,
    own: bool,
    slot: Slot,
    at: (u64, u64),
}

/// Erased members and orders, as they come by.
#[derive(Default)]
pub(crate) struct Erasures {
    gone: BTreeMap<(u64, String), Gone>,
    pub(crate) orders: Vec<Order>,
    /// Orders after which every other place was swept.
    swept: BTreeSet<u64>,
    findings: Vec<Finding>,
}

impl Erasures {
    /// Takes note of a good line.
    pub(crate) fn see(&mut self, line: &Line<'_>, at: (u64, u64)) {
        for member in line.members.iter().filter(|member| member.is_erased()) {
            let (hash, own) = (line.hash.to_owned(), line.kind.starts_with("audit."));
            let gone = Gone { hash, own, slot: Slot::of(member), at };
            self.gone.insert((line.seq, member.name.to_owned()), gone);
        }
        let target = || line.field("target")?.value()?.as_u64();
        match line.kind {
            "audit.erased" => {}
            "audit.swept" => return self.swept.extend(target()),
            _ => return,
        }
        match Order::of(line) {
            Some(order) => self.orders.push(order),
            None => self.findings.push(Finding {
                code: FindingCode::ErasureInvalid,
                session: line.session.to_owned(),
                seq: line.seq,
                segment: at.0,
                offset: at.1,
                cause: "an order to erase that does not say what".to_owned(),
            }),
        }
    }

    /// What does not fit, both ways.
    pub(crate) fn settle(mut self, journal: &Journal, session: &SessionId) -> Result<Settled, JournalError> {
        let mut findings = std::mem::take(&mut self.findings);
        for order in &self.orders {
            for slot in &order.what.fields {
                let named = self.gone.remove(&(order.target, slot.field.clone()));
                let wrong = match named {
                    Some(gone) => is_another(order, slot, &gone).map(|what| (gone.at, what)),
                    None if self.is_repeated(order, slot) => None,
                    None => not_gone(journal, session, order, slot)?.map(|what| ((0, 0), what)),
                };
                findings.extend(wrong.map(|(at, what)| Finding {
                    code: FindingCode::ErasureInvalid,
                    session: session.to_string(),
                    seq: order.seq,
                    segment: at.0,
                    offset: at.1,
                    cause: format!("it orders to erase {} of {}, {what}", slot.field, order.target),
                }));
            }
        }
        findings.extend(self.gone.into_iter().map(|((seq, field), gone)| Finding {
            code: FindingCode::PayloadMissing,
            session: session.to_string(),
            seq,
            segment: gone.at.0,
            offset: gone.at.1,
            cause: format!("field {field} is gone, and no erase event names it"),
        }));
        let unswept = self.orders.iter().filter(|order| !self.swept.contains(&order.seq)).count() as u64;
        Ok(Settled { findings, orders: self.orders, unswept })
    }

    /// True if an order before this one named the same.
    fn is_repeated(&self, order: &Order, slot: &Slot) -> bool {
        let before = self.orders.iter().take_while(|before| before.seq < order.seq);
        before.into_iter().any(|before| before.target == order.target && before.names(&slot.field))
    }
}

/// How an order means another event than the one whose member is gone.
fn is_another(order: &Order, slot: &Slot, gone: &Gone) -> Option<&'static str> {
    if order.target >= order.seq {
        return Some("which is not behind it");
    }
    if gone.own {
        return Some("which says what the audit trail did");
    }
    (gone.hash != order.what.hash || gone.slot != *slot).then_some("and means another event")
}

/// What the orders of a session come to.
pub(crate) struct Settled {
    pub(crate) findings: Vec<Finding>,
    pub(crate) orders: Vec<Order>,
    pub(crate) unswept: u64,
}

/// What is wrong with an order whose member is not erased.
fn not_gone(
    journal: &Journal,
    session: &SessionId,
    order: &Order,
    slot: &Slot,
) -> Result<Option<&'static str>, JournalError> {
    if order.target >= order.seq {
        return Ok(Some("which is not behind it"));
    }
    match journal.event(session, order.target) {
        Ok((event, _)) if event.hash != order.what.hash => Ok(Some("and means another event")),
        Ok((event, _)) if event.data.contains_key(&slot.field) => Ok(Some("which is still there")),
        Ok(_) => Ok(Some("which it never had")),
        // what is damaged or missing is told where it stands
        Err(JournalError::Damaged(_) | JournalError::NoEvent { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
