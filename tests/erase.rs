//! Erasing, on the real program: no byte of the text anywhere, whatever is killed, compressed, signed or held.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::house::{Dice, House, files_under};

const CANARY: &str = "zqxwombatcanary walks \"alone\" at night";

fn record(house: &House, session: &str, text: &str) {
    house.feed(&["record", "--session", session, "--kind", "note.added", "--text", "-"], text).ok();
}

fn erase(house: &House, event: &str) {
    house.run(&["erase", event, "--basis", "gdpr17", "--ticket", "T-1", "--yes"]).ok();
}

/// The bytes of a file, and what they are decompressed.
fn readings(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).unwrap();
    let unpacked = zstd::stream::decode_all(&bytes[..]).ok();
    [Some(bytes), unpacked].into_iter().flatten().collect()
}

/// Files of the house in which a text stands, as it is or as lines have it.
fn holding(house: &House, text: &str) -> Vec<String> {
    let quoted = json!(text).to_string();
    let dressed = [text.as_bytes(), &quoted.as_bytes()[1..quoted.len() - 1]];
    let holds = |path: &Path| {
        let held = |bytes: &Vec<u8>| dressed.iter().any(|text| memchr::memmem::find(bytes, text).is_some());
        readings(path).iter().any(held)
    };
    let files = files_under(&house.path("")).into_iter().filter(|path| holds(path));
    files.map(|path| path.display().to_string()).collect()
}

#[test]
fn case_69_no_byte_of_an_erased_text_in_index_journal_or_anywhere_else() {
    let house = House::new();
    record(&house, "s", CANARY);
    record(&house, "s", "what stays");
    // long enough for a blob
    let long = format!("zqxlongcanary {}", "filler and more of it\n".repeat(20_000));
    record(&house, "s", &long);
    house.run(&["reindex"]).ok();
    // terms do not stand in the index as they are: that it has them, and has them no longer, it says itself
    house.run(&["verify", "--index"]).ok().says("4 events looked up by each of their");
    assert!(!holding(&house, CANARY).is_empty());
    // what a crash may leave beside
    let torn = house.store().join("journal/torn");
    fs::create_dir_all(&torn).unwrap();
    fs::write(torn.join("s-9-0011223344556677.bin"), "{\"v\":1,…\"text\":\"zqxwombatcanary walks \\\"al")
        .unwrap();
    fs::write(house.session("s").join("0000000000.ndjson.zst.new"), "zqxwombatcanary walks").unwrap();
    let quarantine = house.store().join("index/quarantine-text");
    fs::create_dir_all(&quarantine).unwrap();
    fs::write(quarantine.join("old.term"), "zqxwombatcanary").unwrap();
    erase(&house, "s/1");
    erase(&house, "s/3");
    for word in ["zqxwombatcanary", "zqxlongcanary", CANARY, "filler and more of it"] {
        assert_eq!(holding(&house, word), Vec::<String>::new(), "{word}");
    }
    house.run(&["search", "zqxwombatcanary"]).exit(1);
    house.run(&["search", "stays"]).ok();
    house.run(&["verify", "--index", "--require-sealed"]).ok();
}

#[test]
fn an_erased_text_goes_from_kept_digests_and_from_copies_beside_the_journal() {
    let house = House::new();
    house.feed(&["save-reasoning", "s", "AUTH", "developer", "completion", "-"], CANARY).ok();
    house.run(&["digest", "s", "AUTH", "--for", "qa_expert"]).ok();
    fs::write(house.path("here/report.md"), CANARY).unwrap();
    let body = json!({"from_agent": "developer", "status": "READY_FOR_QA", "summary": [CANARY, "b", "c"],
        "artifacts": {"report": "report.md"}});
    house.feed(&["handoff", "write", "s", "AUTH", "developer", "-"], body.to_string()).ok();
    fs::remove_file(house.path("here/report.md")).unwrap();
    let held = holding(&house, CANARY);
    for place in ["index/digests/", "artifacts/by-hash/", "handoffs/handoff_developer.json"] {
        assert!(held.iter().any(|file| file.contains(place)), "{place} {held:?}");
    }
    for event in ["s/1", "s/2", "s/3"] {
        erase(&house, event);
    }
    assert_eq!(holding(&house, "zqxwombatcanary"), Vec::<String>::new());
    house.run(&["verify"]).ok();
    // what another handoff names as well stays
    let twice = json!({"from_agent": "developer", "status": "READY_FOR_QA", "summary": ["a", "b", "c"],
        "artifacts": {"report": "kept.md"}});
    fs::write(house.path("here/kept.md"), "kept twice").unwrap();
    let write = |group: &str| {
        let call = ["handoff", "write", "t", group, "developer", "-"];
        house.feed(&call, twice.to_string()).ok().json()["event"].as_str().unwrap().to_owned()
    };
    let (first, second) = (write("API"), write("UI"));
    let copies = || holding(&house, "kept twice").iter().filter(|file| file.contains("by-hash")).count();
    erase(&house, &first);
    assert_eq!(copies(), 1);
    erase(&house, &second);
    assert_eq!(copies(), 0);
}

