//! How fast the scanner is, by the processor's time, which other programs on the machine don't take.
//!
//! `cargo run --release -p redact --example speed [-- real | labelled | hostile [PIECE]]`; what is read: see `benches/speed`.
#![allow(clippy::print_stdout)]

#[path = "../benches/speed/texts.rs"]
mod texts;

use std::time::{Duration, Instant};

use redact::scan;

const SIZES: [usize; 3] = [64 << 10, 1 << 20, 16 << 20];

fn main() {
    let only = std::env::args().nth(1);
    let wants = |part: &str| only.as_deref().is_none_or(|only| only == part);
    if wants("real") {
        println!("{:7.0} MB/s  real text", rate(&texts::real(), 5));
    }
    if wants("labelled") {
        println!("{:7.0} MB/s  labelled texts", rate(&texts::labelled(), 30));
    }
    if wants("hostile") {
        println!("MB/s at 64 KiB, 1 MiB, 16 MiB");
        let piece = std::env::args().nth(2);
        let one = |each: &&&str| piece.as_deref().is_none_or(|piece| piece == **each);
        texts::HOSTILE.iter().filter(one).for_each(|piece| hostile(piece));
    }
}

fn hostile(piece: &str) {
    let rates = SIZES.map(|size| rate(&[texts::hostile(piece, size)], (2 << 20) / size + 2));
    println!("{:7.0} {:7.0} {:7.0}  {piece:?}", rates[0], rates[1], rates[2]);
}

/// Megabytes a second over all texts, in the best of `rounds`: what others do to the caches only adds.
#[allow(clippy::cast_precision_loss)]
fn rate(texts: &[String], rounds: usize) -> f64 {
    let bytes: usize = texts.iter().map(String::len).sum();
    let round = |_| {
        let clock = Clock::start();
        for text in texts {
            drop(scan(text));
        }
        clock.elapsed()
    };
    let best = (0..rounds).map(round).min().unwrap_or_default();
    bytes as f64 / best.as_secs_f64() / 1e6
}

/// This thread's time on a processor where the system tells it, else the wall's.
struct Clock {
    processor: Option<Duration>,
    wall: Instant,
}

impl Clock {
    fn start() -> Self {
        Self { processor: processor_time(), wall: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        let spent = processor_time().zip(self.processor).map(|(now, then)| now.saturating_sub(then));
        spent.filter(|spent| !spent.is_zero()).unwrap_or_else(|| self.wall.elapsed())
    }
}

/// The system brings the count up to date when the thread gives way.
fn processor_time() -> Option<Duration> {
    std::thread::yield_now();
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    line.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
