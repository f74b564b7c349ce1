//! Rows of both forms, brought into the one of the files: `{"id":…,"sessionID":…,"messageID":…,…}`.

use serde_json::{Map, Value, json};

use crate::members::TakeMembers;
use crate::time;

/// Columns that hold JSON.
const JSON: &[&str] = &["summary_diffs", "revert", "permission", "model", "goal", "metadata"];
/// Columns and the members of the files that say the same.
const NAMES: &[(&str, &str)] = &[
    ("project_id", "projectID"),
    ("parent_id", "parentID"),
    ("session_id", "sessionID"),
    ("message_id", "messageID"),
    ("workspace_id", "workspaceID"),
];
/// Columns and the objects in which the files have them.
const INNER: &[(&str, &str, &str)] = &[
    ("share_url", "share", "url"),
    ("summary_additions", "summary", "additions"),
    ("summary_deletions", "summary", "deletions"),
    ("summary_files", "summary", "files"),
    ("summary_diffs", "summary", "diffs"),
    ("time_created", "time", "created"),
    ("time_updated", "time", "updated"),
    ("time_compacting", "time", "compacting"),
    ("time_archived", "time", "archived"),
];

/// One row.
pub(super) struct Row {
    pub(super) table: String,
    pub(super) id: Option<String>,
    pub(super) session: Option<String>,
    pub(super) message: Option<String>,
    /// When it was written, where nothing else is known.
    pub(super) at: Option<String>,
    pub(super) fields: Map<String, Value>,
}

impl Row {
    /// Reads a record; `None` for what is no row.
    pub(super) fn of(mut value: Value) -> Option<Self> {
        let table = match value.get("table")?.as_str()? {
            "info" => "session",
            table => table,
        };
        let table = table.to_owned();
        let file = value.get("file").and_then(Value::as_str).map(str::to_owned);
        let fields = match value.get_mut("row")?.take() {
            Value::Object(fields) => fields,
            list @ Value::Array(_) => Map::from_iter([("list".to_owned(), list)]),
            _ => return None,
        };
        Some(match file {
            Some(file) => Self::of_file(table, &file, fields),
            None => Self::of_database(table, fields),
        })
    }

    fn named(table: String, at: Option<String>, fields: Map<String, Value>) -> Self {
        let id = |name: &str| fields.text(name).filter(|id| !id.is_empty()).map(str::to_owned);
        let message = id("messageID").or_else(|| id("id").filter(|_| table == "message"));
        let session = id("sessionID").or_else(|| id("id").filter(|_| table == "session"));
        Self { id: id("id"), session, message, table, at, fields }
    }

    /// A file's folders say what its content may leave out: `message/<session>/`, `part/<message>/`, and in the
    /// oldest form `part/<session>/<message>/`.
    fn of_file(table: String, file: &str, fields: Map<String, Value>) -> Self {
        let names: Vec<&str> = file.split('/').collect();
        let (name, folders) = names.split_last().unwrap_or((&"", &[]));
        let mut row = Self::named(table, None, fields);
        let stem = name.strip_suffix(".json").unwrap_or(name);
        let folder = |back: usize| {
            folders.len().checked_sub(back).filter(|at| *at > 0).map(|at| folders[at].to_owned())
        };
        match row.table.as_str() {
            "message" => row.session = row.session.or_else(|| folder(1)),
            "part" => {
                row.message = row.message.or_else(|| folder(1));
                row.session = row.session.or_else(|| folder(2));
            }
            "todo" => row.session = row.session.or_else(|| Some(stem.to_owned())),
            _ => {}
        }
        row.id = row.id.or_else(|| Some(stem.to_owned()));
        row
    }

    /// A database has part of a row as JSON in the column `data`, and the rest in columns.
    fn of_database(table: String, columns: Map<String, Value>) -> Self {
        let at = columns.get("time_created").and_then(time::at);
        let has_times = table == "session";
        let mut fields = Map::new();
        for (column, value) in columns {
            let value = match value {
                Value::Null => continue,
                Value::String(text) if column == "data" || JSON.contains(&column.as_str()) => {
                    serde_json::from_str(&text).unwrap_or(Value::String(text))
                }
                value => value,
            };
            match (column.as_str(), value) {
                ("data", Value::Object(data)) => fields.extend(data),
                ("time_created" | "time_updated", _) if !has_times => {}
                (column, value) => put(&mut fields, column, value),
            }
        }
        Self::named(table, at, fields)
    }
}

fn put(fields: &mut Map<String, Value>, column: &str, value: Value) {
    if let Some((_, outer, inner)) = INNER.iter().find(|(known, ..)| *known == column) {
        match fields.entry(*outer).or_insert_with(|| json!({})) {
            Value::Object(map) => drop(map.insert((*inner).to_owned(), value)),
            _ => drop(fields.insert(column.to_owned(), value)),
        }
        return;
    }
    let name = NAMES.iter().find(|(known, _)| *known == column).map_or(column, |(_, name)| name);
    fields.insert(name.to_owned(), value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_row_are_one() {
        let file = json!({"table": "part", "file": "part/m/p.json", "row": {"id": "p", "sessionID": "s", "messageID": "m", "type": "text", "text": "x"}});
        let row = json!({"table": "part", "row": {"id": "p", "session_id": "s", "message_id": "m", "time_created": 1, "data": "{\"type\":\"text\",\"text\":\"x\"}"}});
        let (a, b) = (Row::of(file).expect("a row"), Row::of(row).expect("a row"));
        assert_eq!((a.fields, a.message, a.session), (b.fields, b.message, b.session));
        let file = json!({"table": "session", "file": "session/p/s.json", "row": {"id": "s", "projectID": "p", "title": "t", "time": {"created": 1}, "summary": {"files": 2}}});
        let row = json!({"table": "session", "row": {"id": "s", "project_id": "p", "title": "t", "parent_id": null, "time_created": 1, "summary_files": 2}});
        assert_eq!(Row::of(file).map(|row| row.fields), Row::of(row).map(|row| row.fields));
    }

    #[test]
    fn folders_say_what_a_file_leaves_out() {
        let row = |table: &str, file: &str| {
            Row::of(json!({"table": table, "file": file, "row": {}})).expect("a row")
        };
        let part = row("part", "part/m/p.json");
        assert_eq!((part.id.as_deref(), part.message.as_deref(), part.session), (Some("p"), Some("m"), None));
        assert_eq!(row("part", "part/s/m/p.json").session.as_deref(), Some("s"));
        assert_eq!(row("message", "message/s/m.json").session.as_deref(), Some("s"));
    }
}
