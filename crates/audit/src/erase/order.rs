//! The order: what goes and why, as facts; the eraser's own words, redacted; and a signature over all of it.

use event::{Draft, Kind, Origin, SessionId, json_text};
use journal::{Durability, Slot, Target, Writer, statement, stored_form};
use redact::{Clean, Fact};

use super::{Ask, Eraser, NAMESPACE};
use crate::error::AuditError;
use crate::tree::hex;

impl Eraser<'_> {
    /// A way into the session past the recorder: it is there, so it needs no opening.
    pub(crate) fn writer(&self, session: &SessionId) -> Writer {
        let opened = Clean::system(session.clone(), "session.opened", vec![], vec![]);
        self.sealer.journal().writer(opened, Durability::Always)
    }

    pub(crate) fn order(&self, ask: &Ask, target: &Target) -> Result<Clean, AuditError> {
        let mut draft = Draft::new(ask.session.as_str(), Kind::of("audit.erased"), Origin::Observed)
            .with("target", ask.seq)
            .data("ticket", ask.ticket.as_str())
            .data("by", self.hand.principal());
        if let Some(reason) = &ask.reason {
            draft = draft.data("reason", reason.as_str());
        }
        if !ask.replacement.is_empty() {
            draft = draft.data("replacement", ask.replacement.clone());
        }
        let what = Fact::Fields(vec![
            ("hash", Fact::Hex(target.hash.clone())),
            ("basis", Fact::Word(ask.basis.word())),
            ("fields", Fact::List(target.slots.iter().map(slot).collect())),
        ]);
        let session = ask.session.to_string();
        let redacted = self.redactor.clean(draft);
        let redacted = redacted
            .map_err(|source| AuditError::Recorder(recorder::RecorderError::Redact { session, source }))?;
        let order = redacted.with_facts(vec![("order", what)]);
        let data = stored_form(&order.draft().data);
        let members: Vec<(&str, String)> =
            data.iter().map(|(name, value)| (name.as_str(), json_text(value))).collect();
        let members = members.iter().map(|(name, value)| (*name, value.as_str()));
        let text = statement(ask.session.as_str(), ask.seq, members);
        let signature = self.hand.sign(NAMESPACE, &text)?;
        Ok(order.with_facts(vec![("signature", Fact::Hex(hex(signature.armor().as_bytes())))]))
    }
}

fn slot(slot: &Slot) -> Fact {
    Fact::Fields(vec![
        ("field", Fact::Member(slot.field.clone())),
        ("value_at", Fact::Number(slot.value_at)),
        ("slot_bytes", Fact::Number(slot.slot_bytes)),
        ("salt_at", Fact::Number(slot.salt_at)),
    ])
}
