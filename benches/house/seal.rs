//! What seals cost a stream: the same drafts with and without, in turn, from the first event to the last seal.

use std::time::{Duration, Instant};

use audit::{Keyring, Sealer, Sealing};
use event::Draft;
use journal::{Durability, Journal};
use recorder::Recorder;
use world::World;

use crate::Outcome;
use crate::fixture::{Fixture, KEYS, SEED, drafts_for};
use crate::generator::events;
use crate::measure::{Round, median, micros, turns};
use crate::table::{Table, Target};

const DURABLE_EVENTS: usize = 10_000;

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let one = drafts_for("one", SEED, fixture.events.min(50_000));
    let many: Vec<Draft> = events(SEED, fixture.events.min(50_000)).collect();
    for (sync, durability, count) in [
        ("always", Durability::Always, DURABLE_EVENTS),
        ("batch", Durability::Batch, one.len()),
        ("os", Durability::Os, one.len()),
    ] {
        for (which, drafts) in [("one session", &one), ("many sessions", &many)] {
            let name = format!("stream {sync}, {which}");
            beside(table, fixture, &name, durability, &drafts[..count.min(drafts.len())])?;
        }
    }
    Ok(())
}

fn beside(
    table: &mut Table,
    fixture: &mut Fixture,
    name: &str,
    durability: Durability,
    drafts: &[Draft],
) -> Outcome<()> {
    let (mut bare, mut sealed, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for turn in 0..turns() {
        // whoever goes second finds another cache
        for which in [turn % 2, (turn + 1) % 2] {
            let (round, share) = stream(fixture, durability, drafts.to_vec(), which == 1)?;
            if which == 1 {
                sealed.push(round);
            } else {
                bare.push(round);
            }
            shares.extend(share);
        }
    }
    table.rounds(&format!("{name}, no seals"), &bare, "ev/s", Target::None);
    table.rounds(&format!("{name}, sealed"), &sealed, "ev/s", Target::None);
    // their single times are told once, by the median
    let (rounds, events) = (sealed.iter().map(|round| round.latencies.len()).sum::<usize>(), drafts.len());
    let each = events as f64 * sealed.len() as f64 / rounds.max(1) as f64;
    table.value(&format!("{name}: events a round"), each, "ev", Target::None);
    table.value(&format!("{name}: a round takes"), median(&micros(&sealed)) / 1e3, "ms", Target::None);
    let cost = table.get(&format!("{name}, no seals")) / table.get(&format!("{name}, sealed")) - 1.0;
    table.value(&format!("{name}: with and without in turn"), cost * 100.0, "%", Target::None);
    // within one run, whatever the machine does meanwhile
    table.row(&format!("{name}: seals cost"), &shares, "%", Target::AtMost(5.0));
    Ok(())
}

/// The round, and what sealing took in per cent of everything else.
fn stream(
    fixture: &mut Fixture,
    durability: Durability,
    drafts: Vec<Draft>,
    seal: bool,
) -> Outcome<(Round, Option<f64>)> {
    let journal = fixture.fresh()?;
    let keys = Keyring::new(World::real(), journal.root().join("keys"));
    let mut seals = seal.then(|| sealing(&journal, keys)).transpose()?;
    let mut recorder = Recorder::new(&journal, &KEYS, durability);
    let (count, mut latencies, mut spent) = (drafts.len(), Vec::new(), Duration::ZERO);
    let start = Instant::now();
    for draft in drafts {
        recorder.record(draft)?;
        if let Some(seals) = &mut seals {
            let before = Instant::now();
            let sealed = seals.after(&mut recorder)?;
            let took = before.elapsed();
            spent += took;
            latencies.extend(sealed.map(|_| took));
        }
    }
    recorder.sync()?;
    if let Some(seals) = &mut seals {
        let before = Instant::now();
        seals.finish(&mut recorder)?;
        spent += before.elapsed();
    }
    let all = start.elapsed();
    let share = seal.then(|| spent.as_secs_f64() / all.saturating_sub(spent).as_secs_f64() * 100.0);
    Ok((Round { latencies, ..Round::new(count as f64, all) }, share))
}

/// The log is begun before the clock starts, as `recount init` does.
fn sealing(journal: &Journal, keys: Keyring) -> Outcome<Sealing> {
    let sealer = Sealer::new(journal, keys);
    sealer.begin()?;
    Ok(Sealing::new(sealer))
}
