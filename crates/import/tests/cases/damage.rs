//! Bytes that are no records: torn, merged, padded, of another encoding, of another program.

use import::{Choice, MAX_RECORD_BYTES, run_with};
use serde_json::json;

use super::{Case, SESSION, key, lines_of, rolled, said, user};
use crate::sink::Memory;

fn three() -> [String; 3] {
    [user(1, "one"), user(2, "two"), user(3, "three")].map(|record| record.to_string())
}

#[test]
fn case_01_a_torn_last_line_is_a_gap_and_the_rest_is_there() {
    let [a, b, c] = three();
    let case = Case::session(format!("{a}\n{b}\n{}", &c[..c.len() / 2]));
    assert_eq!(case.texts(), ["one", "two"]);
    let gap = case.one("gap.found");
    assert_eq!(gap.data["bytes"], c.len() / 2);
    assert!(case.reports[0].warnings()[0].contains("kept as gaps"));
}

#[test]
fn case_01_what_was_torn_is_whole_when_the_rest_has_come() {
    let [a, b, c] = three();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("{SESSION}.jsonl"));
    let mut memory = Memory::default();
    for bytes in [format!("{a}\n{b}\n{}", &c[..30]), format!("{a}\n{b}\n{c}\n")] {
        std::fs::write(&path, bytes).expect("writes");
        memory.import(std::slice::from_ref(&path));
    }
    let texts: Vec<_> = memory.stored.iter().filter_map(|draft| draft.data.get("text")?.as_str()).collect();
    assert_eq!(texts.iter().filter(|text| **text == "three").count(), 1);
    assert_eq!(memory.stored.iter().filter(|draft| draft.kind == *"gap.found").count(), 1);
}

/// Split anywhere, read in two goes: the same events as in one.
#[test]
fn a_file_that_grows_gives_what_the_whole_file_gives() {
    let whole = lines_of(&[user(1, "one"), user(2, "zwölf"), user(3, "three"), user(4, "four")]);
    let expected = Case::session(&whole).memory.key_set();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("{SESSION}.jsonl"));
    for cut in (1..whole.len()).step_by(13) {
        let mut memory = Memory::default();
        for bytes in [&whole.as_bytes()[..cut], whole.as_bytes()] {
            std::fs::write(&path, bytes).expect("writes");
            memory.import(std::slice::from_ref(&path));
        }
        assert_eq!(memory.key_set(), expected, "cut at {cut}");
    }
}

