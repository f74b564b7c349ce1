//! The one table: each number as it is measured, its spread, and the target it is held against.

use std::collections::BTreeMap;

use crate::Outcome;
use crate::measure::{Round, median, micros, percentile};

/// What a number is held against.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// Only for comparison.
    None,
    /// At least so much.
    AtLeast(f64),
    /// At most so much.
    AtMost(f64),
}

/// Prints rows and keeps their values.
#[derive(Debug, Default)]
pub(crate) struct Table {
    values: BTreeMap<String, f64>,
}

impl Table {
    /// Begins a part.
    #[allow(clippy::unused_self, reason = "rows and heads are said to the same table")]
    pub(crate) fn head(&self, part: &str) {
        println!("\n{part:<52} {:>12}         spread              target", "median");
    }

    /// One number.
    pub(crate) fn row(&mut self, name: &str, values: &[f64], unit: &str, target: Target) {
        let value = median(values);
        let (low, high) = (percentile(values, 0), percentile(values, 100));
        let spread = format!("{}–{}", short(low), short(high));
        let verdict = match target {
            Target::None => String::new(),
            Target::AtLeast(wanted) => judge("≥", wanted, value / wanted),
            Target::AtMost(wanted) => judge("≤", wanted, wanted / value),
        };
        println!("{name:<52} {:>12} {unit:<6} {spread:<18}  {verdict}", short(value));
        self.values.insert(name.to_owned(), value);
    }

    /// The rate of some rounds, and the latencies of all of them together.
    pub(crate) fn rounds(&mut self, name: &str, rounds: &[Round], unit: &str, target: Target) {
        let rates: Vec<f64> = rounds.iter().map(|round| round.rate).collect();
        self.row(name, &rates, unit, target);
        let micros = micros(rounds);
        if !micros.is_empty() {
            for percent in [50, 99] {
                let value = percentile(&micros, percent);
                self.value(&format!("{name}, p{percent}"), value, "µs", Target::None);
            }
        }
    }

    /// A number without a spread.
    pub(crate) fn value(&mut self, name: &str, value: f64, unit: &str, target: Target) {
        self.row(name, &[value], unit, target);
    }

    /// The median and the 99th of a hundred; the target is for the latter.
    pub(crate) fn latency(&mut self, name: &str, values: &[f64], target: Target) {
        self.row(&format!("{name}, p50"), values, "ms", Target::None);
        self.value(&format!("{name}, p99"), percentile(values, 99), "ms", target);
    }

    pub(crate) fn get(&self, name: &str) -> f64 {
        self.values.get(name).copied().unwrap_or(f64::NAN)
    }

    /// Writes the numbers where they are wanted.
    pub(crate) fn finish(self) -> Outcome<()> {
        if let Some(path) = std::env::var_os("RECOUNT_BENCH_JSON") {
            std::fs::write(path, serde_json::to_string_pretty(&self.values)?)?;
        }
        Ok(())
    }
}

fn judge(sign: &str, wanted: f64, reached: f64) -> String {
    let verdict = if reached >= 1.0 { "reached" } else { "missed" };
    format!("{sign} {:<9} {verdict} ({reached:.2})", short(wanted))
}

/// Three or four digits that mean something.
fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 1e5 => format!("{:.0}k", value / 1e3),
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
