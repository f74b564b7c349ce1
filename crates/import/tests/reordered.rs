//! Copies of real transcripts whose lines stand in another order, twice, or with other ends: the same is told.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::corpus::{corpus, files};
use crate::sink::Memory;

#[test]
fn order_ends_and_repeats_of_lines_change_nothing() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("claude-code");
    let mut tried = 0;
    for file in files(&folder).iter().filter(|file| file.extension().is_some_and(|end| end == "jsonl")) {
        let text = fs::read(file).expect("reads");
        let lines: Vec<&[u8]> =
            text.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect();
        if !one_record_an_id(&lines) {
            continue;
        }
        let name = file.strip_prefix(&folder).expect("stands in it");
        let Some(base) = told(name, &joined(&lines, b"\n")) else { continue };
        for (what, copy) in variants(&lines) {
            let copy = told(name, &copy).expect("the same tool's");
            // an opening is told from the first records, so only as far as they stand near their place
            let counts = |key: &str| what != "shuffled" || !key.starts_with("session.opened ");
            let differs = |(key, said): &(&String, &String)| copy.get(*key) != Some(said) && counts(key);
            let other: Vec<_> = base.iter().filter(differs).collect();
            let new: Vec<_> = copy.keys().filter(|key| !base.contains_key(*key)).collect();
            assert!(other.is_empty() && new.is_empty(), "{}, {what}: {other:#?} {new:#?}", name.display());
        }
        tried += 1;
    }
    assert!(tried > 40, "{tried} files");
}

/// Of records that say different things under one id the first counts, so there the order matters.
fn one_record_an_id(lines: &[&[u8]]) -> bool {
    let records = lines.iter().filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let mut said: HashMap<String, Value> = HashMap::new();
    records
        .filter_map(|record| Some((record.get("uuid")?.as_str()?.to_owned(), record)))
        .all(|(id, record)| said.entry(id).or_insert_with(|| record.clone()) == &record)
}

fn variants(lines: &[&[u8]]) -> Vec<(&'static str, Vec<u8>)> {
    // by their hash: without an order that anybody meant, and the same each time
    let shuffled = |window: usize| {
        let mut lines = lines.to_vec();
        let windows = lines.chunks_mut(window);
        windows.for_each(|window| window.sort_by_cached_key(|line| *blake3::hash(line).as_bytes()));
        lines
    };
    let twice: Vec<&[u8]> = lines.iter().flat_map(|line| [*line, *line]).collect();
    let bom = ["\u{feff}".as_bytes(), &joined(lines, b"\r\n")].concat();
    vec![
        ("shuffled in fives", joined(&shuffled(5), b"\n")),
        ("shuffled", joined(&shuffled(lines.len().max(1)), b"\n")),
        ("every line twice", joined(&twice, b"\n")),
        ("a byte order mark and CRLF", bom),
    ]
}

fn joined(lines: &[&[u8]], end: &[u8]) -> Vec<u8> {
    lines.iter().flat_map(|line| [*line, end].concat()).collect()
}

/// Everything by key, if it is Claude Code's. A response and an agent begin with whichever of their lines comes first, so where and when
/// they do is left out, and which call a result is of where neither has an identity of its own.
fn told(name: &Path, text: &[u8]) -> Option<BTreeMap<String, String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().expect("a parent")).expect("makes it");
    fs::write(&path, text).expect("writes");
    let mut memory = Memory::default();
    let reports = memory.import(&[path]);
    if reports[0].importer != Some("claude-code") {
        return None;
    }
    let events = memory.stored.into_iter().map(|mut draft| {
        for place in ["src", "parent"] {
            draft.header.remove(place);
        }
        if draft.kind == *"model.called" || draft.kind == *"agent.started" {
            draft.header.remove("at");
        }
        if draft.key.as_ref().is_some_and(|key| key.starts_with("cc:~")) {
            draft.header.remove("cause");
        }
        (format!("{} {}", draft.kind, draft.key.as_deref().unwrap_or_default()), crate::sink::line(&draft))
    });
    Some(events.collect())
}

/// Files of other tools, one line written twice, and how many events they tell.
const TWICE: &[(&str, &[&str], usize)] = &[
    (
        "with their time: a copy",
        &[
            r#"{"type":"session","id":"ffae836b","timestamp":"2025-12-09T00:53:29.825Z","cwd":"/w","provider":"anthropic"}"#,
            r#"{"type":"message","timestamp":"2025-12-09T00:53:30.000Z","message":{"role":"user","content":"go on"}}"#,
            r#"{"type":"message","timestamp":"2025-12-09T00:53:30.000Z","message":{"role":"user","content":"go on"}}"#,
            r#"{"type":"message","timestamp":"2025-12-09T00:53:31.000Z","message":{"role":"user","content":"go on"}}"#,
        ],
        3,
    ),
    (
        "without: said twice",
        &[
            r#"{"role":"user","message":{"content":[{"type":"text","text":"go on"}]}}"#,
            r#"{"role":"user","message":{"content":[{"type":"text","text":"go on"}]}}"#,
        ],
        2,
    ),
    (
        "a run of codex: what begins and ends once, and an error that comes again",
        &[
            r#"{"type":"thread.started","thread_id":"019a2d7a-8e1c-7111-b1a6-8cec551a55a0"}"#,
            r#"{"type":"thread.started","thread_id":"019a2d7a-8e1c-7111-b1a6-8cec551a55a0"}"#,
            r#"{"type":"turn.started"}"#,
            r#"{"type":"turn.started"}"#,
            r#"{"type":"error","message":"reconnecting"}"#,
            r#"{"type":"error","message":"reconnecting"}"#,
            r#"{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"done"}}"#,
            r#"{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"done"}}"#,
        ],
        6,
    ),
];

#[test]
fn a_line_again_is_a_copy_if_it_cannot_be_said_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, (what, lines, events)) in TWICE.iter().enumerate() {
        let path = folder.path().join(format!("{number}.jsonl"));
        fs::write(&path, lines.join("\n") + "\n").expect("writes");
        let mut memory = Memory::default();
        memory.import(&[path]);
        assert_eq!(memory.stored.len(), *events, "{what}: {:#?}", memory.key_set());
    }
}
