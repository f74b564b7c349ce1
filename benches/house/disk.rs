//! What is on the disk in the end, against the events as plain NDJSON.

use std::path::Path;

use crate::Outcome;
use crate::fixture::Fixture;
use crate::table::{Table, Target};

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let full = fixture.full()?;
    full.store()?.reindex()?;
    let raw = full.raw_bytes as f64;
    let (journal, index) = (bytes_below(&full.root.join("journal"))?, bytes_below(&full.root.join("index"))?);
    table.value("mean event as JSON", raw / fixture.events as f64, "B", Target::None);
    table.value("journal / raw", journal as f64 / raw, "×", Target::None);
    table.value("index / raw", index as f64 / raw, "×", Target::None);
    table.value("journal and index / raw", (journal + index) as f64 / raw, "×", Target::AtMost(1.5));
    Ok(())
}

fn bytes_below(folder: &Path) -> Outcome<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        bytes +=
            if entry.file_type()?.is_dir() { bytes_below(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}
