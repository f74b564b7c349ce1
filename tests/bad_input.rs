//! Bad input: what it gets, and that nothing else suffers.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::house::{Dice, House, PROGRAM, Ran, copy_folder, files_under, finish};

fn record(house: &House, session: &str, text: &str) {
    house.run(&["record", "--session", session, "--kind", "note.added", "--text", text]).ok();
}

/// Drafts with texts of `bytes` bytes and more.
fn drafts(session: &str, count: usize, bytes: usize) -> String {
    let filler = "lorem ".repeat(bytes / 6);
    let draft = |number| {
        let data = json!({"text": format!("event {number} {filler}")});
        json!({"session": session, "kind": "note.added", "data": data}).to_string() + "\n"
    };
    (0..count).map(draft).collect()
}

/// Everything in the house, with sizes: what a command may not change.
fn listing(house: &House) -> Vec<(PathBuf, u64)> {
    let sized = |file: PathBuf| {
        let bytes = fs::metadata(&file).unwrap().len();
        (file, bytes)
    };
    files_under(&house.path("")).into_iter().map(sized).collect()
}

#[test]
fn an_unknown_session_is_exit_3_and_names_the_nearest() {
    let house = House::new();
    record(&house, "auth-rework", "x");
    record(&house, "My Parser Run", "y");
    for command in ["timeline", "replay", "export", "verify", "tail", "repair"] {
        house.run(&[command, "auth-rewrok"]).exit(3).says("auth-rework");
        house.run(&[command, "My Parser Rum"]).exit(3).says("My Parser Run");
    }
    house.run(&["show", "auth-rewrok/1"]).exit(3).says("did you mean \"auth-rework\"");
}

#[test]
fn an_unknown_event_is_exit_3_and_names_the_last() {
    let house = House::new();
    record(&house, "s", "x");
    house.run(&["show", "s/2"]).exit(3).says("s/1");
    house.run(&["show", "s/18446744073709551615"]).exit(3).says("s/1");
    house.run(&["replay", "s", "--until", "7"]).exit(3).says("s/1");
    for nonsense in ["s", "s/", "s/x", "/1", "s/-1", "s/1#zz", ""] {
        let code = house.run(&["show", nonsense]).code;
        assert!(matches!(code, Some(2 | 3)), "show {nonsense:?} is {code:?}");
    }
}

#[test]
fn a_bad_query_is_exit_2_with_a_caret_under_the_fault_and_the_nearest_field() {
    let house = House::new();
    record(&house, "s", "x");
    for (query, fault, near) in [
        ("kindd:x", "kindd", Some("kind:")),
        ("token agnt:dev more", "agnt", Some("agent:")),
        ("wörter sesion:s", "sesion", Some("session:")),
        ("(a OR b", "(", None),
        ("since:notatime", "notatime", None),
        ("a \"open", "\"open", None),
    ] {
        let ran = house.run(&["search", query]).exit(2);
        let lines: Vec<&str> = ran.err.lines().collect();
        let at = lines
            .iter()
            .position(|line| line.trim() == query)
            .unwrap_or_else(|| panic!("{query}: {}", ran.err));
        let column = lines[at].find(fault).map(|byte| lines[at][..byte].chars().count()).unwrap();
        let caret = lines[at + 1].find('^').map(|byte| lines[at + 1][..byte].chars().count());
        assert_eq!(caret, Some(column), "{query}\n{}", ran.err);
        if let Some(near) = near {
            assert!(ran.err.contains(&format!("did you mean {near}")), "{query}\n{}", ran.err);
        }
    }
}

