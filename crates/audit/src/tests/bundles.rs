//! Bundles: what is told, what is claimed, and what becomes of both when somebody changes them; numbers are
//! those of the audit chapter's list.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use event::SessionId;
use recorder::{Now, Query, Store};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use world::sim::Fault;

use super::erasures::{Wrong, signed_by};
use super::house::House;
use super::scripts::{agree, pour};
use crate::bundle::manifest::{Claim, Digest, Size, Statement, Subject, pretty, sums};
use crate::bundle::{
    BLAKE3_SUMS, CUSTODY, Demanded, Dest, Examined, MANIFEST, Order, Request, SHA256_SUMS, SIGNATURE, build,
    bundle, custody, examine, hand_over, pack, select,
};
use crate::erase;
use crate::pin::Pin;
use crate::sign::Signer;
use crate::sshsig::{AllowedSigners, Hand};
use crate::tree::hex;

const ID: &str = "01KB0000000000000000000000";
const NOW: i64 = 1_795_000_000_000_000;

/// A bundle in a real folder, and the house that it comes from.
pub(super) struct Parcel {
    pub(super) house: House,
    pub(super) folder: TempDir,
    pub(super) pin: Option<Pin>,
    signers: Option<String>,
}

fn ada() -> Signer {
    Signer::new("ada@example.org", &[9; 32])
}

fn order<'a>(house: &House, query: Option<&str>, named: &[&str], hand: &'a dyn Hand) -> Order<'a> {
    let store = Store::open(house.world.clone(), "/store".as_ref()).unwrap();
    let named: Vec<SessionId> = named.iter().map(|name| SessionId::new(name).unwrap()).collect();
    let asked = query.map(|text| Query::parse(text, &Now::utc(NOW)).unwrap());
    let selection = select(&store, &named, asked.as_ref()).unwrap();
    let rest = if selection.filter.is_some() { "head" } else { "none" };
    let request = Request {
        sessions: selection.sessions.iter().map(|(session, _)| session.to_string()).collect(),
        query: query.map(str::to_owned),
        filter: selection.filter,
        rest: rest.to_owned(),
        purpose: Some("a test <b>".to_owned()),
        case: None,
    };
    Order {
        id: ID.to_owned(),
        created: NOW,
        request,
        sessions: selection.sessions,
        everything: named.is_empty(),
        hand,
        host: "here".to_owned(),
        tool: "recount test".to_owned(),
        tool_sha256: "0".repeat(64),
    }
}

impl Parcel {
    pub(super) fn of(house: House, query: Option<&str>, named: &[&str]) -> Self {
        Self::signed(house, query, named, None)
    }

