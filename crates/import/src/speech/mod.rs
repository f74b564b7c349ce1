//! What is said between people, models and tools, in the dialects in which it is written down, and which of it is new.

mod blocks;
mod history;
mod messages;

pub(crate) use blocks::call;
pub(crate) use history::{History, Place};
pub(crate) use messages::{Message, Part, read, unwrapped};
