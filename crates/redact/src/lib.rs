//! Redaction: a draft goes in, a clean draft comes out, and nothing else can make one.
//!
//! Every byte of every secret leaves before the first byte reaches a disk; nothing else leaves; the
//! reader still sees where a secret was, of which kind, and whether it is the same as elsewhere.
//!
//! ```text
//!  Draft ─▶ each string of header and data ─▶ scan ─▶ spans ─▶ union ─▶ one rewrite ─▶ Clean
//!                                              │
//!            one pass over all literals, engines anchored at its hits: shapes, names and values,
//!            addresses, headers, armoured keys, web tokens, command lines, sentences
//! ```
//!
//! - R1  only [`Redactor::clean`] and [`Clean::system`] make a [`Clean`]; its fields are private
//! - R2  every string leaf is scanned, and every value judged by the name it stands under, before anything
//!   is encoded or cut; serialised JSON is never rewritten
//! - R3  a secret is replaced by offset, whole, never by searching for its text; a password that is repeated a little
//!   behind is one more secret, and what stands before it is left as it is
//! - R4  what cannot be judged is replaced by `[REDACTED:unscanned]`: nothing passes for want of an answer
//! - R5  the scan takes linear time on any input, and builds no regular expression but those that a user wrote
//! - R6  a mark that is already there passes unchanged; a second pass may find more (around glued fragments),
//!   never less
//! - R7  a mark carries a keyed fingerprint only in `data`, which can be erased, and only of secrets that
//!   nobody could guess; headers say the kind alone
//!
//! It is no defence against an agent that hides a secret on purpose (spelt out, drawn, encrypted), and it
//! does not know names of people from any other words.

mod aligned;
mod asked;
mod assigned;
mod bare;
mod block;
mod bytes;
mod calls;
mod chance;
mod clean;
mod command;
mod company;
mod container;
mod crowd;
mod decode;
mod directive;
mod error;
mod fact;
mod gate;
mod gitleaks;
mod harmless;
mod header;
mod heading;
mod html_table;
mod insert;
mod json;
mod jwk;
mod keys;
mod keyvalue;
mod kinds;
mod known;
mod leaders;
mod literals;
mod login;
mod marker;
mod memo;
mod memory;
mod names;
mod own;
mod pair;
mod php;
mod pii;
mod placeholder;
mod printed;
mod prose;
mod quote;
mod redactor;
mod rules;
mod runs;
mod scan;
mod search;
mod shape;
mod span;
mod spoken;
mod stream;
mod table;
mod tag;
#[cfg(test)]
mod testing;
mod token;
mod trace;
mod typed;
mod url;
mod user;
mod value;
mod vendor;
mod view;
mod walk;
mod wallet;
mod weigh;
mod work;

pub use clean::Clean;
pub use error::RedactError;
pub use fact::Fact;
pub use gitleaks::{Translated, from_gitleaks};
pub use keys::Keys;
pub use known::Known;
pub use memory::Shelf;
pub use redactor::Redactor;
pub use rules::{RULES, Rule};
pub use scan::scan;
pub use span::Span;
pub use stream::Stream;
pub use user::{Listed, Owner, Rules, RulesError};
