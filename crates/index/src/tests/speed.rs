//! Figures, on demand: `cargo test --release -p index -- --ignored --nocapture figures`.

use std::fmt::Write as _;
use std::time::Instant;

use event::{Draft, Kind, Origin};

use super::{Store, query};
use crate::{Options, Scope};

const EVENTS: usize = 100_000;

fn resident_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Seconds of processor time so far, all threads: what a busy machine does not distort much.
#[allow(clippy::cast_precision_loss)]
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = stat.split_whitespace().skip(13).take(2).filter_map(|n| n.parse::<u64>().ok()).sum::<u64>();
    ticks as f64 / 100.0
}

/// Words of a Zipf-like vocabulary, fresh ids and paths, as agents write.
fn text(random: &mut u64, words: usize) -> String {
    let mut next = || {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        *random
    };
    let mut out = String::new();
    for _ in 0..words {
        let n = next();
        let rank = 1 + (n % 20_000) * (n >> 32 & 0xffff) / 65_536 * (n >> 48) / 65_536;
        let written = match n % 40 {
            0 => write!(out, "src/module_{}/file_{}.rs ", rank % 97, rank % 1_013),
            1 => write!(out, "id-{:08x} ", n >> 20),
            _ => write!(out, "w{} ", rank * 7_919 % 20_011),
        };
        written.expect("a string grows");
    }
    out
}

fn fill(store: &Store) {
    let mut random = 0x9e37_79b9_7f4a_7c15;
    let kinds = ["reasoning.recorded", "skill.invoked", "skill.returned", "message.recorded"];
    for session in 0..50 {
        let drafts = (0..EVENTS / 50).map(|n| {
            let (kind, words) = (kinds[n % 4], 60 + n % 120);
            let draft = Draft::new(&format!("s{session}"), Kind::of(kind), Origin::Claimed);
            let draft = draft
                .with("agent", format!("dev-{}", n % 5))
                .with("group", format!("G{}", n % 7))
                .key(format!("k{n}"));
            draft.data(if kind == "skill.returned" { "output" } else { "text" }, text(&mut random, words))
        });
        store.tell(drafts.collect());
    }
}

#[test]
#[ignore = "figures, not a claim"]
#[allow(clippy::print_stderr, clippy::cast_precision_loss)]
fn figures() {
    let store = Store::new();
    fill(&store);
    let sessions = store.journal.sessions().expect("sessions");
    let bytes: u64 = sessions.iter().map(|s| store.journal.extent(s).expect("an extent").bytes()).sum();
    let mb = bytes as f64 / 1e6;
    eprintln!(
        "{EVENTS} events, {mb:.0} MB, {:.0} bytes each, resident before {} MB",
        bytes as f64 / EVENTS as f64,
        resident_mb()
    );
    let index = store.index();
    for _ in 0..2 {
        let (begun, before) = (Instant::now(), processor_seconds());
        index.reindex().expect("a rebuild");
        let seconds = begun.elapsed().as_secs_f64();
        let (rate, events) = (mb / seconds, EVENTS as f64 / seconds);
        let processor = processor_seconds() - before;
        eprintln!(
            "rebuild {seconds:.2} s ({processor:.2} s of processor), {rate:.0} MB/s, {events:.0} events/s, resident at most {} MB",
            resident_mb()
        );
    }
    for text in [
        "w7919",
        "w7919 w15838",
        "\"w7919 w15838\"",
        "id-0*",
        "agent:dev-1",
        "w7919 agent:dev-1",
        "nosuchword",
        "w1*",
    ] {
        let asked = query(text);
        let begun = Instant::now();
        let answer = store.index().search(&asked, &Options::default()).expect("an answer");
        let cold = begun.elapsed();
        let warm_index = store.index();
        warm_index.search(&asked, &Options::default()).expect("an answer");
        let begun = Instant::now();
        warm_index.search(&asked, &Options::default()).expect("an answer");
        let warm = begun.elapsed();
        let begun = Instant::now();
        let scan = index.scan(&asked, &Options::default()).expect("a scan");
        eprintln!(
            "{text:22} {:7} hits, cold {cold:?}, warm {warm:?}, scan {:?}",
            answer.total,
            begun.elapsed()
        );
        assert_eq!(super::gist(&answer), super::gist(&scan));
    }
    let begun = Instant::now();
    let views = index.views(&Scope::Session(super::id("s7"))).expect("views");
    let rows = views.timeline(&super::id("s7")).expect("rows");
    eprintln!("timeline of {} in {:?}", rows.len(), begun.elapsed());
    let begun = Instant::now();
    let rows = views.group("G3").expect("rows");
    eprintln!("group of {} in {:?}", rows.len(), begun.elapsed());
}
