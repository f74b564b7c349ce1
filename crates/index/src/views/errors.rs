//! Errors of a session: what `is:error` finds.

use super::fold::{Fold, Projection, row};
use super::path::Path;
use crate::error::IndexError;
use crate::facts::Facts;

pub(super) struct Errors;

impl Projection for Errors {
    fn fold(&self, event: &Facts, fold: &mut Fold<'_>) -> Result<(), IndexError> {
        if event.is("error") { fold.row(&errors_of(&event.session), row(event)) } else { Ok(()) }
    }
}

/// The errors of a session.
pub(crate) fn errors_of(session: &str) -> Path {
    Path::new(b'e').text(session)
}
