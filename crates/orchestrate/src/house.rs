//! Asking the house: views of a session, and the events that their rows point at.

use event::{Event, SessionId};
use recorder::{Fetcher, Row, Store, Views};
use serde_json::Value;

use crate::error::OrchestrateError;

/// One session, to be asked.
pub(crate) struct Asked<'a> {
    pub(crate) store: &'a Store,
    pub(crate) session: SessionId,
    pub(crate) views: Views,
    fetcher: Fetcher,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(store: &'a Store, name: &str) -> Result<Self, OrchestrateError> {
        let session = store.session(name)?;
        let views = store.views(&session)?;
        Ok(Self { store, session, views, fetcher: store.fetcher() })
    }

    /// The same, of which nothing is asked but events of these nouns.
    pub(crate) fn about(store: &'a Store, name: &str, nouns: &[&str]) -> Result<Self, OrchestrateError> {
        let session = store.session(name)?;
        let views = store.views_about(&session, nouns)?;
        Ok(Self { store, session, views, fetcher: store.fetcher() })
    }

    /// The event of a row.
    pub(crate) fn event(&mut self, row: &Row) -> Result<Event, OrchestrateError> {
        Ok(self.fetcher.event(&self.session, &row.pointer.into())?)
    }

    /// A member of an event's data, whole; `None` when it is absent or erased.
    pub(crate) fn member(&self, event: &Event, name: &str) -> Result<Option<Value>, OrchestrateError> {
        member(self.store, event, name)
    }

    /// A member of an event's data as text; anything but a string as its JSON.
    pub(crate) fn text(&self, event: &Event, name: &str) -> Result<String, OrchestrateError> {
        named_text(self.store, event, name)
    }

    /// Rows of a noun in one group, or in all.
    pub(crate) fn rows(&self, noun: &str, group: Option<&str>) -> Result<Vec<Row>, OrchestrateError> {
        let mut rows = self.views.noun(&self.session, noun)?;
        rows.retain(|row| group.is_none_or(|group| row.group.as_deref() == Some(group)));
        Ok(rows)
    }
}

/// A member of an event's data, whole.
pub(crate) fn member(store: &Store, event: &Event, name: &str) -> Result<Option<Value>, OrchestrateError> {
    event.data.get(name).map(|value| store.whole(value)).transpose().map_err(OrchestrateError::from)
}

/// The text of an event, or of a member that is one.
pub(crate) fn text_in(store: &Store, event: &Event) -> Result<String, OrchestrateError> {
    named_text(store, event, "text")
}

fn named_text(store: &Store, event: &Event, name: &str) -> Result<String, OrchestrateError> {
    if event.erased.iter().any(|erased| erased == name) {
        return Ok("[erased]".to_owned());
    }
    Ok(member(store, event, name)?.map_or_else(String::new, text_of))
}

/// A string as it is, anything else as its JSON.
pub(crate) fn text_of(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// An owned header field.
pub(crate) fn header(event: &Event, name: &str) -> Option<String> {
    event.text(name).map(str::to_owned)
}
