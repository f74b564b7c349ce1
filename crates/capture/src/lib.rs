//! What goes on now: what an agent's hooks say becomes drafts, and transcripts are read while they grow.
//!
//! - L1  a hook tells who, when and by whose leave; the transcript tells what was said: what both tell has one
//!   id, so that it is told once, whichever came first (see [`event`]'s drafts and `journal::Names`)
//! - L2  whatever a hook is fed, something comes of it that can be stored: what is no payload is kept as it is
//! - L3  no session is made by an announcement: the first content makes it
//! - L4  settings of others are edited where we stand in them and nowhere else
//! - L5  a line that is not whole yet is left to who writes it; a place is remembered only behind what is stored
//!
//! Nothing here reads an environment variable, a clock or the home folder.

pub mod hook;
pub mod settings;
pub mod tail;

pub use hook::{Agent, Announced, Heard, hear};