#[test]
fn a_text_in_a_compressed_segment_is_erased_too() {
    let house = House::new();
    let filler: String = ('a'..='z').cycle().take(1500).collect();
    let drafts = |from: usize, to: usize| -> String {
        let line = |n: usize| {
            let text = if n == 7 { CANARY.to_owned() } else { format!("{n} {filler}") };
            json!({"session": "s", "kind": "note.added", "data": {"text": text}}).to_string() + "\n"
        };
        (from..to).map(line).collect()
    };
    house.feed(&["record", "--sync", "batch"], drafts(1, 36_000)).ok();
    house.run(&["seal"]).ok();
    house.run(&["compact"]).ok();
    assert!(house.session("s").join("0000000000.ndjson.zst").is_file(), "nothing was compressed");
    assert!(!holding(&house, CANARY).is_empty());
    erase(&house, "s/7");
    assert_eq!(holding(&house, CANARY), Vec::<String>::new());
    house.run(&["verify"]).ok();
    house.run(&["compact"]).ok();
    assert_eq!(holding(&house, "zqxwombatcanary"), Vec::<String>::new());
    house.run(&["verify"]).ok();
}

#[test]
fn a_person_signs_with_ssh_keygen_and_a_policy_demands_it() {
    let house = House::new();
    let key = house.path("home/ada");
    let made = Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", "ada@example", "-f"])
        .arg(&key)
        .status();
    if !made.is_ok_and(|status| status.success()) {
        println!("no ssh-keygen here: skipped");
        return;
    }
    let key = key.to_str().unwrap();
    record(&house, "s", CANARY);
    record(&house, "s", "another");
    let ran =
        house.run(&["erase", "s/1", "--basis", "gdpr17", "--ticket", "T", "--yes", "--sign-key", key]).ok();
    assert!(
        ran.text().contains("signed by  ada@example") && !ran.err.contains("the log's key"),
        "{}",
        ran.err
    );
    let public = fs::read_to_string(format!("{key}.pub")).unwrap();
    let allowed = house.path("here/allowed");
    let verify = |line: String| {
        fs::write(&allowed, line).unwrap();
        house.run(&["verify", "--allowed-signers", "allowed"]).code
    };
    assert_eq!(verify(format!("ada@example namespaces=\"recount-erase\" {public}")), Some(0));
    assert_eq!(verify(format!("ada@example namespaces=\"recount-bundle\" {public}")), Some(37));
    assert_eq!(verify(format!("ada@example valid-before=\"20200101\" {public}")), Some(37));
    assert_eq!(verify(format!("eve@example {public}")), Some(37));
    // the log's key is nobody whom the policy names
    erase(&house, "s/2");
    assert_eq!(verify(format!("ada@example {public}")), Some(37));
    house.run(&["verify"]).ok();
}

