//! Compressed segments: every reader tells the same, every crash leaves them readable, every changed byte shows.

use std::path::{Path, PathBuf};

use journal::{Durability, FindingCode, Journal, Place, ReadError};
use world::sim::{Fault, SimWorld};

use crate::support::{ROOT, codes, id, note, open, store_with, tell, writer};

fn folder() -> PathBuf {
    Path::new(ROOT).join("journal/sessions/s")
}

fn names(sim: &SimWorld) -> Vec<String> {
    let files = sim.files(folder());
    let name = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    files.iter().filter_map(name).filter(|name| name != "lock").collect()
}

/// Compresses all that may be; errors are the disk's.
fn pack_all(journal: &Journal) -> Result<usize, journal::JournalError> {
    let mut packed = 0;
    for (first, _) in journal.rolled(&id("s"))? {
        packed += usize::from(journal.pack_segment(&id("s"), first)?.is_some());
    }
    Ok(packed)
}

fn packed_store() -> (SimWorld, Journal) {
    let (sim, journal) = store_with(11, "s", 20);
    assert!(pack_all(&journal).expect("packs") > 3);
    (sim, journal)
}

#[test]
fn rolled_segments_are_compressed_and_every_reader_tells_the_same() {
    let (plain_sim, plain) = store_with(11, "s", 20);
    let (sim, journal) = packed_store();
    let names = names(&sim);
    let (last, others) = names.split_last().expect("segments");
    assert!(others.iter().all(|name| name.ends_with(".ndjson.zst")), "{names:?}");
    assert!(last.ends_with(".ndjson"), "{names:?}");
    assert_eq!(tell(&journal, &id("s")), tell(&plain, &id("s")));
    let report = journal.verify(&id("s")).expect("verifies");
    assert!(report.findings.is_empty());
    assert_eq!(report.bytes, plain.verify(&id("s")).expect("verifies").bytes);
    assert_eq!(journal.extent(&id("s")).expect("an extent"), plain.extent(&id("s")).expect("an extent"));
    for seq in 0..=20 {
        let (event, pointer) = journal.event(&id("s"), seq).expect("an event");
        assert_eq!((event, pointer), plain.event(&id("s"), seq).expect("an event"));
    }
    // a fresh process, which remembers no lengths
    let again = open(&sim.process()).expect("a store");
    assert_eq!(again.extent(&id("s")).expect("an extent"), plain.extent(&id("s")).expect("an extent"));
    assert!(again.rolled(&id("s")).expect("a list").is_empty());
    assert!(plain_sim.ops() > 0);
}

#[test]
fn appending_goes_on_and_a_reader_that_was_on_its_way_as_well() {
    let (_sim, journal) = store_with(12, "s", 20);
    let mut reader = journal.read(&id("s"), Place::default()).expect("a reader");
    let mut told = 0;
    while told < 5 {
        told += usize::from(reader.next().expect("reads").is_some());
    }
    pack_all(&journal).expect("packs");
    writer(&journal, "s", Durability::Always).append(&note("s", "one more")).expect("appends");
    while reader.next().expect("reads").is_some() {
        told += 1;
    }
    assert_eq!(told, 22);
    assert!(journal.verify(&id("s")).expect("verifies").findings.is_empty());
}

#[test]
fn restoring_gives_the_bytes_that_were_compressed() {
    let (plain, _) = store_with(11, "s", 20);
    let (sim, journal) = packed_store();
    let firsts: Vec<u64> =
        journal.extent(&id("s")).expect("an extent").segments.iter().map(|s| s.first).collect();
    let (last, others) = firsts.split_last().expect("segments");
    for first in others {
        assert!(journal.restore_segment(&id("s"), *first).expect("restores"));
        assert!(!journal.restore_segment(&id("s"), *first).expect("nothing to do"));
    }
    assert!(!journal.restore_segment(&id("s"), *last).expect("nothing to do"));
    assert_eq!(names(&sim), names(&plain));
    for file in plain.files(folder()).iter().filter(|file| !file.ends_with("lock")) {
        assert_eq!(sim.read(file), plain.read(file), "{}", file.display());
    }
}

#[test]
fn of_both_the_lines_count() {
    let (sim, journal) = packed_store();
    let packed = folder().join("0000000000.ndjson.zst");
    let bytes = sim.read(&packed).expect("a file");
    journal.restore_segment(&id("s"), 0).expect("restores");
    sim.write(&packed, b"not what it was");
    assert!(journal.verify(&id("s")).expect("verifies").findings.is_empty());
    // whoever packs next takes it away
    assert!(journal.pack_segment(&id("s"), 0).expect("packs").is_some());
    assert_eq!(sim.read(&packed), Some(bytes));
}

