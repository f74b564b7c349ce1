//! What a user adds to the redactor, joined with what it finds by itself.

use crate::Rules;
use crate::known::{Known, Search};
use crate::span::{Span, Spans};

/// Known values and rules of a user's own.
#[derive(Default)]
pub(crate) struct Own {
    pub(crate) rules: Rules,
    known: Option<Search>,
}

impl Own {
    pub(crate) fn new(rules: Rules, known: &Known, key: &[u8; 32]) -> Self {
        Self { rules, known: Some(known.ready(key)).filter(|search| !search.is_empty()) }
    }

    /// `found`, and what is a secret to this user; without what this user allows.
    pub(crate) fn join(&self, text: &str, found: Vec<Span>) -> Vec<Span> {
        let mut all = Spans::of(found);
        self.rules.find(text, &mut all);
        if let Some(known) = &self.known {
            known.find(text, &mut all);
        }
        let mut spans = all.into_union(text);
        self.rules.spare(text, &mut spans);
        spans
    }
}
