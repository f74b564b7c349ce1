//! Pages: what a person sees, byte for byte. `README.md`, the rooms' READMEs and one page a command.
//!
//! Each page runs in a sandbox of its own: the sample sessions and a transcript to import lie in the
//! current folder, home and XDG folders are empty. `TRYCMD=overwrite` rewrites the pages.

use std::fs;
use std::path::{Path, PathBuf};

/// Pages outside `tests/cmd/` whose commands run.
const READMES: &[&str] = &["README.md"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a listing") {
            let entry = entry.expect("an entry");
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::copy(from, to).expect("a copy");
    }
}

/// Copies what the pages ask: the sample store without whatever a checkout may have beside it.
fn sandbox(folder: &Path) {
    copy(&root().join("tests/cmd/sandbox"), folder);
    fs::create_dir_all(folder.join("journal")).expect("a folder");
    for name in ["journal/STORE", "journal/sessions"] {
        copy(&root().join(name), &folder.join(name));
    }
}

fn run(page: &Path) {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let home = temp.path().join("home");
    fs::create_dir_all(&home).expect("a home");
    let stem = page.file_stem().and_then(|s| s.to_str()).expect("a name").to_owned();
    let copied = temp.path().join(page.file_name().expect("a name"));
    fs::copy(page, &copied).expect("a copy");
    sandbox(&temp.path().join(format!("{stem}.in")));
    let cases = trycmd::TestCases::new();
    cases
        .env("HOME", home.display().to_string())
        .env("XDG_CONFIG_HOME", home.join("config").display().to_string())
        .env("XDG_DATA_HOME", home.join("data").display().to_string())
        .env("TZ", "UTC")
        .env("RECOUNT_STORE", "")
        .env("NO_COLOR", "1")
        .default_bin_path(env!("CARGO_BIN_EXE_recount"))
        .register_bin("recount", Path::new(env!("CARGO_BIN_EXE_recount")))
        .case(&copied);
    let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| cases.run()));
    if std::env::var_os("TRYCMD").is_some_and(|mode| mode == "overwrite") {
        fs::copy(&copied, page).expect("the page is rewritten");
    }
    ran.unwrap_or_else(|_| panic!("{} is not what the binary prints", page.display()));
}

fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(root().join("tests/cmd"))
        .expect("tests/cmd")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.sort();
    pages.extend(READMES.iter().map(|name| root().join(name)));
    pages
}

#[test]
fn every_page_is_what_the_binary_prints() {
    let pages = pages();
    assert!(pages.len() > READMES.len());
    for page in pages {
        run(&page);
    }
}
