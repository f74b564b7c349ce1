//! Spans, evaluations and captures of protocols, where there are real ones: nothing fails, nothing is lost, nothing
//! is told twice, and the order in which they stand does not matter.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use event::Draft;
use import::Report;
use serde_json::Value;

use crate::corpus::{check, corpus, files};
use crate::sink::{Memory, line};

/// Folders of the corpus, who reads them, and how much of them is theirs.
const FOLDERS: &[(&str, &str)] =
    &[("otlp", "otlp"), ("openinference", "otlp"), ("inspect", "inspect"), ("mcp", "mcp")];

fn known(reports: &[Report]) -> impl Iterator<Item = &Report> {
    reports.iter().filter(|report| report.importer.is_some())
}

#[test]
fn every_record_is_mapped_and_a_second_time_adds_nothing() {
    let Some(corpus) = corpus() else { return };
    for (folder, importer) in FOLDERS {
        for file in files(&corpus.join(folder)) {
            let mut memory = Memory::default();
            let first = memory.import(std::slice::from_ref(&file));
            let (records, raw): (u64, u64) =
                (known(&first).map(|r| r.records).sum(), known(&first).map(|r| r.raw + r.gaps).sum());
            assert!(raw * 50 <= records, "{}: {raw} of {records} kept raw", file.display());
            assert!(known(&first).all(|report| report.importer == Some(importer)), "{first:?}");
            assert!(first.iter().all(|report| report.failed.is_none()), "{first:?}");
            let stored = memory.stored.len();
            for report in memory.import(std::slice::from_ref(&file)) {
                assert_eq!((report.stored, report.raw, report.gaps), (0, 0, 0), "{report:?}");
            }
            assert_eq!(memory.stored.len(), stored);
            memory.stored.iter().for_each(|draft| {
                if draft.kind.as_str().starts_with("x.") {
                    return;
                }
                check(draft).unwrap_or_else(|error| panic!("{error}: {}", line(draft)));
            });
            no_key_twice(&memory, &file);
        }
    }
}

/// One event, one key; a key with other content would be a conflict.
fn no_key_twice(memory: &Memory, file: &Path) {
    let mut keys = BTreeSet::new();
    for draft in &memory.stored {
        let key = format!("{} {}", draft.kind, draft.key.as_deref().unwrap_or_default());
        assert!(keys.insert(key.clone()), "{}: {key}", file.display());
    }
}

/// What is told, without where it stood in the file.
fn told(memory: &Memory) -> BTreeSet<String> {
    let plain = |draft: &Draft| {
        let mut draft = draft.clone();
        draft.header.remove("src");
        line(&draft)
    };
    memory.stored.iter().map(plain).collect()
}

fn import_text(name: &str, text: &[u8]) -> Memory {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("writes");
    let mut memory = Memory::default();
    memory.import(&[path]);
    memory
}

/// Exports as single lines: one span an export, in this order.
fn exports(file: &Path, reverse: bool) -> Vec<String> {
    let document: Value = serde_json::from_slice(&fs::read(file).expect("a file")).expect("JSON");
    let mut lines = Vec::new();
    for batch in document["resourceSpans"].as_array().into_iter().flatten() {
        for scope in batch["scopeSpans"].as_array().into_iter().flatten() {
            for span in scope["spans"].as_array().into_iter().flatten() {
                let mut one = scope.clone();
                one["spans"] = vec![span.clone()].into();
                let mut outer = batch.clone();
                outer["scopeSpans"] = vec![one].into();
                lines.push(serde_json::json!({ "resourceSpans": [outer] }).to_string());
            }
        }
    }
    if reverse {
        lines.reverse();
    }
    lines
}

fn spans(corpus: &Path) -> Vec<PathBuf> {
    files(&corpus.join("otlp"))
        .into_iter()
        .filter(|file| file.to_string_lossy().ends_with(".otlp.json"))
        .collect()
}

#[test]
fn spans_in_any_order_sent_again_and_compressed_tell_the_same() {
    let Some(corpus) = corpus() else { return };
    for file in spans(&corpus) {
        let base = told(&import_text("x.jsonl", exports(&file, false).join("\n").as_bytes()));
        assert!(base.len() > 20);
        let reversed = exports(&file, true).join("\n");
        assert_eq!(base, told(&import_text("x.jsonl", reversed.as_bytes())), "{}", file.display());
        let twice = format!("{reversed}\n{}", exports(&file, false).join("\n"));
        assert_eq!(base, told(&import_text("x.jsonl", twice.as_bytes())), "{}", file.display());
        let bom = format!("\u{feff}{}", twice.replace('\n', "\r\n"));
        assert_eq!(base, told(&import_text("x.jsonl", bom.as_bytes())), "{}", file.display());
        let packed = zstd::encode_all(twice.as_bytes(), 1).expect("packs");
        assert_eq!(base, told(&import_text("x.jsonl.zst", &packed)), "{}", file.display());
        let document = fs::read(&file).expect("a file");
        assert_eq!(base, told(&import_text("x.json", &document)), "{}", file.display());
    }
}

