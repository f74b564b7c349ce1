//! `recount redact scan PATH…`: which secrets stand in files that are there already. Nothing is written, and
//! no secret is printed: file, record, kind and count.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use ::import::{Item, Reader};
use event::{Draft, Kind, Origin};
use redact::Redactor;
use serde_json::{Value, json};

use crate::args::Scan;
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::place;
use crate::table::Table;
use crate::unsaid::unsaid_path;

const DEEPEST: usize = 64;

#[derive(Default)]
struct Found {
    rows: Vec<(String, u64, String, u64)>,
    records: u64,
    /// Bytes that are no record: looked at as text.
    unread: Vec<String>,
}

pub(super) fn run(args: &Scan, out: &mut Output) -> Result<u8, Failure> {
    let redactor = place::redactor(&place::passing_keys()?, &args.known)?;
    let mut files = Vec::new();
    for path in &args.paths {
        collect(path, 0, &mut files).map_err(|e| Failure::io(&format!("read {}", unsaid_path(path)), &e))?;
    }
    files.sort();
    let mut found = Found::default();
    for (number, file) in files.iter().enumerate() {
        if look(&redactor, file, number, &mut found).is_err() {
            found.unread.push(unsaid_path(file));
        }
    }
    let total: u64 = found.rows.iter().map(|row| row.3).sum();
    let exit = if total == 0 { 0 } else { NO };
    if out.json {
        let rows: Vec<Value> = found
            .rows
            .iter()
            .map(|(file, record, kind, count)| json!({"file": file, "record": record, "kind": kind, "count": count}))
            .collect();
        let as_of = json!({"files": files.len(), "records": found.records});
        let body = json!({"total": total, "rows": rows, "unread": found.unread});
        out.document("recount.redact.scan/1", &as_of, found.unread.is_empty(), body)?;
        return Ok(exit);
    }
    let mut table = Table::new(&["file", "record", "kind", "count"]);
    for (file, record, kind, count) in &found.rows {
        table.row(vec![file.into(), record.to_string().into(), kind.into(), count.to_string().into()]);
    }
    out.table(&table)?;
    for file in &found.unread {
        eprintln!("warning: {} could not be read", crate::harmless::harmless(&crate::unsaid::unsaid(file)));
    }
    eprintln!("{} files, {} records: {total} secrets", files.len(), found.records);
    Ok(exit)
}

/// Every file below; links are not followed.
fn collect(path: &Path, depth: usize, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let meta = if depth == 0 { fs::metadata(path)? } else { fs::symlink_metadata(path)? };
    if meta.is_file() {
        files.push(path.to_owned());
    } else if meta.is_dir() && depth < DEEPEST {
        for entry in fs::read_dir(path)? {
            // what vanishes or may not be read on the way has nothing to tell
            let _ = collect(&entry?.path(), depth + 1, files);
        }
    }
    Ok(())
}

/// Records of a transcript with their names and values; anything else line by line.
fn look(redactor: &Redactor, file: &Path, number: usize, found: &mut Found) -> std::io::Result<()> {
    let session = format!("scan-{number}");
    let name = unsaid_path(file);
    if !is_records(file)? {
        let bytes = fs::read(file)?;
        for (line, text) in String::from_utf8_lossy(&bytes).split('\n').enumerate() {
            add(redactor, &session, &name, line as u64 + 1, Value::from(text), found);
        }
        // secrets of several lines show in the whole alone
        let whole = redactor.redact_text(&String::from_utf8_lossy(&bytes)).1;
        for span in whole
            .iter()
            .filter(|span| bytes.get(span.start..span.end).is_some_and(|secret| secret.contains(&b'\n')))
        {
            let line = bytes[..span.start].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
            found.rows.push((name.clone(), line, span.kind.to_owned(), 1));
        }
        return Ok(());
    }
    let mut reader = Reader::open(File::open(file)?)?;
    while let Some(item) = reader.next_item()? {
        if let Item::Record(record) = item {
            let value = record.value.unwrap_or_else(|| Value::from(record.text));
            add(redactor, &session, &name, record.place.line, value, found);
        }
    }
    Ok(())
}

fn is_records(file: &Path) -> std::io::Result<bool> {
    let mut first = [0];
    let brace = File::open(file)?.read(&mut first)? == 1 && first == *b"{";
    Ok(brace
        || file
            .extension()
            .is_some_and(|end| ["jsonl", "ndjson", "json", "zst"].iter().any(|known| end == *known)))
}

fn add(redactor: &Redactor, session: &str, file: &str, record: u64, value: Value, found: &mut Found) {
    found.records += 1;
    let draft = Draft::new(session, Kind::of("note.added"), Origin::Imported).data("body", value);
    let Ok(clean) = redactor.clean(draft) else { return };
    let counts: BTreeMap<String, u64> =
        clean.draft().header.get("redacted").and_then(Value::as_object).map_or_else(BTreeMap::new, |kinds| {
            kinds.iter().map(|(kind, count)| (kind.clone(), count.as_u64().unwrap_or(0))).collect()
        });
    found.rows.extend(counts.into_iter().map(|(kind, count)| (file.to_owned(), record, kind, count)));
}
