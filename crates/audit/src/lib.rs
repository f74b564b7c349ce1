//! What goes out: seals and signatures, proofs, exports, and the offline check of them all.
//!
//! ```text
//! events of a session ─▶ Merkle tree ─▶ seal: so many events, this root ─▶ a leaf of the store log
//! leaves of the store ─▶ Merkle tree ─▶ checkpoint, signed by the log key and the key of the epoch
//! ```
//! - `sealer`, `sealing`: who makes seals, and when; they add a twenty-fifth to a stream at most
//! - `keyring`, `keys`: what stands beside the keys is whole or said to be damaged; what can be done without it
//! - `anchor`: others see the checkpoint; the only code of the house that opens a socket is `anchor/http.rs`
//! - `erase`: an order in the chain, sealed, then the bytes, then every place beside
//! - `compact`: what is rolled, sealed and reads well is compressed
//! - `verify`: one pass over the log, which keeps 88 bytes a seal, then the sessions in parallel, O(log n) each
//!
//! Nothing here trusts the index or this machine: every exported event is read from the journal and checked
//! again, and `verify` needs nothing but the store's files and a pin.

mod anchor;
mod basis;
mod bundle;
mod cache;
mod compact;
mod erase;
mod error;
mod export;
mod head;
mod holds;
mod keyring;
mod keys;
mod leaf;
mod note;
mod pin;
mod policy;
mod prove;
mod retention;
mod sealer;
mod sealing;
mod sign;
mod spine;
mod sshsig;
#[cfg(test)]
mod tests;
mod tree;
mod verify;

pub use anchor::{
    Committed, Stamp, Witnessed, add_stamp, anchor_failed, commits, committed, cosigned, query, stamps,
    witness,
};
pub use basis::Basis;
pub use bundle::{
    BundleFacts, Bundled, Demanded, Examined, Filter, Level, Order, Pick, Request, Selection, Step, bundle,
    examine, file_sha256, hand_over, select, ulid,
};
pub use compact::{Compaction, Fate, compact};
pub use erase::{Ask, Done, Eraser, Erasure, Sweep, owes_sweep, plan};
pub use error::AuditError;
pub use export::{Copied, EXPORTERS, ExportError, Exporter, copy};
pub use holds::{Holds, is_held};
pub use keyring::Keyring;
pub use keys::{Kept, Mended, Standing, kept, public_key_file, recover};
pub use note::{Checkpoint, Note};
pub use pin::Pin;
pub use policy::Policy;
pub use prove::{Proof, prove};
pub use retention::{FLOOR_DAYS, Retention};
pub use sealer::{Feed, LastSeal, Moment, Options, Purged, Sealed, Sealer, is_hold_scope};
pub use sealing::Sealing;
pub use sign::{Signer, Verifier};
pub use spine::spine;
pub use sshsig::{AllowedSigners, Hand, PublicKey, SshSignature};
pub use tree::{Hash, Tree};
pub use verify::{Demands, Finding, LogFacts, Verdict, verify};
