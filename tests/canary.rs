//! Canary: secrets planted through every door, and no byte of them anywhere afterwards.
//!
//! Every door has secrets of its own, so that a find names its door. Each is looked for in any letter case,
//! as it is, percent-encoded, as hex and as base64, in every file of the house, in the names of files, and in
//! everything that was printed. What is looked for is any 12 characters of a secret in a row: a secret that
//! is only partly redacted is found too.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::house::{Dice, House, Ran, files_under};

/// So much of a secret in a row is a find.
const WINDOW: usize = 12;
/// The same for hex, where chance is more likely.
const HEX_WINDOW: usize = 20;

// ── secrets ──────────────────────────────────────────────────────────────────────────────────────────────

const BASE62: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

fn random(dice: &mut Dice, alphabet: &[u8], length: usize) -> String {
    (0..length).map(|_| char::from(alphabet[dice.below(alphabet.len())])).collect()
}

/// Makes secrets, and remembers what nobody may ever read again.
struct Planter {
    dice: Dice,
    /// A piece of a secret, and where it was planted.
    planted: Vec<(String, String)>,
    door: String,
}

impl Planter {
    fn new() -> Self {
        Self { dice: Dice::of(20_261_127), planted: Vec::new(), door: String::new() }
    }

    fn at(&mut self, door: &str) {
        door.clone_into(&mut self.door);
    }

    fn piece(&mut self, family: &str, alphabet: &[u8], length: usize) -> String {
        let piece = random(&mut self.dice, alphabet, length);
        self.planted.push((piece.clone(), format!("{family} at {}", self.door)));
        piece
    }

    fn base62(&mut self, family: &str, length: usize) -> String {
        self.piece(family, BASE62, length)
    }

    /// A token that its prefix gives away, whatever stands around it.
    fn token(&mut self) -> String {
        match self.dice.below(8) {
            0 => format!("ghp_{}", self.base62("github", 36)),
            1 => format!("AKIA{}", self.piece("aws", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)),
            2 => format!("sk-ant-api03-{}", self.base62("anthropic", 40)),
            3 => format!("xoxb-{}", self.base62("slack", 24)),
            4 => format!("sk_live_{}", self.base62("stripe", 24)),
            5 => format!("glpat-{}", self.base62("gitlab", 20)),
            6 => format!("AIza{}", self.base62("google", 35)),
            _ => format!("npm_{}", self.base62("npm", 36)),
        }
    }

    /// A password: nothing but what stands around it gives it away.
    fn password(&mut self) -> String {
        self.base62("password", 16)
    }

    /// A dozen families and more, in ordinary text, their names in every letter case.
    fn story(&mut self) -> String {
        let mut lines = vec!["I looked at the configuration and found the following.".to_owned()];
        lines.push(format!("gh auth login with ghp_{} works", self.base62("github", 36)));
        lines.push(format!(
            "export AWS_ACCESS_KEY_ID=AKIA{}",
            self.piece("aws id", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)
        ));
        lines.push(format!("aws_secret_access_key = {}", self.base62("aws secret", 40)));
        lines.push(format!("ANTHROPIC_API_KEY=sk-ant-api03-{}", self.base62("anthropic", 48)));
        lines.push(format!("the key sk-proj-{} is from openai", self.base62("openai", 40)));
        lines.push(format!("slack: xoxb-{}", self.base62("slack", 30)));
        lines.push(format!("stripe sk_live_{}", self.base62("stripe", 24)));
        lines.push(format!("glpat-{} for gitlab", self.base62("gitlab", 20)));
        lines.push(format!("SG.{}.{} for mail", self.base62("sendgrid", 22), self.base62("sendgrid", 43)));
        for name in ["password", "PASSWORD", "Password", "DB_PASSWORD", "db_password", "Db_PassWord"] {
            lines.push(format!("{name}={}", self.password()));
        }
        for name in ["client_secret", "CLIENT_SECRET", "clientSecret", "Api-Key", "API_KEY", "apikey"] {
            lines.push(format!("{name}: \"{}\"", self.base62(name, 32)));
        }
        lines.push(format!("postgres://app:{}@db.internal:5432/app", self.password()));
        lines.push(format!("REDIS_URL=redis://:{}@cache:6379/0", self.password()));
        lines.push(format!("git clone https://dev:{}@git.example.com/a.git", self.password()));
        for name in ["Authorization", "authorization", "AUTHORIZATION"] {
            lines.push(format!("{name}: Bearer {}", self.piece("bearer", b"0123456789abcdef", 44)));
        }
        lines.push(format!("curl -H 'X-Api-Key: {}' https://api.example.com", self.base62("header", 32)));
        lines.push(format!("curl -u admin:{} https://api.example.com", self.password()));
        lines.push(format!("mysql -u root --password={} app", self.password()));
        lines.push(format!(
            "token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{}.{} in the cookie",
            self.base62("jwt", 60),
            self.base62("jwt", 43)
        ));
        lines.push(self.pem());
        lines.push("That is all, and the token expired.".to_owned());
        lines.join("\n")
    }

