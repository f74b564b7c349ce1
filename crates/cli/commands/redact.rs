//! `recount redact`: a filter. Text in, redacted text out; no store, nothing written.

use std::io::{BufRead as _, Read as _, stdin};

use redact::Redactor;
use serde_json::{Value, json};

use crate::args::{Global, Redact};
use crate::failure::{Failure, USAGE};
use crate::output::Output;
use crate::place;

pub(crate) fn run(_: &Global, args: &Redact, out: &mut Output) -> Result<u8, Failure> {
    let redactor = Redactor::new(&place::passing_keys()?);
    if args.ndjson { lines(&redactor, out) } else { text(&redactor, out) }
}

fn text(redactor: &Redactor, out: &mut Output) -> Result<u8, Failure> {
    let mut bytes = Vec::new();
    stdin().read_to_end(&mut bytes).map_err(|e| Failure::io("read standard input", &e))?;
    let text = String::from_utf8_lossy(&bytes);
    let (redacted, spans) = redactor.redact_text(&text);
    out.text(&redacted)?;
    if !spans.is_empty() {
        eprintln!("{} secrets redacted", spans.len());
    }
    Ok(0)
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
