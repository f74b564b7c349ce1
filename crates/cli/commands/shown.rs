//! How times and events are shown in rows.

use event::Event;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

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
