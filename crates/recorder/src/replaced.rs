//! What an eraser put in the place of what went: texts of theirs, which prove nothing of the original.

use std::collections::BTreeMap;

use event::{Event, SessionId};
use journal::{Order, Place, ReadError};
use serde_json::Value;

use crate::error::RecorderError;
use crate::store::Store;

/// A text of the eraser's.
#[derive(Debug, Clone, PartialEq)]
pub struct Replaced {
    /// The order that has it.
    pub order: u64,
    /// What is to be shown.
    pub value: Value,
}

impl Store {
    /// What stands in for the erased members of an event; the last order counts.
    pub fn replaced(
        &self,
        session: &SessionId,
        seq: u64,
    ) -> Result<BTreeMap<String, Replaced>, RecorderError> {
        let mut found = BTreeMap::new();
        let from = Place::default();
        let mut reader = self.journal.read(session, from)?;
        loop {
            let entry = match reader.next() {
                Ok(Some(entry)) => entry,
                Ok(None) => return Ok(found),
                Err(ReadError::Damage(_)) => continue,
                Err(ReadError::Journal(error)) => return Err(error.into()),
            };
            let Some(order) = Order::of(&entry.line).filter(|order| order.target == seq && seq < order.seq)
            else {
                continue;
            };
            let Some(mut event) = Event::from_line(&entry.line) else { continue };
            let Some(mut value) = event.data.map_mut().remove("replacement") else { continue };
            self.put_back(&mut value);
            let Value::Object(members) = value else { continue };
            for (name, value) in members.into_iter().filter(|(name, _)| order.names(name)) {
                found.insert(name, Replaced { order: order.seq, value });
            }
        }
    }
}
