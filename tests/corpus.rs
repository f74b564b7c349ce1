//! Corpus: real transcripts of other people, and damaged ones made from them.
//!
//! They are not part of the repository: `RECOUNT_CORPUS` says where they are, `../shared/corpus` by default.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use recorder::{Fetcher, Store, Timeline, TimelineRow};
use serde_json::Value;
use world::World;

use crate::house::{Dice, House, copy_folder};

/// The corpus; without one, nothing to test, except in CI, where it has to be there.
pub(crate) fn corpus() -> Option<PathBuf> {
    let given = std::env::var_os("RECOUNT_CORPUS").map(PathBuf::from);
    let folder = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"));
    if folder.join("claude-code").is_dir() {
        return Some(folder.canonicalize().unwrap());
    }
    assert!(std::env::var_os("CI").is_none(), "CI has no corpus at {}", folder.display());
    println!("skipped: no corpus at {}; RECOUNT_CORPUS says where it is", folder.display());
    None
}

/// Imports and demands that the report adds up, file by file; gives the report.
fn import(house: &House, path: &Path) -> Value {
    let report = house.run(&["import", path.to_str().unwrap(), "--json"]).ok().json();
    let number = |of: &Value, name: &str| of[name].as_u64().unwrap_or_else(|| panic!("no {name} in {of}"));
    let mut total: BTreeMap<&str, u64> = BTreeMap::new();
    for file in report["files"].as_array().unwrap() {
        let parts = ["stored", "raw", "gaps", "duplicates", "linked"];
        let sum: u64 = parts.iter().map(|part| number(file, part)).sum();
        assert_eq!(number(file, "records"), sum, "{file}");
        assert_eq!(file["adds_up"], true, "{file}");
        for name in parts.into_iter().chain(["records", "events", "redacted"]) {
            *total.entry(name).or_default() += number(file, name);
        }
    }
    for (name, sum) in total {
        assert_eq!(number(&report["total"], name), sum, "{name}");
    }
    report
}

fn imports_nothing_again(house: &House, path: &Path) {
    let before = lines(house);
    let report = import(house, path);
    assert_eq!(
        (&report["total"]["stored"], &report["total"]["events"]),
        (&Value::from(0), &Value::from(0)),
        "{}",
        path.display()
    );
    assert_eq!(lines(house), before);
}

/// How many lines every session has.
fn lines(house: &House) -> BTreeMap<String, usize> {
    house.sessions().into_iter().map(|session| (session.clone(), house.lines(&session).len())).collect()
}

/// The big agents' folders, imported once for all who only ask.
fn everything() -> Option<Arc<House>> {
    static HOUSE: Mutex<Weak<House>> = Mutex::new(Weak::new());
    let corpus = corpus()?;
    let mut shared = HOUSE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(house) = shared.upgrade() {
        return Some(house);
    }
    let house = House::new();
    for agent in ["claude-code", "codex-rollout"] {
        let report = import(&house, &corpus.join(agent));
        let files = report["files"].as_array().unwrap();
        let unknown: Vec<&Value> =
            files.iter().filter(|file| file["importer"].is_null()).map(|f| &f["file"]).collect();
        println!("{agent}: {} files, not recognised: {unknown:?}", files.len());
        assert!(unknown.len() * 20 < files.len(), "not recognised: {unknown:?}");
    }
    house.run(&["verify"]).ok();
    let house = Arc::new(house);
    *shared = Arc::downgrade(&house);
    Some(house)
}

#[test]
fn whole_folders_of_transcripts_import_and_a_second_time_store_nothing() {
    let Some(house) = everything() else { return };
    let corpus = corpus().unwrap();
    let again = House::new();
    copy_folder(&house.store(), &again.store());
    copy_folder(&house.path("config"), &again.path("config"));
    for agent in ["codex-rollout", "claude-code"] {
        imports_nothing_again(&again, &corpus.join(agent));
    }
    again.run(&["verify"]).ok();
}

/// All that a listing shows, row by row.
fn shown(store: &Store, timeline: &Timeline) -> Vec<String> {
    let rows: Vec<&TimelineRow> = timeline.rows.iter().collect();
    let show = |row: &&TimelineRow, fetcher: &mut Fetcher| {
        let step = &row.step;
        let marks = (step.conflict, step.superseded, step.pointer);
        let briefs = [60, 120, 400].map(|limit| format!("{:?}", fetcher.brief(row, limit).unwrap()));
        format!("{}/{} {marks:?} {briefs:?}", row.session, step.seq())
    };
    let page = |rows: &[&TimelineRow], fetcher: &mut Fetcher| {
        rows.iter().map(|row| show(row, fetcher)).collect::<Vec<_>>()
    };
    store.of_rows(&rows, 100, &page).concat()
}

