//! Who exports what stands in the log: before the bundle is made, and after.

use super::{Feed, Moment, Sealer};
use crate::error::AuditError;
use crate::leaf::{Export, Exported, Leaf};

impl Sealer {
    /// Seals every session and says who asks for which bundle; gives the checkpoint that covers it.
    pub(crate) fn export(&self, bundle: &str, request: String, by: String) -> Result<Vec<u8>, AuditError> {
        let leaf = |ts| Leaf::Export(Export { bundle: bundle.to_owned(), request, by, ts });
        self.round_with(true, true, Moment::Within, &Feed::new(), Some(leaf))?;
        self.journal.log_file("checkpoint")?.ok_or(AuditError::NeverSealed)
    }

    /// Says that the bundle was made.
    pub(crate) fn exported(&self, bundle: &str, manifest: String) -> Result<(), AuditError> {
        let leaf = |ts| Leaf::Exported(Exported { bundle: bundle.to_owned(), manifest, ts });
        self.round_with(false, true, Moment::Within, &Feed::new(), Some(leaf)).map(drop)
    }
}
