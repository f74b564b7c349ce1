//! The budget of a whole prompt: components with shares of their own, the digest, and what is left.

use serde::Serialize;

use super::Tokenizer;

/// A part of a prompt with a share of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// What it is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The most tokens that it may take.
    pub budget_tokens: u64,
}

/// What a part takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Share {
    /// What it is called.
    pub name: String,
    /// What it takes.
    pub tokens: u64,
    /// What it may take.
    pub budget_tokens: u64,
    /// What it takes too much; nothing is cut.
    pub over_tokens: u64,
}

/// How a budget is used up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// All of it.
    pub total_tokens: u64,
    /// Who counted.
    pub tokenizer: &'static str,
    /// Each part.
    pub shares: Vec<Share>,
    /// What is left for context packages.
    pub left_tokens: u64,
    /// What all parts together take too much.
    pub over_tokens: u64,
}

/// Shares a total out among components and a digest.
pub fn plan(total: u64, components: &[Component], digest: (u64, u64), tokenizer: Tokenizer) -> Plan {
    let share = |name: &str, tokens: u64, budget: u64| Share {
        name: name.to_owned(),
        tokens,
        budget_tokens: budget,
        over_tokens: tokens.saturating_sub(budget),
    };
    let mut shares: Vec<Share> =
        components.iter().map(|c| share(&c.name, tokenizer.count(&c.text), c.budget_tokens)).collect();
    shares.push(share("reasoning", digest.0, digest.1));
    let used: u64 = shares.iter().map(|share| share.tokens).sum();
    Plan {
        total_tokens: total,
        tokenizer: tokenizer.name(),
        shares,
        left_tokens: total.saturating_sub(used),
        over_tokens: used.saturating_sub(total),
    }
}
