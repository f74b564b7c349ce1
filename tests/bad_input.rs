//! Bad input: what it gets, and that nothing else suffers.

mod damage;
mod disk;
mod orders;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::json;

use crate::house::{House, Ran, files_under};

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
        ("[1,2]", "not a draft"),
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
        // verify has a table of its own
        let code = if args[0] == "verify" { 45 } else { 4 };
        assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.err);
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
        stdout.read_exact(&mut start).unwrap();
        drop(stdout);
        let ran = Ran::new(args, child.wait_with_output().unwrap()).ok();
        assert_eq!(ran.err, "", "{args:?}");
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
