//! The list of sessions, from the headers of their events.

use std::collections::BTreeSet;

use event::{Line, SessionId};
use journal::{Journal, JournalError, Place, ReadError};
use serde::Serialize;

use crate::summary::summary;

/// One session, summed up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SessionRow {
    /// Its id in the store.
    pub session: String,
    /// What its caller calls it, where that is something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_id: Option<String>,
    /// Its title, as far as anybody gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `closed`, or what was said last; `open` otherwise.
    pub status: String,
    /// When its first event happened.
    pub first: String,
    /// When its last event happened.
    pub last: String,
    /// Events.
    pub events: u64,
    /// Agents.
    pub agents: BTreeSet<String>,
    /// Groups.
    pub groups: BTreeSet<String>,
    /// Errors: failed skills, failed models and raised errors.
    pub errors: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// Damaged lines passed over.
    #[serde(skip_serializing_if = "is_zero")]
    pub damaged: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Sums a session up by reading its headers.
pub(crate) fn row(journal: &Journal, session: &SessionId) -> Result<SessionRow, JournalError> {
    let mut row =
        SessionRow { session: session.to_string(), status: "open".to_owned(), ..SessionRow::default() };
    row.bytes = journal.extent(session)?.bytes();
    let mut reader = journal.read(session, Place::default())?.heads_only();
    let mut described = Vec::new();
    let mut prompt = None;
    loop {
        match reader.next() {
            Ok(Some(entry)) => {
                add(&mut row, &entry.line);
                match entry.line.kind {
                    "session.opened" | "session.updated" => described.push(entry.pointer),
                    "message.recorded" if prompt.is_none() && is_prompt(&entry.line) => {
                        prompt = Some(entry.pointer)
                    }
                    _ => {}
                }
            }
            Ok(None) => break,
            Err(ReadError::Damage(_)) => row.damaged += 1,
            Err(ReadError::Journal(error)) => return Err(error),
        }
    }
    for pointer in &described {
        let Ok(event) = journal.event_at(session, pointer) else { continue };
        let text = |name: &str| event.data.get(name).and_then(|v| v.as_str()).map(str::to_owned);
        row.original_id = text("original_id").or(row.original_id);
        row.title = text("title").or(row.title);
    }
    if row.title.is_none() {
        let first = prompt.and_then(|at| journal.event_at(session, &at).ok());
        row.title = first.map(|event| summary(&event, 60).text).filter(|text| !text.is_empty());
    }
    Ok(row)
}

/// A title is what a person asked first: nothing that was injected.
fn is_prompt(line: &Line<'_>) -> bool {
    line.text("role").is_some_and(|role| role == "user")
        && line.field("injected").is_none_or(|f| f.raw == "false")
}

fn add(row: &mut SessionRow, line: &Line<'_>) {
    let time = line.text("at").unwrap_or(line.ts.into());
    if row.events == 0 || *time < *row.first {
        row.first = time.clone().into_owned();
    }
    if *time > *row.last {
        row.last = time.into_owned();
    }
    row.events += 1;
    row.agents.extend(line.text("agent").map(std::borrow::Cow::into_owned));
    row.groups.extend(line.text("group").map(std::borrow::Cow::into_owned));
    row.errors += u64::from(is_error(line));
    match line.kind {
        "session.closed" => "closed".clone_into(&mut row.status),
        "session.opened" | "session.updated" => {
            if let Some(status) = line.text("status") {
                row.status = status.into_owned();
            }
        }
        _ => {}
    }
}

fn is_error(line: &Line<'_>) -> bool {
    match line.kind {
        "error.raised" | "model.failed" => true,
        "skill.returned" => line.text("status").is_some_and(|s| matches!(&*s, "error" | "timeout")),
        _ => false,
    }
}
