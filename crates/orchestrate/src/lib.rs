//! What agents of a team save, owe and hand each other: reasoning in phases, outputs of skills, handoffs,
//! digests of prior reasoning, and what is missing of them.
//!
//! A client of the recorder, on the same terms as everybody else: plain structs go in, plain answers that
//! serialise come out. No terminal, no environment; folders are handed in.
//!
//! - O1  what is saved goes through the redactor, and is read back from the journal before it is acknowledged
//! - O2  a wrong word is refused with the words that are allowed and the nearest of them, before anything is written
//! - O3  an iteration is a rank in the journal, by session, skill, agent and group; nobody supplies it
//! - O4  a digest is a function of the journal up to a sequence; it never exceeds its budget under the tokenizer
//!   that it names, and what was left out is said
//! - O5  recorded text in a prompt is quoted as data: no line of it can pass for a heading of ours

mod artifacts;
pub mod cleanup;
pub mod compliance;
pub mod criteria;
pub mod digest;
mod error;
pub mod events;
pub mod flow;
pub mod handoff;
mod house;
pub mod packages;
pub mod prompt;
pub mod reasoning;
pub mod review;
pub mod skills;
mod told;
pub mod words;

pub use artifacts::{Files, Kept};
pub use error::OrchestrateError;
pub use told::Saved;
