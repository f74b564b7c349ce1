//! A folder of small files that is one store: what is as it was costs a look at its files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ahead::{import_ahead, recorder};

const STORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/import/opencode-folder/input");

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("lists").map(|entry| entry.expect("an entry")) {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &to) } else { assert!(fs::copy(&path, &to).is_ok()) }
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("lists").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() { files(&entry, found) } else { found.push(entry) }
    }
}

#[test]
fn a_folder_that_is_as_it_was_is_not_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("input");
    copy(Path::new(STORE), &input);
    let mut recorder = recorder(&folder.path().join("store"));
    let first = import_ahead(&mut recorder, &input);
    assert!(first.len() == 1 && first[0].events > 0 && !first[0].unchanged, "{first:?}");
    let again = import_ahead(&mut recorder, &input);
    assert!(again[0].unchanged && again[0].events == 0 && again[0].adds_up(), "{again:?}");
    assert_eq!(again[0].records, first[0].records);

    let mut all = Vec::new();
    files(&input, &mut all);
    all.sort();
    let part =
        all.iter().rfind(|path| path.components().any(|name| name.as_os_str() == "part")).expect("a part");
    let text = fs::read_to_string(part).expect("reads");
    fs::write(part, text.clone() + "\n").expect("writes");
    let touched = import_ahead(&mut recorder, &input);
    assert!(!touched[0].unchanged && touched[0].events == 0, "{touched:?}");
    fs::write(
        part.with_file_name("prt_new.json"),
        text.replacen("\"id\"", "\"more\": 1, \"id\"", 1).replacen("prt_", "prt_new", 1),
    )
    .expect("writes");
    let grown = import_ahead(&mut recorder, &input);
    assert!(!grown[0].unchanged && grown[0].stored == 1, "{grown:?}");
    assert!(import_ahead(&mut recorder, &input)[0].unchanged);
}
