//! Anchors: a witness on loopback that keeps to the protocol, time stamps, and what a failed one leaves.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::bundles::Parcel;
use super::house::{House, LOG};
use crate::anchor::{add_stamp, anchor_failed, query, stamps, witness};
use crate::error::AuditError;
use crate::note::tests::cosign;
use crate::note::{Checkpoint, Note};
use crate::tree::{Hash, consistency, leaf_hash, root_of};
use crate::verify::{Demands, verify};

const WITNESSED: &str = "/store/journal/log/witnessed";

/// RFC 9162 §2.1.4.2: does the proof lead from one root to the other?
fn is_consistent(old: (usize, Hash), new: (usize, Hash), proof: &[Hash]) -> bool {
    fn node(left: &Hash, right: &Hash) -> Hash {
        Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
    }
    if old.0 == 0 || old.0 == new.0 {
        return proof.is_empty() && (old.0 == 0 || old.1 == new.1);
    }
    let mut path: Vec<Hash> = proof.to_vec();
    if old.0.is_power_of_two() {
        path.insert(0, old.1);
    }
    let (mut at, mut end) = (old.0 - 1, new.0 - 1);
    while at & 1 == 1 {
        (at, end) = (at >> 1, end >> 1);
    }
    let Some((first, rest)) = path.split_first() else { return false };
    let (mut one, mut two) = (*first, *first);
    for part in rest {
        if end == 0 {
            return false;
        }
        if at & 1 == 1 || at == end {
            (one, two) = (node(part, &one), node(part, &two));
            while at & 1 == 0 && at != 0 {
                (at, end) = (at >> 1, end >> 1);
            }
        } else {
            two = node(&two, part);
        }
        (at, end) = (at >> 1, end >> 1);
    }
    end == 0 && one == old.1 && two == new.1
}

#[test]
fn a_proof_leads_from_every_size_to_every_other() {
    let leaves: Vec<Hash> = (0..70_u32).map(|n| leaf_hash(&n.to_be_bytes())).collect();
    for new in 1..=leaves.len() {
        for old in 0..=new {
            let proof = consistency(&leaves[..new], old);
            let (before, after) = ((old, root_of(&leaves[..old])), (new, root_of(&leaves[..new])));
            assert!(is_consistent(before, after, &proof), "{old} {new}");
            if old > 0 && old < new {
                assert!(!is_consistent((old, [7; 32]), after, &proof), "{old} {new}");
            }
        }
    }
}

/// A witness: remembers what it saw, and answers as the protocol says.
struct Witness {
    url: String,
    vkey: String,
    statuses: Receiver<u16>,
}

fn request(stream: &mut TcpStream) -> String {
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut buffer).unwrap();
        text.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap();
        if body.len() >= length.parse::<usize>().unwrap() {
            assert!(head.starts_with("POST /w/add-checkpoint HTTP/1.1"), "{head}");
            return body.to_owned();
        }
    }
}

fn answer(body: &str, seen: &mut (usize, Hash), name: &str, seed: [u8; 32]) -> (u16, String) {
    let (head, note) = body.split_once("\n\n").unwrap();
    let mut lines = head.lines();
    let old: usize = lines.next().unwrap().strip_prefix("old ").unwrap().parse().unwrap();
    let proof: Vec<Hash> = lines.map(|line| STANDARD.decode(line).unwrap().try_into().unwrap()).collect();
    let mut note = Note::parse(note.as_bytes()).unwrap();
    let shown = Checkpoint::parse(&note.text).unwrap();
    if old != seen.0 {
        return (409, format!("{}\n", seen.0));
    }
    let new = (usize::try_from(shown.size).unwrap(), shown.root);
    if !is_consistent(*seen, new, &proof) {
        return (422, String::new());
    }
    *seen = new;
    note.signatures.clear();
    cosign(&mut note, name, &seed, 1_800_000_000);
    let lines = note.to_text();
    (200, lines.split_once("\n\n").unwrap().1.to_owned())
}

impl Witness {
    fn new(name: &'static str, seed: u8, seen: (usize, Hash), requests: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/w/", listener.local_addr().unwrap());
        let mut note = Note { text: "x\n".to_owned(), signatures: Vec::new() };
        let vkey = cosign(&mut note, name, &[seed; 32], 1);
        let (send, statuses) = channel();
        std::thread::spawn(move || {
            let mut seen = seen;
            for _ in 0..requests {
                let (mut stream, _) = listener.accept().unwrap();
                let (status, body) = answer(&request(&mut stream), &mut seen, name, [seed; 32]);
                let text = format!("HTTP/1.1 {status} x\r\nContent-Length: {}\r\n\r\n{body}", body.len());
                stream.write_all(text.as_bytes()).unwrap();
                send.send(status).unwrap();
            }
        });
        Self { url, vkey, statuses }
    }
}