#[test]
fn json_and_protocol_buffers_tell_the_same() {
    let Some(corpus) = corpus() else { return };
    for file in spans(&corpus) {
        let json = told(&import_text("x.json", &fs::read(&file).expect("a file")));
        let packed = file.to_string_lossy().replace(".otlp.json", ".pb");
        assert_eq!(
            json,
            told(&import_text("x.pb", &fs::read(packed).expect("a file"))),
            "{}",
            file.display()
        );
    }
}

/// Batches in files of their own: an event that one of them told is not told by the next.
#[test]
fn spans_over_many_files_tell_nothing_twice() {
    let Some(corpus) = corpus() else { return };
    for file in spans(&corpus) {
        let folder = tempfile::tempdir().expect("a folder");
        let lines = exports(&file, false);
        for (number, text) in lines.iter().enumerate() {
            fs::write(folder.path().join(format!("{number:04}.json")), text).expect("writes");
        }
        let mut memory = Memory::default();
        for number in 0..lines.len() {
            memory.import(&[folder.path().join(format!("{number:04}.json"))]);
        }
        let whole = import_text("x.jsonl", lines.join("\n").as_bytes());
        for kind in
            ["message.recorded", "reasoning.recorded", "skill.invoked", "skill.returned", "model.called"]
        {
            let count = |memory: &Memory| memory.stored.iter().filter(|draft| draft.kind == *kind).count();
            let (all, parts) = (count(&whole), count(&memory));
            assert!(parts <= all + 2, "{}: {kind} {parts} instead of {all}", file.display());
        }
        let stored = memory.stored.len();
        for number in 0..lines.len() {
            memory.import(&[folder.path().join(format!("{number:04}.json"))]);
        }
        assert_eq!(memory.stored.len(), stored, "{}", file.display());
    }
}

/// Every text of a source stands in what became of it.
#[test]
fn no_text_is_lost() {
    let Some(corpus) = corpus() else { return };
    for (folder, _) in FOLDERS {
        for file in files(&corpus.join(folder)) {
            let name = file.to_string_lossy().into_owned();
            if file.extension().is_none_or(|ending| ending != "json") {
                continue;
            }
            let mut memory = Memory::default();
            let reports = memory.import(std::slice::from_ref(&file));
            let Ok(source) = serde_json::from_slice::<Value>(&fs::read(&file).expect("a file")) else {
                continue;
            };
            if known(&reports).next().is_none() {
                continue;
            }
            let mut stored = BTreeSet::new();
            memory.stored.iter().for_each(|draft| {
                texts(&Value::Object(draft.data.clone()), &mut stored);
                texts(&Value::Object(draft.header.clone()), &mut stored);
                stored.insert(draft.session.clone());
            });
            let mut said = BTreeSet::new();
            values(&source, &mut said);
            let every: String = stored.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
            for text in said.difference(&stored) {
                assert!(stands(text, &stored, &every), "{name} lost {text:?}");
            }
        }
    }
}

/// The types of parts of messages are said by the kinds of events.
const TYPES: &[&str] = &["text", "tool_call", "tool_call_response", "thinking", "reasoning", "tool"];

/// A text, or the texts in the JSON that it is, or an attachment's pointer.
fn stands(text: &str, stored: &BTreeSet<String>, every: &str) -> bool {
    if stored.contains(text) || every.contains(text) || text.starts_with("attachment://") {
        return true;
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else { return text.trim().is_empty() };
    let mut inner = BTreeSet::new();
    values(&value, &mut inner);
    inner.iter().all(|text| TYPES.contains(&text.as_str()) || stands(text, stored, every))
}

/// The texts of a source; names are said by what became of them.
fn values(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| values(item, into)),
        Value::Object(map) => map.values().for_each(|item| values(item, into)),
        other => texts(other, into),
    }
}

/// Texts and names.
fn texts(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            into.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, into)),
        Value::Object(map) => map.iter().for_each(|(name, item)| {
            into.insert(name.clone());
            texts(item, into);
        }),
        _ => {}
    }
}

