//! What leads to the cause: verbs over recorded sessions, deterministic and explained.
//!
//! A client of the recorder. Every answer is a list of events with the reason for each; what was recorded
//! and what is only inferred are told apart. Nothing here decides who is to blame, and no model runs.
//!
//! - V1  the same events give the same answer: no clock, no chance, no index
//! - V2  every line of an answer names the event that it stands on, and says why it is there
//! - V3  an edge that was recorded is never mixed with one that is inferred
//! - V4  nothing of a case (notes, bookmarks, verdicts, scores) is read by a ranking

pub mod act;
mod suspects;
#[cfg(test)]
mod testing;
mod trace;
mod words;

pub use suspects::{Reason, Suspect, Suspects, suspects};
pub use trace::Trace;
pub use words::{WORDS_VERSION, assumption};
