//! The words that the original takes, and how a wrong one is told.

use serde_json::Value;

use crate::error::BazingaError;

/// What a session may be.
pub const SESSION_STATUSES: &[&str] = &["active", "completed", "failed"];
pub(crate) const MODES: &[&str] = &["simple", "parallel"];
pub(crate) const STATES: &[&str] = &["pm", "orchestrator", "group_status", "investigation"];
pub(crate) const GROUP_STATUSES: &[&str] =
    &["pending", "in_progress", "completed", "failed", "approved_pending_merge", "merging"];
pub(crate) const REVIEWS: &[&str] = &["APPROVED", "CHANGES_REQUESTED"];
pub(crate) const TIERS: &[&str] = &["Developer", "Senior Software Engineer"];
pub(crate) const TOPICS: &[&str] = &["implementation", "architecture", "methodology", "general"];
pub(crate) const ROLES: &[&str] = &[
    "project_manager",
    "developer",
    "senior_software_engineer",
    "qa_expert",
    "tech_lead",
    "investigator",
    "requirements_engineer",
    "orchestrator",
    "validator",
];

/// One of the words, or an error that names them.
pub(crate) fn one_of(
    what: &str,
    value: &str,
    allowed: &'static [&'static str],
) -> Result<&'static str, BazingaError> {
    let found = allowed.iter().find(|word| **word == value).copied();
    found.ok_or_else(|| BazingaError::Word { what: what.to_owned(), value: value.to_owned(), allowed })
}

/// Something has to be there.
pub(crate) fn some(what: &str, value: &str) -> Result<(), BazingaError> {
    if value.trim().is_empty() { Err(BazingaError::value(what, "a text that is not empty")) } else { Ok(()) }
}

/// A group's name: `[A-Za-z0-9_-]{1,64}`.
pub(crate) fn group(name: &str) -> Result<(), BazingaError> {
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    if (1..=64).contains(&name.len()) && name.bytes().all(fits) {
        return Ok(());
    }
    Err(BazingaError::value("the group id", "1 to 64 letters, digits, _ or -"))
}

/// Text that has to be JSON.
pub(crate) fn json(what: &str, text: &str) -> Result<Value, BazingaError> {
    serde_json::from_str(text).map_err(|error| BazingaError::Json {
        what: what.to_owned(),
        line: error.line(),
        column: error.column(),
    })
}

/// Text that has to be a JSON list of texts.
pub(crate) fn list(what: &str, text: &str) -> Result<Vec<String>, BazingaError> {
    serde_json::from_value(json(what, text)?).map_err(|_| BazingaError::value(what, "a JSON list of strings"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_word_names_the_allowed_ones_and_the_nearest() {
        let error = one_of("the mode", "paralel", MODES).expect_err("a wrong word");
        assert!(error.to_string().contains("simple, parallel"));
        assert_eq!(error.near(), Some("parallel"));
    }

    #[test]
    fn a_group_is_a_short_plain_name() {
        assert!(group("AUTH-1_b").is_ok());
        for bad in ["", "a b", "a/b", "é", &"a".repeat(65)] {
            assert!(group(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn bad_json_is_told_without_its_text() {
        let error = json("the payload", "{\"token\": ghp_secret}").expect_err("bad JSON").to_string();
        assert!(error.contains("line 1") && !error.contains("ghp_secret"), "{error}");
        assert!(list("--references", "[1]").is_err());
    }
}