/// Our own files with one value after the other replaced by something else.
#[test]
fn hostile_values_fail_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/import");
    for (name, file) in [
        ("x.jsonl", "otlp/input/agents.jsonl"),
        ("x.json", "otlp/input/openinference.json"),
        ("x.jsonl", "otlp/input/logs.jsonl"),
        ("x.json", "otlp/input/metrics.json"),
        ("x.json", "inspect/input/old.json"),
        ("x.jsonl", "mcp/input.jsonl"),
    ] {
        let text = fs::read_to_string(folder.join(file)).expect("a file");
        let first = text.lines().next().filter(|_| name.ends_with('l')).unwrap_or(&text);
        let record: Value = serde_json::from_str(first).expect("JSON");
        let mut places = Vec::new();
        all_places(&record, String::new(), &mut places);
        for (number, place) in places.iter().enumerate() {
            let mut changed = record.clone();
            let Some(value) = changed.pointer_mut(place) else { continue };
            *value = hostile(number);
            import_text(
                name,
                format!("{changed}\n{}", if name.ends_with('l') { &text } else { "" }).as_bytes(),
            );
        }
    }
}

fn hostile(number: usize) -> Value {
    let deep = (0..40).fold(
        Value::Null,
        |inner, _| serde_json::json!({ "kvlistValue": { "values": [{"key": "k", "value": inner}] } }),
    );
    let all = [
        Value::Null,
        serde_json::json!(-1),
        serde_json::json!(u64::MAX),
        serde_json::json!(1e300),
        serde_json::json!("\u{202e}../../\u{1b}[2J\u{0}"),
        serde_json::json!("attachment://none"),
        serde_json::json!([[[[[[1]]]]]]),
        serde_json::json!({"": {"__proto__": []}}),
        serde_json::json!(""),
        serde_json::json!("9".repeat(400)),
        serde_json::json!([[0, u64::MAX], [5, 1], 7]),
        deep,
    ];
    all[number % all.len()].clone()
}

fn all_places(value: &Value, at: String, into: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| {
            all_places(value, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), into);
        }),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(number, value)| all_places(value, format!("{at}/{number}"), into));
        }
        _ => {}
    }
    into.push(at);
}

fn span(id: &str, parent: &str, more: &Value) -> Value {
    let mut span = serde_json::json!({
        "traceId": "5f0e1d2c3b4a59687786958493a2b1c0", "spanId": id, "parentSpanId": parent, "name": "invoke_agent a",
        "startTimeUnixNano": "1790000000000000000", "endTimeUnixNano": "1790000001000000000",
        "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "invoke_agent"}}],
    });
    if let (Some(span), Some(more)) = (span.as_object_mut(), more.as_object()) {
        span.extend(more.clone());
    }
    serde_json::json!({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})
}

#[test]
fn circles_and_missing_parents_end() {
    let none = serde_json::json!({});
    let (a, b) = ("00000000000000aa", "00000000000000bb");
    let circle = format!(
        "{}\n{}\n{}",
        span(a, b, &none),
        span(b, a, &none),
        span("00000000000000cc", "00000000000000cc", &none)
    );
    let memory = import_text("x.jsonl", circle.as_bytes());
    assert_eq!(memory.stored.iter().filter(|draft| draft.kind == *"agent.stopped").count(), 3);
    let mut chain = String::new();
    for number in 1..3000_u64 {
        chain += &format!("{}\n", span(&format!("{number:016x}"), &format!("{:016x}", number + 1), &none));
    }
    let memory = import_text("x.jsonl", chain.as_bytes());
    assert_eq!(memory.stored.iter().filter(|draft| draft.kind == *"agent.started").count(), 2999);
    assert!(memory.stored.iter().all(|draft| draft.session == "5f0e1d2c3b4a59687786958493a2b1c0"));
}

/// Ids in base64, names with underscores, enums by name: wrong, and common.
#[test]
fn spans_that_are_written_differently_are_the_same() {
    let usual = span(
        "0af7651916cd43dd",
        "00f067aa0ba902b7",
        &serde_json::json!({"status": {"code": 2, "message": "no"}}),
    );
    let other = serde_json::json!({"resource_spans": [{"scope_spans": [{"spans": [{
        "trace_id": "Xw4dLDtKWWh3hpWEk6KxwA==", "span_id": "CvdlGRbNQ90=", "parent_span_id": "APBnqgupArc=",
        "name": "invoke_agent a", "start_time_unix_nano": 1_790_000_000_000_000_000_u64, "end_time_unix_nano": 1_790_000_001_000_000_000_u64,
        "attributes": [{"key": "gen_ai.operation.name", "value": {"string_value": "invoke_agent"}}],
        "status": {"code": "STATUS_CODE_ERROR", "message": "no"},
    }]}]}]});
    let (usual, other) = (
        import_text("x.jsonl", usual.to_string().as_bytes()),
        import_text("x.jsonl", other.to_string().as_bytes()),
    );
    assert_eq!(usual.key_set(), other.key_set());
    let headers = |memory: &Memory| {
        memory
            .stored
            .iter()
            .map(|draft| Value::Object(draft.header.clone())["at"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(headers(&usual), headers(&other));
}
