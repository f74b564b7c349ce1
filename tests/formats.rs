//! Cases of transcripts that only the whole program can show: what is stored, in how much memory, and what is not.
//! The number is the case's own; the others stand in `crates/import/tests/cases/`.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::house::{House, Ran, files_under};

const THREAD: &str = "0199aaaa-0000-7000-8000-0000000000f1";

fn write(house: &House, name: &str, records: &[Value]) -> PathBuf {
    let path = house.path(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let lines: Vec<String> = records.iter().map(|record| format!("{record}\n")).collect();
    fs::write(&path, lines.concat()).unwrap();
    path
}

fn import(house: &House, path: &Path) -> Value {
    let report = house.run(&["import", path.to_str().unwrap(), "--json"]).ok().json();
    assert!(report["files"].as_array().unwrap().iter().all(|file| file["adds_up"] == true), "{report}");
    report["total"].clone()
}

fn rolled(kind: &str, payload: &Value) -> Value {
    json!({"timestamp": "2026-05-04T09:10:00.000Z", "type": kind, "payload": payload})
}

fn stored_bytes(house: &House) -> u64 {
    files_under(&house.store().join("journal")).iter().map(|file| fs::metadata(file).unwrap().len()).sum()
}

/// A picture that no other is like: the right beginning, and bytes from a counter.
fn picture(number: u64, bytes: usize) -> String {
    let mut data = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    while data.len() < bytes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        data.extend_from_slice(&state.to_le_bytes());
    }
    data.truncate(bytes);
    format!("data:image/png;base64,{}", base64(&data))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letter = |bits: u32| char::from(LETTERS[(bits & 63) as usize]);
    let four = |three: &[u8]| {
        let bits =
            three.iter().chain([&0, &0]).take(3).fold(0, |bits: u32, byte| bits << 8 | u32::from(*byte));
        let mut text: String = [18, 12, 6, 0].iter().map(|shift| letter(bits >> shift)).collect();
        text.truncate(three.len() + 1);
        text + &"==="[..3 - three.len()]
    };
    bytes.chunks(3).map(four).collect()
}

/// A rollout in which every compaction repeats the history, pictures included; about so many bytes.
fn repeats(path: &Path, bytes: usize) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    writeln!(
        out,
        "{}",
        rolled("session_meta", &json!({"id": THREAD, "timestamp": "2026-05-04T09:10:00.000Z"}))
    )
    .unwrap();
    let (mut history, mut written, mut turn) = (Vec::new(), 0, 0);
    while written < bytes {
        turn += 1;
        let said = json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": format!("turn {turn}")}]});
        let shown = json!({"type": "message", "role": "user", "content": [{"type": "input_image", "image_url": picture(turn % 4, 150_000)}]});
        for item in [said, shown] {
            writeln!(out, "{}", rolled("response_item", &item)).unwrap();
            if history.len() < 40 {
                history.push(item);
            }
        }
        let line = rolled(
            "compacted",
            &json!({"message": format!("summary {turn}"), "replacement_history": history}),
        )
        .to_string();
        written += line.len();
        writeln!(out, "{line}").unwrap();
    }
    out.flush().unwrap();
}

/// The most memory that a process of this program had, by what Linux says of it.
///
/// A child that was just spawned may still have its parent's memory, and with it the name of the parent's thread:
/// the kernel lets the parent go on before it changes both.
fn high_water(status: &str) -> u64 {
    let Some(told) = status.strip_prefix("Name:\trecount\n") else { return 0 };
    let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024
}

/// Runs a command and gives the most memory that it had.
fn most_memory(house: &House, args: &[&str]) -> (Ran, u64) {
    let mut child = house.command(args).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(high_water(&fs::read_to_string(&status).unwrap_or_default()));
        std::thread::sleep(Duration::from_millis(5));
    }
    (Ran::new(args, child.wait_with_output().unwrap()).ok(), most)
}

#[test]
fn the_memory_of_a_test_is_not_taken_for_the_programs() {
    let status = |name: &str| format!("Name:\t{name}\nUmask:\t0022\nVmHWM:\t  616000 kB\nThreads:\t1\n");
    assert_eq!(high_water(&status("formats::case_0")), 0);
    assert_eq!(high_water(&status("recount")), 616_000 * 1024);
}

#[test]
fn case_08_a_rollout_of_repeats_is_stored_once_in_little_memory() {
    const BYTES: usize = 60_000_000;
    let house = House::new();
    let path = house.path("rollout.jsonl");
    repeats(&path, BYTES);
    let given = fs::metadata(&path).unwrap().len();
    let (ran, most) = most_memory(&house, &["import", path.to_str().unwrap(), "--json"]);
    let total = ran.json()["total"].clone();
    assert_eq!(
        total["records"].as_u64().unwrap(),
        total["stored"].as_u64().unwrap() + total["duplicates"].as_u64().unwrap()
    );
    assert!((1..300 << 20).contains(&most), "{most} bytes of memory");
    let stored = stored_bytes(&house);
    assert!(stored * 20 < given, "{stored} of {given} bytes are stored");
    house.run(&["verify"]).ok();
    assert_eq!(import(&house, &path)["events"], 0);
}

