//! The two secrets of a store, handed in by whoever may read them.

/// Keys that live outside the store.
#[derive(Clone)]
pub struct Keys {
    /// Maps foreign session ids and secret-looking keys.
    pub store_secret: [u8; 32],
    /// Keys the fingerprints in marks.
    pub redaction_key: [u8; 32],
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Keys(..)")
    }
}
