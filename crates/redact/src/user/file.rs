//! What stands in a file of rules, and why one is refused.

use serde::Deserialize;

use crate::pii;

/// Why a file of rules is refused. No message repeats an example: it may be a real secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// It is no file of rules.
    #[error("{file}{}: {what}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
    File {
        /// The file.
        file: String,
        /// Where in it, counted from 1.
        line: Option<usize>,
        /// What is wrong.
        what: String,
    },
    /// A rule of it is wrong.
    #[error("{file}: rule {id:?}: {what}")]
    Rule {
        /// The file.
        file: String,
        /// The rule.
        id: String,
        /// What is wrong.
        what: String,
    },
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The user's: may allow.
    User,
    /// A project's: may only add.
    Project,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) version: u32,
    #[serde(default)]
    pub(super) rule: Vec<Row>,
    #[serde(default)]
    pub(super) allow: Allow,
    #[serde(default)]
    pub(super) fields: Fields,
    #[serde(default)]
    pub(super) known: Sources,
    #[serde(default)]
    pub(super) pii: Pii,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) kind: Option<String>,
    pub(super) shape: Option<String>,
    #[serde(default)]
    pub(super) keywords: Vec<String>,
    pub(super) regex: Option<String>,
    pub(super) secret_group: Option<usize>,
    pub(super) max_len: Option<usize>,
    pub(super) min_p: Option<f64>,
    pub(super) entropy: Option<f64>,
    #[serde(default)]
    pub(super) allow_words: Vec<String>,
    #[serde(default)]
    pub(super) allow_regex: Vec<String>,
    #[serde(default)]
    pub(super) examples: Vec<String>,
    #[serde(default)]
    pub(super) negatives: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Allow {
    pub(super) exact: Vec<String>,
    pub(super) values_fp: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Fields {
    pub(super) deny: Vec<String>,
    pub(super) opaque: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Sources {
    pub(super) skip: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Pii {
    pub(super) enable: Vec<pii::Sort>,
    pub(super) action: Action,
}

/// What a mark shows of a person.
#[derive(Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Action {
    /// Its kind alone.
    #[default]
    Redact,
    /// A keyed fingerprint too, so that the same person is seen to be the same.
    Hash,
}
