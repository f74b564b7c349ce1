//! Another tool's words for our store: what `bazinga-db` commands save and answer, as events and folds.
//!
//! Agents that call `bazinga_db.py` go on with their commands and read the JSON that they know; below it
//! nothing is a table. Each `save` is one event, each `get` a fold over the events of a session up to now.
//!
//! - B1  one command writes at most one event, so nothing is ever half saved; `extract-strategies`, one each
//! - B2  counts, ranks and "latest" come from the order of the journal, never from a row that is written over
//! - B3  a session that nobody made is made by the first event for it; no save is lost with a success
//! - B4  a word that the original would refuse is refused before anything is written, with the words allowed
//!
//! Times are written as the original writes them (`2026-11-28 06:18:05`, UTC); a number that names an entry
//! is its sequence in the session, or 48 bits of its hash where the command names no session.

mod consumption;
mod error;
mod events;
mod groups;
mod logs;
mod packages;
mod past;
mod patterns;
mod plans;
mod query;
mod reasoning;
mod rows;
mod sessions;
mod skills;
mod states;
mod strategies;
mod tokens;
mod upkeep;
mod words;

pub use consumption::{Consumption, consumption, save_consumption};
pub use error::BazingaError;
pub use events::{Told, save_event, saved_events};
pub use groups::{create_group, groups, set_references, update_group};
pub use logs::{Interaction, interaction, logs};
pub use packages::{Package, consume, packages, save_package};
pub use past::whole;
pub use patterns::{Pattern, drop_expired, patterns, rate_pattern, save_pattern};
pub use plans::{Plan, advance_plan, criteria, development_plan, save_criteria, save_plan, update_criterion};
pub use query::query;
pub use reasoning::{
    Thought, Which, mandatory_phases, reasoning, reasoning_document, reasoning_prompt, reasoning_timeline,
    save_reasoning,
};
pub use rows::dashboard;
pub use sessions::{create_session, session, sessions, set_status};
pub use skills::{Output, save_skill_output, skill_evidence, skill_output, skill_outputs};
pub use states::{Round, save_round, save_state, state};
pub use strategies::{Strategy, Wanted, extract, rate_strategy, save_strategy, strategies};
pub use tokens::{log_tokens, token_summary};
pub use upkeep::integrity;
pub use words::SESSION_STATUSES;

use serde_json::Value;

/// What a command answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The line for people, which `--quiet` drops.
    pub said: Option<String>,
    /// The JSON; some commands have none.
    pub value: Option<Value>,
    /// False when the answer is no.
    pub yes: bool,
}

impl Answer {
    /// An answer to a question.
    pub fn of(value: impl Into<Value>) -> Self {
        Self { said: None, value: Some(value.into()), yes: true }
    }

    /// What was done, for people.
    pub fn done(said: impl Into<String>) -> Self {
        Self { said: Some(said.into()), value: None, yes: true }
    }

    /// The same with a line for people.
    #[must_use]
    pub fn saying(self, said: impl Into<String>) -> Self {
        Self { said: Some(said.into()), ..self }
    }

    /// No: what was asked for is not there, or not complete.
    #[must_use]
    pub fn no(self) -> Self {
        Self { yes: false, ..self }
    }
}
