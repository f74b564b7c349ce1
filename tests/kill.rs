//! Kill: `kill -9` at any moment, and everything that was acknowledged is there, once.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::{Dice, House};

const WRITERS: usize = 8;
const VICTIMS: usize = 3;
const EVENTS: usize = 1000;

/// When a writer is to be killed: so long after so many of its receipts.
#[derive(Debug, Clone, Copy)]
struct Moment {
    receipts: usize,
    pause: Duration,
}

fn text(writer: usize, number: usize) -> String {
    format!("writer {writer} event {number}")
}

fn write_drafts(mut stdin: ChildStdin, writer: usize) {
    for number in 0..EVENTS {
        let draft = json!({
            "session": "shared", "kind": "note.added", "agent": format!("w{writer}"),
            "data": {"text": text(writer, number)},
        });
        // a killed reader closes the pipe
        if writeln!(stdin, "{draft}").is_err() {
            return;
        }
    }
}

/// Every receipt that was written whole, up to the end of the writer.
fn read_receipts(child: &mut Child, stdout: ChildStdout, kill_at: Option<Moment>) -> Vec<Value> {
    let mut receipts = Vec::new();
    let mut stdout = BufReader::new(stdout);
    let mut line = Vec::new();
    while stdout.read_until(b'\n', &mut line).unwrap() > 0 && line.ends_with(b"\n") {
        receipts.push(serde_json::from_slice(&line).unwrap());
        line.clear();
        if let Some(moment) = kill_at.filter(|moment| moment.receipts == receipts.len()) {
            thread::sleep(moment.pause);
            child.kill().unwrap();
        }
    }
    receipts
}

fn one_writer(house: &House, writer: usize, kill_at: Option<Moment>) -> Vec<Value> {
    let mut child = house.command(&["record"]).stdin(Stdio::piped()).spawn().unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let receipts = thread::scope(|scope| {
        scope.spawn(move || write_drafts(stdin, writer));
        read_receipts(&mut child, stdout, kill_at)
    });
    let status = child.wait().unwrap();
    assert_eq!(status.success(), kill_at.is_none(), "writer {writer}: {status}");
    receipts
}

#[test]
fn eight_writers_of_one_session_and_three_kills_lose_and_double_nothing_acknowledged() {
    let mut dice = Dice::new("kill writers");
    let house = House::new();
    let mut moment = |writer: usize| {
        (writer < VICTIMS).then(|| Moment {
            receipts: 20 + dice.below(EVENTS - 100),
            pause: Duration::from_micros(dice.below(8000) as u64),
        })
    };
    let plan: Vec<Option<Moment>> = (0..WRITERS).map(&mut moment).collect();
    println!("{:?}", &plan[..VICTIMS]);
    let house = &house;
    let acknowledged: Vec<Vec<Value>> = thread::scope(|scope| {
        let run = |(writer, moment): (usize, &Option<Moment>)| {
            let moment = *moment;
            scope.spawn(move || one_writer(house, writer, moment))
        };
        let running: Vec<_> = plan.iter().enumerate().map(run).collect();
        running.into_iter().map(|writer| writer.join().unwrap()).collect()
    });

    let mut stored: HashMap<String, (u64, String)> = HashMap::new();
    // the last line may be torn, if the last kill tore it: what is behind the last LF is not an event
    for (number, line) in house.lines("shared").iter().filter(|line| line.ends_with(b"\n")).enumerate() {
        let event: Value = serde_json::from_slice(line).unwrap();
        let seq = event["seq"].as_u64().unwrap();
        assert_eq!(seq, number as u64, "sequences have a gap");
        if event["kind"] == "note.added" {
            let hash = event["hash"].as_str().unwrap().to_owned();
            let text = event["data"]["text"].as_str().unwrap().to_owned();
            assert_eq!(stored.insert(text.clone(), (seq, hash)), None, "{text:?} is stored twice");
        }
    }
    for (writer, receipts) in acknowledged.iter().enumerate() {
        for (number, receipt) in receipts.iter().enumerate() {
            let (seq, hash) = &stored[&text(writer, number)];
            assert_eq!(
                (receipt["seq"].as_u64(), receipt["hash"].as_str()),
                (Some(*seq), Some(hash.as_str()))
            );
            assert_eq!(receipt["durable"], true);
        }
        let of_writer = (0..EVENTS).filter(|number| stored.contains_key(&text(writer, *number))).count();
        if writer < VICTIMS {
            assert!(receipts.len() < EVENTS, "writer {writer} was done before it was killed");
            // at most the one that was under way is stored and not acknowledged
            let unsaid = of_writer - receipts.len();
            assert!(unsaid <= 1, "writer {writer}: {unsaid} events without a receipt");
        } else {
            assert_eq!((receipts.len(), of_writer), (EVENTS, EVENTS), "writer {writer}");
        }
    }
    house.verify_or_mend();
}