    fn pem(&mut self) -> String {
        let body: Vec<String> = (0..6).map(|_| self.base62("private key", 64)).collect();
        format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", body.join("\n"))
    }

    /// The same as JSON: names give values away, keys and numbers too.
    fn structure(&mut self) -> Value {
        let number = self.piece("number", b"123456789", 14).parse::<u64>().unwrap();
        json!({
            "password": self.password(),
            "dbPassword": [self.password(), {"deep": {"deeper": [self.story()]}}],
            "PIN_CODE_PASSWORD": number,
            "env": {"GITHUB_TOKEN": self.base62("env", 40), "Secret_Key": self.base62("env", 40)},
            "headers": [{"name": "Authorization", "value": format!("Bearer {}", self.base62("header", 40))}],
            "arguments": json!({"api_key": self.base62("nested JSON", 32), "cmd": self.story()}).to_string(),
            self.token(): {"key": "is the secret"},
            "url": format!("https://x:{}@host/path?access_token={}", self.password(), self.base62("query", 32)),
        })
    }
}

// ── looking ──────────────────────────────────────────────────────────────────────────────────────────────

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn percent(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("%{byte:02x}")).collect()
}

/// Base64 without the characters at the ends that depend on what stands beside.
fn base64(bytes: &[u8], shift: usize) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let whole = &bytes[shift..];
    let whole = &whole[..whole.len() / 3 * 3];
    let digit = |n: u32| char::from(DIGITS[(n & 63) as usize]);
    let group = |group: &[u8]| {
        let n = group.iter().fold(0, |n, byte| n << 8 | u32::from(*byte));
        [digit(n >> 18), digit(n >> 12), digit(n >> 6), digit(n)]
    };
    whole.chunks(3).flat_map(group).collect()
}

/// Everything that is looked for, in lower case: what is read is turned into lower case, too.
struct Wanted {
    /// Windows, and what they belong to.
    windows: HashMap<Vec<u8>, usize>,
    lengths: Vec<usize>,
    /// Whether anything begins with these two bytes.
    begins: Vec<bool>,
    labels: Vec<String>,
}

impl Wanted {
    fn new(planted: &[(String, String)]) -> Self {
        let labels = planted.iter().map(|(_, label)| label.clone()).collect();
        let mut wanted = Self {
            windows: HashMap::new(),
            lengths: vec![WINDOW, HEX_WINDOW],
            begins: vec![false; 1 << 16],
            labels,
        };
        for (number, (secret, _)) in planted.iter().enumerate() {
            wanted.add(secret.as_bytes(), WINDOW, number);
            for cased in [secret.clone(), secret.to_lowercase(), secret.to_uppercase()] {
                let bytes = cased.as_bytes();
                wanted.add(hex(bytes).as_bytes(), HEX_WINDOW, number);
                wanted.add(percent(bytes).as_bytes(), HEX_WINDOW, number);
                (0..3).for_each(|shift| wanted.add(base64(bytes, shift).as_bytes(), WINDOW, number));
            }
        }
        wanted
    }

    fn add(&mut self, bytes: &[u8], window: usize, number: usize) {
        for part in bytes.to_ascii_lowercase().windows(window) {
            self.begins[usize::from(part[0]) << 8 | usize::from(part[1])] = true;
            self.windows.insert(part.to_vec(), number);
        }
    }

    /// Whose secrets these bytes hold, each once.
    fn find(&self, bytes: &[u8]) -> Vec<String> {
        let bytes = bytes.to_ascii_lowercase();
        let mut found: Vec<String> = Vec::new();
        for (at, pair) in bytes.windows(2).enumerate() {
            if !self.begins[usize::from(pair[0]) << 8 | usize::from(pair[1])] {
                continue;
            }
            for length in &self.lengths {
                let number = bytes.get(at..at + length).and_then(|window| self.windows.get(window));
                if let Some(number) = number {
                    let around = &bytes[at.saturating_sub(40)..(at + 40).min(bytes.len())];
                    let find = format!("{} …{}…", self.labels[*number], around.escape_ascii());
                    let known = |known: &String| known.starts_with(&format!("{} ", self.labels[*number]));
                    if !found.iter().any(known) {
                        found.push(find);
                    }
                }
            }
        }
        found
    }
}

