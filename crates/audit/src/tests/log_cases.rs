//! What can happen to the store log, case by case; numbers are those of the audit chapter's list.

use super::house::{CHECKPOINT, House, KEYS, LOG};
use crate::leaf::Leaf;
use crate::note::tests::cosign;
use crate::pin::Pin;
use crate::verify::{Demands, verify};

const NOTE_0: &str = "/store/journal/log/epochs/0.note";

/// A golden store with one epoch behind it.
fn two_epochs() -> House {
    let mut house = House::golden();
    house.options.epoch_leaves = 1;
    house.notes("a", 10..12);
    house.seal();
    house.options.epoch_leaves = 1024;
    house.notes("b", 10..12);
    house.seal();
    assert_eq!(house.exits(0).log.unwrap().epoch, 1);
    house
}

/// Changes one leaf of a kind.
fn edit_leaf(house: &House, kind: &str, from: &str, to: &str) {
    house.lines(LOG, |lines| {
        let line = lines.iter_mut().find(|line| line.contains(&format!("\"leaf\":\"{kind}\""))).unwrap();
        assert!(line.contains(from), "{line}");
        *line = line.replacen(from, to, 1);
    });
}

#[test]
fn case_37_a_leaf_edited_without_keys() {
    let house = two_epochs();
    edit_leaf(&house, "seal", "\"events\":8", "\"events\":7");
    house.exits(31);
}

#[test]
fn case_38_an_old_leaf_edited_and_signed_with_the_keys_of_today() {
    let house = two_epochs();
    edit_leaf(&house, "beat", "\"sessions\":0", "\"sessions\":1");
    house.sign_again(1);
    house.exits_with(house.known().as_ref(), 31);
}

#[test]
fn case_39_an_old_note_signed_with_the_key_of_today() {
    let house = two_epochs();
    let (store, keys) = (house.journal().store_id().to_owned(), house.keyring());
    let note = crate::note::Note::parse(&house.bytes(NOTE_0)).unwrap();
    let signers = (keys.log_key(&store).unwrap(), keys.epoch_key(&store, 1).unwrap());
    let again = crate::note::Note::sign(note.text, &[&signers.0, &signers.1]);
    house.sim.write(NOTE_0, again.to_text().as_bytes());
    house.exits(35);
}

#[test]
fn case_40_an_old_note_deleted() {
    let house = two_epochs();
    house.sim.delete(NOTE_0);
    house.exits(35);
}

#[test]
fn case_41_an_epoch_skipped_or_twice() {
    for number in ["0", "2"] {
        let house = two_epochs();
        edit_leaf(&house, "epoch", "\"n\":1", &format!("\"n\":{number}"));
        house.sign_again(1);
        let codes: Vec<u8> =
            house.verify_with(house.known()).findings.iter().map(|finding| finding.code).collect();
        assert!(codes.contains(&35), "{codes:?}");
    }
}

/// The open epoch's last leaf dropped and the rest signed again.
fn rewritten(house: &House) {
    house.lines(LOG, |lines| drop(lines.pop()));
    let beat =
        "{\"v\":1,\"leaf\":\"beat\",\"sessions\":9,\"covers\":\"\",\"ts\":\"2100-01-01T00:00:00.000000Z\"}";
    house.lines(LOG, |lines| lines.push(beat.to_owned()));
    house.sign_again(0);
}

#[test]
fn case_42_the_open_epoch_edited_and_signed_again() {
    let house = House::golden();
    rewritten(&house);
    house.exits_with(house.known().as_ref(), 0);
    house.exits(33);
}

#[test]
fn case_43_an_old_copy_of_the_store_put_back() {
    let house = House::golden();
    let old = house.fork(9);
    house.notes("a", 10..12);
    house.seal();
    let (known, seen) = (house.known(), house.remembered());
    old.exits_with(known.as_ref(), 0);
    old.exits_with(seen.as_ref(), 32);
    // and nobody signs on from there
    old.sim.write(format!("{KEYS}/seen"), &house.bytes(format!("{KEYS}/seen")));
    old.notes("a", 10..11);
    assert!(matches!(old.sealer().seal_all(), Err(crate::AuditError::Behind { .. })));
}

#[test]
fn case_44_another_valid_store_in_its_place() {
    let (house, other) = (House::golden(), House::new(99));
    other.notes("a", 0..3);
    other.seal();
    other.exits(0);
    other.exits_with(house.remembered().as_ref(), 12);
    other.exits_with(house.known().as_ref(), 12);
}

#[test]
fn case_45_a_signature_with_the_right_name_and_another_key() {
    let house = House::golden();
    let store = house.journal().store_id().to_owned();
    let note = crate::note::Note::parse(&house.bytes(CHECKPOINT)).unwrap();
    let stranger = crate::sign::Signer::new(crate::keyring::origin(&store), &[42; 32]);
    let epoch = house.keyring().epoch_key(&store, 0).unwrap();
    let again = crate::note::Note::sign(note.text, &[&stranger, &epoch]);
    house.sim.write(CHECKPOINT, again.to_text().as_bytes());
    house.exits(34);
}

#[test]
fn case_46_a_signature_of_somebody_unknown_more() {
    let house = House::golden();
    house.edit(CHECKPOINT, |bytes| bytes.extend("— somebody AAAAAAAA\n".bytes()));
    house.exits(0);
}

#[test]
fn case_47_a_size_that_the_leaves_do_not_have() {
    let house = House::golden();
    let store = house.journal().store_id().to_owned();
    let (log, epoch) =
        (house.keyring().log_key(&store).unwrap(), house.keyring().epoch_key(&store, 0).unwrap());
    let note = crate::note::Note::parse(&house.bytes(CHECKPOINT)).unwrap();
    let mut checkpoint = crate::note::Checkpoint::parse(&note.text).unwrap();
    checkpoint.size += 1;
    house.sim.write(CHECKPOINT, checkpoint.sign(&[&log, &epoch]).to_text().as_bytes());
    house.exits(31);
}

