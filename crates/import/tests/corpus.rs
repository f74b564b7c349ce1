//! Real transcripts, where there are any: nothing fails, nothing is lost, nothing is told twice.
//!
//! `RECOUNT_CORPUS` names the folder; without one these tests say so and pass, except in CI.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use event::{Draft, KINDS, Origin};
use import::{Item, Reader};
use serde_json::Value;

use crate::formats::FOLDERS;
use crate::sink::Memory;

pub(crate) fn corpus() -> Option<PathBuf> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");
    let folder = std::env::var_os("RECOUNT_CORPUS").map_or_else(|| PathBuf::from(default), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none(), "CI needs a corpus: {} is not there", folder.display());
    eprintln!("skipped: no corpus at {}", folder.display());
    None
}

fn imported(paths: &[PathBuf]) -> Memory {
    let mut memory = Memory::default();
    memory.import(paths);
    memory
}

#[test]
fn every_file_imports_and_a_second_time_adds_nothing() {
    let Some(corpus) = corpus() else { return };
    let derived = files(&corpus.join("derived"));
    let mut places: Vec<_> = OWN.iter().map(|(folder, _)| vec![corpus.join(folder)]).collect();
    places.extend(derived.into_iter().map(|file| vec![file]));
    for paths in places {
        let mut memory = Memory::default();
        let first = memory.import(&paths);
        let stored = memory.stored.len();
        assert!(first.iter().all(|report| report.failed.is_none()), "{first:?}");
        for report in memory.import(&paths) {
            assert_eq!((report.stored, report.raw, report.gaps), (0, 0, 0), "{report:?}");
        }
        assert_eq!(memory.stored.len(), stored);
    }
}

/// Folders of which nearly every record must be mapped, and how many records there are at least.
const MAPPED: &[(&str, u64)] = &[
    ("claude-code", 1_000),
    ("claude-stream-json", 15),
    ("codex-rollout", 1_000),
    ("codex-exec-json", 15),
    ("codex-tui-log", 5_000),
    ("gemini-cli", 20),
    ("otlp", 20),
];

#[test]
fn nearly_every_record_is_mapped() {
    let Some(corpus) = corpus() else { return };
    for (folder, least) in MAPPED {
        let reports = Memory::default().import(&[corpus.join(folder)]);
        let known = || reports.iter().filter(|report| report.importer.is_some());
        if known().count() == 0 {
            assert!(OWN.iter().all(|(own, _)| own != folder), "{folder}: nobody recognises it");
            eprintln!("{folder}: there is no importer");
            continue;
        }
        let (records, raw): (u64, u64) = (known().map(|r| r.records).sum(), known().map(|r| r.raw).sum());
        assert!(records >= *least && raw * 50 <= records, "{folder}: {raw} of {records} records kept raw");
        for report in reports.iter().filter(|report| report.importer.is_none()) {
            eprintln!("not recognised: {}", report.file.display());
        }
    }
}

/// A copy of a text file as editors, networks and crashes make them.
struct Variant {
    name: &'static str,
    /// The folders whose records have an identity or a time, without which the variant says something else.
    folders: &'static [&'static str],
    make: fn(&str) -> String,
}

const VARIANTS: &[Variant] = &[
    Variant {
        name: "bom and crlf",
        folders: &["claude-code", "claude-stream-json", "codex-rollout", "codex-exec-json"],
        make: |text| format!("\u{feff}{}", text.replace('\n', "\r\n")),
    },
    Variant {
        name: "blank lines and nuls",
        folders: &["claude-code", "codex-rollout", "codex-exec-json"],
        make: |text| text.replace('\n', "\n\n \n\0\0\n"),
    },
    Variant {
        name: "every line four times",
        folders: &["claude-code", "codex-rollout"],
        make: |text| text.lines().map(|line| format!("{line}\n").repeat(4)).collect(),
    },
    Variant {
        name: "shuffled in fives",
        folders: &["claude-code"],
        make: |text| {
            let lines: Vec<&str> = text.lines().collect();
            lines.chunks(5).flat_map(|five| five.iter().rev()).map(|line| format!("{line}\n")).collect()
        },
    },
];

