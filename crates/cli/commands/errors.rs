//! `recount errors`: errors that are one error, with when they were seen first and last.

use ::investigate::{Kin, errors};
use serde_json::{Value, json};

use crate::args::{Errors, Global, GroupBy};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Errors, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let now = shown::now(out);
    let mut query = shown::query(&store, &args.query.join(" "), &now)?;
    if let Some(at) = &args.at {
        query = query.and(shown::until(&store, at, &now)?);
    }
    let found = errors(&store, &query, args.group_by == GroupBy::Fingerprint, &now)?;
    let exit = if found.rows.is_empty() { NO } else { 0 };
    if out.json {
        let rows: Vec<Value> = found.rows.iter().map(row_json).collect();
        out.document(
            "recount.errors/1",
            &json!({"errors": rows.len()}),
            found.complete,
            json!({"errors": rows}),
        )?;
        return Ok(exit);
    }
    let mut names = Names::new(&store);
    let mut table = Table::new(&[
        "event",
        "agent",
        "kind",
        "what",
        "fingerprint",
        "times",
        "sessions",
        "first seen",
        "last seen",
    ]);
    for row in &found.rows {
        let mut cells = shown::brief(&row.last, &mut names);
        let cell = |text: String| text.into();
        cells.extend([
            cell(row.fingerprint.clone()),
            cell(row.count.to_string()),
            cell(row.sessions.to_string()),
        ]);
        cells.extend([
            shown::time(row.first.time(), out.utc).into(),
            shown::time(row.last.time(), out.utc).into(),
        ]);
        table.row(cells);
    }
    out.table(&table)?;
    if found.rows.is_empty() {
        eprintln!("no errors");
    }
    if !found.complete {
        eprintln!("warning: not everything was looked at; a query narrows it down");
    }
    Ok(exit)
}

fn row_json(row: &Kin) -> Value {
    json!({
        "fingerprint": row.fingerprint, "count": row.count, "sessions": row.sessions,
        "first": shown::brief_json(&row.first), "last": shown::brief_json(&row.last),
    })
}