    fn signed(house: House, query: Option<&str>, named: &[&str], hand: Option<Signer>) -> Self {
        let log = house.keyring().hand(house.journal().store_id()).unwrap();
        let signers = hand.as_ref().map(|hand| format!("{} {}\n", hand.name(), Hand::key(hand).to_line()));
        let hand = hand.unwrap_or(log);
        let order = order(&house, query, named, &hand);
        let made = bundle(&house.sealer(), &mut house.recorder(), &order, "/out/b".as_ref()).unwrap();
        assert_eq!(made.sessions, order.sessions.len());
        let folder = tempfile::tempdir().unwrap();
        pour(&house, "/out/b", folder.path());
        let pin = house.known();
        Self { house, folder, pin, signers }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub(super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn lines(&self, name: &str, change: impl FnOnce(&mut Vec<String>)) {
        let mut lines: Vec<String> = self.text(name).lines().map(str::to_owned).collect();
        change(&mut lines);
        self.write(name, lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    }

    pub(super) fn examined(&self) -> Examined {
        let allowed = self.signers.as_ref().map(|text| AllowedSigners::parse(text).unwrap());
        let demanded = Demanded { pin: self.pin.clone(), allowed, ..Demanded::default() };
        examine(self.folder.path(), &demanded, &|_| None).unwrap()
    }

    /// Demands an exit code, of us and of the scripts.
    #[track_caller]
    pub(super) fn exits(&self, code: u8) -> Examined {
        let examined = self.examined();
        assert_eq!(examined.exit(), code, "{:#?}", examined.findings);
        agree(self.folder.path(), self.pin.as_ref(), self.signers.as_deref(), code);
        examined
    }

    fn statement(&self) -> Statement {
        serde_json::from_slice(&self.read(MANIFEST)).unwrap()
    }

    /// What an exporter can do who has the log's key: change anything and sign it again.
    pub(super) fn lie(&self, change: impl FnOnce(&mut Statement)) {
        let hand = self.house.keyring().hand(self.house.journal().store_id()).unwrap();
        self.lie_as(&hand, crate::bundle::NAMESPACE, change);
    }

    fn lie_as(&self, hand: &dyn Hand, namespace: &str, change: impl FnOnce(&mut Statement)) {
        let mut statement = self.statement();
        change(&mut statement);
        for subject in &mut statement.subject {
            *subject = self.subject(&subject.name);
        }
        let manifest = pretty(&statement);
        self.write(MANIFEST, &manifest);
        let mut subjects = statement.subject;
        subjects.push(self.subject(MANIFEST));
        self.write(SHA256_SUMS, sums(&subjects, |digest| &digest.sha256));
        self.write(BLAKE3_SUMS, sums(&subjects, |digest| &digest.blake3));
        self.write(SIGNATURE, hand.sign(namespace, manifest.as_bytes()).unwrap().armor());
        let hash = hex(&Sha256::digest(&manifest));
        let line = custody::line(&hash, "exported", None, &statement.predicate.created, hand).unwrap();
        self.write(CUSTODY, format!("{line}\n"));
    }

    fn subject(&self, name: &str) -> Subject {
        let bytes = self.read(name);
        let digest = Digest {
            sha256: hex(&Sha256::digest(&bytes)),
            blake3: blake3::hash(&bytes).to_hex().to_string(),
        };
        Subject { name: name.to_owned(), digest, annotations: Size { size: bytes.len() as u64 } }
    }
}

#[test]
fn a_bundle_of_everything_is_verified_by_us_and_by_stock_tools() {
    let parcel = Parcel::of(House::golden(), None, &[]);
    let examined = parcel.exits(0);
    let facts = examined.facts.unwrap();
    assert_eq!((facts.sessions, facts.full, facts.total, facts.attested), (2, 20, 20, 0));
    assert_eq!(examined.custody.len(), 1);
    parcel.house.exits(0);
}

#[test]
fn without_a_pin_a_bundle_proves_nothing() {
    let mut parcel = Parcel::of(House::golden(), None, &["a"]);
    parcel.pin = None;
    parcel.exits(12);
    parcel.pin = Some(Pin { store: None, id: "0".repeat(64), seen: None });
    parcel.exits(12);
}

#[test]
fn the_log_says_who_asked_and_what_was_made_and_so_do_the_sessions() {
    let parcel = Parcel::of(House::golden(), None, &["a"]);
    let log = parcel.house.text(super::house::LOG);
    let manifest = hex(&Sha256::digest(parcel.read(MANIFEST)));
    assert!(log.contains(&format!("\"leaf\":\"export\",\"bundle\":\"{ID}\"")));
    assert!(log.contains(&format!("\"leaf\":\"exported\",\"bundle\":\"{ID}\",\"manifest\":\"{manifest}\"")));
    let last = parcel.house.text(super::house::segment("a")).lines().last().unwrap().to_owned();
    assert!(last.contains("audit.exported") && last.contains(ID), "{last}");
}

#[test]
fn the_same_store_and_order_give_the_same_bytes() {
    let house = House::golden();
    let hand = ada();
    let order = order(&house, Some("agent:dev OR kind:note"), &[], &hand);
    let checkpoint = house.sealer().export(ID, "0".repeat(64), "x".to_owned()).unwrap();
    let made = |name: &str| {
        let mut dest = Dest::new(&house.world, Path::new(name), ID).unwrap();
        build(&house.journal(), &checkpoint, &order, &mut dest).unwrap();
        dest.finish().unwrap();
        let read = |path: &PathBuf| (path.strip_prefix(name).unwrap().to_owned(), house.bytes(path));
        house.sim.files(name).iter().map(read).collect::<Vec<_>>()
    };
    assert!(made("/out/1").len() > 15);
    assert_eq!(made("/out/1x"), made("/out/2"));
    assert_eq!(made("/out/1.tar.zst"), made("/out/2.tar.zst"));
}

#[test]
fn a_filter_over_headers_is_proven_and_one_over_text_is_attested() {
    let headers = Parcel::of(House::golden(), Some("kind:error OR seq:2"), &[]);
    let facts = headers.exits(0).facts.unwrap();
    assert_eq!((facts.full, facts.total, facts.attested), (3, 20, 0));
    assert!(!headers.text("events/a.ndjson").contains("note 4"));
    let text = Parcel::of(House::golden(), Some("\"note 3\""), &[]);
    let facts = text.exits(0).facts.unwrap();
    assert_eq!((facts.full, facts.attested), (2, 1));
    assert_eq!(text.text("events/a.ndjson").lines().count(), 1);
    assert!(text.text("proofs/a.pruned").lines().count() > 3);
}

#[test]
fn what_was_erased_is_listed_with_the_order_that_is_told_beside_it() {
    let house = House::golden();
    house.erase_order("a", 4);
    house.blank("a", 4);
    house.seal();
    let parcel = Parcel::of(house, Some("seq:4 session:a"), &["a"]);
    parcel.exits(0);
    let erasures = parcel.statement().predicate.erasures;
    assert_eq!(erasures.len(), 1);
    assert_eq!((erasures[0].seq, erasures[0].order), (4, Some(11)));
    let demanded = Demanded { pin: parcel.pin.clone(), payload: true, ..Demanded::default() };
    let strict = examine(parcel.folder.path(), &demanded, &|_| None).unwrap();
    assert_eq!((strict.exit(), strict.findings.len()), (23, 1), "{:#?}", strict.findings);
    // told without its order, it would look like one that was taken away
    parcel.lines("events/a.ndjson", |lines| {
        let line = event::Line::parse(lines[11].as_bytes()).unwrap();
        let head = format!("{},\"hash\":\"{}\"}}", line.header(), line.hash);
        lines[11] = head;
    });
    parcel.lie(|statement| {
        (statement.predicate.sessions[0].full, statement.predicate.sessions[0].head) = (1, 11);
        statement.predicate.erasures[0].order = None;
    });
    parcel.exits(23);
}

#[test]
fn case_27_who_ordered_an_erasure_counts_in_bundles_too() {
    let eraser = Signer::new("eve", &[8; 32]);
    let bundle_of = |house: House| {
        house.seal();
        Parcel::signed(house, None, &["a"], Some(ada()))
    };
    let house = House::golden();
    signed_by(&house, &eraser);
    let mut parcel = bundle_of(house);
    let of_ada = parcel.signers.clone().unwrap();
    let with_eve = |line: &str| Some(format!("{of_ada}{line} {}\n", Hand::key(&eraser).to_line()));
    for (signers, code) in [
        (None, 0),
        (with_eve("eve"), 0),
        (with_eve("eve namespaces=\"recount-erase\""), 0),
        (with_eve("eve namespaces=\"recount-bundle,recount-custody\""), 37),
        (with_eve("mallory"), 37),
        (Some(of_ada.clone()), 37),
    ] {
        parcel.signers = signers;
        parcel.exits(code);
    }
    // an order that nobody signed is lawful until somebody asks who did
    let house = House::golden();
    house.erase_order("a", 4);
    house.blank("a", 4);
    let mut parcel = bundle_of(house);
    parcel.exits(37);
    parcel.signers = None;
    parcel.exits(0);
}

#[test]
fn case_27_a_bundle_tells_no_order_whose_signature_is_of_another_text_or_purpose() {
    for (namespace, more) in [("recount-bundle", &b""[..]), (erase::NAMESPACE, b"x")] {
        let house = House::golden();
        signed_by(&house, &Wrong(Signer::new("ada", &[9; 32]), namespace, more));
        house.seal();
        Parcel::of(house, None, &["a"]).exits(37);
    }
}

#[test]
fn case_52_a_file_changed_added_or_missing() {
    let parcel = Parcel::of(House::golden(), None, &["a"]);
    for name in
        ["report.html", "events/a.ndjson", "log/entries.ndjson", "keys/log.pem", "STORE", "SHA256SUMS"]
    {
        let good = parcel.read(name);
        let mut changed = good.clone();
        changed[good.len() / 2] ^= 1;
        parcel.write(name, &changed);
        parcel.exits(40);
        parcel.write(name, &good);
    }
    parcel.write("log/more", "x");
    parcel.exits(40);
    fs::remove_file(parcel.path("log/more")).unwrap();
    for name in ["proofs/a.pruned", "B3SUMS", "custody.ndjson", "MANIFEST.json"] {
        let good = parcel.read(name);
        fs::remove_file(parcel.path(name)).unwrap();
        parcel.exits(40);
        parcel.write(name, &good);
    }
    parcel.exits(0);
}

#[test]
fn case_53_a_manifest_changed_or_signed_for_another_purpose_or_by_another() {
    let parcel = Parcel::of(House::golden(), None, &["a"]);
    let good = parcel.text(MANIFEST);
    parcel.write(MANIFEST, good.replacen("a test", "b test", 1));
    parcel.exits(34);
    parcel.write(MANIFEST, &good);
    let hand = parcel.house.keyring().hand(parcel.house.journal().store_id()).unwrap();
    parcel.lie_as(&hand, custody::NAMESPACE, |_| {});
    parcel.exits(34);
    // the log said beforehand who would sign
    let stranger = Signer::new("eve", &[8; 32]);
    parcel.lie_as(&stranger, crate::bundle::NAMESPACE, |statement| {
        statement.predicate.exporter.principal = "eve".to_owned();
        statement.predicate.exporter.key = Hand::key(&stranger).fingerprint();
    });
    parcel.exits(34);
    let person = Parcel::signed(House::golden(), None, &["a"], Some(ada()));
    person.exits(0);
    let other = Parcel { signers: Some(format!("eve {}\n", Hand::key(&stranger).to_line())), ..person };
    other.exits(34);
}

#[test]
fn case_54_a_proof_without_a_range_with_another_index_or_another_size() {
    let parcel = Parcel::of(House::golden(), Some("\"note 3\""), &["a"]);
    let good = parcel.text("proofs/a.pruned");
    let lied = |proof: String| {
        parcel.write("proofs/a.pruned", proof);
        parcel.lie(|_| {});
        parcel.exits(41);
    };
    let rows: Vec<&str> = good.lines().collect();
    let joined = |rows: &[&str]| rows.iter().map(|row| format!("{row}\n")).collect::<String>();
    let told = rows.iter().position(|row| row.starts_with('e')).unwrap();
    let without = [&rows[..told - 1], &rows[told..]].concat();
    lied(joined(&without));
    let mut shifted = rows.clone();
    shifted.swap(told, told - 1);
    lied(joined(&shifted));
    lied(good.replacen("pruned 1 11\n", "pruned 1 10\n", 1));
    lied(good.replacen("pruned 1 11\n", "pruned 1 12\n", 1));
    lied(good.replacen("e 1\n", "x 1\n", 1));
    parcel.write("proofs/a.pruned", &good);
    parcel.lie(|_| {});
    parcel.exits(0);
}

#[test]
fn case_55_a_filter_that_hides_an_event_that_it_matches() {
    let parcel = Parcel::of(House::golden(), Some("seq:2"), &["a"]);
    parcel.exits(0);
    let wider = |claim: &mut Claim| {
        if let Claim::HeaderFilter { filter, .. } = claim {
            *filter = crate::Filter::Seq { from: 2, to: Some(3) };
        }
    };
    let mut second = parcel.statement().predicate.claims.pop().unwrap();
    wider(&mut second);
    parcel.lie(|statement| statement.predicate.claims.push(second));
    parcel.exits(42);
    parcel.lie(|statement| {
        statement.predicate.claims.pop();
        statement.predicate.claims.iter_mut().for_each(wider);
    });
    parcel.exits(42);
}

#[test]
fn case_56_the_latest_is_claimed_and_a_newer_seal_is_there() {
    let parcel = Parcel::of(House::golden(), None, &["a"]);
    let log = parcel.text("log/entries.ndjson");
    let first = log.lines().position(|line| line.contains("\"session\":\"a\"")).unwrap();
    // the golden store sealed eight events first
    parcel.lines("events/a.ndjson", |lines| lines.truncate(8));
    parcel.write("proofs/a.pruned", "recount pruned 1 8\ne 8\n");
    parcel.lie(|statement| {
        let part = &mut statement.predicate.sessions[0];
        (part.leaf, part.total, part.full) = (first as u64, 8, 8);
        if let Claim::Range { to, .. } = &mut statement.predicate.claims[0] {
            *to = 7;
        }
    });
    let examined = parcel.exits(42);
    assert!(examined.findings[0].msg.contains("latest"), "{:?}", examined.findings);
}

#[test]
fn case_57_a_line_cut_to_its_header_and_the_levels_kept() {
    let parcel = Parcel::of(House::golden(), None, &["a"]);
    parcel.lines("events/a.ndjson", |lines| {
        let line = event::Line::parse(lines[5].as_bytes()).unwrap();
        let head = format!("{},\"hash\":\"{}\"}}", line.header(), line.hash);
        lines[5] = head;
    });
    parcel.lie(|_| {});
    parcel.exits(42);
}

#[test]
fn case_58_a_bundle_that_is_older_than_the_auditors_pin() {
    let mut parcel = Parcel::of(House::golden(), None, &["a"]);
    parcel.house.notes("a", 20..22);
    parcel.house.seal();
    parcel.pin = Some(Pin::of(&parcel.house.journal()).unwrap());
    parcel.exits(32);
    // and one of the same size with another root
    let note = parcel.house.text("/store/journal/log/checkpoint");
    let size = crate::Checkpoint::parse(&note).unwrap().size;
    let there = crate::Checkpoint::parse(&parcel.statement().predicate.checkpoint).unwrap();
    let text = note.replacen(&format!("\n{size}\n"), &format!("\n{}\n", there.size), 1);
    let seen = crate::Note::parse(text.as_bytes()).unwrap();
    parcel.pin = Some(Pin { seen: Some(seen), ..parcel.pin.clone().unwrap() });
    parcel.exits(33);
}

#[test]
fn case_59_a_custody_line_removed_or_signed_by_a_stranger() {
    let parcel = Parcel::signed(House::golden(), None, &["a"], Some(ada()));
    let hand = |action: &str, hand: &Signer| {
        hand_over(parcel.folder.path(), action, Some("bob"), "2026-11-28T00:00:00.000000Z", hand).unwrap()
    };
    hand("handed over", &ada());
    assert_eq!(hand("received", &ada()).len(), 3);
    parcel.exits(0);
    let good = parcel.text(CUSTODY);
    parcel.lines(CUSTODY, |lines| drop(lines.remove(1)));
    parcel.exits(43);
    parcel.lines(CUSTODY, |lines| lines.truncate(0));
    parcel.exits(43);
    parcel.write(CUSTODY, good.replacen("handed over", "handed back", 1));
    parcel.exits(43);
    parcel.write(CUSTODY, &good);
    hand("taken", &Signer::new("eve", &[8; 32]));
    parcel.exits(43);
}

#[test]
fn events_of_a_bundle_are_looked_at_as_those_of_a_store() {
    let parcel = Parcel::of(House::golden(), None, &["a"]);
    let good = parcel.text("events/a.ndjson");
    for (code, from, to) in [
        (22, "note 3 of a", "note 8 of a"),
        (20, "\"kind\":\"note.added\"", "\"kind\":\"note.addee\""),
        (21, "\",\"data\":{", "\",\"x\":1,\"data\":{"),
        (45, "{\"v\":1", "{\"v\":2"),
    ] {
        parcel.write("events/a.ndjson", good.replacen(from, to, 1));
        parcel.lie(|_| {});
        parcel.exits(code);
    }
    let mut lines: Vec<&str> = good.lines().collect();
    lines.remove(4);
    parcel.write("events/a.ndjson", lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    parcel.lie(|_| {});
    parcel.exits(41);
}

#[test]
fn a_claim_that_nobody_can_prove_is_no_claim() {
    let parcel = Parcel::of(House::golden(), Some("\"note 3\""), &["a"]);
    let mut proven = |claim: &mut Claim| {
        if let Claim::TextFilter { kind, .. } = claim {
            "proven".clone_into(kind);
        }
    };
    parcel.lie(|statement| statement.predicate.claims.iter_mut().for_each(&mut proven));
    parcel.exits(42);
    let range = Claim::Range {
        kind: "proven".to_owned(),
        session: "a".to_owned(),
        from: 2,
        to: 3,
        level: "full".to_owned(),
    };
    let parcel = Parcel::of(House::golden(), Some("\"note 3\""), &["a"]);
    parcel.lie(|statement| statement.predicate.claims.push(range));
    parcel.exits(42);
    let parcel = Parcel::of(House::golden(), None, &["a"]);
    parcel.lie(|s| s.predicate.claims.push(Claim::Sessions { kind: "proven".to_owned(), from: 0, to: 5 }));
    parcel.exits(42);
}

#[test]
fn case_68_links_and_names_that_lead_elsewhere_are_refused_and_nothing_is_written() {
    let parcel = Parcel::of(House::golden(), None, &["a"]);
    let report = parcel.path("report.md");
    fs::remove_file(&report).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &report).unwrap();
    parcel.exits(40);
    fs::remove_file(&report).unwrap();
    std::os::unix::fs::symlink(parcel.path("log"), &report).unwrap();
    parcel.exits(40);
    let lied = Parcel::of(House::golden(), None, &["a"]);
    for name in ["../outside", "/etc/passwd", "log/../STORE", "a\nb"] {
        let mut statement = lied.statement();
        let mut one = lied.subject("STORE");
        one.name = name.to_owned();
        statement.subject.push(one);
        let manifest = pretty(&statement);
        lied.write(MANIFEST, &manifest);
        let hand = lied.house.keyring().hand(lied.house.journal().store_id()).unwrap();
        lied.write(
            SIGNATURE,
            Hand::sign(&hand, crate::bundle::NAMESPACE, manifest.as_bytes()).unwrap().armor(),
        );
        lied.exits(40);
    }
}

/// A packed bundle of everything.
pub(super) fn packed() -> (House, Vec<u8>) {
    let house = House::golden();
    let hand = house.keyring().hand(house.journal().store_id()).unwrap();
    let order = order(&house, None, &[], &hand);
    house.world.disk.create_dir_all("/out".as_ref()).unwrap();
    bundle(&house.sealer(), &mut house.recorder(), &order, "/out/b.tar.zst".as_ref()).unwrap();
    let bytes = house.bytes("/out/b.tar.zst");
    (house, bytes)
}

/// Every file of a bundle.
pub(super) fn files_of(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_of(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

#[test]
fn a_packed_bundle_is_verified_as_it_is_and_unpacks_to_the_same() {
    let (house, bytes) = packed();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("b.tar.zst");
    fs::write(&file, bytes).unwrap();
    let demanded = Demanded { pin: house.known(), ..Demanded::default() };
    let examined = examine(&file, &demanded, &|_| None).unwrap();
    assert_eq!(examined.exit(), 0, "{:?}", examined.findings);
    assert!(house.sim.files("/out").iter().all(|path| path == Path::new("/out/b.tar.zst")));
    let unpacked =
        std::process::Command::new("tar").arg("--zstd").arg("-xf").arg(&file).current_dir(&folder).output();
    if unpacked.is_ok_and(|out| out.status.success()) {
        let inner = folder.path().join(format!("bundle-{ID}"));
        assert_eq!(examine(&inner, &demanded, &|_| None).unwrap().exit(), 0);
        agree(&inner, demanded.pin.as_ref(), None, 0);
    }
}

#[test]
fn case_68_archives_that_were_made_to_do_harm_are_refused_and_nothing_is_written() {
    let (house, bytes) = packed();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("in/b.tar.zst");
    fs::create_dir(folder.path().join("in")).unwrap();
    let demanded = Demanded { pin: house.known(), ..Demanded::default() };
    let code = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let examined = examine(&file, &demanded, &|_| None).unwrap();
        assert_eq!(files_of(folder.path()), std::slice::from_ref(&file), "something was written");
        examined.exit()
    };
    assert_eq!(code(&bytes), 0);
    for harm in harms(&bytes) {
        assert_eq!(code(&pack::wrapped(&harm)), 40);
    }
    for cut in [0, 10, 39, 40, 41, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(code(&bytes[..cut]), 40, "{cut}");
    }
    assert_eq!(code(&[&bytes[..], b"x"].concat()), 40);
    // a bomb: a gigabyte and more from a few kilobytes
    assert_eq!(code(&pack::bomb()), 40);
}

/// Archives with links, devices, names that lead elsewhere, names that stand twice and members out of bounds.
fn harms(bytes: &[u8]) -> Vec<Vec<u8>> {
    let good = zstd::decode_all(&bytes[..bytes.len() - 40]).unwrap();
    let headed = |change: &dyn Fn(&mut [u8])| {
        let mut tar = good.clone();
        change(&mut tar[..512]);
        tar[148..156].fill(b' ');
        let sum: u32 = tar[..512].iter().map(|byte| u32::from(*byte)).sum();
        tar[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        tar
    };
    let name = |to: &'static str| {
        headed(&move |header: &mut [u8]| {
            header[..100].fill(0);
            header[..to.len()].copy_from_slice(to.as_bytes());
        })
    };
    let kind = |to: u8| headed(&move |header: &mut [u8]| header[156] = to);
    let mut harms: Vec<Vec<u8>> = [b'1', b'2', b'3', b'4', b'5', b'6', b'7', b'x', b'L'].map(kind).into();
    harms.extend(
        ["../outside", "/etc/passwd", "a/../../b", "a//b", ".hidden", "a\nb", "log/checkpoint"].map(name),
    );
    harms.push(headed(&|header: &mut [u8]| header[124..135].copy_from_slice(b"77777777777")));
    harms.push(headed(&|header: &mut [u8]| header[345] = b'/'));
    harms.push(headed(&|header: &mut [u8]| header[100..107].copy_from_slice(b"0004777")));
    harms.push(good[..good.len() - 512].to_vec());
    harms.push([&good[..], &[0; 512]].concat());
    harms
}

#[test]
fn recorded_text_is_no_markup_in_the_reports() {
    let house = House::golden();
    house.record("a", "note.added", "<script>alert(1)</script> | [x](javascript:y) & \"'");
    let parcel = Parcel::of(house, None, &["a"]);
    let html = parcel.text("report.html");
    assert!(!html.contains("<script") && html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(html.contains("default-src &#39;none&#39;") || html.contains("default-src 'none'"));
    assert!(!parcel.text("report.md").contains("<b>") && !html.contains("test <b>"));
    parcel.exits(0);
}

#[test]
fn a_bundle_is_made_where_nothing_is_and_leaves_nothing_where_it_fails() {
    let house = House::golden();
    let hand = house.keyring().hand(house.journal().store_id()).unwrap();
    let order = order(&house, None, &[], &hand);
    house.sim.write("/out/there", b"x");
    let made = bundle(&house.sealer(), &mut house.recorder(), &order, "/out/there".as_ref());
    assert!(matches!(made, Err(crate::AuditError::Exists { .. })), "{made:?}");
    let before: BTreeSet<PathBuf> = house.sim.files("/store").into_iter().collect();
    assert_eq!(before, house.sim.files("/store").into_iter().collect());
}

/// What a fault while a bundle is made leaves: a store that is whole or torn, and a bundle that is whole or none.
#[test]
fn case_65_an_export_that_is_cut_off_anywhere_leaves_the_store_whole_and_no_half_bundle() {
    let begin = || {
        let house = House::new(11);
        house.notes("a", 0..2);
        house.seal();
        house.world.disk.create_dir_all("/out".as_ref()).unwrap();
        house
    };
    let hand = ada();
    // what is looked at before anything is written is not at stake
    let export = |house: &House, fault: Option<(u64, Fault)>| {
        let (order, sealer, mut recorder) =
            (order(house, None, &["a"], &hand), house.sealer(), house.recorder());
        let before = house.sim.ops();
        if let Some((n, fault)) = fault {
            house.sim.fail_op(n, fault);
        }
        let made = bundle(&sealer, &mut recorder, &order, "/out/b".as_ref());
        (made, house.sim.ops() - before)
    };
    let (made, ops) = export(&begin(), None);
    assert!(made.is_ok() && ops > 100, "{ops}");
    for n in (1..=ops).step_by(3) {
        for fault in [Fault::NoSpace, Fault::Kill] {
            let mut house = begin();
            let (made, _) = export(&house, Some((n, fault)));
            house.sim.cancel_faults();
            house.world = house.sim.process();
            let verdict = house.verify();
            assert!(matches!(verdict.exit(), 0 | 10), "{n} {fault:?}: {:?}", verdict.findings);
            let there = house.sim.files("/out/b");
            let whole = there.iter().any(|path| path.ends_with(CUSTODY));
            assert!(there.is_empty() || whole, "{n} {fault:?}: {there:?}");
            assert!(made.is_err() || whole, "{n} {fault:?}");
            house.seal();
            assert_eq!(house.verify().exit(), 0, "{n} {fault:?}");
        }
    }
}
