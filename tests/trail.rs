//! The audit trail from outside: what is sealed by itself, what an old copy and a stolen log look like, what a
//! stranger can check with a pin alone.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::house::{Dice, House, copy_folder, files_under};

fn record(house: &House, session: &str, kind: &str, text: &str) {
    house.run(&["record", "--session", session, "--kind", kind, "--text", text]).ok();
}

/// Leaves of the store log.
fn leaves(house: &House) -> Vec<Value> {
    let log = fs::read_to_string(house.store().join("journal/log/entries.ndjson")).unwrap();
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn seals(house: &House) -> Vec<(String, u64)> {
    let seals = leaves(house).into_iter().filter(|leaf| leaf["leaf"] == "seal");
    seals.map(|s| (s["session"].as_str().unwrap().to_owned(), s["events"].as_u64().unwrap())).collect()
}

#[test]
fn an_error_is_sealed_at_once_and_with_it_what_others_left() {
    let house = House::new();
    record(&house, "quiet", "note.added", "nothing to see");
    assert_eq!(seals(&house), []);
    record(&house, "loud", "error.raised", "it broke");
    assert_eq!(seals(&house), [("loud".to_owned(), 2), ("quiet".to_owned(), 2)]);
    house.run(&["verify", "--require-sealed"]).ok();
}

#[test]
fn a_stream_is_sealed_on_its_way_and_at_its_end() {
    let house = House::new();
    let drafts: String = (0..600)
        .map(|n| {
            json!({"session": "s", "kind": "note.added", "data": {"text": format!("n {n}")}}).to_string()
                + "\n"
        })
        .collect();
    house.feed(&["record"], drafts).ok();
    let sealed = seals(&house);
    // how often on the way is a matter of what a round costs here
    assert!(sealed.len() >= 2 && sealed[0].1 < 600, "{sealed:?}");
    assert_eq!(sealed.last(), Some(&("s".to_owned(), 601)));
    let kinds: Vec<Value> = leaves(&house).into_iter().map(|leaf| leaf["leaf"].clone()).collect();
    assert!(kinds.contains(&json!("start")) && kinds.last() == Some(&json!("stop")), "{kinds:?}");
    house.run(&["verify", "--require-sealed"]).ok();
}

#[test]
fn keys_are_outside_the_store_and_nobody_elses_to_read() {
    let house = House::new();
    record(&house, "s", "error.raised", "it broke");
    let keys = files_under(&house.path("config"));
    assert!(
        keys.iter().any(|file| file.ends_with("log.key"))
            && keys.iter().any(|file| file.ends_with("epoch-0.key"))
    );
    for key in &keys {
        assert_eq!(fs::metadata(key).unwrap().mode() & 0o077, 0, "{}", key.display());
    }
    for file in files_under(&house.store()) {
        let bytes = fs::read(&file).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("PRIVATE KEY"), "{}", file.display());
    }
}

#[test]
fn a_key_is_one_that_openssl_reads() {
    let house = House::new();
    let key = files_under(&house.path("config")).into_iter().find(|file| file.ends_with("log.key")).unwrap();
    let Ok(read) = Command::new("openssl").args(["pkey", "-pubout", "-in"]).arg(&key).output() else {
        println!("no openssl here: skipped");
        return;
    };
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let public = fs::read_to_string(key.with_extension("pub")).unwrap();
    assert!(public.ends_with(&String::from_utf8(read.stdout).unwrap()), "{public}");
}

#[test]
fn an_old_copy_is_exit_32_and_gets_no_seal_and_recording_goes_on() {
    let house = House::new();
    record(&house, "s", "error.raised", "one");
    let old = house.path("old");
    copy_folder(&house.store(), &old);
    record(&house, "s", "error.raised", "two");
    fs::remove_dir_all(house.store()).unwrap();
    copy_folder(&old, &house.store());
    house.run(&["verify"]).exit(32).says("ROLLBACK").says("R0015");
    house.run(&["seal"]).exit(4).says("R0015");
    house
        .run(&["record", "--session", "s", "--kind", "error.raised", "--text", "three"])
        .ok()
        .says("warning: not sealed: the store log is shorter than the checkpoint remembered");
    house.run(&["verify"]).exit(32);
}

#[test]
fn a_log_that_is_taken_away_is_missed_and_a_stranger_is_told_not_to_trust() {
    let house = House::new();
    record(&house, "s", "error.raised", "one");
    let stranger = House::bare();
    copy_folder(&house.store(), &stranger.store());
    stranger.run(&["verify"]).exit(12).says("UNTRUSTED");
    let pin = house.run(&["pin"]).ok().out;
    fs::write(stranger.path("here/store.pin"), &pin).unwrap();
    let verified = stranger.run(&["verify", "--pin", "store.pin"]).ok();
    assert!(verified.text().starts_with("VERIFIED"), "{}", verified.text());
    // reading commands of a stranger write nothing, and sealing is refused for want of a key
    stranger.run(&["seal"]).exit(6).says("R0016");
    fs::remove_dir_all(stranger.store().join("journal/log")).unwrap();
    stranger.run(&["verify", "--pin", "store.pin"]).exit(32);
    stranger.run(&["verify"]).ok();
}

#[test]
fn one_event_is_proven_to_somebody_without_the_store() {
    let house = House::new();
    record(&house, "s", "note.added", "the one that matters");
    record(&house, "s", "note.added", "a private one");
    house.run(&["seal"]).ok();
    let stranger = House::bare();
    let proof = house.run(&["prove", "s/1"]).ok().text();
    assert!(!proof.contains("private"));
    fs::write(stranger.path("here/s1.proof"), &proof).unwrap();
    fs::write(stranger.path("here/pin"), house.run(&["pin"]).ok().out).unwrap();
    let proven = stranger.run(&["verify", "s1.proof", "--pin", "pin"]).ok().text();
    assert_eq!(proven, "PROVEN s/1, 0 findings\n");
    stranger.run(&["verify", "s1.proof"]).exit(12);
    fs::write(stranger.path("here/s1.proof"), proof.replace("the one", "the two")).unwrap();
    stranger.run(&["verify", "s1.proof", "--pin", "pin"]).exit(22);
}

#[test]
fn case_65_recorders_that_seal_with_every_event_and_are_killed_leave_whole_or_torn() {
    let mut dice = Dice::new("kill sealers");
    let house = House::new();
    for round in 0..12 {
        let mut child = house.command(&["record"]).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let drafts: String = (0..200)
            .map(|n| {
                json!({"session": format!("s{}", n % 3), "kind": "handoff.made", "from": "a", "to": "b",
                "data": {"summary": format!("round {round} {n}")}})
                .to_string()
                    + "\n"
            })
            .collect();
        thread::scope(|scope| {
            scope.spawn(move || {
                // a killed reader closes the pipe
                let _ = stdin.write_all(drafts.as_bytes());
            });
            thread::sleep(Duration::from_millis(dice.below(60) as u64));
            child.kill().unwrap();
            child.wait().unwrap();
        });
        house.verify_or_mend();
    }
    record(&house, "s0", "error.raised", "the end");
    house.run(&["seal"]).ok();
    house.run(&["verify", "--require-sealed"]).ok();
}
