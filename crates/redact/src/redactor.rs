//! The redactor: a scanner with a store's keys.

use event::SessionId;

use crate::keys::Keys;
use crate::scan::{is_guessable, scan};
use crate::span::{Span, rewrite};
use crate::{Clean, RedactError, marker};

/// Hex digits of a fingerprint: 40 bits tell ten thousand secrets apart.
const FINGERPRINT_DIGITS: usize = 10;
const MAPPED_DIGITS: usize = 32;

/// Scans, marks and maps for one store. Cheap to make.
#[derive(Clone)]
pub struct Redactor {
    fingerprint_key: [u8; 32],
    store_secret: [u8; 32],
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
        }
    }

    /// The clean form of a draft.
    pub fn clean(&self, draft: event::Draft) -> Result<Clean, RedactError> {
        crate::clean::clean(self, draft)
    }

    /// Redacts a text; the spans are byte offsets of `text`.
    pub fn redact_text(&self, text: &str) -> (String, Vec<Span>) {
        let spans = scan(text);
        let redacted = rewrite(text, &spans, |span, secret| self.mark(Mark::Printed, span.kind, secret));
        (redacted, spans)
    }

    /// The id under which a session is stored: its own if it fits, else `m-` and a keyed hash.
    pub fn session_id(&self, raw: &str) -> SessionId {
        let fits = !raw.starts_with("m-") && scan(raw).is_empty();
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
        let print = (mark == Mark::Printed).then(|| self.fingerprint(secret)).flatten();
        print.map_or_else(|| marker::plain(kind), |print| marker::printed(kind, &print))
    }
}
