//! Keys that are lost: what goes on, what does not, and what a verifier says of it.

use super::house::{CHECKPOINT, House, KEYS, LOG};
use crate::error::AuditError;
use crate::keys::{Mended, Standing, kept, recover};

fn lose(house: &House, file: &str) {
    house.sim.delete(format!("{KEYS}/{file}"));
}

#[test]
fn an_epoch_whose_key_is_lost_is_broken_off_and_the_next_goes_on() {
    for damage in [false, true] {
        let house = House::golden();
        if damage {
            house.sim.write(format!("{KEYS}/epoch-0.key"), b"garbage");
        } else {
            lose(&house, "epoch-0.key");
        }
        house.notes("a", 10..12);
        assert!(matches!(
            house.sealer().seal_all(),
            Err(AuditError::NoKey { .. } | AuditError::KeyFile { .. })
        ));
        assert_eq!(recover(&house.sealer()).unwrap(), [Mended::Epoch(0)]);
        assert_eq!(recover(&house.sealer()).unwrap(), []);
        house.seal();
        let verdict = house.exits(0);
        assert!(
            verdict.notes.iter().any(|note| note.starts_with("EPOCH_BROKEN: the key of epoch 0")),
            "{verdict:?}"
        );
        assert_eq!(verdict.log.unwrap().epoch, 1);
        // and rotates on as always
        let mut house = house;
        house.options.epoch_leaves = 1;
        house.notes("a", 12..13);
        house.seal();
        house.exits(0);
    }
}

#[test]
fn who_has_the_logs_key_alone_cannot_break_an_epoch_off_before_its_last_checkpoint() {
    let house = House::golden();
    let old = house.text(CHECKPOINT);
    house.notes("a", 10..12);
    house.seal();
    // the thief breaks off at an older checkpoint of the same epoch than the one that everybody saw
    lose(&house, "epoch-0.key");
    house.sim.write(CHECKPOINT, old.as_bytes());
    house.sim.delete(format!("{KEYS}/seen"));
    recover(&house.sealer()).unwrap();
    let pin = house.remembered();
    assert_eq!(house.verify().exit(), 0, "nobody saw the other one");
    let seen = crate::Pin { seen: Some(crate::Note::parse(old.as_bytes()).unwrap()), ..pin.unwrap() };
    assert_eq!(house.verify_with(Some(seen)).exit(), 0);
    // but what the lost key did not sign is not broken off
    house.replace(LOG, r#""last":"recount/"#, r#""last":"recounT/"#);
    assert_eq!(house.verify().exit(), 31);
}

#[test]
fn a_reepoch_leaf_without_the_lost_keys_own_checkpoint_is_exit_35() {
    let house = House::golden();
    lose(&house, "epoch-0.key");
    // a checkpoint that the log's key alone signed
    let store = house.journal().store_id().to_owned();
    let key = house.keyring().log_key(&store).unwrap();
    let note = crate::Checkpoint::of(&crate::keyring::origin(&store), &house.log_tree()).sign(&[&key]);
    house.sim.write(CHECKPOINT, note.to_text().as_bytes());
    recover(&house.sealer()).unwrap();
    house.exits(35);
}

#[test]
fn a_kill_at_any_operation_of_breaking_off_leaves_it_verified_and_it_is_done_again() {
    use world::sim::Fault;
    let clean = House::golden();
    lose(&clean, "epoch-0.key");
    let measured = clean.fork(1);
    let sealer = measured.sealer();
    let before = measured.sim.ops();
    recover(&sealer).unwrap();
    let ops = measured.sim.ops() - before;
    assert!(ops > 30, "{ops}");
    for (n, crash) in (1..=ops).flat_map(|n| [(n, false), (n, true)]) {
        let mut house = clean.fork(n);
        let sealer = house.sealer();
        house.sim.fail_op(n, Fault::Kill);
        let _ = recover(&sealer);
        house.sim.cancel_faults();
        if crash {
            house.sim.crash_machine();
        }
        house.world = house.sim.process();
        assert_eq!(house.verify().exit(), 0, "at {n} of {ops}");
        recover(&house.sealer()).unwrap();
        house.notes("a", 10..12);
        house.seal();
        let verdict = house.verify();
        assert_eq!(verdict.exit(), 0, "at {n} of {ops}: {:?}", verdict.findings);
        assert!(verdict.notes.iter().any(|note| note.contains("EPOCH_BROKEN")), "at {n} of {ops}");
    }
}

#[test]
fn without_the_logs_key_nothing_is_signed_and_everything_still_verifies() {
    let house = House::golden();
    lose(&house, "log.key");
    house.notes("a", 10..12);
    assert!(matches!(house.sealer().seal_all(), Err(AuditError::NoKey { .. })));
    assert!(matches!(recover(&house.sealer()), Err(AuditError::NoKey { .. })));
    house.exits(0);
    let kept = kept(&house.journal(), &house.keyring()).unwrap();
    assert_eq!(kept[0].standing, Standing::Missing);
}

#[test]
fn what_is_remembered_is_written_anew_from_what_the_key_signed_and_only_then() {
    let house = House::golden();
    let whole = |house: &House| kept(&house.journal(), &house.keyring()).unwrap();
    assert!(whole(&house).iter().all(|kept| matches!(kept.standing, Standing::Whole(_))));
    for file in ["log.pub", "pin", "seen"] {
        house.sim.write(format!("{KEYS}/{file}"), b"garbage");
    }
    let wrong = whole(&house).into_iter().filter(|kept| matches!(kept.standing, Standing::Damaged(_)));
    assert_eq!(wrong.count(), 3);
    assert_eq!(recover(&house.sealer()).unwrap(), [Mended::PublicKey, Mended::Pin, Mended::Seen]);
    assert!(whole(&house).iter().all(|kept| matches!(kept.standing, Standing::Whole(_))));
    house.exits(0);
    // a log that our key did not sign is not remembered
    house.sim.write(format!("{KEYS}/pin"), b"garbage");
    let text = house.text(CHECKPOINT);
    house.sim.write(CHECKPOINT, text.replacen("recount/", "recounT/", 1).as_bytes());
    assert!(matches!(recover(&house.sealer()), Err(AuditError::LogDamaged { .. })));
}
