//! Documented reasoning (with a phase) of a session, and of each group within it. What a provider's model
//! thought is found by its form.

use super::fold::{Fold, Projection, row};
use super::path::Path;
use crate::error::IndexError;
use crate::facts::Facts;

pub(super) struct Reasoning;

impl Projection for Reasoning {
    fn fold(&self, event: &Facts, fold: &mut Fold<'_>) -> Result<(), IndexError> {
        if event.kind != *"reasoning.recorded" {
            return Ok(());
        }
        if event.get("phase").is_none() {
            return fold.row(&thinking_of(&event.session), row(event));
        }
        fold.row(&reasoning_of(&event.session), row(event))?;
        fold.row(&reasoning_in(&event.session, event.get("group")), row(event))
    }
}

/// The documented reasoning of a session.
pub(crate) fn reasoning_of(session: &str) -> Path {
    Path::new(b'r').text(session)
}

/// The documented reasoning of a group; an absent group is not the same as an empty one.
pub(crate) fn reasoning_in(session: &str, group: Option<&str>) -> Path {
    Path::new(b'q').text(session).optional(group)
}

/// Captured thinking of a session.
pub(crate) fn thinking_of(session: &str) -> Path {
    Path::new(b'z').text(session)
}
