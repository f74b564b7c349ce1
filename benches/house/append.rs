//! Appending: one writer and eight, with and without syncs, beside what the disk itself can do.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::time::Instant;

use event::Draft;
use journal::{Durability, Journal};
use recorder::Recorder;
use redact::{Clean, Fact, Redactor};

use crate::Outcome;
use crate::fixture::{Fixture, KEYS, SEED, drafts_for};
use crate::generator::events;
use crate::measure::{Round, percentile, rounds, turns};
use crate::table::{Table, Target};
use crate::workers::{Worker, together};

const DURABLE_EVENTS: usize = 2_000;
const BATCH: usize = 64;
const PROCESSES: usize = 8;

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let drafts = drafts_for("one", SEED, fixture.some());
    let cleans = cleaned(drafts.clone())?;

    let found = rounds(|| append_each(&fixture.fresh()?, &cleans, Durability::Os))?;
    table.rounds("append os, redaction off", &found, "ev/s", Target::AtLeast(100_000.0));
    let found = rounds(|| record_each(&fixture.fresh()?, drafts.clone()))?;
    table.rounds("append os, redaction on", &found, "ev/s", Target::AtLeast(60_000.0));
    let keyed: Vec<Draft> =
        (0..).zip(&drafts).map(|(n, d): (u32, _)| d.clone().key(format!("k{n}"))).collect();
    let found = rounds(|| record_each(&fixture.fresh()?, keyed.clone()))?;
    table.rounds("append os, redaction on, with keys", &found, "ev/s", Target::None);
    let many: Vec<Draft> = events(SEED, fixture.some()).collect();
    let found = rounds(|| record_each(&fixture.fresh()?, many.clone()))?;
    table.rounds("append os, redaction on, many sessions", &found, "ev/s", Target::None);
    let found = rounds(|| in_batches(&fixture.fresh()?, &cleans))?;
    table.rounds("append batches of 64, one sync each", &found, "ev/s", Target::None);

    let line = vec![b'x'; mean_line(fixture, &cleans)?];
    let found = rounds(|| bare(fixture, &line, cleans.len(), false))?;
    table.rounds("bare write, no sync", &found, "ev/s", Target::None);
    durable(table, fixture, &line, &cleans[..cleans.len().min(DURABLE_EVENTS)])?;
    processes(table, fixture)
}

