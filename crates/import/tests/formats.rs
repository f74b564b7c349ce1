//! The formats that mapping files describe: whole files rebuilt from their events, nothing told twice, and
//! the same events whatever white space, line ends or repeated lines a copy has.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use event::{Draft, KINDS};
use import::{Choice, IMPORTERS, Item, Keys, Reader, Report, Sink, Taken, mapping, run, run_with};
use serde_json::{Map, Value};

use crate::corpus::{corpus, files};
use crate::sink::Memory;

/// Folders of the corpus and who reads them.
pub(crate) const FOLDERS: &[(&str, &str)] = &[
    ("antigravity", "antigravity"),
    ("cursor", "cursor"),
    ("droid", "droid"),
    ("google-adk", "google-adk"),
    ("grok-cli", "grok"),
    ("hermes", "hermes"),
    ("kimi-cli", "kimi"),
    ("langfuse", "langfuse"),
    ("langsmith", "langsmith"),
    ("openclaw", "openclaw"),
    ("openhands", "openhands"),
    ("pi", "pi"),
    ("qwen-code", "qwen-code"),
    ("swe-agent", "swe-agent"),
    ("tau-bench", "tau-bench"),
];

/// A sink that keeps what it is given, a batch a record.
#[derive(Default)]
struct Batches(Vec<Vec<Draft>>);

impl Keys for Batches {
    fn derived_key(&self, material: &str) -> String {
        blake3::hash(material.as_bytes()).to_hex().to_string()
    }
}

impl Sink for Batches {
    type Error = Infallible;

    fn take(&mut self, drafts: Vec<Draft>) -> Result<Taken, Infallible> {
        self.0.push(drafts);
        Ok(Taken::Stored)
    }
}

/// What a test expectation of another project holds is no transcript.
fn is_expectation(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".chatml.json")
}

fn ours(folder: &Path) -> Vec<PathBuf> {
    files(folder).into_iter().filter(|path| !is_expectation(path)).collect()
}

fn each_file(check: impl Fn(&str, &Path)) {
    let own = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/import"));
    for importer in IMPORTERS.iter().filter(|importer| importer.takes_documents()) {
        let found = files(&own.join(importer.name()));
        found
            .iter()
            .filter(|path| !path.ends_with("expected.ndjson"))
            .for_each(|path| check(importer.name(), path));
    }
    let Some(corpus) = corpus() else { return };
    for (folder, name) in FOLDERS {
        for path in ours(&corpus.join(folder)) {
            check(name, &path);
        }
    }
}

fn imported(path: &Path) -> (Vec<Report>, Batches) {
    let mut batches = Batches::default();
    let reports = run(&[path.to_owned()], None, &mut batches, &mut |_| {});
    (reports.unwrap_or_else(|error| panic!("{error}")), batches)
}

#[test]
fn every_file_is_recognised_and_nearly_every_record_mapped() {
    let mut counts: HashMap<String, (u64, u64)> = HashMap::new();
    let counted = std::cell::RefCell::new(&mut counts);
    each_file(|name, path| {
        let (reports, batches) = imported(path);
        assert_eq!(reports[0].importer, Some(name), "{}", path.display());
        let raw = batches.0.iter().flatten().filter(|draft| draft.kind == *"raw.kept").count() as u64;
        if path.to_string_lossy().contains("/tests/import/") {
            return;
        }
        let mut counted = counted.borrow_mut();
        let count = counted.entry(name.to_owned()).or_default();
        *count = (count.0 + reports[0].records, count.1 + raw);
    });
    for (name, (records, raw)) in counts {
        assert!(raw * 50 <= records, "{name}: {raw} of {records} records kept raw");
    }
}

#[test]
fn every_draft_is_one_that_a_caller_could_hand_in() {
    each_file(|_, path| {
        let (_, batches) = imported(path);
        for mut draft in batches.0.into_iter().flatten() {
            // what the importing door sets
            draft.header.remove("src");
            draft.header.remove("supersedes");
            "s".clone_into(&mut draft.session);
            assert!(KINDS.iter().any(|kind| draft.kind == *kind.name));
            if !draft.kind.is_reserved() {
                draft.check().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            }
        }
    });
}

#[test]
fn a_second_time_adds_nothing() {
    each_file(|_, path| {
        let mut memory = Memory::default();
        memory.import(&[path.to_owned()]);
        let stored = memory.stored.len();
        for report in memory.import(&[path.to_owned()]) {
            assert_eq!((report.stored, report.raw), (0, 0), "{report:?}");
        }
        assert_eq!(memory.stored.len(), stored);
    });
}

