//! Holds: what a case keeps from being erased or purged, as the store log says.

use std::collections::BTreeSet;

use journal::Journal;

use crate::error::AuditError;
use crate::leaf::{Hold, Leaf};

/// What all sessions are called in a hold.
pub(crate) const ALL_SESSIONS: &str = "*";

/// The holds in force: session (or `*`) and case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holds {
    held: BTreeSet<(String, String)>,
}

impl Holds {
    /// Reads what the log says.
    pub fn of(journal: &Journal) -> Result<Self, AuditError> {
        let (mut holds, mut lines) = (Self::default(), journal.log_lines(0)?);
        while let Some((line, _)) = lines.next()? {
            match Leaf::parse(line) {
                Ok(Leaf::Hold(hold)) => holds.take(&hold),
                Ok(Leaf::Release(hold)) => holds.release(&hold),
                _ => {}
            }
        }
        Ok(holds)
    }

    pub(crate) fn take(&mut self, hold: &Hold) {
        self.held.insert((hold.session.clone(), hold.case.clone()));
    }

    pub(crate) fn release(&mut self, hold: &Hold) {
        self.held.remove(&(hold.session.clone(), hold.case.clone()));
    }

    /// The case that holds a session, if one does.
    pub fn case_of(&self, session: &str) -> Option<&str> {
        let held = self.held.iter().find(|(held, _)| held == session || held == ALL_SESSIONS);
        held.map(|(_, case)| case.as_str())
    }

    /// Session (or `*`) and case of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.held.iter().map(|(session, case)| (session.as_str(), case.as_str()))
    }
}

/// Whether a case keeps a session from being erased.
pub fn is_held(journal: &Journal, session: &str) -> Result<bool, AuditError> {
    Ok(Holds::of(journal)?.case_of(session).is_some())
}
