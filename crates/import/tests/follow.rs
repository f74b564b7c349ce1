//! A file that grows: wherever it is looked at in between, the same is told as at the end.

use std::fs;
use std::path::Path;

use import::{Follower, Pace};
use proptest::prelude::*;

use crate::sink::Memory;

/// Transcripts whose records say by themselves what they are, and a rollout, which tells some things in two.
fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/import"));
    let names = ["claude-code", "claude-code-resumed", "codex"];
    let inputs = names.iter().filter_map(|name| fs::read(folder.join(name).join("input.jsonl")).ok());
    inputs.collect()
}

/// A file is called as its session is: before any record says so, nothing else does.
fn name(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let id = text.split_once("\"sessionId\":\"").and_then(|(_, rest)| rest.split_once('"'));
    format!("{}.jsonl", id.map_or("session", |(id, _)| id))
}

fn catch_up(follower: &mut Follower, memory: &mut Memory, pace: Pace) -> u64 {
    let report = follower.catch_up(memory, pace).unwrap_or_else(|error| panic!("{error}"));
    report.map_or(0, |report| {
        assert!(report.adds_up(), "{report:?}");
        report.events
    })
}

/// Looks at the file when it is so long, and at its end.
fn followed(path: &Path, bytes: &[u8], lengths: &[usize]) -> Memory {
    let (mut memory, mut follower) = (Memory::default(), Follower::new(path.to_owned()));
    for length in lengths {
        fs::write(path, &bytes[..*length]).expect("writes");
        catch_up(&mut follower, &mut memory, Pace::Live);
    }
    fs::write(path, bytes).expect("writes");
    catch_up(&mut follower, &mut memory, Pace::Live);
    catch_up(&mut follower, &mut memory, Pace::Still);
    assert_eq!(catch_up(&mut follower, &mut memory, Pace::Still), 0, "nothing is told twice");
    memory
}

fn whole(path: &Path, bytes: &[u8]) -> Memory {
    let mut memory = Memory::default();
    fs::write(path, bytes).expect("writes");
    memory.import(&[path.to_owned()]);
    memory
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn wherever_it_is_looked_at_the_same_is_told(seed in 0..100_usize, mut at in proptest::collection::vec(0.0..1.0_f64, 1..5)) {
        let seeds = seeds();
        let bytes = &seeds[seed % seeds.len()];
        at.sort_by(f64::total_cmp);
        // lengths of files are far below 2^52
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let lengths: Vec<usize> = at.iter().map(|at| (bytes.len() as f64 * at) as usize).collect();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name(bytes));
        let expected = whole(&path, bytes);
        fs::remove_file(&path).expect("removed");
        let memory = followed(&path, bytes, &lengths);
        prop_assert_eq!(memory.key_set(), expected.key_set());
    }
}

#[test]
fn what_is_not_whole_is_left_alone_and_told_when_nobody_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("session.jsonl");
    let bytes = &seeds()[0];
    let lines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let torn = lines.clone().nth(lines.count() / 2).expect("a line") + 40;
    let (mut memory, mut follower) = (Memory::default(), Follower::new(path.clone()));
    fs::write(&path, &bytes[..torn]).expect("writes");
    assert!(catch_up(&mut follower, &mut memory, Pace::Live) > 0 && follower.waits());
    assert!(memory.stored.iter().all(|draft| draft.kind != *"gap.found"));
    assert_eq!(catch_up(&mut follower, &mut memory, Pace::Still), 1);
    let gap = memory.stored.last().and_then(|draft| draft.key.clone()).expect("a key");
    assert!(gap.starts_with("gap:") && !follower.waits());
    fs::write(&path, bytes).expect("writes");
    assert!(catch_up(&mut follower, &mut memory, Pace::Live) > 0);
    let stands_for = |draft: &event::Draft| draft.header.get("twin").is_some_and(|twin| *twin == *gap);
    assert!(memory.stored.iter().any(stands_for), "the whole record stands for the gap");
}