#[test]
fn every_record_can_be_made_again_from_its_events() {
    each_file(|_, path| {
        let (reports, batches) = imported(path);
        if reports[0].importer == Some("hermes") && path.extension().is_some_and(|end| end == "db") {
            return;
        }
        let file = fs::File::open(path).expect("opens");
        let mut reader = Reader::open(file).expect("reads").whole_documents(true);
        let all: HashMap<&str, (usize, usize)> = places(&batches);
        let (mut batch, mut seen) = (0, BTreeSet::new());
        while let Some(item) = reader.next_item().expect("reads") {
            let Item::Record(record) = item else { continue };
            let value = record.value.expect("a value");
            let made =
                batches.0.get(batch).map(|_| Rebuild { batches: &batches, all: &all, at: (batch, 0) }.made());
            if made.as_ref().is_some_and(|made| same(&value, made)) {
                batch += 1;
            } else {
                assert!(
                    seen.contains(&value.to_string()),
                    "{}\n{value}\nwas told as\n{made:?}",
                    path.display()
                );
            }
            seen.insert(value.to_string());
        }
        assert_eq!(batch, batches.0.len(), "{}", path.display());
    });
}

fn places(batches: &Batches) -> HashMap<&str, (usize, usize)> {
    let mut all = HashMap::new();
    for (batch, drafts) in batches.0.iter().enumerate() {
        for (at, draft) in drafts.iter().enumerate() {
            all.entry(draft.key.as_deref().expect("a key")).or_insert((batch, at));
        }
    }
    all
}

/// Makes a record again.
struct Rebuild<'b> {
    batches: &'b Batches,
    all: &'b HashMap<&'b str, (usize, usize)>,
    at: (usize, usize),
}

impl Rebuild<'_> {
    /// The record that this event begins.
    fn made(&self) -> Value {
        let first = self.at;
        let draft = &self.batches.0[first.0][first.1];
        if draft.kind == *"raw.kept" {
            return serde_json::from_str(draft.data["record"].as_str().expect("text")).expect("JSON");
        }
        let mut ext = draft.data["ext"].as_object().expect("an object").clone();
        ext.retain(|name, _| name != "$time" && name != "repaired");
        match ext.get("record") {
            Some(list @ Value::Array(_)) if ext.len() == 1 => self.resolved(&list.clone(), first),
            _ => self.resolved(&Value::Object(ext), first),
        }
    }

    fn resolved(&self, value: &Value, first: (usize, usize)) -> Value {
        match value {
            Value::Object(map) if map.len() == 1 => {
                let (name, inner) = map.iter().next().expect("a member");
                match (name.as_str(), inner) {
                    ("$same" | "$told", Value::String(pointer)) => self.pointed(pointer, first),
                    ("$json", Value::String(pointer)) => self.pointed(pointer, first).to_string().into(),
                    ("$text", inner) => self.resolved(inner, first).to_string().into(),
                    _ => self.members(map, first),
                }
            }
            Value::Object(map) => self.members(map, first),
            Value::Array(items) => items.iter().map(|item| self.item(item, first)).collect::<Vec<_>>().into(),
            other => other.clone(),
        }
    }

    fn members(&self, map: &Map<String, Value>, first: (usize, usize)) -> Value {
        let members = map.iter().map(|(name, value)| (name.clone(), self.resolved(value, first)));
        Value::Object(members.collect())
    }

    fn item(&self, item: &Value, first: (usize, usize)) -> Value {
        match item.get("$record").and_then(Value::as_str) {
            Some(key) => Rebuild { at: self.all[key], ..*self }.made(),
            None => self.resolved(item, first),
        }
    }

    fn pointed(&self, pointer: &str, first: (usize, usize)) -> Value {
        let (at, path) = match pointer.rsplit_once(':') {
            Some((key, path)) => (self.all[key], path),
            None => match pointer.split_once('.') {
                Some((count, path)) if count.bytes().all(|b| b.is_ascii_digit()) => {
                    ((first.0, first.1 + count.parse::<usize>().expect("a number")), path)
                }
                _ => (first, pointer),
            },
        };
        let draft = &self.batches.0[at.0][at.1];
        if let Some(name) = path.strip_prefix('@') {
            return draft.header[name].clone();
        }
        let data = Value::Object(draft.data.clone());
        let found = path.split('.').try_fold(&data, |value, step| match value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            other => other.get(step),
        });
        let found = found.unwrap_or_else(|| panic!("{pointer} leads nowhere in {data}"));
        self.resolved(found, at)
    }
}

