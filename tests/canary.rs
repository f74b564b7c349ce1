//! Canary: secrets planted through every door, and no byte of them anywhere afterwards.
//!
//! Every door has secrets of its own, so that a find names its door. Each is looked for in any letter case,
//! as it is, percent-encoded, as hex and as base64, in every file of the house, in the names of files, and in
//! everything that was printed. What is looked for is any 12 characters of a secret in a row: a secret that
//! is only partly redacted is found too.

mod commands;
mod formats;
mod look;
mod secrets;
mod team;
mod transcripts;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::house::{House, Ran, files_under};
use look::Wanted;
use secrets::Planter;

/// A house, what is planted in it, and everything it ever printed.
struct Doors {
    house: House,
    planter: Planter,
    printed: Vec<(String, Vec<u8>)>,
    /// Where transcripts come from: they hold the secrets, so they stand outside the house.
    outside: tempfile::TempDir,
}

impl Doors {
    fn new() -> Self {
        let (planter, printed) = (Planter::new(), Vec::new());
        Self { house: House::new(), planter, printed, outside: tempfile::tempdir().unwrap() }
    }

    fn keep(&mut self, what: &str, ran: Ran) -> Ran {
        let what = format!("{what} at {}", self.planter.door);
        self.printed.push((format!("stdout of {what}"), ran.out.clone()));
        self.printed.push((format!("stderr of {what}"), ran.err.clone().into_bytes()));
        assert!(!ran.err.contains("panicked") && !ran.err.contains("bug: "), "{}", ran.err);
        ran
    }

    fn run(&mut self, args: &[&str]) -> Ran {
        let ran = self.house.run(args);
        self.keep(args[0], ran)
    }

    fn feed(&mut self, args: &[&str], input: &str) -> Ran {
        let ran = self.house.feed(args, input);
        self.keep(args[0], ran)
    }

    fn file(&self, path: &str, text: &str) -> PathBuf {
        let file = self.outside.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    }

    fn flags(&mut self) {
        self.planter.at("record --text");
        let story = self.planter.story();
        self.run(&["record", "--session", "flags", "--kind", "note.added", "--text", &story]).ok();
        self.planter.at("record --text -");
        let story = self.planter.story();
        self.feed(&["record", "--session", "flags", "--kind", "note.added", "--text", "-"], &story).ok();
        self.planter.at("record --data");
        let data = json!({"body": self.planter.structure(), "password": self.planter.password()}).to_string();
        self.run(&["record", "--session", "flags", "--kind", "note.added", "--data", &data]).ok();
        for flag in ["--group", "--agent", "--agent-id", "--key", "--cause"] {
            self.planter.at(&format!("record {flag}"));
            let value = format!("run {}", self.planter.token());
            self.run(&["record", "--session", "flags", "--kind", "note.added", flag, &value, "--text", "x"])
                .ok();
            let value = format!("password={}", self.planter.password());
            self.run(&["record", "--session", "flags", "--kind", "note.added", flag, &value, "--text", "x"])
                .ok();
        }
        self.planter.at("record --session");
        let session = format!("Run with {}", self.planter.token());
        self.run(&["record", "--session", &session, "--kind", "note.added", "--text", "x"]).ok();
        let bare = self.planter.token();
        self.run(&["record", "--session", &bare, "--kind", "note.added", "--text", "x"]).ok();
        for (flag, value) in [("--phase", self.planter.token()), ("--confidence", self.planter.token())] {
            self.planter.at(&format!("record {flag}"));
            self.run(&[
                "record",
                "--session",
                "flags",
                "--kind",
                "reasoning.recorded",
                flag,
                &value,
                "--text",
                "x",
            ])
            .exit(2);
        }
        self.planter.at("record --kind");
        let kind = self.planter.token();
        self.run(&["record", "--session", "flags", "--kind", &kind, "--text", "x"]).exit(2);
        self.planter.at("record --data, not JSON");
        let data = self.planter.story();
        self.run(&["record", "--session", "flags", "--kind", "note.added", "--data", &data]).exit(2);
    }

