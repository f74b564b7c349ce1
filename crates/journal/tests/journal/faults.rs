//! A scripted night with one fault, for every operation and every kind of fault.
//!
//! Whatever fails, wherever: what was acknowledged is there, once, under the hash that was acknowledged;
//! the rest is whole lines in an unbroken chain, or a torn tail that the next append cures.

use std::collections::BTreeMap;
use std::path::Path;

use event::{Event, SessionId};
use journal::{Durability, FindingCode, Journal, Writer};
use redact::Clean;
use world::sim::{Fault, SimWorld};
use world::{Open, World};

use crate::support::{ROOT, Told, codes, id, init, large_note, machine, note, open, tell, writer};

const SESSIONS: &[&str] = &["always", "batch", "os"];
const CRASHES: u64 = 2;
const SEED: u64 = 7;

/// Something that was acknowledged.
#[derive(Debug, Clone)]
struct Acked {
    session: &'static str,
    seq: u64,
    hash: String,
    text: String,
    durable: bool,
}

/// A process that goes on after an error as programs do: it opens the session again.
struct Hand {
    journal: Journal,
    writers: BTreeMap<&'static str, Writer>,
}

impl Hand {
    fn new(world: &World) -> Option<Self> {
        let journal = init(world).or_else(|_| init(world)).ok()?;
        Some(Self { journal, writers: BTreeMap::new() })
    }

    fn say(&mut self, acked: &mut Vec<Acked>, session: &'static str, texts: &[&str]) {
        let cleans: Vec<_> = texts.iter().map(|text| note(session, text)).collect();
        self.append(acked, session, &cleans);
    }

    fn append(&mut self, acked: &mut Vec<Acked>, session: &'static str, cleans: &[Clean]) {
        let durability = durability(session);
        let writer =
            self.writers.entry(session).or_insert_with(|| writer(&self.journal, session, durability));
        let Ok(receipts) = writer.append_all(cleans) else {
            self.writers.remove(session);
            return;
        };
        acked.extend(receipts.into_iter().zip(cleans).map(|(receipt, clean)| Acked {
            session,
            seq: receipt.seq,
            hash: receipt.hash,
            text: clean.draft().data["text"].as_str().unwrap_or_default().to_owned(),
            durable: receipt.durable,
        }));
    }

    /// Ends a batch: if the sync works, all of the session is durable.
    fn sync(&mut self, acked: &mut [Acked], session: &'static str) {
        let Some(writer) = self.writers.get_mut(session) else { return };
        if writer.sync().is_err() {
            self.writers.remove(session);
            return;
        }
        acked.iter_mut().filter(|acked| acked.session == session).for_each(|acked| acked.durable = true);
    }

    /// A reader may fail; it must not call a failing disk damage.
    fn look(&self) {
        for session in SESSIONS {
            if let Ok(report) = self.journal.verify(&id(session)) {
                let torn_only = codes(&report).iter().all(|code| *code == FindingCode::TornTail);
                assert!(torn_only, "{:?}", report.findings);
            }
        }
    }
}

fn durability(session: &str) -> Durability {
    match session {
        "always" => Durability::Always,
        "batch" => Durability::Batch,
        _ => Durability::Os,
    }
}

/// Two processes, three sessions, a blob, rolled segments, a torn tail.
fn script(sim: &SimWorld) -> Vec<Acked> {
    let mut acked = Vec::new();
    let one = sim.process();
    if let Some(mut hand) = Hand::new(&one) {
        hand.say(&mut acked, "always", &["first"]);
        hand.say(&mut acked, "always", &["second"]);
        hand.say(&mut acked, "batch", &["one", "two", "three"]);
        hand.sync(&mut acked, "batch");
        hand.say(&mut acked, "os", &["left to the system"]);
        hand.append(&mut acked, "always", &[large_note()]);
        for text in ["third", "fourth", "fifth"] {
            hand.say(&mut acked, "always", &[text]);
        }
        tear(&one, "batch");
        hand.say(&mut acked, "batch", &["four", "five"]);
        hand.sync(&mut acked, "batch");
        hand.look();
        let two = sim.process();
        if let Some(mut other) = Hand::new(&two) {
            other.say(&mut acked, "always", &["from the other"]);
            hand.say(&mut acked, "always", &["from the one"]);
            other.say(&mut acked, "os", &["and more"]);
            other.append(&mut acked, "always", &[large_note()]);
        }
    }
    acked
}