/// The same but for key order, and white space in JSON inside strings.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => {
            let inner = |text: &str| serde_json::from_str::<Value>(text).ok();
            a == b || matches!((inner(a), inner(b)), (Some(a), Some(b)) if same(&a, &b))
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

/// Line ends, marks, blank lines, lines told again, and a document on one line: the same events.
#[test]
fn copies_give_the_same_events_as_their_base() {
    each_file(|name, path| {
        let Ok(text) = fs::read_to_string(path) else { return };
        let folder = tempfile::tempdir().expect("a folder");
        let base = keys(path, name);
        let file = folder.path().join(path.file_name().expect("a name"));
        if path.with_file_name("summary.json").exists() {
            fs::copy(path.with_file_name("summary.json"), file.with_file_name("summary.json"))
                .expect("copies");
        }
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let mut copies = vec![format!("\u{feff}{}", text.replace("\r\n", "\n").replace('\n', "\r\n"))];
        match serde_json::from_str::<Value>(&text) {
            Ok(document @ Value::Object(_)) => {
                copies.push(document.to_string());
                copies.push(serde_json::to_string_pretty(&document).expect("JSON"));
            }
            Ok(list) => copies.push(list.to_string()),
            Err(_) => copies.push(lines.collect::<Vec<_>>().join("\n\n")),
        }
        for copy in copies {
            fs::write(&file, copy).expect("writes");
            assert_eq!(base, keys(&file, name), "{}", path.display());
        }
    });
}

/// Keys and data; where the folder around a file names its session, data alone.
fn keys(path: &Path, name: &str) -> Vec<(String, Value)> {
    let (reports, batches) = imported(path);
    assert_eq!(reports[0].importer, Some(name), "{}", path.display());
    let key = |draft: &Draft| draft.key.clone().filter(|_| name != "kimi").unwrap_or_default();
    let drafts = batches.0.into_iter().flatten();
    drafts.map(|draft| (key(&draft), Value::Object(draft.data))).collect()
}

/// Records with ids may come in any order, and twice.
#[test]
fn records_with_ids_may_be_told_again_and_in_another_order() {
    let Some(corpus) = corpus() else { return };
    for folder in ["droid", "pi", "qwen-code", "openclaw"] {
        for path in ours(&corpus.join(folder)) {
            let text = fs::read_to_string(&path).expect("text");
            if text.len() > 1_000_000
                || !text.contains("\"id\"") && !text.contains("\"uuid\"")
                || text.contains("}{")
            {
                continue;
            }
            let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
            let kinds = |lines: &[&str]| {
                let folder = tempfile::tempdir().expect("a folder");
                let file = folder.path().join(path.file_name().expect("a name"));
                fs::write(&file, lines.join("\n")).expect("writes");
                let mut memory = Memory::default();
                memory.import(&[file]);
                memory.key_set()
            };
            let base = kinds(&lines);
            let twice: Vec<&str> = lines.iter().flat_map(|line| [*line, *line]).collect();
            if lines.iter().all(|line| line.contains("\"id\":") || line.contains("\"uuid\":")) {
                assert_eq!(base, kinds(&twice), "{}", path.display());
            }
            let mut mixed = lines.clone();
            mixed[1..].chunks_mut(3).for_each(<[&str]>::reverse);
            if !path.ends_with("sample-telemetry.jsonl") {
                assert_eq!(base, kinds(&mixed), "{}", path.display());
            }
        }
    }
}

const OWN: &str = r#"
name = "lamps"
[[recognise]]
all = { lamp = { is = "string" } }
[set.record]
time = "at"
[[set.record.rule]]
kind = "note.added"
text = "lamp"
"#;

#[test]
fn a_mapping_of_ones_own_is_asked_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.jsonl");
    fs::write(&file, "{\"lamp\":\"lit\",\"at\":1772442000}\n{\"lamp\":\"out\",\"at\":1772442001}\n")
        .expect("writes");
    let own = mapping(OWN).expect("a mapping");
    let mut batches = Batches::default();
    let reports = run_with(
        std::slice::from_ref(&file),
        Choice { own: &[own], ..Choice::default() },
        &mut batches,
        &mut |_| {},
    )
    .expect("runs");
    assert_eq!((reports[0].importer, reports[0].records), (Some("lamps"), 2));
    assert_eq!(batches.0[0][0].data["text"], "lit");
    assert_eq!(batches.0[0][0].header["at"], "2026-03-02T09:00:00.000000Z");
    assert!(imported(&file).0[0].importer.is_none());
}

