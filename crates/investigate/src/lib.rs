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
mod ask;
mod blame;
mod brief;
pub mod cases;
mod diff;
mod error;
mod errors;
mod gaps;
mod known;
pub mod learn;
mod link;
mod loops;
mod print;
mod reason;
mod seek;
mod side;
mod signs;
mod spectrum;
mod state;
mod suspects;
#[cfg(test)]
mod testing;
mod tools;
mod trace;
mod why;
mod words;

pub use ask::{Saved, ask};
pub use blame::{Blame, Ground, Sighting, blame};
pub use brief::{Brief, Failure, Handed, brief, failure};
pub use diff::{Diff, Divergence, Only, diff};
pub use error::InvestigateError;
pub use errors::{Errors, Kin, errors};
pub use gaps::{Gap, GapKind, gaps};
pub use known::{Item, Known, NotSeen, Source, known};
pub use link::{permalink, permalink_of, reference};
pub use loops::{Loop, loops};
pub use reason::Reason;
pub use seek::{KEYS, Key, Stepper};
pub use side::by_side;
pub use spectrum::{Spread, spectrum};
pub use state::{AgentState, Bisect, is_key, state};
pub use suspects::{Suspect, Suspects, suspects};
pub use trace::Trace;
pub use why::{Edge, How, why};
pub use words::{WORDS_VERSION, assumption};
