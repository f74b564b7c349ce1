//! What a user adds to the redactor, joined with what it finds by itself.

use crate::known::{Known, Search};
use crate::span::{Span, Spans};

/// Known values, and whatever else is a user's own.
#[derive(Default)]
pub(crate) struct Own {
    known: Option<Search>,
}

impl Own {
    pub(crate) fn know(&mut self, known: &Known, key: &[u8; 32]) {
        self.known = Some(known.ready(key)).filter(|search| !search.is_empty());
    }

    /// `found`, and what is a secret to this user.
    pub(crate) fn join(&self, text: &str, found: Vec<Span>) -> Vec<Span> {
        let Some(known) = &self.known else { return found };
        let mut all = Spans::of(found);
        known.find(text, &mut all);
        all.into_union(text)
    }
}
