//! What every event of a file says of the file: where its record stands, what was torn there before.

use std::path::Path;

use event::Draft;
use serde_json::{Map, Value};

use crate::pen::{self, Stamp};
use crate::{Gap, Keys, SourceFile, derive};

/// One file, as its events know it.
#[derive(Debug)]
pub(super) struct Frame {
    /// Opaque name of the file: paths may hold names of people and customers.
    source: Value,
    name: String,
}

impl Frame {
    pub(super) fn new(source: &SourceFile, keys: &dyn Keys) -> Self {
        let mut id = keys.derived_key(&format!("file\n{}", source.path.display()));
        id.truncate(16);
        Self { source: id.into(), name: name(&source.path) }
    }

    /// The draft with its place in the file.
    pub(super) fn placed(&self, draft: Draft, line: u64) -> Draft {
        let place = [("id".to_owned(), self.source.clone()), ("line".to_owned(), line.into())];
        draft.with("src", Map::from_iter(place))
    }

    /// The key of a gap that begins here.
    pub(super) fn gap_key(&self, keys: &dyn Keys, session: &str, offset: u64) -> String {
        let material = format!("gap\n{session}\n{}\n{offset}", self.name);
        format!("gap:{}", derive::once(keys, &material))
    }

    /// Bytes that are no record.
    pub(super) fn gap(&self, keys: &dyn Keys, session: &str, gap: Gap) -> Draft {
        let key = self.gap_key(keys, session, gap.place.offset);
        Stamp { session: session.to_owned(), ..Stamp::default() }
            .draft("gap.found")
            .key(key)
            .data("reason", gap.reason)
            .data("bytes", gap.bytes)
            .data("offset", gap.place.offset)
            .data("text", gap.text)
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Says what had to be repaired in the text of a record; in each of its events, as some may be told already when
/// the record is read again.
pub(super) fn tell_repairs(drafts: &mut [Draft], repaired: &[&'static str]) {
    if repaired.is_empty() {
        return;
    }
    for draft in drafts {
        pen::add_ext(draft, Map::from_iter([("repaired".to_owned(), repaired.to_vec().into())]));
    }
}

/// A record that was torn when it was read before stands for the gap that was told then.
pub(super) fn stand_for(drafts: &mut [Draft], gap: String) {
    if let Some(first) = drafts.first_mut() {
        first.header.insert("twin".to_owned(), gap.into());
    }
}
