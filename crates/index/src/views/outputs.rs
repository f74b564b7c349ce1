//! Skill outputs by (session, skill, agent, group), in the order of the journal: the n-th row is iteration n,
//! the last row the latest output. An absent agent or group is not the same as an empty one.

use super::fold::{Fold, Projection, row};
use super::path::Path;
use crate::error::IndexError;
use crate::facts::Facts;

pub(super) struct Outputs;

impl Projection for Outputs {
    fn fold(&self, event: &Facts, fold: &mut Fold<'_>) -> Result<(), IndexError> {
        if event.kind != *"skill.returned" {
            return Ok(());
        }
        let skill = event.get("skill").unwrap_or_default();
        let path =
            outputs_of(&event.session).text(skill).optional(event.get("agent")).optional(event.get("group"));
        fold.row(&path, row(event))
    }
}

/// Every output of a session.
pub(crate) fn outputs_of(session: &str) -> Path {
    Path::new(b'o').text(session)
}
