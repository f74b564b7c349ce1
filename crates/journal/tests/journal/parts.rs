//! Several threads tell of a session what one reader tells, damage and all; and lines are found where they stand.

use std::path::{Path, PathBuf};

use journal::{Durability, Journal, JournalError, Options, Place, ReadError};
use proptest::prelude::*;
use world::sim::SimWorld;

use crate::support::{ROOT, id, note, store_with, writer};

/// Parts of a few lines each.
fn in_small_parts(journal: &Journal) -> Journal {
    journal.clone().with_options(Options { segment_bytes: 6_000 }).with_part_bytes(700)
}

fn store() -> (SimWorld, Journal) {
    let (sim, journal) = store_with(5, "s", 2);
    let journal = in_small_parts(&journal);
    let mut writer = writer(&journal, "s", Durability::Os);
    for n in 0..40 {
        writer.append(&note("s", &"a line of its own length ".repeat(n % 7))).expect("appends");
    }
    (sim, journal)
}

/// What one reader tells: sequence and hash, or what is wrong.
fn one_by_one(journal: &Journal, heads: bool) -> Vec<String> {
    let reader = journal.read(&id("s"), Place::default()).expect("a reader");
    let mut reader = if heads { reader.heads_only() } else { reader };
    let mut told = Vec::new();
    loop {
        match reader.next() {
            Ok(Some(entry)) => {
                told.push(format!("{} {} {:?}", entry.line.seq, entry.line.hash, entry.pointer));
            }
            Ok(None) => return told,
            Err(ReadError::Damage(finding)) => told.push(format!("{finding:?}")),
            Err(ReadError::Journal(error)) => panic!("{error}"),
        }
    }
}

fn in_parts(journal: &Journal, heads: bool) -> Vec<String> {
    let take = |line: Result<journal::Entry<'_>, journal::Finding>| {
        Some(match line {
            Ok(entry) => format!("{} {} {:?}", entry.line.seq, entry.line.hash, entry.pointer),
            Err(finding) => format!("{finding:?}"),
        })
    };
    let told = if heads { journal.each_head(&id("s"), &take) } else { journal.each_line(&id("s"), &take) };
    told.expect("an answer")
}

/// Every segment of the session, and its bytes.
fn segments(sim: &SimWorld) -> Vec<(PathBuf, Vec<u8>)> {
    let files = sim.files(Path::new(ROOT).join("journal/sessions/s"));
    let segments = files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "ndjson"));
    segments.map(|path| (path.clone(), sim.read(&path).expect("a segment"))).collect()
}

fn agree(journal: &Journal) {
    for heads in [false, true] {
        assert_eq!(in_parts(journal, heads), one_by_one(journal, heads));
    }
}

#[test]
fn a_whole_session_is_told_as_by_one() {
    let (sim, journal) = store();
    assert!(segments(&sim).len() > 3, "several segments");
    assert_eq!(one_by_one(&journal, false).len(), 43);
    agree(&journal);
}

#[test]
fn each_line_is_found_and_none_that_is_not_there() {
    let (_, journal) = store();
    for seq in 0..43 {
        assert_eq!(journal.event(&id("s"), seq).expect("an event").0.seq, seq);
    }
    assert!(matches!(journal.event(&id("s"), 43), Err(JournalError::NoEvent { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn damage_anywhere_is_told_as_by_one(
        harm in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..5u8), 1..4)
    ) {
        let (sim, journal) = store();
        for (which, place, how) in harm {
            let files = segments(&sim);
            let (path, mut bytes) = files[which.index(files.len())].clone();
            if bytes.is_empty() {
                continue;
            }
            let at = place.index(bytes.len());
            let line = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |end| at + end + 1);
            match how {
                0 => bytes[at] ^= 1,
                1 => bytes[at] = b'\n',
                2 => drop(bytes.drain(at..line)),
                3 => bytes.truncate(at),
                _ => { let again = bytes[at..line].to_vec(); bytes.splice(line..line, again); }
            }
            sim.write(&path, &bytes);
        }
        for heads in [false, true] {
            prop_assert_eq!(in_parts(&journal, heads), one_by_one(&journal, heads));
        }
    }
}