#[test]
fn what_ssh_keygen_verifies_is_the_statement_that_the_format_describes() {
    let house = House::new();
    let key = house.path("home/ada");
    let made = Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f"])
        .arg(&key)
        .status();
    if !made.is_ok_and(|status| status.success()) {
        println!("no ssh-keygen here: skipped");
        return;
    }
    record(&house, "s", CANARY);
    let args =
        ["erase", "s/1", "--basis", "gdpr17", "--ticket", "T", "--yes", "--sign-key", key.to_str().unwrap()];
    house.run(&args).ok();
    let line = house.lines("s").into_iter().map(|line| String::from_utf8(line).unwrap());
    let line = line.into_iter().find(|line| line.contains("audit.erased")).unwrap();
    let parsed: serde_json::Value = serde_json::from_str(&line).unwrap();
    // members as they stand, each a line
    let mut statement = "recount erase 1\nsession s\ntarget 1\n".to_owned();
    for (name, value) in [("by", 0), ("order", 0), ("ticket", 0)] {
        let _ = value;
        let text = parsed["data"][name].to_string();
        let raw = if name == "order" { raw_member(&line, "order") } else { text };
        statement.push_str(&format!("{name} {raw}\n"));
    }
    let armor = parsed["data"]["signature"].as_str().unwrap();
    let bytes: Vec<u8> =
        (0..armor.len()).step_by(2).map(|at| u8::from_str_radix(&armor[at..at + 2], 16).unwrap()).collect();
    let here = house.path("here");
    fs::write(here.join("order.sig"), bytes).unwrap();
    fs::write(
        here.join("allowed"),
        format!("ada {}", fs::read_to_string(format!("{}.pub", key.display())).unwrap()),
    )
    .unwrap();
    let mut verify = Command::new("ssh-keygen");
    verify.args(["-Y", "verify", "-f", "allowed", "-I", "ada", "-n", "recount-erase", "-s", "order.sig"]);
    let mut verify = verify.current_dir(&here).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut verify.stdin.take().unwrap(), statement.as_bytes()).unwrap();
    assert!(verify.wait_with_output().unwrap().status.success(), "{statement}");
}

/// A member's value as the line has it, without padding.
fn raw_member(line: &str, name: &str) -> String {
    let data = &line[line.find("\"data\":{").unwrap()..];
    let value = &data[data.find(&format!("\"{name}\":")).unwrap() + name.len() + 3..];
    let mut stream = serde_json::Deserializer::from_str(value).into_iter::<serde_json::Value>();
    stream.next().unwrap().unwrap();
    value[..stream.byte_offset()].to_owned()
}

#[test]
fn rescan_apply_leaves_todays_text_and_nothing_of_the_secret() {
    let house = House::new();
    let secret = "acme_U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oo";
    record(&house, "s", &format!("the badge {secret} opens the door"));
    record(&house, "s", "nothing here");
    house.run(&["reindex"]).ok();
    let rules = house.path("here/.recount");
    fs::create_dir_all(&rules).unwrap();
    let rule = "version = 1\n[[rule]]\nid = \"acme_badge\"\nshape = \"acme_{b62:32..64}\"\n";
    fs::write(rules.join("rules.toml"), rule).unwrap();
    house.run(&["redact", "rescan"]).exit(1);
    let before = house.lines("s");
    house.run(&["redact", "rescan", "--apply", "--yes"]).ok();
    assert_eq!(holding(&house, secret), Vec::<String>::new());
    house.run(&["redact", "rescan"]).ok();
    house.run(&["redact", "rescan", "--apply", "--yes"]).ok().says("nothing to erase");
    let shown = house.run(&["show", "s/1"]).ok().text();
    assert!(shown.contains("the badge [REDACTED:acme_badge"), "{shown}");
    assert!(shown.contains("[erased; the eraser's text, by s/3]"), "{shown}");
    let told = house.run(&["show", "s/1", "--json"]).ok().json();
    assert_eq!(told["event"]["replaced"]["text"]["order"], 3);
    assert_eq!(house.lines("s")[2], before[2], "another event changed");
    house.run(&["verify"]).ok().says("not provably the rest of the original");
    house.run(&["search", "opens"]).ok();
}

