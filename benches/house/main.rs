//! The house under load: what takes a disk, several processes or a whole store.
//!
//! `cargo bench -p recount --bench house [-- PART…]`, where a part is `append`, `record`, `seal`, `import`, `tree`, `hook`,
//! `search`, `timeline`, `investigate`, `rebuild`, `verify`, `bundle` or `disk`. `RECOUNT_BENCH_EVENTS` sets the size of the store
//! (100,000), `RECOUNT_BENCH_ROUNDS` how often things are repeated (5), `RECOUNT_BENCH_JSON` a file for the numbers.
//! Everything happens in a folder under `TMPDIR`; with `RECOUNT_BENCH_KEEP` the full store is made in that folder, or
//! found there, and stays.
//! `-- repeats FILE MB` writes a rollout that repeats itself; `-- export DIR` writes the events as NDJSON instead, a
//! file for each session, for peers to chew on.
#![allow(clippy::print_stdout, reason = "a bench talks to a terminal")]
#![allow(clippy::cast_precision_loss, reason = "counts and nanoseconds are far below 2^52")]

mod append;
mod bundle;
mod disk;
mod fixture;
#[path = "../generator/mod.rs"]
mod generator;
mod hook;
mod import;
mod investigate;
mod measure;
mod rebuild;
mod record;
mod seal;
mod search;
mod table;
mod timeline;
mod tree;
mod verify;
mod workers;

use fixture::Fixture;
use table::Table;

/// Whatever goes wrong ends the run.
type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Measures one part of the house.
type Part = fn(&mut Table, &mut Fixture) -> Outcome<()>;

/// Every part, cheap ones first.
const PARTS: &[(&str, Part)] = &[
    ("append", append::run),
    ("record", record::run),
    ("seal", seal::run),
    ("import", import::run),
    ("tree", tree::run),
    ("hook", hook::run),
    ("disk", disk::run),
    ("verify", verify::run),
    ("bundle", bundle::run),
    ("timeline", timeline::run),
    ("investigate", investigate::run),
    ("search", search::run),
    ("rebuild", rebuild::run),
];

fn main() -> Outcome<()> {
    // cargo says `--bench` to every bench
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["worker", rest @ ..] => workers::work(rest),
        ["repeats", file, megabytes] => import::write_rollout(std::path::Path::new(file), megabytes.parse()?),
        ["export", folder] => fixture::export(std::path::Path::new(folder)),
        parts => measure_all(parts),
    }
}

fn measure_all(wanted: &[&str]) -> Outcome<()> {
    let mut table = Table::default();
    let mut fixture = Fixture::new()?;
    for (name, part) in PARTS {
        if wanted.is_empty() || wanted.contains(name) {
            table.head(name);
            part(&mut table, &mut fixture)?;
        }
    }
    table.finish()
}
