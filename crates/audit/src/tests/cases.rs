//! What can happen to a sealed session, case by case; numbers are those of the audit chapter's list.

use super::house::{House, LOG, segment};
use crate::verify::{Demands, verify};

/// The golden store after one change to session `a`.
#[track_caller]
fn changed(code: u8, change: impl FnOnce(&House)) {
    let house = House::golden();
    change(&house);
    house.exits(code);
}

fn edited(code: u8, from: &str, to: &str) {
    changed(code, |house| house.replace(segment("a"), from, to));
}

/// Something that stands in line `at` of session `a`, changed by `with`.
fn in_line(code: u8, at: usize, with: impl FnOnce(&str) -> String) {
    changed(code, |house| house.lines(segment("a"), |lines| lines[at] = with(&lines[at])));
}

/// The next of the same kind of digit.
fn other_digit(line: &str, behind: &str) -> String {
    let at = line.find(behind).unwrap() + behind.len();
    let new = if &line[at..=at] == "0" { "1" } else { "0" };
    format!("{}{new}{}", &line[..at], &line[at + 1..])
}

#[test]
fn case_01_intact_sealed_and_pinned_is_verified() {
    let house = House::golden();
    let verdict = house.exits(0);
    assert_eq!(verdict.sessions.iter().map(|s| s.events).sum::<u64>(), 21 - 1);
    assert!(verdict.notes.is_empty(), "{:?}", verdict.notes);
    let demands = Demands { pin: house.remembered(), sealed: true, payload: true, ..Demands::default() };
    assert_eq!(verify(&house.journal(), &demands).unwrap().exit(), 0);
}

#[test]
fn case_02_without_a_pin_it_is_untrusted() {
    House::golden().exits_with(None, 12);
}

#[test]
fn case_03_a_header_byte_flipped() {
    edited(20, "\"kind\":\"note.added\"", "\"kind\":\"note.addee\"");
}

#[test]
fn case_04_a_payload_character_flipped() {
    edited(22, "note 3 of a", "note 8 of a");
}

#[test]
fn case_05_a_salt_character_flipped() {
    in_line(22, 3, |line| other_digit(line, "\"salt\":{\"text\":\""));
}

#[test]
fn case_06_a_commitment_character_flipped() {
    in_line(20, 3, |line| other_digit(line, "\"commit\":{\"text\":\""));
}

#[test]
fn case_07_an_event_removed_within() {
    changed(24, |house| house.lines(segment("a"), |lines| drop(lines.remove(4))));
}

#[test]
fn case_08_two_neighbours_swapped() {
    // the first of them is missed where it belongs before it is seen where it does not: one wrong order
    changed(25, |house| house.lines(segment("a"), |lines| lines.swap(4, 5)));
}

#[test]
fn case_09_an_event_twice() {
    changed(25, |house| house.lines(segment("a"), |lines| lines.insert(4, lines[4].clone())));
}

#[test]
fn case_10_the_tail_cut_below_a_seal() {
    changed(26, |house| house.lines(segment("a"), |lines| lines.truncate(9)));
    changed(26, |house| house.lines(segment("a"), |lines| lines.truncate(4)));
}

#[test]
fn case_11_the_tail_cut_above_the_last_seal_is_not_seen() {
    let house = House::golden();
    house.notes("a", 10..12);
    let demands = Demands { pin: house.remembered(), sealed: true, ..Demands::default() };
    assert_eq!(verify(&house.journal(), &demands).unwrap().exit(), 11);
    assert_eq!(house.exits(0).notes, ["a: 2 events after the last seal"]);
    house.lines(segment("a"), |lines| lines.truncate(11));
    assert!(house.exits(0).notes.is_empty());
}

#[test]
fn case_12_an_unsealed_last_line_half_there_is_a_torn_tail_until_it_is_repaired() {
    let house = House::golden();
    house.notes("a", 10..11);
    house.edit(segment("a"), |bytes| bytes.truncate(bytes.len() - 30));
    house.exits(10);
    let session = event::SessionId::new("a").unwrap();
    assert!(house.recorder().repair(&session).unwrap().is_some());
    house.exits(0);
    assert!(house.text(segment("a")).contains("audit.recovered"));
}

