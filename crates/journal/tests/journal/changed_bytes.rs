//! One changed byte anywhere in a segment or blob: `verify` fails and names the session and the event.

use std::path::{Path, PathBuf};

use journal::{Durability, Journal};
use proptest::prelude::*;
use world::sim::SimWorld;

use crate::support::{ROOT, id, init, large_note, machine, note, store_with, writer};

/// Every segment and blob file of the store, and the event to which each of its bytes belongs.
fn files_with_events(sim: &SimWorld) -> Vec<(PathBuf, Vec<u64>)> {
    let files = sim.files(Path::new(ROOT).join("journal"));
    let counts =
        |path: &PathBuf| path.ends_with("blobs/lock") || path.ends_with("lock") || path.ends_with("STORE");
    files.into_iter().filter(|path| !counts(path)).map(|path| (path.clone(), events_of(sim, &path))).collect()
}

fn events_of(sim: &SimWorld, path: &Path) -> Vec<u64> {
    let bytes = sim.read(path).expect("a file");
    let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
    let Ok(mut seq) = name.parse::<u64>().map_err(drop).and_then(|n| path.extension().map(|_| n).ok_or(()))
    else {
        // the only blob is the first note's
        return vec![1; bytes.len()];
    };
    let event_of = |byte: &u8| {
        let event = seq;
        seq += u64::from(*byte == b'\n');
        event
    };
    bytes.iter().map(event_of).collect()
}

/// Changes one byte, looks, and changes it back.
fn check(
    sim: &SimWorld,
    journal: &Journal,
    path: &Path,
    at: usize,
    byte: u8,
    event: u64,
) -> Result<(), String> {
    let bytes = sim.read(path).expect("a file");
    let mut changed = bytes.clone();
    changed[at] = byte;
    sim.write(path, &changed);
    let report = journal.verify(&id("always")).map_err(|e| e.to_string());
    sim.write(path, &bytes);
    let findings = report?.findings;
    let named = findings.iter().any(|finding| finding.session == "always" && finding.seq == event);
    if bytes[at] == byte || named {
        return Ok(());
    }
    Err(format!("{} byte {at} {:?} to {byte}: event {event}, found {findings:?}", path.display(), bytes[at]))
}

#[test]
fn every_byte_of_a_session_counts() {
    let (sim, journal) = store_with(3, "always", 4);
    let files = files_with_events(&sim);
    assert!(files.len() > 1, "several segments");
    for (path, events) in &files {
        let bytes = sim.read(path).expect("a file");
        for (at, event) in events.iter().enumerate() {
            for byte in [bytes[at] ^ (1 << (at % 8)), b'\n'] {
                check(&sim, &journal, path, at, byte, *event).expect("is found");
            }
        }
    }
}

fn store_with_blob() -> (SimWorld, Journal) {
    let sim = machine(5);
    let journal = init(&sim.process()).expect("a store");
    let mut writer = writer(&journal, "always", Durability::Always);
    writer.append(&large_note()).expect("appends");
    for n in 0..8 {
        writer.append(&note("always", &format!("näh, \"{n}\" und \\ mehr\n"))).expect("appends");
    }
    (sim, journal)
}

#[test]
fn any_byte_of_a_segment_or_blob_counts() {
    let (sim, journal) = store_with_blob();
    let files = files_with_events(&sim);
    assert!(files.iter().any(|(path, _)| path.starts_with(Path::new(ROOT).join("journal/blobs"))));
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) };
    let change = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>());
    proptest!(config, |((file, at, byte) in change)| {
        let (path, events) = file.get(&files);
        let at = at.index(events.len());
        let checked = check(&sim, &journal, path, at, byte, events[at]);
        prop_assert_eq!(checked, Ok(()));
    });
}
