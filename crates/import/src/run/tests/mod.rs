//! I4 for every importer of the table: from a record's events the record can be made again.
//!
//! The proof is by change. One leaf of a record is changed, the record is mapped anew, and what was written
//! into the leaf has to stand in its events. So no leaf is dropped, cut, rounded or replaced by a hash. What
//! is not looked at: the order of keys, white space, what the redactor takes out later, and whether a member
//! that says nothing is null or absent. A record that another one tells whole (`Mapped::Duplicate`) is not
//! looked at either.
//!
//! An importer is tested here by being in `IMPORTERS`: with its transcripts under `tests/import/`, and with
//! every transcript of the corpus that it recognises.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod change;
mod pointers;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use event::Draft;
use serde_json::{Value, json};

use super::find::{self, Found};
use super::input::Input;
use crate::json::{Parsed, parse};
use crate::{IMPORTERS, Importer, Item, Keys, Mapped, Place, Record, SourceFile};
use change::{Change, Step, changes, shape};

/// What an importer may leave out, and why: importer, how the shape begins, reason.
const LOST: &[(&str, &str, &str)] = &[
    ("opencode", ".file", "where a row's file lies is its ids once more"),
    ("opencode", ".row.time_", "when a row was written is the store's own affair"),
    ("opencode", ".row.access_token", "of an account only that there is one"),
    ("opencode", ".row.email", "of an account only that there is one"),
    ("otlp", ".history", "a part that is made of its span; the span's own part tells it"),
    ("inspect", ".calls", "made when a sample is taken apart; the event that ran a call has it"),
    ("inspect", ".index", "made when a sample is taken apart"),
    ("inspect", ".scored", "made when a sample is taken apart"),
    ("inspect", ".last", "made when a sample is taken apart"),
];
/// Records in front of the one that is changed: what it refers to stands shortly before it.
const BEFORE: usize = 24;
const MOST_RECORDS: usize = 3_000;
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// Every derived key is the same: a hash of a leaf is no place where it can be read.
struct Blind;

impl Keys for Blind {
    fn derived_key(&self, _material: &str) -> String {
        "d".repeat(64)
    }
}

/// A file with its first records.
struct Case {
    importer: &'static dyn Importer,
    source: SourceFile,
    records: Vec<Value>,
}

impl Case {
    fn read(file: &Found) -> Option<Self> {
        let importer = file.importer?;
        let source = find::source(&file.path, importer, false).ok()?;
        let mut input = Input::open(&file.path, importer).ok()?;
        let (mut records, mut bytes) = (Vec::new(), 0);
        while let Some(item) = input.next_item().ok()? {
            let Item::Record(record) = item else { continue };
            bytes += record.text.len();
            if records.len() == MOST_RECORDS || bytes > MOST_BYTES {
                break;
            }
            records.extend(record.value);
        }
        Some(Self { importer, source, records })
    }

    /// The events of record `at`, which reads `record` now; none if another record tells it.
    fn events(&self, at: usize, record: &Value) -> Option<Vec<Draft>> {
        let mut source = self.source.clone();
        if let Some(shown) = source.head.get_mut(at)
            && *shown == self.records[at]
        {
            shown.clone_from(record);
        }
        let before = self.records[at.saturating_sub(BEFORE)..at].iter();
        let texts: Vec<String> = before.chain([record]).map(Value::to_string).collect();
        let mut transcript = self.importer.open(&source);
        for text in &texts {
            if !transcript.survey(text) {
                break;
            }
        }
        let mut told: Vec<Draft> = transcript.opening().into_iter().collect();
        let last = texts.len() - 1;
        for (index, text) in texts.iter().enumerate() {
            let Parsed::Value(value) = parse(text) else { return None };
            let place = Place { line: index as u64 + 1, offset: 0 };
            let record = Record { text, value: Some(value), place, repaired: Vec::new() };
            match transcript.map(record, &Blind) {
                Mapped::Events(drafts) if index == last => told.extend(drafts),
                Mapped::Raw(draft) if index == last => told.push(draft),
                Mapped::Duplicate | Mapped::Elsewhere if index == last => return None,
                _ => {}
            }
        }
        told.extend(transcript.closing());
        Some(told)
    }
}

/// Everything that can be read in events.
fn told(drafts: &[Draft]) -> Value {
    let tell = |draft: &Draft| {
        json!({
            "session": draft.session, "kind": draft.kind.to_string(), "key": draft.key,
            "header": draft.header, "data": pointers::followed(&Value::Object(draft.data.clone())),
        })
    };
    drafts.iter().map(tell).collect()
}

/// Changes every leaf of a shape that was not seen yet; what cannot be read back.
fn lost(case: &Case, seen: &mut HashSet<String>) -> Vec<String> {
    let mut lost = Vec::new();
    for (at, record) in case.records.iter().enumerate() {
        for place in changes(record) {
            let shape = format!("{} {}", case.importer.name(), shape(record, &place));
            if seen.contains(&shape) {
                continue;
            }
            let Some(before) = case.events(at, record) else { break };
            let Some(change) = Change::at(record, &place) else { continue };
            let Some(after) = case.events(at, &change.record) else { continue };
            let (before, after) = (told(&before), told(&after));
            let kept = before != after && change.stands_in(&after);
            if !kept && !is_excused(case, record, &place) {
                lost.push(format!("{shape} ({}:{})", case.source.path.display(), at + 1));
            }
            seen.insert(shape);
        }
    }
    lost
}

fn is_excused(case: &Case, record: &Value, place: &[Step]) -> bool {
    let shape = shape(record, place);
    LOST.iter().any(|(importer, lost, _)| *importer == case.importer.name() && shape.starts_with(lost))
}

/// All transcripts under the paths; how many kinds of leaves each importer was tested with.
fn test(paths: &[PathBuf]) -> BTreeMap<&'static str, usize> {
    let mut shapes = HashSet::new();
    let mut all = Vec::new();
    for file in find::order(find::files(paths).expect("files"), IMPORTERS, false) {
        let Some(case) = Case::read(&file) else { continue };
        all.extend(lost(&case, &mut shapes));
    }
    assert!(all.is_empty(), "{} kinds of leaves cannot be read back:\n{}", all.len(), all.join("\n"));
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for importer in IMPORTERS {
        let own = format!("{} ", importer.name());
        counts.insert(importer.name(), shapes.iter().filter(|shape| shape.starts_with(&own)).count());
    }
    counts
}

#[test]
fn our_own_transcripts_can_be_made_again_from_their_events() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/import");
    let counts = test(std::slice::from_ref(&folder));
    // that there is a folder for each is asked for elsewhere
    for importer in IMPORTERS.iter().filter(|importer| folder.join(importer.name()).is_dir()) {
        let count = counts[importer.name()];
        assert!(count >= 10, "{}: only {count} kinds of leaves in tests/import", importer.name());
    }
}

#[test]
fn transcripts_of_the_corpus_can_be_made_again_from_their_events() {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");
    let folder = std::env::var_os("RECOUNT_CORPUS").map_or_else(|| PathBuf::from(default), PathBuf::from);
    if !folder.is_dir() {
        assert!(std::env::var_os("CI").is_none(), "CI needs a corpus: {} is not there", folder.display());
        eprintln!("skipped: no corpus at {}", folder.display());
        return;
    }
    let counts = test(&[folder]);
    eprintln!("kinds of leaves: {counts:?}");
    assert!(counts["claude-code"] > 500 && counts["codex"] > 300, "{counts:?}");
}
