//! Damage in derived files is never an answer, and never lasts.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Store, ask, gist, id, note, query};
use crate::{Budget, Index, Options, Scope, Source};

fn told() -> Store {
    let store = Store::new();
    let notes = (0..400).map(|n| {
        note(if n % 2 == 0 { "a" } else { "b" }, &format!("token number {n} of many words {}", n * 7))
    });
    store.tell(notes.map(|n| n.with("agent", "dev")).collect());
    store.index().catch_up(Budget::ALL).expect("caught up");
    store
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            out.extend(files(&entry.path()));
        } else {
            out.push(entry.path());
        }
    }
    out.sort();
    out
}

fn part(store: &Store, prefix: &str) -> PathBuf {
    let find = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(prefix);
    fs::read_dir(store.index_folder()).expect("a folder").flatten().find(find).expect("a part").path()
}

/// Whatever was done to the files: the answers are the journal's, and after catching up the index is sound.
fn answers_stay(store: &Store, what: &str) {
    let index = store.index();
    for text in ["token", "number 7", "agent:dev", "\"many words\"", "tok*"] {
        let asked = query(text);
        let scan = index.scan(&asked, &Options::default()).expect("a scan");
        let answer =
            index.search(&asked, &Options::default()).unwrap_or_else(|e| panic!("{what}: {text}: {e}"));
        assert_eq!(gist(&answer), gist(&scan), "{what}: {text}");
    }
    let rows = |index: &Index| {
        index.views(&Scope::All).unwrap_or_else(|e| panic!("{what}: {e}")).sessions().expect("rows")
    };
    let journal = index.folded_views(&Scope::All).expect("views").sessions().expect("rows");
    assert_eq!(rows(&index), journal, "{what}");
    let timeline = index.views(&Scope::Session(id("a"))).expect("views").timeline(&id("a"));
    assert!(timeline.is_ok_and(|rows| rows.len() == 201), "{what}");
}

fn heals(store: &Store, what: &str) {
    let index = store.index();
    index.catch_up(Budget::ALL).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert!(index.check().expect("a check"), "{what} is still there");
    assert_eq!(ask(&index, "token").source, Source::Index, "{what}");
}

#[test]
fn lost_and_cut_files_are_noticed_and_made_again() {
    for prefix in ["text-", "views-"] {
        let names: Vec<PathBuf> =
            files(&part(&told(), prefix)).iter().map(|f| f.file_name().expect("a name").into()).collect();
        for number in 0..names.len() {
            for cut in [true, false] {
                let store = told();
                let Some(file) = files(&part(&store, prefix)).get(number).cloned() else { continue };
                let what = format!("{} {}", if cut { "cut" } else { "lost" }, file.display());
                if cut {
                    let len = fs::metadata(&file).expect("a file").len();
                    fs::OpenOptions::new()
                        .write(true)
                        .open(&file)
                        .expect("a file")
                        .set_len(len / 2)
                        .expect("cut");
                } else {
                    fs::remove_file(&file).expect("gone");
                }
                answers_stay(&store, &what);
                store.index().check().expect("a check");
                heals(&store, &what);
            }
        }
    }
}

#[test]
fn flipped_bytes_are_found_by_a_check_and_made_again() {
    for prefix in ["text-", "views-"] {
        for number in 0..files(&part(&told(), prefix)).len() {
            let store = told();
            let Some(file) = files(&part(&store, prefix)).get(number).cloned() else { continue };
            let mut bytes = fs::read(&file).expect("a file");
            let middle = bytes.len() / 2;
            bytes.iter_mut().skip(middle).take(64).for_each(|byte| *byte ^= 0x5a);
            fs::write(&file, bytes).expect("written");
            let what = format!("flipped {}", file.display());
            store.index().check().unwrap_or_else(|e| panic!("{what}: {e}"));
            answers_stay(&store, &what);
            heals(&store, &what);
        }
    }
}

#[test]
fn deleting_the_index_changes_no_answer() {
    let store = told();
    let before = gist(&ask(&store.index(), "number many"));
    fs::remove_dir_all(store.index_folder()).expect("gone");
    assert_eq!(gist(&ask(&store.index(), "number many")), before);
    fs::write(store.index_folder(), "not a folder").expect("written");
    let answer = ask(&store.index(), "number many");
    assert_eq!((gist(&answer), answer.source), (before, Source::Scan), "where nothing can be written");
    assert_eq!(store.index().views(&Scope::All).expect("views").sessions().expect("rows").len(), 2);
}

#[test]
fn a_rewritten_journal_is_projected_again() {
    let store = told();
    let segment = store.folder.path().join("journal/sessions/a/0000000000.ndjson");
    let bytes = fs::read(&segment).expect("a segment");
    let cut = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(100).expect("a line").0 + 1;
    fs::write(&segment, &bytes[..cut]).expect("written");
    answers_shrunk(&store);
    store.tell(vec![note("a", "another token entirely")]);
    answers_shrunk(&store);
    store.index().catch_up(Budget::ALL).expect("caught up");
    answers_shrunk(&store);
    fs::remove_dir_all(store.folder.path().join("journal/sessions/b")).expect("gone");
    answers_shrunk(&store);
}

fn answers_shrunk(store: &Store) {
    let index = store.index();
    let asked = query("token");
    let scan = index.scan(&asked, &Options::default()).expect("a scan");
    assert_eq!(gist(&index.search(&asked, &Options::default()).expect("an answer")), gist(&scan));
    let journal = index.folded_views(&Scope::All).expect("views").sessions().expect("rows");
    assert_eq!(index.views(&Scope::All).expect("views").sessions().expect("rows"), journal);
}

#[test]
fn damage_in_the_journal_is_told() {
    let store = Store::new();
    store.tell((0..20).map(|n| note("a", &format!("token {n}"))).collect());
    let segment = store.folder.path().join("journal/sessions/a/0000000000.ndjson");
    let text = fs::read_to_string(&segment).expect("a segment");
    fs::write(&segment, text.replacen("token 7", "t0ken 7", 1)).expect("written");
    let index = store.index();
    for _ in 0..2 {
        let scan = index.scan(&query("token"), &Options::default()).expect("a scan");
        let answer = ask(&index, "token");
        assert_eq!((answer.total, answer.complete), (19, false));
        assert_eq!(gist(&answer), gist(&scan));
        index.catch_up(Budget::ALL).expect("caught up");
    }
    assert!(!index.views(&Scope::All).expect("views").complete);
}
