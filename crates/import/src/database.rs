//! SQLite databases as records: each row is `{"row": {…}, "table": "…"}`, tables behind those they refer to.
//!
//! - D1  the file is never written, and nothing beside it: it is opened as one that does not change
//! - D2  what a write-ahead log or a hot journal holds counts: such a database is copied aside, settled in the
//!   copy, and the copy's name is gone before the first row is handed out
//! - D3  memory is bounded by a few rows (and the rows inside of one), not by the database
//! - D4  only tables are read: no view, trigger or virtual table of a stranger's runs

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use serde_json::{Map, Value, json};

use crate::Nested;
use crate::reader::{Gap, Item, MAX_RECORD_BYTES, Place, Record};

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Rows that are read at once.
const PAGE_ROWS: usize = 64;
/// How often a database that is being written is copied anew.
const TRIES: usize = 5;

/// True if the file begins as a database does.
pub(crate) fn is_database(path: &Path) -> io::Result<bool> {
    let mut start = [0; MAGIC.len()];
    let read = File::open(path)?.take(MAGIC.len() as u64).read(&mut start)?;
    Ok(read == MAGIC.len() && start == *MAGIC)
}

/// A table.
struct Table {
    name: String,
    columns: Vec<String>,
    /// Tables that it refers to.
    above: Vec<String>,
    has_rowid: bool,
}

/// A database, read row by row.
pub(crate) struct Database {
    connection: Connection,
    tables: Vec<Table>,
    /// The table being read.
    at: usize,
    /// Where in it: behind this row id, or this many rows.
    behind: i64,
    waiting: VecDeque<(usize, Map<String, Value>)>,
    /// The outer table, the inner one, and its column, if rows come inside of others.
    nested: Option<(usize, usize, String)>,
    text: String,
    count: u64,
}

impl Database {
    /// Opens a database without changing it.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let pending = |end: &str| fs::metadata(beside(path, end)).is_ok_and(|file| file.len() > 0);
        let connection = if pending("-wal") || pending("-journal") { aside(path)? } else { as_it_is(path)? };
        connection.execute_batch("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF").map_err(failed)?;
        let tables = tables(&connection).map_err(failed)?;
        let (waiting, text) = (VecDeque::new(), String::new());
        Ok(Self { connection, tables, at: 0, behind: i64::MIN, waiting, nested: None, text, count: 0 })
    }

    /// Rows of one table right behind the rows of another that they belong to, where the database has both.
    pub(crate) fn nested(mut self, nested: Option<Nested>) -> Self {
        let place = |name: &str, column: &str| {
            let has = |table: &Table| table.name == name && table.columns.iter().any(|known| known == column);
            self.tables.iter().position(has)
        };
        self.nested = nested.and_then(|nested| {
            let (outer, inner) = (place(nested.outer, "id")?, place(nested.inner, nested.column)?);
            // without an index each row would cost a look at all of them
            let indexed = is_indexed(&self.connection, nested.inner, nested.column).unwrap_or(false);
            indexed.then_some((outer, inner, nested.column.to_owned()))
        });
        self
    }

    /// What an importer recognises a database by: one value a table.
    pub(crate) fn head(&self) -> Vec<Value> {
        self.tables.iter().map(|table| json!({"table": table.name, "columns": table.columns})).collect()
    }

    /// The next row; `None` at the end.
    pub(crate) fn next_item(&mut self) -> io::Result<Option<Item<'_>>> {
        while self.waiting.is_empty() {
            if self.at == self.tables.len() {
                return Ok(None);
            }
            self.fill().map_err(failed)?;
        }
        let Some((table, row)) = self.waiting.pop_front() else { return Ok(None) };
        self.follow(table, &row).map_err(failed)?;
        let table = self.tables[table].name.clone();
        self.count += 1;
        let place = Place { line: self.count, offset: self.count };
        let value = json!({"table": table, "row": row});
        self.text = value.to_string();
        if self.text.len() > MAX_RECORD_BYTES {
            let (reason, bytes) = ("row is larger than 64 MiB", self.text.len() as u64);
            return Ok(Some(Item::Gap(Gap { reason, bytes, place, text: None })));
        }
        Ok(Some(Item::Record(Record { text: &self.text, value: Some(value), place, repaired: Vec::new() })))
    }

    /// Reads some more rows of the table, or goes on to the next one.
    fn fill(&mut self) -> rusqlite::Result<()> {
        let table = &self.tables[self.at];
        let name = quoted(&table.name);
        // of the inner table only what belongs to no row of the outer one is left
        let left =
            self.nested.as_ref().filter(|(_, inner, _)| *inner == self.at).map(|(outer, _, column)| {
                format!("{} NOT IN (SELECT id FROM {})", quoted(column), quoted(&self.tables[*outer].name))
            });
        let left = left.unwrap_or_else(|| "1".to_owned());
        let query = if table.has_rowid {
            format!(
                "SELECT rowid, * FROM {name} WHERE rowid > ?1 AND {left} ORDER BY rowid LIMIT {PAGE_ROWS}"
            )
        } else {
            format!("SELECT 0, * FROM {name} WHERE {left} LIMIT {PAGE_ROWS} OFFSET ?1")
        };
        let behind = if table.has_rowid { self.behind } else { self.behind.max(0) };
        let mut statement = self.connection.prepare(&query)?;
        let mut rows = statement.query([behind])?;
        let (mut last, mut read) = (behind, 0);
        while let Some(row) = rows.next()? {
            last = if table.has_rowid { row.get(0)? } else { last + 1 };
            self.waiting.push_back((self.at, members(row, &table.columns)?));
            read += 1;
        }
        self.behind = last;
        if read == 0 {
            self.at += 1;
            self.behind = i64::MIN;
        }
        Ok(())
    }
}

