//! Importing a transcript into an empty store, and the same transcript again.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use journal::{Durability, Journal};
use recorder::Recorder;

use crate::Outcome;
use crate::fixture::{Fixture, KEYS, SEED};
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
        again.push(import(&journal, &path, records)?);
    }
    for (name, rounds) in [("import claude-code", first), ("import claude-code, known already", again)] {
        table.rounds(name, &rounds, "rec/s", Target::None);
        let bytes = table.get(name) * megabytes / records as f64;
        table.value(&format!("{name}, bytes"), bytes, "MB/s", Target::None);
    }
    Ok(std::fs::remove_file(path)?)
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
