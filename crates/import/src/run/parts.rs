//! Records that hold records: a batch of spans, a whole log. They are taken apart and put in order of time.
//!
//! The order is that of a window of the file: what comes much too late is told late, and memory stays bounded.

use std::collections::VecDeque;
use std::io;

use crate::json::{Parsed, parse};
use crate::{Gap, Importer, Item, Place, Record};

/// How much of a file is put in order at a time.
const WINDOW_BYTES: usize = 32 * 1024 * 1024;

/// Records of a window, in order.
pub(super) struct Parts {
    importer: &'static dyn Importer,
    waiting: VecDeque<Held>,
    text: String,
}

struct Held {
    order: u64,
    what: What,
}

enum What {
    /// Part of a record, or all of it.
    Value {
        value: serde_json::Value,
        place: Place,
        repaired: Vec<&'static str>,
    },
    /// A record that has no value.
    Text {
        text: String,
        place: Place,
        repaired: Vec<&'static str>,
    },
    Gap(Gap),
}

impl Parts {
    pub(super) fn new(importer: &'static dyn Importer) -> Self {
        Self { importer, waiting: VecDeque::new(), text: String::new() }
    }

    /// The next part, from whatever `next` reads.
    pub(super) fn next_item(
        &mut self,
        mut fill: impl FnMut(&mut dyn FnMut(Item<'_>)) -> io::Result<bool>,
    ) -> io::Result<Option<Item<'_>>> {
        while self.waiting.is_empty() {
            let (mut bytes, mut more) = (0, true);
            let (importer, waiting) = (self.importer, &mut self.waiting);
            while more && bytes < WINDOW_BYTES {
                more = fill(&mut |item| bytes += hold(importer, item, waiting))?;
            }
            self.waiting.make_contiguous().sort_by_key(|held| held.order);
            if !more && self.waiting.is_empty() {
                return Ok(None);
            }
        }
        Ok(self.waiting.pop_front().map(|held| self.hand_out(held.what)))
    }

    fn hand_out(&mut self, what: What) -> Item<'_> {
        let (value, place, repaired) = match what {
            What::Gap(gap) => return Item::Gap(gap),
            What::Text { text, place, repaired } => {
                self.text = text;
                (None, place, repaired)
            }
            What::Value { value, place, repaired } => {
                self.text = value.to_string();
                (Some(value), place, repaired)
            }
        };
        Item::Record(Record { text: &self.text, value, place, repaired })
    }
}

/// Takes one record apart; how large it was.
fn hold(importer: &dyn Importer, item: Item<'_>, waiting: &mut VecDeque<Held>) -> usize {
    let record = match item {
        Item::Gap(gap) => {
            waiting.push_back(Held { order: 0, what: What::Gap(gap) });
            return 0;
        }
        Item::Record(record) => record,
    };
    let (bytes, place, repaired) = (record.text.len(), record.place, record.repaired);
    // a reader of texts alone has not looked at the value
    let value = record.value.or_else(|| match parse(record.text) {
        Parsed::Value(value) => Some(value),
        _ => None,
    });
    let Some(value) = value else {
        let text = record.text.to_owned();
        waiting.push_back(Held { order: 0, what: What::Text { text, place, repaired } });
        return bytes;
    };
    let parts = importer.parts(value);
    waiting.extend(parts.into_iter().map(|part| {
        let repaired = repaired.clone();
        Held { order: part.order, what: What::Value { value: part.value, place, repaired } }
    }));
    bytes
}
