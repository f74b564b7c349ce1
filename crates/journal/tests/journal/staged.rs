//! Events that are staged: placed under the lock, written at once.

use journal::{Durability, JournalError};

use crate::support::{id, init, machine, note, open, tell, writer};

#[test]
fn a_batch_is_one_write_and_every_receipt_is_of_the_line_that_stands_there() {
    let sim = machine(3);
    let journal = init(&sim.process()).expect("a store");
    let mut writer = writer(&journal, "left", Durability::Batch);
    writer.append(&note("left", "first")).expect("appends");
    let before = sim.ops();
    let staged = |n: usize| note("left", &format!("text {n}"));
    let receipts: Vec<_> = (0..20).map(|n| writer.stage(&staged(n)).expect("stages")).collect();
    assert_eq!(tell(&journal, &id("left")).expect("tells").len(), 2, "nothing is written yet");
    writer.flush().expect("flushes");
    let appended = sim.ops() - before;
    assert!(appended < 60, "{appended} operations for 20 events");
    for (n, receipt) in receipts.iter().enumerate() {
        let event = journal.event_at(&id("left"), &receipt.pointer).expect("stands where it was said");
        let text = format!("text {n}");
        assert_eq!(
            (event.seq, &event.hash, event.data["text"].as_str()),
            (receipt.seq, &receipt.hash, Some(text.as_str()))
        );
    }
}

#[test]
fn whoever_else_writes_waits_for_the_batch_and_goes_on_behind_it() {
    let sim = machine(4);
    let journal = init(&sim.process()).expect("a store");
    let other_journal = open(&sim.process()).expect("the store opens");
    let mut one = writer(&journal, "left", Durability::Os);
    let mut other = writer(&other_journal, "left", Durability::Os);
    one.stage(&note("left", "staged")).expect("stages");
    let refused = other.append(&note("left", "meanwhile"));
    assert!(matches!(refused, Err(JournalError::Locked { .. })), "{refused:?}");
    one.flush().expect("flushes");
    other.append(&note("left", "behind it")).expect("appends");
    one.stage(&note("left", "again")).expect("stages");
    drop(one);
    let told: Vec<_> =
        tell(&journal, &id("left")).expect("tells").into_iter().map(|told| told.text).collect();
    assert_eq!(told, ["", "staged", "behind it", "again"]);
    assert_eq!(journal.verify(&id("left")).expect("verifies").findings, []);
}

#[test]
fn whatever_a_writer_does_comes_behind_what_it_staged() {
    let sim = machine(5);
    let journal = init(&sim.process()).expect("a store");
    let mut writer = writer(&journal, "left", Durability::Always);
    writer.stage(&note("left", "one")).expect("stages");
    writer.append(&note("left", "two")).expect("appends");
    writer.stage(&note("left", "three")).expect("stages");
    writer.sync().expect("syncs");
    sim.crash_machine();
    let journal = open(&sim.process()).expect("the store opens");
    let told: Vec<_> =
        tell(&journal, &id("left")).expect("tells").into_iter().map(|told| told.text).collect();
    assert_eq!(told, ["", "one", "two", "three"]);
}

#[test]
fn a_batch_that_has_grown_long_is_due() {
    let sim = machine(6);
    let journal = init(&sim.process()).expect("a store");
    let mut writer = writer(&journal, "left", Durability::Os);
    let mut staged = 0;
    while !writer.is_due() {
        writer.stage(&note("left", "one more")).expect("stages");
        staged += 1;
        assert!(staged <= 64);
    }
    writer.flush().expect("flushes");
    assert!(!writer.is_due());
}