    fn drafts(&mut self, door: &[&str]) {
        let name = door.join(" ");
        self.planter.at(&format!("{name}, data"));
        let draft = json!({"session": "drafts", "kind": "note.added", "data": {
            "text": self.planter.story(), "body": self.planter.structure(),
            "password": self.planter.password(), "api_key": self.planter.base62("member", 32),
        }});
        self.feed(door, &draft.to_string()).ok();
        for field in
            ["group", "agent", "agent_id", "parent_agent", "parent", "cause", "corr", "model", "at", "key"]
        {
            self.planter.at(&format!("{name}, {field}"));
            let draft =
                json!({"session": "drafts", "kind": "note.added", field: self.planter.token(), "data": {}});
            self.feed(door, &draft.to_string()).ok();
            let long = format!("{} {}", "long ".repeat(60), self.planter.token());
            let draft = json!({"session": "drafts", "kind": "note.added", field: long, "data": {}});
            self.feed(door, &draft.to_string()).ok();
        }
        self.planter.at(&format!("{name}, header of a kind"));
        let draft = json!({"session": "drafts", "kind": "skill.returned", "skill": self.planter.token(),
            "call": self.planter.token(), "usage": {"note": self.planter.token()},
            "data": {"output": self.planter.story(), "error": self.planter.story()}});
        self.feed(door, &draft.to_string()).ok();
        let draft = json!({"session": "drafts", "kind": "handoff.made", "from": self.planter.token(),
            "to": self.planter.token(), "data": {"summary": self.planter.story(), "body": self.planter.structure()}});
        self.feed(door, &draft.to_string()).ok();
        self.planter.at(&format!("{name}, session"));
        let draft = json!({"session": self.planter.token(), "kind": "note.added", "data": {}});
        self.feed(door, &draft.to_string()).ok();
        self.planter.at(&format!("{name}, kind of a caller's own"));
        let kind = format!("x.{}", self.planter.token().to_lowercase());
        let draft = json!({"session": "drafts", "kind": kind, "data": {}});
        self.feed(door, &draft.to_string());
        self.planter.at(&format!("{name}, blob"));
        let filler = "nothing to see here ".repeat(8000);
        let text = format!("{filler}\n{}\n{filler}", self.planter.story());
        let list: Vec<Value> =
            (0..4000).map(|n| json!({"n": n, "filler": "some words that fill a line of a list"})).collect();
        let draft = json!({"session": "drafts", "kind": "note.added",
            "data": {"text": text, "body": {"list": list, "secret": self.planter.structure()}}});
        self.feed(door, &draft.to_string()).ok();
    }

    fn bad_drafts(&mut self, door: &[&str]) {
        let name = door.join(" ");
        let drafts: &[(&str, MakeLine)] = &[
            ("unknown key", |p| {
                json!({"session": "s", "kind": "note.added", p.token(): 1, "data": {}}).to_string()
            }),
            ("unknown kind", |p| json!({"session": "s", "kind": p.token(), "data": {}}).to_string()),
            ("kind and its nearest", |p| {
                json!({"session": "s", "kind": format!("note.added {}", p.token()), "data": {}}).to_string()
            }),
            ("session with a slash", |p| {
                json!({"session": format!("../{}", p.token()), "kind": "note.added", "data": {}}).to_string()
            }),
            ("session with a password", |p| {
                json!({"session": format!("a/password={}", p.password()), "kind": "note.added"}).to_string()
            }),
            ("phase", |p| {
                json!({"session": "s", "kind": "reasoning.recorded", "phase": p.token(), "data": {}})
                    .to_string()
            }),
            ("member name", |p| {
                json!({"session": "s", "kind": "note.added", "data": {p.token(): "x"}}).to_string()
            }),
            ("lower member name", |p| {
                let name = p.piece("member", b"abcdefghijklmnopqrstuvwxyz0123456789", 40);
                json!({"session": "s", "kind": "note.added", "data": {format!("ghp_{name}"): "x"}})
                    .to_string()
            }),
            ("data as text", |p| {
                json!({"session": "s", "kind": "note.added", "data": p.story()}).to_string()
            }),
            ("broken JSON", |p| {
                format!("{{\"session\":\"s\",\"kind\":\"note.added\",\"data\":{{\"text\":\"{}\"", p.token())
            }),
            ("no JSON", |p| p.story().replace('\n', " ")),
            ("a string", |p| json!(p.story()).to_string()),
            ("reserved", |p| json!({"session": "s", "kind": "note.added", "origin": p.token()}).to_string()),
            ("number key", |p| {
                json!({"session": "s", "kind": "note.added", "key": {"password": p.password()}}).to_string()
            }),
        ];
        for (what, make) in drafts {
            self.planter.at(&format!("{name}, {what}"));
            let line = make(&mut self.planter);
            let ran = self.feed(door, &line);
            assert!(matches!(ran.code, Some(0 | 2)), "{what}: {}", ran.err);
        }
    }