impl Database {
    /// Puts the rows that belong to this one behind it.
    fn follow(&mut self, table: usize, row: &Map<String, Value>) -> rusqlite::Result<()> {
        let Some((outer, inner, column)) = &self.nested else { return Ok(()) };
        let (Some(id), true) = (row.get("id").and_then(Value::as_str), *outer == table) else {
            return Ok(());
        };
        let table = &self.tables[*inner];
        let order = if table.has_rowid { "rowid" } else { "1" };
        let query = format!(
            "SELECT 0, * FROM {} WHERE {} = ?1 ORDER BY {order}",
            quoted(&table.name),
            quoted(column)
        );
        let mut statement = self.connection.prepare(&query)?;
        let rows = statement.query_map([id], |row| members(row, &table.columns))?;
        let rows: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
        rows.into_iter().rev().for_each(|row| self.waiting.push_front((*inner, row)));
        Ok(())
    }
}

fn failed(error: rusqlite::Error) -> io::Error {
    io::Error::other(error)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    PathBuf::from(name)
}

/// Nobody is writing, and we never do.
fn as_it_is(path: &Path) -> io::Result<Connection> {
    let mut name = String::from("file:");
    for byte in std::path::absolute(path)?.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                name.push(char::from(*byte));
            }
            byte => {
                let _ = write!(name, "%{byte:02x}");
            }
        }
    }
    name.push_str("?immutable=1");
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(name, flags).map_err(failed)
}

/// A copy with everything in it that was still to be written, open and without a name.
fn aside(path: &Path) -> io::Result<Connection> {
    let folder = tempfile::Builder::new().prefix("recount-").tempdir()?;
    let copy = folder.path().join("copy.db");
    copy_all(path, &copy)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&copy, flags).map_err(failed)?;
    let settle = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA temp_store = MEMORY;
                  BEGIN; SELECT count(*) FROM sqlite_master";
    connection.execute_batch(settle).map_err(failed)?;
    folder.close()?;
    Ok(connection)
}

/// Copies the database and what stands beside it, all of one moment.
fn copy_all(path: &Path, copy: &Path) -> io::Result<()> {
    for _ in 0..TRIES {
        let before = stamps(path);
        for end in ["-journal", "-wal", ""] {
            let (from, to) = (beside(path, end), beside(copy, end));
            match fs::copy(&from, &to) {
                Err(error) if end.is_empty() || error.kind() != io::ErrorKind::NotFound => return Err(error),
                Err(_) => drop(fs::remove_file(&to)),
                Ok(_) => {}
            }
        }
        if stamps(path) == before {
            return Ok(());
        }
    }
    Err(io::Error::other("the database is being written all the time; try again when it rests"))
}

fn stamps(path: &Path) -> [Option<(u64, SystemTime)>; 3] {
    ["", "-wal", "-journal"].map(|end| {
        let file = fs::metadata(beside(path, end)).ok()?;
        Some((file.len(), file.modified().ok()?))
    })
}

/// Every ordinary table, each behind those that it refers to.
fn tables(connection: &Connection) -> rusqlite::Result<Vec<Table>> {
    let ordinary = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0
                    AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid";
    let names = column(connection, ordinary, 0)?;
    let mut waiting = names.into_iter().map(|name| table(connection, name)).collect::<Result<Vec<_>, _>>()?;
    let mut sorted: Vec<Table> = Vec::new();
    while !waiting.is_empty() {
        let known = |name: &String| sorted.iter().any(|table| table.name == *name);
        let here = |name: &String| waiting.iter().any(|table| table.name == *name);
        let free =
            |table: &Table| table.above.iter().all(|name| known(name) || *name == table.name || !here(name));
        // tables that refer to each other in a ring come as they stand
        let next = waiting.iter().position(free).unwrap_or(0);
        sorted.push(waiting.remove(next));
    }
    Ok(sorted)
}

