//! A scripted night with one fault, for every operation and every kind of fault.
//!
//! Whatever fails, wherever: what was acknowledged is there, once, under the hash that was acknowledged;
//! the rest is whole lines in an unbroken chain, or a torn tail that the next append cures.

use std::path::Path;

use world::sim::{Fault, SimWorld};
use world::{Open, World};

use crate::ledger::{Acked, Hand, check};
use crate::support::{ROOT, large_note, large_note_in_batch, machine, note};

const CRASHES: u64 = 2;
const SEED: u64 = 7;

/// Two processes, three sessions, a blob, rolled segments, a torn tail.
fn script(sim: &SimWorld) -> Vec<Acked> {
    let mut acked = Vec::new();
    let one = sim.process();
    if let Some(mut hand) = Hand::new(&one) {
        hand.say(&mut acked, "always", &["first"]);
        hand.say(&mut acked, "always", &["second"]);
        hand.say(&mut acked, "batch", &["one", "two", "three"]);
        hand.sync(&mut acked, "batch");
        hand.stage(&mut acked, "os", &[note("os", "staged"), note("os", "staged too")]);
        hand.say(&mut acked, "os", &["left to the system"]);
        let staged =
            [note("batch", "nine"), large_note_in_batch(), note("batch", "ten"), note("batch", "eleven")];
        hand.stage(&mut acked, "batch", &staged);
        hand.sync(&mut acked, "batch");
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
    assert_eq!(acked.len(), 22);
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
