//! Compactions: the summary, and the history that replaces what was said.
//!
//! The history repeats nearly everything, pictures included, at every compaction (real rollouts reach
//! many gigabytes this way). What is new stays where it stands; what was told before becomes a pointer:
//!
//! - `{"$same":"<key>"}`: an item as an event with this key told it, or an earlier history
//! - `{"$same":"<key>/replacement_history","from":3,"count":40}`: items 3 to 42 of the history of the
//!   compaction before, all members alike: a history of many short messages costs what is new in it

use std::collections::HashMap;

use event::Draft;
use serde_json::{Map, Value, json};

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
        let here = format!("{}/replacement_history", rec.key(0));
        let history = History::of(here, &items);
        let mut known = Vec::new();
        let mut items = items.into_iter().enumerate();
        while let Some((index, item)) = items.next() {
            if let Some((from, count)) = self.replaced.run(&history.prints[index..]) {
                known.push(json!({ "$same": self.replaced.key, "from": from, "count": count }));
                items.by_ref().take(count - 1).for_each(drop);
            } else {
                known.push(self.once(&history.key, index, item));
            }
        }
        self.replaced = history;
        Value::Array(known)
    }

    /// An item, or a pointer if it was told.
    fn once(&mut self, history: &str, index: usize, item: Value) -> Value {
        let Value::Object(item) = item else { return item };
        let content = digest(&item, ITEM_MARKS);
        if let Some(key) = self.told.get(content.as_bytes()) {
            return pointer(key, item);
        }
        self.told.insert(*content.as_bytes(), format!("{history}/{index}").into());
        Value::Object(item)
    }
}

/// What a compaction put in place of what was said.
#[derive(Default)]
pub(super) struct History {
    key: String,
    /// Each item's hash; none for what is no object.
    prints: Vec<Option<[u8; 32]>>,
    /// Where an item stands first.
    places: HashMap<[u8; 32], usize>,
}

impl History {
    fn of(key: String, items: &[Value]) -> Self {
        let print = |item: &Value| item.as_object().map(|item| *digest(item, &[]).as_bytes());
        let prints: Vec<_> = items.iter().map(print).collect();
        let placed = prints.iter().enumerate().rev().filter_map(|(at, print)| Some(((*print)?, at)));
        Self { places: placed.collect(), key, prints }
    }

    /// Where a row of these items, from the first on, stands here, and how long it is; a row has two at least.
    fn run(&self, items: &[Option<[u8; 32]>]) -> Option<(usize, usize)> {
        let from = *self.places.get(&(*items.first()?)?)?;
        let alike = |(ours, theirs): &(&Option<_>, &Option<_>)| ours.is_some() && ours == theirs;
        let count = self.prints[from..].iter().zip(items).take_while(alike).count();
        (count > 1).then_some((from, count))
    }
}

/// A pointer, with the marks that this copy has and the first may lack.
fn pointer(key: &str, mut item: Map<String, Value>) -> Value {
    let marks = ITEM_MARKS.iter().filter_map(|name| item.remove_entry(*name));
    let mut pointer: Map<_, _> = marks.collect();
    pointer.insert("$same".to_owned(), key.into());
    Value::Object(pointer)
}
