//! Sessions: made with a mode and requirements, closed with a status.

use event::Event;
use recorder::{Recorder, Store};
use serde_json::{Value, json};

use crate::error::BazingaError;
use crate::past::{called, draft, events_of, named, record, time};
use crate::words::{MODES, SESSION_STATUSES, json as parse, one_of, some};
use crate::{Answer, patterns::PROJECT};

const KINDS: &[&str] = &["session.opened", "session.updated", "session.closed"];

/// What the original keeps of a session.
#[derive(Debug, Clone, Default)]
struct Row {
    name: String,
    mode: Value,
    requirements: Value,
    status: String,
    branch: Value,
    metadata: Value,
    /// When it was made, or else when its first event was.
    started: String,
    ended: Option<String>,
}

impl Row {
    fn fold(name: String, events: &[Event]) -> Self {
        let mut row = Self { name, status: "active".to_owned(), ..Self::default() };
        for event in events {
            row.take(event);
        }
        row
    }

    fn take(&mut self, event: &Event) {
        if self.started.is_empty() {
            self.started = time(event);
        }
        let meta = event.data.get("meta").filter(|meta| meta["mode"].is_string());
        if let (Some(meta), false) = (meta, self.is_made()) {
            self.mode = meta["mode"].clone();
            self.branch = meta["initial_branch"].clone();
            self.metadata = meta["metadata"].clone();
            self.requirements = event.data.get("requirements").cloned().unwrap_or_default();
            self.started = time(event);
        }
        let status = event.text("status").filter(|status| SESSION_STATUSES.contains(status));
        if let Some(status) = status {
            status.clone_into(&mut self.status);
            self.ended = (event.kind == "session.closed").then(|| time(event));
        }
    }

    /// True once somebody said what it is for.
    fn is_made(&self) -> bool {
        self.mode.is_string()
    }

    fn json(&self) -> Value {
        json!({
            "session_id": self.name,
            "start_time": self.started,
            "end_time": self.ended,
            "mode": self.mode,
            "original_requirements": self.requirements,
            "status": self.status,
            "initial_branch": self.branch,
            "metadata": self.metadata,
            "created_at": self.started,
        })
    }

    fn made_json(&self) -> Value {
        let mut value = self.json();
        if let Some(map) = value.as_object_mut() {
            map.remove("original_requirements");
            map.remove("end_time");
            map.insert("success".to_owned(), true.into());
        }
        value
    }
}

fn row(store: &Store, session: &str) -> Result<Option<Row>, BazingaError> {
    let Some(id) = named(store, session)? else { return Ok(None) };
    let events = events_of(store.journal(), &id, &|kind| KINDS.contains(&kind))?;
    Ok(Some(Row::fold(called(store, &id), &events)))
}

/// `create-session`: a session that is there already stays as it is.
pub fn create_session(
    recorder: &mut Recorder,
    session: &str,
    mode: &str,
    requirements: &str,
    branch: Option<&str>,
    metadata: Option<&str>,
) -> Result<Answer, BazingaError> {
    some("the session id", session)?;
    let mode = one_of("the mode", mode, MODES)?;
    some("the requirements", requirements)?;
    if let Some(metadata) = metadata {
        parse("--metadata", metadata)?;
    }
    let made = row(&recorder.store(), session)?.filter(Row::is_made);
    if let Some(row) = made {
        return Ok(Answer::of(row.made_json()).saying(format!("✓ Session already exists: {session}")));
    }
    let mut meta = json!({"mode": mode, "initial_branch": branch.unwrap_or("main")});
    if let Some(metadata) = metadata {
        meta["metadata"] = metadata.into();
    }
    let draft = draft(session, "session.updated")
        .with("status", "active")
        .data("requirements", requirements)
        .data("meta", meta);
    record(recorder, draft)?;
    // read back: of two that make it at once the first in the journal counts
    let row = row(&recorder.store(), session)?.unwrap_or_default();
    Ok(Answer::of(row.made_json()).saying(format!("✓ Session created: {session}")))
}

/// `get-session`.
pub fn session(store: &Store, session: &str) -> Result<Answer, BazingaError> {
    Ok(match row(store, session)? {
        Some(row) => Answer::of(row.json()),
        None => Answer::of(json!({"success": false, "error": format!("Session not found: {session}")})).no(),
    })
}

/// `list-sessions`: the newest first.
pub fn sessions(store: &Store, limit: usize) -> Result<Answer, BazingaError> {
    let mut rows = store.sessions(usize::MAX)?.rows;
    rows.sort_by(|a, b| (b.view.first, &b.view.session).cmp(&(a.view.first, &a.view.session)));
    let names = rows.into_iter().map(|row| row.original_id.unwrap_or(row.view.session));
    let names = names.filter(|name| !name.starts_with(PROJECT)).take(limit);
    let rows = names.map(|name| Ok(row(store, &name)?.map(|row| row.json())));
    let rows = rows.collect::<Result<Vec<_>, BazingaError>>()?;
    Ok(Answer::of(rows.into_iter().flatten().collect::<Vec<_>>()))
}

/// `update-session-status` and `complete-session`.
pub fn set_status(recorder: &mut Recorder, session: &str, status: &str) -> Result<Answer, BazingaError> {
    some("the session id", session)?;
    let status = one_of("the status", status, SESSION_STATUSES)?;
    let kind = if status == "active" { "session.updated" } else { "session.closed" };
    record(recorder, draft(session, kind).with("status", status))?;
    Ok(Answer::done(format!("✓ Session {session} status updated to: {status}")))
}
