//! Tokens as agents estimate them.

use orchestrate::events::{self, NewTokens, Tokens};
use recorder::{Recorder, Store};
use serde_json::{Map, Value};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::named;
use crate::words::{one_of, some};

/// `log-tokens`.
pub fn log_tokens(
    recorder: &mut Recorder,
    session: &str,
    agent: &str,
    tokens: u64,
    agent_id: Option<&str>,
) -> Result<Answer, BazingaError> {
    some("the session id", session)?;
    let (id, agent_id) = (session.to_owned(), agent_id.map(str::to_owned));
    let new = NewTokens { session: id, agent: agent.to_owned(), agent_id, group: None, tokens };
    events::log_tokens(recorder, new)?;
    Ok(Answer::done(format!("✓ Logged {tokens} tokens for {agent}")))
}

/// `token-summary`: the sum of each agent (by role or id), and of all.
pub fn token_summary(store: &Store, session: &str, by: &str) -> Result<Answer, BazingaError> {
    let by_id = one_of("the grouping", by, &["agent_type", "agent_id"])? == "agent_id";
    let sums = match named(store, session)? {
        Some(session) => events::tokens(store, session.as_str(), by_id)?,
        None => Tokens::default(),
    };
    let name = |name: String| if name == "-" { "null".to_owned() } else { name };
    let mut rows: Map<String, Value> = sums.by.into_iter().map(|(by, sum)| (name(by), sum.into())).collect();
    rows.insert("total".to_owned(), sums.total.into());
    Ok(Answer::of(rows))
}
