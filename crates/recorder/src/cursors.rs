//! How far sources were taken in: derived like everything below `index/`, and thrown away with it.
//!
//! What is remembered holds only as long as the journal has what it had then: one that was put back from an old
//! copy is asked again.

use std::collections::BTreeSet;

use event::SessionId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::store::Store;

const FOLDER: &str = "cursors";

#[derive(Serialize, Deserialize)]
struct Kept {
    what: Value,
    /// The end of each session that has events of the source: its last segment, and how long that was.
    ends: Vec<(String, u64, u64)>,
}

pub(crate) fn get<T: DeserializeOwned>(store: &Store, key: &str) -> Option<T> {
    let kept: Kept = store.cache(FOLDER).get(key)?;
    let stands = |(session, segment, bytes): &(String, u64, u64)| {
        let extent = store.journal.extent(&SessionId::new(session).ok()?).ok()?;
        extent.segments.iter().any(|s| s.first == *segment && s.len >= *bytes).then_some(())
    };
    kept.ends.iter().all(|end| stands(end).is_some()).then_some(())?;
    serde_json::from_value(kept.what).ok()
}

pub(crate) fn put<T: Serialize>(store: &Store, key: &str, what: &T, sessions: &BTreeSet<SessionId>) {
    let end = |session: &SessionId| {
        let extent = store.journal.extent(session).ok()?;
        let last = extent.segments.last()?;
        Some((session.to_string(), last.first, last.len))
    };
    let ends: Option<Vec<_>> = sessions.iter().map(end).collect();
    if let (Some(ends), Ok(what)) = (ends, serde_json::to_value(what)) {
        store.cache(FOLDER).put(key, &Kept { what, ends });
    }
}
