//! Purges, holds and the floor: what is lawful verifies, what is not says 38, and no crash leaves a half.

use event::SessionId;
use world::rfc3339;

use super::faults::sweep_of;
use super::house::{House, LOG, segment};
use crate::basis::Basis;
use crate::error::AuditError;
use crate::leaf::{Hold, Leaf, Purge};
use crate::sealer::Purged;

const DAY: i64 = 24 * 60 * 60 * 1_000_000;

fn id(session: &str) -> SessionId {
    SessionId::new(session).unwrap()
}

fn purge(house: &House, session: &str, basis: Basis) -> Result<Purged, AuditError> {
    house.sealer().purge(&id(session), basis, "T-1")
}

/// Signs a leaf that our own tool would refuse to write.
fn forge(house: &House, leaf: &Leaf) {
    house.lines(LOG, |lines| lines.push(leaf.to_line()));
    house.sign_again(0);
}

fn purge_leaf(house: &House, session: &str, basis: Basis, days: i64) -> Leaf {
    let seals: Vec<serde_json::Value> =
        house.text(LOG).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = seals.iter().rev().find(|leaf| leaf["leaf"] == "seal" && leaf["session"] == session).unwrap();
    Leaf::Purge(Purge {
        session: session.to_owned(),
        events: last["events"].as_u64().unwrap(),
        head: last["head"].as_str().unwrap().to_owned(),
        basis,
        ticket: "T-1".to_owned(),
        ts: rfc3339(house.world.clock.now() + days * DAY),
    })
}

#[test]
fn case_33_a_session_purged_is_lawfully_gone_and_may_begin_anew() {
    let house = House::golden();
    let purged = purge(&house, "a", Basis::Gdpr17).unwrap();
    assert_eq!(purged.events, 11);
    assert!(house.sim.read(segment("a")).is_none());
    let verdict = house.exits(0);
    assert!(verdict.notes.iter().any(|note| note.contains("11 events purged")), "{:?}", verdict.notes);
    house.notes("a", 0..3);
    house.seal();
    house.exits(0);
    house.sim.delete(segment("a"));
    house.exits(29);
}

#[test]
fn case_60_a_purge_under_a_hold_or_below_the_floor() {
    let held = House::golden();
    held.sealer().hold("a", "case-12", false).unwrap();
    assert!(matches!(purge(&held, "a", Basis::Gdpr17), Err(AuditError::Held { .. })));
    assert!(purge(&held.fork(1), "a", Basis::Court).is_ok());
    let evil = held.fork(2);
    forge(&evil, &purge_leaf(&evil, "a", Basis::Gdpr17, 0));
    evil.sim.delete(segment("a"));
    evil.exits(38);

    let young = House::golden();
    assert!(matches!(purge(&young, "a", Basis::Retention), Err(AuditError::TooYoung { .. })));
    forge(&young, &purge_leaf(&young, "a", Basis::Retention, 183));
    young.sim.delete(segment("a"));
    young.exits(38);

    let old = House::golden();
    old.sim.set_clock(old.world.clock.now() + 185 * DAY);
    purge(&old, "a", Basis::Retention).unwrap();
    old.exits(0);
}

#[test]
fn a_hold_on_all_sessions_holds_until_it_is_released() {
    let house = House::golden();
    house.sealer().hold("*", "case-7", false).unwrap();
    assert!(crate::is_held(&house.journal(), "b").unwrap());
    assert!(matches!(house.sealer().hold("*", "case-8", true), Err(AuditError::NoHold { .. })));
    house.sealer().hold("*", "case-7", true).unwrap();
    assert!(!crate::is_held(&house.journal(), "b").unwrap());
    purge(&house, "b", Basis::Contract).unwrap();
    house.exits(0);
}

#[test]
fn a_purge_of_other_events_than_were_sealed_is_no_purge() {
    let house = House::golden();
    let Leaf::Purge(mut leaf) = purge_leaf(&house, "a", Basis::Court, 0) else { panic!("a purge") };
    leaf.events -= 1;
    forge(&house, &Leaf::Purge(leaf));
    house.sim.delete(segment("a"));
    house.exits(31);
    let house = House::golden();
    let hold = Hold { session: "a".to_owned(), case: "c".to_owned(), ts: String::new() };
    house.lines(LOG, |lines| lines.push(Leaf::Hold(hold).to_line()));
    house.exits(0);
}

/// A purge at any moment of which the machine may stop. An event acknowledged meanwhile is there afterwards.
#[test]
fn case_65_a_purge_that_fails_or_is_killed_at_any_operation() {
    use world::sim::Fault;
    let begin = || {
        let house = House::new(9);
        house.sealer().begin().unwrap();
        house.notes("a", 0..3);
        house.notes("b", 0..2);
        house.seal();
        house
    };
    let night = |house: &House| {
        if let Some(journal) = house.try_journal() {
            let sealer = crate::sealer::Sealer::new(&journal, house.keyring());
            let _ = sealer.purge(&id("a"), Basis::Secret, "T-1");
        }
    };
    for fault in [Fault::Kill, Fault::NoSpace, Fault::Io, Fault::LostSync] {
        sweep_of(&begin, &night, fault, false);
    }
    sweep_of(&begin, &night, Fault::Kill, true);
}
