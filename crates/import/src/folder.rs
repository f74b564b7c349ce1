//! A folder of many small JSON files that are one store: each file is `{"file": "…", "row": {…}, "table": "…"}`, as
//! rows of a database are, tables behind those that they refer to, and parts behind their message.
//!
//! - F1  nothing is written, and links are not followed
//! - F2  memory is bounded by one file and the names of all
//! - F3  a file that cannot be read costs that file only

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::json::{Parsed, parse, without_lone_surrogates};
use crate::reader::{Gap, Item, MAX_RECORD_BYTES, Place, Record};

/// Subfolders that make a folder a store; before there were parts it had `info`.
const NEEDED: &[[&str; 2]] = &[["message", "part"], ["message", "info"]];
/// What is read first; then the others by name.
const FIRST: &[&str] = &["project", "info", "session", "message", "part"];
const MESSAGES: &str = "message";
const PARTS: &str = "part";
/// Deeper levels hold nothing of a store.
const MAX_LEVELS: usize = 6;

/// True for a folder that is read as one.
pub(crate) fn is_store(path: &Path) -> bool {
    let folder = |name: &&str| fs::symlink_metadata(path.join(name)).is_ok_and(|entry| entry.is_dir());
    NEEDED.iter().any(|names| names.iter().all(folder))
}

/// A store, read file by file.
pub(crate) struct Folder {
    root: PathBuf,
    tables: Vec<String>,
    waiting: VecDeque<(usize, PathBuf)>,
    /// Parts, by the folder that is named after their message: they come behind it.
    parts: BTreeMap<String, Vec<PathBuf>>,
    text: String,
    count: u64,
}

impl Folder {
    /// Lists the files, opens none.
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        let mut tables = Vec::new();
        for entry in fs::read_dir(root)?.filter_map(Result::ok) {
            if entry.file_type()?.is_dir()
                && let Ok(name) = entry.file_name().into_string()
            {
                tables.push(name);
            }
        }
        let rank = |name: &String| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len());
        tables.sort_by_key(|name| (rank(name), name.clone()));
        let mut waiting = VecDeque::new();
        for (table, name) in tables.iter().enumerate() {
            list(&root.join(name), 0, table, &mut waiting);
        }
        let mut parts: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        let of_message = |path: &PathBuf| Some(path.parent()?.file_name()?.to_string_lossy().into_owned());
        waiting.retain(|(table, path)| {
            let message = of_message(path).filter(|_| tables[*table] == PARTS);
            message.is_none_or(|message| {
                parts.entry(message).or_default().push(path.clone());
                false
            })
        });
        Ok(Self { root: root.to_owned(), tables, waiting, parts, text: String::new(), count: 0 })
    }

    /// What all files look like from outside: sum of their bytes, and a hash that changes with any of them.
    pub(crate) fn look(root: &Path) -> io::Result<(u64, String)> {
        let store = Self::open(root)?;
        let (mut bytes, mut hash) = (0, blake3::Hasher::new());
        let files = store.waiting.iter().map(|(_, path)| path).chain(store.parts.values().flatten());
        for path in files {
            // one that has gone meanwhile is missing from the next look
            let Ok(meta) = fs::metadata(path) else { continue };
            bytes += meta.len();
            let name = path.strip_prefix(root).unwrap_or(path).as_os_str().as_encoded_bytes();
            hash.update(&(name.len() as u64).to_le_bytes()).update(name);
            for number in
                [meta.ino(), meta.len(), meta.mtime().cast_unsigned(), meta.mtime_nsec().cast_unsigned()]
            {
                hash.update(&number.to_le_bytes());
            }
        }
        Ok((bytes, hash.finalize().to_hex().to_string()))
    }

    /// What an importer recognises a store by: one value a table.
    pub(crate) fn head(&self) -> Vec<Value> {
        self.tables.iter().map(|table| json!({"table": table, "columns": ["file"]})).collect()
    }

    /// The next file; `None` at the end.
    pub(crate) fn next_item(&mut self) -> Option<Item<'_>> {
        let (table, path) = self.next_file()?;
        self.count += 1;
        let place = Place { line: self.count, offset: self.count };
        let (text, mut repaired) = match content(&path) {
            Ok(found) => found,
            Err((reason, bytes)) => return Some(Item::Gap(Gap { reason, bytes, place, text: None })),
        };
        let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\0' | '\u{feff}'));
        let mut parsed = parse(text);
        if !matches!(parsed, Parsed::Value(_))
            && let Some(Parsed::Value(value)) = without_lone_surrogates(text).map(|fixed| parse(&fixed))
        {
            parsed = Parsed::Value(value);
            repaired.push("surrogates");
        }
        let file = path.strip_prefix(&self.root).unwrap_or(&path).to_string_lossy().into_owned();
        let value = match parsed {
            Parsed::Value(row) => json!({"file": file, "row": row, "table": self.tables[table]}),
            Parsed::Odd => {
                text.clone_into(&mut self.text);
                return Some(Item::Record(Record { text: &self.text, value: None, place, repaired }));
            }
            Parsed::Bad => {
                let (bytes, text) = (text.len() as u64, Some(text.to_owned()));
                return Some(Item::Gap(Gap { reason: "not JSON", bytes, place, text }));
            }
        };
        self.follow(&value);
        self.text = value.to_string();
        Some(Item::Record(Record { text: &self.text, value: Some(value), place, repaired }))
    }
}