/// Into the store of its base a variant brings nothing but gaps.
#[test]
fn variants_of_a_transcript_tell_nothing_new() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut tried = 0;
    for variant in VARIANTS {
        for base in variant.folders.iter().flat_map(|folder| files(&corpus.join(folder))) {
            // documents have no lines; a line without an identity says something else when it stands elsewhere
            let text = String::from_utf8_lossy(&fs::read(&base).expect("a file")).into_owned();
            let lines = base.extension().is_some_and(|ending| ending == "jsonl") && text.len() < 400_000;
            let identified = text.lines().filter(|line| !line.trim().is_empty()).all(|line| {
                line.contains("\"uuid\"") || line.contains("\"timestamp\"") || variant.folders.len() > 2
            });
            if !lines || !identified {
                continue;
            }
            let path = folder.path().join(base.file_name().expect("a name"));
            fs::write(&path, &text).expect("writes");
            let mut memory = Memory::default();
            memory.import(std::slice::from_ref(&path));
            let (keys, stored) = (memory.key_set(), memory.stored.len());
            fs::write(&path, (variant.make)(&text)).expect("writes");
            memory.import(std::slice::from_ref(&path));
            let new = || memory.stored[stored..].iter().filter(|draft| draft.kind != *"gap.found");
            assert_eq!(memory.key_set(), keys, "{}: {}", variant.name, base.display());
            let what: Vec<String> = new().map(crate::sink::line).collect();
            assert!(what.is_empty(), "{}: {}\n{}", variant.name, base.display(), what.join("\n"));
            tried += 1;
        }
    }
    assert!(tried > 100, "only {tried}");
}

/// Whose the folders of the corpus are.
const OWN: &[(&str, &str)] = &[
    ("claude-code", "claude-code"),
    ("claude-stream-json", "claude-stream-json"),
    ("codex-rollout", "codex"),
    ("codex-exec-json", "codex-exec-json"),
    ("codex-tui-log", "codex-tui-log"),
    ("whowhen", "who-and-when"),
    ("gemini-cli", "gemini"),
    ("atif", "atif"),
    ("opencode", "opencode"),
    ("copilot-cli", "copilot"),
];

/// Folders of importers that are tested elsewhere.
const OTHERS: &[(&str, &str)] =
    &[("otlp", "otlp"), ("openinference", "otlp"), ("inspect", "inspect"), ("mcp", "mcp")];

#[test]
fn each_importer_recognises_its_own_and_no_others() {
    let Some(corpus) = corpus() else { return };
    for folder in fs::read_dir(&corpus).expect("a folder").filter_map(Result::ok).map(|entry| entry.path()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !folder.is_dir() || name == "derived" {
            continue;
        }
        let named = OWN.iter().chain(FOLDERS).chain(OTHERS).find(|(folder, _)| *folder == name);
        let own = named.map(|(_, importer)| *importer);
        for report in Memory::default().import(&[folder]) {
            // a log of another program, and a shape that another tool writes as well
            let log = report.file.ends_with("duplicate-assistant-response-2.jsonl");
            let log = log || report.file.ends_with("fixture-paced.jsonl");
            let meta = report.records == 0 && report.importer.is_none() && own.is_some();
            // a format beside it of the same tool
            let other = report.file.to_string_lossy().contains("/atof/") && report.importer.is_none();
            let right = report.importer == own || log || meta || other;
            if own.is_some() || report.importer.is_some() {
                assert!(right, "{} was taken for {:?}", report.file.display(), report.importer);
            }
        }
    }
}