#[test]
fn a_last_segment_that_somebody_compressed_is_restored_before_an_append() {
    let (sim, journal) = packed_store();
    let last = names(&sim).last().cloned().expect("a segment");
    let first = journal.extent(&id("s")).expect("an extent").segments.last().expect("a segment").first;
    assert!(journal.pack_segment(&id("s"), first).expect("refuses").is_none());
    let told = tell(&journal, &id("s")).expect("tells");
    // by hand: roll on, compress, take the new segment away
    let rolled = journal.clone().with_options(journal::Options { segment_bytes: 1 });
    writer(&rolled, "s", Durability::Always).append(&note("s", "rolled")).expect("appends");
    journal.pack_segment(&id("s"), first).expect("packs").expect("is rolled");
    sim.delete(folder().join(names(&sim).last().expect("a segment")));
    assert!(names(&sim).contains(&format!("{last}.zst")));
    let fresh = open(&sim.process()).expect("a store");
    assert_eq!(tell(&fresh, &id("s")).as_ref(), Ok(&told));
    writer(&fresh, "s", Durability::Always).append(&note("s", "goes on")).expect("appends");
    assert!(names(&sim).contains(&last));
    assert_eq!(tell(&fresh, &id("s")).expect("tells").len(), told.len() + 1);
}

#[test]
fn nothing_is_compressed_while_an_erasure_is_under_way() {
    let (sim, journal) = store_with(13, "s", 20);
    sim.write(folder().join("erasing"), b"{}");
    assert_eq!(pack_all(&journal).expect("looks"), 0);
    sim.delete(folder().join("erasing"));
    assert!(pack_all(&journal).expect("packs") > 3);
}

#[test]
fn a_fault_at_any_operation_of_packing_and_restoring_loses_nothing() {
    let (clean, journal) = store_with(14, "s", 12);
    let told = tell(&journal, &id("s")).expect("tells");
    let work = |sim: &SimWorld| {
        let Ok(journal) = open(&sim.process()) else { return };
        let _ = pack_all(&journal);
        let _ = journal.restore_segment(&id("s"), 0);
    };
    let before = clean.ops();
    let measured = clean.fork(1);
    work(&measured);
    let ops = measured.ops() - before;
    assert!(ops > 60, "{ops}");
    let mut nights = 0;
    for (n, fault) in (1..=ops).flat_map(|n| Fault::ALL.iter().map(move |fault| (n, *fault))) {
        let sim = clean.fork(n);
        sim.fail_op(n, fault);
        work(&sim);
        if sim.fired().is_empty() {
            continue;
        }
        nights += 1;
        sim.cancel_faults();
        for crashed in [false, true] {
            let sim = sim.fork(n + 1000);
            if crashed {
                sim.crash_machine();
            }
            let what = format!("{fault:?} at {n} of {ops}, crash {crashed}");
            let journal = open(&sim.process()).expect("a store");
            assert_eq!(tell(&journal, &id("s")).as_ref(), Ok(&told), "{what}: {:?}", names(&sim));
            assert_eq!(codes(&journal.verify(&id("s")).expect("verifies")), [], "{what}");
            // and the next one goes on where this one stopped
            pack_all(&journal).expect("packs");
            assert_eq!(tell(&journal, &id("s")).as_ref(), Ok(&told), "{what}, packed again");
            let packed = names(&sim).iter().filter(|name| name.contains(".zst")).count();
            assert_eq!(packed + 1, journal.extent(&id("s")).expect("an extent").segments.len(), "{what}");
        }
    }
    assert!(nights > 100, "{nights}");
}

#[test]
fn a_changed_bit_of_a_compressed_segment_is_damage_or_none_and_the_others_still_read() {
    let (sim, journal) = packed_store();
    let path = folder().join("0000000000.ndjson.zst");
    let good = sim.read(&path).expect("a file");
    let second = journal.extent(&id("s")).expect("an extent").segments[1].first;
    let told = tell(&journal, &id("s"));
    let mut same = 0;
    for bit in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        sim.write(&path, &bad);
        let fresh = open(&sim.process()).expect("a store");
        let report = fresh.verify(&id("s")).expect("verifies");
        if report.findings.is_empty() {
            // zstd leaves a bit here and there unused
            assert_eq!(tell(&fresh, &id("s")), told, "bit {bit}");
            same += 1;
            continue;
        }
        assert_eq!(report.findings.iter().map(|f| f.code).min(), Some(FindingCode::Malformed), "bit {bit}");
        assert_eq!(report.events, 21 - second, "bit {bit}: {:?}", report.findings);
    }
    assert!(same * 100 < good.len() * 8, "{same} of {}", good.len() * 8);
}

#[test]
fn a_compressed_segment_that_ends_early_is_damage_once_and_no_reader_hangs() {
    let (sim, _) = packed_store();
    let path = folder().join("0000000000.ndjson.zst");
    let good = sim.read(&path).expect("a file");
    for len in [0, 1, 5, good.len() / 2, good.len() - 1] {
        sim.write(&path, &good[..len]);
        let journal = open(&sim.process()).expect("a store");
        let mut reader = journal.read(&id("s"), Place::default()).expect("a reader");
        let (mut damage, mut told) = (0, 0);
        loop {
            match reader.next() {
                Ok(Some(_)) => told += 1,
                Ok(None) => break,
                Err(ReadError::Damage(_)) => damage += 1,
                Err(ReadError::Journal(error)) => panic!("{error}"),
            }
        }
        assert!(damage >= 1 && told > 10, "{len}: {damage} {told}");
    }
}
