//! Other processes: each gets ready, waits for its turn and says how long everything took.
//!
//! `worker append STORE SESSION COUNT SYNC` and `worker rebuild STORE`; a line on standard input starts it.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _, stdin};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use journal::{Durability, Journal};
use recorder::Store;
use world::World;

use crate::Outcome;
use crate::append::{append_each, cleaned};
use crate::fixture::drafts_for;
use crate::measure::Round;

/// The words of a durability.
pub(crate) fn sync_of(word: &str) -> Durability {
    match word {
        "always" => Durability::Always,
        "batch" => Durability::Batch,
        _ => Durability::Os,
    }
}

/// What a worker process does.
pub(crate) fn work(words: &[&str]) -> Outcome<()> {
    match words {
        ["append", store, session, count, sync] => {
            let journal = Journal::open(World::real(), Path::new(store))?;
            let seed = u64::from(std::process::id());
            let cleans = cleaned(drafts_for(session, seed, count.parse()?))?;
            wait()?;
            let round = append_each(&journal, &cleans, sync_of(sync))?;
            let mut line = String::new();
            round.latencies.iter().for_each(|time| _ = write!(line, "{} ", time.as_nanos()));
            println!("{line}");
        }
        ["rebuild", store] => {
            let store = Store::open(World::real(), Path::new(store))?;
            wait()?;
            let start = Instant::now();
            store.reindex()?;
            println!("{} {}", start.elapsed().as_nanos(), peak_kib()?);
        }
        _ => return Err("no such worker".into()),
    }
    Ok(())
}

fn wait() -> Outcome<()> {
    println!("ready");
    stdin().read_line(&mut String::new())?;
    Ok(())
}

/// The most memory that this process ever had, file pages included.
fn peak_kib() -> Outcome<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM here")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// A worker process that waits.
pub(crate) struct Worker {
    child: Child,
    start: ChildStdin,
    said: BufReader<ChildStdout>,
}

impl Worker {
    pub(crate) fn ready(words: &[&str]) -> Outcome<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        let command = command.arg("worker").args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (start, said) = (child.stdin.take(), child.stdout.take());
        let said = said.ok_or("a worker without an output")?;
        let mut worker =
            Self { child, start: start.ok_or("a worker without an input")?, said: BufReader::new(said) };
        worker.line()?;
        Ok(worker)
    }

    fn line(&mut self) -> Outcome<String> {
        let mut line = String::new();
        self.said.read_line(&mut line)?;
        if line.is_empty() { Err("a worker gave up".into()) } else { Ok(line) }
    }

    fn go(&mut self) -> Outcome<()> {
        Ok(self.start.write_all(b"go\n")?)
    }

    /// Lets it work and gives the numbers that it says.
    pub(crate) fn numbers(&mut self) -> Outcome<Vec<u64>> {
        let line = self.line()?;
        let numbers = line.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        self.child.wait()?;
        Ok(numbers)
    }

    /// Lets it work alone.
    pub(crate) fn alone(&mut self) -> Outcome<Vec<u64>> {
        self.go()?;
        self.numbers()
    }
}

/// Starts workers together; the rate counts from the start to the last one's end.
pub(crate) fn together(mut workers: Vec<Worker>, events: usize) -> Outcome<Round> {
    let start = Instant::now();
    workers.iter_mut().try_for_each(Worker::go)?;
    let mut latencies = Vec::new();
    for worker in &mut workers {
        latencies.extend(worker.numbers()?.into_iter().map(Duration::from_nanos));
    }
    Ok(Round { latencies, ..Round::new(events as f64, start.elapsed()) })
}
