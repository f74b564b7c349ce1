//! The trail's upkeep on the real program: compressing, keys that are lost or damaged, anchors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use event::{Draft, Kind, Origin};
use journal::{Durability, Journal, Options};
use recorder::Recorder;
use redact::Keys;
use world::World;

use crate::house::{House, Ran, copy_folder, files_under};

/// A store whose sessions have small segments, as months of recording would leave large ones.
fn rolled() -> House {
    let house = House::new();
    let journal = Journal::open(World::real(), &house.store()).unwrap();
    let journal = journal.with_options(Options { segment_bytes: 8 * 1024 });
    let keys = Keys { store_secret: [1; 32], redaction_key: [2; 32] };
    let mut recorder = Recorder::new(&journal, &keys, Durability::Batch);
    for n in 0..200 {
        let text = format!("note {n}: the quick brown fox numbers {}", n * 7);
        let draft = Draft::new("s", Kind::of("note.added"), Origin::Claimed).data("text", text);
        recorder.record(draft).unwrap();
    }
    recorder.sync().unwrap();
    house.run(&["seal"]).ok();
    house
}

fn packed(house: &House) -> Vec<PathBuf> {
    let files = files_under(&house.session("s"));
    files.into_iter().filter(|file| file.extension().is_some_and(|end| end == "zst")).collect()
}

/// Everything that people read.
fn told(house: &House) -> Vec<Vec<u8>> {
    let asked: [&[&str]; 8] = [
        &["export", "s", "--format", "ndjson"],
        &["timeline", "s"],
        &["search", "fox", "--limit", "300"],
        &["search", "fox numbers 700", "--no-index"],
        &["show", "s/17"],
        &["sessions", "--json"],
        &["spine", "s"],
        &["prove", "s/3"],
    ];
    asked.iter().map(|args| house.run(args).ok().out).collect()
}

#[test]
fn a_compressed_store_tells_the_same_and_verifies() {
    let house = rolled();
    let before = told(&house);
    let bytes = |house: &House| -> u64 {
        files_under(&house.session("s")).iter().map(|file| fs::metadata(file).unwrap().len()).sum()
    };
    let plain = bytes(&house);
    house.run(&["compact", "--dry-run"]).ok().says("would compress");
    assert!(packed(&house).is_empty());
    house.run(&["compact"]).ok().says("compressed");
    assert!(packed(&house).len() >= 5 && bytes(&house) < plain * 2 / 3, "{} of {plain}", bytes(&house));
    assert!(told(&house) == before);
    house.run(&["verify", "--require-sealed", "--index"]).ok();
    house.run(&["compact"]).ok().says("nothing to compress");
    // a new index over compressed segments answers the same
    house.run(&["reindex"]).ok();
    house.run(&["verify", "--index"]).ok();
    assert!(told(&house) == before);
    // recording goes on
    house.run(&["record", "--session", "s", "--kind", "error.raised", "--text", "one more"]).ok();
    house.run(&["verify", "--require-sealed"]).ok();
    // any zstd reads it
    let first = packed(&house).remove(0);
    let unpacked = zstd::decode_all(fs::File::open(first).unwrap()).unwrap();
    assert!(unpacked.ends_with(b"\n") && unpacked.starts_with(b"{\"v\":1,\"session\":\"s\",\"seq\":0"));
}

#[test]
fn a_changed_compressed_segment_is_damage_and_one_that_is_gone_is_missed() {
    let house = rolled();
    house.run(&["compact"]).ok();
    let file = packed(&house).remove(1);
    let good = fs::read(&file).unwrap();
    let mut bad = good.clone();
    let middle = bad.len() / 2;
    bad[middle] ^= 0x55;
    fs::write(&file, &bad).unwrap();
    house.run(&["verify"]).exit(21).says("compressed");
    fs::remove_file(&file).unwrap();
    house.run(&["verify"]).exit(24);
    fs::write(&file, good).unwrap();
    house.run(&["verify"]).ok();
}

