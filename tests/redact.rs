//! `recount redact` and its commands: streams, rules, what was taken out, what is there already.

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::Stdio;

use serde_json::json;

use crate::house::{House, files_under};

const TOKEN: &str = "ghp_Zx8Kq2Lm9Pv4Rt7Wn3Bc6Df1Gh5Jk0Ms8Qy2";
const RULES: &str = "version = 1\n[[rule]]\nid = \"acme_token\"\nshape = \"acme_{b62:32..64}\"\n";
const ACME: &str = "acme_U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oo";

fn write(house: &House, path: &str, text: &str) {
    let path = house.path(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn say(house: &House, session: &str, agent: &str, text: &str) {
    house
        .run(&["record", "--session", session, "--kind", "note.added", "--agent", agent, "--text", text])
        .ok();
}

#[test]
fn the_filter_answers_while_its_input_goes_on() {
    let house = House::bare();
    let mut child = house.command(&["redact"]).stdin(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let block = format!("{}use {TOKEN} now\n", "a line of a log that says nothing\n".repeat(100));
    let (told, heard) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut all = vec![0; 256 * 1024];
        stdout.read_exact(&mut all).unwrap();
        // said before the input has ended
        told.send(()).unwrap();
        stdout.read_to_end(&mut all).unwrap();
        String::from_utf8(all).unwrap()
    });
    for _ in 0..200 {
        stdin.write_all(block.as_bytes()).unwrap();
    }
    heard.recv().unwrap();
    stdin.write_all(b"\xc3\xa4 \xff end").unwrap();
    drop(stdin);
    let all = reader.join().unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!((all.matches("[REDACTED:github_token").count(), all.matches("ghp_").count()), (200, 0));
    assert!(all.ends_with("ä \u{FFFD} end"), "{}", &all[all.len() - 40..]);
}

#[test]
fn rules_of_a_project_and_of_the_user_are_in_force() {
    let house = House::new();
    write(&house, "here/.recount/rules.toml", RULES);
    write(
        &house,
        "config/recount/rules.toml",
        &format!(
            "version = 1\n[allow]\nexact = [\"{TOKEN}\"]\n[fields]\ndeny = [\"x-internal\"]\nopaque = [\"/body/raw\"]\n"
        ),
    );
    say(&house, "s", "dev", &format!("{ACME} and {TOKEN}"));
    let draft = json!({"session": "s", "kind": "note.added", "data": {"body": {"raw": ACME, "x-internal": ["a", 1, {"b": true}]}}});
    house.feed(&["record"], draft.to_string()).ok();
    let events = house.events("s");
    let text = events[1]["data"]["text"].as_str().unwrap();
    assert!(text.starts_with("[REDACTED:acme_token:") && text.ends_with(&format!(" and {TOKEN}")), "{text}");
    assert_eq!(events[1]["redacted"], json!({"custom": 1}));
    assert_eq!(events[2]["data"]["body"]["raw"], ACME);
    let denied = &events[2]["data"]["body"]["x-internal"];
    assert!(denied.to_string().matches("[REDACTED:secret").count() == 3, "{denied}");
    house.run(&["verify"]).ok();
}

#[test]
fn rules_that_are_not_what_they_say_stop_everything_that_would_record() {
    let house = House::new();
    write(&house, "here/.recount/rules.toml", &format!("{RULES}examples = [\"acme_short\"]\n"));
    for args in [
        &["record", "--session", "s", "--kind", "note.added", "--text", "x"][..],
        &["redact"],
        &["redact", "rules", "list"],
    ] {
        house.run(args).exit(2).says(".recount/rules.toml: rule \"acme_token\": example 1 is not caught");
    }
    write(&house, "here/.recount/rules.toml", "version = 1\n[allow]\nexact = [\"x\"]\n");
    house.run(&["redact"]).exit(2).says("a project's rules may only add");
    write(&house, "here/.recount/rules.toml", "version = 1\n[known]\nskip = []\n");
    write(&house, "config/recount/rules.toml", "version = 1\n[known]\nskip = [\"envy\"]\n");
    house.run(&["redact"]).exit(2).says("which is no source");
}

#[test]
fn translated_rules_can_be_used() {
    let house = House::new();
    let theirs = format!("{}/tests/cmd/sandbox/rules/gitleaks.toml", env!("CARGO_MANIFEST_DIR"));
    let ours = house
        .run(&["redact", "rules", "import", &theirs])
        .ok()
        .says("pkcs12-file is left out: it looks at paths alone");
    write(&house, "config/recount/rules.toml", &ours.text());
    let found = house.run(&["redact", "rules", "test", "ACME_KEY = k3j5h2g8f7d6s1a9", "--json"]).ok().json();
    assert_eq!(found["spans"], json!([{"start": 11, "end": 27, "kind": "acme_api_key", "certain": true}]));
    house.run(&["redact", "rules", "test", "acme"]).exit(1);
}

#[test]
fn a_secret_is_followed_through_sessions_and_agents() {
    let house = House::new();
    say(&house, "a", "dev", &format!("use {TOKEN}"));
    say(&house, "b", "qa", &format!("{TOKEN} works, PASSWORD=hunter2!"));
    let stats = house.run(&["redact", "stats", "--json"]).ok().json();
    assert_eq!((&stats["total"], &stats["complete"]), (&json!(3), &json!(true)));
    assert_eq!(
        house.run(&["redact", "stats", "b"]).ok().text(),
        "b\tqa\tgithub_token\t1\nb\tqa\tpassword\t1\n"
    );
    let print = house.events("a")[1]["data"]["redactions"][0]["fp"].as_str().unwrap().to_owned();
    let trace =
        house.run(&["redact", "trace", &format!("[REDACTED:github_token:{print}]"), "--json"]).ok().json();
    let at: Vec<_> = trace["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (e["event"].clone(), e["agent"].clone()))
        .collect();
    assert_eq!(at, [(json!("a/1"), json!("dev")), (json!("b/1"), json!("qa"))]);
    let mut near = print.clone();
    near.replace_range(0..1, if print.starts_with('0') { "1" } else { "0" });
    house.run(&["redact", "trace", &near]).exit(3).says(&format!("did you mean {print}?"));
    house.run(&["redact", "trace", "hunter2"]).exit(2);
}

#[test]
fn rescan_proposes_what_a_new_rule_finds_and_changes_nothing() {
    let house = House::new();
    say(&house, "s", "dev", &format!("{ACME} here"));
    let filler = "nothing to see here\n".repeat(20_000);
    say_long(&house, &format!("{filler}{ACME}\n{filler}"));
    let before: Vec<Vec<u8>> =
        files_under(&house.path("")).iter().map(|file| fs::read(file).unwrap()).collect();
    house.run(&["redact", "rescan"]).ok();
    write(&house, "here/.recount/rules.toml", RULES);
    let found = house.run(&["redact", "rescan", "--json"]).exit(1).json();
    let fields: Vec<_> = found["proposed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["event"].clone(), row["field"].clone()))
        .collect();
    assert_eq!(fields, [(json!("s/1"), json!("text")), (json!("s/2"), json!("text"))]);
    house.run(&["redact", "rescan", "--apply"]).exit(2).says("nothing was erased");
    fs::remove_dir_all(house.path("here/.recount")).unwrap();
    let after: Vec<Vec<u8>> =
        files_under(&house.path("")).iter().map(|file| fs::read(file).unwrap()).collect();
    assert!(before == after, "rescan wrote something");
}

fn say_long(house: &House, text: &str) {
    house.feed(&["record", "--session", "s", "--kind", "note.added", "--text", "-"], text).ok();
}

#[test]
fn scan_says_where_and_never_what() {
    let house = House::bare();
    write(
        &house,
        "here/logs/a.jsonl",
        &format!(
            "{{\"text\":\"x\"}}\n{{\"env\":{{\"DB_PASSWORD\":\"wrtlbrnft!7\"}},\"t\":\"{TOKEN}\"}}\n{{\"text\":\"wrtlbrnft!7\"}}\n"
        ),
    );
    write(
        &house,
        "here/logs/b.txt",
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----\n",
    );
    let ran = house.run(&["redact", "scan", "logs"]).exit(1);
    let expected = "logs/a.jsonl\t2\tgithub_token\t1\nlogs/a.jsonl\t2\tpassword\t1\nlogs/a.jsonl\t3\tpassword\t1\nlogs/b.txt\t1\tprivate_key\t1\n";
    assert_eq!(ran.text(), expected);
    assert!(!ran.err.contains("wrtl") && files_under(&house.path("config")).is_empty());
    write(&house, "here/clean.txt", "nothing\n");
    house.run(&["redact", "scan", "clean.txt"]).ok();
    house.run(&["redact", "scan", "nowhere"]).exit(74);
}