fn table(connection: &Connection, name: String) -> rusqlite::Result<Table> {
    let quoted = quoted(&name);
    let columns = column(connection, &format!("PRAGMA table_info({quoted})"), 1)?;
    let above = column(connection, &format!("PRAGMA foreign_key_list({quoted})"), 2)?;
    let has_rowid = connection.prepare(&format!("SELECT rowid FROM {quoted} LIMIT 0")).is_ok();
    Ok(Table { name, columns, above, has_rowid })
}

/// True if an index of the table begins with this column.
fn is_indexed(connection: &Connection, table: &str, name: &str) -> rusqlite::Result<bool> {
    let indexes = column(connection, &format!("PRAGMA index_list({})", quoted(table)), 1)?;
    for index in indexes {
        let columns =
            column(connection, &format!("SELECT name FROM pragma_index_info({})", text(&index)), 0)?;
        if columns.first().is_some_and(|first| first == name) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn text(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

fn column(connection: &Connection, query: &str, index: usize) -> rusqlite::Result<Vec<String>> {
    connection.prepare(query)?.query_map([], |row| row.get(index))?.collect()
}

fn members(row: &Row<'_>, columns: &[String]) -> rusqlite::Result<Map<String, Value>> {
    let values = columns.iter().enumerate().map(|(index, name)| {
        let value = match row.get_ref(index + 1)? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => number.into(),
            ValueRef::Real(number) => number.into(),
            ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
            ValueRef::Blob(bytes) => bytes_as_text(bytes).into(),
        };
        Ok((name.clone(), value))
    });
    values.collect()
}

/// Bytes as SQLite writes them: `x'0aff'`.
fn bytes_as_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2 + 3);
    text.push_str("x'");
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(path: &Path) -> Vec<Value> {
        let mut database = Database::open(path).expect("opens");
        let mut rows = Vec::new();
        while let Some(Item::Record(record)) = database.next_item().expect("reads") {
            rows.push(record.value.expect("a value"));
        }
        rows
    }

    fn made(path: &Path, sql: &str) -> Connection {
        let connection = Connection::open(path).expect("opens");
        connection.execute_batch(sql).expect("runs");
        connection
    }

    #[test]
    fn parents_come_first_and_every_value_has_a_form() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("odd ?#%é.db");
        drop(made(
            &path,
            "CREATE TABLE child (id INTEGER PRIMARY KEY, parent TEXT REFERENCES parent(id));
             CREATE TABLE parent (id TEXT PRIMARY KEY, n REAL, b BLOB) WITHOUT ROWID;
             CREATE VIEW seen AS SELECT * FROM child;
             INSERT INTO parent VALUES ('a', 0.5, x'0aff'), ('b', NULL, NULL);
             INSERT INTO child VALUES (-5, 'a'), (7, 'b');",
        ));
        let expected = json!([
            {"table": "parent", "row": {"id": "a", "n": 0.5, "b": "x'0aff'"}},
            {"table": "parent", "row": {"id": "b", "n": null, "b": null}},
            {"table": "child", "row": {"id": -5, "parent": "a"}},
            {"table": "child", "row": {"id": 7, "parent": "b"}},
        ]);
        assert_eq!(Value::from(rows(&path)), expected);
    }

    #[test]
    fn many_rows_are_read_in_pages_each_once() {
        let folder = tempfile::tempdir().expect("a folder");
        for end in ["", "WITHOUT ROWID"] {
            let path = folder.path().join(format!("{end}.db"));
            let sql = format!(
                "CREATE TABLE t (id INTEGER PRIMARY KEY) {end};
                 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                 INSERT INTO t SELECT i * 3 FROM n;"
            );
            drop(made(&path, &sql));
            let ids: Vec<i64> = rows(&path).iter().filter_map(|row| row["row"]["id"].as_i64()).collect();
            assert_eq!(ids, (1..=1000).map(|i| i * 3).collect::<Vec<_>>(), "{end}");
        }
    }

    #[test]
    fn a_write_ahead_log_counts_and_nothing_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("live.db");
        let live = made(
            &path,
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
             CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t VALUES (1, 'in the log');",
        );
        let state = || {
            let mut files: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(folder.path())
                .expect("a listing")
                .map(|entry| entry.expect("an entry").path())
                .map(|file| (file.clone(), fs::read(&file).expect("bytes")))
                .collect();
            files.sort();
            files
        };
        let before = state();
        assert_eq!(rows(&path).len(), 1);
        assert!(state() == before, "something was written");
        drop(live);
    }

    #[test]
    fn what_is_no_database_or_a_broken_one_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.db");
        fs::write(&path, [MAGIC.as_slice(), &[7; 4000]].concat()).expect("writes");
        assert!(is_database(&path).expect("reads"));
        assert!(Database::open(&path).is_err());
        fs::write(&path, "{}").expect("writes");
        assert!(!is_database(&path).expect("reads"));
    }
}
