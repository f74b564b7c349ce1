//! Which files there are, whose they are, and which goes first.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::archive::{Archive, is_archive};
use crate::database::{Database, is_database};
use crate::folder::{Folder, is_store};
use crate::protobuf::{Batches, is_protobuf};
use crate::{Importer, Item, Reader, SourceFile, time};

/// How many records are looked at to recognise a file.
const HEAD_RECORDS: usize = 24;
const HEAD_BYTES: usize = 2 * 1024 * 1024;
/// A folder with deeper levels is no folder of transcripts.
const MAX_LEVELS: usize = 16;
/// Files beside transcripts that hold something else.
const OTHERS: &[&str] = &["sessions-index.json", "session_index.jsonl", "history.jsonl", "settings.json"];
const ENDINGS: &[&str] = &[
    ".jsonl",
    ".jsonl.zst",
    ".jsonl.gz",
    ".ndjson",
    ".json",
    ".json.zst",
    ".json.gz",
    ".traj",
    ".db",
    ".vscdb",
    ".eval",
    ".pb",
    ".pb.gz",
    ".binpb",
    ".otlp",
];

/// A file to read.
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    pub(super) importer: Option<&'static dyn Importer>,
    /// It is something else, in which records are printed.
    pub(super) salvage: bool,
    pub(super) failed: Option<String>,
}

/// Every file under the paths that may be a transcript, in the order in which they are read best: parents first.
pub fn candidates(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let found = files(paths).map_err(|(_, error)| error)?;
    let mut paths: Vec<PathBuf> = found.into_iter().map(|file| file.path).collect();
    paths.sort_by_key(|path| is_below(path));
    Ok(paths)
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
        Ok(metadata) if metadata.is_dir() => (Folder::look(&path).map_or(0, |(bytes, _)| bytes), None),
        Ok(metadata) => (metadata.len(), None),
        Err(error) => (0, Some(error.to_string())),
    };
    Found { path, bytes, importer: None, salvage: false, failed }
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

/// A file that is only ever added to.
pub(super) fn is_lines(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "jsonl" || end == "ndjson")
}

/// A file that may be a transcript, by its name.
pub fn is_candidate(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let ending = ENDINGS.iter().any(|ending| name.ends_with(ending));
    // of a plain file and its compressed copy the plain one counts
    let plain = name.strip_suffix(".zst").or_else(|| name.strip_suffix(".gz"));
    let twin = plain.is_some_and(|plain| path.with_file_name(plain).exists());
    ending && !name.ends_with(".meta.json") && !name.starts_with('.') && !OTHERS.contains(&name) && !twin
}

/// Recognises the files and puts them in order.
pub(super) fn order(files: Vec<Found>, importers: &[&'static dyn Importer], salvage: bool) -> Vec<Found> {
    let mut sorted: Vec<_> = files.into_iter().map(|file| ranked(file, importers, salvage)).collect();
    sorted.sort_by(|(a, first), (b, second)| (a, &first.path).cmp(&(b, &second.path)));
    sorted.into_iter().map(|(_, file)| file).collect()
}

/// The same file under the name that it has now, if it was compressed, or restored, since it was found.
pub(super) fn moved(found: &Found, importers: &[&'static dyn Importer], salvage: bool) -> Option<Found> {
    let path = &found.path;
    if path.exists() {
        return None;
    }
    let name = path.file_name()?.to_str()?;
    let plain = [".zst", ".gz"].iter().filter_map(|end| Some(path.with_file_name(name.strip_suffix(end)?)));
    let packed = [".zst", ".gz"].iter().map(|end| path.with_file_name(format!("{name}{end}")));
    let now = plain.chain(packed).find(|path| path.is_file())?;
    Some(ranked(file(now), importers, salvage).1)
}

/// Parents first, what goes on behind what it goes on from, then by time; without a time last. Of two that begin
/// alike the shorter is the original.
type Rank = (bool, u32, bool, Option<String>, u64);

fn ranked(mut file: Found, importers: &[&'static dyn Importer], salvage: bool) -> (Rank, Found) {
    let (mut first, mut part) = (None, 0);
    let whose = |heads: &Heads| heads.whose(importers);
    let mut heads = Heads::read(&file.path, false);
    if salvage && heads.as_ref().is_ok_and(|heads| whose(heads).is_none()) {
        file.salvage = true;
        heads = Heads::read(&file.path, true);
    }
    match heads {
        Ok(heads) => {
            first = heads.records.iter().find_map(|record| {
                ["timestamp", "created_at", "startTime"].iter().find_map(|name| time::at(record.get(*name)?))
            });
            part = heads.records.first().map_or(0, part_of);
            file.importer = whose(&heads);
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

/// Who recognises a file.
pub(super) fn whose(path: &Path) -> io::Result<Option<&'static dyn Importer>> {
    Ok(Heads::read(path, false)?.whose(crate::IMPORTERS))
}

/// The first records of a file, as they are handed to one importer and to another.
struct Heads {
    records: Vec<Value>,
    /// With a document as one record, where that is something else.
    whole: Option<Vec<Value>>,
}

impl Heads {
    fn read(path: &Path, salvage: bool) -> io::Result<Self> {
        let records = head(path, false, salvage)?;
        // lines begin alike either way
        let text = path.is_file() && !is_database(path)? && !is_archive(path)? && !is_protobuf(path)?;
        let document = text && Reader::open(File::open(path)?)?.is_document()?;
        let whole = document.then(|| head(path, true, salvage)).transpose()?;
        Ok(Self { records, whole })
    }

    fn whose(&self, importers: &[&'static dyn Importer]) -> Option<&'static dyn Importer> {
        importers.iter().copied().find(|importer| importer.recognises(self.of(*importer)))
    }

    fn of(&self, importer: &dyn Importer) -> &[Value] {
        self.whole.as_ref().filter(|_| importer.takes_documents()).unwrap_or(&self.records)
    }
}

/// The first records of a file; none if it is mostly something else.
fn head(path: &Path, whole: bool, salvage: bool) -> io::Result<Vec<Value>> {
    if path.is_dir() {
        return Ok(Folder::open(path)?.head());
    }
    if is_database(path)? {
        return Ok(Database::open(path)?.head());
    }
    if is_archive(path)? {
        return Ok(Archive::open(path)?.head());
    }
    if is_protobuf(path)? {
        let mut batches = Batches::open(path)?;
        let first = batches.next_item()?;
        let value = first.and_then(|item| match item {
            Item::Record(record) => record.value,
            Item::Gap(_) => None,
        });
        return Ok(value.into_iter().collect());
    }
    let open = if salvage { Reader::open_for_salvage } else { Reader::open };
    let mut reader = open(File::open(path)?)?.whole_documents(whole);
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
    if gaps > records.len() && !salvage {
        records.clear();
    }
    Ok(records)
}

/// What an importer gets to know about a file before its first record.
pub(super) fn source(path: &Path, importer: &dyn Importer, salvage: bool) -> io::Result<SourceFile> {
    let stem = stem(path).to_owned();
    let meta = fs::read(path.with_file_name(format!("{stem}.meta.json"))).ok();
    let meta =
        meta.filter(|bytes| bytes.len() < HEAD_BYTES).and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let head = head(path, importer.takes_documents(), salvage)?;
    Ok(SourceFile { path: path.to_owned(), stem, head, meta })
}

pub(super) fn stem(path: &Path) -> &str {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or("transcript");
    let name = name.strip_suffix(".zst").or_else(|| name.strip_suffix(".gz")).unwrap_or(name);
    ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}