fn root(house: &House, size: usize) -> Hash {
    let lines = house.text(LOG);
    let leaves: Vec<Hash> = lines.lines().take(size).map(|line| leaf_hash(line.as_bytes())).collect();
    root_of(&leaves)
}

fn exits(house: &House, policy: &str, code: u8) {
    let policy = Some(crate::Policy::parse(policy).unwrap());
    let demands = Demands { pin: house.remembered(), policy, anchor: true, ..Demands::default() };
    let verdict = verify(&house.journal(), &demands).unwrap();
    assert_eq!(verdict.exit(), code, "{:?}", verdict.findings);
}

#[test]
fn two_witnesses_cosign_as_the_log_grows_and_the_policy_counts_them() {
    let house = House::golden();
    let (one, two) = (Witness::new("w1", 101, (0, [0; 32]), 3), Witness::new("w2", 102, (0, [0; 32]), 1));
    let policy = format!(
        "witness w1 {} {}\nwitness w2 {}\ngroup both 2 w1 w2\nquorum both\n",
        one.vkey, one.url, two.vkey
    );
    let parsed = crate::Policy::parse(&policy).unwrap();
    exits(&house, &policy, 13);
    let urls = [one.url.clone(), two.url];
    let (_, all) = witness(&house.journal(), &urls, Some(&parsed)).unwrap();
    assert!(all.iter().all(|witnessed| witnessed.outcome.is_ok()), "{all:?}");
    exits(&house, &policy, 0);
    // the log goes on: the proof leads from what the witness saw last
    house.notes("a", 10..15);
    house.seal();
    exits(&house, &policy, 0);
    let (_, all) = witness(&house.journal(), &urls[..1], Some(&parsed)).unwrap();
    assert_eq!(all[0].outcome, Ok(vec!["w1".to_owned()]));
    // what we remember of it is lost: it says where to begin
    house.sim.delete(WITNESSED);
    house.notes("a", 15..16);
    house.seal();
    // two requests more than it lives for would hang: it has one left, and answers 409
    let (_, all) = witness(&house.journal(), &urls[..1], Some(&parsed)).unwrap();
    assert_eq!(one.statuses.iter().collect::<Vec<u16>>(), [200, 200, 409]);
    assert!(all[0].outcome.is_err(), "it is gone then");
}

#[test]
fn a_witness_that_knows_an_older_size_is_shown_the_way_from_there() {
    let house = House::golden();
    let known = Witness::new("w1", 101, (2, root(&house, 2)), 2);
    let (_, all) = witness(&house.journal(), std::slice::from_ref(&known.url), None).unwrap();
    assert_eq!(all[0].outcome, Ok(vec!["w1".to_owned()]));
    assert_eq!(known.statuses.iter().collect::<Vec<u16>>(), [409, 200]);
    exits(&house, &format!("witness w1 {}\nquorum w1\n", known.vkey), 0);
}

#[test]
fn a_witness_that_saw_more_or_something_else_says_so_and_nothing_is_kept() {
    let house = House::golden();
    let ahead = Witness::new("w1", 101, (1000, [1; 32]), 1);
    let other = Witness::new("w2", 102, (2, [1; 32]), 2);
    let urls = [ahead.url, other.url, "http://127.0.0.1:1".to_owned(), "https://x".to_owned()];
    let (_, all) = witness(&house.journal(), &urls, None).unwrap();
    assert!(
        all[0].ahead && all[0].outcome.as_ref().is_err_and(|what| what.contains("1000 leaves")),
        "{all:?}"
    );
    assert!(all[1].outcome.as_ref().is_err_and(|what| what.contains("another history")), "{all:?}");
    assert!(all[2].outcome.is_err() && all[3].outcome.is_err());
    assert!(house.sim.read(WITNESSED).is_none());
}

#[test]
fn a_cosignature_that_no_key_of_the_policy_made_is_not_kept() {
    let house = House::golden();
    let liar = Witness::new("w1", 9, (0, [0; 32]), 1);
    let real = Witness::new("w1", 10, (0, [0; 32]), 1);
    let policy = crate::Policy::parse(&format!("witness w1 {}\n", real.vkey)).unwrap();
    let (_, all) = witness(&house.journal(), &[liar.url], Some(&policy)).unwrap();
    assert!(all[0].outcome.as_ref().is_err_and(|what| what.contains("no key of the policy")), "{all:?}");
    assert!(house.sim.read(WITNESSED).is_none());
    let (_, all) = witness(&house.journal(), &[real.url], Some(&policy)).unwrap();
    assert!(all[0].outcome.is_ok(), "{all:?}");
}

