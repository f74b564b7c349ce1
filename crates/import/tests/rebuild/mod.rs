//! I4: from the drafts of a record it can be made again, up to key order and white space.
//!
//! Each format has a function that makes a record of its drafts; it uses nothing but what an event keeps.

mod atif;
mod copilot;
mod gemini;
mod opencode;

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use event::Draft;
use import::{Item, Keys, Reader, Sink, Taken, run};
use serde_json::{Map, Value};

use crate::corpus::{corpus, files};

/// Takes every draft, also those that say again what another one said.
#[derive(Default)]
struct Everything(Vec<Draft>);

impl Keys for Everything {
    fn derived_key(&self, material: &str) -> String {
        blake3::hash(material.as_bytes()).to_hex().to_string()
    }
}

impl Sink for Everything {
    type Error = Infallible;

    fn take(&mut self, drafts: Vec<Draft>) -> Result<Taken, Infallible> {
        self.0.extend(drafts);
        Ok(Taken::Stored)
    }
}

/// The drafts of each record of a file.
fn drafts(file: &Path) -> Vec<Vec<Draft>> {
    let mut everything = Everything::default();
    let reports = run(&[file.to_owned()], None, &mut everything, &mut |_| {}).expect("imports");
    assert!(reports.iter().all(|report| report.importer.is_some() && report.failed.is_none()), "{reports:?}");
    let mut records: Vec<(u64, Vec<Draft>)> = Vec::new();
    for draft in everything.0 {
        let line = draft.header["src"]["line"].as_u64().expect("a line");
        // what is no record's own: a session opens, an agent starts
        let key = draft.key.as_deref().unwrap_or_default();
        let own =
            !key.starts_with("oc:") && matches!(draft.kind.as_str(), "session.opened" | "agent.started");
        if own {
            continue;
        }
        match records.last_mut().filter(|(last, _)| *last == line) {
            Some((_, drafts)) => drafts.push(draft),
            None => records.push((line, vec![draft])),
        }
    }
    records.into_iter().map(|(_, drafts)| drafts).collect()
}

fn records(file: &Path) -> Vec<Value> {
    let mut reader = Reader::open(fs::File::open(file).expect("opens")).expect("reads");
    let mut records = Vec::new();
    while let Some(item) = reader.next_item().expect("reads") {
        let Item::Record(record) = item else { continue };
        records.extend(record.value);
    }
    records
}

/// Makes every record of the files again and compares.
fn check(files: &[PathBuf], make: fn(&[Draft]) -> Value) {
    assert!(!files.is_empty());
    for file in files {
        let (records, drafts) = (records(file), drafts(file));
        assert_eq!(records.len(), drafts.len(), "{}", file.display());
        for (number, (record, drafts)) in records.iter().zip(&drafts).enumerate() {
            let kept = drafts.iter().find(|draft| draft.kind == *"raw.kept");
            let made = match kept {
                Some(raw) => serde_json::from_str(raw.data["record"].as_str().expect("text")).expect("JSON"),
                None => make(drafts),
            };
            assert_eq!(&made, record, "{}: record {}", file.display(), number + 1);
        }
    }
}

/// What the corpus has of a format, and our own transcripts of it.
fn of(format: &str, own: &[&str]) -> Vec<PathBuf> {
    let tests = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/import"));
    let own = own.iter().flat_map(|name| match tests.join(name) {
        folder if folder.join("input").is_dir() => files(&folder.join("input")),
        folder => vec![folder.join("input.jsonl")],
    });
    let mut real = corpus().map(|corpus| files(&corpus.join(format))).unwrap_or_default();
    // a format beside it of the same tool
    real.retain(|file| !file.to_string_lossy().contains("/atof/"));
    own.chain(real).collect()
}

/// The leftovers of a draft, with every copy put back.
fn ext(draft: &Draft) -> Map<String, Value> {
    let mut ext = draft.data.get("ext").and_then(Value::as_object).cloned().unwrap_or_default();
    ext.values_mut().for_each(|value| put_back(value, &draft.data));
    ext.remove("ts_q");
    ext
}

fn put_back(value: &mut Value, data: &Map<String, Value>) {
    match value {
        Value::Object(map) if map.contains_key("$same") => {
            let path = map["$same"].as_str().expect("a path");
            let step = |at: Value, name: &str| match at {
                Value::Array(items) => items[name.parse::<usize>().expect("a place")].clone(),
                other => other[name].clone(),
            };
            let text = path.split('.').fold(Value::Object(data.clone()), step);
            let text = text.as_str().unwrap_or_else(|| panic!("{path} leads nowhere"));
            let beside = |name: &str| map.get(name).and_then(Value::as_str).unwrap_or_default();
            *value = format!("{}{text}{}", beside("before"), beside("after")).into();
        }
        Value::Array(items) => items.iter_mut().for_each(|item| put_back(item, data)),
        Value::Object(map) => {
            map.remove("ts_q");
            map.values_mut().for_each(|item| put_back(item, data));
        }
        _ => {}
    }
}

/// A usual time as its source wrote it.
fn time(draft: &Draft) -> Value {
    let at = draft.header["at"].as_str().expect("a time");
    at.strip_suffix("000Z").map(|at| format!("{at}Z")).expect("milliseconds").into()
}

fn put_time(fields: &mut Map<String, Value>, name: &str, draft: &Draft) {
    let inferred = draft.data.get("ext").is_some_and(|ext| ext.to_string().contains("\"ts_q\":\"inferred\""));
    if !inferred && draft.header.contains_key("at") && !fields.contains_key(name) {
        fields.insert(name.to_owned(), time(draft));
    }
}

fn header(draft: &Draft, name: &str) -> Option<Value> {
    draft.header.get(name).cloned()
}
