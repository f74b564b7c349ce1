//! Every view and the whole text index made again, in a process of its own, so that its memory can be told.

use crate::Outcome;
use crate::fixture::Fixture;
use crate::measure::turns;
use crate::table::{Table, Target};
use crate::workers::Worker;

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let full = fixture.full()?;
    let root = full.root.to_string_lossy().into_owned();
    let (mut rates, mut megabytes, mut peaks) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..turns() {
        let numbers = Worker::ready(&["rebuild", &root])?.alone()?;
        let [nanos, kib] = numbers.as_slice() else { return Err("a worker said something else".into()) };
        let seconds = *nanos as f64 / 1e9;
        rates.push(fixture.events as f64 / seconds);
        megabytes.push(full.journal_bytes as f64 / 1e6 / seconds);
        peaks.push(*kib as f64 / 1024.0);
    }
    table.row("rebuild", &rates, "ev/s", Target::AtLeast(45_000.0));
    table.row("rebuild, bytes of the journal", &megabytes, "MB/s", Target::AtLeast(55.0));
    table.row("rebuild, peak memory", &peaks, "MiB", Target::AtMost(512.0));
    Ok(())
}
