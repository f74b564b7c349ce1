//! One whole `recount record`, as a hook calls it, beside programs that do nothing.

use std::process::{Command, Stdio};

use crate::Outcome;
use crate::fixture::{Fixture, program};
use crate::measure::{percentile, timed};
use crate::table::{Table, Target};

const RUNS: usize = 200;
const TEXT: &str = "Rotating refresh tokens on each use; a stolen token is then worth one request. \
                    The session table needs a family id, and replays close the family.";

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let root = fixture.fresh()?.root().to_owned();
    let record = |sync: &str| {
        let mut command = program(&root);
        command.args(["record", "--session", "hook", "--kind", "reasoning.recorded", "--phase", "approach"]);
        command.args(["--group", "AUTH", "--agent", "developer", "--text", TEXT, "--sync", sync]);
        command
    };
    let mut programs = vec![
        ("/bin/true", quiet("/bin/true", &[])),
        ("python3 -c pass", quiet(&python(), &["-c", "pass"])),
        ("record os", record("os")),
        ("record always", record("always")),
    ];
    programs.retain_mut(|(_, command)| command.status().is_ok());
    let mut times = vec![Vec::with_capacity(RUNS); programs.len()];
    // in turn, so that a noisy moment hits all of them
    for _ in 0..RUNS {
        for ((name, command), times) in programs.iter_mut().zip(&mut times) {
            let (status, time) = timed(|| Ok(command.status()?))?;
            if !status.success() {
                return Err(format!("{name} failed").into());
            }
            times.push(time.as_secs_f64() * 1e3);
        }
    }
    for ((name, _), times) in programs.iter().zip(&times) {
        let ours = name.starts_with("record");
        let limit = |ms| if ours { Target::AtMost(ms) } else { Target::None };
        table.row(&format!("{name}, p50"), times, "ms", limit(2.5));
        table.value(&format!("{name}, p99"), percentile(times, 99), "ms", limit(6.0));
    }
    let times = |a: &str, b: &str| table.get(&format!("{a}, p50")) / table.get(&format!("{b}, p50"));
    let (nothing, python) = (times("record os", "/bin/true"), times("python3 -c pass", "record os"));
    table.value("record os / true", nothing, "×", Target::AtMost(3.5));
    if python.is_finite() {
        table.value("python3 / record os", python, "×", Target::AtLeast(20.0));
    }
    Ok(())
}

/// The interpreter itself, not a script of a version manager that looks for it.
fn python() -> String {
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let said = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    said.ok().filter(|path| !path.is_empty()).unwrap_or_else(|| "python3".to_owned())
}

fn quiet(name: &str, words: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
