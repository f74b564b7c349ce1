//! A bundle of the whole store, and the check of it: the real program, as a folder and as an archive.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::Outcome;
use crate::fixture::{Fixture, Full, program};
use crate::measure::{median, timed, turns};
use crate::table::{Table, Target};

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let full = fixture.full()?;
    // the first seal of all sessions is not the bundle's
    ran(&full, &["seal"])?;
    for (name, what, target) in [
        ("out", "bundle, a folder", Target::AtMost(3.0)),
        ("out.tar.zst", "bundle, an archive", Target::None),
    ] {
        let path = fixture.path(name);
        let (mut made, mut checked) = (Vec::new(), Vec::new());
        for _ in 0..turns() {
            remove(&path)?;
            let path = path.display().to_string();
            made.push(ran(&full, &["bundle", "-o", &path])?.as_secs_f64());
            checked.push(ran(&full, &["verify", &path])?.as_secs_f64());
        }
        table.value(what, median(&made), "s", target);
        table.value(&format!("{what}: verify"), median(&checked), "s", Target::None);
    }
    Ok(())
}

fn remove(path: &Path) -> Outcome<()> {
    if path.is_dir() {
        fs::remove_dir_all(path)?;
    } else if path.exists() {
        fs::remove_file(path)?;
    }
    Ok(())
}

fn ran(full: &Full, arguments: &[&str]) -> Outcome<Duration> {
    let (status, time) = timed(|| Ok(program(&full.root).args(arguments).status()?))?;
    status
        .success()
        .then_some(time)
        .ok_or_else(|| format!("recount {arguments:?} ended with {status}").into())
}
