//! `recount record`: one event by flags, or drafts as NDJSON; a receipt a line, flushed as it is acknowledged.

use std::io::{Read as _, stdin};

use event::{Draft, Origin};
use import::Drafts;
use recorder::{Durability, Receipt, Recorder};
use serde_json::{Map, Value};

use crate::args::{Global, Record, Sync};
use crate::failure::{Failure, USAGE};
use crate::output::Output;
use crate::place;
use crate::seals::Seals;

/// A text given as an argument shows in the process list and has the system's limit.
const MAX_ARGUMENT_BYTES: usize = 128 * 1024;

pub(crate) fn run(global: &Global, args: Record, out: &mut Output) -> Result<u8, Failure> {
    let durability = Durability::from(args.sync);
    match args.session.clone() {
        Some(session) => {
            let known = args.known.clone();
            let draft = from_flags(&session, args)?;
            let sync = durability == Durability::Batch;
            let mut recorder =
                place::recorder(global, if sync { Durability::Always } else { durability }, &known)?;
            let receipt = recorder.record(draft)?.receipt().clone();
            print(&receipt, out)?;
            Seals::new(&recorder)?.leave(&mut recorder);
            Ok(0)
        }
        None => stream(&mut place::recorder(global, durability, &args.known)?, args.sync, out),
    }
}

fn from_flags(session: &str, args: Record) -> Result<Draft, Failure> {
    let kind = args.kind.ok_or_else(|| {
        Failure::usage("--kind is missing")
            .hint("e.g. --kind reasoning.recorded; drafts on standard input need no flags")
    })?;
    let mut object = Map::new();
    let flags = [
        ("session", Some(session.to_owned())),
        ("kind", Some(kind)),
        ("group", args.group),
        ("agent", args.agent),
        ("agent_id", args.agent_id),
        ("phase", args.phase),
        ("confidence", args.confidence),
        ("key", args.key),
    ];
    object.extend(flags.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Value::from(value?)))));
    if let Some(cause) = args.cause {
        let cause = cause.parse::<u64>().map_or(Value::from(cause), Value::from);
        object.insert("cause".to_owned(), cause);
    }
    object.insert("data".to_owned(), Value::Object(payload(args.text, args.data.as_deref())?));
    Ok(event::draft_from_json(&Value::Object(object).to_string(), Origin::Claimed)?)
}

fn payload(text: Option<String>, data: Option<&str>) -> Result<Map<String, Value>, Failure> {
    let mut payload = match data.map(serde_json::from_str::<Value>) {
        None => Map::new(),
        Some(Ok(Value::Object(map))) => map,
        Some(_) => {
            return Err(Failure::usage("--data takes a JSON object")
                .hint("e.g. --data '{\"references\":[\"src/a.rs\"]}'"));
        }
    };
    let text = match text {
        Some(text) if text == "-" => {
            let mut text = String::new();
            stdin().read_to_string(&mut text).map_err(|e| Failure::io("read standard input", &e))?;
            Some(text)
        }
        Some(text) if text.len() > MAX_ARGUMENT_BYTES => {
            let message = format!("--text has {} bytes, more than {MAX_ARGUMENT_BYTES}", text.len());
            return Err(Failure::usage(message).hint("pass it on standard input with --text -"));
        }
        text => text,
    };
    payload.extend(text.map(|text| ("text".to_owned(), Value::String(text))));
    Ok(payload)
}

/// Drafts from standard input. A bad line is named and the others go on.
fn stream(recorder: &mut Recorder, sync: Sync, out: &mut Output) -> Result<u8, Failure> {
    let mut exit = 0;
    let mut waiting = Vec::new();
    let mut seals = Seals::new(recorder)?;
    for line in Drafts::new(stdin().lock(), Origin::Claimed) {
        let line = line.map_err(|e| Failure::io("read standard input", &e))?;
        let recorded = line.draft.map_err(Failure::from).and_then(|draft| Ok(recorder.record(draft)?));
        match recorded {
            Ok(recorded) if sync == Sync::Batch => {
                waiting.push(recorded.receipt().clone());
                seals.after(recorder);
            }
            Ok(recorded) => {
                print(recorded.receipt(), out)?;
                seals.after(recorder);
            }
            // what the caller wrote is the caller's line to mend; a disk that fails ends the stream
            Err(failure) if failure.exit() == USAGE => {
                exit = USAGE;
                eprintln!("error: line {}: {}", line.line, failure.text());
            }
            Err(failure) => return Err(failure),
        }
    }
    recorder.sync()?;
    for receipt in waiting {
        print(&Receipt { durable: true, ..receipt }, out)?;
    }
    seals.finish(recorder);
    Ok(exit)
}

fn print(receipt: &Receipt, out: &mut Output) -> Result<(), Failure> {
    let json = serde_json::to_string(receipt).map_err(|e| Failure::usage(e.to_string()))?;
    out.line(&json)?;
    out.flush()
}
