//! The acknowledgement of what was saved: read back from the journal, as it is stored.

use event::{Draft, Event};
use recorder::{Recorded, Recorder};
use serde::Serialize;

use crate::error::OrchestrateError;

/// What became of what was handed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// `session/sequence`.
    pub event: String,
    /// The session, by its id in the store.
    pub session: String,
    /// Its place in the session.
    pub seq: u64,
    /// The hash of its line.
    pub hash: String,
    /// True once it is on the disk.
    pub durable: bool,
    /// When it was recorded.
    pub ts: String,
    /// True if secrets were taken out.
    pub redacted: bool,
    /// True if the same stood there already under its key, and nothing was appended.
    pub known: bool,
    /// Characters of its text as it is stored; 0 if it has none.
    pub chars: u64,
}

/// Records a draft and reads it back.
pub(crate) fn record(recorder: &mut Recorder, draft: Draft) -> Result<(Saved, Event), OrchestrateError> {
    draft.check()?;
    let recorded = recorder.record(draft)?;
    let known = matches!(recorded, Recorded::Known(_));
    let receipt = recorded.receipt().clone();
    let session = event::SessionId::new(&receipt.session).map_err(event::DraftError::from)?;
    let store = recorder.store();
    let event = store.journal().event_at(&session, &receipt.pointer)?;
    let saved = Saved {
        event: event.name(),
        session: receipt.session,
        seq: receipt.seq,
        hash: receipt.hash,
        durable: receipt.durable,
        ts: event.ts.clone(),
        redacted: is_redacted(&event),
        known,
        chars: chars(recorder, &event)?,
    };
    Ok((saved, event))
}

fn chars(recorder: &Recorder, event: &Event) -> Result<u64, OrchestrateError> {
    let Some(text) = event.data.get("text") else { return Ok(0) };
    let text = recorder.store().whole(text)?;
    Ok(text.as_str().map_or(0, |text| text.chars().count() as u64))
}

/// True if secrets were taken out of it.
pub(crate) fn is_redacted(event: &Event) -> bool {
    event.header.contains_key("redacted")
}
