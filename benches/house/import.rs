//! Importing a transcript into an empty store, and the same transcript again; and a rollout that repeats itself,
//! for what it leaves on the disk (`RECOUNT_BENCH_REPEATS_MB`, 200; its memory by `-- repeats FILE MB` and the
//! program itself, as benches/README.md says).

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use journal::{Durability, Journal};
use recorder::Recorder;

use crate::Outcome;
use crate::fixture::{Fixture, KEYS, SEED};
use crate::generator::rollout::rollout;
use crate::generator::transcript::transcript;
use crate::measure::{Round, timed, turns};
use crate::table::{Table, Target};

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let (path, records) = (fixture.path("transcript.jsonl"), fixture.some());
    transcript(&mut BufWriter::new(File::create(&path)?), SEED, records)?;
    let megabytes = std::fs::metadata(&path)?.len() as f64 / 1e6;
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for _ in 0..turns() {
        let journal = fixture.fresh()?;
        first.push(import(&journal, &path, records)?);
        // what is known by its keys, not by the place that is remembered
        std::fs::remove_dir_all(journal.root().join("index/cursors"))?;
        again.push(import(&journal, &path, records)?);
    }
    let wanted = [Target::AtLeast(30_000.0), Target::None];
    let rounds = [("import claude-code", first), ("import claude-code, known already", again)];
    for ((name, rounds), target) in rounds.into_iter().zip(wanted) {
        table.rounds(name, &rounds, "rec/s", target);
        let bytes = table.get(name) * megabytes / records as f64;
        let target = if matches!(target, Target::None) { target } else { Target::AtLeast(40.0) };
        table.value(&format!("{name}, bytes"), bytes, "MB/s", target);
    }
    std::fs::remove_file(path)?;
    repeated(table, fixture)
}

/// A rollout whose compactions repeat the history and its pictures.
fn repeated(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let megabytes =
        std::env::var("RECOUNT_BENCH_REPEATS_MB").ok().and_then(|count| count.parse().ok()).unwrap_or(200);
    let path = fixture.path("rollout.jsonl");
    rollout(&mut BufWriter::new(File::create(&path)?), SEED, megabytes * 1_000_000)?;
    let given = std::fs::metadata(&path)?.len() as f64;
    let journal = fixture.fresh()?;
    let mut recorder = Recorder::new(&journal, &KEYS, Durability::Batch);
    let (_, time) = timed(|| {
        let mut importing = recorder.import();
        let reports = import::run(std::slice::from_ref(&path), None, &mut importing, &mut |_| {})?;
        Ok(importing.finish().map(|()| reports)?)
    })?;
    let stored = bytes_under(&journal.root().join("journal"))? as f64;
    table.value(
        "import codex, a rollout of repeats",
        given / 1e6 / time.as_secs_f64(),
        "MB/s",
        Target::AtLeast(40.0),
    );
    table.value("import codex, stored of what was given", stored / given * 100.0, "%", Target::AtMost(5.0));
    Ok(std::fs::remove_file(path)?)
}

fn bytes_under(folder: &Path) -> Outcome<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        bytes +=
            if entry.file_type()?.is_dir() { bytes_under(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}

/// Writes the rollout of repeats for another program to read.
pub(crate) fn write_rollout(path: &Path, megabytes: usize) -> Outcome<()> {
    Ok(rollout(&mut BufWriter::new(File::create(path)?), SEED, megabytes * 1_000_000)?)
}

fn import(journal: &Journal, path: &Path, records: usize) -> Outcome<Round> {
    let mut recorder = Recorder::new(journal, &KEYS, Durability::Batch);
    let (reports, time) = timed(|| {
        let mut importing = recorder.import();
        let reports = import::run(&[path.to_owned()], None, &mut importing, &mut |_| {})?;
        importing.finish()?;
        Ok(reports)
    })?;
    let whole = reports.iter().all(|report| report.adds_up() && report.records == records as u64);
    if whole { Ok(Round::new(records as f64, time)) } else { Err("the import does not add up".into()) }
}
