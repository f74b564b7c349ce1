//! `recount capture [WHAT…]`: transcripts of agents that are at work, taken in while they grow.

use std::path::PathBuf;
use std::time::Instant;

use ::capture::tail::{Tail, Wake};
use ::import::{IMPORTERS, Report};
use recorder::{Durability, Recorder};
use serde_json::json;

use crate::args::{Capture, Global};
use crate::commands::import;
use crate::failure::{Failure, NO};
use crate::harmless::harmless;
use crate::output::Output;
use crate::place;
use crate::seals::Seals;
use crate::unsaid::unsaid_path;

pub(crate) fn run(global: &Global, args: &Capture, out: &mut Output) -> Result<u8, Failure> {
    let roots = roots(&args.what)?;
    let root = place::made(global)?;
    let mut recorder = place::recorder_in(&root, Durability::Batch, &args.known)?;
    let mut seals = Seals::new(&recorder)?;
    let mut tail = Tail::new(roots);
    let first = if args.once { Wake::Stop } else { Wake::Time };
    take(&mut tail, &first, &mut recorder, &mut seals, out)?;
    if !args.once {
        follow(&mut tail, &mut recorder, &mut seals, out)?;
    }
    seals.finish(&mut recorder);
    Ok(0)
}

fn follow(
    tail: &mut Tail,
    recorder: &mut Recorder,
    seals: &mut Seals,
    out: &mut Output,
) -> Result<(), Failure> {
    let stop = tail.stopper();
    ctrlc::set_handler(stop)
        .map_err(|e| Failure::io("listen for signals", &std::io::Error::other(e.to_string())))?;
    let how =
        if tail.is_told() { "" } else { ", looked at every two seconds: the kernel watches no more folders" };
    eprintln!("following {} transcripts{how}; Ctrl-C ends", tail.files());
    loop {
        let wake = tail.wait(Instant::now());
        let stored = take(tail, &wake, recorder, seals, out)?;
        match wake {
            Wake::Stop => return Ok(()),
            // quiet: what is not sealed yet is sealed now
            Wake::Time if stored == 0 => seals.finish(recorder),
            Wake::Time | Wake::Changed(_) => {}
        }
    }
}

/// Takes in what is new and tells of it; how many events that were.
fn take(
    tail: &mut Tail,
    wake: &Wake,
    recorder: &mut Recorder,
    seals: &mut Seals,
    out: &mut Output,
) -> Result<u64, Failure> {
    let mut importing = recorder.import();
    let reports = tail.pass(wake, &mut importing, Instant::now()).map_err(import::stopped)?;
    importing.finish()?;
    seals.after(recorder);
    for report in &reports {
        tell(report, out)?;
    }
    out.flush()?;
    Ok(reports.iter().map(|report| report.events).sum())
}

fn tell(report: &Report, out: &mut Output) -> Result<(), Failure> {
    let file = unsaid_path(&report.file);
    for warning in report.warnings() {
        eprintln!("warning: {}", harmless(&format!("{file}: {warning}")));
    }
    if report.events == 0 {
        return Ok(());
    }
    let importer = report.importer.unwrap_or_default();
    if out.json {
        let body = json!({
            "file": file, "importer": importer, "records": report.records, "events": report.events,
            "redacted": report.redacted,
        });
        return out.document("recount.capture/1", &json!({}), true, body);
    }
    out.line(&format!("{importer}\t{} events\t{}", report.events, harmless(&file)))
}

/// What is followed: what was named, or the folder of every agent that is here.
fn roots(what: &[String]) -> Result<Vec<PathBuf>, Failure> {
    if !what.is_empty() {
        let named = what.iter().map(|what| import::source(what).map(|(paths, _)| paths));
        let roots: Vec<PathBuf> = named.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        return roots.into_iter().map(|root| existing(&root)).collect();
    }
    let mut roots: Vec<PathBuf> = Vec::new();
    for importer in IMPORTERS {
        let folder = import::transcripts(*importer)?;
        if folder.is_dir() && !importer.home().is_empty() && !roots.contains(&folder) {
            roots.push(folder);
        }
    }
    if roots.is_empty() {
        return Err(Failure::new(NO, "no agent has transcripts here")
            .hint("start an agent once, or name a folder, e.g. recount capture ./transcripts"));
    }
    Ok(roots)
}

fn existing(root: &std::path::Path) -> Result<PathBuf, Failure> {
    std::fs::canonicalize(root).map_err(|e| Failure::io(&format!("read {}", root.display()), &e))
}
