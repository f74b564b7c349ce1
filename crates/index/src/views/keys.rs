//! Keys → where their events stand, for "tell me once". Only hashes: the journal has the keys.

use super::fold::{Fold, Projection};
use super::page::KeyRow;
use super::path::Path;
use crate::duplicates::key_hash;
use crate::error::IndexError;
use crate::facts::Facts;

pub(super) struct Keys;

impl Projection for Keys {
    fn fold(&self, event: &Facts, fold: &mut Fold<'_>) -> Result<(), IndexError> {
        for key in event.names().own() {
            let row = KeyRow { hash: key_hash(&key), seq: event.seq, at: event.pointer.into() };
            fold.key(&keys_of(&event.session), row)?;
        }
        Ok(())
    }
}

/// The key pages of a session.
pub(crate) fn keys_of(session: &str) -> Path {
    Path::new(b'k').text(session)
}
