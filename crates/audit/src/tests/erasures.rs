//! Erasing: what is lawful verifies, what is not says 37, and no crash leaves a half.

use event::SessionId;
use serde_json::{Map, Value, json};
use world::sim::Fault;

use super::faults::aftermath;
use super::house::{House, LOG, redactor, segment};
use crate::basis::Basis;
use crate::erase::{Ask, Eraser, NAMESPACE};
use crate::error::AuditError;
use crate::leaf::Leaf;
use crate::sealer::Moment;
use crate::sign::Signer;
use crate::sshsig::{AllowedSigners, Hand};
use crate::verify::{Demands, Verdict, verify};

const DIR: &str = "/store/journal/sessions/a";

pub(super) fn ask(session: &str, seq: u64) -> Ask {
    Ask {
        session: SessionId::new(session).unwrap(),
        seq,
        fields: Vec::new(),
        basis: Basis::Gdpr17,
        ticket: "T-1".to_owned(),
        reason: None,
        replacement: Map::new(),
    }
}

/// What our own tool says; stock tools are asked where all of it is theirs to check.
#[track_caller]
fn says(house: &House, code: u8) -> Verdict {
    let verdict = house.verify();
    assert_eq!(verdict.exit(), code, "{:#?}", verdict.findings);
    verdict
}

fn all_bytes(house: &House) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    house.sim.files("/").into_iter().map(|path| (path.clone(), house.bytes(&path))).collect()
}

#[track_caller]
fn nowhere(house: &House, text: &str) {
    for (path, bytes) in all_bytes(house) {
        let found = memchr::memmem::find(&bytes, text.as_bytes());
        assert!(found.is_none(), "{text:?} stands in {}", path.display());
    }
}

#[test]
fn case_24_erasing_keeps_every_seal_and_every_other_field() {
    let house = House::golden();
    let before = house.bytes(segment("a"));
    let done = house.erase(&[ask("a", 4)]).unwrap();
    let erasure = &done.erasures[0];
    assert_eq!((erasure.fields.as_slice(), erasure.order.seq), (&["text".to_owned()][..], 11));
    let leaf =
        house.text(LOG).lines().nth(usize::try_from(erasure.leaf.unwrap()).unwrap()).unwrap().to_owned();
    assert!(
        matches!(Leaf::parse(leaf.as_bytes()), Ok(Leaf::Erased(leaf)) if leaf.seq == 4 && leaf.order == 11)
    );
    let after = house.bytes(segment("a"));
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) =
        (before.split(|b| *b == b'\n').collect(), after.split(|b| *b == b'\n').collect());
    for (seq, line) in old.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        assert_eq!((line.len(), *line == new[seq]), (new[seq].len(), seq != 4), "line {seq}");
    }
    nowhere(&house, "note 3 of a");
    assert!(house.sim.read(format!("{DIR}/erasing")).is_none());
    let verdict = says(&house, 0);
    assert_eq!(verdict.sessions[0].erased, 1);
    assert!(verdict.notes.contains(&"1 orders to erase".to_owned()), "{:?}", verdict.notes);
    let demands = Demands { pin: house.remembered(), sealed: true, ..Demands::default() };
    assert_eq!(verify(&house.journal(), &demands).unwrap().exit(), 0, "order and sweep are sealed");
}

#[test]
fn case_26_an_order_whose_text_is_still_there() {
    let house = House::golden();
    house.erase_order("a", 4);
    house.seal();
    says(&house, 37);
}

#[test]
fn case_26_a_text_that_is_put_back_from_an_old_copy() {
    let house = House::golden();
    let line = house.text(segment("a")).lines().nth(4).unwrap().to_owned();
    house.erase(&[ask("a", 4)]).unwrap();
    house.lines(segment("a"), |lines| lines[4].clone_from(&line));
    says(&house, 37);
}

pub(super) fn signed_by(house: &House, signer: &dyn Hand) {
    let (sealer, redactor) = (house.sealer(), redactor());
    Eraser::new(&sealer, &redactor, signer).erase(&[ask("a", 4)]).unwrap();
}

