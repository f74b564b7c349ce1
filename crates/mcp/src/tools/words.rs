//! What arguments mean that several tools take.

use crate::arguments::Given;

pub(super) const SESSION: &str = "The session; one that is not there is made by the first event for it";
pub(super) const GROUP: &str = "The group of parallel work: letters, digits, _ and -";
pub(super) const AGENT: &str = "The agent's role, e.g. developer, qa_expert, tech_lead";
pub(super) const AGENT_ID: &str = "Which agent of that role";
pub(super) const PHASE: &str = "understanding, approach, decisions, risks, blockers, pivot or completion";
pub(super) const CONFIDENCE: &str = "How sure you are: high, medium or low";
pub(super) const LIMIT: &str = "At most so many in all (default 50)";
pub(super) const SKILL: &str = "The skill's name";

/// A text that may be absent.
pub(super) fn owned(given: &Given, name: &str) -> Option<String> {
    given.text(name).map(str::to_owned)
}
