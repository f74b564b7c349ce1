//! How times and events are shown in rows.

use std::collections::HashMap;

use event::{Event, SessionId};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use recorder::Store;
use serde_json::{Value, json};

/// Events by the name that people use: where a session's id is ours, by what its caller calls it.
pub(crate) struct Names<'a> {
    store: &'a Store,
    known: HashMap<SessionId, String>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(store: &'a Store) -> Self {
        Self { store, known: HashMap::new() }
    }

    /// `session/sequence`, as `show` takes it.
    pub(crate) fn event(&mut self, session: &SessionId, seq: u64) -> String {
        let name = self.known.entry(session.clone());
        let name =
            name.or_insert_with(|| self.store.original(session).unwrap_or_else(|| session.to_string()));
        format!("{name}/{seq}")
    }
}

/// `2026-11-27 02:11:07`, local unless UTC is wanted; what is no time stays as it is.
pub(crate) fn time(rfc3339: &str, utc: bool) -> String {
    let zone = if utc { TimeZone::UTC } else { TimeZone::system() };
    match rfc3339.parse::<Timestamp>() {
        Ok(instant) => zone.to_datetime(instant).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => rfc3339.to_owned(),
    }
}

/// Who acts, as people call it.
pub(crate) fn actor(event: &Event) -> &str {
    event.text("agent_id").or_else(|| event.text("agent")).unwrap_or("-")
}

/// An event as JSON answers have it.
pub(crate) fn event_json(event: &Event) -> Value {
    let mut value = json!({
        "event": event.name(),
        "session": event.session.as_str(),
        "seq": event.seq,
        "ts": event.ts,
        "kind": event.kind.as_str(),
        "header": event.header,
        "data": event.data,
        "hash": event.hash,
        "prev": event.prev,
    });
    if !event.erased.is_empty() {
        value["erased"] = json!(event.erased);
    }
    value
}
