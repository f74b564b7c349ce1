//! What is kept beside the keys: whole, or said to be damaged; never taken for what is not there.

use super::house::{House, KEYS, STORE};
use crate::error::AuditError;
use crate::keys::Standing;

fn kept(name: &str) -> String {
    format!("{KEYS}/{name}")
}

/// The golden store as it was two rounds ago, on a machine that remembers today.
fn old_copy() -> House {
    let house = House::golden();
    let old: Vec<_> = house.sim.files(STORE).into_iter().map(|path| (house.bytes(&path), path)).collect();
    for number in 10..12 {
        house.notes("a", number..number + 1);
        house.seal();
    }
    for path in house.sim.files(STORE) {
        house.sim.delete(path);
    }
    for (bytes, path) in &old {
        house.sim.write(path, bytes);
    }
    house
}

#[test]
fn an_old_copy_does_not_pass_when_what_was_seen_is_garbage() {
    let house = old_copy();
    house.exits(32);
    for garbage in [&b""[..], b"garbage\n", &[0; 8192], &[0xff; 8192]] {
        house.sim.write(kept("seen"), garbage);
        let verdict = house.exits(12);
        assert!(verdict.findings.iter().any(|f| f.msg.contains("/keys/seen is damaged")), "{verdict:?}");
        // nor does it get a signature
        assert!(matches!(house.sealer().seal_all(), Err(AuditError::KeyFile { .. })));
    }
}

#[test]
fn one_torn_page_of_what_was_seen_is_no_matter() {
    let house = old_copy();
    let whole = house.bytes(kept("seen"));
    assert_eq!(whole.len(), 8192);
    for (from, to) in [(0, 4096), (4096, 8192)] {
        let mut torn = whole.clone();
        torn[from + 100..to].fill(0xff);
        house.sim.write(kept("seen"), &torn);
        // the newest or the one before: the old copy is older than both
        house.exits(32);
        assert!(house.keyring().is_seen_torn().unwrap());
    }
    house.sim.write(kept("seen"), &whole);
    assert!(!house.keyring().is_seen_torn().unwrap());
}

#[test]
fn the_form_of_earlier_builds_is_read_and_replaced() {
    let house = House::golden();
    let seen = house.keyring().seen().unwrap().unwrap();
    house.sim.write(kept("seen"), seen.to_text().as_bytes());
    house.exits(0);
    house.notes("a", 10..12);
    house.seal();
    assert_eq!(house.bytes(kept("seen")).len(), 8192);
    assert_ne!(house.keyring().seen().unwrap().unwrap(), seen);
    house.exits(0);
}

#[test]
fn a_damaged_pin_is_not_one_that_nobody_knows() {
    let house = House::golden();
    for garbage in ["", "garbage", "0f", " \n"] {
        house.sim.write(kept("pin"), garbage.as_bytes());
        let verdict = house.exits(12);
        assert!(verdict.findings.iter().any(|f| f.msg.contains("/keys/pin is damaged")), "{verdict:?}");
        assert!(matches!(house.sealer().seal_all(), Err(AuditError::KeyFile { .. })));
    }
}

#[test]
fn damaged_keys_are_named_and_never_replaced_unasked() {
    let house = House::golden();
    let standing = |file: &str| {
        let kept = crate::kept(&house.journal(), &house.keyring()).unwrap();
        kept.into_iter().find(|kept| kept.file == file).unwrap().standing
    };
    let good = house.bytes(kept("log.pub"));
    let other = House::new(77);
    other.sealer().begin().unwrap();
    for (file, bytes) in [
        ("log.pub", b"garbage".to_vec()),
        ("log.pub", good[1..].to_vec()),
        // another key's public half is whole and wrong
        ("log.pub", other.bytes(kept("log.pub"))),
        ("log.key", vec![]),
        ("epoch-0.key", vec![0; 119]),
    ] {
        let before = house.bytes(kept(file));
        assert!(matches!(standing(file), Standing::Whole(_)));
        house.sim.write(kept(file), &bytes);
        assert!(matches!(standing(file), Standing::Damaged(_)), "{file}");
        house.sim.write(kept(file), &before);
    }
    let fresh = House::new(9);
    fresh.sim.write(kept("log.key"), b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    assert!(matches!(fresh.sealer().begin(), Err(AuditError::KeyFile { .. })));
}