#[test]
fn case_48_a_checkpoint_without_its_last_newline_or_with_cr() {
    let house = House::golden();
    let good = house.text(CHECKPOINT);
    for bad in [good.trim_end().to_owned(), good.replace('\n', "\r\n"), String::new()] {
        house.sim.write(CHECKPOINT, bad.as_bytes());
        let codes: Vec<u8> = house.verify().findings.iter().map(|finding| finding.code).collect();
        assert!(codes.contains(&34), "{codes:?}");
    }
    house.sim.delete(CHECKPOINT);
    house.exits(34);
}

#[test]
fn an_old_key_is_gone_when_the_next_one_signs() {
    let house = two_epochs();
    let names: Vec<String> = house.sim.files(KEYS).iter().map(|path| path.display().to_string()).collect();
    assert!(!names.iter().any(|name| name.contains("epoch-0")), "{names:?}");
    assert!(names.iter().any(|name| name.ends_with("epoch-1.key")), "{names:?}");
    assert!(matches!(Leaf::parse(house.text(LOG).lines().next().unwrap().as_bytes()), Ok(Leaf::Genesis(_))));
}

#[test]
fn edited_leaves_never_get_a_signature() {
    let house = House::golden();
    edit_leaf(&house, "seal", "\"events\":8", "\"events\":7");
    house.notes("a", 10..12);
    house.seal();
    house.exits(31);
    // not even when the caches are gone
    let house = House::golden();
    edit_leaf(&house, "seal", "\"events\":8", "\"events\":7");
    house.sim.delete("/store/journal/log/state");
    assert!(matches!(house.sealer().seal_all(), Err(crate::AuditError::LogDamaged { .. })));
}

#[test]
fn a_pin_kept_elsewhere_shows_what_came_before_it_is_unchanged() {
    let house = House::golden();
    let kept = Pin::parse(&Pin::of(&house.journal()).unwrap().to_text()).unwrap();
    house.notes("a", 10..12);
    house.seal();
    house.exits_with(Some(&kept), 0);
    edit_leaf(&house, "beat", "\"sessions\":0", "\"sessions\":1");
    house.sign_again(0);
    house.exits_with(Some(&kept), 33);
}

/// A golden store whose checkpoint these witnesses have seen, and a policy of two of three.
fn witnessed(names: &[&str]) -> (House, String) {
    let house = House::golden();
    let mut note = crate::note::Note::parse(&house.bytes(CHECKPOINT)).unwrap();
    let mut policy = String::new();
    for (seed, name) in (100..).zip(["w1", "w2", "w3"]) {
        let mut copy = note.clone();
        let vkey = cosign(&mut copy, name, &[seed; 32], 1_800_000_000);
        if names.contains(&name) {
            note = copy;
        }
        policy.push_str(&format!("witness {name} {vkey}\n"));
    }
    house.sim.write(CHECKPOINT, note.to_text().as_bytes());
    (house, format!("{policy}group enough 2 w1 w2 w3\nquorum enough\n"))
}

#[track_caller]
fn judged(house: &House, policy: &str, code: u8) {
    let policy = Some(crate::Policy::parse(policy).unwrap());
    let demands = Demands { pin: house.remembered(), policy, ..Demands::default() };
    let verdict = verify(&house.journal(), &demands).unwrap();
    assert_eq!(verdict.exit(), code, "{:?}", verdict.findings);
}

#[test]
fn case_49_a_cosignature_of_another_size_or_with_another_time() {
    let (house, policy) = witnessed(&["w1", "w2"]);
    judged(&house, &policy, 0);
    let old = house.text(CHECKPOINT);
    house.notes("a", 10..12);
    house.seal();
    let lines: String =
        old.lines().filter(|line| line.contains(" w")).map(|line| format!("{line}\n")).collect();
    house.edit(CHECKPOINT, |bytes| bytes.extend(lines.bytes()));
    judged(&house, &policy, 36);
}

#[test]
fn case_50_a_quorum_of_two_and_one_given() {
    let (house, policy) = witnessed(&["w2"]);
    judged(&house, &policy, 13);
    judged(&house, &policy.replace("group enough 2", "group enough any"), 0);
    let demands = Demands { pin: house.remembered(), anchor: true, ..Demands::default() };
    assert_eq!(verify(&house.journal(), &demands).unwrap().exit(), 13);
}

#[test]
fn what_witnesses_saw_counts_while_the_log_goes_on_from_it() {
    let (house, policy) = witnessed(&["w1", "w3"]);
    let seen = house.bytes(CHECKPOINT);
    house.sim.write("/store/journal/log/witnessed", &seen);
    house.notes("a", 10..12);
    house.seal();
    judged(&house, &policy, 0);
    // and shows what the keys of today would hide
    house.lines(LOG, |lines| lines[1] = lines[1].replace("\"sessions\":0", "\"sessions\":1"));
    house.sign_again(0);
    judged(&house, &policy, 31);
}

#[test]
fn the_log_of_another_key_is_not_the_one_of_the_policy() {
    let (house, policy) = witnessed(&["w1", "w2"]);
    let other = crate::sign::Signer::new("other", &[3; 32]).verifier().vkey();
    judged(&house, &format!("log {other}\n{policy}"), 12);
    let own = house.keyring().log_key(house.journal().store_id()).unwrap().verifier().vkey();
    judged(&house, &format!("log {own}\n{policy}"), 0);
}
