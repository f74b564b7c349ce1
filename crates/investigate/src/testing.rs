//! Events for tests.

use event::{Event, Kind, SessionId};
use serde_json::Value;

use crate::trace::Trace;

pub(crate) fn event(seq: u64, kind: &str, header: Value, data: Value) -> Event {
    let map = |value: Value| value.as_object().cloned().unwrap_or_default();
    Event {
        session: SessionId::new("s").expect("an id"),
        seq,
        ts: format!("2026-11-27T10:{:02}:{:02}.000000Z", seq / 60 % 60, seq % 60),
        kind: Kind::stored(kind),
        header: map(header).into(),
        prev: String::new(),
        hash: format!("{seq:064x}"),
        data: map(data).into(),
        erased: Vec::new(),
    }
}

pub(crate) fn trace(events: Vec<Event>) -> Trace {
    Trace::new(SessionId::new("s").expect("an id"), events)
}
