//! Why something may be taken out of a store.

use serde::{Deserialize, Serialize};

/// The ground that an order of erasure or a purge stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// It was kept as long as the policy says.
    Retention,
    /// A person asks for it: GDPR, article 17.
    Gdpr17,
    /// It is a secret.
    Secret,
    /// A court orders it.
    Court,
    /// A contract asks for it.
    Contract,
}

impl Basis {
    /// Every one, with the word for it.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Retention, "retention"),
        (Self::Gdpr17, "gdpr17"),
        (Self::Secret, "secret"),
        (Self::Court, "court"),
        (Self::Contract, "contract"),
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(basis, _)| *basis == self).map_or("", |(_, word)| word)
    }

    /// The basis of this word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, own)| *own == word).map(|(basis, _)| *basis)
    }

    /// Whether it is an order: what is ordered needs no age.
    pub fn is_order(self) -> bool {
        self != Self::Retention
    }
}