#[test]
fn case_13_a_sealed_last_line_half_there() {
    changed(26, |house| house.edit(segment("a"), |bytes| bytes.truncate(bytes.len() - 30)));
}

#[test]
fn case_14_zeros_at_the_tail() {
    let zero = |house: &House| {
        house.edit(segment("a"), |bytes| {
            let len = bytes.len();
            bytes[len - 40..].fill(0);
        });
    };
    changed(20, zero);
    let house = House::golden();
    house.notes("a", 10..11);
    zero(&house);
    house.exits(10);
}

#[test]
fn case_15_zeros_within_in_the_same_boot() {
    changed(21, |house| house.edit(segment("a"), |bytes| bytes[1500..1600].fill(0)));
}

#[test]
fn case_16_an_unsealed_last_line_with_a_wrong_hash() {
    let house = House::golden();
    house.notes("a", 10..11);
    house.lines(segment("a"), |lines| {
        let last = lines.len() - 1;
        lines[last] = lines[last].replace("note.added", "note.addee");
    });
    house.exits(20);
}

#[test]
fn case_17_a_key_twice_in_a_header() {
    edited(21, "\"kind\":\"note.added\"", "\"kind\":\"note.added\",\"kind\":\"note.added\"");
}

#[test]
fn case_18_a_member_between_hash_and_data_and_behind_the_payload() {
    in_line(21, 4, |line| line.replacen("\",\"data\":{", "\",\"x\":1,\"data\":{", 1));
    in_line(21, 4, |line| format!("{},\"x\":1}}", &line[..line.len() - 1]));
}

#[test]
fn case_19_blanks_and_marks_that_lines_do_not_have() {
    in_line(21, 4, |line| line.replacen("{\"v\":1,", "{\"v\":1, ", 1));
    in_line(21, 4, |line| format!("{line}\r"));
    in_line(21, 0, |line| format!("\u{feff}{line}"));
    in_line(21, 10, |line| format!("{line}\n"));
}

#[test]
fn case_20_text_that_is_none() {
    changed(21, |house| {
        house.edit(segment("a"), |bytes| {
            let at = memchr::memmem::find(bytes, b"note 3 of a").unwrap();
            bytes[at] = 0xff;
        });
    });
    edited(21, "note 3 of a", "\\ud800 of a");
}

#[test]
fn case_21_text_that_looks_like_a_line_is_only_text() {
    let house = House::golden();
    house.record("a", "note.added", ",\"hash\":\"00\",\"data\":{\"text\":\"no\"},\"salt\":{}}");
    house.seal();
    house.exits(0);
}

#[test]
fn case_22_a_key_of_the_frame_within_the_header() {
    edited(21, "\"kind\":\"note.added\"", "\"kind\":\"note.added\",\"x\":{\"hash\":\"1\"}");
}

#[test]
fn case_23_a_payload_gone_without_an_order() {
    changed(23, |house| house.blank("a", 4));
}

#[test]
fn case_24_a_lawful_erasure_keeps_every_seal() {
    let house = House::golden();
    house.erase_order("a", 4);
    house.blank("a", 4);
    house.seal();
    let verdict = house.exits(0);
    assert_eq!(verdict.sessions[0].erased, 1);
    let demands = Demands { pin: house.remembered(), payload: true, ..Demands::default() };
    assert_eq!(verify(&house.journal(), &demands).unwrap().exit(), 23);
}

#[test]
fn case_25_an_order_for_one_event_and_two_gone() {
    changed(23, |house| {
        house.erase_order("a", 4);
        house.blank("a", 4);
        house.blank("a", 5);
    });
}

#[test]
fn case_31_a_session_rewritten_with_all_its_hashes() {
    let house = House::golden();
    let past = House::new(20);
    past.notes("a", 0..9);
    past.record("a", "note.added", "nothing happened");
    assert_eq!(past.journal().store_id(), house.journal().store_id());
    house.sim.write(segment("a"), &past.bytes(segment("a")));
    house.exits(28);
}

#[test]
fn case_32_another_sessions_journal_copied_in() {
    changed(27, |house| {
        let bytes = house.bytes(segment("b"));
        house.edit(segment("a"), |there| there.extend(bytes));
    });
}

#[test]
fn case_33_a_session_deleted() {
    changed(29, |house| house.sim.delete("/store/journal/sessions/a"));
}