#[test]
fn a_secret_is_found_however_it_is_written() {
    let mut planter = Planter::new();
    planter.at("the test");
    let secret = planter.password();
    let wanted = Wanted::new(&planter.planted);
    let bytes = secret.as_bytes();
    for hidden in [
        secret.clone(),
        secret.to_uppercase(),
        secret[2..14].to_owned(),
        hex(bytes),
        hex(bytes).to_uppercase(),
        percent(bytes),
        base64(bytes, 0),
        base64(format!("x{secret}").as_bytes(), 0),
        base64(format!("xy{secret}z").as_bytes(), 0),
        base64(secret.to_lowercase().as_bytes(), 0),
    ] {
        assert_eq!(wanted.find(format!("before {hidden} behind").as_bytes()).len(), 1, "{hidden}");
    }
    assert!(wanted.find(secret[2..13].as_bytes()).is_empty());
    assert!(wanted.find(random(&mut Dice::of(1), BASE62, 100_000).as_bytes()).is_empty());
}

// ── doors ────────────────────────────────────────────────────────────────────────────────────────────────

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
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
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
        let drafts: &[(&str, &dyn Fn(&mut Planter) -> String)] = &[
            ("unknown key", &|p| {
                json!({"session": "s", "kind": "note.added", p.token(): 1, "data": {}}).to_string()
            }),
            ("unknown kind", &|p| json!({"session": "s", "kind": p.token(), "data": {}}).to_string()),
            ("kind and its nearest", &|p| {
                json!({"session": "s", "kind": format!("note.added {}", p.token()), "data": {}}).to_string()
            }),
            ("session with a slash", &|p| {
                json!({"session": format!("../{}", p.token()), "kind": "note.added", "data": {}}).to_string()
            }),
            ("session with a password", &|p| {
                json!({"session": format!("a/password={}", p.password()), "kind": "note.added"}).to_string()
            }),
            ("phase", &|p| {
                json!({"session": "s", "kind": "reasoning.recorded", "phase": p.token(), "data": {}})
                    .to_string()
            }),
            ("member name", &|p| {
                json!({"session": "s", "kind": "note.added", "data": {p.token(): "x"}}).to_string()
            }),
            ("lower member name", &|p| {
                let name = p.piece("member", b"abcdefghijklmnopqrstuvwxyz0123456789", 40);
                json!({"session": "s", "kind": "note.added", "data": {format!("ghp_{name}"): "x"}})
                    .to_string()
            }),
            ("data as text", &|p| {
                json!({"session": "s", "kind": "note.added", "data": p.story()}).to_string()
            }),
            ("broken JSON", &|p| {
                format!("{{\"session\":\"s\",\"kind\":\"note.added\",\"data\":{{\"text\":\"{}\"", p.token())
            }),
            ("no JSON", &|p| p.story().replace('\n', " ")),
            ("a string", &|p| json!(p.story()).to_string()),
            ("reserved", &|p| json!({"session": "s", "kind": "note.added", "origin": p.token()}).to_string()),
            ("number key", &|p| {
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

    fn claude_code(&mut self) {
        let p = &mut self.planter;
        let mut lines: Vec<String> = Vec::new();
        let mut number = 0;
        let session = "5a5a5a5a-0000-4000-8000-000000000000";
        let mut record = |lines: &mut Vec<String>, mut fields: Value| {
            number += 1;
            let common = json!({"uuid": format!("00000000-0000-4000-8000-{number:012}"), "parentUuid": null,
                "sessionId": session, "isSidechain": false, "userType": "external", "version": "2.1.200",
                "cwd": "/work", "timestamp": format!("2026-07-03T00:00:{number:02}.000Z")});
            let fields = fields.as_object_mut().unwrap();
            for (name, value) in common.as_object().unwrap() {
                fields.entry(name.clone()).or_insert_with(|| value.clone());
            }
            lines.push(Value::Object(fields.clone()).to_string());
        };
        let user = |content: Value| json!({"role": "user", "content": content});
        let assistant = |id: String, content: Value| {
            json!({"id": id, "role": "assistant", "model": "claude-x",
            "content": content, "stop_reason": null, "usage": {"input_tokens": 1, "output_tokens": 1}})
        };

        p.at("claude-code, prompt");
        record(&mut lines, json!({"type": "user", "message": user(json!(p.story()))}));
        p.at("claude-code, thinking");
        let thought = json!([{"type": "thinking", "thinking": p.story(), "signature": "c2ln"}]);
        record(&mut lines, json!({"type": "assistant", "message": assistant("msg_1".into(), thought)}));
        p.at("claude-code, text");
        record(
            &mut lines,
            json!({"type": "assistant",
            "message": assistant("msg_2".into(), json!([{"type": "text", "text": p.story()}]))}),
        );
        p.at("claude-code, tool input");
        let input = json!({"command": p.story(), "env": p.structure()});
        record(
            &mut lines,
            json!({"type": "assistant", "message": assistant("msg_3".into(),
            json!([{"type": "tool_use", "id": "toolu_01AAAAAAAAAAAAAAAAAAAAAA", "name": "Bash", "input": input}]))}),
        );
        p.at("claude-code, tool result");
        let result = json!([{"type": "tool_result", "tool_use_id": "toolu_01AAAAAAAAAAAAAAAAAAAAAA",
            "content": [{"type": "text", "text": p.story()}], "is_error": false}]);
        let more = json!({"stdout": p.story(), "stderr": p.story(), "file": {"content": p.story(), "filePath": "/w/.env"},
            "structuredPatch": [{"lines": [format!("+PASSWORD={}", p.password())]}], "ext": p.structure()});
        record(&mut lines, json!({"type": "user", "message": user(result), "toolUseResult": more}));
        p.at("claude-code, toolUseResult as text");
        record(
            &mut lines,
            json!({"type": "user", "toolUseResult": format!("Error: {}", p.story()),
            "message": user(json!([{"type": "tool_result", "tool_use_id": "toolu_01B", "content": p.story(), "is_error": true}]))}),
        );
        p.at("claude-code, a result over 256 KiB");
        let long = format!("{0}{1}{0}", "words of an output ".repeat(9000), p.story());
        record(
            &mut lines,
            json!({"type": "user", "toolUseResult": {"stdout": long.clone()},
            "message": user(json!([{"type": "tool_result", "tool_use_id": "toolu_01C", "content": long}]))}),
        );
        for field in [
            "cwd",
            "gitBranch",
            "slug",
            "version",
            "entrypoint",
            "requestId",
            "agentId",
            "uuid",
            "parentUuid",
            "promptId",
            "effort",
        ] {
            p.at(&format!("claude-code, {field}"));
            record(
                &mut lines,
                json!({"type": "user", field: format!("/x/{}", p.token()), "message": user(json!("x"))}),
            );
        }
        p.at("claude-code, ids and names");
        record(
            &mut lines,
            json!({"type": "assistant", "message": assistant(p.token(), json!([
            {"type": "tool_use", "id": p.token(), "name": p.token(), "input": {"subagent_type": p.token(), "prompt": p.story()}}]))}),
        );
        p.at("claude-code, Task");
        record(
            &mut lines,
            json!({"type": "assistant", "message": assistant("msg_9".into(), json!([
            {"type": "tool_use", "id": "toolu_01D", "name": "Task",
             "input": {"subagent_type": p.token(), "description": p.token(), "prompt": p.story()}}]))}),
        );
        p.at("claude-code, summary");
        lines.push(json!({"type": "summary", "summary": p.story(), "leafUuid": "00000000-0000-4000-8000-000000000001"}).to_string());
        lines.push(
            json!({"type": "custom-title", "customTitle": p.token(), "sessionId": session}).to_string(),
        );
        lines.push(json!({"type": "ai-title", "aiTitle": p.token(), "sessionId": session}).to_string());
        p.at("claude-code, system");
        record(
            &mut lines,
            json!({"type": "system", "subtype": "api_error", "content": p.story(), "error": p.structure()}),
        );
        record(&mut lines, json!({"type": "system", "subtype": p.token(), "content": p.story()}));
        p.at("claude-code, attachment");
        record(
            &mut lines,
            json!({"type": "attachment", "attachment": {"type": "hook_success", "hookName": p.token(), "stdout": p.story(), "stderr": p.story()}}),
        );
        record(
            &mut lines,
            json!({"type": "attachment", "attachment": {"type": "nested_memory", "content": p.structure()}}),
        );
        p.at("claude-code, queue and progress");
        lines.push(json!({"type": "queue-operation", "operation": "enqueue", "content": p.story(), "sessionId": session, "timestamp": "2026-07-03T00:00:00.000Z"}).to_string());
        record(
            &mut lines,
            json!({"type": "progress", "toolUseID": "toolu_01D", "data": {"type": "bash_progress", "output": p.story()}}),
        );
        p.at("claude-code, snapshot");
        lines.push(json!({"type": "file-history-snapshot", "messageId": "m", "isSnapshotUpdate": false,
            "snapshot": {"messageId": "m", "timestamp": "2026-07-03T00:00:00.000Z", "trackedFileBackups": {format!("/w/{}.env", p.token()): {"backup": p.token()}}}}).to_string());
        p.at("claude-code, unknown record");
        record(&mut lines, json!({"type": "brand-new-type", "content": p.structure(), p.token(): p.story()}));
        p.at("claude-code, too deep");
        record(&mut lines, json!({"type": "user", "message": user(json!("x")), "deep": 0}));
        let last = lines.pop().unwrap();
        lines.push(last.replace(
            "\"deep\":0",
            &format!("\"deep\":{}\"{}\"{}", "[".repeat(200), p.token(), "]".repeat(200)),
        ));
        p.at("claude-code, a broken line");
        let broken = json!({"type": "user", "message": user(json!(p.story()))}).to_string();
        lines.push(broken[..broken.len() - 3].to_owned());
        lines.push(format!("no JSON at all {}", p.story().replace('\n', " ")));
        lines.push(format!("{}{}", p.token(), "\0".repeat(500)));
        p.at("claude-code, a torn last line");
        let torn =
            json!({"type": "user", "sessionId": session, "message": user(json!(p.story()))}).to_string();
        let text = lines.join("\n") + "\n" + &torn[..torn.len() - 8];
        p.at("claude-code, names of folder and file");
        let path = format!("projects/-w-{}/{}.jsonl", p.token(), p.token());
        let file = self.file(&path, &text);
        self.import(&file);

        self.planter.at("claude-code, sessionId");
        let (id, text) = (self.planter.token(), self.planter.story());
        let line = json!({"type": "user", "uuid": "00000000-0000-4000-9000-000000000001", "parentUuid": null, "sessionId": id,
            "isSidechain": false, "cwd": "/w", "version": "2", "userType": "external", "timestamp": "2026-07-03T00:00:00.000Z",
            "message": {"role": "user", "content": text}});
        let file = self.file("projects/-w/plain.jsonl", &format!("{line}\n"));
        self.import(&file);

        self.planter.at("claude-code, a subagent's file");
        let text = self.planter.story();
        let agent = self.planter.token();
        let line = json!({"type": "user", "uuid": "00000000-0000-4000-a000-000000000001", "parentUuid": null, "sessionId": session,
            "isSidechain": true, "agentId": "abc1234", "cwd": "/w", "version": "2", "userType": "external",
            "timestamp": "2026-07-03T00:00:00.000Z", "message": {"role": "user", "content": text}});
        let folder = format!("projects/-w/{}/subagents", self.planter.token());
        let file = self.file(&format!("{folder}/agent-abc1234.jsonl"), &format!("{line}\n"));
        self.file(&format!("{folder}/agent-abc1234.meta.json"), &json!({"agentType": agent}).to_string());
        self.import(&file);
        self.planter.at("claude-code, a file that is nothing");
        let text = self.planter.story();
        let name = format!("{}.jsonl", self.planter.token());
        let file = self.file(&name, &text);
        self.run(&["import", file.to_str().unwrap()]);
    }

    fn codex(&mut self) {
        let p = &mut self.planter;
        let mut lines: Vec<String> = Vec::new();
        let mut record = |kind: &str, payload: Value| {
            lines.push(
                json!({"timestamp": "2026-07-03T00:00:00.000Z", "type": kind, "payload": payload})
                    .to_string(),
            );
        };
        p.at("codex, session_meta");
        record(
            "session_meta",
            json!({"id": "01990000-0000-7000-8000-000000000001", "timestamp": "2026-07-03T00:00:00.000Z",
            "cwd": format!("/w/{}", p.token()), "originator": p.token(), "cli_version": "0.99.0", "instructions": p.story(),
            "git": {"repository_url": format!("https://dev:{}@git.example.com/a", p.password()), "branch": p.token(), "commit_hash": "0"}}),
        );
        p.at("codex, turn_context");
        record(
            "turn_context",
            json!({"cwd": "/w", "model": p.token(), "approval_policy": "never", "summary": p.story()}),
        );
        p.at("codex, message");
        record(
            "response_item",
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": p.story()}]}),
        );
        p.at("codex, reasoning");
        record(
            "response_item",
            json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": p.story()}], "content": [{"type": "reasoning_text", "text": p.story()}], "encrypted_content": null}),
        );
        record("event_msg", json!({"type": "agent_reasoning", "text": p.story()}));
        p.at("codex, call");
        record(
            "response_item",
            json!({"type": "function_call", "name": "shell", "call_id": "call_1",
            "arguments": json!({"command": ["bash", "-lc", p.story()], "env": p.structure()}).to_string()}),
        );
        record(
            "response_item",
            json!({"type": "function_call", "name": p.token(), "call_id": p.token(), "arguments": format!("not json {}", p.story())}),
        );
        record(
            "response_item",
            json!({"type": "local_shell_call", "call_id": "call_2", "status": "completed", "action": {"type": "exec", "command": ["curl", "-u", format!("admin:{}", p.password())], "env": p.structure()}}),
        );
        p.at("codex, output");
        record(
            "response_item",
            json!({"type": "function_call_output", "call_id": "call_1", "output": json!({"output": p.story(), "metadata": {"exit_code": 1}}).to_string()}),
        );
        record(
            "event_msg",
            json!({"type": "exec_command_end", "call_id": "call_1", "stdout": p.story(), "stderr": p.story(), "aggregated_output": p.story(), "exit_code": 0}),
        );
        record(
            "response_item",
            json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": "call_3", "input": p.story()}),
        );
        record(
            "response_item",
            json!({"type": "custom_tool_call_output", "call_id": "call_3", "output": p.story()}),
        );
        p.at("codex, events");
        record("event_msg", json!({"type": "user_message", "message": p.story(), "images": []}));
        record("event_msg", json!({"type": "agent_message", "message": p.story()}));
        record("event_msg", json!({"type": "error", "message": p.story()}));
        record("event_msg", json!({"type": "brand_new", "content": p.structure(), p.token(): 1}));
        record("event_msg", json!({"type": p.token(), "content": p.story()}));
        p.at("codex, compacted");
        record(
            "compacted",
            json!({"message": p.story(), "replacement_history": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": p.story()}]}]}),
        );
        p.at("codex, unknown");
        record("world_state", p.structure());
        record("brand_new", p.structure());
        p.at("codex, a torn last line");
        let torn = json!({"timestamp": "2026-07-03T00:00:00.000Z", "type": "event_msg", "payload": {"type": "agent_message", "message": p.story()}}).to_string();
        let text = lines.join("\n") + "\n" + &torn[..torn.len() - 8];
        p.at("codex, name of the file");
        let path = format!("sessions/2026/07/03/rollout-2026-07-03T00-00-00-{}.jsonl", p.token());
        let file = self.file(&path, &text);
        self.import(&file);
    }

    fn import(&mut self, file: &Path) {
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
}

#[test]
fn no_byte_of_a_secret_that_came_through_any_door_is_anywhere() {
    let mut doors = Doors::new();
    doors.flags();
    for door in [&["record"][..], &["import", "-"]] {
        doors.drafts(door);
        doors.bad_drafts(door);
    }
    doors.claude_code();
    doors.codex();
    doors.ask();

    let wanted = Wanted::new(&doors.planter.planted);
    println!("{} pieces of secrets are looked for", doors.planter.planted.len());
    assert!(doors.planter.planted.len() > 3000);
    let mut leaks: Vec<String> = Vec::new();
    let mut look = |place: &str, bytes: &[u8]| {
        leaks.extend(wanted.find(bytes).iter().map(|find| format!("{place}: {find}")));
    };
    let files = files_under(&doors.house.path(""));
    assert!(files.iter().any(|file| file.ends_with("meta.json")), "the index is there");
    assert!(
        files.iter().any(|file| file.components().any(|part| part.as_os_str() == "blobs")),
        "blobs are there"
    );
    for file in &files {
        look("the name of a file", file.to_str().unwrap().as_bytes());
        look(&file.display().to_string(), &fs::read(file).unwrap());
    }
    for (what, printed) in &doors.printed {
        look(what, printed);
    }
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
}