#[test]
fn case_12_records_of_one_uuid_with_other_contents_are_both_there() {
    let house = House::new();
    let line = |text: &str| {
        json!({"type": "user", "uuid": "c0ffee00-0000-4000-8000-000000000001", "sessionId": "s",
        "timestamp": "2026-05-04T09:00:00.000Z", "message": {"role": "user", "content": text}})
    };
    let path = write(&house, "s.jsonl", &[line("one"), line("something else")]);
    assert_eq!(import(&house, &path)["stored"], 2);
    let texts: Vec<Value> = house.events("s").iter().map(|event| event["data"]["text"].clone()).collect();
    assert!(texts.contains(&"one".into()) && texts.contains(&"something else".into()), "{texts:?}");
    assert_eq!(import(&house, &path)["stored"], 0);
    house.run(&["verify"]).ok();
}

#[test]
fn case_37_names_in_a_transcript_make_no_paths() {
    let house = House::new();
    for (number, name) in
        ["../../../evil", "/etc/evil", "__proto__", "a\u{1b}]0;x\u{7}", "..", "con.aux"].iter().enumerate()
    {
        let line = json!({"type": "user", "uuid": format!("c0ffee00-0000-4000-8000-00000000000{number}"), "sessionId": name, "agentId": name,
            "timestamp": "2026-05-04T09:00:00.000Z", "message": {"role": "user", "content": format!("number {number}")}});
        let path = write(&house, &format!("in/{number}.jsonl"), &[line]);
        assert_eq!(import(&house, &path)["stored"], 1, "{name}");
    }
    assert_eq!(house.sessions().len(), 6);
    for file in files_under(&house.path("")) {
        let place = file.strip_prefix(house.path("")).unwrap().display().to_string();
        assert!(!place.contains("evil") && !place.contains("proto"), "{place}");
    }
    let shown = house.run(&["sessions"]).ok().text();
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    house.run(&["verify"]).ok();
}

#[test]
fn case_41_a_picture_is_one_blob_however_often_it_is_shown() {
    let house = House::new();
    let shown = picture(7, 200_000);
    let item = json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "what is it"}, {"type": "input_image", "image_url": shown}]});
    let path = write(
        &house,
        "rollout.jsonl",
        &[
            rolled("session_meta", &json!({"id": THREAD})),
            rolled("response_item", &item),
            rolled("event_msg", &json!({"type": "user_message", "message": "what is it", "images": [shown]})),
            rolled("compacted", &json!({"message": "so far", "replacement_history": [item]})),
            rolled(
                "response_item",
                &json!({"type": "function_call_output", "call_id": "call_1", "output": [{"type": "input_image", "image_url": shown}]}),
            ),
        ],
    );
    import(&house, &path);
    let blobs = files_under(&house.store().join("journal/blobs"));
    let large: Vec<&PathBuf> =
        blobs.iter().filter(|blob| fs::metadata(blob).unwrap().len() > 100_000).collect();
    assert_eq!(large.len(), 1, "{blobs:?}");
    assert!(stored_bytes(&house) < 2 * 200_000);
}

/// Half a token is nothing that a redactor knows, so the halves must never be stored alone.
#[test]
fn case_51_a_secret_that_comes_in_pieces_is_redacted_whole() {
    let letters = "Zq7Lm2Xc9Vb4Nk1Jh8Gf5Ds3Ap6Oi0Uy2Tr4";
    let (first, second) = letters.split_at(letters.len() / 2);
    let token = format!("ghp_{letters}");
    let piece = |kind: &str, text: &str| {
        json!({"type": "stream_event", "session_id": "pieces", "parent_tool_use_id": null,
        "event": {"type": "content_block_delta", "index": 0, "delta": {"type": format!("{kind}_delta"), kind: text}}})
    };
    let log = |msg: &Value| json!({"ts": "2026-05-04T09:12:50.921Z", "dir": "to_tui", "kind": "codex_event", "payload": {"id": "1", "msg": msg}});
    let delta = |text: &str| log(&json!({"type": "agent_message_delta", "delta": text}));
    let whole = json!({"type": "assistant", "session_id": "pieces", "parent_tool_use_id": null, "message": {"id": "m", "role": "assistant",
        "content": [{"type": "text", "text": format!("use ghp_{letters} now")}]}});
    let start = json!({"type": "stream_event", "session_id": "pieces", "event": {"type": "message_start", "message": {"id": "m"}}});
    let begin = format!("use ghp_{first}");
    let end = format!("{second} now");
    let streams = [
        vec![start.clone(), piece("text", &begin), piece("text", &end)],
        vec![start.clone(), piece("text", &begin), piece("text", &end), whole],
        vec![start, piece("thinking", &begin), piece("thinking", &end)],
        vec![delta(&begin), delta(&end)],
        vec![
            delta(&begin),
            delta(&end),
            log(&json!({"type": "agent_message", "message": format!("use {token} now")})),
        ],
    ];
    for (number, records) in streams.iter().enumerate() {
        let house = House::new();
        let path = write(&house, "pieces.jsonl", records);
        assert!(import(&house, &path)["redacted"].as_u64().unwrap() >= 1, "{number}");
        let halves = |bytes: &[u8]| {
            [first, second].iter().any(|half| bytes.windows(half.len()).any(|at| at == half.as_bytes()))
        };
        for file in files_under(&house.store()) {
            assert!(!halves(&fs::read(&file).unwrap()), "stream {number}: half of it in {}", file.display());
        }
        let found = house.run(&["search", "now", "--json"]).ok().json();
        assert!(found["hits"][0].to_string().contains("REDACTED"), "{found}");
    }
}

