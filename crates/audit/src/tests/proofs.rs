//! Proofs of single events, checked without the store.

use event::SessionId;

use super::house::House;
use crate::prove::{Proof, prove};
use crate::verify::Finding;

fn proof(house: &House, session: &str, seq: u64) -> Proof {
    prove(&house.journal(), &SessionId::new(session).unwrap(), seq).unwrap()
}

fn codes(findings: &[Finding]) -> Vec<u8> {
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn every_sealed_event_has_a_proof_that_holds_alone() {
    let house = House::golden();
    let pin = house.known();
    for session in ["a", "b"] {
        for seq in 0..9 {
            let proof = proof(&house, session, seq);
            assert_eq!(proof.event(), Some(format!("{session}/{seq}")));
            assert_eq!(proof.check(pin.as_ref()), [], "{session}/{seq}");
            assert_eq!(codes(&proof.check(None)), [12]);
        }
    }
}

#[test]
fn a_proof_of_something_else_does_not_hold() {
    let house = House::golden();
    let (pin, good) = (house.known(), proof(&house, "a", 4));
    let check = |change: &dyn Fn(&mut Proof)| {
        let mut bad = good.clone();
        change(&mut bad);
        assert_ne!(bad, good);
        codes(&bad.check(pin.as_ref()))
    };
    assert_eq!(check(&|p| p.line = p.line.replace("note 3", "note 4")), [22]);
    assert_eq!(check(&|p| p.line = p.line.replace("note.added", "note.addee")), [20]);
    assert_eq!(check(&|p| p.line = proof(&house, "a", 5).line), [41]);
    assert_eq!(check(&|p| p.line = proof(&house, "b", 4).line), [41]);
    assert_eq!(check(&|p| p.event_path.swap(0, 1)), [41]);
    assert_eq!(check(&|p| drop(p.event_path.pop())), [41]);
    assert_eq!(check(&|p| p.leaf += 1), [41]);
    assert_eq!(check(&|p| p.seal = p.seal.replace("\"events\":8", "\"events\":9")), [41, 41]);
    assert_eq!(check(&|p| p.checkpoint = p.checkpoint.replacen("\n8\n", "\n9\n", 1)), [34]);
    assert_eq!(check(&|p| p.genesis = p.genesis.replacen("\"ts\":\"2026", "\"ts\":\"2025", 1)), [12]);
}

#[test]
fn what_is_not_sealed_has_no_proof_yet() {
    let house = House::golden();
    house.notes("a", 10..11);
    let made = prove(&house.journal(), &SessionId::new("a").unwrap(), 11);
    assert!(matches!(made, Err(crate::AuditError::NotSealed { seq: 11, .. })));
    let bare = House::new(1);
    bare.notes("a", 0..1);
    let made = prove(&bare.journal(), &SessionId::new("a").unwrap(), 0);
    assert!(matches!(made, Err(crate::AuditError::NeverSealed)));
}

#[test]
fn a_spine_has_every_header_and_no_text() {
    let house = House::golden();
    let mut out = Vec::new();
    crate::spine(&house.journal(), &SessionId::new("a").unwrap(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.lines().count(), 11);
    assert!(!text.contains("note 3 of a") && text.lines().all(|line| line.ends_with("\"}")));
    for line in text.lines() {
        let (header, hash) = line.split_once(",\"hash\":\"").unwrap();
        assert_eq!(event::event_hash(header.as_bytes()), hash.trim_end_matches("\"}"));
    }
}
