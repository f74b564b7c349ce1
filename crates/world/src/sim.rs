//! A simulated world, made from a seed: disk, clock and chance in memory, for tests.
//!
//! [`SimWorld`] is one machine; [`SimWorld::process`] starts a process on it, whose [`World`] shares the
//! machine's file system with the others. What a disk does to careless programs, it does here:
//!
//! - S1  content is durable after `sync` of its file, a name after `sync_dir` of its folder; a crash of
//!   the machine may keep or lose anything else, in pages, with NULs where a page was not written
//! - S2  the death of a process loses no byte it wrote, and gives its locks back
//! - S3  the same seed and the same calls give the same night
//! - S4  a planned [`Fault`] happens once, at its operation, and only if that operation can suffer it

#[cfg(test)]
mod alike;
mod disk;
mod fault;
mod file;
mod machine;
mod seed;
#[cfg(test)]
mod tests;
mod tree;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use fault::{Fault, Fired, Op};

use crate::{Chance, Clock, Instant, World};
use disk::SimDisk;
use machine::Machine;

/// A machine with a disk, a clock and processes, all made from a seed.
#[derive(Debug, Clone)]
pub struct SimWorld {
    machine: Shared,
}

/// The machine as its processes share it.
#[derive(Debug, Clone)]
struct Shared(Arc<Mutex<Machine>>);

#[derive(Debug)]
struct SimClock(Shared);

#[derive(Debug)]
struct SimChance(Shared);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Machine> {
        // a test that panicked on another thread says so itself
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SimWorld {
    /// A machine with an empty disk.
    pub fn new(seed: u64) -> Self {
        Self { machine: Shared(Arc::new(Mutex::new(Machine::new(seed)))) }
    }

    /// Starts a process: its own pid, the machine's disk, clock and chance.
    pub fn process(&self) -> World {
        let mut machine = self.machine.lock();
        let pid = machine.start_process();
        World {
            disk: Arc::new(SimDisk::new(self.machine.clone(), pid)),
            clock: Arc::new(SimClock(self.machine.clone())),
            chance: Arc::new(SimChance(self.machine.clone())),
            boot_id: machine.boot_id(),
            pid,
        }
    }

    /// Ends a process as `kill -9` does: its locks are free, what it wrote stays.
    pub fn kill(&self, process: &World) {
        self.machine.lock().kill(process.pid);
    }

    /// Power goes: every process dies, what was not durable may be lost, the boot id changes.
    pub fn crash_machine(&self) {
        self.machine.lock().crash();
    }

    /// The same disk on another machine, where later choices come from `seed`; no process runs there.
    #[must_use]
    pub fn fork(&self, seed: u64) -> Self {
        Self { machine: Shared(Arc::new(Mutex::new(self.machine.lock().fork(seed)))) }
    }

    /// Plans a fault for the `n`-th disk operation from now (1 is the next).
    pub fn fail_op(&self, n: u64, fault: Fault) {
        self.machine.lock().plan(n, fault);
    }

    /// Forgets the faults that were planned and did not happen yet.
    pub fn cancel_faults(&self) {
        self.machine.lock().cancel_faults();
    }

    /// How many disk operations ran so far.
    pub fn ops(&self) -> u64 {
        self.machine.lock().ops()
    }

    /// The planned faults that happened.
    pub fn fired(&self) -> Vec<Fired> {
        self.machine.lock().fired().to_vec()
    }

    /// Sets the clock, back too.
    pub fn set_clock(&self, now: Instant) {
        self.machine.lock().now = now;
    }

    /// From now on chance says that it has no randomness (or has it again).
    pub fn starve_chance(&self, starved: bool) {
        self.machine.lock().starved = starved;
    }

    /// A file's bytes as processes see them, past all faults; `None` if it is not there.
    pub fn read(&self, path: impl AsRef<Path>) -> Option<Vec<u8>> {
        self.machine.lock().tree.read(path.as_ref())
    }

    /// Puts bytes there durably, past all faults: what a person with an editor does.
    pub fn write(&self, path: impl AsRef<Path>, bytes: &[u8]) {
        self.machine.lock().tree.put(path.as_ref(), bytes);
    }

    /// Takes a file or folder away durably, past all faults.
    pub fn delete(&self, path: impl AsRef<Path>) {
        self.machine.lock().tree.delete(path.as_ref());
    }

    /// Every file under a folder, sorted.
    pub fn files(&self, under: impl AsRef<Path>) -> Vec<PathBuf> {
        self.machine.lock().tree.files(under.as_ref())
    }
}

impl Clock for SimClock {
    fn now(&self) -> Instant {
        self.0.lock().tick()
    }

    fn sleep(&self, time: Duration) {
        let micros = i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
        let mut machine = self.0.lock();
        machine.now = machine.now.saturating_add(micros);
        drop(machine);
        // somebody on another thread may be who we wait for
        std::thread::yield_now();
    }
}

impl Chance for SimChance {
    fn fill(&self, buffer: &mut [u8]) -> io::Result<()> {
        let mut machine = self.0.lock();
        if machine.starved {
            return Err(io::Error::other("no randomness"));
        }
        machine.seed.fill(buffer);
        Ok(())
    }
}
