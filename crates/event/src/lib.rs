//! What happened: event kinds, drafts, and the exact bytes of a journal line.
//!
//! This room is pure (no disk, no clock, no chance). It knows how a line is laid out
//! (`journal/README.md` draws it) and checks those bytes, never a parser's view of them.
//!
//! - E1  a line that [`Line::parse`] accepts has one reading: no key twice, no byte between its parts
//! - E2  what [`Encoder`] writes, [`Line::parse`] accepts, and the decoded values are equal
//! - E3  a reader keeps header keys and kinds it does not know
//! - E4  an [`Event`]'s values are parsed when somebody asks for one ([`Members`]), and are what parsing them at once
//!   would have given

mod draft;
mod encode;
mod escape;
mod event;
mod json;
mod kind;
mod line;
mod members;
mod names;

pub use draft::{COMMON, Draft, DraftError, Origin, draft_from_json};
pub use encode::{EncodeError, Encoded, Encoder, commitment, event_hash, genesis, json_text};
pub use escape::{decode, encode, encoded_len, is_header_byte};
pub use event::Event;
pub use json::{JsonError, MAX_DEPTH, scan_value, unescape};
pub use kind::{CONFIDENCES, FieldType, KINDS, Kind, KindSpec, PHASES, RESERVED, nearest};
pub use line::{Field, Line, LineError, Member};
pub use members::{Iter, Members};
pub use names::{EventRef, NameError, SessionId};

/// The format version this build writes; it reads this one and every older one.
pub const FORMAT: u64 = 1;
/// Slots of payload values are padded to a multiple of this many bytes.
pub const SLOT_BYTES: usize = 16;
/// The longest header, in bytes.
pub const MAX_HEADER_BYTES: usize = 8 * 1024;
/// The longest line without its LF, in bytes.
pub const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;
/// The longest string in a header after encoding, in bytes.
pub const MAX_HEADER_STRING_BYTES: usize = 256;
/// The largest member of `data` (and string leaf, decoded) that stays in the line, in bytes.
pub const MAX_INLINE_BYTES: usize = 256 * 1024;
