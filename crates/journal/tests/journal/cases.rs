//! The named cases of damage that need no seal, each on lines that the writer made: what was done to
//! them, the exit code, and the event that the finding names.

use std::path::{Path, PathBuf};

use event::event_hash;
use journal::{Durability, Finding, FindingCode, Journal, JournalError, Report};
use world::World;
use world::sim::SimWorld;

use crate::support::{ROOT, id, init, large_note, machine, note, opened, tell};

pub(crate) const SEGMENT: &str = "0000000000.ndjson";

pub(crate) fn folder(session: &str) -> PathBuf {
    Path::new(ROOT).join("journal/sessions").join(session)
}

/// `session.opened` and five notes in one segment.
pub(crate) fn golden() -> (SimWorld, World, Journal) {
    let sim = machine(1);
    let world = sim.process();
    let (journal, _) = Journal::init(world.clone(), Path::new(ROOT)).expect("a store");
    write_notes(&journal, "s");
    (sim, world, journal)
}

fn write_notes(journal: &Journal, session: &str) {
    let mut writer = journal.writer(opened(session), Durability::Always);
    for n in 1..6 {
        writer.append(&note(session, &format!("the {n}. note"))).expect("appends");
    }
}

fn lines(sim: &SimWorld) -> Vec<Vec<u8>> {
    let bytes = sim.read(folder("s").join(SEGMENT)).expect("a segment");
    bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect()
}

pub(crate) fn findings(journal: &Journal, session: &str) -> (u8, Vec<Finding>) {
    let report = journal.verify(&id(session)).expect("verifies");
    let found = report.findings.clone();
    (Report { sessions: vec![report] }.exit(), found)
}

/// What `verify` says once somebody has changed the lines.
fn after(change: impl FnOnce(&mut Vec<Vec<u8>>)) -> (u8, Vec<Finding>) {
    let (sim, _, journal) = golden();
    let mut lines = lines(&sim);
    change(&mut lines);
    sim.write(folder("s").join(SEGMENT), &lines.concat());
    findings(&journal, "s")
}

/// The exit code, and the sequence of the first finding.
fn verdict(change: impl FnOnce(&mut Vec<Vec<u8>>)) -> (u8, Option<u64>) {
    let (exit, found) = after(change);
    assert!(found.iter().all(|finding| finding.session == "s" && !finding.cause.is_empty()));
    (exit, found.first().map(|finding| finding.seq))
}

/// Replaces the first `from` in a line.
fn edit(line: &mut Vec<u8>, from: &str, to: &[u8]) {
    let at = memchr::memmem::find(line, from.as_bytes()).expect("the line has it");
    line.splice(at..at + from.len(), to.iter().copied());
}

/// Replaces the first `from`, then makes the hash right again: a forger who can hash.
fn forge(line: &mut Vec<u8>, from: &str, to: &str) {
    edit(line, from, to.as_bytes());
    let end = memchr::memmem::find(line, b",\"hash\":\"").expect("a hash");
    let hash = event_hash(&line[..end]);
    line.splice(end + 9..end + 73, hash.bytes());
}

/// Changes the character behind the first `from` to another of its kind.
fn turn(line: &mut [u8], from: &str) {
    let at = memchr::memmem::find(line, from.as_bytes()).expect("the line has it") + from.len();
    line[at] = if line[at] == b'1' { b'2' } else { b'1' };
}

#[test]
fn intact_lines_are_verified() {
    assert_eq!(verdict(|_| {}), (0, None));
}

#[test]
fn case_3_a_header_byte_is_flipped() {
    assert_eq!(verdict(|lines| turn(&mut lines[3], "\"ts\":\"2026-11-2")), (20, Some(3)));
}

#[test]
fn case_4_a_payload_character_is_flipped() {
    assert_eq!(verdict(|lines| turn(&mut lines[3], "\"data\":{\"text\":\"the ")), (22, Some(3)));
}

#[test]
fn case_5_a_salt_character_is_flipped() {
    assert_eq!(verdict(|lines| turn(&mut lines[3], "\"salt\":{\"text\":\"")), (22, Some(3)));
}

#[test]
fn case_6_a_commitment_character_is_flipped() {
    assert_eq!(verdict(|lines| turn(&mut lines[3], "\"commit\":{\"text\":\"")), (20, Some(3)));
}

#[test]
fn case_7_an_event_is_removed() {
    assert_eq!(verdict(|lines| drop(lines.remove(3))), (24, Some(3)));
    assert_eq!(verdict(|lines| drop(lines.remove(0))), (24, Some(0)));
}

#[test]
fn case_8_two_neighbours_are_swapped() {
    assert_eq!(verdict(|lines| lines.swap(3, 4)), (25, Some(3)));
}