#[test]
fn every_session_is_listed_as_its_journal_tells_it() {
    let Some(shared) = everything() else { return };
    let house = House::new();
    copy_folder(&shared.store(), &house.store());
    let store = Store::open(World::real(), &house.store()).unwrap().with_listing_bytes(1);
    for session in store.journal().sessions().unwrap() {
        let told = store.timeline(&session).unwrap();
        for round in ["made", "kept"] {
            let listed = store.listing(&session).unwrap();
            assert_eq!((listed.duplicates, listed.damaged), (told.duplicates, told.damaged), "{session}");
            assert_eq!(shown(&store, &listed), shown(&store, &told), "{session}, {round}");
        }
        let plain = store.clone().with_listing_bytes(u64::MAX);
        assert_eq!(store.story(&session).unwrap(), plain.story(&session).unwrap(), "{session}");
        assert!(house.store().join("index/listings").join(session.as_str()).is_file(), "{session}");
    }
}

#[test]
fn every_event_of_an_import_is_reported_once() {
    let Some(corpus) = corpus() else { return };
    let house = House::new();
    let events = import(&house, &corpus.join("codex-rollout"))["total"]["events"].as_u64().unwrap();
    // that a session opens is told by no record
    let own = |event: &Value| event["key"].is_string() && event["kind"] != "session.opened";
    let stored = house.sessions().iter().flat_map(|session| house.events(session)).filter(own).count();
    assert_eq!(stored as u64, events);
}

#[test]
fn each_damaged_transcript_imports_and_a_second_time_stores_nothing() {
    let Some(corpus) = corpus() else { return };
    let mut variants: Vec<PathBuf> =
        fs::read_dir(corpus.join("derived")).unwrap().map(|entry| entry.unwrap().path()).collect();
    variants.sort();
    assert!(variants.len() > 10);
    // two at a time: most of the time is spent in waiting for disks
    std::thread::scope(|scope| {
        for half in variants.chunks(variants.len().div_ceil(2)) {
            scope.spawn(move || {
                for variant in half {
                    import_twice(variant);
                }
            });
        }
    });
}

fn import_twice(variant: &Path) {
    let house = House::new();
    let report = import(&house, variant);
    let name = variant.file_name().unwrap().to_str().unwrap();
    let empty = ["empty", "only-"].iter().any(|start| name.starts_with(start));
    assert_eq!(report["total"]["stored"] == 0, empty, "{name}: {}", report["total"]);
    imports_nothing_again(&house, variant);
    house.run(&["verify"]).ok();
}

const BASE: &str = "claude-code/d-kimuson__claude-code-viewer/mock-global-claude-dir/projects/sample-project/1af7fc5e-8455-4414-9ccd-011d40f70b2a.jsonl";

/// The keys of the imported events, in the order in which the timeline tells them.
fn told_keys(path: &Path) -> Vec<String> {
    let house = House::new();
    import(&house, path);
    let mut keys = Vec::new();
    for session in house.sessions() {
        let events = house.events(&session);
        let timeline = house.run(&["timeline", &session, "--json"]).ok().json();
        for row in timeline["rows"].as_array().unwrap() {
            let (owner, seq) = row["event"].as_str().unwrap().rsplit_once('/').unwrap();
            assert_eq!(owner, session);
            let key = &events[seq.parse::<usize>().unwrap()]["key"];
            keys.extend(key.as_str().map(str::to_owned));
        }
    }
    keys
}

#[test]
fn damage_that_loses_nothing_gives_the_same_events_in_the_same_order() {
    let Some(corpus) = corpus() else { return };
    let base = told_keys(&corpus.join(BASE));
    assert!(base.len() > 30);
    for variant in ["cc-4x-duplicate-lines", "cc-bom-crlf", "cc-shuffled-window5", "cc-clock-jump-back"] {
        let keys = told_keys(&corpus.join(format!("derived/{variant}.jsonl")));
        let set = |keys: &[String]| keys.iter().cloned().collect::<BTreeSet<_>>();
        assert_eq!(set(&keys), set(&base), "{variant}");
        assert_eq!(keys, base, "{variant}");
    }
}

#[test]
fn a_fork_stores_what_it_shares_once_and_both_tell_all_of_it() {
    let Some(corpus) = corpus() else { return };
    let house = House::new();
    let report = import(&house, &corpus.join("derived/cc-fork-copied-history"));
    assert_eq!(report["total"]["linked"], 29);
    let mut tellings: Vec<usize> = house
        .sessions()
        .iter()
        .map(|session| {
            let timeline = house.run(&["timeline", session, "--json"]).ok().json();
            let message = |row: &&Value| row["kind"] == "message.recorded";
            timeline["rows"].as_array().unwrap().iter().filter(message).count()
        })
        .collect();
    tellings.sort_unstable();
    let [original, fork] = tellings[..] else { panic!("two sessions, not {tellings:?}") };
    assert_eq!(fork, original + 1);
}