#[test]
fn what_is_not_sealed_or_damaged_is_left_as_it_is() {
    let house = House::new();
    let journal = Journal::open(World::real(), &house.store()).unwrap();
    let journal = journal.with_options(Options { segment_bytes: 2 * 1024 });
    let keys = Keys { store_secret: [1; 32], redaction_key: [2; 32] };
    let mut recorder = Recorder::new(&journal, &keys, Durability::Always);
    for n in 0..20 {
        let draft =
            Draft::new("s", Kind::of("note.added"), Origin::Claimed).data("text", format!("note {n}"));
        recorder.record(draft).unwrap();
    }
    house.run(&["record", "--session", "other", "--kind", "error.raised", "--text", "x"]).ok();
    house.run(&["compact", "s"]).ok().says("not all of its events are sealed");
    assert!(packed(&house).is_empty());
    house.run(&["seal"]).ok();
    let first = house.session("s").join("0000000000.ndjson");
    let text = fs::read_to_string(&first).unwrap();
    fs::write(&first, text.replacen("note 1", "nota 1", 1)).unwrap();
    house.run(&["compact"]).ok().says("damage is kept as it is");
    assert!(first.exists());
    house.run(&["verify"]).exit(22);
}

#[track_caller]
fn tells(ran: &Ran, part: &str) {
    assert!(ran.text().contains(part), "no {part:?} in\n{}", ran.text());
}

fn key_file(house: &House, name: &str) -> PathBuf {
    files_under(&house.path("config")).into_iter().find(|file| file.ends_with(name)).unwrap()
}

fn sealed() -> House {
    let house = House::new();
    house.run(&["record", "--session", "s", "--kind", "error.raised", "--text", "one"]).ok();
    house
}

#[test]
fn damaged_files_beside_the_keys_are_said_by_verify_doctor_and_keys_and_put_right_when_asked() {
    let house = sealed();
    house.run(&["keys"]).ok();
    for (file, verified) in [("seen", 12), ("pin", 12), ("log.pub", 0)] {
        let path = key_file(&house, file);
        let good = fs::read(&path).unwrap();
        fs::write(&path, "garbage").unwrap();
        let said = house.run(&["verify"]).exit(verified);
        if verified > 0 {
            said.says("is damaged");
        }
        tells(&house.run(&["doctor"]).exit(1), &format!("{file} is damaged"));
        tells(&house.run(&["keys"]).exit(1), "damaged");
        house.run(&["keys", "recover"]).ok();
        house.run(&["keys"]).ok();
        house.run(&["verify"]).ok();
        fs::write(&path, good).unwrap();
    }
}

#[test]
fn a_lost_epoch_key_is_said_and_the_next_goes_on_and_a_lost_log_key_ends_sealing_alone() {
    let house = sealed();
    fs::remove_file(key_file(&house, "epoch-0.key")).unwrap();
    house.run(&["seal"]).exit(6).says("R0016");
    tells(&house.run(&["keys"]).exit(1), "epoch-0.key");
    tells(&house.run(&["keys", "recover"]).ok(), "epoch 0 is broken off");
    house.run(&["seal"]).ok();
    house.run(&["verify", "--require-sealed"]).ok().says("EPOCH_BROKEN");
    fs::remove_file(key_file(&house, "log.key")).unwrap();
    house.run(&["keys", "recover"]).exit(6).says("R0016");
    house
        .run(&["record", "--session", "s", "--kind", "error.raised", "--text", "two"])
        .ok()
        .says("not sealed");
    house.run(&["verify"]).ok();
    tells(&house.run(&["doctor"]).exit(1), "log.key is not there");
}

