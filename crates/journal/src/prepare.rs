//! What an append writes, made ready: payloads in the form in which a line carries them, and their salts.

use std::borrow::Cow;

use event::{Draft, Kind};
use redact::Clean;
use serde_json::{Map, Value};

use crate::blobs::{self, NewBlob};
use crate::error::{Context, JournalError};
use crate::store::{Journal, hex};

/// A clean draft with its payload in the form in which a line carries it.
pub(crate) struct Prepared<'a> {
    pub(crate) draft: &'a Draft,
    pub(crate) data: Cow<'a, Map<String, Value>>,
}

impl<'a> Prepared<'a> {
    pub(crate) fn of(draft: &'a Draft) -> Self {
        Self { draft, data: Cow::Borrowed(&draft.data) }
    }

    /// The same, borrowed.
    pub(crate) fn again(&'a self) -> Self {
        Self { draft: self.draft, data: Cow::Borrowed(&self.data) }
    }

    /// The draft as it is written at `seq`: a second `session.opened` is an update.
    pub(crate) fn at(&self, seq: u64) -> Cow<'_, Draft> {
        let reopened = seq > 0 && self.draft.kind == *"session.opened";
        if !reopened
            && matches!(self.data, Cow::Borrowed(data) if std::ptr::eq(data, &raw const self.draft.data))
        {
            return Cow::Borrowed(self.draft);
        }
        let mut draft = Draft { data: self.data.clone().into_owned(), ..self.draft.clone() };
        if reopened {
            draft.kind = Kind::of("session.updated");
        }
        Cow::Owned(draft)
    }
}

/// Moves large payloads out of the drafts; most have none and are borrowed as they are.
pub(crate) fn prepare(cleans: &[Clean]) -> (Vec<Prepared<'_>>, Vec<NewBlob>) {
    let mut blobs = Vec::new();
    let prepared = cleans.iter().map(|clean| {
        let draft = clean.draft();
        if blobs::is_small(&draft.data) {
            return Prepared::of(draft);
        }
        let (data, mut new) = blobs::split(&draft.data, blobs::LINE_BUDGET_BYTES);
        blobs.append(&mut new);
        Prepared { draft, data: Cow::Owned(data) }
    });
    let prepared = prepared.collect();
    (prepared, blobs)
}

/// Fresh salts, drawn at once: one system call a batch.
pub(crate) struct Salts {
    bytes: Vec<u8>,
}

impl Salts {
    pub(crate) fn draw(journal: &Journal, count: usize) -> Result<Self, JournalError> {
        let mut bytes = vec![0; count * 16];
        journal.world.chance.fill(&mut bytes).at("draw salts for", &journal.layout.journal)?;
        // 16 zeros mean "erased": as likely as guessing a key, and never written
        if bytes.chunks(16).any(|salt| salt.iter().all(|b| *b == 0)) {
            let weak = std::io::Error::other("the system's randomness gave only zeros");
            return Err(weak).at("draw salts for", &journal.layout.journal);
        }
        Ok(Self { bytes })
    }

    pub(crate) fn next(&mut self) -> String {
        let rest = self.bytes.len().saturating_sub(16);
        let salt = hex(&self.bytes[rest..]);
        self.bytes.truncate(rest);
        salt
    }
}
