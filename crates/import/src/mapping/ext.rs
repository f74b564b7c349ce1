//! The record as it was, kept under `ext` of its first event: what the events tell is replaced by pointers.
//!
//! - `{"$told":"text"}`: this member of the event; `{"$told":"2.input"}`: of the second event behind it
//! - `{"$told":"@role"}`: this field of its header
//! - `{"$json":"input"}`: the member, as JSON in a string
//! - `{"$same":"<key>:text"}`: a member of the event with this key; a long text that stands in a record twice
//! - `[{"$record":"<key>"}]`: a list of records, each told by the event with this key and those behind it
//! - `{"$text":{…}}`: it was JSON in a string

use std::collections::HashMap;
use std::rc::Rc;

use event::Draft;
use serde_json::{Map, Value, json};

use super::path::place;
use crate::derive::short;

/// A shorter copy costs no more than a pointer.
const SHORTEST: usize = 96;

/// A value that is told by an event.
#[derive(Debug)]
pub(super) struct Told {
    /// Where it stood in the record.
    pub(super) steps: Vec<String>,
    /// Which event of the record tells it, by place.
    pub(super) event: usize,
    /// One of those that come last.
    pub(super) last: bool,
    /// The member, or `@` and the header field.
    pub(super) member: String,
    /// It was JSON in a string.
    pub(super) json: bool,
}

/// What is left of a record. `behind` is how many events stand before those that come last.
pub(super) fn leftover(mut record: Value, told: &[Told], behind: usize) -> Map<String, Value> {
    for told in told {
        let Some(value) = place(&mut record, &told.steps) else { continue };
        let event = if told.last { behind + told.event } else { told.event };
        let member = match event {
            0 => told.member.clone(),
            event => format!("{event}.{}", told.member),
        };
        *value = json!({ (if told.json { "$json" } else { "$told" }): member });
    }
    match record {
        Value::Object(map) => map,
        other => Map::from_iter([("record".to_owned(), other)]),
    }
}

/// A name that a pointer can go through.
fn is_plain(name: &str) -> bool {
    !name.contains(['.', ':'])
}

/// Long texts of one record, and where they are told: a copy becomes `{"$same":"<key>:<member>"}`.
#[derive(Debug, Default)]
pub(super) struct Copies {
    places: HashMap<u64, (Rc<str>, String)>,
}

impl Copies {
    /// Replaces copies in what is left of a record, and remembers what its events tell.
    pub(super) fn fold(&mut self, ext: &mut Map<String, Value>, drafts: &mut [Draft], last: &[Draft]) {
        for draft in drafts.iter().chain(last) {
            let key: Rc<str> = draft.key.as_deref().unwrap_or_default().into();
            for (name, value) in &draft.data {
                self.learn(&key, name, value);
            }
        }
        let key: Rc<str> = drafts.first().and_then(|draft| draft.key.as_deref()).unwrap_or_default().into();
        for (name, value) in ext.iter_mut().filter(|(name, _)| is_plain(name)) {
            self.replace(&key, &format!("ext.{name}"), value);
        }
    }

    fn learn(&mut self, key: &Rc<str>, path: &str, value: &Value) {
        match value {
            Value::String(text) if text.len() >= SHORTEST => {
                self.places.entry(short(text)).or_insert_with(|| (Rc::clone(key), path.to_owned()));
            }
            Value::Array(items) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(at, item)| self.learn(key, &format!("{path}.{at}"), item));
            }
            Value::Object(map) => {
                let plain = map.iter().filter(|(name, _)| is_plain(name));
                plain.for_each(|(name, item)| self.learn(key, &format!("{path}.{name}"), item));
            }
            _ => {}
        }
    }

    fn replace(&mut self, key: &Rc<str>, path: &str, value: &mut Value) {
        match value {
            Value::String(text) if text.len() >= SHORTEST => match self.places.get(&short(text)) {
                Some((key, path)) => *value = json!({ "$same": format!("{key}:{path}") }),
                None => drop(self.places.insert(short(text), (Rc::clone(key), path.to_owned()))),
            },
            Value::Array(items) => {
                let items = items.iter_mut().enumerate();
                items.for_each(|(at, item)| self.replace(key, &format!("{path}.{at}"), item));
            }
            Value::Object(map) => {
                let plain = map.iter_mut().filter(|(name, _)| is_plain(name));
                plain.for_each(|(name, item)| self.replace(key, &format!("{path}.{name}"), item));
            }
            _ => {}
        }
    }
}
