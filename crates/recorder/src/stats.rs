//! What is in a store, counted from the headers of its events.

use std::collections::BTreeMap;

use event::Line;
use journal::{Journal, JournalError, Place, ReadError};
use serde_json::Value;

use crate::moment::Moment;

/// Counts of a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    /// Sessions.
    pub sessions: u64,
    /// Events.
    pub events: u64,
    /// Bytes of segments.
    pub bytes: u64,
    /// Events by kind.
    pub kinds: BTreeMap<String, u64>,
    /// Events by the role of their agent.
    pub agents: BTreeMap<String, u64>,
    /// Reasoning by phase.
    pub phases: BTreeMap<String, u64>,
    /// Captured thinking by form: what a provider withheld is `empty` or `encrypted`.
    pub forms: BTreeMap<String, u64>,
    /// Secrets taken out, by kind.
    pub redacted: BTreeMap<String, u64>,
    /// Damaged lines passed over.
    pub damaged: u64,
}

/// Counts every session, or what was there at a moment.
pub(crate) fn count(journal: &Journal, at: Option<&Moment>) -> Result<Stats, JournalError> {
    let mut stats = Stats::default();
    for session in journal.sessions()? {
        let before = stats.events;
        let mut reader = journal.read(&session, Place::default())?.heads_only();
        loop {
            match reader.next() {
                Ok(Some(entry)) if at.is_none_or(|at| at.has_line(&entry.line)) => {
                    stats.bytes += u64::from(entry.pointer.len) + 1;
                    stats.add(&entry.line);
                }
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(ReadError::Damage(_)) => stats.damaged += 1,
                Err(ReadError::Journal(error)) => return Err(error),
            }
        }
        if at.is_none() {
            stats.sessions += 1;
        } else {
            stats.sessions += u64::from(stats.events > before);
        }
    }
    Ok(stats)
}

impl Stats {
    fn add(&mut self, line: &Line<'_>) {
        self.events += 1;
        *self.kinds.entry(line.kind.to_owned()).or_default() += 1;
        for (name, counts) in
            [("agent", &mut self.agents), ("phase", &mut self.phases), ("form", &mut self.forms)]
        {
            if let Some(text) = line.text(name) {
                *counts.entry(text.into_owned()).or_default() += 1;
            }
        }
        if let Some(Value::Object(kinds)) = line.field("redacted").and_then(event::Field::value) {
            for (kind, count) in kinds {
                *self.redacted.entry(kind).or_default() += count.as_u64().unwrap_or(0);
            }
        }
    }
}
