//! Handoffs of a session, made and read.

use super::fold::{Fold, Projection, row};
use super::path::Path;
use crate::error::IndexError;
use crate::facts::Facts;

pub(super) struct Handoffs;

impl Projection for Handoffs {
    fn fold(&self, event: &Facts, fold: &mut Fold<'_>) -> Result<(), IndexError> {
        if event.is("handoff") { fold.row(&handoffs_of(&event.session), row(event)) } else { Ok(()) }
    }
}

/// The handoffs of a session.
pub(crate) fn handoffs_of(session: &str) -> Path {
    Path::new(b'h').text(session)
}
