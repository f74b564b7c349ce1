//! The truth: one append-only NDJSON file per session, each line chained to the one before.
//!
//! ```text
//! <store>/journal/STORE                                    who this store is
//! <store>/journal/sessions/<session>/lock                  flock; says boot id, pid and segment of its last holder
//! <store>/journal/sessions/<session>/0000000000.ndjson     a segment, named by its first sequence
//! <store>/journal/sessions/<session>/0000000000.ndjson.zst a rolled segment, compressed: of both the lines count
//! <store>/journal/sessions/<session>/erasing           an erasure that is ordered and not carried out (`erase.rs`)
//! <store>/journal/blobs/5a/5ac1…                           payloads too large for a line, by their BLAKE3
//! <store>/journal/log/…                                  the store log: seals and checkpoints (`log.rs`)
//! <store>/journal/torn/<session>-<seq>-<hash>.bin          bytes cut off after a crash, kept
//! ```
//!
//! Write path: blobs (synced) → session lock → read the tail back → one write → unlock → fdatasync → acknowledge.
//! Read path: no lock, segments in order, every line checked as it streams by.
//!
//! - J1  a line, once durable, is never changed; an erasure blanks payload bytes and says so in a later event
//! - J2  what is acknowledged as durable was synced before, with the names of its file and folders
//! - J3  appending is one write; a write or sync that fails closes the writer and acknowledges nothing
//! - J4  after a crash the file ends in a whole line: a torn tail is cut off, kept aside and reported
//! - J5  a whole line that does not match its hash is never repaired, and nothing is appended after it
//! - J6  nothing gets in but a [`redact::Clean`]

mod blobs;
mod cover;
mod duplicates;
mod erase;
mod erasures;
mod error;
mod finding;
mod frames;
mod layout;
mod lock;
mod log;
mod names;
mod pack;
mod parts;
mod prepare;
mod purge;
mod reader;
mod recover;
mod segment;
mod store;
mod stretch;
mod sweep;
mod verify;
mod writer;

pub use blobs::{BlobRef, blob_refs, stored_form};
pub use cover::{Cover, Held};
pub use duplicates::{Data, Names, Sameness, Told, compare};
pub use erase::{Order, Ordered, Slot, Target, statement};
pub use error::JournalError;
pub use finding::{Finding, FindingCode};
pub use layout::{Extent, Place, Pointer, SegmentExtent};
pub use lock::ImportTurn;
pub use log::{LogLines, LogTurn, MAX_LEAF_BYTES, replace_file, small_file};
pub use pack::Packed;
pub use parts::Take;
pub use purge::{Doomed, PURGING};
pub use reader::{Entry, ReadError, Reader};
pub use recover::Recovered;
pub use store::{Journal, Options, SegmentFile};
pub use stretch::{Glance, Stretch};
pub use sweep::Swept;
pub use verify::{Report, Seen, SessionReport};
pub use writer::{Durability, Receipt, Writer};