#[test]
fn nothing_recognised_is_exit_1_and_a_gap_is_a_warning() {
    let house = House::new();
    let other = write(&house, "other.jsonl", &[json!({"weather": "grey"})]);
    house.run(&["import", other.to_str().unwrap()]).exit(1);
    let torn = house.path("torn.jsonl");
    let line = json!({"type": "user", "uuid": "c0ffee00-0000-4000-8000-000000000001", "sessionId": "s", "message": {"role": "user", "content": "one"}});
    fs::write(&torn, format!("{line}\n{}", &line.to_string()[..40])).unwrap();
    house
        .run(&["import", torn.to_str().unwrap()])
        .exit(0)
        .says("40 bytes are no records and are kept as gaps");
}

/// What would come in is what comes in; nothing is left behind by asking, and nothing is taken for news twice.
#[test]
fn a_dry_run_counts_what_would_be_stored_and_writes_nothing() {
    let house = House::bare();
    let records: Vec<Value> = [
        rolled("session_meta", &json!({"id": THREAD, "cwd": "/w"})),
        rolled(
            "response_item",
            &json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "deploy with password=Tr0ub4dor7!x please"}]}),
        ),
        rolled("event_msg", &json!({"type": "agent_message", "message": "Done."})),
    ]
    .into();
    let path = write(&house, "rollout.jsonl", &records);
    let before = files_under(&house.path(""));
    let rehearse = || house.run(&["import", "--dry-run", path.to_str().unwrap(), "--json"]).ok().json();
    let first = rehearse();
    assert_eq!(files_under(&house.path("")), before, "no store, no keys, no marks");
    let kinds = |report: &Value| {
        let kinds = report["dry_run"]["kinds"].as_object().unwrap();
        kinds.values().map(|count| count.as_u64().unwrap()).sum::<u64>()
    };
    // it stands in the title as well
    assert_eq!(first["dry_run"]["redacted"], json!({"password": 2}));
    house.run(&["init"]).ok();
    let total = import(&house, &path);
    for count in ["records", "stored", "raw", "gaps", "duplicates", "linked", "events", "redacted"] {
        assert_eq!(first["total"][count], total[count], "{count}");
    }
    // the opening is no record's event
    assert_eq!(kinds(&first), total["events"].as_u64().unwrap() + 1);
    let (journal, again) = (stored_bytes(&house), rehearse());
    assert_eq!((again["total"]["events"].as_u64(), kinds(&again)), (Some(0), 0));
    fs::remove_dir_all(house.store().join("index/cursors")).unwrap();
    let unremembered = rehearse();
    assert_eq!((unremembered["total"]["events"].as_u64(), kinds(&unremembered)), (Some(0), 0));
    assert_eq!(stored_bytes(&house), journal);
    assert!(!house.store().join("index/cursors").exists());
}

/// How a session started is announced before it begins: it stands in its opening, and in no other's.
#[test]
fn what_a_hook_announced_stands_in_the_opening_of_its_session() {
    let house = House::bare();
    let fire = |payload: Value| {
        house.feed(&["hook", "claude-code"], payload.to_string()).ok();
    };
    fire(
        json!({"session_id": "phantom", "hook_event_name": "SessionStart", "source": "resume", "model": "m-0"}),
    );
    fire(json!({"session_id": "s1", "hook_event_name": "SessionStart", "source": "startup", "model": "m-1"}));
    for session in ["s2", "s1", "s1"] {
        fire(json!({"session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
    }
    let started = |session: &str| house.events(session)[0]["data"]["meta"]["started"].clone();
    assert_eq!(started("s1"), json!({"model": "m-1", "source": "startup"}));
    assert_eq!(started("s2"), Value::Null);
    let mut sessions = house.sessions();
    sessions.sort();
    assert_eq!(sessions, ["s1", "s2"], "the phantom is none");
    let waiting = files_under(&house.path(""))
        .into_iter()
        .filter(|file| file.parent().is_some_and(|folder| folder.ends_with("hooks/announced")));
    assert_eq!(waiting.count(), 1, "the phantom's");
    let secret = "npm_Mhmpgppa0nLgTEToD4uyetiAY2bv6d";
    fire(json!({"session_id": "s3", "hook_event_name": "SessionStart", "source": secret, "model": secret}));
    for file in files_under(&house.path("")) {
        assert!(!String::from_utf8_lossy(&fs::read(&file).unwrap()).contains(secret), "{}", file.display());
    }
}
