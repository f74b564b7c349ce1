//! Timelines: every event of a session, and of a group within it, in the order of the journal.

use super::fold::{Fold, Projection, row};
use super::path::Path;
use crate::error::IndexError;
use crate::facts::Facts;

pub(super) struct Timeline;

impl Projection for Timeline {
    fn fold(&self, event: &Facts, fold: &mut Fold<'_>) -> Result<(), IndexError> {
        fold.row(&timeline_of(&event.session), row(event))?;
        match event.get("group") {
            Some(group) => fold.row(&group_in(group, &event.session), row(event)),
            None => Ok(()),
        }
    }
}

/// The timeline of a session.
pub(crate) fn timeline_of(session: &str) -> Path {
    Path::new(b't').text(session)
}

/// The timelines of a group in every session.
pub(crate) fn group_of(group: &str) -> Path {
    Path::new(b'g').text(group)
}

/// The timeline of a group in one session.
pub(crate) fn group_in(group: &str, session: &str) -> Path {
    group_of(group).text(session)
}