#[test]
fn damaged_and_reordered_copies_give_the_same_keys() {
    let Some(corpus) = corpus() else { return };
    let derived = corpus.join("derived");
    let base = imported(&[derived.join("cc-fork-copied-history/original.jsonl")]).key_set();
    for same in [
        "4x-duplicate-lines",
        "bom-crlf",
        "clock-jump-back",
        "lone-surrogate",
        "invalid-utf8",
        "shuffled-window5",
    ] {
        let other = imported(&[derived.join(format!("cc-{same}.jsonl"))]).key_set();
        assert_eq!(base, other, "{same}");
    }
    for same in ["nul-block-midfile", "stub-merged-with-next"] {
        let memory = imported(&[derived.join(format!("cc-{same}.jsonl"))]);
        assert_eq!(base, memory.key_set(), "{same}");
        assert!(memory.stored.iter().any(|draft| draft.kind == *"gap.found"), "{same}");
    }
    let torn = imported(&[derived.join("cc-torn-last-line.jsonl")]);
    assert!(torn.key_set().is_subset(&base) && torn.key_set().len() < base.len());
    assert_eq!(torn.stored.iter().filter(|draft| draft.kind == *"gap.found").count(), 1);
}

#[test]
fn a_fork_adds_only_what_is_new() {
    let Some(corpus) = corpus() else { return };
    let derived = corpus.join("derived");
    let mut memory = Memory::default();
    let reports = memory.import(&[derived.join("cc-fork-copied-history")]);
    assert!(reports[0].file.ends_with("original.jsonl"), "the original goes first");
    assert_eq!((reports[1].stored, reports[1].events, reports[1].linked), (1, 1, reports[0].records));

    let parent = files(&corpus.join("codex-rollout"))
        .into_iter()
        .find(|path| path.to_string_lossy().contains("0199812e-64f0"));
    let mut memory = Memory::default();
    let reports =
        memory.import(&[parent.expect("the parent rollout"), derived.join("codex-fork-materialised.jsonl")]);
    let (original, fork) = (&reports[0], &reports[1]);
    assert_eq!((fork.records, fork.stored), (original.records + 1, 1), "{fork:?}");
}

#[test]
fn a_picture_that_is_repeated_is_kept_once() {
    let Some(corpus) = corpus() else { return };
    let memory = imported(&[corpus.join("derived/codex-compacted-repeats-image.jsonl")]);
    let pictures = memory.stored.iter().filter(|draft| crate::sink::line(draft).len() > 300_000).count();
    assert_eq!(pictures, 1);
}

#[test]
fn every_draft_fits_the_kinds_table() {
    let Some(corpus) = corpus() else { return };
    let memory =
        imported(&[corpus.join("claude-code"), corpus.join("codex-rollout"), corpus.join("derived")]);
    for draft in &memory.stored {
        assert_eq!(draft.origin, Origin::Imported);
        check(draft).unwrap_or_else(|error| panic!("{error}: {}", &crate::sink::line(draft)));
    }
}

/// The draft's own check, without what only the recorder may set and what a transcript may call itself.
pub(crate) fn check(draft: &Draft) -> Result<(), String> {
    let mut draft = draft.clone();
    let src = draft.header.remove("src").ok_or("no src")?;
    for house in ["supersedes", "twin"] {
        draft.header.remove(house);
    }
    if src["id"].as_str().map(str::len) != Some(16) || src["line"].as_u64().is_none() {
        return Err(format!("src is {src}"));
    }
    "s".clone_into(&mut draft.session);
    assert!(KINDS.iter().any(|kind| draft.kind == *kind.name));
    if draft.kind.is_reserved() { Ok(()) } else { draft.check().map_err(|error| error.to_string()) }
}

/// A parent that stands in the same file is found by its key, before or after its child.
#[test]
fn parents_are_found_by_their_keys() {
    let Some(corpus) = corpus() else { return };
    let shuffled = corpus.join("derived/cc-shuffled-window5.jsonl");
    for file in files(&corpus.join("claude-code")).into_iter().chain([shuffled]) {
        let memory = imported(std::slice::from_ref(&file));
        let keys: HashSet<&str> = memory.stored.iter().filter_map(|draft| draft.key.as_deref()).collect();
        let text = String::from_utf8_lossy(&fs::read(&file).expect("a file")).into_owned();
        for draft in &memory.stored {
            let Some(parent) = draft.header.get("parent").and_then(Value::as_str) else { continue };
            let uuid = parent.trim_start_matches("cc:").trim_end_matches(".0");
            let there = text.contains(&format!("\"uuid\":\"{uuid}\""));
            assert!(keys.contains(parent) || !there, "{}: no {parent}", file.display());
        }
    }
}