#[test]
fn a_hold_keeps_a_text_and_a_dry_run_or_a_question_writes_nothing() {
    let house = House::new();
    record(&house, "s", CANARY);
    house.run(&["hold", "add", "s", "--case", "case-12"]).ok();
    let before: Vec<_> = files_under(&house.path("")).iter().map(|path| fs::read(path).unwrap()).collect();
    let args = ["erase", "s/1", "--basis", "gdpr17", "--ticket", "T"];
    house.run(&[&args[..], &["--yes"]].concat()).exit(6).says("held for case case-12").says("R0020");
    house.run(&["erase", "s/1", "--basis", "court", "--ticket", "T"]).exit(2).says("nothing was erased");
    house.run(&["erase", "s/1", "--basis", "court", "--ticket", "T", "--dry-run"]).ok();
    house.run(&["erase", "s/1", "--basis", "retention", "--ticket", "T", "--yes"]).exit(2);
    house.run(&["erase", "s/1", "--basis", "court", "--ticket", "two words", "--yes"]).exit(2);
    house.run(&["erase", "s/9", "--basis", "court", "--ticket", "T", "--yes"]).exit(3);
    let after: Vec<_> = files_under(&house.path("")).iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(before == after, "something was written");
    house.run(&["erase", "s/1", "--basis", "court", "--ticket", "T", "--yes"]).ok();
    house.run(&["verify"]).ok();
}

#[test]
fn case_65_an_erasure_killed_at_any_moment_is_0_or_10_and_repair_finishes_it() {
    let mut dice = Dice::new("kill erasers");
    let house = House::new();
    let rounds = 24;
    for round in 0..=rounds {
        record(&house, "s", &format!("{CANARY} number {round} of many"));
    }
    house.run(&["reindex"]).ok();
    let started = Instant::now();
    // sequences: 1 … rounds + 1 are notes
    erase(&house, &format!("s/{}", rounds + 1));
    let long = started.elapsed();
    let mut ordered = 0;
    for round in 0..rounds {
        let event = format!("s/{}", round + 1);
        let args = ["erase", &event, "--basis", "gdpr17", "--ticket", "T-1", "--yes"];
        let mut child = house.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(long * u32::try_from(dice.below(110)).unwrap() / 100 + Duration::from_micros(500));
        child.kill().unwrap();
        child.wait().unwrap();
        let verified = house.run(&["verify"]);
        assert!(matches!(verified.code, Some(0 | 10)), "round {round}: {}", verified.err);
        house.run(&["repair", "s"]).ok();
        house.run(&["seal"]).ok();
        house.run(&["verify", "--require-sealed"]).ok();
        let text = format!("{CANARY} number {round} of many");
        let orders = house
            .events("s")
            .iter()
            .filter(|e| e["kind"] == "audit.erased" && e["target"] == round + 1)
            .count();
        let still = holding(&house, &text);
        assert_eq!(orders == 0, !still.is_empty(), "round {round}: {orders} orders, {still:?}");
        ordered += orders;
    }
    println!("{ordered} of {rounds} orders were given");
    let swept = house.events("s").iter().filter(|e| e["kind"] == "audit.swept").count();
    assert_eq!(swept, ordered + 1, "every order is swept once");
}

#[test]
fn an_erased_text_and_a_purged_session_go_from_listings() {
    let house = House::new();
    let drafts: String = (0..1500)
        .map(|n| {
            let text = if n == 700 { CANARY.to_owned() } else { format!("{n} {}", "filler ".repeat(40)) };
            json!({"session": "s", "kind": "note.added", "data": {"text": text}}).to_string() + "\n"
        })
        .collect();
    house.feed(&["record", "--sync", "batch"], drafts).ok();
    let told = || house.run(&["timeline", "s"]).ok().text();
    let before = told();
    let listing = house.store().join("index/listings/s");
    assert!(before.contains(CANARY) && fs::read_to_string(&listing).unwrap().contains(CANARY));
    assert_eq!(told(), before);
    erase(&house, "s/701");
    assert_eq!(holding(&house, "zqxwombatcanary"), Vec::<String>::new());
    let after = told();
    assert!(after.contains("[erased]") && !after.contains("zqxwombatcanary"));
    assert_eq!(told(), after);
    assert!(fs::read_to_string(&listing).unwrap().contains("1499 filler"));
    house.run(&["purge", "s", "--ticket", "T-2", "--basis", "gdpr17", "--yes"]).ok();
    assert_eq!(holding(&house, "1499 filler"), Vec::<String>::new());
}