/// Half a line, as a process that died in its write leaves it.
fn tear(world: &World, session: &str) {
    let folder = Path::new(ROOT).join("journal/sessions").join(session);
    let names = world.disk.list(&folder).unwrap_or_default();
    if let Some(last) = names.iter().rev().find(|name| name.ends_with(".ndjson")) {
        let torn = world.disk.open(&folder.join(last), Open::Append);
        let _ = torn.and_then(|file| file.append(b"{\"v\":1,\"session\":\"bat"));
    }
}

/// Everything that must hold of a store on this machine; then one more event each, and a crash.
fn check(sim: &SimWorld, acked: &[Acked], durable_only: bool) -> Result<(), String> {
    let must = || acked.iter().filter(|acked| acked.durable || !durable_only);
    let world = sim.process();
    let journal = match open(&world) {
        Ok(journal) => journal,
        Err(_) if must().next().is_none() => init(&world).map_err(|e| format!("init: {e:?}"))?,
        Err(e) => return Err(format!("the store does not open: {e}")),
    };
    for session in journal.sessions().map_err(|e| e.to_string())? {
        let report = journal.verify(&session).map_err(|e| e.to_string())?;
        if codes(&report).iter().any(|code| *code != FindingCode::TornTail) {
            return Err(format!("before the cure: {:?}", report.findings));
        }
    }
    for session in SESSIONS {
        let mut writer = writer(&journal, session, Durability::Always);
        writer.append(&note(session, "after")).map_err(|e| format!("{session} takes nothing: {e}"))?;
    }
    let told = tell_all(&journal)?;
    must().try_for_each(|acked| is_told_once(&told[acked.session], acked))?;
    sim.crash_machine();
    let journal = open(&sim.process()).map_err(|e| format!("after a later crash: {e}"))?;
    if tell_all(&journal)? == told { Ok(()) } else { Err("a later crash changed durable events".to_owned()) }
}

fn tell_all(journal: &Journal) -> Result<BTreeMap<&'static str, Vec<Told>>, String> {
    SESSIONS.iter().map(|session| Ok((*session, tell_checked(journal, &id(session))?))).collect()
}

/// Clean by `verify`, gapless, nothing twice, and the torn bytes that are named are kept.
fn tell_checked(journal: &Journal, session: &SessionId) -> Result<Vec<Told>, String> {
    let report = journal.verify(session).map_err(|e| e.to_string())?;
    if !report.findings.is_empty() {
        return Err(format!("after the cure: {:?}", report.findings));
    }
    let told = tell(journal, session)?;
    for (n, event) in told.iter().enumerate() {
        if event.seq != n as u64 {
            return Err(format!("{session}: seq {} at place {n}", event.seq));
        }
        if event.kind == "audit.recovered" {
            torn_bytes_are_kept(journal, session, event.seq)?;
        }
    }
    Ok(told)
}

fn torn_bytes_are_kept(journal: &Journal, session: &SessionId, seq: u64) -> Result<(), String> {
    let (event, _): (Event, _) = journal.event(session, seq).map_err(|e| e.to_string())?;
    let files = journal.torn_files().map_err(|e| e.to_string())?;
    let text = format!("{:?}", event.data);
    let named = files.iter().find(|file| text.contains(file.as_str()));
    let name = named.ok_or_else(|| format!("{session}/{seq} names none of {files:?}"))?;
    let path = Path::new(ROOT).join("journal/torn").join(name);
    let file = journal.world().disk.open(&path, Open::Read).map_err(|e| e.to_string())?;
    let mut bytes = vec![0; 1 << 16];
    let count = file.read_full_at(&mut bytes, 0).map_err(|e| e.to_string())?;
    let digest = blake3::hash(&bytes[..count]).to_hex();
    if name.contains(&digest.as_str()[..16]) {
        Ok(())
    } else {
        Err(format!("{name} does not hold its {count} bytes"))
    }
}

fn is_told_once(told: &[Told], acked: &Acked) -> Result<(), String> {
    let place = usize::try_from(acked.seq).unwrap_or(usize::MAX);
    let is_there = told.get(place).is_some_and(|told| told.hash == acked.hash && told.text == acked.text);
    if !is_there {
        return Err(format!("acknowledged {}/{} is gone", acked.session, acked.seq));
    }
    let known = |told: &&Told| told.hash == acked.hash;
    match told.iter().filter(known).count() {
        1 => Ok(()),
        count => Err(format!("acknowledged {}/{} is there {count} times", acked.session, acked.seq)),
    }
}

