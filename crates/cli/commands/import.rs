//! `recount import WHAT…`: transcripts by agent name or path, or drafts from standard input.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, stdin};
use std::path::{Path, PathBuf};

use ::import::{Choice, Drafts, IMPORTERS, Importer, Progress, Report, RunError};
use event::{Origin, nearest};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use recorder::{Durability, Recorded, Recorder, RecorderError, Rehearsal};
use serde_json::{Value, json};

use crate::args::{Global, Import};
use crate::failure::{Failure, NO, USAGE};
use crate::mappings;
use crate::output::Output;
use crate::place;
use crate::seals::Seals;
use crate::table::Table;
use crate::unsaid::unsaid_path;

/// A larger file is no oversight.
const MAX_BLANK_BYTES: u64 = 1024 * 1024;

pub(crate) fn run(global: &Global, args: &Import, out: &mut Output) -> Result<u8, Failure> {
    if args.dry_run {
        return rehearse(global, args, out);
    }
    if args.what.len() > 1 && args.what[0] == "handoffs" {
        return super::handoff::import(global, &args.known, &args.what[1..], out);
    }
    let own = mappings::own(&args.mapping)?;
    let mut recorder = place::recorder(global, Durability::Batch, &args.known)?;
    if args.what == ["-"] {
        return drafts(&mut recorder, out);
    }
    let mut importing = recorder.import();
    let reports = read(args, &own, &mut importing)?;
    importing.finish()?;
    Seals::new(&recorder)?.finish(&mut recorder);
    print(&reports, None, out)
}

fn read(
    args: &Import,
    own: &[&'static dyn Importer],
    sink: &mut impl ::import::Sink<Error = RecorderError>,
) -> Result<Vec<Report>, Failure> {
    let mut reports = Vec::new();
    let bar = progress_bar();
    for what in &args.what {
        let (paths, only) = source_of(what, own)?;
        let mut told = |progress: Progress<'_>| {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
        };
        let choice = Choice { own, only, salvage: args.salvage };
        let done = ::import::run_with(&paths, choice, sink, &mut told);
        reports.append(&mut done.map_err(stopped)?);
    }
    bar.finish_and_clear();
    Ok(reports)
}

/// What would come in, and what would be taken out of it. Nothing is written: no store, no keys, no marks.
fn rehearse(global: &Global, args: &Import, out: &mut Output) -> Result<u8, Failure> {
    if args.what == ["-"] || args.what[0] == "handoffs" {
        return Err(
            Failure::usage("--dry-run is for transcripts").hint("recount import --dry-run claude-code")
        );
    }
    let there = place::to_write(global)?.join("journal/STORE").is_file();
    let store = there.then(|| place::store_to_write(global)).transpose()?;
    let keys = match &store {
        Some(store) => place::keys_to_read(store.journal().store_id())?,
        None => place::passing_keys()?,
    };
    let redactor = place::redactor(&keys, &args.known)?;
    let mut rehearsal = Rehearsal::new(&redactor, store.as_ref());
    let reports = read(args, &mappings::own(&args.mapping)?, &mut rehearsal)?;
    print(&reports, Some(&rehearsal), out)
}

/// A bare name is an agent, anything with a `/` or `.` is a path.
pub(crate) fn source(what: &str) -> Result<Asked, Failure> {
    source_of(what, &[])
}

/// Paths, and the importer that is to read them if one was named.
type Asked = (Vec<PathBuf>, Option<&'static str>);

/// The same where a caller's own importers may be named.
fn source_of(what: &str, own: &[&'static dyn Importer]) -> Result<Asked, Failure> {
    if what.contains(['/', '.']) {
        return Ok((vec![PathBuf::from(what)], None));
    }
    let all = || own.iter().chain(IMPORTERS);
    let Some(importer) = all().find(|importer| importer.name() == what) else {
        let names = || all().map(|importer| importer.name());
        let near = nearest(what, names()).map_or_else(String::new, |near| format!("did you mean {near}? "));
        let known = names().collect::<Vec<_>>().join(", ");
        let hint = format!("{near}agents are {known}; a path has a / or . in it, e.g. ./{what}");
        return Err(Failure::usage(format!("no agent {what:?}")).hint(hint));
    };
    let folder = transcripts(*importer)?;
    if !folder.exists() {
        return Err(Failure::new(NO, format!("{what} has no transcripts in {}", folder.display()))
            .hint("give the folder instead, e.g. recount import ./transcripts"));
    }
    Ok((vec![folder], Some(importer.name())))
}

/// The agent's own folder, where its variable moved it if it is set.
pub(crate) fn transcripts(importer: &dyn Importer) -> Result<PathBuf, Failure> {
    let moved = |variable: &str| std::env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from);
    let below = Path::new(importer.home()).components().skip(1).collect::<PathBuf>();
    let root = match importer.name() {
        "claude-code" => moved("CLAUDE_CONFIG_DIR"),
        "codex" => moved("CODEX_HOME"),
        _ => None,
    };
    root.map_or_else(|| Ok(place::home()?.join(importer.home())), |root| Ok(root.join(below)))
}

fn progress_bar() -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr_with_hz(4)
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(0), target);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {binary_bytes_per_sec} eta {eta}")
    {
        bar.set_style(style);
    }
    bar
}

pub(crate) fn stopped(error: RunError<RecorderError>) -> Failure {
    match error {
        RunError::Path { path, source } => Failure::io(&format!("read {}", path.display()), &source),
        RunError::Sink { path, source } => {
            eprintln!("while importing {}:", crate::harmless::harmless(&unsaid_path(&path)));
            source.into()
        }
        RunError::Importer { name } => Failure::usage(format!("no agent {name:?}")),
    }
}

