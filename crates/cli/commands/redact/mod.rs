//! `recount redact`: a filter. Text in, redacted text out; no store, nothing written. And what belongs to it.

mod learn;
mod rescan;
mod rules;
mod scan;
mod stats;
mod trace;

use std::io::{BufRead as _, Read as _, stdin};

use redact::{Redactor, Stream};
use serde_json::{Value, json};

use crate::args::{Global, Redact, RedactCommand};
use crate::failure::{Failure, USAGE};
use crate::output::Output;
use crate::place;

pub(crate) fn run(global: &Global, args: &Redact, out: &mut Output) -> Result<u8, Failure> {
    if let Some(command) = &args.command {
        return match command {
            RedactCommand::Learn(args) => learn::run(args, out),
            RedactCommand::Rules(command) => rules::run(command, out),
            RedactCommand::Stats(args) => stats::run(global, args, out),
            RedactCommand::Trace(args) => trace::run(global, args, out),
            RedactCommand::Scan(args) => scan::run(args, out),
            RedactCommand::Rescan(args) => rescan::run(global, args, out),
        };
    }
    let redactor = place::redactor(&place::passing_keys()?, &args.known)?;
    if args.ndjson { lines(&redactor, out) } else { text(&redactor, out) }
}

/// Bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// A text of any length, in bounded memory; what comes out is behind what went in by what an engine looks ahead.
fn text(redactor: &Redactor, out: &mut Output) -> Result<u8, Failure> {
    let mut stream = Stream::new(redactor);
    let mut input = stdin().lock();
    let mut bytes = vec![0; PIECE];
    let mut kept = 0;
    loop {
        let read = match input.read(&mut bytes[kept..]) {
            Ok(read) => read,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(Failure::io("read standard input", &e)),
        };
        let here = &bytes[..kept + read];
        // a character that is not through yet waits for the rest of it
        let whole = if read == 0 { here.len() } else { here.len() - unfinished(here) };
        let released = stream.push(&String::from_utf8_lossy(&here[..whole]));
        if !released.is_empty() {
            out.text(&released)?;
            out.flush()?;
        }
        if read == 0 {
            break;
        }
        bytes.copy_within(whole..kept + read, 0);
        kept = kept + read - whole;
    }
    out.text(&stream.finish())?;
    out.flush()?;
    if stream.hits() > 0 {
        eprintln!("{} secrets redacted", stream.hits());
    }
    Ok(0)
}

/// How many bytes at the end begin a character that may still become whole.
fn unfinished(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    let begins = |at: &usize| {
        std::str::from_utf8(&tail[*at..]).is_err_and(|e| e.valid_up_to() == 0 && e.error_len().is_none())
    };
    (0..tail.len()).find(begins).map_or(0, |at| tail.len() - at)
}

fn lines(redactor: &Redactor, out: &mut Output) -> Result<u8, Failure> {
    let mut exit = 0;
    for (number, line) in stdin().lock().lines().enumerate() {
        let line = line.map_err(|e| Failure::io("read standard input", &e))?;
        if line.trim().is_empty() {
            continue;
        }
        let parsed = serde_json::from_str::<Value>(&line).ok();
        let Some(text) = parsed.as_ref().and_then(|v| v.get("text")).and_then(Value::as_str) else {
            eprintln!("error: line {}: expected {{\"id\":…,\"text\":\"…\"}}", number + 1);
            exit = USAGE;
            continue;
        };
        let (redacted, spans) = redactor.redact_text(text);
        let spans: Vec<Value> =
            spans.iter().map(|s| json!({"start": s.start, "end": s.end, "kind": s.kind})).collect();
        let id = parsed.as_ref().and_then(|v| v.get("id")).cloned().unwrap_or_default();
        out.line(&json!({"id": id, "text": redacted, "spans": spans}).to_string())?;
    }
    Ok(exit)
}

/// What is said of lines that nobody could read.
fn warn_of_damage(lines: u64) {
    if lines > 0 {
        eprintln!("warning: {lines} damaged lines were passed over; `recount verify` shows them");
    }
}