#[test]
fn a_witness_that_signs_in_our_name_or_talks_too_much_changes_nothing() {
    let house = House::golden();
    let store = house.journal().store_id().to_owned();
    let lines = |name: &str, count: usize| {
        let mut note = Note { text: "x\n".to_owned(), signatures: Vec::new() };
        for seed in 0..count {
            cosign(&mut note, name, &[u8::try_from(seed).unwrap(); 32], 1);
        }
        note.to_text().split_once("\n\n").unwrap().1.to_owned()
    };
    for body in [lines(&format!("recount/{store}"), 1), lines("w", 200), String::new(), "— w".to_owned()] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/w", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            request(&mut stream);
            stream.write_all(format!("HTTP/1.1 200 OK\r\n\r\n{body}").as_bytes()).unwrap();
        });
        let (_, all) = witness(&house.journal(), &[url], None).unwrap();
        assert!(all[0].outcome.is_err(), "{all:?}");
        assert!(house.sim.read(WITNESSED).is_none());
    }
}

fn response(digest: &[u8]) -> Vec<u8> {
    let imprint = [0x30, 0x31, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 0x20];
    [b"before", &imprint[..], digest, &[2, 1, 7, 0x18, 15], b"20261128070000Z", b"after"].concat()
}

#[test]
fn case_51_a_time_stamp_of_another_checkpoint() {
    let house = House::golden();
    let (size, digest) = query(&house.journal()).unwrap();
    assert_eq!(query(&house.journal()).unwrap(), (size, digest.clone()));
    let digest = crate::tree::unhex(&digest).unwrap();
    let stamp = add_stamp(&house.journal(), &response(&digest)).unwrap();
    assert_eq!((stamp.size, stamp.fits, stamp.time.as_deref()), (size, true, Some("20261128070000Z")));
    let verdict = house.exits(0);
    assert!(verdict.notes.iter().any(|note| note.contains("20261128070000Z")), "{verdict:?}");
    // what is about nothing of ours is not taken
    for bad in [response(&[7; 32]), b"nothing".to_vec(), Vec::new()] {
        assert!(matches!(add_stamp(&house.journal(), &bad), Err(AuditError::BadStamp { .. })));
    }
    // put there past all rules
    house.sim.write(format!("/store/journal/log/anchors/{size}.tsr"), &response(&[7; 32]));
    house.exits(36);
    assert!(!stamps(&house.journal()).unwrap()[0].fits);
}

#[test]
fn a_bundle_carries_the_time_stamps_that_are_about_its_log() {
    let house = House::golden();
    let (size, digest) = query(&house.journal()).unwrap();
    let whole = response(&crate::tree::unhex(&digest).unwrap());
    add_stamp(&house.journal(), &whole).unwrap();
    let parcel = Parcel::of(house, None, &["a"]);
    let examined = parcel.exits(0);
    assert_eq!((examined.stamps.len(), &examined.stamps[0].response), (1, &whole));
    assert!(examined.notes.iter().any(|note| note.contains("20261128070000Z")), "{:?}", examined.notes);
    let name = format!("log/anchors/{size}.tsr");
    parcel.write(&name, response(&[7; 32]));
    parcel.lie(|_| {});
    parcel.exits(36);
}

#[test]
fn a_stamped_checkpoint_that_is_not_of_this_log_is_seen() {
    let house = House::golden();
    let (size, _) = query(&house.journal()).unwrap();
    let note = format!("/store/journal/log/anchors/{size}.note");
    let whole = house.text(&note);
    house.notes("a", 10..12);
    house.seal();
    house.exits(0);
    house
        .sim
        .write(&note, whole.replacen(&format!("\n{size}\n"), &format!("\n{}\n", size - 1), 1).as_bytes());
    assert!(matches!(house.verify().exit(), 31 | 34));
}

#[test]
fn an_anchor_that_failed_is_a_leaf_and_nothing_waits_for_it() {
    let house = House::golden();
    anchor_failed(&house.sealer(), "witness").unwrap();
    let verdict = house.exits(0);
    assert!(verdict.notes.iter().any(|note| note.contains("anchoring by witness failed")), "{verdict:?}");
    let leaf = house.text(LOG).lines().find(|line| line.contains("anchor_failed")).unwrap().to_owned();
    assert!(leaf.len() < 200, "{leaf}");
}
