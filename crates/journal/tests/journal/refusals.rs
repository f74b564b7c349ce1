//! When the journal must say no, and that it then did nothing.

use journal::{Durability, JournalError};
use world::sim::{Fault, Op};
use world::{Lock, Open};

use crate::cases::{SEGMENT, findings, folder, golden};
use crate::support::{codes, id, note, opened, tell};

#[test]
fn case_64_a_full_disk_acknowledges_nothing_and_is_cured_by_repair() {
    let (sim, world, journal) = golden();
    let mut writer = journal.writer(opened("s"), Durability::Batch);
    let batch = [note("s", "one"), note("s", "two"), note("s", "three")];
    // the append is the only operation that can be short; behind it stands the one that cuts it back
    let ops = sim.ops();
    (1..40).for_each(|n| sim.fail_op(n, Fault::ShortWrite));
    assert!(writer.append_all(&batch).is_err());
    let short = sim.fired().last().copied().expect("it was short");
    assert!(matches!(short.asked, Op::Append(500..)) && short.op > ops);
    assert_eq!(findings(&journal, "s"), (0, Vec::new()), "what did not fit was cut back");
    assert!(matches!(writer.append(&batch[0]), Err(JournalError::Poisoned { .. })));

    world
        .disk
        .open(&folder("s").join(SEGMENT), Open::Append)
        .and_then(|f| f.append(b"{\"v\":1,"))
        .expect("tears");
    assert_eq!(findings(&journal, "s").0, 10, "had the cut failed as well");
    let mut writer = journal.writer(opened("s"), Durability::Always);
    assert!(writer.repair().expect("repairs").is_some());
    let report = journal.verify(&id("s")).expect("verifies");
    assert_eq!((codes(&report), report.events), (Vec::new(), 7));
}

#[test]
fn a_segment_that_was_replaced_under_its_name_is_what_a_writer_goes_on_with() {
    let (sim, world, journal) = golden();
    let mut writer = journal.writer(opened("s"), Durability::Always);
    writer.append(&note("s", "before")).expect("appends");
    let (path, copy) = (folder("s").join(SEGMENT), folder("s").join(".copy"));
    sim.write(&copy, &sim.read(&path).expect("a segment"));
    world.disk.rename(&copy, &path).expect("replaces");
    let receipt = writer.append(&note("s", "behind")).expect("appends");
    let told = tell(&journal, &id("s")).expect("reads");
    assert_eq!((told.len(), &told[7].hash), (8, &receipt.hash));
}

#[test]
fn without_randomness_nothing_is_written() {
    let (sim, _, journal) = golden();
    let before = sim.read(folder("s").join(SEGMENT));
    let mut writer = journal.writer(opened("s"), Durability::Always);
    sim.starve_chance(true);
    assert!(matches!(writer.append(&note("s", "unsalted")), Err(JournalError::Disk { .. })));
    assert_eq!(sim.read(folder("s").join(SEGMENT)), before);
    sim.starve_chance(false);
    writer.append(&note("s", "salted")).expect("appends");
    assert_eq!(findings(&journal, "s"), (0, Vec::new()));
}

#[test]
fn a_lock_that_is_held_for_too_long_is_an_error_that_says_by_whom() {
    let (sim, world, journal) = golden();
    let other = sim.process();
    let lock = other.disk.open(&folder("s").join("lock"), Open::Append).expect("opens");
    assert!(lock.try_lock(Lock::Exclusive).expect("locks"));
    let mut writer = journal.writer(opened("s"), Durability::Always);
    let refused = writer.append(&note("s", "waiting")).map_err(|e| e.to_string());
    let holder = format!("process {}", world.pid);
    assert!(refused.is_err_and(|said| said.contains(&holder)), "the last that signed");
    sim.kill(&other);
    writer.append(&note("s", "my turn")).expect("appends");
    assert_eq!(tell(&journal, &id("s")).expect("reads").len(), 7);
}
