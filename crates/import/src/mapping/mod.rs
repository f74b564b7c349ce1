//! Formats as data: a mapping file says how a tool's transcripts become events.
//!
//! To add a format: write `src/formats/<name>.toml`, add a line to [`crate::IMPORTERS`], and put a transcript
//! with its expected events under `tests/import/<name>/`. A mapping of one's own needs neither: it is a file
//! that `recount import --mapping FILE` reads.
//!
//! ```toml
//! name = "example"                                # what commands take
//! home = ".example/sessions"                      # its transcripts, under the home folder
//! rewritten = true                                # what comes again under its id, changed, supersedes
//!
//! [[recognise]]                                   # a file is this tool's if one of these shapes holds
//! first = { type = "start" }                      # …the first record; also: all, none, and any = [{…}, {…}]
//!
//! [session]                                       # which session: the first that says so of
//! id = "sessionId | session_id"                   # a value in a record
//! file = ["{session}/agents/{agent}/wire"]        # the last folders and the name of the file
//! beside = { file = "summary.json", id = "info.id" }
//! content = "first"                               # the first record's hash (file: the first ones', record: each
//!                                                 # one's, or a path: what stands there)
//!
//! [usage.example]                                 # counts as they are told here; several are added up
//! input = ["input", "cache_read"]                 # (input counts what came from a cache)
//! output = ["output"]
//!
//! [set.record]                                    # how records are read: what all their events share, …
//! id = "id"
//! parent = "parentId"
//! time = "timestamp"
//!
//! [[set.record.rule]]                             # … and the first rule that fits
//! when = { type = "message", "message.role" = ["user", "assistant"] }
//! do = [
//!   { kind = "model.called", when = { usage = { is = "object" } }, usage = { path = "usage", as = "example" } },
//!   { each = "message.content", use = "block", with = { role = "message.role" } },
//! ]
//! ```
//!
//! - M1  a rule names a kind of event and, for each of its fields, a path into the record (`a.b | c`) or
//!   `{ path, value, map, else, between, times, starts, wrap, object, as }`; every name is checked when the file is read
//! - M2  a test is a value, a list of values, `{ is = "text" }`, `{ starts = "…" }`, `{ has = "…" }` or `{ not = … }`
//! - M3  `each` reads the parts of a record, `records` the records of a document, by a set of this file or of
//!   `formats/shared.toml`; `last = true` tells an event behind the records inside
//!   In a history that is told again and again, `once = true` takes only what is new (`told = true` stands where
//!   it is told first); `sort` names the order of a list that has none
//! - M4  `time`, `failed`, `ok`, `opaque` and `response` are not stored: they become `at`, `status`, `form` and a key
//! - M5  nothing is lost: the record, with pointers to what its events tell, is the `ext` of the first of them
//!   (`ext.rs`), and what no rule fits is kept raw

mod apply;
mod calls;
mod emit;
mod ext;
mod fields;
mod grammar;
mod known;
mod parse;
mod path;
mod place;
mod plan;
mod source;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::{Importer, SourceFile, Transcript};
use apply::Reading;
use plan::Mapping;

/// Rules that every mapping may use.
const SHARED: &str = include_str!("../formats/shared.toml");

/// What is wrong with a mapping file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct MappingError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A format by its mapping file, which is read when it is first needed.
#[derive(Debug)]
pub(crate) struct Format {
    name: &'static str,
    text: &'static str,
}

/// The mappings read so far, by the address of their text.
static READ: Mutex<BTreeMap<usize, &'static Mapping>> = Mutex::new(BTreeMap::new());

impl Format {
    pub(crate) const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text }
    }

    fn mapping(&self) -> &'static Mapping {
        // what a panic left behind is whole: entries are only added
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        read.entry(self.text.as_ptr() as usize).or_insert_with(|| match parse::mapping(self.text, SHARED) {
            Ok(mapping) => Box::leak(Box::new(mapping)),
            // a test reads every one of them
            Err(error) => unreachable!("{}.toml: {error}", self.name),
        })
    }
}

/// Reads a mapping file of a user's own. It lives as long as the process.
pub fn mapping(text: &str) -> Result<&'static dyn Importer, MappingError> {
    let name = parse::mapping(text, SHARED)?.name.leak();
    Ok(Box::leak(Box::new(Format { name, text: text.to_owned().leak() })))
}

impl Importer for Format {
    fn name(&self) -> &'static str {
        self.name
    }

    fn home(&self) -> &str {
        &self.mapping().home
    }

    fn takes_documents(&self) -> bool {
        true
    }

    fn recognises(&self, head: &[Value]) -> bool {
        self.mapping().shapes.iter().any(|shape| shape.fits(head))
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Reading::new(self.mapping(), file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::IMPORTERS;

    #[test]
    fn every_mapping_of_ours_can_be_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/formats");
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).expect("formats").filter_map(Result::ok) {
            let path = entry.path();
            if path.ends_with("shared.toml") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a file");
            let read = parse::mapping(&text, SHARED);
            let read = read.unwrap_or_else(|error| panic!("{}: {error}, {:?}", path.display(), error.hint));
            assert!(
                IMPORTERS.iter().any(|importer| importer.name() == read.name),
                "{} is no importer",
                read.name
            );
            names.push(read.name);
        }
        assert_eq!(names.len(), IMPORTERS.iter().filter(|importer| importer.takes_documents()).count());
    }
}
