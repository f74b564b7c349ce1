//! How good is the reading list? Failed runs with an annotated decisive step are recorded like any session
//! and ranked; the annotation is read here and nowhere else.
//!
//! `cargo bench --bench suspects -- [--data DIR] [--json]`: DIR holds `short/*.json` and `long/*.json`. Each
//! run goes through the importer, the redactor and the journal; what an annotator wrote is cut off before.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)] // a bench prints, and stops at what is wrong

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use event::Event;
use investigate::{Trace, act, suspects};
use recorder::{Durability, Recorder};
use redact::Keys;
use serde_json::{Value, json};
use world::World;

/// What an annotator wrote: the ranking must not see it.
const LABELS: &[&str] = &[
    "mistake_agent",
    "mistake_step",
    "mistake_reason",
    "mistake_type",
    "ground_truth",
    "is_correct",
    "is_corrected",
];
/// Ranks that are counted.
const CUTS: [usize; 4] = [1, 3, 5, 10];

/// One run: its history as the ranking lists it, and the step that somebody marked.
struct Case {
    /// Indexes into the history, in the order to read.
    ranked: Vec<usize>,
    label: usize,
    steps: usize,
    first_error: Option<usize>,
}

fn main() {
    let (data, as_json) = arguments();
    let begun = Instant::now();
    let mut ranking = Duration::ZERO;
    let mut answer = json!({});
    for (shape, constant) in [("short", 1), ("long", 4)] {
        let cases: Vec<Case> = runs(&data.join(shape)).iter().map(|file| case(file, &mut ranking)).collect();
        if cases.is_empty() {
            eprintln!("no runs in {}", data.join(shape).display());
            std::process::exit(2);
        }
        let ours = hits(&cases, |case| case.ranked.clone());
        answer[shape] = json!({
            "n": cases.len(), "hit1": ours[0], "hit3": ours[1], "hit5": ours[2], "hit10": ours[3],
        });
        if !as_json {
            table(shape, constant, &cases, ours);
        }
    }
    if as_json {
        println!("{answer}");
    } else {
        println!(
            "{:.1} s in all, {:.0} ms of it ranking",
            begun.elapsed().as_secs_f64(),
            ranking.as_secs_f64() * 1e3
        );
    }
}

/// The folder, and whether JSON is wanted; what cargo adds is passed over.
fn arguments() -> (PathBuf, bool) {
    let mut data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/whowhen");
    let mut as_json = false;
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--json" => as_json = true,
            "--data" => data = given.next().map(PathBuf::from).expect("--data DIR"),
            _ => {}
        }
    }
    (data, as_json)
}

fn runs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect());
    let mut files: Vec<PathBuf> = entries.unwrap_or_default();
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    files.sort();
    files
}

/// Records a run without its labels and ranks its steps.
fn case(file: &Path, ranking: &mut Duration) -> Case {
    let mut run: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let label = match &run["mistake_step"] {
        Value::String(text) => text.trim().parse().unwrap(),
        number => usize::try_from(number.as_u64().unwrap()).unwrap(),
    };
    let steps = run["history"].as_array().unwrap().len();
    for name in LABELS {
        run.as_object_mut().unwrap().remove(*name);
    }
    // the importer knows such a file by its question's id
    run["question_ID"] = run.get("question_ID").cloned().unwrap_or_default();
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("run.json");
    fs::write(&cut, serde_json::to_string_pretty(&run).unwrap()).unwrap();
    let trace = recorded(&folder.path().join("store"), cut);
    let begun = Instant::now();
    let ranked = suspects(&trace, usize::MAX).list.iter().filter_map(|s| index(s.event)).collect();
    *ranking += begun.elapsed();
    Case { ranked, label, steps, first_error: first_error(&trace) }
}

