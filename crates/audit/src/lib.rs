//! What goes out: seals and signatures, proofs, exports, and the offline check of them all.
//!
//! ```text
//! events of a session ─▶ Merkle tree ─▶ seal: so many events, this root ─▶ a leaf of the store log
//! leaves of the store ─▶ Merkle tree ─▶ checkpoint, signed by the log key and the key of the epoch
//! ```
//! Nothing here trusts the index or this machine: every exported event is read from the journal and checked
//! again, and `verify` needs nothing but the store's files and a pin.

mod cache;
mod compact;
mod error;
mod export;
mod head;
mod keyring;
mod leaf;
mod note;
mod pin;
mod policy;
mod prove;
mod sealer;
mod sealing;
mod sign;
mod spine;
#[cfg(test)]
mod tests;
mod tree;
mod verify;

pub use compact::{Compaction, Fate, compact};
pub use error::AuditError;
pub use export::{EXPORTERS, ExportError, Exporter};
pub use keyring::Keyring;
pub use note::{Checkpoint, Note};
pub use pin::Pin;
pub use policy::Policy;
pub use prove::{Proof, prove};
pub use sealer::{Feed, Moment, Options, Sealed, Sealer};
pub use sealing::Sealing;
pub use sign::{Signer, Verifier};
pub use spine::spine;
pub use tree::{Hash, Tree};
pub use verify::{Demands, Finding, LogFacts, Verdict, verify};