/// A transcript of `count` records, as Claude Code writes them; each answer repeats its words so often.
fn transcript(folder: &Path, count: usize, long: usize) -> std::path::PathBuf {
    let session = "7c6e2a50-1111-4222-8333-444455556666";
    let mut lines = String::new();
    let id = |number: usize| format!("00000000-0000-4000-8000-{number:012}");
    for number in 0..count {
        let (kind, message) = if number % 2 == 0 {
            ("user", json!({"role": "user", "content": format!("question {number} about the parser")}))
        } else {
            let words = format!("the lexer w{} ", number % 97);
            let content =
                json!([{"type": "text", "text": format!("answer {number}: {}", words.repeat(long))}]);
            let usage = json!({"input_tokens": 3, "output_tokens": 5});
            (
                "assistant",
                json!({"id": format!("msg_{number}"), "role": "assistant", "model": "claude-x",
                "content": content, "stop_reason": null, "usage": usage}),
            )
        };
        let parent = number.checked_sub(1).map(id);
        let record = json!({
            "parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/work", "version": "2.1.200",
            "sessionId": session, "type": kind, "uuid": id(number), "message": message,
            "timestamp": format!("2026-07-03T{:02}:{:02}:{:02}.000Z", number / 3600, number / 60 % 60, number % 60),
        });
        lines.push_str(&record.to_string());
        lines.push('\n');
    }
    let file = folder.join(format!("{session}.jsonl"));
    fs::write(&file, lines).unwrap();
    file
}

fn kill_after(house: &House, args: &[&str], time: Duration) {
    let mut child = house.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    thread::sleep(time);
    child.kill().unwrap();
    child.wait().unwrap();
}

fn part(whole: Duration, percent: usize) -> Duration {
    whole * u32::try_from(percent).unwrap() / 100
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

#[test]
fn an_import_that_was_killed_again_and_again_ends_with_what_one_import_gives() {
    let mut dice = Dice::new("kill imports");
    let whole = House::new();
    let file = transcript(&whole.path("home"), 1500, 1);
    let file = file.to_str().unwrap();
    let long = timed(|| drop(whole.run(&["import", file]).ok()));
    let killed = House::new();
    for _ in 0..6 {
        kill_after(&killed, &["import", file], part(long, dice.below(100)));
        killed.verify_or_mend();
    }
    killed.run(&["import", file]).ok();
    assert_eq!(killed.told(), whole.told());
    killed.run(&["verify"]).ok();
}

/// What a search answers, without the question where the answer came from.
fn answer(house: &House, query: &str, more: &[&str]) -> Value {
    let mut args = vec!["search", query, "--json", "-n", "50"];
    args.extend(more);
    let mut document = house.run(&args).json();
    assert_eq!(document["complete"], true, "{query}");
    document.as_object_mut().unwrap().remove("as_of");
    document
}

#[test]
fn an_index_whose_maker_was_killed_answers_like_the_journal() {
    let mut dice = Dice::new("kill indexers");
    let house = House::new();
    // more than is rather looked at than indexed: a search makes the index
    let file = transcript(&house.path("home"), 1500, 400);
    house.run(&["import", file.to_str().unwrap()]).ok();
    let queries =
        ["parser", "w13 -answer", "\"the lexer w5\"", "kind:message.recorded w7*", "role:user 1499 OR 3"];
    let expected = queries.map(|query| answer(&house, query, &["--no-index"]));
    let compare = |what: &str| {
        for (query, expected) in queries.iter().zip(&expected) {
            assert_eq!(&answer(&house, query, &[]), expected, "{query} after a kill of {what}");
        }
    };
    let index = house.store().join("index");
    let long = timed(|| drop(house.run(&["search", "parser"]).ok()));
    compare("nothing");
    assert!(index.is_dir(), "a search made no index");
    for round in 0..8 {
        let wait = part(long, dice.below(120));
        if round % 2 == 0 {
            kill_after(&house, &["reindex"], wait);
            compare("reindex");
        } else {
            match fs::remove_dir_all(&index) {
                // a search that found somebody's lock of a moment ago looked at the journal instead
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => panic!("{error}"),
                _ => {}
            }
            kill_after(&house, &["search", "parser"], wait);
            compare("search");
        }
    }
    house.run(&["verify"]).ok();
}