#[test]
fn case_9_an_event_is_duplicated() {
    assert_eq!(verdict(|lines| lines.insert(4, lines[3].clone())), (25, Some(3)));
    assert_eq!(verdict(|lines| lines.push(lines[5].clone())), (25, Some(5)));
}

#[test]
fn case_12_half_a_last_line_is_a_torn_tail_until_it_is_repaired() {
    let (sim, _, journal) = golden();
    let mut torn = lines(&sim);
    torn[5].truncate(100);
    sim.write(folder("s").join(SEGMENT), &torn.concat());
    let (exit, found) = findings(&journal, "s");
    assert_eq!((exit, found[0].seq), (10, 5));
    let repaired = journal.writer(opened("s"), Durability::Always).repair().expect("repairs");
    let kept = repaired.expect("something was cut");
    assert_eq!(sim.read(Path::new(ROOT).join("journal/torn").join(&kept.file)), Some(torn[5].clone()));
    assert_eq!(findings(&journal, "s"), (0, Vec::new()));
    let told = tell(&journal, &id("s")).expect("reads");
    assert_eq!((told.len(), told[5].kind.as_str()), (6, "audit.recovered"));
}

#[test]
fn case_14_a_zero_page_at_the_tail_is_a_torn_tail() {
    assert_eq!(verdict(|lines| lines.push(vec![0; 4096])), (10, Some(6)));
    assert_eq!(verdict(|lines| lines.push([vec![0; 4096], vec![b'\n']].concat())), (10, Some(6)));
}

#[test]
fn case_15_a_zero_page_in_the_middle_is_damage_in_the_boot_that_wrote_it() {
    let hole = |lines: &mut Vec<Vec<u8>>| lines[2][50..150].fill(0);
    assert_eq!(verdict(hole), (21, Some(2)));
    let (sim, _, journal) = golden();
    let mut holed = lines(&sim);
    hole(&mut holed);
    sim.write(folder("s").join(SEGMENT), &holed.concat());
    let repaired = journal.writer(opened("s"), Durability::Always).repair();
    assert!(repaired.expect("looks").is_none() && lines(&sim) == holed, "nothing is cut");
    sim.crash_machine();
    let later = Journal::open(sim.process(), Path::new(ROOT)).expect("opens");
    let (exit, found) = findings(&later, "s");
    assert_eq!((exit, found[0].seq), (10, 2), "after a crash of the machine it is a hole");
}

#[test]
fn case_16_a_last_line_with_a_wrong_hash_is_modified_and_takes_nothing_more() {
    let wrong = |lines: &mut Vec<Vec<u8>>| turn(&mut lines[5], "\"hash\":\"");
    assert_eq!(verdict(wrong), (20, Some(5)));
    let (sim, _, journal) = golden();
    let mut changed = lines(&sim);
    wrong(&mut changed);
    sim.write(folder("s").join(SEGMENT), &changed.concat());
    let mut writer = journal.writer(opened("s"), Durability::Always);
    for refused in [writer.append(&note("s", "more")).map(drop), writer.repair().map(drop)] {
        assert!(matches!(refused, Err(JournalError::Damaged(f)) if f.code == FindingCode::Modified));
    }
    assert_eq!(lines(&sim), changed);
}

#[test]
fn case_17_a_header_key_stands_twice() {
    let twice = |lines: &mut Vec<Vec<u8>>| forge(&mut lines[3], ",\"prev\"", ",\"a\":1,\"a\":2,\"prev\"");
    assert_eq!(verdict(twice), (21, Some(3)));
    let known = |lines: &mut Vec<Vec<u8>>| forge(&mut lines[3], ",\"prev\"", ",\"seq\":3,\"prev\"");
    assert_eq!(verdict(known), (21, Some(3)));
}

#[test]
fn case_18_a_member_stands_where_none_may() {
    for (from, to) in [
        (",\"data\":{", ",\"x\":1,\"data\":{"),
        ("},\"salt\":{", "},\"x\":1,\"salt\":{"),
        ("}}\n", "},\"x\":1}\n"),
    ] {
        assert_eq!(verdict(|lines| edit(&mut lines[3], from, to.as_bytes())), (21, Some(3)), "{to}");
    }
}

#[test]
fn case_19_bytes_that_a_json_reader_would_not_mind() {
    assert_eq!(verdict(|lines| forge(&mut lines[3], ",\"seq\":", ", \"seq\":")), (21, Some(3)));
    assert_eq!(verdict(|lines| edit(&mut lines[3], "\n", b"\r\n")), (21, Some(3)));
    assert_eq!(verdict(|lines| edit(&mut lines[0], "{\"v\"", b"\xef\xbb\xbf{\"v\"")), (21, Some(0)));
    assert_eq!(verdict(|lines| lines.push(b"\n".to_vec())), (21, Some(6)));
}