#[test]
fn case_34_a_session_planted() {
    let house = House::golden();
    let other = House::new(20);
    other.sim.set_clock(0);
    other.notes("planted", 0..3);
    house.sim.write(segment("planted"), &other.bytes(segment("planted")));
    // the last look at all sessions was long after its first event, by the times that they say
    house.sim.set_clock(i64::from(u32::MAX) * 1_000_000);
    house.record("a", "note.added", "later");
    house.sim.delete("/store/journal/sessions/planted");
    house.seal();
    house.sim.write(segment("planted"), &other.bytes(segment("planted")));
    house.exits(30);
}

#[test]
fn case_34_a_session_that_began_just_now_is_no_plant() {
    let house = House::golden();
    house.notes("new", 0..2);
    assert_eq!(house.exits(0).notes, ["new: 3 events after the last seal"]);
}

#[test]
fn case_35_a_session_renamed() {
    let house = House::golden();
    let bytes = house.bytes(segment("a"));
    house.sim.delete("/store/journal/sessions/a");
    house.sim.write(segment("c"), &bytes);
    let verdict = house.exits(27);
    assert!(verdict.findings.iter().any(|finding| finding.code == 29));
}

#[test]
fn case_36_two_copies_that_went_on_and_were_merged() {
    let house = House::golden();
    let copy = house.fork(7);
    let before = house.bytes(segment("a")).len();
    house.notes("a", 10..12);
    copy.notes("a", 20..22);
    let theirs = copy.bytes(segment("a"))[before..].to_vec();
    house.seal();
    house.edit(segment("a"), |bytes| bytes.extend(theirs));
    house.exits(25);
}

#[test]
fn case_62_an_event_of_a_newer_format() {
    edited(45, "{\"v\":1,", "{\"v\":2,");
}

#[test]
fn case_63_a_sequence_past_all_bounds_and_a_clock_set_back() {
    edited(21, "\"seq\":4,", "\"seq\":9007199254740992,");
    let house = House::golden();
    house.sim.set_clock(1);
    house.record("a", "note.added", "earlier");
    house.seal();
    let verdict = house.exits(0);
    assert!(verdict.notes.iter().any(|note| note.ends_with("the clock was set back")), "{:?}", verdict.notes);
}

#[test]
fn case_66_two_processes_append_to_one_session() {
    let house = House::golden();
    let other = house.another();
    for number in 0..4 {
        house.notes("a", number..number + 1);
        other.notes("a", number..number + 1);
        other.seal();
    }
    house.seal();
    house.exits(0);
}

#[test]
fn a_store_that_was_never_sealed_is_intact_and_a_log_that_is_taken_away_is_missed() {
    let house = House::new(3);
    house.notes("a", 0..3);
    let verdict = house.exits(0);
    assert!(verdict.log.is_none() && verdict.notes[0].starts_with("never sealed"));
    house.seal();
    house.exits(0);
    house.sim.delete("/store/journal/log");
    house.exits(32);
    // and nobody begins a new one over it
    assert!(house.sealer().seal_all().is_err());
    assert!(house.sim.read(LOG).is_none());
}

#[test]
fn caches_that_are_lost_or_changed_cost_time_and_nothing_else() {
    for file in ["state", "heads/a", "heads/b"] {
        let house = House::golden();
        let path = format!("/store/journal/log/{file}");
        house.edit(&path, |bytes| bytes[20] ^= 1);
        house.exits(0);
        house.notes("a", 10..12);
        assert_eq!(house.seal().seals.len(), 1);
        house.exits(0);
        house.sim.delete(&path);
        house.notes("b", 10..12);
        assert_eq!(house.seal().seals.len(), 1);
        house.exits(0);
    }
}

#[test]
fn a_session_that_is_not_what_was_sealed_gets_no_further_seal() {
    let house = House::golden();
    house.lines(segment("a"), |lines| lines[4] = lines[4].replace("note.added", "note.addee"));
    house.sim.delete("/store/journal/log/heads/a");
    house.sim.delete("/store/journal/log/state");
    house.notes("b", 10..11);
    let sealed = house.seal();
    assert_eq!((sealed.seals.len(), sealed.stuck.len()), (1, 1));
    house.exits(20);
}
