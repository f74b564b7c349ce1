//! The list of sessions: the view, and what only the journal knows of each (titles are text).

use event::SessionId;
use index::Views;
use journal::Journal;
use serde::Serialize;
use world::rfc3339;

use crate::error::RecorderError;
use crate::summary::summary;

/// Characters of a title.
const TITLE_CHARS: usize = 60;

/// One session, summed up.
#[derive(Debug, Clone, Serialize)]
pub struct SessionRow {
    /// What its caller calls it, where that is not its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_id: Option<String>,
    /// Its title, as far as anybody gave one; else what was asked first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// When its first event happened.
    pub first_at: String,
    /// When its last event happened.
    pub last_at: String,
    /// Bytes on disk.
    pub bytes: u64,
    /// What the view knows.
    #[serde(flatten)]
    pub view: index::SessionRow,
}

impl SessionRow {
    /// `closed`, or the status that was given last, or `open`.
    pub fn status(&self) -> &str {
        if self.view.closed { "closed" } else { self.view.status.as_deref().unwrap_or("open") }
    }
}

/// The latest sessions of the views, at most so many, the latest last. Only of these the journal is asked.
pub(crate) fn rows(journal: &Journal, views: &Views, most: usize) -> Result<Vec<SessionRow>, RecorderError> {
    let mut latest = views.sessions()?;
    latest.sort_by(|a, b| (a.last, &a.session).cmp(&(b.last, &b.session)));
    let mut rows = Vec::new();
    for view in latest.split_off(latest.len().saturating_sub(most)) {
        let Ok(session) = SessionId::new(&view.session) else { continue };
        rows.push(SessionRow {
            original_id: original_id(journal, &session),
            title: title(journal, views, &session, &view)?,
            first_at: rfc3339(view.first),
            last_at: rfc3339(view.last),
            bytes: journal.extent(&session)?.bytes(),
            view,
        });
    }
    Ok(rows)
}

/// The name that a mapped session's caller uses; damage is `verify`'s to tell.
pub(crate) fn original_id(journal: &Journal, session: &SessionId) -> Option<String> {
    let (opened, _) = session.is_mapped().then(|| journal.event(session, 0).ok()).flatten()?;
    opened.data.get("original_id")?.as_str().map(str::to_owned)
}

fn title(
    journal: &Journal,
    views: &Views,
    session: &SessionId,
    view: &index::SessionRow,
) -> Result<Option<String>, RecorderError> {
    let given = view.title.and_then(|seq| journal.event(session, seq).ok());
    let given = given.and_then(|(event, _)| event.data.get("title")?.as_str().map(str::to_owned));
    if given.is_some() {
        return Ok(given);
    }
    for row in views.timeline(session)? {
        if row.kind != "message.recorded" {
            continue;
        }
        let Ok(event) = journal.event_at(session, &row.pointer.into()) else { continue };
        let injected = event.header.get("injected").is_some_and(|v| v == true);
        if event.text("role") == Some("user") && !injected {
            return Ok(Some(summary(&event, TITLE_CHARS).text).filter(|text| !text.is_empty()));
        }
    }
    Ok(None)
}
