//! What the formats share: the events of a session as they are told, blobs put back where they stood.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use event::{Event, SessionId};
use journal::{Journal, JournalError, blob_refs};
use recorder::{RecorderError, Store};
use serde_json::Value;

use super::ExportError;

/// The events of a session in journal order, each told once.
pub(super) struct Told {
    pub(super) events: Vec<Event>,
    pub(super) damaged: u64,
}

/// Reads a session up to a sequence; duplicates are left out, as every reader does.
pub(super) fn told(store: &Store, session: &SessionId, until: u64) -> Result<Told, ExportError> {
    let timeline = store.timeline(session)?;
    let mut damaged = timeline.damaged;
    let mut rows: Vec<_> =
        timeline.rows.iter().filter(|row| row.session == *session && row.step.seq() <= until).collect();
    rows.sort_unstable_by_key(|row| row.step.seq());
    let (mut fetcher, mut events) = (store.fetcher(), Vec::with_capacity(rows.len()));
    for row in rows {
        match fetcher.event(session, &row.step.pointer) {
            Ok(mut event) => {
                for value in event.data.map_mut().values_mut() {
                    put_back(store.journal(), value)?;
                }
                events.push(event);
            }
            Err(JournalError::Damaged(_)) => damaged += 1,
            Err(error) => return Err(RecorderError::from(error).into()),
        }
    }
    Ok(Told { events, damaged })
}

/// Puts the content of every blob back where it stood.
fn put_back(journal: &Journal, value: &mut Value) -> Result<(), ExportError> {
    if blob_refs(value).is_empty() {
        return Ok(());
    }
    if let Some(reference) = value.get("blob").and(blob_refs(value).into_iter().next()) {
        let content = journal.blob(&reference.id).map_err(RecorderError::from)?;
        *value = match reference.media.as_str() {
            "text/plain" => String::from_utf8_lossy(&content).into_owned().into(),
            "application/json" => serde_json::from_slice(&content).unwrap_or_default(),
            media if media.starts_with("data:") => format!("{media},{}", STANDARD.encode(&content)).into(),
            _ => STANDARD.encode(&content).into(),
        };
        return Ok(());
    }
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(|item| put_back(journal, item)),
        Value::Object(map) => map.values_mut().try_for_each(|item| put_back(journal, item)),
        _ => Ok(()),
    }
}

/// A value as text: a string as it is, anything else as JSON.
pub(super) fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The member that says most of an event.
pub(super) fn main_text(event: &Event) -> String {
    const TELLING: [&str; 12] = [
        "text",
        "summary",
        "message",
        "output",
        "error",
        "input",
        "prompt",
        "result",
        "reasoning",
        "reason",
        "title",
        "body",
    ];
    let member = TELLING.iter().find_map(|name| event.data.get(*name));
    match member.or_else(|| event.data.values().next()) {
        Some(Value::Array(lines)) => lines.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        Some(value) => text_of(value),
        None => String::new(),
    }
}
