//! Permalinks: an event by name and hash, so that a link to a changed event does not open silently.

use event::Event;

/// Digits of the hash that a link shows.
const HASH_DIGITS: usize = 16;

/// `recount://local/session/17#<16 hex>`.
pub fn permalink(event: &Event) -> String {
    let hash = event.hash.get(..HASH_DIGITS).unwrap_or(&event.hash);
    format!("recount://local/{}/{}#{hash}", event.session, event.seq)
}

/// How one event names another in a header: with its whole hash, so that it cannot be another.
pub fn reference(event: &Event) -> String {
    format!("{}/{}#{}", event.session, event.seq, event.hash)
}
