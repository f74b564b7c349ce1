//! Damage: any changed byte is found and named, and the rest stays readable.

use std::fs;
use std::path::{Path, PathBuf};

use super::record;
use crate::house::{Dice, House, copy_folder, files_under};

/// The fields that a byte of a line belongs to, so that each is hit at least once.
fn special_places(line: &[u8]) -> Vec<usize> {
    let text = std::str::from_utf8(line).unwrap();
    let behind = |part: &str| text.find(part).map(|at| at + part.len());
    let mut places: Vec<usize> = [
        "{\"v\":",
        "\"session\":\"",
        "\"seq\":",
        "\"ts\":\"",
        "\"prev\":\"",
        "\"commit\":{\"text\":\"",
        "\"hash\":\"",
        "\"salt\":{\"text\":\"",
    ]
    .iter()
    .filter_map(|part| behind(part))
    .collect();
    places.extend(text.find("  ").into_iter().chain([0, line.len() - 3, line.len() - 2, line.len() - 1]));
    places
}

#[test]
fn one_changed_byte_anywhere_makes_verify_fail_and_name_the_session() {
    let mut dice = Dice::new("changed bytes");
    let house = House::new();
    for number in 0..4 {
        record(&house, "first", &format!("an event with some text, number {number}"));
        record(&house, "second", &format!("ünother {number}"));
    }
    let long = format!("start {} end", "of a long text ".repeat(18_000));
    house.feed(&["record", "--session", "first", "--kind", "note.added", "--text", "-"], long).ok();
    house.run(&["verify"]).ok();

    let mut places: Vec<(PathBuf, &str, usize)> = Vec::new();
    for session in ["first", "second"] {
        let segment = house.session(session).join("0000000000.ndjson");
        let mut at = 0;
        for line in house.lines(session) {
            places.extend(
                special_places(&line).into_iter().map(|place| (segment.clone(), session, at + place)),
            );
            at += line.len();
        }
        places.extend((0..75).map(|_| (segment.clone(), session, dice.below(at))));
    }
    let blobs = files_under(&house.store().join("journal/blobs"));
    let blob = blobs.iter().find(|file| fs::metadata(file).unwrap().len() > 256 * 1024).unwrap();
    let bytes = usize::try_from(fs::metadata(blob).unwrap().len()).unwrap();
    places.extend([0, bytes - 1].map(|place| (blob.clone(), "first", place)));
    places.extend((0..40).map(|_| (blob.clone(), "first", dice.below(bytes))));

    let changes: Vec<(PathBuf, &str, usize, u8)> = places
        .into_iter()
        .map(|(file, session, place)| (file, session, place, u8::try_from(1 + dice.below(255)).unwrap()))
        .collect();
    // two copies of the store, half of the changes each
    let (left, right) = changes.split_at(changes.len() / 2);
    std::thread::scope(|scope| {
        for half in [left, right] {
            let house = &house;
            scope.spawn(move || {
                let copy = House::bare();
                copy_folder(&house.store(), &copy.store());
                // with what this machine remembers of it
                copy_folder(&house.path("config"), &copy.path("config"));
                for (file, session, place, change) in half {
                    let file = copy.store().join(file.strip_prefix(house.store()).unwrap());
                    change_and_verify(&copy, &file, session, *place, *change);
                }
                copy.run(&["verify"]).ok();
            });
        }
    });
}

fn change_and_verify(house: &House, file: &Path, session: &str, place: usize, change: u8) {
    let sound = fs::read(file).unwrap();
    let mut bytes = sound.clone();
    bytes[place] ^= change;
    fs::write(file, &bytes).unwrap();
    let ran = house.run(&["verify", "--json"]);
    let what = format!("byte {place} of {} ^ {change:#x}: {:?} {}", file.display(), ran.code, ran.err);
    // a changed version says "newer than this tool", and nobody can tell that it is not
    let behind = |count: usize| place >= 5 + count && sound[..place - count].ends_with(b"{\"v\":");
    let version = behind(0) || behind(1) && bytes[place].is_ascii_digit();
    assert!(matches!(ran.code, Some(10 | 20..=28)) || version && ran.code == Some(45), "{what}");
    let document = ran.json();
    let findings = document["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["session"] == session), "{what}: {findings:?}");
    assert!(findings.iter().all(|finding| finding["seq"].is_u64()), "{what}: {findings:?}");
    fs::write(file, &sound).unwrap();
}

#[test]
fn a_blob_that_is_gone_is_exit_23_and_the_rest_is_readable() {
    let house = House::new();
    let long = "a long text ".repeat(30_000);
    house.feed(&["record", "--session", "s", "--kind", "note.added", "--text", "-"], long).ok();
    record(&house, "s", "a short text");
    for blob in files_under(&house.store().join("journal/blobs")) {
        if blob.file_name().unwrap() != "lock" {
            fs::remove_file(blob).unwrap();
        }
    }
    house.run(&["verify"]).exit(23).says("s/1");
    house.run(&["show", "s/2"]).ok();
    assert_eq!(house.run(&["search", "short", "--json"]).ok().json()["total"], 1);
}

/// Every way to read a session passes over what is damaged, says so, and tells the rest.
#[test]
fn who_reads_a_session_with_a_damaged_event_is_told_of_it_and_reads_the_rest() {
    let house = House::new();
    let drafts = ["first", "second", "third"].map(|text| {
        let key = (text != "third").then_some("k");
        let data = serde_json::json!({"text": text});
        let draft = serde_json::json!({"session": "s", "kind": "reasoning.recorded", "agent": "dev", "key": key, "data": data});
        draft.to_string() + "\n"
    });
    house.feed(&["record"], drafts.concat()).ok();
    let segment = house.session("s").join("0000000000.ndjson");
    let sound = fs::read_to_string(&segment).unwrap();
    // of the second of two that have a key, and of one that has none
    for (event, text) in [(2, "second"), (3, "third")] {
        let data = format!("\"text\":\"{text}\"");
        for (from, to) in [
            (data.clone(), format!("\"text\":\"{}\"", text.to_uppercase())),
            (data.clone(), format!("\"text\":\"x\",{data}")),
            ("\"agent\":\"dev\"".to_owned(), "\"agent\":\"dev\",\"agent\":\"qa\"".to_owned()),
        ] {
            let mut lines: Vec<String> = sound.lines().map(|line| line.to_owned() + "\n").collect();
            assert!(lines[event].contains(&from), "{}", lines[event]);
            lines[event] = lines[event].replace(&from, &to);
            fs::write(&segment, lines.concat()).unwrap();
            for args in [
                &["timeline", "s"] as &[&str],
                &["timeline", "s", "--json"],
                &["replay", "s"],
                &["replay", "s", "--json"],
                &["replay", "s", "--state"],
                &["export", "s", "--format", "markdown"],
                &["tail", "s"],
                &["suspects", "s"],
                &["gaps", "s"],
            ] {
                let ran = house.run(args).ok();
                let (told, said) = (ran.text(), ran.err.clone());
                let what = format!("{args:?} with {to}: {told}{said}");
                let complete = told.contains("\"complete\":false");
                assert!(
                    complete || said.contains("damaged") || told.contains("damaged") || said.contains("s/"),
                    "{what}"
                );
                assert!(!said.contains("s/0"), "{what}");
                assert!(
                    matches!(args[0], "gaps" | "suspects")
                        || args.contains(&"--state")
                        || told.contains("first"),
                    "{what}"
                );
            }
        }
    }
}
