//! What we don't control: disk, clock, chance; each real, or simulated from a seed.
//!
//! Rooms take a [`World`] as an argument, so that a test can replay any night. Nothing here knows what
//! the bytes mean.

mod clock;
mod disk;
mod real;
pub mod sim;

pub use clock::{Clock, Instant, micros, rfc3339};
pub use disk::{Disk, DiskFile, Lock, Open, Stat};
pub use real::{RealChance, RealClock, RealDisk};

use std::sync::Arc;

/// Where randomness comes from.
pub trait Chance: Send + Sync + std::fmt::Debug {
    /// Fills the buffer with bytes nobody can guess, or says why it cannot.
    fn fill(&self, buffer: &mut [u8]) -> std::io::Result<()>;
}

/// Disk, clock and chance, handed down from the door.
#[derive(Debug, Clone)]
pub struct World {
    /// Files and folders.
    pub disk: Arc<dyn Disk>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub chance: Arc<dyn Chance>,
    /// Changes with every boot of the machine: tells a crash of the machine from one of a process.
    pub boot_id: String,
    /// Who we are, for others who wait on our lock.
    pub pid: u32,
}

impl World {
    /// The world as it is.
    pub fn real() -> Self {
        Self {
            disk: Arc::new(RealDisk),
            clock: Arc::new(RealClock),
            chance: Arc::new(RealChance),
            boot_id: real::boot_id(),
            pid: std::process::id(),
        }
    }
}