#[test]
fn what_is_wrong_with_a_mapping_is_said_with_its_line() {
    let cases = [
        (
            "text = \"lamp\"",
            "txet = \"lamp\"",
            "line 9: field of note.added \"txet\" is not known",
            "did you mean text?",
        ),
        (
            "\"note.added\"",
            "\"note.add\"",
            "line 8: kind \"note.add\" is not known",
            "did you mean note.added?",
        ),
        ("\"note.added\"", "\"raw.kept\"", "line 8: kind \"raw.kept\" is not known", "known are"),
        (
            "is = \"string\"",
            "is = \"strong\"",
            "line 4: type \"strong\" is not known",
            "did you mean string?",
        ),
        (
            "time = \"at\"",
            "tame = \"at\"",
            "line 6: shared field \"tame\" is not known",
            "did you mean time?",
        ),
        (
            "time = \"at\"",
            "time = \"a..b\"",
            "line 6: \"a..b\" is no path: a name is missing",
            "a path is written",
        ),
        (
            "time = \"at\"",
            "time = { from = \"at\" }",
            "line 6: entry of a source \"from\" is not known",
            "known are",
        ),
        (
            "text = \"lamp\"",
            "usage = { path = \"u\", as = \"lamps\" }",
            "line 9: usage \"lamps\" is not known",
            "known are",
        ),
        (
            "kind = \"note.added\"\ntext = \"lamp\"",
            "each = \"x\"\nuse = \"blok\"",
            "line 9: set \"blok\" is not known",
            "did you mean block?",
        ),
        ("name = \"lamps\"", "name = \"The Lamps\"", "line 1: there is no name", "write name"),
        ("[[recognise]]\nall", "[session]\nid", "line 4: entry of a source \"lamp\" is not known", ""),
        ("lamp = { is", "lamp = { is is", "line 4: ", ""),
        ("set.record", "set.records", "line 1: there is no [set.record]", "its rules"),
    ];
    for (from, to, says, hints) in cases {
        let text = OWN.replace(from, to);
        let error = mapping(&text).map(|_| ()).expect_err(to);
        assert!(error.to_string().starts_with(says), "{to}: {error}");
        assert!(error.hint.as_deref().unwrap_or_default().contains(hints), "{to}: {:?}", error.hint);
    }
}

/// Whatever stands in a record: no panic, and every record is told.
#[test]
fn hostile_records_fail_nothing() {
    let long = "x".repeat(300_000);
    let deep = format!("{}1{}", "[".repeat(45), "]".repeat(45));
    let values = [
        "null",
        "true",
        "-1",
        "1e308",
        "18446744073709551615",
        "\"\"",
        "[]",
        "{}",
        "[[]]",
        "\"\\u0000\\u001b[2J\"",
        "\"../../etc/passwd\"",
        "{\"__proto__\":{\"x\":1}}",
        "{\"$told\":\"9.x\"}",
        "{\"$text\":\"{\"}",
        "\"{\\\"a\\\":\"",
        &format!("\"{long}\""),
        &deep,
    ];
    each_file(|_, path| {
        let Ok(text) = fs::read_to_string(path) else { return };
        if text.len() > 20_000 || !path.to_string_lossy().contains("/tests/import/") {
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(path.file_name().expect("a name"));
        for (at, value) in values.iter().enumerate() {
            // every third value of the file becomes this one
            let mut count = at;
            let hostile = text.split_inclusive(':').map(|piece| {
                count += 1;
                piece.to_owned()
            });
            let pieces: Vec<String> = hostile.collect();
            let mut made = String::new();
            for (index, piece) in pieces.iter().enumerate() {
                let scalar = piece.find([',', '}']).filter(|end| piece[..*end].trim().starts_with('"'));
                match scalar {
                    Some(end) if index > 2 && (index + at) % 3 == 0 => {
                        made.push_str(value);
                        made.push_str(&piece[end..]);
                    }
                    _ => made.push_str(piece),
                }
            }
            fs::write(&file, made).expect("writes");
            Memory::default().import(std::slice::from_ref(&file));
        }
    });
}