impl Folder {
    /// The next file; in the end the parts of messages that are not here.
    fn next_file(&mut self) -> Option<(usize, PathBuf)> {
        if let Some(next) = self.waiting.pop_front() {
            return Some(next);
        }
        let (_, parts) = self.parts.pop_first()?;
        self.put_first(parts);
        self.waiting.pop_front()
    }

    /// Behind a message its parts.
    fn follow(&mut self, value: &Value) {
        let id = value["row"]["id"].as_str().filter(|_| value["table"] == MESSAGES);
        if let Some(parts) = id.and_then(|id| self.parts.remove(id)) {
            self.put_first(parts);
        }
    }

    fn put_first(&mut self, parts: Vec<PathBuf>) {
        let Some(table) = self.tables.iter().position(|table| table == PARTS) else { return };
        for path in parts.into_iter().rev() {
            self.waiting.push_front((table, path));
        }
    }
}

/// The files below a folder, by name. One that cannot be listed hides its own files only.
fn list(folder: &Path, level: usize, table: usize, found: &mut VecDeque<(usize, PathBuf)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
        if kind.is_dir() && level < MAX_LEVELS {
            list(&path, level + 1, table, found);
        } else if kind.is_file() && path.extension().is_some_and(|end| end == "json") {
            found.push_back((table, path));
        }
    }
}

/// The text of a file, or why there is none.
fn content(path: &Path) -> Result<(String, Vec<&'static str>), (&'static str, u64)> {
    let mut bytes = Vec::new();
    let limit = MAX_RECORD_BYTES as u64;
    let read = File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    if read.is_err() {
        return Err(("file cannot be read", 0));
    }
    if bytes.len() as u64 > limit {
        return Err(("record is larger than 64 MiB", fs::metadata(path).map_or(limit, |file| file.len())));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => (text, Vec::new()),
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), vec!["utf8"]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_in_the_order_of_their_tables_and_a_bad_one_is_a_gap() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("makes folders");
            fs::write(path, bytes).expect("writes");
        };
        assert!(!is_store(folder.path()));
        write("part/m1/p1.json", b"\xef\xbb\xbf{\r\n \"id\": \"p1\"\r\n}\r\n");
        write("message/s1/m1.json", b"{\"id\":");
        write("session/x/s1.json", b"{\"id\":\"\xff\"}");
        write("part/m2/p2.json", b"{}");
        write("message/s1/m2.json", b"{\"id\":\"m2\"}");
        write("todo/s1.json", b"[{}]");
        write("part/note.txt", b"no");
        assert!(is_store(folder.path()));
        let mut store = Folder::open(folder.path()).expect("opens");
        let mut found = Vec::new();
        while let Some(item) = store.next_item() {
            found.push(match item {
                Item::Record(record) => record.text.to_owned(),
                Item::Gap(gap) => gap.reason.to_owned(),
            });
        }
        let expected = [
            "{\"file\":\"session/x/s1.json\",\"row\":{\"id\":\"\u{fffd}\"},\"table\":\"session\"}",
            "not JSON",
            r#"{"file":"message/s1/m2.json","row":{"id":"m2"},"table":"message"}"#,
            r#"{"file":"part/m2/p2.json","row":{},"table":"part"}"#,
            r#"{"file":"todo/s1.json","row":[{}],"table":"todo"}"#,
            r#"{"file":"part/m1/p1.json","row":{"id":"p1"},"table":"part"}"#,
        ];
        assert_eq!(found, expected);
    }
}
