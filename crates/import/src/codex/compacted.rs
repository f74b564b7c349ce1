//! Compactions: the summary, and the history that replaces what was said.
//!
//! The history repeats nearly everything, pictures included, at every compaction (real rollouts reach
//! many gigabytes this way). An item that was told before becomes `{"$same":"<key>"}`; what is new stays
//! where it stands.

use event::Draft;
use serde_json::{Map, Value};

use super::items::ITEM_MARKS;
use super::{Rec, Rollout};
use crate::json::digest;
use crate::members::TakeMembers;

impl Rollout {
    pub(super) fn compacted(&mut self, rec: &mut Rec) -> Vec<Draft> {
        let summary = rec.payload.take_text("message").filter(|text| !text.is_empty());
        let history = match rec.payload.remove("replacement_history") {
            Some(Value::Array(items)) => self.only_new(rec, items),
            other => other.unwrap_or_default(),
        };
        let body = match history {
            Value::Null => Value::Null,
            history => Value::Object(Map::from_iter([("replacement_history".to_owned(), history)])),
        };
        vec![rec.draft("context.compacted", 0).data("summary", summary).data("body", body)]
    }

    fn only_new(&mut self, rec: &Rec, items: Vec<Value>) -> Value {
        let mut known = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let Value::Object(item) = item else {
                known.push(item);
                continue;
            };
            let content = digest(&item, ITEM_MARKS);
            let here = format!("{}/replacement_history/{index}", rec.key(0));
            if let Some(key) = self.told.get(content.as_bytes()) {
                known.push(pointer(key, item));
            } else {
                self.told.insert(*content.as_bytes(), here.into());
                known.push(Value::Object(item));
            }
        }
        Value::Array(known)
    }
}

/// A pointer, with the marks that this copy has and the first may lack.
fn pointer(key: &str, mut item: Map<String, Value>) -> Value {
    let marks = ITEM_MARKS.iter().filter_map(|name| item.remove_entry(*name));
    let mut pointer: Map<_, _> = marks.collect();
    pointer.insert("$same".to_owned(), key.into());
    Value::Object(pointer)
}
