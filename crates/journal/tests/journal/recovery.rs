//! The morning after a crash, with one fault in it, for every operation and every kind of fault.

use journal::Durability;
use world::sim::{Fault, SimWorld};

use crate::ledger::{Acked, Hand, SESSIONS, check};
use crate::support::{id, machine, note, open, writer};

const CRASHES: u64 = 2;

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