fn under_policy(house: &House, allowed: &str) -> Verdict {
    let erasers = Some(AllowedSigners::parse(allowed).unwrap());
    let demands = Demands { pin: house.remembered(), erasers, ..Demands::default() };
    let verdict = verify(&house.journal(), &demands).unwrap();
    super::scripts::agree_on_store(house, demands.pin.as_ref(), Some(allowed), verdict.exit());
    verdict
}

#[test]
fn case_27_orders_under_a_policy_of_who_may_erase() {
    let eraser = Signer::new("ada", &[9; 32]);
    let key = Hand::key(&eraser).to_line();
    let house = House::golden();
    signed_by(&house, &eraser);
    for (code, allowed) in [
        (0, format!("ada {key}\n")),
        (0, format!("ada namespaces=\"{NAMESPACE}\" {key}\n")),
        (37, format!("ada namespaces=\"recount-bundle\" {key}\n")),
        (37, format!("ada valid-before=\"19800101\" {key}\n")),
        (37, format!("eve {key}\n")),
        (37, format!("ada {}\n", Hand::key(&Signer::new("ada", &[8; 32])).to_line())),
    ] {
        assert_eq!(under_policy(&house, &allowed).exit(), code, "{allowed}");
    }
    // an order that nobody signed is lawful until somebody asks who did
    let house = House::golden();
    house.erase_order("a", 4);
    house.blank("a", 4);
    says(&house, 0);
    assert_eq!(under_policy(&house, &format!("ada {key}\n")).exit(), 37);
}

/// Signs for another purpose, or another text.
pub(super) struct Wrong(pub(super) Signer, pub(super) &'static str, pub(super) &'static [u8]);

impl Hand for Wrong {
    fn key(&self) -> crate::PublicKey {
        Hand::key(&self.0)
    }

    fn principal(&self) -> String {
        "ada".to_owned()
    }

    fn sign(&self, _: &str, message: &[u8]) -> Result<crate::SshSignature, AuditError> {
        Hand::sign(&self.0, self.1, &[message, self.2].concat())
    }
}

#[test]
fn case_27_a_signature_for_another_purpose_or_another_text() {
    for (namespace, more) in [("recount-bundle", &b""[..]), (NAMESPACE, b"x")] {
        let house = House::golden();
        signed_by(&house, &Wrong(Signer::new("ada", &[9; 32]), namespace, more));
        says(&house, 37);
    }
}

#[test]
fn case_28_an_order_for_what_is_not_behind_it() {
    let house = House::golden();
    house.erase_order("a", 12);
    house.notes("a", 10..11);
    house.blank("a", 12);
    house.seal();
    says(&house, 37);
}

#[test]
fn case_28_an_order_for_an_event_of_another_session() {
    let house = House::golden();
    let of_b = house.journal().target(&SessionId::new("b").unwrap(), 4, &[]).unwrap().hash;
    house.erase_order_of("a", 4, Some(of_b));
    house.blank("a", 4);
    house.seal();
    says(&house, 37);
}

#[test]
fn an_order_that_the_log_mirrors_is_missed_when_another_takes_its_place() {
    let house = House::golden();
    house.notes("a", 10..11);
    house.seal();
    house.lines(LOG, |lines| {
        let erased = crate::leaf::Erased {
            session: "a".to_owned(),
            seq: 4,
            order: 11,
            hash: "0".repeat(64),
            basis: Basis::Gdpr17,
            ts: String::new(),
        };
        lines.push(Leaf::Erased(erased).to_line());
    });
    house.sign_again(0);
    assert_eq!(house.verify_with(house.known()).exit(), 37);
}

#[test]
fn case_30_a_replacement_that_was_edited_later() {
    let house = House::golden();
    let replacement: Map<String, Value> = [("text".to_owned(), json!("what may stay"))].into_iter().collect();
    house.erase(&[Ask { replacement, ..ask("a", 4) }]).unwrap();
    let verdict = says(&house, 0);
    assert!(verdict.notes.iter().any(|note| note.contains("not provably the rest")), "{:?}", verdict.notes);
    house.replace(segment("a"), "what may stay", "what may STAY");
    says(&house, 22);
}

