//! Which files there are, whose they are, and which goes first.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::database::{Database, is_database};
use crate::folder::{Folder, is_store};
use crate::{Importer, Item, Reader, SourceFile, time};

/// How many records are looked at to recognise a file.
const HEAD_RECORDS: usize = 24;
const HEAD_BYTES: usize = 2 * 1024 * 1024;
/// A folder with deeper levels is no folder of transcripts.
const MAX_LEVELS: usize = 16;
/// Files beside transcripts that hold something else.
const OTHERS: &[&str] = &["sessions-index.json", "session_index.jsonl", "history.jsonl", "settings.json"];
const ENDINGS: &[&str] = &[".jsonl", ".jsonl.zst", ".ndjson", ".json", ".db"];

/// A file to read.
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    pub(super) importer: Option<&'static dyn Importer>,
    pub(super) failed: Option<String>,
}

/// All files under the paths, each once. A file named by the caller is taken whatever it is called.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<Found>, (PathBuf, io::Error)> {
    let mut found = BTreeSet::new();
    for path in paths {
        let failed = |error| (path.clone(), error);
        let whole = fs::canonicalize(path).map_err(failed)?;
        if fs::metadata(&whole).map_err(failed)?.is_dir() {
            walk(&whole, 0, &mut found).map_err(failed)?;
        } else {
            found.insert(whole);
        }
    }
    Ok(found.into_iter().map(file).collect())
}

fn file(path: PathBuf) -> Found {
    let (bytes, failed) = match fs::metadata(&path) {
        Ok(metadata) => (metadata.len(), None),
        Err(error) => (0, Some(error.to_string())),
    };
    Found { path, bytes, importer: None, failed }
}

/// Links are not followed: they may lead out of the folder, or in circles.
fn walk(folder: &Path, level: usize, found: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    if is_store(folder) {
        found.insert(folder.to_owned());
        return Ok(());
    }
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() && level < MAX_LEVELS {
            // a folder that may not be read hides its files, not the others
            let _ = walk(&path, level + 1, found);
        } else if kind.is_file() && is_candidate(&path) {
            found.insert(path);
        }
    }
    Ok(())
}

fn is_candidate(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let ending = ENDINGS.iter().any(|ending| name.ends_with(ending));
    // of a plain file and its compressed copy the plain one counts
    let twin = name.strip_suffix(".zst").is_some_and(|plain| path.with_file_name(plain).exists());
    ending && !name.ends_with(".meta.json") && !name.starts_with('.') && !OTHERS.contains(&name) && !twin
}

/// Recognises the files and puts them in order.
pub(super) fn order(files: Vec<Found>, importers: &[&'static dyn Importer]) -> Vec<Found> {
    let mut sorted: Vec<_> = files.into_iter().map(|file| ranked(file, importers)).collect();
    sorted.sort_by(|(a, first), (b, second)| (a, &first.path).cmp(&(b, &second.path)));
    sorted.into_iter().map(|(_, file)| file).collect()
}

/// Parents first, what goes on behind what it goes on from, then by time; without a time last. Of two that begin
/// alike the shorter is the original.
type Rank = (bool, u32, bool, Option<String>, u64);

fn ranked(mut file: Found, importers: &[&'static dyn Importer]) -> (Rank, Found) {
    let (mut first, mut part) = (None, 0);
    match head(&file.path) {
        Ok(head) => {
            first = head.iter().find_map(|record| {
                ["timestamp", "created_at", "startTime"].iter().find_map(|name| time::at(record.get(*name)?))
            });
            part = head.first().map_or(0, part_of);
            file.importer = importers.iter().copied().find(|importer| importer.recognises(&head));
        }
        Err(error) => file.failed = Some(error.to_string()),
    }
    let rank = (is_below(&file.path), part, first.is_none(), first, file.bytes);
    (rank, file)
}

/// Which part of a session a document is: `<session>-cont-2` goes on from the one before it, and repeats it.
fn part_of(first: &Value) -> u32 {
    let id = first.get("session_id").and_then(Value::as_str).unwrap_or_default();
    id.rsplit_once("-cont-").and_then(|(_, number)| number.parse().ok()).unwrap_or(0)
}

/// A subagent's file, by its name or folder.
fn is_below(path: &Path) -> bool {
    let folder = path.components().any(|part| part.as_os_str() == "subagents");
    folder || stem(path).starts_with("agent-")
}

/// The first records of a file; none if it is mostly something else.
fn head(path: &Path) -> io::Result<Vec<Value>> {
    if path.is_dir() {
        return Ok(Folder::open(path)?.head());
    }
    if is_database(path)? {
        return Ok(Database::open(path)?.head());
    }
    let mut reader = Reader::open(File::open(path)?)?;
    let (mut records, mut gaps, mut bytes) = (Vec::new(), 0, 0);
    while records.len() + gaps < HEAD_RECORDS && bytes < HEAD_BYTES {
        match reader.next_item()? {
            None => break,
            Some(Item::Gap(_)) => gaps += 1,
            Some(Item::Record(record)) => {
                bytes += record.text.len();
                records.extend(record.value);
            }
        }
    }
    if gaps > records.len() {
        records.clear();
    }
    Ok(records)
}

/// What an importer gets to know about a file before its first record.
pub(super) fn source(path: &Path) -> io::Result<SourceFile> {
    let stem = stem(path).to_owned();
    let meta = fs::read(path.with_file_name(format!("{stem}.meta.json"))).ok();
    let meta =
        meta.filter(|bytes| bytes.len() < HEAD_BYTES).and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Ok(SourceFile { path: path.to_owned(), stem, head: head(path)?, meta })
}

fn stem(path: &Path) -> &str {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or("transcript");
    let name = name.strip_suffix(".zst").unwrap_or(name);
    ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}