#[test]
fn case_20_text_that_is_no_text() {
    assert_eq!(verdict(|lines| edit(&mut lines[3], "note", b"no\xffe")), (21, Some(3)));
    assert_eq!(verdict(|lines| edit(&mut lines[3], "3. note", b"\\ud800e")), (21, Some(3)));
}

#[test]
fn case_21_text_that_looks_like_a_line_is_text() {
    let (_, _, journal) = golden();
    let mut writer = journal.writer(opened("s"), Durability::Always);
    let text = "a\",\"hash\":\"0\",\"data\":{\"text\":1},\"salt\":{}}\n{\"v\":1,\"session\":\"s\"";
    writer.append(&note("s", text)).expect("appends");
    assert_eq!(findings(&journal, "s"), (0, Vec::new()));
    assert_eq!(tell(&journal, &id("s")).expect("reads")[6].text, text);
}

#[test]
fn case_22_a_header_object_has_a_key_hash() {
    for key in ["hash", "data", "salt"] {
        let nested = format!(",\"usage\":{{\"{key}\":1}},\"prev\"");
        assert_eq!(verdict(|lines| forge(&mut lines[3], ",\"prev\"", &nested)), (21, Some(3)), "{key}");
    }
}

#[test]
fn case_23_a_payload_is_gone_and_no_erasure_names_it() {
    let wipe = |lines: &mut Vec<Vec<u8>>| {
        edit(&mut lines[3], "\"the 3. note\"", b"null         ");
        let at = memchr::memmem::find(&lines[3], b"\"salt\":{\"text\":\"").expect("a salt") + 16;
        lines[3][at..at + 32].fill(b'0');
    };
    assert_eq!(verdict(wipe), (23, Some(3)));
}

#[test]
fn a_blob_that_is_gone_is_missing_and_one_that_differs_is_changed() {
    let sim = machine(1);
    let journal = init(&sim.process()).expect("a store");
    let mut writer = journal.writer(opened("always"), Durability::Always);
    writer.append(&large_note()).expect("appends");
    let blobs = sim.files(Path::new(ROOT).join("journal/blobs"));
    let blob = blobs.iter().find(|path| !path.ends_with("lock")).expect("a blob");
    let mut content = sim.read(blob).expect("content");
    content[1000] ^= 1;
    sim.write(blob, &content);
    let (exit, found) = findings(&journal, "always");
    assert_eq!((exit, found[0].seq), (22, 1));
    sim.delete(blob);
    let (exit, found) = findings(&journal, "always");
    assert_eq!((exit, found[0].seq), (23, 1));
}

#[test]
fn case_32_another_session_is_copied_in() {
    let (sim, _, journal) = golden();
    write_notes(&journal, "t");
    let foreign = sim.read(folder("t").join(SEGMENT)).expect("a segment");
    sim.write(folder("s").join(SEGMENT), &foreign);
    let (exit, found) = findings(&journal, "s");
    assert_eq!((exit, found.len()), (27, 6));
    assert!(found[0].cause.contains("session t"), "{}", found[0].cause);
}

#[test]
fn case_35_a_session_is_renamed_or_moved_to_another_store() {
    let (sim, world, journal) = golden();
    world.disk.rename(&folder("s"), &folder("renamed")).expect("renames");
    assert_eq!(findings(&journal, "renamed").0, 27);
    world.disk.rename(&folder("renamed"), &folder("s")).expect("renames");
    let store = sim.read(Path::new(ROOT).join("journal/STORE")).expect("a store file");
    let other = String::from_utf8(store).expect("text").replace(journal.store_id(), &"ab".repeat(16));
    sim.write(Path::new(ROOT).join("journal/STORE"), other.as_bytes());
    let other = Journal::open(world, Path::new(ROOT)).expect("opens");
    assert_eq!(findings(&other, "s").0, 27);
}

#[test]
fn case_62_a_line_of_a_newer_format_is_not_judged() {
    assert_eq!(verdict(|lines| forge(&mut lines[5], "\"v\":1", "\"v\":2")), (45, Some(5)));
}

#[test]
fn case_63_sequences_have_an_end_and_clocks_run_backwards() {
    assert_eq!(verdict(|lines| forge(&mut lines[5], "\"seq\":5", "\"seq\":9007199254740992")), (21, Some(5)));
    let (sim, world, journal) = golden();
    sim.set_clock(world.clock.now() - 3_600_000_000);
    let mut writer = journal.writer(opened("s"), Durability::Always);
    writer.append(&note("s", "an hour ago")).expect("appends");
    assert_eq!(findings(&journal, "s"), (0, Vec::new()));
}
