//! `recount capture`: transcripts while they grow.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::script::{SESSION, Step, expected, script};
use super::told;
use crate::house::House;

/// A transcript folder, and what follows it.
struct Follow {
    house: House,
    child: Option<Child>,
}

impl Follow {
    fn new() -> Self {
        let house = House::bare();
        fs::create_dir_all(house.path("t")).unwrap();
        Self { house, child: None }
    }

    fn start(&mut self) {
        let folder = self.house.path("t");
        let mut command = self.house.command(&["capture", folder.to_str().unwrap()]);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        self.child = Some(command.spawn().unwrap());
    }

    fn signal(&mut self, signal: &str) -> Option<i32> {
        let mut child = self.child.take().unwrap();
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        child.wait().unwrap().code()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.house.path("t").join(name)
    }

    fn append(&self, name: &str, text: &str) {
        let file = self.file(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        OpenOptions::new().append(true).create(true).open(file).unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn stored(&self, session: &str) -> Vec<Value> {
        if self.house.session(session).is_dir() { self.house.events(session) } else { Vec::new() }
    }

    /// Waits until it is so.
    #[track_caller]
    fn until(&self, what: &str, mut is_so: impl FnMut(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            assert!(begun.elapsed() < Duration::from_mins(1), "{what} did not come");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn once(&self) {
        self.house.run(&["capture", self.house.path("t").to_str().unwrap(), "--once"]).ok();
    }
}

impl Drop for Follow {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn lines() -> Vec<(String, String)> {
    let line = |step| match step {
        Step::Line(file, record) => Some((file, format!("{record}\n"))),
        Step::Hook(_) => None,
    };
    script().into_iter().filter_map(line).collect()
}

fn count(events: &[Value], kind: &str) -> usize {
    events.iter().filter(|event| event["kind"] == kind).count()
}

#[test]
fn a_transcript_is_taken_in_while_it_grows_and_after_a_kill() {
    let mut follow = Follow::new();
    follow.start();
    let lines = lines();
    let half = lines.len() / 2;
    for (file, line) in &lines[..half] {
        // in two halves: what is not whole yet is left to who writes it
        let (begin, end) = line.split_at(line.len() / 2);
        follow.append(file, begin);
        std::thread::sleep(Duration::from_millis(60));
        follow.append(file, end);
    }
    follow.until("the first half", |f| count(&f.stored(SESSION), "skill.invoked") >= 2);
    assert_eq!(follow.signal("-KILL"), None);
    for (file, line) in &lines[half..] {
        follow.append(file, line);
    }
    follow.start();
    follow.until("the rest", |f| f.stored(SESSION).iter().any(|event| event["data"]["text"] == "all done"));
    // a seal is no event: the process ends by itself, and well
    assert_eq!(follow.signal("-TERM"), Some(0));
    assert_eq!(count(&follow.stored(SESSION), "gap.found"), 0);
    let only_lines: BTreeMap<_, _> = expected()
        .into_iter()
        .filter(|(names, _)| !["turn.started", "turn.ended", "permission.asked"].contains(&&*names[0]))
        .collect();
    assert_eq!(told(&follow.house, SESSION), only_lines);
    let keys: Vec<_> =
        follow.stored(SESSION).iter().filter_map(|e| e["key"].as_str().map(str::to_owned)).collect();
    let mut once = keys.clone();
    once.sort();
    once.dedup();
    assert_eq!(keys.len(), once.len(), "nothing is stored twice");
    let before = follow.stored(SESSION).len();
    follow.once();
    follow.house.run(&["import", follow.house.path("t").to_str().unwrap()]).ok();
    assert_eq!(follow.stored(SESSION).len(), before);
    follow.house.run(&["verify"]).ok();
}

#[test]
fn a_torn_line_is_a_gap_until_its_rest_comes() {
    let follow = Follow::new();
    let lines: Vec<(String, String)> = lines().into_iter().filter(|(file, _)| !file.contains('/')).collect();
    follow.append("a.jsonl", &lines[0].1);
    let (begin, end) = lines[1].1.split_at(90);
    follow.append("a.jsonl", begin);
    follow.once();
    assert_eq!(count(&follow.stored(SESSION), "gap.found"), 1);
    assert!(told(&follow.house, SESSION).keys().any(|names| names[0] == "gap.found"));
    follow.append("a.jsonl", end);
    follow.once();
    let told = told(&follow.house, SESSION);
    assert!(told.keys().any(|names| names[0] == "skill.invoked"), "{told:?}");
    assert!(!told.keys().any(|names| names[0] == "gap.found"), "the whole record stands for it: {told:?}");
    let found = follow.house.run(&["search", "kind:gap.found", "--json"]);
    assert_eq!(found.json()["total"], json!(0));
}

#[test]
fn a_file_that_is_cut_replaced_or_packed_adds_nothing_twice() {
    let follow = Follow::new();
    let whole: String =
        lines().into_iter().filter(|(file, _)| !file.contains('/')).map(|(_, line)| line).collect();
    follow.append("a.jsonl", &whole);
    follow.once();
    let before = follow.stored(SESSION).len();
    let file = follow.file("a.jsonl");
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    follow.once();
    fs::write(follow.file("new"), &whole).unwrap();
    fs::rename(follow.file("new"), &file).unwrap();
    follow.once();
    fs::write(follow.file("a.jsonl.zst"), zstd::encode_all(whole.as_bytes(), 1).unwrap()).unwrap();
    fs::remove_file(&file).unwrap();
    follow.once();
    // half of a line is a gap, and the whole one stands for it later
    let gaps = count(&follow.stored(SESSION), "gap.found");
    assert_eq!(follow.stored(SESSION).len() - gaps, before);
}

#[test]
fn what_was_told_stays_when_the_file_goes() {
    let mut follow = Follow::new();
    let whole: String =
        lines().into_iter().filter(|(file, _)| !file.contains('/')).map(|(_, line)| line).collect();
    follow.append("a.jsonl", &whole);
    follow.start();
    follow.until("all of it", |f| f.stored(SESSION).iter().any(|event| event["data"]["text"] == "all done"));
    fs::rename(follow.file("a.jsonl"), follow.file("moved.jsonl")).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    fs::remove_file(follow.file("moved.jsonl")).unwrap();
    let is_gone = |event: &Value| event["data"]["meta"]["source_gone"] == json!(true);
    follow.until("a word that it is gone", |f| f.stored(SESSION).iter().any(is_gone));
    assert_eq!(follow.signal("-TERM"), Some(0));
    assert!(told(&follow.house, SESSION).keys().any(|names| names[3] == "all done"));
}

#[test]
fn what_a_response_cost_is_told_when_it_is_whole() {
    let mut follow = Follow::new();
    let line = |n: u32, block: Value, out: u64| {
        let record = json!({"parentUuid": null, "isSidechain": false, "sessionId": "cost-1", "version": "2.1.200", "type": "assistant",
            "uuid": format!("cccccccc-0000-4000-8000-{n:012}"), "timestamp": format!("2026-11-28T10:00:{n:02}.000Z"), "requestId": "req_1",
            "message": {"id": "msg_1", "role": "assistant", "model": "claude-x", "content": [block], "stop_reason": null,
                "usage": {"input_tokens": 10, "output_tokens": out}}});
        format!("{record}\n")
    };
    follow.append("cost-1.jsonl", &line(1, json!({"type": "text", "text": "first"}), 1));
    follow.start();
    follow
        .until("the first line", |f| f.stored("cost-1").iter().any(|event| event["data"]["text"] == "first"));
    assert_eq!(count(&follow.stored("cost-1"), "model.called"), 0, "the response goes on");
    follow.append("cost-1.jsonl", &line(2, json!({"type": "text", "text": "second"}), 77));
    follow.until("the second line", |f| {
        f.stored("cost-1").iter().any(|event| event["data"]["text"] == "second")
    });
    assert_eq!(follow.signal("-INT"), Some(0));
    let events = follow.stored("cost-1");
    let called: Vec<_> = events.iter().filter(|event| event["kind"] == "model.called").collect();
    assert_eq!((called.len(), &called[0]["usage"]["output"]), (1, &json!(77)));
}

#[test]
fn nothing_to_do_costs_nothing() {
    let mut follow = Follow::new();
    for n in 0..200 {
        let record = json!({"type": "user", "sessionId": format!("idle-{n}"), "uuid": format!("dddddddd-0000-4000-8000-{n:012}"),
            "timestamp": "2026-11-28T10:00:00.000Z", "cwd": "/w", "message": {"role": "user", "content": "hello"}});
        follow.append(&format!("idle-{n}.jsonl"), &format!("{record}\n"));
    }
    follow.start();
    follow.until("all files", |f| f.house.session("idle-199").is_dir());
    // until the last seal is written
    std::thread::sleep(Duration::from_secs(3));
    let id = follow.child.as_ref().unwrap().id();
    let before = ticks(id);
    std::thread::sleep(Duration::from_secs(4));
    let spent = ticks(id) - before;
    assert!(spent <= 4, "{spent} ticks in four seconds of nothing");
    assert_eq!(follow.signal("-TERM"), Some(0));
}

/// Hundredths of a second that a process has run.
fn ticks(id: u32) -> u64 {
    let stat = fs::read_to_string(Path::new("/proc").join(id.to_string()).join("stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}