/// Runs the script with this fault; `None` if it cannot happen at that operation.
fn night(n: u64, fault: Fault) -> Option<Result<(), String>> {
    let sim = machine(SEED);
    sim.fail_op(n, fault);
    let acked = script(&sim);
    let fired = *sim.fired().first()?;
    let mut checked =
        check(&sim.fork(u64::MAX - n), &acked, false).map_err(|what| format!("{what} (no crash)"));
    for seed in 0..CRASHES {
        let crashed = sim.fork((n << 32) + seed);
        crashed.crash_machine();
        let found = check(&crashed, &acked, true).map_err(|what| format!("{what} (crash {seed})"));
        checked = checked.and(found);
    }
    Some(checked.map_err(|what| format!("seed {SEED}, op {n}, {fired:?}: {what}")))
}

#[test]
fn the_script_without_a_fault_acknowledges_everything() {
    let sim = machine(SEED);
    let acked = script(&sim);
    assert_eq!(acked.len(), 16);
    assert!(acked.iter().all(|acked| acked.durable != (acked.session == "os")));
    check(&sim.fork(1), &acked, false).expect("holds");
}

/// Every kind of fault at every second operation; two of these share the work.
fn sweep(first: u64) {
    let sim = machine(SEED);
    script(&sim);
    let ops = sim.ops();
    let (mut nights, mut failures) = (0, Vec::new());
    for (n, fault) in (first..=ops).step_by(2).flat_map(|n| Fault::ALL.iter().map(move |fault| (n, *fault))) {
        let Some(result) = night(n, fault) else { continue };
        nights += 1;
        failures.extend(result.err());
    }
    assert!(nights > ops / 2, "a sweep of {nights} nights over {ops} operations");
    assert!(failures.is_empty(), "{} of {nights} nights:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn no_fault_at_any_odd_operation_loses_or_doubles_what_was_acknowledged() {
    sweep(1);
}

#[test]
fn no_fault_at_any_even_operation_loses_or_doubles_what_was_acknowledged() {
    sweep(2);
}

/// A machine that crashed with unsynced events in every session, some of them torn.
fn crashed(seed: u64) -> (SimWorld, Vec<Acked>) {
    let sim = machine(seed);
    let mut acked = Vec::new();
    let mut hand = Hand::new(&sim.process()).expect("a store");
    for session in SESSIONS {
        hand.say(&mut acked, session, &["durable"]);
        hand.sync(&mut acked, session);
        let mut loose = writer(&hand.journal, session, Durability::Os);
        for n in 0..6 {
            loose.append(&note(session, &format!("loose {n} {}", "x".repeat(200)))).expect("appends");
        }
    }
    sim.crash_machine();
    (sim, acked)
}

fn torn_sessions(sim: &SimWorld) -> usize {
    let journal = open(&sim.fork(1).process()).expect("a store");
    let is_torn = |session: &&&str| journal.verify(&id(session)).is_ok_and(|r| !r.findings.is_empty());
    SESSIONS.iter().filter(is_torn).count()
}

/// The first appends after a crash, with this fault; `None` if it cannot happen at that operation.
fn morning(sim: &SimWorld, acked: &[Acked], n: u64, fault: Fault) -> Option<Result<(), String>> {
    let (sim, mut acked) = (sim.fork(n), acked.to_vec());
    sim.fail_op(n, fault);
    if let Some(mut hand) = Hand::new(&sim.process()) {
        for session in SESSIONS.iter().chain(SESSIONS) {
            let text = format!("morning {}", acked.len());
            hand.say(&mut acked, session, &[&text]);
            hand.sync(&mut acked, session);
        }
    }
    let fired = *sim.fired().first()?;
    let mut checked = check(&sim.fork(n), &acked, false);
    for seed in 0..CRASHES {
        let crashed = sim.fork((n << 32) + seed);
        crashed.crash_machine();
        checked = checked.and(check(&crashed, &acked, true));
    }
    Some(checked.map_err(|what| format!("op {n}, {fired:?}: {what}")))
}

#[test]
fn no_fault_in_a_recovery_loses_or_doubles_what_was_acknowledged() {
    let all_torn = (0..).filter(|seed| torn_sessions(&crashed(*seed).0) == SESSIONS.len());
    let mut failures = Vec::new();
    for seed in all_torn.take(2) {
        let (sim, acked) = crashed(seed);
        let mut nights = 0;
        for n in 1.. {
            let results = Fault::ALL.iter().filter_map(|fault| morning(&sim, &acked, n, *fault));
            let results: Vec<_> = results.collect();
            if results.is_empty() {
                break;
            }
            nights += results.len();
            failures.extend(
                results.into_iter().filter_map(|r| r.err().map(|what| format!("seed {seed}, {what}"))),
            );
        }
        assert!(nights > 300, "a sweep of {nights} nights");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
