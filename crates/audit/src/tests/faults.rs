//! Every disk operation of recording, sealing and rotating fails, is torn, lost or the last one of its
//! process: what is left is whole or has a torn tail, and the next process goes on.

use world::sim::Fault;

use super::house::{House, recorder};
use crate::sealer::{Moment, Sealer};

/// Records and seals, with a rotation at each turn. Errors are whoever's fault it is.
fn night(house: &House) {
    let Some(journal) = house.try_journal() else { return };
    let sealer = Sealer::new(&journal, house.keyring()).with_options(house.options);
    let _ = sealer.begin();
    for (number, session) in ["a", "b", "a"].into_iter().enumerate() {
        let mut recorder = recorder(&journal);
        let draft = event::Draft::new(session, event::Kind::of("note.added"), event::Origin::Claimed);
        let _ = recorder.record(draft.data("text", format!("night {number}")));
        let _ = journal.hint_unsealed(&event::SessionId::new(session).unwrap());
        let _ = sealer.seal_hinted(true, Moment::Within);
    }
}

fn begin() -> House {
    let mut house = House::new(5);
    house.options.epoch_leaves = 2;
    house
}

/// After the fault: verified by what is remembered, mended, recorded to, sealed, verified.
pub(super) fn aftermath(house: &mut House, what: &str) {
    house.sim.cancel_faults();
    house.world = house.sim.process();
    let verdict = house.verify();
    assert!(matches!(verdict.exit(), 0 | 10), "{what}: {:#?}", verdict.findings);
    // a purge that was interrupted is finished before anybody writes to its session
    house.seal();
    for session in house.journal().sessions().unwrap() {
        house.recorder().repair(&session).unwrap();
    }
    house.notes("a", 7..8);
    house.seal();
    let verdict = house.verify();
    assert_eq!(verdict.exit(), 0, "{what}: {:#?}", verdict.findings);
    assert!(verdict.log.is_some());
    // what was sealed stays sealed in the next rounds, too
    house.notes("b", 8..9);
    house.seal();
    assert_eq!(house.verify().exit(), 0, "{what}");
}

fn sweep(fault: Fault, crash: bool) {
    sweep_of(&begin, &night, fault, crash);
}

pub(super) fn sweep_of(begin: &dyn Fn() -> House, night: &dyn Fn(&House), fault: Fault, crash: bool) {
    let clean = begin();
    let before = clean.sim.ops();
    night(&clean);
    let ops = clean.sim.ops() - before;
    assert!(ops > 30, "{ops}");
    let mut fired = 0;
    for n in 1..=ops {
        let mut house = begin();
        house.sim.fail_op(n, fault);
        night(&house);
        fired += house.sim.fired().len();
        if crash {
            house.sim.cancel_faults();
            house.sim.crash_machine();
        }
        aftermath(&mut house, &format!("{fault:?} at operation {n} of {ops}, crash {crash}"));
    }
    assert!(fired > 0, "{fault:?} never happened");
}

#[test]
fn case_65_a_kill_at_any_operation_leaves_only_whole_or_torn() {
    sweep(Fault::Kill, false);
}

#[test]
fn case_65_a_kill_and_then_a_power_cut() {
    sweep(Fault::Kill, true);
}

#[test]
fn case_64_a_full_disk_at_any_operation() {
    sweep(Fault::NoSpace, false);
}

#[test]
fn case_65_writes_that_are_torn_or_short_and_syncs_that_are_lost() {
    for fault in [Fault::Io, Fault::ShortWrite, Fault::TornWrite, Fault::LostSync] {
        sweep(fault, false);
    }
}
