//! Task groups: each change is an event with the columns that it sets; the row is their sum.

use event::Event;
use recorder::{Recorder, Store};
use serde_json::{Map, Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{body, draft, events, record, time};
use crate::words::{GROUP_STATUSES, REVIEWS, TIERS, group as check_group, list, one_of, some};

const WHAT: &str = "task_group";
const SPECIALIZATIONS: &str = "bazinga/templates/specializations/";

/// What a column takes.
enum Column {
    Text,
    OneOf(&'static [&'static str]),
    Whole { low: i64, high: i64 },
    Flag,
    Paths,
}

/// The columns that a caller sets.
const COLUMNS: &[(&str, Column)] = &[
    ("name", Column::Text),
    ("status", Column::OneOf(GROUP_STATUSES)),
    ("assigned_to", Column::Text),
    ("revision_count", Column::Whole { low: 0, high: i64::MAX }),
    ("last_review_status", Column::OneOf(REVIEWS)),
    ("specializations", Column::Paths),
    ("item_count", Column::Whole { low: 1, high: i64::MAX }),
    ("security_sensitive", Column::Flag),
    ("qa_attempts", Column::Whole { low: 0, high: i64::MAX }),
    ("tl_review_attempts", Column::Whole { low: 0, high: i64::MAX }),
    ("component_path", Column::Text),
    ("initial_tier", Column::OneOf(TIERS)),
    ("complexity", Column::Whole { low: 1, high: 10 }),
];

impl Column {
    fn read(&self, name: &str, text: &str) -> Result<Value, BazingaError> {
        let flag = format!("--{}", name.replace('_', "-"));
        match self {
            Self::Text => Ok(text.into()),
            Self::OneOf(words) => Ok(one_of(&flag, text, words)?.into()),
            Self::Flag => {
                Ok(i64::from(["true", "1", "yes"].contains(&text.to_ascii_lowercase().as_str())).into())
            }
            Self::Whole { low, high } => {
                let number = text.parse::<i64>().ok().filter(|n| (low..=high).contains(&n));
                let most = if *high == i64::MAX { String::new() } else { format!(" to {high}") };
                let takes = format!("a whole number from {low}{most}");
                Ok(number.ok_or_else(|| BazingaError::value(&flag, takes))?.into())
            }
            Self::Paths => {
                let paths = list(&flag, text)?;
                let paths = paths.iter().map(|path| specialization(path)).collect::<Result<Vec<_>, _>>()?;
                Ok(Value::from(paths).to_string().into())
            }
        }
    }
}

/// A template's path, whole: short ones are below the templates' folder.
fn specialization(path: &str) -> Result<String, BazingaError> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'_' | b'.' | b'-');
    if path.is_empty() || !path.bytes().all(plain) || path.contains("..") {
        let takes = "paths of letters, digits, / _ . - without .. in them";
        return Err(BazingaError::value("--specializations", takes));
    }
    let short = path.strip_prefix("bazinga/").unwrap_or(path);
    let short = short.strip_prefix("templates/").unwrap_or(short);
    let short = short.strip_prefix("specializations/").unwrap_or(short);
    Ok(format!("{SPECIALIZATIONS}{}", short.trim_start_matches('/')))
}

fn read(changes: &[(&str, String)]) -> Result<Map<String, Value>, BazingaError> {
    let column = |name: &str| COLUMNS.iter().find(|(column, _)| *column == name).map(|(_, column)| column);
    let read = |(name, text): &(&str, String)| match column(name) {
        Some(column) => Ok(((*name).to_owned(), column.read(name, text)?)),
        None => Err(BazingaError::value(name, "nothing: there is no such column")),
    };
    changes.iter().map(read).collect()
}

fn new_row(event: &Event, session: &str) -> Map<String, Value> {
    let row = json!({
        "id": event.text("group"), "session_id": session, "name": null, "status": "pending",
        "assigned_to": null, "revision_count": 0, "last_review_status": null, "feature_branch": null,
        "merge_status": null, "complexity": null, "initial_tier": "Developer", "context_references": null,
        "specializations": null, "item_count": 1, "security_sensitive": 0, "qa_attempts": 0,
        "tl_review_attempts": 0, "component_path": null, "created_at": time(event), "updated_at": null,
    });
    if let Value::Object(row) = row { row } else { Map::new() }
}

