//! A folder of transcripts that is imported again: what is as it was costs a look.

use std::fs::{self, File};
use std::io::BufWriter;

use crate::Outcome;
use crate::fixture::{Fixture, program};
use crate::generator::transcript::transcript;
use crate::measure::{timed, turns};
use crate::table::{Table, Target};

const FILES: u64 = 1_000;
const RECORDS: usize = 20;

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let folder = fixture.path("tree");
    fs::create_dir_all(&folder)?;
    for file in 0..FILES {
        let path = folder.join(format!("{file:04}.jsonl"));
        transcript(&mut BufWriter::new(File::create(path)?), file + 1, RECORDS)?;
    }
    let root = fixture.fresh()?.root().to_owned();
    let mut import = program(&root);
    import.arg("import").arg(&folder);
    let mut time = || {
        let (status, time) = timed(|| Ok(import.status()?))?;
        if status.success() { Ok(time.as_secs_f64() * 1e3) } else { Err("an import failed".into()) }
    };
    let first: f64 = time()?;
    let again: Outcome<Vec<f64>> = (0..turns()).map(|_| time()).collect();
    table.value("import of 1,000 files", first, "ms", Target::None);
    table.row("import of 1,000 unchanged files", &again?, "ms", Target::AtMost(300.0));
    Ok(fs::remove_dir_all(folder)?)
}
