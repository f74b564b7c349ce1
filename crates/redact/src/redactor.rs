//! The redactor: a scanner with a store's keys.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use event::SessionId;

use crate::keys::Keys;
use crate::known::Known;
use crate::memory::{Memory, Shelf};
use crate::own::Own;
use crate::scan::{is_guessable, scan};
use crate::span::{Span, rewrite};
use crate::{Clean, RedactError, Rules, kinds, marker};

/// Hex digits of a fingerprint: 40 bits tell ten thousand secrets apart.
const FINGERPRINT_DIGITS: usize = 10;
const MAPPED_DIGITS: usize = 32;
/// Nobody writes such a text; what has it is not judged but taken out whole.
const MOST_BYTES: usize = 256 << 20;

/// Scans, marks and maps for one store. Cheap to make; clones share what they remember of sessions.
#[derive(Clone)]
pub struct Redactor {
    fingerprint_key: [u8; 32],
    store_secret: [u8; 32],
    own: Arc<Own>,
    pub(crate) memory: Memory,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Redactor(..)")
    }
}

/// What a mark shows besides the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// For `data`: a fingerprint, unless the secret could be guessed from it.
    Printed,
    /// For headers, which are for ever: the kind alone.
    Plain,
}

impl Redactor {
    /// A redactor with a store's keys.
    pub fn new(keys: &Keys) -> Self {
        Self {
            fingerprint_key: blake3::derive_key("recount redact fp v1", &keys.redaction_key),
            store_secret: keys.store_secret,
            own: Arc::default(),
            memory: Memory::new(&keys.redaction_key),
        }
    }

    /// Remembers sessions beyond this process.
    #[must_use]
    pub fn with_shelf(mut self, shelf: Arc<dyn Shelf>) -> Self {
        self.memory = self.memory.on(shelf);
        self
    }

    /// Takes up what is a user's own: rules, and known values; `key` is what their traces were made with.
    #[must_use]
    pub fn with_own(mut self, rules: Rules, known: &Known, key: &[u8; 32]) -> Self {
        self.own = Arc::new(Own::new(rules, known, key));
        self
    }

    /// The clean form of a draft.
    pub fn clean(&self, draft: event::Draft) -> Result<Clean, RedactError> {
        crate::clean::clean(self, draft)
    }

    /// Redacts a text; the spans are byte offsets of `text`.
    pub fn redact_text(&self, text: &str) -> (String, Vec<Span>) {
        let spans = self.spans(text);
        let redacted = rewrite(text, &spans, |span, secret| self.mark(Mark::Printed, span.kind, secret));
        (redacted, spans)
    }

    /// Every secret in `text`. Whatever happens on the way, no text comes out unjudged.
    pub(crate) fn spans(&self, text: &str) -> Vec<Span> {
        let mut spans = judged(text, |text| self.own.join(text, scan(text)));
        if self.own.rules.allows_print() {
            spans.retain(|span| !self.is_allowed_print(&text[span.start..span.end]));
        }
        spans
    }

    fn is_allowed_print(&self, secret: &str) -> bool {
        self.fingerprint(secret).is_some_and(|print| self.own.rules.is_allowed_print(&print))
    }

    /// Whether this user says that a whole value is no secret.
    pub(crate) fn allows(&self, value: &str) -> bool {
        let rules = &self.own.rules;
        rules.allows(value) || rules.allows_print() && self.is_allowed_print(value)
    }

    /// Rules of a user's own.
    pub(crate) fn rules(&self) -> &Rules {
        &self.own.rules
    }

    /// The word by which headers count a kind: they are for ever, and hold words of ours alone.
    pub(crate) fn counted(&self, kind: &'static str) -> &'static str {
        if self.own.rules.is_custom(kind) { kinds::CUSTOM } else { kind }
    }

    /// The id under which a session is stored: its own if it fits, else `m-` and a keyed hash.
    pub fn session_id(&self, raw: &str) -> SessionId {
        let fits = !raw.starts_with("m-") && self.spans(raw).is_empty();
        let own = fits.then(|| SessionId::new(raw).ok()).flatten();
        own.unwrap_or_else(|| self.mapped_session(raw))
    }

    fn mapped_session(&self, raw: &str) -> SessionId {
        let id = format!("m-{}", self.keyed_hash(raw));
        SessionId::new(&id).unwrap_or_else(|_| unreachable!("m- and hex digits fit"))
    }

    /// What stands for a key that holds a secret: still the same for the same key.
    pub fn keyed_hash(&self, text: &str) -> String {
        let hash = blake3::keyed_hash(&self.store_secret, text.as_bytes());
        hash.to_hex()[..MAPPED_DIGITS].to_owned()
    }

    /// The first 40 bits of a keyed hash; none for what could be guessed.
    pub(crate) fn fingerprint(&self, secret: &str) -> Option<String> {
        if is_guessable(secret.as_bytes()) {
            return None;
        }
        let hash = blake3::keyed_hash(&self.fingerprint_key, secret.as_bytes());
        Some(hash.to_hex()[..FINGERPRINT_DIGITS].to_owned())
    }

    pub(crate) fn mark(&self, mark: Mark, kind: &str, secret: &str) -> String {
        let printed = mark == Mark::Printed && kind != kinds::UNSCANNED && !self.own.rules.keeps_quiet(kind);
        let print = printed.then(|| self.fingerprint(secret)).flatten();
        print.map_or_else(|| marker::plain(kind), |print| marker::printed(kind, &print))
    }
}

/// What `scan` finds; a text that it cannot be given, or that it fails on, is one secret.
fn judged(text: &str, scan: impl FnOnce(&str) -> Vec<Span>) -> Vec<Span> {
    let whole = || vec![Span { start: 0, end: text.len(), kind: kinds::UNSCANNED, certain: false }];
    if text.len() > MOST_BYTES {
        return whole();
    }
    // A scanner keeps nothing half done: of a text it remembers at most that it was done, and held nothing.
    catch_unwind(AssertUnwindSafe(|| scan(text))).unwrap_or_else(|_| whole())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_the_scanner_fails_on_comes_out_as_one_mark() {
        let text = "password=hunter2!x9";
        let spans = judged(text, |_| panic!("a bug"));
        let redactor = Redactor::new(&Keys { store_secret: [7; 32], redaction_key: [9; 32] });
        let mark = |span: &Span, secret: &str| redactor.mark(Mark::Printed, span.kind, secret);
        assert_eq!(rewrite(text, &spans, mark), "[REDACTED:unscanned]");
    }
}