    /// Imports a transcript, twice.
    fn import(&mut self, path: &str, text: &str) {
        let file = self.file(path, text);
        let path = file.to_str().unwrap();
        self.run(&["import", path]).ok();
        let again = self.run(&["import", path, "--json"]).ok().json();
        assert_eq!(again["total"]["stored"], 0, "{again}");
        assert!(again["files"][0]["importer"].is_string(), "{again}");
    }

    /// Everything that shows anything.
    fn ask(&mut self) {
        self.planter.at("asking");
        for args in [
            &["sessions"][..],
            &["sessions", "--json"],
            &["stats"],
            &["stats", "--json"],
            &["doctor"],
            &["doctor", "--json"],
            &["verify"],
            &["verify", "--json"],
            &["search", "token", "-n", "1000", "-C", "2"],
            &["search", "token expired", "--json", "-n", "1000"],
            &["search", "has:redaction", "--no-index", "-n", "1000"],
            &["search", "password* OR configuration OR key", "-n", "1000"],
            &["reindex"],
            &["tail", "-n", "1000"],
            &["tail", "-n", "1000", "--json"],
            &["redact", "stats"],
            &["redact", "stats", "--json"],
            &["redact", "rescan"],
            &["redact", "rescan", "--json"],
            &["redact", "rules", "list"],
            &["seal"],
            &["pin"],
            &["spine"],
        ] {
            self.run(args);
        }
        for session in self.house.sessions() {
            for args in [
                &["timeline", &session][..],
                &["timeline", &session, "--json"],
                &["replay", &session],
                &["replay", &session, "--json"],
                &["export", &session],
                &["export", &session, "--format", "markdown"],
                &["verify", &session],
                &["repair", &session],
                &["spine", &session],
                &["prove", &format!("{session}/0")],
            ] {
                self.run(args).ok();
            }
            for seq in 0..self.house.lines(&session).len() {
                self.run(&["show", &format!("{session}/{seq}")]).ok();
            }
        }
        // who knows a secret finds nothing by it
        for (secret, _) in self.planter.planted.clone().iter().step_by(97) {
            self.run(&["search", secret]);
        }
        self.planter.at("redact");
        let story = self.planter.story();
        self.feed(&["redact"], &story).ok();
        let line = json!({"id": 1, "text": self.planter.story()}).to_string();
        self.feed(&["redact", "--ndjson"], &line).ok();
        let line = format!("{{\"id\":1,\"txt\":\"{}\"}}\n{}", self.planter.token(), self.planter.story());
        self.feed(&["redact", "--ndjson"], &line);
    }

