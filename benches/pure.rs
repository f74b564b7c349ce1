//! What touches no disk: redaction, and lines made, read and checked. `cargo bench -p recount --bench pure`

#[allow(dead_code, reason = "shared with the other bench")]
mod generator;

use std::path::PathBuf;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use event::{Encoder, Line, SessionId, genesis};
use redact::{Keys, Redactor, scan};

const SEED: u64 = 11;
const EVENTS: usize = 1_000;

fn main() {
    divan::main();
}

/// Text as agents write and meet it.
#[divan::bench(sample_count = 30)]
fn redact_generated(bencher: Bencher) {
    let mut dice = generator::Dice::new(SEED);
    let texts: Vec<String> = (0..500)
        .flat_map(|_| [generator::prose(&mut dice, 800), generator::output(&mut dice, 1_700)])
        .collect();
    scan_all(bencher, &texts);
}

/// The labelled texts, if they are here: a secret in three of four.
#[divan::bench(sample_count = 10)]
fn redact_labelled(bencher: Bencher) {
    let folder = std::env::var("RECOUNT_DATA").unwrap_or_else(|_| "../shared/data".into());
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder).join("redaction-dev.ndjson");
    let lines = std::fs::read_to_string(path).unwrap_or_default();
    let text =
        |line| Some(serde_json::from_str::<serde_json::Value>(line).ok()?["text"].as_str()?.to_owned());
    scan_all(bencher, &lines.lines().filter_map(text).collect::<Vec<_>>());
}

/// Beginnings of secrets that never become one, 64 KiB of each.
#[divan::bench(sample_count = 20, args = ["password=", "eyJ", "-----BEGIN ", "://", "Bearer ", "\"", "a1B2", "= ", "--token "])]
fn redact_adversarial(bencher: Bencher, piece: &str) {
    scan_all(bencher, &[piece.repeat(64 * 1024 / piece.len())]);
}

fn scan_all(bencher: Bencher, texts: &[String]) {
    let bytes: usize = texts.iter().map(String::len).sum();
    bencher
        .counter(BytesCount::new(bytes))
        .bench(|| texts.iter().map(|text| scan(text).len()).sum::<usize>());
}

/// Whole drafts, as `record` cleans them.
#[divan::bench(sample_count = 30)]
fn clean_drafts(bencher: Bencher) {
    let redactor = Redactor::new(&Keys { store_secret: [7; 32], redaction_key: [9; 32] });
    let drafts: Vec<_> = generator::events(SEED, EVENTS).collect();
    bencher
        .counter(ItemsCount::new(EVENTS))
        .with_inputs(|| drafts.clone())
        .bench_values(|drafts| drafts.into_iter().filter_map(|draft| redactor.clean(draft).ok()).count());
}

/// Lines of one session, chained.
fn lines() -> Vec<Vec<u8>> {
    let mut prev = genesis("0", "s");
    let Ok(session) = SessionId::new("s") else { return Vec::new() };
    let encode = |(seq, draft)| {
        let here =
            Encoder { session: &session, seq, ts: "2026-11-27T20:47:19.123456Z", prev: &prev, store: None };
        let mut encoded = here.encode(&draft, || "5".repeat(32)).ok()?;
        prev = encoded.hash;
        encoded.line.pop();
        Some(encoded.line)
    };
    (1..).zip(generator::events(SEED, EVENTS)).filter_map(encode).collect()
}

#[divan::bench(sample_count = 30)]
fn lines_made(bencher: Bencher) {
    let bytes: usize = lines().iter().map(Vec::len).sum();
    let drafts: Vec<_> = generator::events(SEED, EVENTS).collect();
    let (prev, session) = (genesis("0", "s"), SessionId::new("s"));
    let Ok(session) = session else { return };
    let make = |draft| {
        let here = Encoder {
            session: &session,
            seq: 1,
            ts: "2026-11-27T20:47:19.123456Z",
            prev: &prev,
            store: None,
        };
        here.encode(draft, || "5".repeat(32)).map_or(0, |encoded| encoded.line.len())
    };
    bencher
        .counter(BytesCount::new(bytes))
        .counter(ItemsCount::new(EVENTS))
        .bench(|| drafts.iter().map(make).sum::<usize>());
}

#[divan::bench(sample_count = 30)]
fn lines_read(bencher: Bencher) {
    read(bencher, |line| Line::parse(line).is_ok());
}

#[divan::bench(sample_count = 30)]
fn lines_verified(bencher: Bencher) {
    read(bencher, |line| {
        Line::parse(line)
            .is_ok_and(|line| line.hash_matches() && line.members.iter().all(event::Member::matches))
    });
}

fn read(bencher: Bencher, good: impl Fn(&[u8]) -> bool + Sync) {
    let lines = lines();
    let bytes: usize = lines.iter().map(Vec::len).sum();
    bencher
        .counter(BytesCount::new(bytes))
        .counter(ItemsCount::new(lines.len()))
        .bench(|| lines.iter().filter(|line| good(black_box(line))).count());
}
