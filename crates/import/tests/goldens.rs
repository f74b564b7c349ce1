//! Transcripts of our own with the events that they must become: `tests/import/<name>/`.
//!
//! `input.jsonl` (or `.json`, `.traj`, `.db`) or the folder `input` goes in, `expected.ndjson` comes out. With `RECOUNT_UPDATE` set
//! the expectation is written anew; read the difference before you keep it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use event::Draft;
use import::IMPORTERS;
use redact::{Keys, Redactor};

use crate::sink::{Memory, line};

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/import"))
}

fn names() -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).expect("tests/import");
    let folders = entries.filter_map(Result::ok).filter(|entry| entry.path().is_dir());
    folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Where a file lies is no part of what it says.
fn without_place(mut draft: Draft) -> Draft {
    if let Some(src) = draft.header.get_mut("src") {
        *src = src["line"].clone();
    }
    draft
}

fn input(case: &Path) -> PathBuf {
    let input = ["input", "input.jsonl", "input.json", "input.traj", "input.db"]
        .map(|input| case.join(input))
        .into_iter()
        .find(|path| path.exists());
    input.unwrap_or_else(|| panic!("{} has no input", case.display()))
}

fn expect(name: &str) {
    let case = folder().join(name);
    let mut memory = Memory::default();
    let reports = memory.import(&[input(&case)]);
    assert!(reports.iter().all(|report| report.importer.is_some() && report.failed.is_none()), "{reports:?}");
    let lines: Vec<String> =
        memory.stored.iter().cloned().map(without_place).map(|draft| line(&draft)).collect();
    let found = lines.join("\n") + "\n";
    let expected = case.join("expected.ndjson");
    if std::env::var_os("RECOUNT_UPDATE").is_some() {
        fs::write(&expected, &found).expect("writes");
    }
    compare(&expected, &found);
}

fn compare(expected: &Path, found: &str) {
    let kept = fs::read_to_string(expected).unwrap_or_default();
    for (number, (kept, found)) in kept.lines().zip(found.lines()).enumerate() {
        assert_eq!(kept, found, "{}:{}", expected.display(), number + 1);
    }
    assert_eq!(kept.lines().count(), found.lines().count(), "{}", expected.display());
}

#[test]
fn transcripts_become_the_expected_events() {
    let names = names();
    for name in &names {
        expect(name);
    }
    for importer in IMPORTERS {
        assert!(names.contains(importer.name()), "tests/import/{} is missing", importer.name());
    }
}

/// A key of ours that looked like a secret would be stored as another, and what names it would name nothing.
#[test]
fn no_key_looks_like_a_secret_whatever_the_stores_own_keys_are() {
    let redactor = Redactor::new(&Keys { store_secret: [1; 32], redaction_key: [2; 32] });
    for name in names() {
        for store in 1..=8 {
            let mut memory = Memory::of_store(store);
            memory.import(&[input(&folder().join(&name))]);
            for draft in &memory.stored {
                let named = ["cause", "call"].iter().filter_map(|field| draft.header.get(*field)?.as_str());
                for key in named.chain(draft.key.as_deref()) {
                    assert_eq!(redactor.redact_text(key).0, key, "{name}");
                }
            }
        }
    }
}
