//! A moment of the record: an event, and nothing that was told after it.
//!
//! Of its own session that is what stands before it, whatever the clocks say; of other sessions, what happened
//! until then.

use event::{Event, Line, SessionId};
use jiff::Timestamp;

/// One moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The session of its event.
    pub session: SessionId,
    /// The last sequence of that session that counts.
    pub seq: u64,
    /// When its event happened, microseconds since 1970.
    pub time: i64,
}

impl Moment {
    /// The moment of an event, that event included.
    pub fn of(event: &Event) -> Self {
        Self { session: event.session.clone(), seq: event.seq, time: micros(event.time(), &event.ts) }
    }

    /// True for an event that was there by then.
    pub fn has(&self, event: &Event) -> bool {
        self.covers(event.session.as_str(), event.seq, || micros(event.time(), &event.ts))
    }

    pub(crate) fn has_line(&self, line: &Line<'_>) -> bool {
        self.covers(line.session, line.seq, || {
            let at = line.text("at");
            micros(at.as_deref().unwrap_or(line.ts), line.ts)
        })
    }

    pub(crate) fn covers(&self, session: &str, seq: u64, time: impl FnOnce() -> i64) -> bool {
        if session == self.session.as_str() { seq <= self.seq } else { time() <= self.time }
    }
}

/// When something happened; where that is no time, when it was recorded.
fn micros(at: &str, ts: &str) -> i64 {
    let micros = |text: &str| text.parse::<Timestamp>().ok().map(Timestamp::as_microsecond);
    micros(at).or_else(|| micros(ts)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use event::{Kind, Members};
    use serde_json::json;

    fn event(session: &str, seq: u64, at: &str) -> Event {
        let header = json!({"at": at}).as_object().cloned().unwrap_or_default();
        Event {
            session: SessionId::new(session).expect("a session id"),
            seq,
            ts: "2026-11-27T09:00:00.000000Z".to_owned(),
            kind: Kind::of("note.added"),
            header: header.into(),
            prev: String::new(),
            hash: String::new(),
            data: Members::default(),
            erased: Vec::new(),
        }
    }

    #[test]
    fn a_session_of_its_own_counts_by_sequence_and_another_by_time() {
        let moment = Moment::of(&event("a", 5, "2026-11-27T02:00:00.000000Z"));
        assert!(moment.has(&event("a", 5, "2026-11-27T03:00:00.000000Z")));
        assert!(!moment.has(&event("a", 6, "2026-11-27T01:00:00.000000Z")));
        assert!(moment.has(&event("b", 9, "2026-11-27T02:00:00.000000Z")));
        assert!(!moment.has(&event("b", 0, "2026-11-27T02:00:00.000001Z")));
        assert!(!moment.has(&event("b", 0, "no time")), "what says no time counts by when it was recorded");
    }
}
