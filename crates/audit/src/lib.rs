//! What goes out: exports, and later seals, proofs and bundles.
//!
//! Nothing here trusts the index: every exported event is read from the journal and checked again.

mod export;

pub use export::{EXPORTERS, ExportError, Exporter};