fn print(reports: &[Report], rehearsal: Option<&Rehearsal<'_>>, out: &mut Output) -> Result<u8, Failure> {
    let recognised = reports.iter().any(|report| report.importer.is_some());
    let exit = if recognised || reports.iter().all(is_empty) { 0 } else { NO };
    if out.json {
        let files: Vec<Value> = reports.iter().map(json_report).collect();
        let mut body = json!({"files": files, "total": total(reports)});
        if let Some(rehearsal) = rehearsal {
            body["dry_run"] = json!({"kinds": rehearsal.kinds, "redacted": rehearsal.secrets});
        }
        out.document("recount.import/1", &json!({}), true, body)?;
        return Ok(exit);
    }
    let head = [
        "file",
        "importer",
        "records",
        "stored",
        "raw",
        "gaps",
        "duplicates",
        "linked",
        "events",
        "redacted",
    ];
    let mut table = Table::new(&head);
    for report in reports {
        let mut cells =
            vec![unsaid_path(&report.file).into(), report.importer.unwrap_or("unrecognised").into()];
        cells.extend(numbers(report).iter().map(|n| n.to_string().into()));
        table.row(cells);
    }
    out.table(&table)?;
    for report in reports {
        for warning in report.warnings() {
            let text = format!("{}: {warning}", unsaid_path(&report.file));
            eprintln!("warning: {}", crate::harmless::harmless(&text));
        }
    }
    let total = total(reports);
    if let Some(rehearsal) = rehearsal {
        by_kind("event", &rehearsal.kinds, out)?;
        by_kind("redacted", &rehearsal.secrets, out)?;
        eprintln!("nothing was written; this is what would come in:");
    }
    eprintln!(
        "{} files: {} records, {} stored as {} events, {} raw, {} gaps, {} duplicates, {} linked; {} secrets redacted",
        reports.len(),
        total["records"],
        total["stored"],
        total["events"],
        total["raw"],
        total["gaps"],
        total["duplicates"],
        total["linked"],
        total["redacted"],
    );
    Ok(exit)
}

fn by_kind(what: &'static str, counts: &BTreeMap<String, u64>, out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&[what, "count"]);
    for (kind, count) in counts {
        table.row(vec![kind.into(), count.to_string().into()]);
    }
    if counts.is_empty() { Ok(()) } else { out.line("").and_then(|()| out.table(&table)) }
}

/// Nothing in it (no byte, or only blanks and NULs): neither recognised nor to be complained about.
fn is_empty(report: &Report) -> bool {
    let blank = |bytes: Vec<u8>| bytes.iter().all(|b| b.is_ascii_whitespace() || *b == 0);
    let small = || std::fs::metadata(&report.file).is_ok_and(|meta| meta.len() <= MAX_BLANK_BYTES);
    report.records == 0 && report.failed.is_none() && small() && std::fs::read(&report.file).is_ok_and(blank)
}

fn numbers(report: &Report) -> [u64; 8] {
    let r = report;
    [r.records, r.stored, r.raw, r.gaps, r.duplicates, r.linked, r.events, r.redacted]
}

fn json_report(report: &Report) -> Value {
    let mut value = counts(&numbers(report));
    value["file"] = unsaid_path(&report.file).into();
    value["importer"] = json!(report.importer);
    value["unchanged"] = json!(report.unchanged);
    value["adds_up"] = json!(report.adds_up());
    value["warnings"] = json!(report.warnings());
    value
}

fn counts(n: &[u64; 8]) -> Value {
    let names = ["records", "stored", "raw", "gaps", "duplicates", "linked", "events", "redacted"];
    names
        .iter()
        .zip(n)
        .map(|(name, n)| ((*name).to_owned(), Value::from(*n)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn total(reports: &[Report]) -> Value {
    let mut sum = [0; 8];
    for report in reports {
        for (sum, n) in sum.iter_mut().zip(numbers(report)) {
            *sum += n;
        }
    }
    counts(&sum)
}

/// Our own drafts: a bad line is named, the others go on.
fn drafts(recorder: &mut Recorder, out: &mut Output) -> Result<u8, Failure> {
    let (mut records, mut stored, mut refused) = (0, 0, 0);
    for line in Drafts::new(stdin().lock(), Origin::Claimed) {
        let line = line.map_err(|e| Failure::io("read standard input", &e))?;
        records += 1;
        let recorded = line.draft.map_err(Failure::from).and_then(|draft| Ok(recorder.record(draft)?));
        match recorded {
            Ok(Recorded::Stored(_)) => stored += 1,
            Ok(Recorded::Known(_)) => {}
            Err(failure) if failure.exit() == USAGE => {
                refused += 1;
                eprintln!("error: line {}: {}", line.line, failure.text());
            }
            Err(failure) => return Err(failure),
        }
    }
    recorder.sync()?;
    Seals::new(recorder)?.finish(recorder);
    let duplicates = records - stored - refused;
    if out.json {
        let body =
            json!({"records": records, "stored": stored, "duplicates": duplicates, "refused": refused});
        out.document("recount.import/1", &json!({}), true, json!({"total": body}))?;
    } else {
        out.line(&format!("{records} drafts: {stored} stored, {duplicates} duplicates, {refused} refused"))?;
    }
    Ok(if refused > 0 { USAGE } else { 0 })
}