/// One writer, and in turn the same bytes with nothing but write and fdatasync.
fn durable(table: &mut Table, fixture: &mut Fixture, line: &[u8], cleans: &[Clean]) -> Outcome<()> {
    let (mut raw, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..turns() {
        raw.push(bare(fixture, line, cleans.len(), true)?);
        ours.push(append_each(&fixture.fresh()?, cleans, Durability::Always)?);
    }
    table.rounds("bare write and fdatasync", &raw, "ev/s", Target::None);
    table.rounds("append always", &ours, "ev/s", Target::None);
    let of = |name: &str| table.get(name);
    let share = of("append always") / of("bare write and fdatasync");
    let tail = of("append always, p99") / of("bare write and fdatasync, p99");
    table.value("append always / bare", share, "×", Target::AtLeast(0.9));
    table.value("append always / bare, p99", tail, "×", Target::AtMost(1.5));
    Ok(())
}

fn processes(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    for (sync, count, targets) in
        [("os", 2_500, None), ("always", 500, Some([(1.8, 3_000.0), (3.0, 1_500.0)]))]
    {
        for (which, sessions) in [("one session", 1), ("eight sessions", PROCESSES)] {
            let name = format!("append {sync}, 8 processes, {which}");
            let found = rounds(|| eight(fixture, sync, count, sessions))?;
            table.rounds(&name, &found, "ev/s", Target::None);
            let Some((rate, p99)) = targets.map(|targets| targets[usize::from(sessions > 1)]) else {
                continue;
            };
            let times = table.get(&name) / table.get("append always");
            table.value(&format!("{name} / 1 writer"), times, "×", Target::AtLeast(rate));
            let all = crate::measure::micros(&found);
            table.value(
                &format!("{name}, p99 against target"),
                percentile(&all, 99),
                "µs",
                Target::AtMost(p99),
            );
        }
    }
    Ok(())
}

fn eight(fixture: &mut Fixture, sync: &str, count: usize, sessions: usize) -> Outcome<Round> {
    let journal = fixture.fresh()?;
    let (root, count_word) = (journal.root().to_string_lossy().into_owned(), count.to_string());
    let worker = |n: usize| {
        let session = format!("s{}", n % sessions);
        Worker::ready(&["append", &root, &session, &count_word, sync])
    };
    let workers = (0..PROCESSES).map(worker).collect::<Outcome<Vec<_>>>()?;
    let round = together(workers, count * PROCESSES)?;
    let mut stored = 0;
    for session in journal.sessions()? {
        let report = journal.verify(&session)?;
        // the opening is the journal's own
        stored += report.events - 1;
        if !report.findings.is_empty() {
            return Err(format!("{:?}", report.findings).into());
        }
    }
    let whole = stored == (count * PROCESSES) as u64;
    if whole { Ok(round) } else { Err(format!("{stored} events stored").into()) }
}

/// Redacts ahead of time: what "redaction off" means where nothing else is let in.
pub(crate) fn cleaned(drafts: Vec<Draft>) -> Outcome<Vec<Clean>> {
    let redactor = Redactor::new(&KEYS);
    Ok(drafts.into_iter().map(|draft| redactor.clean(draft)).collect::<Result<_, _>>()?)
}

/// Appends one after the other to the session of the first.
pub(crate) fn append_each(journal: &Journal, cleans: &[Clean], durability: Durability) -> Outcome<Round> {
    let mut writer = journal.writer(opened(cleans)?, durability);
    each(cleans.iter(), |clean| Ok(writer.append(clean)?))
}

fn opened(cleans: &[Clean]) -> Outcome<Clean> {
    let session = cleans.first().ok_or("no events")?.session().clone();
    Ok(Clean::system(session, "session.opened", vec![("status", Fact::Word("open"))], vec![]))
}

fn record_each(journal: &Journal, drafts: Vec<Draft>) -> Outcome<Round> {
    let mut recorder = Recorder::new(journal, &KEYS, Durability::Os);
    each(drafts.into_iter(), |draft| Ok(recorder.record(draft)?))
}

fn each<T, U>(
    items: impl ExactSizeIterator<Item = T>,
    mut work: impl FnMut(T) -> Outcome<U>,
) -> Outcome<Round> {
    let (count, mut latencies) = (items.len(), Vec::with_capacity(items.len()));
    let start = Instant::now();
    for item in items {
        let before = Instant::now();
        work(item)?;
        latencies.push(before.elapsed());
    }
    Ok(Round { latencies, ..Round::new(count as f64, start.elapsed()) })
}

fn in_batches(journal: &Journal, cleans: &[Clean]) -> Outcome<Round> {
    let mut writer = journal.writer(opened(cleans)?, Durability::Batch);
    let start = Instant::now();
    for batch in cleans.chunks(BATCH) {
        writer.append_all(batch)?;
        writer.sync()?;
    }
    Ok(Round::new(cleans.len() as f64, start.elapsed()))
}

/// How long a line is, so that the bare write has as much to do.
fn mean_line(fixture: &mut Fixture, cleans: &[Clean]) -> Outcome<usize> {
    let journal = fixture.fresh()?;
    append_each(&journal, cleans, Durability::Os)?;
    let session = cleans.first().ok_or("no events")?.session();
    Ok(usize::try_from(journal.extent(session)?.bytes())? / cleans.len())
}

fn bare(fixture: &mut Fixture, line: &[u8], count: usize, sync: bool) -> Outcome<Round> {
    let path = fixture.path("bare");
    let mut file = OpenOptions::new().append(true).create(true).open(&path)?;
    let round = each(0..count, |_| {
        file.write_all(line)?;
        if sync { Ok(file.sync_data()?) } else { Ok(()) }
    })?;
    std::fs::remove_file(path)?;
    Ok(round)
}
