//! Orders to erase: who signed them, and whether the log's mirror of them says the same.

use journal::{Order, SessionReport};

use super::{Demands, Verdict};
use crate::erase::NAMESPACE;
use crate::leaf::Erased;
use crate::sshsig::{AllowedSigners, SshSignature};
use crate::verify::finding::{ERASURE_INVALID, Finding};

/// What is wrong with the orders of a session, and with what the log says of them.
pub(super) fn check(report: &SessionReport, mirrors: &[(u64, Erased)], demands: &Demands) -> Vec<Finding> {
    let found = |seq: u64, msg: String| Finding::new(ERASURE_INVALID, msg).at(&report.session, Some(seq));
    let mut findings = Vec::new();
    for order in &report.orders {
        let wrong = unsigned(order, demands.erasers.as_ref());
        findings.extend(
            wrong.map(|what| found(order.seq, format!("the order to erase {}: {what}", order.target))),
        );
    }
    for (leaf, erased) in mirrors {
        let same = |order: &&Order| {
            order.hash == erased.hash && order.target == erased.seq && order.what.basis == erased.basis.word()
        };
        if !report.orders.iter().any(|order| same(&order)) {
            let msg = format!("the order to erase {} is not the one that leaf {leaf} mirrors", erased.seq);
            findings.push(found(erased.order, msg).leaf(*leaf));
        }
    }
    findings
}

/// A signature that is there must hold; under a policy there must be one, of a key that counts for it then.
pub(crate) fn unsigned(order: &Order, erasers: Option<&AllowedSigners>) -> Option<&'static str> {
    let Some(signature) = &order.signature else {
        return erasers.is_some().then_some("nobody signed it");
    };
    let Some(signature) = unhex(signature).as_deref().and_then(SshSignature::parse) else {
        return Some("its signature is none");
    };
    if !signature.verifies(NAMESPACE, &order.statement) {
        return Some("its signature does not hold");
    }
    let allowed = erasers?;
    let by = order.by.as_deref().unwrap_or_default();
    let counts = allowed.allow(signature.key(), by, NAMESPACE, &order.ts);
    (!counts).then_some("it is signed by a key that does not count for this")
}

fn unhex(text: &str) -> Option<String> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let bytes = text.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
        _ => None,
    });
    String::from_utf8(bytes.collect::<Option<_>>()?).ok()
}

/// What was erased, for people.
pub(super) fn sum_up(verdict: &mut Verdict) {
    let unswept = verdict.sessions.iter().filter(|session| session.unswept > 0);
    let unswept: Vec<String> = unswept
        .map(|session| {
            let (name, count) = (&session.session, session.unswept);
            format!("{name}: {count} erasures are not swept yet; `recount repair {name}` sweeps")
        })
        .collect();
    verdict.notes.extend(unswept);
    let orders = || verdict.sessions.iter().flat_map(|session| &session.orders);
    let (count, replaced) = (orders().count(), orders().filter(|order| !order.replaced.is_empty()).count());
    if count == 0 {
        return;
    }
    let mut note = format!("{count} orders to erase");
    if replaced > 0 {
        note.push_str(&format!(
            "; {replaced} with a text of the eraser's, not provably the rest of the original"
        ));
    }
    verdict.notes.push(note);
}
