//! Events of a type of the caller's own: `x.<type>`.

use orchestrate::events::{self, NewEvent, OwnEvent};
use recorder::{Recorder, Store};
use serde_json::json;

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{events_of, named, redacted, written};
use crate::words::{json as parse, some};

/// Types that stand for something else in the journal.
const OWN: &[&str] = &["x.context_package", "x.context_consumed", "x.consumption_saved"];

/// What happened, in the caller's words.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The session.
    pub session: &'a str,
    /// Its type.
    pub subtype: &'a str,
    /// What it says, as JSON.
    pub payload: &'a str,
    /// Told once under this key.
    pub key: Option<&'a str>,
    /// The group.
    pub group: Option<&'a str>,
}

/// `save-event`: under a key that is known, the event that stands there is the answer.
pub fn save_event(recorder: &mut Recorder, told: Told<'_>) -> Result<Answer, BazingaError> {
    some("the session id", told.session)?;
    some("the event's type", told.subtype)?;
    let payload = parse("the payload", told.payload)?;
    let kind = events::kind_of(told.subtype);
    let key = told.key.map(|key| format!("{kind}.{}.{key}", told.group.unwrap_or("global")));
    let standing = match &key {
        Some(key) => standing(&recorder.store(), told.session, &kind, key)?,
        None => None,
    };
    let idempotent = standing.is_some();
    let (id, redacted) = if let Some(found) = standing {
        found
    } else {
        let (session, name) = (told.session.to_owned(), told.subtype.to_owned());
        let group = told.group.map(str::to_owned);
        let saved = events::save(recorder, NewEvent { session, name, payload, group, agent: None, key })?;
        (saved.seq, saved.redacted)
    };
    let mut answer = json!({
        "success": true, "event_id": id, "session_id": told.session, "event_subtype": told.subtype,
        "redacted": redacted,
    });
    if idempotent {
        answer["idempotent"] = true.into();
    }
    Ok(Answer::of(answer).saying(format!("✓ Saved {} event (id={id})", told.subtype)))
}

/// The event that was told under the key: its sequence, and whether a secret was taken out of it.
fn standing(
    store: &Store,
    session: &str,
    kind: &str,
    key: &str,
) -> Result<Option<(u64, bool)>, BazingaError> {
    let Some(session) = named(store, session)? else { return Ok(None) };
    let found = events_of(store.journal(), &session, &|name| name == kind)?;
    let key = format!("claimed:{key}");
    let found = found.iter().find(|event| event.text("key") == Some(&key));
    Ok(found.map(|event| (event.seq, redacted(event))))
}

/// `get-events`: the newest first.
pub fn saved_events(
    store: &Store,
    session: &str,
    subtype: Option<&str>,
    limit: usize,
) -> Result<Answer, BazingaError> {
    let found = match named(store, session)? {
        Some(id) => {
            events::get(store, id.as_str(), subtype, if subtype.is_some() { limit } else { usize::MAX })?
        }
        None => Vec::new(),
    };
    let own = |event: &&OwnEvent| subtype.is_some() || !OWN.contains(&event.kind.as_str());
    let rows = found.iter().filter(own).take(limit).map(|event| {
        json!({
            "id": event.seq, "session_id": session, "timestamp": written(&event.at),
            // a text with JSON in it, as it was given
            "event_subtype": event.name, "event_payload": event.payload.to_string(),
        })
    });
    Ok(Answer::of(rows.collect::<Vec<_>>()))
}