#[test]
fn what_the_audit_trail_says_is_not_erased_and_nothing_is_erased_twice() {
    let house = House::golden();
    house.erase(&[ask("a", 4)]).unwrap();
    for seq in [11, 12] {
        let refused = house.erase(&[ask("a", seq)]);
        assert!(
            matches!(refused, Err(AuditError::Journal(journal::JournalError::NotErasable { .. }))),
            "{seq}"
        );
    }
    assert!(house.erase(&[ask("a", 4)]).is_err());
    let field = Ask { fields: vec!["nothing".to_owned()], ..ask("a", 5) };
    assert!(house.erase(&[field]).is_err());
    assert_eq!(house.text(segment("a")).matches("audit.erased").count(), 1);
    says(&house, 0);
}

#[test]
fn case_60_a_hold_keeps_a_text_from_all_but_a_court() {
    let house = House::golden();
    house.sealer().hold("a", "case-12", false).unwrap();
    assert!(matches!(house.erase(&[ask("a", 4)]), Err(AuditError::Held { .. })));
    assert!(!house.text(segment("a")).contains("audit.erased"));
    house.erase(&[Ask { basis: Basis::Court, ..ask("a", 4) }]).unwrap();
    says(&house, 0);
    // who erases all the same is found out by the leaf, and without a leaf by the order
    let evil = House::golden();
    evil.sealer().hold("*", "case-12", false).unwrap();
    evil.lines(LOG, |lines| {
        let erased = crate::leaf::Erased {
            session: "a".to_owned(),
            seq: 4,
            order: 11,
            hash: "0".repeat(64),
            basis: Basis::Gdpr17,
            ts: String::new(),
        };
        lines.push(Leaf::Erased(erased).to_line());
    });
    evil.sign_again(0);
    let codes: Vec<u8> = evil.verify_with(evil.known()).findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&38), "{codes:?}");
}

/// The process dies between order and overwrite.
fn cut_off(house: &House) {
    let session = SessionId::new("a").unwrap();
    let target = house.journal().target(&session, 4, &[]).unwrap();
    let (sealer, redactor) = (house.sealer(), redactor());
    let hand = house.keyring().hand(house.journal().store_id()).unwrap();
    let eraser = Eraser::new(&sealer, &redactor, &hand);
    let order = eraser.order(&ask("a", 4), &target).unwrap();
    eraser.writer(&session).order_erasure(&order, &target).unwrap();
    house.journal().hint_unsealed(&session).unwrap();
    sealer.seal_hinted(true, Moment::Within).unwrap();
}

#[test]
fn case_29_a_crash_between_order_and_overwrite_is_finished_by_whoever_writes_next() {
    let house = House::golden();
    cut_off(&house);
    assert!(house.text(segment("a")).contains("note 3 of a"), "nobody has overwritten yet");
    let verdict = says(&house, 10);
    assert!(verdict.findings[0].msg.contains("run `recount repair a`"));
    house.notes("a", 10..11);
    nowhere(&house, "note 3 of a");
    house.seal();
    says(&house, 0);
    // and what was not swept is swept
    assert!(crate::owes_sweep(&house.journal(), &SessionId::new("a").unwrap()).unwrap());
    let (sealer, redactor) = (house.sealer(), redactor());
    let hand = house.keyring().hand(house.journal().store_id()).unwrap();
    let eraser = Eraser::new(&sealer, &redactor, &hand);
    let session = SessionId::new("a").unwrap();
    assert_eq!(eraser.finish(&session).unwrap(), 1);
    assert_eq!(eraser.finish(&session).unwrap(), 0);
    says(&house, 0);
}

#[test]
fn between_order_and_overwrite_readers_see_what_will_be() {
    let house = House::golden();
    cut_off(&house);
    let (event, pointer) = house.journal().event(&SessionId::new("a").unwrap(), 4).unwrap();
    assert_eq!((event.erased.as_slice(), event.data.len()), (&["text".to_owned()][..], 0));
    let file = house.journal().segment_file(&event.session, pointer.segment).unwrap();
    let raw = file.line_at(&pointer).unwrap();
    assert!(memchr::memmem::find(&raw, b"note 3 of a").is_none());
    let mut out = Vec::new();
    let exporter = crate::EXPORTERS.iter().find(|exporter| exporter.name() == "ndjson").unwrap();
    exporter.export(&house.recorder().store(), &event.session, u64::MAX, &mut out).unwrap();
    assert!(memchr::memmem::find(&out, b"note 3 of a").is_none());
}