/// Every group of the session as it is now, in the order in which they were made.
fn rows(store: &Store, session: &str) -> Result<Vec<Map<String, Value>>, BazingaError> {
    let mut rows: Vec<Map<String, Value>> = Vec::new();
    for event in events(store, session, &["state.changed"])? {
        let (Some(WHAT), Some(group)) = (event.text("what"), event.text("group")) else { continue };
        let at = rows.iter().position(|row| row["id"] == group).unwrap_or_else(|| {
            rows.push(new_row(&event, session));
            rows.len() - 1
        });
        let changes = body(&event).into_iter().flatten().filter(|(_, value)| !value.is_null());
        rows[at].extend(changes.map(|(name, value)| (name.clone(), value.clone())));
        rows[at].insert("updated_at".to_owned(), time(&event).into());
    }
    Ok(rows)
}

fn change(
    recorder: &mut Recorder,
    session: &str,
    group: &str,
    changes: Map<String, Value>,
    said: String,
) -> Result<Answer, BazingaError> {
    let draft = draft(session, "state.changed").with("what", WHAT).with("group", group).data("body", changes);
    record(recorder, draft)?;
    let row = rows(&recorder.store(), session)?.into_iter().find(|row| row["id"] == group);
    Ok(Answer::of(json!({"success": true, "task_group": row})).saying(said))
}

/// `create-task-group`: one that is there gets what is given and keeps the rest.
pub fn create_group(
    recorder: &mut Recorder,
    group: &str,
    session: &str,
    changes: &[(&str, String)],
) -> Result<Answer, BazingaError> {
    check_group(group)?;
    some("the session id", session)?;
    let changes = read(changes)?;
    change(recorder, session, group, changes, format!("✓ Task group saved: {group} (session: {session})"))
}

/// `update-task-group`: one that is not there is made, unless the caller says no.
pub fn update_group(
    recorder: &mut Recorder,
    group: &str,
    session: &str,
    changes: &[(&str, String)],
    make: bool,
) -> Result<Answer, BazingaError> {
    check_group(group)?;
    some("the session id", session)?;
    let mut changes = read(changes)?;
    let row = rows(&recorder.store(), session)?.into_iter().find(|row| row["id"] == group);
    match (&row, make) {
        (None, false) => {
            let error = format!("Task group not found: {group}");
            return Ok(Answer::of(json!({"success": false, "error": error})).no());
        }
        (None, true) if !changes.contains_key("name") => {
            changes.insert("name".to_owned(), format!("Task Group {group}").into());
        }
        (Some(row), _) if changes.is_empty() => {
            return Ok(Answer::of(json!({"success": true, "task_group": row})));
        }
        _ => {}
    }
    change(recorder, session, group, changes, format!("✓ Task group updated: {group} (session: {session})"))
}

/// `update-context-references`: no, if there is no such group.
pub fn set_references(
    recorder: &mut Recorder,
    group: &str,
    session: &str,
    packages: &str,
) -> Result<Answer, BazingaError> {
    check_group(group)?;
    let numbers: Vec<u64> = serde_json::from_str(packages)
        .map_err(|_| BazingaError::value("the packages", "a JSON list of numbers, e.g. [1, 3, 5]"))?;
    let there = rows(&recorder.store(), session)?.iter().any(|row| row["id"] == group);
    if !there {
        let said = format!("! Warning: No task group found with id='{group}' and session_id='{session}'");
        return Ok(Answer::done(said).no());
    }
    let shown = format!("[{}]", numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
    let changes = json!({"context_references": shown});
    let draft = draft(session, "state.changed").with("what", WHAT).with("group", group);
    record(recorder, draft.data("body", changes))?;
    Ok(Answer::done(format!("✓ Updated context references for {group}: {shown}")))
}

/// `get-task-groups`.
pub fn groups(store: &Store, session: &str, status: Option<&str>) -> Result<Answer, BazingaError> {
    let status = status.map(|status| one_of("the status", status, GROUP_STATUSES)).transpose()?;
    let mut rows = rows(store, session)?;
    rows.retain(|row| status.is_none_or(|status| row["status"] == status));
    Ok(Answer::of(rows.into_iter().map(Value::Object).collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_take_what_the_original_takes() {
        let read =
            |name: &'static str, text: &str| read(&[(name, text.to_owned())]).map(|map| map[name].clone());
        assert_eq!(read("complexity", "10").ok(), Some(10.into()));
        for (name, bad) in [("complexity", "11"), ("item_count", "0"), ("status", "done"), ("colour", "red")]
        {
            assert!(read(name, bad).is_err(), "{name} {bad}");
        }
        assert_eq!(read("security_sensitive", "Yes").ok(), Some(1.into()));
        let whole = r#"["bazinga/templates/specializations/01/py.md"]"#;
        for short in ["01/py.md", "specializations/01/py.md", "templates/specializations/01/py.md"] {
            assert_eq!(
                read("specializations", &format!("[\"{short}\"]")).ok(),
                Some(whole.into()),
                "{short}"
            );
        }
        assert!(read("specializations", "[\"../../etc/passwd\"]").is_err());
    }
}
