//! Permalinks: an event by name and hash, so that a link to a changed event does not open silently.

use event::{Event, SessionId};

/// Digits of the hash that a link shows.
const HASH_DIGITS: usize = 16;

/// `recount://local/session/17#<16 hex>`.
pub fn permalink(event: &Event) -> String {
    permalink_of(&event.session, event.seq, &event.hash)
}

/// The same by what it is made of.
pub fn permalink_of(session: &SessionId, seq: u64, hash: &str) -> String {
    let hash = hash.get(..HASH_DIGITS).unwrap_or(hash);
    format!("recount://local/{session}/{seq}#{hash}")
}

/// How one event names another in a header: with its whole hash, so that it cannot be another.
pub fn reference(event: &Event) -> String {
    format!("{}/{}#{}", event.session, event.seq, event.hash)
}