#[test]
fn a_marker_without_an_order_hides_nothing_and_is_in_nobodys_way() {
    for text in [
        "",
        "{",
        "{\"target\":4,\"at\":{\"segment\":0,\"offset\":0,\"len\":9},\"order\":11,\"segment\":0,\"offset\":9}",
    ] {
        let house = House::golden();
        house.sim.write(format!("{DIR}/erasing"), text.as_bytes());
        says(&house, 0);
        house.notes("a", 10..11);
        assert!(house.sim.read(format!("{DIR}/erasing")).is_none());
        assert!(house.text(segment("a")).contains("note 3 of a"));
        house.erase(&[ask("a", 4)]).unwrap();
        says(&house, 0);
    }
}

#[test]
fn torn_bytes_with_a_piece_of_the_text_go_and_others_stay() {
    let house = House::golden();
    house.record("a", "note.added", "a very long secret story about somebody");
    let name = |bytes: &[u8]| format!("/store/journal/torn/a-9-{}.bin", bytes.len());
    let (with, without) = (&b"{\"v\":1 text\":\"a very long secret st"[..], &b"{\"v\":1,\"session\""[..]);
    house.sim.write(name(with), with);
    house.sim.write(name(without), without);
    let done = house.erase(&[ask("a", 11)]).unwrap();
    assert_eq!(done.sweep.torn, 1);
    assert!(house.sim.read(name(with)).is_none() && house.sim.read(name(without)).is_some());
    nowhere(&house, "long secret st");
}

#[test]
fn a_text_that_stands_elsewhere_is_told_and_left() {
    let house = House::golden();
    house.record("a", "note.added", "the same long story");
    house.record("b", "note.added", "again: the same long story");
    let done = house.erase(&[ask("a", 11)]).unwrap();
    assert_eq!(done.elsewhere, [(SessionId::new("b").unwrap(), 9)]);
}

/// Erasing with every disk operation failing in turn: the order is there and the text is not, or both are as before.
fn sweep(fault: Fault, crash: bool) {
    const TEXT: &str = "note 1 of a";
    let begin = || {
        let house = House::new(9);
        house.sealer().begin().unwrap();
        house.notes("a", 0..3);
        house.seal();
        house
    };
    let night = |house: &House| house.try_journal().is_some_and(|journal| try_erase(house, &journal).is_ok());
    let clean = begin();
    let before = clean.sim.ops();
    assert!(night(&clean));
    let ops = clean.sim.ops() - before;
    assert!(ops > 100, "{ops}");
    let mut fired = 0;
    for n in 1..=ops {
        let what = format!("{fault:?} at operation {n} of {ops}, crash {crash}");
        let mut house = begin();
        house.sim.fail_op(n, fault);
        let done = night(&house);
        fired += house.sim.fired().len();
        if crash {
            house.sim.cancel_faults();
            house.sim.crash_machine();
        }
        aftermath(&mut house, &what);
        let text = house.text(segment("a"));
        let ordered = text.contains("audit.erased");
        assert!(ordered || !done, "{what}: an acknowledged order is lost");
        assert_eq!(ordered, !text.contains(TEXT), "{what}");
        assert!(house.sim.read(format!("{DIR}/erasing")).is_none(), "{what}");
    }
    assert!(fired > 0, "{fault:?} never happened");
}

fn try_erase(house: &House, journal: &journal::Journal) -> Result<(), AuditError> {
    let sealer = crate::sealer::Sealer::new(journal, house.keyring());
    let hand = house.keyring().hand(journal.store_id())?;
    Eraser::new(&sealer, &redactor(), &hand).erase(&[ask("a", 2)]).map(drop)
}

#[test]
fn case_65_an_erasure_killed_at_any_operation() {
    sweep(Fault::Kill, false);
}

#[test]
fn case_65_an_erasure_killed_and_then_a_power_cut() {
    sweep(Fault::Kill, true);
}

#[test]
fn case_65_an_erasure_on_a_disk_that_fails() {
    for fault in [Fault::NoSpace, Fault::Io, Fault::TornWrite, Fault::ShortWrite, Fault::LostSync] {
        sweep(fault, false);
    }
}
