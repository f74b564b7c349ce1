//! What the scanner is timed on: real text without secrets, labelled text, and hostile text.

use std::path::{Path, PathBuf};

/// Real text comes from the folder that this variable names, as much as this many bytes of it.
const REAL: &str = "RECOUNT_REAL_TEXT";
const MOST_REAL: usize = 64 << 20;

/// Beginnings of secrets that never become one, and what else a scanner could stumble over.
pub(crate) const HOSTILE: &[&str] = &[
    "a",
    "password=",
    "password: ",
    "password=\"",
    "key=key ",
    "eyJ",
    "-----BEGIN ",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA",
    "\\",
    "\"",
    "'",
    "{\"a\":",
    "[[[[",
    "0x",
    "%41",
    "%2541",
    "\\u0022",
    "dXNlcjpw",
    "a1B2c3D4",
    "://a:b",
    "://a:b/",
    "Bearer ",
    "Authorization: Basic ",
    "Cookie: a=b;",
    "--token ",
    "login: a/",
    "the password is ",
    "| password |\n",
    "ghp_",
    "\u{200B}",
    "\u{1B}[",
    "é密",
    "parola: Otter!Bridge5, ",
    "| root password | Otter!Bridge5 | riverteam |\n",
    "cqlsh a \\\n -u b -p 'c",
    " \\\n",
];

/// `piece`, again and again, to `bytes`.
pub(crate) fn hostile(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len() + 1)
}

/// Files of the folder `$RECOUNT_REAL_TEXT`; without it, prose and code from a seed.
pub(crate) fn real() -> Vec<String> {
    let Some(folder) = std::env::var_os(REAL) else { return made() };
    let mut folders = vec![PathBuf::from(folder)];
    let (mut texts, mut bytes) = (Vec::new(), 0);
    while let Some(path) = folders.pop().filter(|_| bytes < MOST_REAL) {
        if path.is_dir() && !path.is_symlink() {
            let mut inside: Vec<_> =
                std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            inside.sort();
            folders.extend(inside);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            bytes += text.len();
            texts.push(text);
        }
    }
    texts
}

/// Eight megabytes of sentences and statements, the same each time.
fn made() -> Vec<String> {
    let words = [
        "the",
        "session",
        "writes",
        "each",
        "line",
        "before",
        "it",
        "answers",
        "and",
        "a",
        "reader",
        "sees",
        "what",
        "was",
        "there",
        "when",
        "tests",
        "run",
        "again",
        "(see",
        "notes),",
        "fn",
        "let",
        "mut",
        "count",
        "=",
        "self.rows.len();",
        "if",
        "value.is_some()",
        "{",
        "}",
        "return",
        "// why",
        "token",
        "key",
        "\n",
    ];
    let mut seed = 0x9E37_79B9_u32;
    let mut word = || {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        words[seed as usize % words.len()]
    };
    (0..1024).map(|_| (0..1500).flat_map(|_| [word(), " "]).collect()).collect()
}

/// The texts of the labelled set in `$RECOUNT_DATA` or beside the repository; none if it is not there.
pub(crate) fn labelled() -> Vec<String> {
    let folder = std::env::var("RECOUNT_DATA").unwrap_or_else(|_| "../shared/data".into());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder).join("redaction-dev.ndjson");
    let lines = std::fs::read_to_string(path).unwrap_or_default();
    let text =
        |line| Some(serde_json::from_str::<serde_json::Value>(line).ok()?["text"].as_str()?.to_owned());
    lines.lines().filter_map(text).collect()
}