#[test]
fn a_new_store_goes_on_where_one_ended_whose_key_is_lost_and_both_verify() {
    let house = sealed();
    let old_pin = house.run(&["pin", "--json"]).ok().json()["pin"].as_str().unwrap().to_owned();
    fs::remove_file(key_file(&house, "log.key")).unwrap();
    let (new, old) = (house.path("new"), house.store());
    let (new, old) = (new.to_str().unwrap(), old.to_str().unwrap());
    house.run(&["init", new, "--restores", old]).ok();
    house.run(&["record", "--store", new, "--session", "s", "--kind", "error.raised", "--text", "on"]).ok();
    house.run(&["verify", "--store", new, "--require-sealed"]).ok().says(&old_pin);
    house.run(&["verify", "--pin", &old_pin]).ok();
    // a store that was never sealed is nothing to go on from
    let bare = House::bare();
    copy_folder(&house.store(), &bare.store());
    fs::remove_dir_all(bare.store().join("journal/log")).unwrap();
    bare.run(&["init", "another", "--restores", bare.store().to_str().unwrap()]).exit(1);
}

fn git(house: &House, args: &[&str]) -> String {
    let mut command = Command::new("git");
    house.settle(&mut command);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let ran = command.arg("-C").arg(house.path("here")).args(args).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

/// The program, with a PATH: it calls git and openssl.
fn anchor(house: &House, args: &[&str]) -> (Option<i32>, String) {
    let mut command = house.command(args);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let ran = command.output().unwrap();
    let said = [ran.stdout, ran.stderr].concat();
    (ran.status.code(), String::from_utf8(said).unwrap())
}

fn has(tool: &str, arg: &str) -> bool {
    let there = Command::new(tool).arg(arg).output().is_ok_and(|ran| ran.status.success());
    if !there {
        println!("no {tool} here: skipped");
    }
    there
}

#[test]
fn a_git_repository_keeps_a_pin_that_shows_an_old_copy() {
    if !has("git", "--version") {
        return;
    }
    let house = sealed();
    let (code, said) = anchor(&house, &["anchor", "git", "."]);
    assert_eq!(code, Some(74), "no repository: {said}");
    git(&house, &["init", "--quiet"]);
    git(&house, &["config", "user.email", "a@example.com"]);
    git(&house, &["config", "user.name", "a"]);
    for _ in 0..2 {
        let (code, said) = anchor(&house, &["anchor", "git", "."]);
        assert_eq!(code, Some(0), "{said}");
    }
    let files = git(&house, &["show", "--name-only", "--format=%s", "HEAD"]);
    let name = files.lines().last().unwrap().to_owned();
    assert!(name.starts_with("recount-") && name.contains(".pin"), "{files}");
    house.run(&["verify", "--pin", &name]).ok().says("anchoring by git failed");
    tells(&house.run(&["anchor", "list"]).ok(), "git");
}

const TSA: &str = "[ req ]\ndistinguished_name = dn\nprompt = no\nx509_extensions = ext\n[ dn ]\nCN = test tsa\n\
[ ext ]\nextendedKeyUsage = critical,timeStamping\nbasicConstraints = CA:TRUE\n\
[ tsa ]\ndefault_tsa = t\n[ t ]\nserial = serial\ndefault_policy = 1.2.3.4.1\ndigests = sha256\n\
signer_digest = sha256\nordering = yes\naccuracy = secs:1\ness_cert_id_alg = sha256\n";

fn openssl(folder: &Path, args: &[&str]) {
    let ran = Command::new("openssl").current_dir(folder).args(args).output().unwrap();
    assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn case_51_a_time_stamp_is_kept_checked_by_openssl_and_refused_for_another_checkpoint() {
    if !has("openssl", "version") {
        return;
    }
    let house = sealed();
    let here = house.path("here");
    fs::write(here.join("tsa.cnf"), TSA).unwrap();
    fs::write(here.join("serial"), "01\n").unwrap();
    for name in ["tsa", "stranger"] {
        let (key, cert) = (format!("{name}.key"), format!("{name}.pem"));
        openssl(
            &here,
            &[
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "9", "-config", "tsa.cnf",
                "-keyout", &key, "-out", &cert,
            ],
        );
    }
    let (_, said) = anchor(&house, &["anchor", "rfc3161"]);
    let query: Vec<&str> = said.lines().next().unwrap().split(' ').skip(1).collect();
    openssl(&here, &query);
    let tsq = (*query.last().unwrap()).to_owned();
    let reply = [
        "ts",
        "-reply",
        "-config",
        "tsa.cnf",
        "-queryfile",
        &tsq,
        "-signer",
        "tsa.pem",
        "-inkey",
        "tsa.key",
        "-out",
        "r.tsr",
    ];
    openssl(&here, &reply);
    let (code, said) = anchor(&house, &["anchor", "rfc3161", "--tsr", "r.tsr"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = anchor(&house, &["verify", "--tsa-ca", "tsa.pem"]);
    assert!(code == Some(0) && said.contains("is by one of tsa.pem"), "{said}");
    assert_eq!(anchor(&house, &["verify", "--tsa-ca", "stranger.pem"]).0, Some(36));
    // it goes with a bundle, packed or not
    for (name, ca, code) in [("b", "tsa.pem", 0), ("b.tar.zst", "tsa.pem", 0), ("b", "stranger.pem", 36)] {
        if !here.join(name).exists() {
            anchor(&house, &["bundle", "-o", name]);
        }
        let (exit, said) = anchor(&house, &["verify", &format!("./{name}"), "--tsa-ca", ca]);
        assert_eq!((exit, said.contains("is by one of tsa.pem")), (Some(code), code == 0), "{said}");
    }
    let (code, said) = anchor(&house, &["verify", "./b", "--index"]);
    assert!(code == Some(2) && said.contains("a bundle has no index"), "{said}");
    // the stamp of another store's checkpoint
    let other = sealed();
    let (_, _) = anchor(&other, &["anchor", "rfc3161"]);
    fs::write(other.path("here/r.tsr"), fs::read(here.join("r.tsr")).unwrap()).unwrap();
    let (code, said) = anchor(&other, &["anchor", "rfc3161", "--tsr", "r.tsr"]);
    assert_eq!(code, Some(2), "{said}");
    let stamps = files_under(&other.store().join("journal/log/anchors"));
    fs::copy(here.join("r.tsr"), stamps[0].with_extension("tsr")).unwrap();
    assert_eq!(anchor(&other, &["verify"]).0, Some(36));
}

#[test]
fn a_witness_that_cannot_be_reached_stops_nothing_and_is_said_in_the_log() {
    let house = sealed();
    house.run(&["anchor", "witness", "http://127.0.0.1:1"]).exit(74);
    house.run(&["verify"]).ok().says("anchoring by witness failed");
    house.run(&["record", "--session", "s", "--kind", "error.raised", "--text", "two"]).ok();
    house.run(&["verify", "--require-sealed"]).ok();
}

#[test]
fn case_61_verify_index_says_what_the_index_lacks() {
    let house = House::new();
    let text = "needle in src/auth/jwt_handler.py";
    house.run(&["record", "--session", "s", "--kind", "note.added", "--text", text]).ok();
    house.run(&["verify", "--index"]).ok().says("there is no index");
    house.run(&["reindex"]).ok();
    house.run(&["verify", "--index"]).ok().says("2 events looked up by each of their");
    house.run(&["record", "--session", "s", "--kind", "note.added", "--text", "later"]).ok();
    house.run(&["verify", "--index"]).ok().says("1 events are not indexed yet");
    // a byte of the index changes
    let terms = files_under(&house.store().join("index"))
        .into_iter()
        .find(|file| file.extension().is_some_and(|end| end == "term"));
    let terms = terms.unwrap();
    let mut bytes = fs::read(&terms).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&terms, bytes).unwrap();
    house.run(&["verify", "--index"]).exit(44).says("VIEW").says("recount reindex");
    house.run(&["reindex"]).ok();
    house.run(&["verify", "--index"]).ok();
}
