//! How fast the scanner is: `cargo bench -p redact`. On a machine that others use too, measure processor
//! time instead: `cargo run --release -p redact --example speed`.

mod texts;

use divan::Bencher;
use divan::counter::BytesCount;
use redact::scan;

fn main() {
    divan::main();
}

/// Text without secrets.
#[divan::bench(sample_count = 5)]
fn real(bencher: Bencher) {
    scan_all(bencher, &texts::real());
}

/// A secret in three of four texts.
#[divan::bench(sample_count = 10)]
fn labelled(bencher: Bencher) {
    scan_all(bencher, &texts::labelled());
}

/// The rate should be the same in each size: time grows with the text and no faster.
#[divan::bench(sample_count = 5, args = texts::HOSTILE, consts = [65_536, 1_048_576, 16_777_216])]
fn hostile<const BYTES: usize>(bencher: Bencher, piece: &str) {
    scan_all(bencher, &[texts::hostile(piece, BYTES)]);
}

fn scan_all(bencher: Bencher, texts: &[String]) {
    let bytes: usize = texts.iter().map(String::len).sum();
    bencher
        .counter(BytesCount::new(bytes))
        .bench(|| texts.iter().map(|text| scan(text).len()).sum::<usize>());
}
