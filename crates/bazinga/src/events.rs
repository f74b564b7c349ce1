//! Events of a type of the caller's own: `x.<type>`.

use event::{Event, Kind};
use recorder::{Recorder, Store};
use serde_json::{Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{draft, events_of, named, record, redacted, time};
use crate::words::{group as check_group, json as parse, some};

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

fn kind(subtype: &str) -> Result<Kind, BazingaError> {
    let takes = "1 to 64 of a-z, 0-9, _, - and .";
    Kind::known(&format!("x.{subtype}")).map_err(|_| BazingaError::value("the event's type", takes))
}

/// `save-event`: under a key that is known, the event that stands there is the answer.
pub fn save_event(recorder: &mut Recorder, told: Told<'_>) -> Result<Answer, BazingaError> {
    some("the session id", told.session)?;
    let kind = kind(told.subtype)?;
    told.group.map(check_group).transpose()?;
    let payload = parse("the payload", told.payload)?;
    let key = told.key.map(|key| format!("{kind}.{}.{key}", told.group.unwrap_or("global")));
    let mut draft = draft(told.session, "x.event").with("group", told.group).data("body", payload);
    draft.kind = kind;
    draft.key.clone_from(&key);
    let known = match &key {
        Some(_) => known(&recorder.store(), told, &draft.kind)?,
        None => None,
    };
    let idempotent = known.is_some();
    let event = known.map_or_else(|| record(recorder, draft), Ok)?;
    let mut answer = json!({
        "success": true, "event_id": event.seq, "session_id": told.session, "event_subtype": told.subtype,
        "redacted": redacted(&event),
    });
    if idempotent {
        answer["idempotent"] = true.into();
    }
    Ok(Answer::of(answer).saying(format!("✓ Saved {} event (id={})", told.subtype, event.seq)))
}

/// The event that was told under the key. A key with a secret in it is stored without: the mark counts.
fn known(store: &Store, told: Told<'_>, kind: &Kind) -> Result<Option<Event>, BazingaError> {
    let Some(session) = named(store, told.session)? else { return Ok(None) };
    let found = events_of(store.journal(), &session, &|name| name == kind.as_str())?;
    let key = format!("claimed:{kind}.{}.{}", told.group.unwrap_or("global"), told.key.unwrap_or_default());
    Ok(found.into_iter().find(|event| event.text("key") == Some(&key)))
}

/// `get-events`: the newest first.
pub fn saved_events(
    store: &Store,
    session: &str,
    subtype: Option<&str>,
    limit: usize,
) -> Result<Answer, BazingaError> {
    let wanted = subtype.map(kind).transpose()?;
    let is = |kind: &str| match &wanted {
        Some(wanted) => *wanted == kind,
        None => kind.starts_with("x.") && !OWN.contains(&kind),
    };
    let found = match named(store, session)? {
        Some(id) => events_of(store.journal(), &id, &is)?,
        None => Vec::new(),
    };
    let rows = found.iter().rev().take(limit).map(|event| {
        let subtype = event.kind.as_str().strip_prefix("x.").unwrap_or_default();
        json!({
            "id": event.seq, "session_id": session, "timestamp": time(event), "event_subtype": subtype,
            // a text with JSON in it, as it was given
            "event_payload": event.data.get("body").map(Value::to_string),
        })
    });
    Ok(Answer::of(rows.collect::<Vec<_>>()))
}