/// The run as any session is recorded, read back as the verbs read it.
fn recorded(root: &Path, file: PathBuf) -> Trace {
    let (journal, _) = journal::Journal::init(World::real(), root).unwrap();
    let keys = Keys { store_secret: [1; 32], redaction_key: [2; 32] };
    let mut recorder = Recorder::new(&journal, &keys, Durability::Os);
    let mut importing = recorder.import();
    let reports = ::import::run(&[file], None, &mut importing, &mut |_| {}).unwrap();
    assert!(reports.iter().all(|report| report.importer == Some("who-and-when")), "{reports:?}");
    importing.finish().unwrap();
    let store = recorder.store();
    let session = journal.sessions().unwrap().remove(0);
    Trace::read(&store, &session, None).unwrap()
}

/// The item of the history that an event tells of.
fn index(event: &Event) -> Option<usize> {
    event.text("key")?.rsplit('.').next()?.parse().ok()
}

/// The step of the author of the first error.
fn first_error(trace: &Trace) -> Option<usize> {
    let at = trace.events.iter().position(act::is_failure)?;
    trace.events[..at].iter().rev().find(|event| act::deed(event).is_some()).and_then(index)
}

/// How many of a hundred runs have the marked step among the first so many.
fn hits(cases: &[Case], order: impl Fn(&Case) -> Vec<usize>) -> [f64; 4] {
    let places: Vec<Option<usize>> =
        cases.iter().map(|case| order(case).iter().position(|step| *step == case.label)).collect();
    CUTS.map(|cut| {
        percent(places.iter().filter(|place| place.is_some_and(|at| at < cut)).count(), cases.len())
    })
}

#[allow(clippy::cast_precision_loss)]
fn percent(part: usize, whole: usize) -> f64 {
    (1000.0 * part as f64 / whole as f64).round() / 10.0
}

#[allow(clippy::cast_precision_loss)]
fn chance(cases: &[Case]) -> [f64; 4] {
    let expected =
        |cut: usize| cases.iter().map(|case| cut.min(case.steps) as f64 / case.steps as f64).sum::<f64>();
    CUTS.map(|cut| (1000.0 * expected(cut) / cases.len() as f64).round() / 10.0)
}

/// Between what so many runs leave open (Wilson's interval, 95 %).
#[allow(clippy::cast_precision_loss)]
fn interval(shares: [f64; 4], runs: usize) -> [[f64; 4]; 2] {
    const Z: f64 = 1.96;
    let n = runs as f64;
    let bound = |share: f64, side: f64| {
        let p = share / 100.0;
        let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let at = (p + Z * Z / (2.0 * n) + side * spread) / (1.0 + Z * Z / n);
        (1000.0 * at).round() / 10.0
    };
    [shares.map(|share| bound(share, -1.0)), shares.map(|share| bound(share, 1.0))]
}

fn table(shape: &str, constant: usize, cases: &[Case], ours: [f64; 4]) {
    let first = |case: &Case, step: Option<usize>| {
        let rest = (0..case.steps).filter(|other| Some(*other) != step);
        step.into_iter().chain(rest).collect::<Vec<usize>>()
    };
    println!("{shape}: {} runs, percent with the marked step among the first 1, 3, 5, 10", cases.len());
    let [low, high] = interval(ours, cases.len());
    let rows = [
        ("suspects".to_owned(), ours),
        ("  95 % interval, from".to_owned(), low),
        ("  to".to_owned(), high),
        ("random (expected)".to_owned(), chance(cases)),
        (format!("always step {constant}"), hits(cases, |case| first(case, Some(constant)))),
        ("first error, then forward".to_owned(), hits(cases, |case| first(case, case.first_error))),
        ("first step first".to_owned(), hits(cases, |case| (0..case.steps).collect())),
        ("last step first".to_owned(), hits(cases, |case| (0..case.steps).rev().collect())),
    ];
    for (name, [one, three, five, ten]) in rows {
        println!("  {name:<26} {one:>5.1} {three:>5.1} {five:>5.1} {ten:>5.1}");
    }
}
