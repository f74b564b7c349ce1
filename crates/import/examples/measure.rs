//! How fast transcripts become drafts, without any store: `cargo run --release -p import --example measure -- PATH…`
//!
//! `--drafts` prints the drafts instead; `--store` records them into a store that is made in the current folder.
#![allow(clippy::print_stdout, reason = "an example talks to a terminal")]

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Instant;

use event::Draft;
use import::{Keys, Sink, Taken, run};
use journal::{Durability, Journal};
use recorder::Recorder;
use world::World;

/// Counts drafts and drops them.
#[derive(Default)]
struct Nowhere {
    print: bool,
    kinds: BTreeMap<String, u64>,
}

impl Keys for Nowhere {
    fn derived_key(&self, material: &str) -> String {
        blake3::hash(material.as_bytes()).to_hex().to_string()
    }
}

impl Sink for Nowhere {
    type Error = Infallible;

    fn take(&mut self, drafts: Vec<Draft>) -> Result<Taken, Infallible> {
        for draft in drafts {
            *self.kinds.entry(draft.kind.to_string()).or_default() += 1;
            if self.print {
                let header = serde_json::Value::Object(draft.header);
                let data = serde_json::Value::Object(draft.data);
                let key = draft.key.unwrap_or_default();
                println!("{} {} {key}\n  {header}\n  {data}", draft.session, draft.kind);
            }
        }
        Ok(Taken::Stored)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
    let mut sink = Nowhere { print: flags.iter().any(|flag| flag == "--drafts"), ..Nowhere::default() };
    let mut bytes = 0;
    let start = Instant::now();
    let reports = if flags.iter().any(|flag| flag == "--store") {
        let (journal, _) = Journal::init(World::real(), &std::env::current_dir()?.join("measured"))?;
        let keys = redact::Keys { store_secret: [7; 32], redaction_key: [9; 32] };
        let mut recorder = Recorder::new(&journal, &keys, Durability::Batch);
        let mut importing = recorder.import();
        let reports = run(&paths, None, &mut importing, &mut |progress| bytes = progress.total)?;
        importing.finish()?;
        reports
    } else {
        run(&paths, None, &mut sink, &mut |progress| bytes = progress.total)?
    };
    let seconds = start.elapsed().as_secs_f64();
    if sink.print {
        return Ok(());
    }
    for report in &reports {
        let name = report.file.file_name().unwrap_or_default().to_string_lossy();
        println!(
            "{:<12} records {:>7} raw {:>5} gaps {:>4} duplicates {:>6}  {name}",
            report.importer.unwrap_or("-"),
            report.records,
            report.raw,
            report.gaps,
            report.duplicates
        );
    }
    println!("{:?}", sink.kinds);
    let records: u64 = reports.iter().map(|report| report.records).sum();
    let per_second = f64::from(u32::try_from(records)?) / seconds;
    println!("{records} records: {per_second:.0} a second");
    let megabytes = f64::from(u32::try_from(bytes / 1000)?) / 1000.0;
    println!("{megabytes:.1} MB in {seconds:.2} s: {:.0} MB/s", megabytes / seconds);
    Ok(())
}
