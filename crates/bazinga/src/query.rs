//! SQL over what is stored: the tables that a query names are made in memory, asked once and forgotten.
//!
//! Nothing is written, nothing outside is opened: the database is empty but for these tables, one statement is
//! run, and only if it reads. It ends after a time and after many rows, and says so by an error.

use std::sync::mpsc::channel;
use std::time::Duration;

use recorder::Store;
use rusqlite::types::{Value as Sql, ValueRef};
use rusqlite::{Connection, params_from_iter};
use serde_json::{Map, Value};

use crate::Answer;
use crate::error::BazingaError;
use crate::rows::{TABLES, Table, everybody};

const PATIENCE: Duration = Duration::from_secs(5);
const MOST_ROWS: usize = 100_000;

/// `query`: reads only.
pub fn query(store: &Store, sql: &str) -> Result<Answer, BazingaError> {
    if !sql.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("select")) {
        return Err(BazingaError::value("query", "one SELECT"));
    }
    let lower = sql.to_lowercase();
    let named: Vec<&Table> = TABLES.iter().filter(|table| lower.contains(table.name)).collect();
    let mut db = Connection::open_in_memory().map_err(|error| refused(&error))?;
    fill(&mut db, store, &named)?;
    let (done, waiting) = channel::<()>();
    let handle = db.get_interrupt_handle();
    let clock = std::thread::spawn(move || {
        if waiting.recv_timeout(PATIENCE).is_err_and(|e| e == std::sync::mpsc::RecvTimeoutError::Timeout) {
            handle.interrupt();
        }
    });
    let rows = ask(&db, sql);
    drop(done);
    let _ = clock.join();
    Ok(Answer::of(rows?))
}

fn refused(error: &rusqlite::Error) -> BazingaError {
    let tables: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
    let takes = format!("SQL over {} ({error})", tables.join(", "));
    BazingaError::value("query", takes)
}

fn fill(db: &mut Connection, store: &Store, tables: &[&Table]) -> Result<(), BazingaError> {
    let sessions = if tables.is_empty() { Vec::new() } else { everybody(store)? };
    for table in tables {
        let columns = table.columns.join(", ");
        db.execute(&format!("CREATE TABLE {} ({columns})", table.name), []).map_err(|e| refused(&e))?;
        let marks = vec!["?"; table.columns.len()].join(", ");
        let insert = format!("INSERT INTO {} VALUES ({marks})", table.name);
        let batch = db.transaction().map_err(|e| refused(&e))?;
        let mut put = batch.prepare(&insert).map_err(|e| refused(&e))?;
        for (id, name) in &sessions {
            for row in (table.rows)(store, id, name)? {
                let values = table.columns.iter().map(|column| sql_value(&row[column]));
                put.execute(params_from_iter(values)).map_err(|e| refused(&e))?;
            }
        }
        drop(put);
        batch.commit().map_err(|e| refused(&e))?;
    }
    Ok(())
}

fn ask(db: &Connection, sql: &str) -> Result<Vec<Value>, BazingaError> {
    let mut statement = db.prepare(sql).map_err(|error| refused(&error))?;
    if !statement.readonly() {
        return Err(BazingaError::value("query", "one SELECT"));
    }
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut rows = statement.query([]).map_err(|error| refused(&error))?;
    let mut out = Vec::new();
    while let Some(row) = rows.next().map_err(|error| refused(&error))? {
        if out.len() >= MOST_ROWS {
            return Err(BazingaError::value("query", format!("a LIMIT of at most {MOST_ROWS} rows")));
        }
        let mut found = Map::new();
        for (at, name) in names.iter().enumerate() {
            let value = row.get_ref(at).map_err(|error| refused(&error))?;
            found.insert(name.clone(), json_value(value));
        }
        out.push(Value::Object(found));
    }
    Ok(out)
}

fn sql_value(value: &Value) -> Sql {
    match value {
        Value::Null => Sql::Null,
        Value::Bool(flag) => Sql::Integer(i64::from(*flag)),
        Value::Number(number) => {
            number.as_i64().map_or_else(|| Sql::Real(number.as_f64().unwrap_or(0.0)), Sql::Integer)
        }
        Value::String(text) => Sql::Text(text.clone()),
        other => Sql::Text(other.to_string()),
    }
}

fn json_value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(n) => n.into(),
        ValueRef::Real(n) => n.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned().into(),
        ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned().into(),
    }
}
