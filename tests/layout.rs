//! Shape: what the architecture page promises and a program can check.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, left to right.
const ROOMS: &[&str] = &[
    "world",
    "event",
    "redact",
    "journal",
    "index",
    "recorder",
    "import",
    "capture",
    "audit",
    "orchestrate",
    "investigate",
    "bazinga",
    "mcp",
];
/// The rooms that serve: only there is an async runtime.
const SERVING: &[&str] = &["mcp"];
/// Rooms without disk, clock or chance.
const PURE: &[&str] = &["event", "redact"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a listing") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() && !matches!(name.as_str(), "target" | ".git" | "node_modules") {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The code of a file without its tests and comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source file");
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Tests that fill a file or folder of their own.
fn is_test(file: &Path) -> bool {
    file.components().any(|part| matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs")))
}

fn rooms_with_code() -> Vec<(&'static str, PathBuf)> {
    ROOMS
        .iter()
        .flat_map(|room| {
            let sources = files(&root().join("crates").join(room).join("src"), "rs").into_iter();
            sources.filter(|file| !is_test(file)).map(move |file| (*room, file))
        })
        .collect()
}

#[test]
fn a_room_uses_only_rooms_to_its_left() {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(["--offline".to_owned(), "--locked".to_owned()])
        .exec()
        .expect("cargo metadata");
    let place = |name: &str| ROOMS.iter().position(|room| *room == name);
    let mut seen = BTreeSet::new();
    for package in metadata.workspace_packages() {
        let Some(own) = place(package.name.as_ref()) else { continue };
        seen.insert(own);
        let normal = package.dependencies.iter().filter(|d| d.kind == cargo_metadata::DependencyKind::Normal);
        for used in normal.filter_map(|d| place(&d.name)) {
            assert!(used < own, "{} uses {}, which is not to its left", ROOMS[own], ROOMS[used]);
        }
    }
    assert_eq!(seen.len(), ROOMS.len(), "a room of the table is not in the workspace");
}

#[test]
fn only_the_door_reads_environment_home_or_terminal() {
    for (room, file) in rooms_with_code() {
        let code = code(&file);
        for word in ["env::var", "env::vars", "home_dir", "is_terminal", "println!", "eprintln!"] {
            assert!(!code.contains(word), "{room}: {} has {word}", file.display());
        }
    }
}

#[test]
fn one_file_opens_a_socket_for_one_command_and_only_doors_that_serve_are_async() {
    const DOOR: &str = "crates/audit/src/anchor/http.rs";
    let with = |word: &str| -> Vec<PathBuf> {
        let code_of = |file: &PathBuf| code(file).contains(word);
        rooms_with_code().into_iter().map(|(_, file)| file).filter(code_of).collect()
    };
    assert_eq!(with("TcpStream"), [root().join(DOOR)]);
    // who uses that file: the witness; and who uses the witness: one command
    assert_eq!(with("http::"), [root().join("crates/audit/src/anchor/witness.rs")]);
    let cli = files(&root().join("crates/cli"), "rs");
    let callers: Vec<&PathBuf> = cli.iter().filter(|file| code(file).contains("audit::witness(")).collect();
    assert_eq!(callers, [&root().join("crates/cli/commands/anchor.rs")]);
    for (room, file) in rooms_with_code().into_iter().filter(|(_, file)| *file != root().join(DOOR)) {
        let code = code(&file);
        for word in ["std::net", "TcpStream", "TcpListener", "UdpSocket", "UnixStream"] {
            assert!(!code.contains(word), "{room}: {} has {word}", file.display());
        }
        for word in ["tokio", "async fn", "async move", ".await"] {
            let allowed = SERVING.contains(&room);
            assert!(allowed || !code.contains(word), "{room}: {} has {word}", file.display());
        }
    }
    for file in files(&root().join("crates"), "toml") {
        let room = file.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
        let manifest = fs::read_to_string(&file).expect("a manifest");
        assert!(SERVING.contains(&room) || !manifest.contains("tokio"), "{} names tokio", file.display());
    }
}

#[test]
fn pure_rooms_touch_neither_disk_nor_clock() {
    for (room, file) in rooms_with_code().into_iter().filter(|(room, _)| PURE.contains(room)) {
        let code = code(&file);
        for word in ["std::fs", "std::time", "File::", "SystemTime", "std::process"] {
            assert!(!code.contains(word), "{room}: {} has {word}", file.display());
        }
    }
}

#[test]
fn every_file_says_what_it_is_first() {
    for (_, file) in rooms_with_code() {
        let text = fs::read_to_string(&file).expect("a source file");
        assert!(text.starts_with("//!"), "{} does not begin with what it is", file.display());
    }
    for file in files(&root().join("crates/cli"), "rs") {
        let text = fs::read_to_string(&file).expect("a source file");
        assert!(text.starts_with("//!"), "{} does not begin with what it is", file.display());
    }
}

#[test]
fn every_command_has_a_page_and_every_page_a_command() {
    let commands = fs::read_to_string(root().join("crates/cli/commands/mod.rs")).expect("the commands");
    let commands: BTreeSet<String> = commands
        .lines()
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .filter(|name| *name != "shown")
        .map(|name| name.replace('_', "-"))
        .collect();
    let pages: BTreeSet<String> = fs::read_dir(root().join("tests/cmd"))
        .expect("tests/cmd")
        .filter_map(|entry| {
            entry.expect("an entry").file_name().to_str()?.strip_suffix(".md").map(str::to_owned)
        })
        .collect();
    assert_eq!(commands, pages);
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let table = fs::read_to_string(root().join("crates/cli/codes.rs")).expect("the table");
    let codes: BTreeSet<String> =
        table.split('"').filter(|w| w.starts_with('R') && w.len() == 5).map(str::to_owned).collect();
    let pages: BTreeSet<String> = files(&root().join("crates/cli/codes"), "md")
        .iter()
        .filter_map(|path| path.file_stem()?.to_str().map(str::to_owned))
        .collect();
    assert_eq!(codes, pages);
    let used: String = files(&root().join("crates/cli"), "rs").iter().map(|f| code(f)).collect();
    for code in &codes {
        assert!(used.matches(code.as_str()).count() >= 2, "{code} is explained and never given");
    }
}

#[test]
fn every_link_of_a_page_leads_somewhere() {
    let mut links = 0;
    for page in files(root(), "md") {
        let text = fs::read_to_string(&page).expect("a page");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") || target.starts_with('#') || target.contains(char::is_whitespace) {
                continue;
            }
            let path = page.parent().expect("a folder").join(target.split('#').next().unwrap_or_default());
            assert!(path.exists(), "{}: {target} leads nowhere", page.display());
            links += 1;
        }
    }
    assert!(links > 10, "only {links} links found");
}

#[test]
fn the_folders_of_the_house_have_a_page_each() {
    for folder in ["crates", "journal", "index", "tests", "benches"] {
        assert!(root().join(folder).join("README.md").is_file(), "{folder} has no README.md");
    }
}
