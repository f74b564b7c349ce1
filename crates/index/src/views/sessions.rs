//! Sessions: one small row each, with counts, times and who took part. Titles stay in the journal; the
//! row points at the event that has it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::fold::{Fold, Projection};
use super::path::Path;
use crate::error::IndexError;
use crate::facts::Facts;

/// No row grows without end: names beyond this many are counted only in the journal.
const NAMES: usize = 200;

pub(super) struct Sessions;

/// One session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionRow {
    /// Its id.
    pub session: String,
    /// Events that are told.
    pub events: u64,
    /// Events that were told before and are skipped.
    pub duplicates: u64,
    /// Events whose key an earlier one has with other content.
    pub conflicts: u64,
    /// Places in the journal that could not be read.
    pub lost: u64,
    /// What `is:error` finds.
    pub errors: u64,
    /// The earliest time.
    pub first: i64,
    /// The latest time.
    pub last: i64,
    /// True once something happened that the recorder did not make itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub begun: bool,
    /// When the last event was recorded.
    pub last_ts: String,
    /// Sequence of the latest event that carries a title.
    pub title: Option<u64>,
    /// The latest status that was given.
    pub status: Option<String>,
    /// True after `session.closed`.
    pub closed: bool,
    /// Roles that took part.
    pub agents: BTreeSet<String>,
    /// Groups that were worked on.
    pub groups: BTreeSet<String>,
    /// Events by kind.
    pub kinds: BTreeMap<String, u64>,
}

impl Projection for Sessions {
    fn fold(&self, event: &Facts, fold: &mut Fold<'_>) -> Result<(), IndexError> {
        fold.session(&event.session)?.add(event);
        Ok(())
    }
}

impl SessionRow {
    fn add(&mut self, event: &Facts) {
        // when the recorder made the session says nothing about when its story happened
        let ours =
            !event.dated && event.get("agent").is_none() && matches!(event.noun(), "session" | "audit");
        (self.first, self.last) = match (self.begun, ours) {
            (true, true) => (self.first, self.last),
            (true, false) => (self.first.min(event.time), self.last.max(event.time)),
            (false, _) => (event.time, event.time),
        };
        self.begun |= !ours;
        self.events += 1;
        self.errors += u64::from(event.is("error"));
        self.conflicts += u64::from(event.conflict);
        event.ts.clone_into(&mut self.last_ts);
        add_name(&mut self.agents, event.get("agent"));
        add_name(&mut self.groups, event.get("group"));
        if self.kinds.len() < NAMES || self.kinds.contains_key(event.kind.as_str()) {
            *self.kinds.entry(event.kind.to_string()).or_default() += 1;
        }
        if event.noun() == "session" {
            self.opened_or_closed(event);
        }
    }

    fn opened_or_closed(&mut self, event: &Facts) {
        self.title = event.carries("title").then_some(event.seq).or(self.title);
        self.status = event.get("status").map(str::to_owned).or(self.status.take());
        match event.kind.as_str() {
            "session.closed" => self.closed = true,
            "session.opened" | "session.updated" => self.closed = false,
            _ => {}
        }
    }
}

fn add_name(names: &mut BTreeSet<String>, name: Option<&str>) {
    if let Some(name) = name
        && names.len() < NAMES
        && !names.contains(name)
    {
        names.insert(name.to_owned());
    }
}

/// Where the row of a session stands.
pub(crate) fn row_of(session: &str) -> Path {
    Path::new(b's').text(session)
}