#[test]
fn a_draft_with_an_unknown_key_is_named_and_the_other_lines_go_on() {
    let good = |text: &str| json!({"session": "s", "kind": "note.added", "data": {"text": text}}).to_string();
    let bad = [
        (
            r#"{"session":"s","kind":"note.added","agnt":"dev","data":{}}"#,
            "unknown key \"agnt\", did you mean \"agent\"?",
        ),
        (r#"{"session":"s","kind":"note.aded","data":{}}"#, "did you mean \"note.added\"?"),
        (r#"{"session":"s","kind":"audit.erased","data":{}}"#, "set by the recorder"),
        (r#"{"session":"s","kind":"session.opened","data":{}}"#, "set by the recorder"),
        (r#"{"session":"s","kind":"note.added","origin":"observed","data":{}}"#, "set by the recorder"),
        (r#"{"session":"s","kind":"note.added","redacted":{},"data":{}}"#, "set by the recorder"),
        (r#"{"session":"s","kind":"note.added","data":{"Bad Name":1}}"#, "\"body\""),
        (r#"{"session":"s","kind":"note.added","data":{"hash":1}}"#, "\"hash\""),
        (r#"{"session":"s","kind":"note.added","data":"text"}"#, "an object"),
        (
            r#"{"session":"s","kind":"reasoning.recorded","phase":"aproach","data":{}}"#,
            "did you mean \"approach\"?",
        ),
        (r#"{"session":"../s","kind":"note.added","data":{}}"#, "path separator"),
        (r#"{"kind":"note.added","data":{}}"#, "\"session\" is missing"),
        (r#"{"session":"s","data":{}}"#, "\"kind\" is missing"),
        (r#"[1,2]"#, "not a draft"),
        (r#"{"session":"s","kind":"note.added","data":{"text":"#, "not a draft"),
        ("no json at all", "not a draft"),
        ("\u{0}\u{0}\u{0}", "not a draft"),
    ];
    let mut input = good("first") + "\n\n";
    for (line, _) in bad {
        input += &format!("{line}\n{}\n", good("between"));
    }
    input += &good("last without an end");
    for door in [&["record"][..], &["import", "-"]] {
        let house = House::new();
        let ran = house.feed(door, &input).exit(2);
        for (at, (line, said)) in bad.iter().enumerate() {
            let number = 3 + 2 * at;
            let complaint = ran.err.lines().find(|text| text.starts_with(&format!("error: line {number}: ")));
            assert!(complaint.is_some_and(|text| text.contains(said)), "{line}\n{}", ran.err);
        }
        assert_eq!(ran.err.lines().count(), bad.len(), "{}", ran.err);
        let stored = house.events("s").iter().filter(|event| event["kind"] == "note.added").count();
        assert_eq!(stored, bad.len() + 2, "{door:?}");
        house.run(&["verify"]).ok();
    }
}

#[test]
fn a_typed_session_id_that_could_be_a_path_is_refused_and_nothing_is_written() {
    let house = House::new();
    record(&house, "s", "x");
    let before = listing(&house);
    for session in
        ["../evil", "..", "a/b", "/etc/evil", "a\\b", "a\nb", "a\u{1b}b", "", "../../journal/sessions/s"]
    {
        if session != ".." {
            let args = ["record", "--session", session, "--kind", "note.added", "--text", "x"];
            let ran = house.run(&args).exit(2);
            assert!(ran.out.is_empty());
            let draft = json!({"session": session, "kind": "note.added", "data": {"text": "x"}}).to_string();
            house.feed(&["record"], &draft).exit(2);
            house.feed(&["import", "-"], &draft).exit(2);
        }
        for command in ["timeline", "replay", "export", "verify", "tail", "repair", "show"] {
            let code = house.run(&[command, session]).code;
            assert!(matches!(code, Some(2 | 3)), "{command} {session:?} is {code:?}");
        }
    }
    assert_eq!(listing(&house), before);
}

#[test]
fn a_session_name_with_dots_alone_stays_inside_the_store() {
    let house = House::new();
    record(&house, "..", "x");
    let outside = |(file, _): &(PathBuf, u64)| {
        !file.starts_with(house.store()) && !file.starts_with(house.path("config"))
    };
    assert_eq!(listing(&house).iter().find(|file| outside(file)), None);
    assert_eq!(house.sessions().len(), 1);
    assert!(house.sessions()[0].starts_with("m-"));
}

#[test]
fn a_store_of_a_newer_format_is_refused_with_a_sentence_and_left_alone() {
    let house = House::new();
    record(&house, "s", "x");
    let file = house.store().join("journal/STORE");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"format\":1"));
    fs::write(&file, text.replace("\"format\":1", "\"format\":2")).unwrap();
    let before = listing(&house);
    let draft = ["record", "--session", "s", "--kind", "note.added", "--text", "y"];
    for args in [
        &["sessions"][..],
        &["search", "x"],
        &["show", "s/1"],
        &["timeline", "s"],
        &["export", "s"],
        &["verify"],
        &["stats"],
        &["repair", "s"],
        &["import", "./nothing"],
        &["init"],
        &draft,
    ] {
        let ran = house.run(args);
        assert_eq!(ran.code, Some(4), "{args:?}: {}", ran.err);
        assert!(ran.out.is_empty());
        ran.says("R0002").says("newer");
    }
    assert_eq!(listing(&house), before);
}

#[test]
fn no_store_is_exit_3_and_says_how_to_make_one() {
    let house = House::bare();
    let draft = ["record", "--session", "s", "--kind", "note.added", "--text", "y"];
    for args in
        [&["sessions"][..], &["search", "x"], &["show", "s/1"], &["verify"], &["doctor"], &["stats"], &draft]
    {
        house.run(args).exit(3).says("recount init").says("R0001");
    }
    assert!(!house.store().exists());
}

#[test]
fn a_broken_store_file_is_exit_4_with_a_sentence() {
    for text in ["", "{", "{\"format\":1}", "\u{0}\u{0}"] {
        let house = House::new();
        fs::write(house.store().join("journal/STORE"), text).unwrap();
        house.run(&["sessions"]).exit(4).says("R0012");
        house.run(&["record", "--session", "s", "--kind", "note.added", "--text", "x"]).exit(4);
    }
}

#[test]
fn a_closed_pipe_ends_the_program_quietly_with_exit_0() {
    let house = House::new();
    house.feed(&["record", "--sync", "os"], drafts("big", 3000, 200)).ok();
    for args in [
        &["export", "big"][..],
        &["export", "big", "--format", "markdown"],
        &["timeline", "big"],
        &["timeline", "big", "--json"],
        &["replay", "big"],
        &["search", "lorem", "-n", "3000"],
        &["tail", "-n", "3000"],
    ] {
        let mut child = house.command(args).spawn().unwrap();
        let mut stdout = BufReader::with_capacity(16, child.stdout.take().unwrap());
        let mut start = [0; 16];
        std::io::Read::read_exact(&mut stdout, &mut start).unwrap();
        drop(stdout);
        let ran = Ran::new(args, child.wait_with_output().unwrap()).ok();
        assert_eq!(ran.err, "", "{args:?}");
    }
}

/// The program under a shell that sets a limit first.
fn limited(house: &House, limit: &str, args: &[&str]) -> Command {
    let mut command = Command::new("/bin/sh");
    house.settle(&mut command);
    command.args(["-c", &format!("{limit}; exec \"$0\" \"$@\""), PROGRAM]).args(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Everything that was acknowledged stands where its receipt says.
fn all_stand(house: &House, session: &str, receipts: &[u8]) -> usize {
    let lines = house.lines(session);
    let mut count = 0;
    // a receipt is what was written whole
    for receipt in receipts.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
        let receipt: Value = serde_json::from_slice(receipt).unwrap();
        let seq = usize::try_from(receipt["seq"].as_u64().unwrap()).unwrap();
        let event: Value = serde_json::from_slice(&lines[seq]).unwrap();
        assert_eq!(event["hash"], receipt["hash"]);
        count += 1;
    }
    count
}

fn goes_on_after_a_full_disk(house: &House, session: &str, receipts: &[u8]) {
    let stored = all_stand(house, session, receipts);
    assert!((1..2000).contains(&stored), "{stored} stored: the disk was not full");
    let verified = house.run(&["verify"]).code;
    assert!(matches!(verified, Some(0 | 10)), "verify is {verified:?}");
    // readable before anything is mended, and the events are there
    let export = house.run(&["export", session]).ok().out;
    assert!(export.iter().filter(|byte| **byte == b'\n').count() > stored);
    let document = house.run(&["search", "lorem", "-n", "1", "--json"]).ok().json();
    assert!(document["total"].as_u64().unwrap() >= stored as u64);
    house.verify_or_mend();
    record(house, session, "and on it goes");
    house.run(&["verify"]).ok();
    assert_eq!(all_stand(house, session, receipts), stored);
}

#[test]
fn on_a_full_disk_nothing_is_acknowledged_that_is_not_stored() {
    let input = drafts("s", 2000, 300);
    for (what, limit) in [
        ("the write fails", "trap '' XFSZ; ulimit -f 200"),
        ("the write kills", "ulimit -c 0; ulimit -f 200"),
    ] {
        let house = House::new();
        let ran = finish(&["record"], limited(&house, limit, &["record", "--sync", "os"]), input.as_bytes());
        // who started us may have made the signal ignored, for ever
        let killed = !limit.contains("trap") && ran.code.is_none();
        if !killed {
            assert_eq!(ran.code, Some(74), "{what}: {}", ran.err);
            assert!(ran.err.contains("R0008") && ran.err.contains("nothing was acknowledged"), "{}", ran.err);
        }
        goes_on_after_a_full_disk(&house, "s", &ran.out);
    }
}

#[test]
fn an_import_into_a_full_disk_leaves_a_store_that_reads_and_goes_on() {
    let house = House::new();
    let note = |n: usize| {
        json!({"type": "user", "uuid": format!("00000000-0000-4000-8000-{n:012}"), "parentUuid": null,
            "sessionId": "s", "isSidechain": false, "cwd": "/w", "version": "2.1.0", "userType": "external",
            "timestamp": "2026-07-03T00:00:00.000Z",
            "message": {"role": "user", "content": format!("{n} {}", "lorem ".repeat(60))}})
        .to_string()
            + "\n"
    };
    let file = house.path("home/s.jsonl");
    fs::write(&file, (0..600).map(note).collect::<String>()).unwrap();
    let args = ["import", file.to_str().unwrap()];
    let ran = finish(&args, limited(&house, "trap '' XFSZ; ulimit -f 200", &args), b"");
    assert_eq!(ran.code, Some(74), "{}", ran.err);
    house.verify_or_mend();
    house.run(&args).ok();
    house.run(&["verify"]).ok();
    let whole = House::new();
    whole.run(&args).ok();
    assert_eq!(house.told(), whole.told());
}

#[test]
fn a_search_whose_index_cannot_be_written_answers_from_the_journal() {
    let house = House::new();
    house.feed(&["record", "--sync", "os"], drafts("s", 300, 60)).ok();
    let args = ["search", "event 17*", "--json"];
    let expected = house.run(&["search", "event 17*", "--json", "--no-index"]).ok().json();
    fs::remove_dir_all(house.store().join("index")).ok();
    for limit in ["trap '' XFSZ; ulimit -f 0", "trap '' XFSZ; ulimit -f 2", "trap '' XFSZ; ulimit -f 64"] {
        let mut command = limited(&house, limit, &args);
        let ran = Ran::new(&args, command.output().unwrap()).ok();
        assert_eq!(
            (&ran.json()["hits"], &ran.json()["total"]),
            (&expected["hits"], &expected["total"]),
            "{limit}"
        );
        house.run(&["sessions"]).ok();
    }
    assert_eq!(house.run(&args).ok().json()["hits"], expected["hits"]);
}

/// A small disk of its own, gone with its process; what was on it is copied out afterwards.
#[test]
fn on_a_really_full_disk_nothing_is_acknowledged_that_is_not_stored() {
    let Some(unshare) = [["-m"], ["-rm"]].into_iter().find(|flags| {
        let mut command = Command::new("unshare");
        let script = "mount -t tmpfs -o size=64k none /mnt";
        command.args(flags).args(["sh", "-c", script]).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }) else {
        println!("skipped: no disk can be mounted here");
        return;
    };
    let house = House::new();
    let small = house.path("small");
    fs::create_dir(&small).unwrap();
    let script = r#"mount -t tmpfs -o size=400k none "$1" && cp -a "$2/." "$1" || exit 99
        RECOUNT_STORE="$1" "$0" record --sync always; code=$?
        cp -a "$1/." "$2" && exit $code"#;
    let mut command = Command::new("unshare");
    house.settle(&mut command);
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.args(unshare).args(["sh", "-c", script, PROGRAM]).arg(&small).arg(house.store());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let ran = finish(&["record"], command, drafts("s", 2000, 300).as_bytes());
    assert_eq!(ran.code, Some(74), "{}", ran.err);
    goes_on_after_a_full_disk(&house, "s", &ran.out);
}

/// Gives everything below to everybody, to read and not to write.
fn close_for_writing(folder: &Path) {
    let close = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { close_for_writing(&path) } else { close(&path, 0o444) }
    }
    close(folder, 0o555);
}

fn open_for_writing(folder: &Path) {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            open_for_writing(&path);
        }
    }
}

#[test]
fn a_store_that_cannot_be_written_is_scanned() {
    const NOBODY: u32 = 65534;
    let house = House::new();
    record(&house, "s", "the token expired");
    record(&house, "My Run", "another token");
    let expected = house.run(&["search", "token", "--json", "--no-index"]).ok().json();
    // root writes everywhere: let somebody else read, with a program that they can reach
    let program = house.path("home/recount");
    let root = fs::metadata(house.path("home")).unwrap().uid() == 0;
    fs::copy(PROGRAM, &program).unwrap();
    for with_index in [false, true] {
        if with_index {
            house.run(&["search", "token"]).ok();
        } else {
            fs::remove_dir_all(house.store().join("index")).ok();
        }
        close_for_writing(&house.store());
        fs::set_permissions(house.path(""), fs::Permissions::from_mode(0o755)).unwrap();
        let before = listing(&house);
        let run = |args: &[&str]| {
            let mut command = Command::new(&program);
            house.settle(&mut command);
            if root {
                command.uid(NOBODY).gid(NOBODY);
            }
            Ran::new(args, command.args(args).output().unwrap())
        };
        let document = run(&["search", "token", "--json"]).ok().json();
        assert_eq!(document["hits"], expected["hits"]);
        assert_eq!(document["complete"], true);
        for args in [
            &["sessions"][..],
            &["timeline", "s"],
            &["show", "My Run/1"],
            &["replay", "s"],
            &["verify"],
            &["stats"],
        ] {
            let ran = run(args).ok();
            assert!(!ran.out.is_empty(), "{args:?}");
        }
        run(&["record", "--session", "s", "--kind", "note.added", "--text", "x"]).exit(74).says("R0008");
        assert_eq!(listing(&house), before);
        open_for_writing(&house.store());
    }
}

/// Control, bidirectional and invisible characters that a terminal would obey.
const ORDERS: &str = "\u{1b}[31mred\u{1b}[0m \u{7}\u{8} \u{9b}2J \u{202e}desrever\u{202c} \u{200b}zero plain \u{1b}]0;title\u{7} a\rb";

fn assert_no_orders(what: &[&str], shown: &[u8]) {
    let text = std::str::from_utf8(shown).unwrap();
    let order = text.chars().find(|c| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{200b}'..='\u{200f}')
    });
    assert_eq!(order, None, "{what:?} writes {order:?}:\n{}", text.escape_debug());
}

#[test]
fn no_recorded_escape_code_reaches_standard_output() {
    let house = House::new();
    let nested = json!({"text": ORDERS, "body": {"key \u{1b}[1m": [ORDERS, {"deep": ORDERS}]}});
    for kind in [
        "note.added",
        "message.recorded",
        "reasoning.recorded",
        "skill.returned",
        "error.raised",
        "handoff.made",
    ] {
        let mut draft = json!({"session": "s", "kind": kind, "key": format!("{kind}{ORDERS}"), "data": nested,
            "group": format!("g{ORDERS}"), "agent": format!("a{ORDERS}"), "agent_id": format!("i{ORDERS}")});
        if kind == "skill.returned" {
            draft["skill"] = json!(format!("skill{ORDERS}"));
            draft["data"] = json!({"output": ORDERS, "error": ORDERS});
        }
        if kind == "handoff.made" {
            draft["to"] = json!(ORDERS);
            draft["data"] = json!({"summary": ORDERS});
        }
        house.feed(&["record"], format!("{draft}\n")).ok();
    }
    let last = house.lines("s").len() - 1;
    for seq in 0..=last {
        for args in [&["show", &format!("s/{seq}")][..], &["show", &format!("s/{seq}"), "--json"]] {
            assert_no_orders(args, &house.run(args).ok().out);
        }
    }
    for args in [
        &["search", "plain"][..],
        &["search", "plain", "-C", "2"],
        &["search", "plain", "--json"],
        &["search", "plain", "--no-index"],
        &["timeline", "s"],
        &["timeline", "s", "--json"],
        &["replay", "s"],
        &["replay", "s", "--json"],
        &["tail"],
        &["tail", "--json"],
        &["sessions"],
        &["sessions", "--json"],
        &["stats"],
        &["stats", "--json"],
        &["export", "s", "--format", "markdown"],
        &["verify", "--json"],
    ] {
        let ran = house.run(args).ok();
        assert!(!ran.out.is_empty(), "{args:?}");
        assert_no_orders(args, &ran.out);
        assert_no_orders(args, ran.err.as_bytes());
    }
    // in stored lines JSON itself has taken the control characters away
    for line in house.lines("s") {
        assert!(line.iter().all(|byte| *byte >= 0x20 || *byte == b'\n'));
    }
    // what is typed is told back as harmlessly
    for args in [&["show", "s\u{1b}[31m/1"][..], &["search", "kindd\u{1b}[31m:x"], &["timeline", ORDERS]] {
        assert_no_orders(args, house.run(args).err.as_bytes());
    }
}

#[test]
fn a_speed_of_nothing_is_exit_2() {
    let house = House::new();
    record(&house, "s", "x");
    for speed in ["0", "0.0", "-0", "nan", "inf", "-1", "fast", "1e999"] {
        house.run(&["replay", "s", &format!("--speed={speed}")]).exit(2).says("speed");
    }
    for speed in ["0.001", "1", "1e9"] {
        house.run(&["replay", "s", "--speed", speed]).ok();
    }
}

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
    assert!(matches!(ran.code, Some(10 | 20..=25 | 27)), "{what}");
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

#[test]
fn a_line_too_long_for_a_draft_does_not_stop_the_stream() {
    let house = House::new();
    let mut child = house.command(&["record"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let good = json!({"session": "s", "kind": "note.added", "data": {"text": "good"}});
        writeln!(stdin, "{good}").unwrap();
        stdin.write_all(b"{\"session\":\"s\",\"kind\":\"note.added\",\"data\":{\"text\":\"").unwrap();
        for _ in 0..17 {
            stdin.write_all(&vec![b'x'; 1024 * 1024]).unwrap();
        }
        stdin.write_all(b"\"}}\n").unwrap();
        writeln!(stdin, "{good}").unwrap();
    });
    let receipts = BufReader::new(child.stdout.take().unwrap()).lines().count();
    writer.join().unwrap();
    let ran = Ran::new(&["record"], child.wait_with_output().unwrap()).exit(2).says("line 2");
    assert_eq!((receipts, ran.err.lines().count()), (2, 1), "{}", ran.err);
}
