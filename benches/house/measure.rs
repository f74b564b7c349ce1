//! Numbers from repeated work: medians of runs, percentiles of latencies.

use std::time::{Duration, Instant};

use crate::Outcome;

/// How often a whole measurement is repeated; `RECOUNT_BENCH_ROUNDS` says otherwise.
pub(crate) fn turns() -> usize {
    std::env::var("RECOUNT_BENCH_ROUNDS").ok().and_then(|count| count.parse().ok()).unwrap_or(5)
}

/// Times one call.
pub(crate) fn timed<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<(T, Duration)> {
    let start = Instant::now();
    let done = work()?;
    Ok((done, start.elapsed()))
}

/// What one round gives: how much was done in what time, and how long single operations took.
#[derive(Debug, Clone, Default)]
pub(crate) struct Round {
    pub(crate) rate: f64,
    pub(crate) latencies: Vec<Duration>,
}

impl Round {
    pub(crate) fn new(amount: f64, time: Duration) -> Self {
        Self { rate: amount / time.as_secs_f64(), latencies: Vec::new() }
    }
}

/// Repeats `work` and gives its rounds.
pub(crate) fn rounds(mut work: impl FnMut() -> Outcome<Round>) -> Outcome<Vec<Round>> {
    (0..turns()).map(|_| work()).collect()
}

/// The value below which so many of a hundred lie.
pub(crate) fn percentile(values: &[f64], percent: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

pub(crate) fn median(values: &[f64]) -> f64 {
    percentile(values, 50)
}

/// Latencies of all rounds in microseconds.
pub(crate) fn micros(rounds: &[Round]) -> Vec<f64> {
    rounds.iter().flat_map(|round| &round.latencies).map(|time| time.as_secs_f64() * 1e6).collect()
}

/// Repeats a short question and gives its times in milliseconds; the first few warm up.
pub(crate) fn ask<T>(times: usize, mut question: impl FnMut() -> Outcome<T>) -> Outcome<Vec<f64>> {
    (0..times.div_ceil(10)).try_for_each(|_| question().map(drop))?;
    (0..times).map(|_| timed(&mut question).map(|(_, time)| time.as_secs_f64() * 1e3)).collect()
}