#[test]
fn case_02_a_record_behind_a_stub_on_the_same_line_is_saved() {
    let [a, b, c] = three();
    let case = Case::session(format!("{a}\n{}{b}\n{c}\n", r#"{"parentUuid":"x","isSidech"#));
    assert_eq!(case.texts(), ["one", "two", "three"]);
    assert_eq!(case.one("gap.found").data["bytes"], 27);
}

#[test]
fn case_03_nuls_are_one_gap_and_records_beside_them_are_kept() {
    let [a, b, c] = three();
    let nuls = "\0".repeat(700);
    for text in
        [format!("{a}\n{nuls}{b}\n{c}\n"), format!("{a}\n{b}{nuls}\n{c}\n"), format!("{a}\n{b}\n{c}\n{nuls}")]
    {
        let case = Case::session(text);
        assert_eq!(case.texts(), ["one", "two", "three"]);
        assert_eq!(case.one("gap.found").data["bytes"], 700);
    }
}

#[test]
fn case_04_everything_after_a_cut_line_is_imported() {
    let [a, b, c] = three();
    let case = Case::session(format!("{}\n{b}\n{c}\n", &a[..a.len() - 9]));
    assert_eq!(case.texts(), ["two", "three"]);
    assert_eq!(case.all("gap.found").len(), 1);
}

#[test]
fn case_05_invalid_utf8_is_replaced_and_said() {
    let [a, b, _] = three();
    let mut bytes = format!("{a}\n{b}\n").into_bytes();
    let at = bytes.windows(3).rposition(|piece| piece == b"two").expect("the text");
    bytes[at + 1] = 0xff;
    let case = Case::session(bytes);
    assert_eq!(case.texts(), ["one", "t\u{fffd}o"]);
    assert_eq!(case.all("message.recorded")[1].data["ext"]["repaired"], json!(["utf8"]));
    assert_eq!(case.reports[0].repaired, 1);
}

#[test]
fn case_06_lone_surrogates_are_replaced_and_said() {
    let [a, b, _] = three();
    let case = Case::session(format!("{a}\n{}\n", b.replace("two", "\\ud83d two \\ude00")));
    assert_eq!(case.texts(), ["one", "\u{fffd} two \u{fffd}"]);
    assert_eq!(case.all("message.recorded")[1].data["ext"]["repaired"], json!(["surrogates"]));
}

#[test]
fn case_07_a_line_of_11_mb_is_a_record_and_one_beyond_64_mib_a_gap() {
    let [a, b, c] = three();
    let long = b.replace("two", &"x".repeat(11_000_000));
    let case = Case::session(format!("{a}\n{long}\n{c}\n"));
    assert_eq!(case.texts()[1].len(), 11_000_000);
    assert!(case.all("gap.found").is_empty());
    let endless = b.replace("two", &"x".repeat(MAX_RECORD_BYTES));
    let case = Case::session(format!("{a}\n{endless}\n{c}\n"));
    assert_eq!(case.texts(), ["one", "three"]);
    assert_eq!(case.one("gap.found").data["bytes"], endless.len());
}

#[test]
fn case_11_the_same_line_again_and_again_is_one_event() {
    let [a, b, _] = three();
    let case = Case::session(format!("{a}\n{a}\n{a}\n{a}\n{b}\n{a}\n"));
    assert_eq!(case.texts(), ["one", "two"]);
    assert_eq!((case.reports[0].records, case.reports[0].duplicates), (6, 4));
}

#[test]
fn case_33_a_log_is_not_recognised_in_one_line_and_salvage_finds_what_is_printed_in_it() {
    let record = serde_json::to_string_pretty(&user(1, "one")).expect("prints");
    let log = format!(
        "[16:29:14.606] started\n{}[16:29:15.101] received {record}\n",
        "[16:29:14.700] tick {\n".repeat(200)
    );
    let mut case = Case::of(&[("log.jsonl", log.as_bytes())]);
    assert_eq!((case.reports.len(), case.reports[0].importer, case.reports[0].records), (1, None, 0));
    let choice = Choice { salvage: true, ..Choice::default() };
    let reports = run_with(&case.paths, choice, &mut case.memory, &mut |_| {}).expect("runs");
    assert_eq!((reports[0].importer, reports[0].stored, reports[0].gaps), (Some("claude-code"), 1, 1));
    assert!(reports[0].adds_up());
    assert_eq!(case.texts(), ["one"]);
    let again = run_with(&case.paths, choice, &mut case.memory, &mut |_| {}).expect("runs");
    assert_eq!((again[0].stored, again[0].gaps), (0, 0));
}

#[test]
fn case_35_empty_files_are_no_error_and_marks_and_blank_lines_are_no_records() {
    let [a, b, _] = three();
    for nothing in ["", "\n\n\n", "\r\n \r\n", "\u{feff}"] {
        let case = Case::session(nothing);
        assert_eq!((case.reports[0].records, case.reports[0].failed.clone()), (0, None));
        assert!(case.memory.stored.is_empty());
    }
    let case = Case::session(format!("\u{feff}{a}\r\n\r\n\n{b}\r\n"));
    assert_eq!(case.texts(), ["one", "two"]);
    assert_eq!(case.reports[0].records, 2);
}

#[test]
fn case_36_json_that_no_line_carries_is_kept_as_its_text() {
    let [a, b, _] = three();
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    for odd in [deep.as_str(), "1e400", "18446744073709551616", r#"{"x":1,"x":2}"#] {
        let line = b.replace("\"two\"", odd);
        let case = Case::session(format!("{a}\n{line}\n"));
        assert_eq!(case.one("raw.kept").data["record"], line.as_str());
        assert_eq!(case.one("raw.kept").key.as_deref(), Some(key(2).as_str()));
    }
}

#[test]
fn case_42_unknown_types_are_kept_whole_and_counted() {
    let case = Case::session(lines_of(&[
        user(1, "one"),
        super::record("hologram", 2, &json!({"parentUuid": super::uuid(1), "shape": {"faces": 6}})),
        super::record(
            "user",
            3,
            &json!({"parentUuid": super::uuid(2), "message": {"role": "user", "content": "two"}}),
        ),
    ]));
    let raw = case.one("raw.kept");
    assert!(raw.data["record"].as_str().is_some_and(|text| text.contains("\"faces\":6")));
    // the chain goes on through it
    assert_eq!(raw.header["parent"], key(1).as_str());
    assert_eq!(case.all("message.recorded")[1].header["parent"], key(2).as_str());
    assert_eq!((case.reports[0].raw, case.reports[0].stored), (1, 2));
    let case = Case::rollout(&[
        super::meta("0199aaaa-0000-7000-8000-0000000000c1"),
        rolled("hologram", &json!({"shape": "cube"})),
        rolled("event_msg", &json!({"type": "hologram_ended", "shape": "cube"})),
        said("user", "one"),
    ]);
    assert_eq!(case.one("raw.kept").data["record"].as_str().map(|text| text.contains("cube")), Some(true));
    assert_eq!(case.one("state.changed").header["what"], "hologram_ended");
}

#[test]
fn case_43_a_compressed_rollout_is_read_and_its_plain_sibling_counts() {
    let text = lines_of(&[super::meta("0199aaaa-0000-7000-8000-0000000000c1"), said("user", "one")]);
    let more = lines_of(&[
        super::meta("0199aaaa-0000-7000-8000-0000000000c1"),
        said("user", "one"),
        said("user", "two"),
    ]);
    let packed = zstd::encode_all(text.as_bytes(), 3).expect("packs");
    let alone = Case::of(&[("rollout-a.jsonl.zst", &packed)]);
    let beside = Case::of(&[("rollout-a.jsonl.zst", &packed), ("rollout-a.jsonl", more.as_bytes())]);
    assert_eq!(alone.texts(), ["one"]);
    assert_eq!(beside.texts(), ["one", "two"]);
    assert_eq!(beside.reports.len(), 1);
    assert!(alone.memory.key_set().is_subset(&beside.memory.key_set()), "the same session, the same keys");
}