/// I4: every text of a mapped record stands in its drafts, or is known to be told elsewhere.
#[test]
fn no_text_of_a_record_is_lost() {
    let Some(corpus) = corpus() else { return };
    for file in files(&corpus.join("claude-code")).into_iter().chain(files(&corpus.join("codex-rollout"))) {
        let mut memory = Memory::default();
        let reports = memory.import(std::slice::from_ref(&file));
        if reports.iter().all(|report| report.importer.is_none()) {
            continue;
        }
        let mut told = HashSet::new();
        for draft in &memory.stored {
            let data = Value::Object(draft.data.clone());
            texts(&data, &mut told);
            pointed(&data, &data, &mut told);
            texts(&Value::Object(draft.header.clone()), &mut told);
            told.insert(draft.session.clone());
            let key = draft.key.clone().unwrap_or_default();
            told.extend(key.split(['.', ':']).map(str::to_owned));
        }
        let every: String = memory.stored.iter().map(crate::sink::line).collect();
        let mut reader = Reader::open(fs::File::open(&file).expect("opens")).expect("reads");
        while let Some(item) = reader.next_item().expect("reads") {
            let Item::Record(record) = item else { continue };
            let said = said(&record.value.unwrap_or_default());
            for text in said.difference(&told) {
                let escaped = Value::from(text.as_str()).to_string();
                let inner = &escaped[1..escaped.len() - 1];
                let time = text.len() >= 20 && text.starts_with("20") && text.ends_with('Z');
                let found = time || every.contains(inner) || is_wrapped(text, &told);
                assert!(found, "{}:{} lost {text:?}", file.display(), record.place.line);
            }
        }
    }
}

/// All texts of a record; of one that repeats a response item, what is said.
fn said(record: &Value) -> HashSet<String> {
    const TWINS: &[&str] = &["user_message", "agent_message", "agent_reasoning", "item_completed"];
    let mut said = HashSet::new();
    let payload = &record["payload"];
    if !payload["type"].as_str().is_some_and(|kind| TWINS.contains(&kind)) {
        texts(record, &mut said);
        return said;
    }
    for member in ["text", "message"] {
        texts(&payload[member], &mut said);
    }
    let parts = payload["item"]["content"].as_array();
    parts.into_iter().flatten().for_each(|part| texts(&part["text"], &mut said));
    said
}

/// Arguments and outputs are JSON in a string; their leaves must be told.
fn is_wrapped(text: &str, told: &HashSet<String>) -> bool {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
    let mut inner = HashSet::new();
    texts(&value, &mut inner);
    inner.is_subset(told)
}

/// The texts that pointers stand for; a pointer that leads nowhere is a loss.
fn pointed(data: &Value, value: &Value, into: &mut HashSet<String>) {
    match value {
        Value::Object(map)
            if map.get("$same").is_some_and(|path| !path.as_str().unwrap_or_default().contains(':')) =>
        {
            let path = map["$same"].as_str().unwrap_or_default();
            let step = |at: &Value, name: &str| match at {
                Value::Array(items) => items.get(name.parse::<usize>().ok()?).cloned(),
                other => other.get(name).cloned(),
            };
            let found = path.split('.').try_fold(data.clone(), |at, name| step(&at, name));
            let text =
                found.and_then(|found| found.as_str().map(str::to_owned)).unwrap_or_else(|| panic!("{path}"));
            let beside = |name: &str| map.get(name).and_then(Value::as_str).unwrap_or_default();
            into.insert(format!("{}{text}{}", beside("before"), beside("after")));
        }
        Value::Array(items) => items.iter().for_each(|item| pointed(data, item, into)),
        Value::Object(map) => map.values().for_each(|item| pointed(data, item, into)),
        _ => {}
    }
}

fn texts(value: &Value, into: &mut HashSet<String>) {
    match value {
        Value::String(text) => {
            into.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, into)),
        Value::Object(map) => map.values().for_each(|item| texts(item, into)),
        _ => {}
    }
}

pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if !path.to_string_lossy().ends_with(".meta.json") {
            found.push(path);
        }
    }
    found.sort();
    found
}
