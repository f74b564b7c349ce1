//! The session of a file, and what is known of it early.

use event::{Draft, Kind, Origin};
use serde_json::{Map, Value};

use super::agents::{folder_session, is_agent_file};
use super::turns::is_injected;
use crate::members::TakeMembers;
use crate::{Keys, SourceFile, pen, time};

/// The session of the file, and whether any record is its own.
///
/// A subagent's: the folder's. Otherwise its name, if a record says the same; the first id that a record
/// gives; the name.
pub(super) fn home(file: &SourceFile) -> (String, bool) {
    if let Some(folder) = folder_session(&file.path) {
        return (folder, true);
    }
    let records = || file.head.iter().filter_map(Value::as_object);
    let in_time = by_time(file);
    let ids = || in_time.iter().filter_map(|record| record.text("sessionId")).filter(|id| !id.is_empty());
    let own = |id: &&str| !(is_agent_file(&file.stem) && id.starts_with("agent-"));
    let named = ids().any(|id| id == file.stem);
    let home = if named { None } else { ids().find(own) };
    // lines about other sessions make no session
    let any = records()
        .any(|record| !matches!(record.text("type"), Some("summary")) || record.contains_key("sessionId"));
    (home.unwrap_or(&file.stem).to_owned(), any)
}

/// The first records: a file whose lines are in another order is the same session.
fn by_time(file: &SourceFile) -> Vec<&Map<String, Value>> {
    let mut records: Vec<_> = file.head.iter().filter_map(Value::as_object).collect();
    let time = |record: &&Map<String, Value>| record.get("timestamp").and_then(time::at);
    records.sort_by_cached_key(|record| (time(record).is_none(), time(record)));
    records
}

/// `session.opened`, with title and folder if the first records tell them.
pub(super) fn draft(file: &SourceFile, home: &str) -> Option<Draft> {
    let mut records = by_time(file);
    records.retain(|record| record.text("sessionId").is_none_or(|id| id == home));
    let first = records.iter().find(|record| record.contains_key("cwd"));
    let mut meta = Map::new();
    for name in ["version", "gitBranch", "entrypoint", "slug"] {
        if let Some(value) = first.and_then(|record| record.get(name)) {
            meta.insert(name.to_owned(), value.clone());
        }
    }
    let at = records.iter().find_map(|record| time::at(record.get("timestamp")?));
    let title = records.iter().find_map(|record| human_text(record)).map(pen::title);
    let meta = if meta.is_empty() { Value::Null } else { Value::Object(meta) };
    let draft = Draft::new(home, Kind::of("session.opened"), Origin::Imported)
        .key(format!("{home}.opened"))
        .with("at", at)
        .data("title", title)
        .data("cwd", first.and_then(|record| record.text("cwd")))
        .data("meta", meta);
    (!records.is_empty()).then_some(draft)
}

/// The nickname of the file's session.
pub(super) fn slug(file: &SourceFile) -> Option<String> {
    let told = |record: &Map<String, Value>| record.text("slug").map(str::to_owned);
    file.head
        .iter()
        .filter_map(Value::as_object)
        .find_map(told)
        .filter(|_| folder_session(&file.path).is_none())
}

/// Says the nickname, and which earlier session has it: `/clear` goes on in a new session under the old name.
pub(super) fn nickname(home: &str, slug: &str, keys: &dyn Keys) -> Draft {
    let first = format!("cc:slug.{slug}");
    let before = keys.session_of(&first).filter(|session| session != home);
    let mut meta = Map::from_iter([("slug".to_owned(), slug.into())]);
    let draft = Draft::new(home, Kind::of("session.updated"), Origin::Imported);
    let Some(before) = before else { return draft.key(first).data("meta", Value::Object(meta)) };
    meta.insert("continues".to_owned(), before.into());
    draft.key(format!("{first}.{home}")).with("cause", first).data("meta", Value::Object(meta))
}

/// The first thing that a person typed.
fn human_text(record: &Map<String, Value>) -> Option<&str> {
    if record.text("type") != Some("user") || record.flag("isMeta") || record.flag("isSidechain") {
        return None;
    }
    let content = record.get("message")?.get("content")?;
    let blocks = || content.as_array()?.iter().find_map(|block| typed(block.get("text")?.as_str()?));
    content.as_str().and_then(typed).or_else(blocks)
}

fn typed(text: &str) -> Option<&str> {
    let command = text.trim_start().starts_with("<command-");
    (!text.trim().is_empty() && !command && !is_injected(text)).then_some(text)
}