/// Without `ESC [ 1 m`: how a terminal was to show a word is no part of the word.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push(' ');
        plain.push_str(
            part.trim_start_matches(|c| ('\u{20}'..='\u{3f}').contains(&c)).get(1..).unwrap_or_default(),
        );
    }
    plain
}

/// Words of an event: runs of letters and digits in the strings of its data.
fn words_of(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let text = without_colors(text);
            let runs = text.split(|c: char| !c.is_alphanumeric());
            words.extend(
                runs.filter(|run| (4..=40).contains(&run.len()) && run.is_ascii()).map(str::to_owned),
            );
        }
        Value::Array(items) => items.iter().for_each(|item| words_of(item, words)),
        Value::Object(map) if !map.contains_key("blob") => {
            // a pointer to what is told elsewhere is no text
            let pointers = ["$same", "$told", "$json", "$record", "$time"];
            let is_pointer = |name: &str, item: &Value| pointers.contains(&name) && item.is_string();
            map.iter()
                .filter(|(name, item)| !is_pointer(name, item))
                .for_each(|(_, item)| words_of(item, words));
        }
        _ => {}
    }
}

/// Everything that a search finds.
fn hits(house: &House, query: &str, more: &[&str]) -> Vec<String> {
    let mut args = vec!["search", query, "--json", "-n", "100000"];
    args.extend(more);
    let document = house.run(&args).ok().json();
    assert_eq!(document["complete"], true);
    let hits = document["hits"].as_array().unwrap();
    assert_eq!(document["total"], hits.len());
    hits.iter().map(|hit| hit["event"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_word_of_an_event_finds_it_by_index_and_by_scan() {
    const EVENTS: usize = 20;
    const WORDS: usize = 5;
    let Some(house) = everything() else { return };
    let mut dice = Dice::new("planted words");
    let mut events: Vec<(String, Vec<String>)> = Vec::new();
    for session in house.sessions() {
        for event in house.run(&["export", &session, "--format", "ndjson"]).ok().json_lines() {
            let mut words = Vec::new();
            for (member, value) in event["data"].as_object().unwrap() {
                // what the redactor says about its work is no part of the text
                if member != "redactions" {
                    words_of(value, &mut words);
                }
            }
            if words.len() >= WORDS {
                events.push((format!("{session}/{}", event["seq"]), words));
            }
        }
    }
    let mut queries = Vec::new();
    for _ in 0..EVENTS {
        let (event, words) = &events[dice.below(events.len())];
        // all of them have to be found for this one event to be found
        let wanted: Vec<String> =
            (0..WORDS).map(|_| format!("\"{}\"", words[dice.below(words.len())])).collect();
        let query = wanted.join(" ");
        let found = hits(&house, &query, &[]);
        assert!(found.contains(event), "{event} is not found by {query}");
        queries.push(query);
    }
    // the journal itself is read as seldom as will do
    for some in queries.chunks(EVENTS / 2) {
        let any = format!("({})", some.join(") OR ("));
        assert_eq!(hits(&house, &any, &[]), hits(&house, &any, &["--no-index"]), "{any}");
    }
}

#[test]
fn deleting_the_index_changes_no_answer() {
    let Some(shared) = everything() else { return };
    let house = House::new();
    copy_folder(&shared.store(), &house.store());
    let sessions = house.sessions();
    let some = |n: usize| sessions[n * sessions.len() / 4].as_str();
    let questions: Vec<Vec<&str>> = vec![
        vec!["sessions", "--json"],
        vec!["timeline", some(0), "--json"],
        vec!["timeline", some(3)],
        vec!["search", "error", "--json"],
        vec!["search", "error", "--json", "--sort", "oldest", "-C", "2"],
        vec!["search", "\"the file\" -test", "--json"],
        vec!["search", "kind:skill agent:main", "--json"],
        vec!["search", "import* OR is:error", "--json", "-n", "300"],
        vec!["search", "2026", "--since", "2025-09-01", "--until", "2025-12-01", "--json"],
    ];
    let ask = || questions.iter().map(|args| house.run(args).text()).collect::<Vec<_>>();
    let before = ask();
    assert!(before.iter().filter(|answer| answer.len() > 200).count() > 6, "{before:?}");
    for round in 0..2 {
        fs::remove_dir_all(house.store().join("index")).unwrap();
        for (question, (was, is)) in questions.iter().zip(before.iter().zip(ask())) {
            assert_eq!(was, &is, "{question:?} in round {round}");
        }
    }
    house.run(&["reindex"]).ok();
    assert_eq!(before, ask(), "after reindex");
}