    /// What looks for secrets and remembers them.
    fn looks(&mut self) {
        self.planter.at("redact, a long stream");
        let filler = "nothing to see here, and a line for it\n".repeat(5000);
        let stories: Vec<String> = (0..3).map(|_| self.planter.story()).collect();
        self.feed(&["redact"], &stories.join(&filler)).ok();
        self.planter.at("redact learn -");
        let values = [self.planter.token(), self.planter.password(), self.planter.base62("learned", 40)];
        self.feed(&["redact", "learn", "-"], &values.join("\n")).ok();
        let text = format!("so I tried {} and password={} and {}", values[0], values[1], values[2]);
        self.run(&["record", "--session", "learned", "--kind", "note.added", "--text", &text]).ok();
        self.planter.at("redact scan");
        let text = format!("{}\n{}", self.planter.story(), json!({"body": self.planter.structure()}));
        let file = self.file("scanned/notes.txt", &text);
        for args in [&["redact", "scan"][..], &["redact", "scan", "--json"]] {
            self.run(&[args, &[file.to_str().unwrap()]].concat()).exit(1);
        }
        self.planter.at("redact rules test");
        let story = self.planter.story();
        self.run(&["redact", "rules", "test", &story]);
        let story = self.planter.story();
        self.feed(&["redact", "rules", "test", "-"], &story);
        self.planter.at("redact rules import");
        let regex = format!("({}", self.planter.token());
        let broken = format!("[[rules]]\nid = \"x\"\nregex = '{regex}'\nkeywords = [\"acme\"]\n");
        let file = self.file("rules/gitleaks.toml", &broken);
        self.run(&["redact", "rules", "import", file.to_str().unwrap()]);
        self.planter.at("redact trace");
        let wanted = self.planter.token();
        self.run(&["redact", "trace", &wanted]);
    }
}

impl Doors {
    /// Nothing that was planted is in any file of the house, in its name, or in what was printed. The files.
    fn is_clean(&self) -> Vec<PathBuf> {
        let wanted = Wanted::new(&self.planter.planted);
        println!("{} pieces of secrets are looked for", self.planter.planted.len());
        // one line for each secret that got out, however often it did
        let mut leaks: BTreeMap<String, (String, usize)> = BTreeMap::new();
        let mut look = |place: &str, bytes: &[u8]| {
            for (label, around) in wanted.find(bytes) {
                leaks.entry(label).or_insert_with(|| (format!("{place}: …{around}…"), 0)).1 += 1;
            }
        };
        let files = files_under(&self.house.path(""));
        for file in &files {
            let name = file.strip_prefix(self.house.path("")).unwrap().to_str().unwrap();
            look("the name of a file", name.as_bytes());
            look(name, &fs::read(file).unwrap());
        }
        for (what, printed) in &self.printed {
            look(what, printed);
        }
        let told =
            leaks.iter().map(|(label, (first, times))| format!("{label}, {times} times, first in {first}\n"));
        assert!(leaks.is_empty(), "{} secrets got out:\n{}", leaks.len(), told.collect::<String>());
        files
    }
}

/// Makes a line with secrets in it.
type MakeLine = fn(&mut Planter) -> String;

#[test]
fn no_byte_of_a_secret_that_came_through_any_door_is_anywhere() {
    let mut doors = Doors::new();
    doors.flags();
    for door in [&["record"][..], &["import", "-"]] {
        doors.drafts(door);
        doors.bad_drafts(door);
    }
    transcripts::claude_code(&mut doors);
    transcripts::codex(&mut doors);
    commands::bazinga_db(&mut doors);
    commands::mcp(&mut doors);
    team::all(&mut doors);
    commands::investigation(&mut doors);
    doors.looks();
    doors.ask();
    assert!(doors.planter.planted.len() > 3000);
    let files = doors.is_clean();
    assert!(files.iter().any(|file| file.ends_with("meta.json")), "the index is there");
    let in_blobs = |file: &PathBuf| file.components().any(|part| part.as_os_str() == "blobs");
    assert!(files.iter().any(in_blobs), "blobs are there");
}

#[test]
fn no_byte_of_a_secret_that_any_tool_wrote_or_any_hook_told_is_anywhere() {
    let mut doors = Doors::new();
    formats::samples(&mut doors);
    formats::hooks(&mut doors);
    doors.planter.at("asking");
    for args in
        [&["verify"][..], &["search", "tried", "-n", "1000", "--json"], &["tail", "-n", "1000"], &["stats"]]
    {
        doors.run(args).ok();
    }
    for session in doors.house.sessions() {
        for args in
            [&["timeline", &session, "--json"][..], &["export", &session], &["show", &format!("{session}/1")]]
        {
            doors.run(args);
        }
    }
    assert!(doors.planter.planted.len() > 1200);
    doors.is_clean();
}
