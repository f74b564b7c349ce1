//! Tokens as agents estimate them.

use recorder::{Recorder, Store};
use serde_json::{Map, Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{draft, events, record};
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
    some("the agent", agent)?;
    let draft = draft(session, "usage.reported").with("agent", agent).with("agent_id", agent_id);
    record(recorder, draft.with("usage", json!({"total": tokens})))?;
    Ok(Answer::done(format!("✓ Logged {tokens} tokens for {agent}")))
}

/// `token-summary`: the sum of each agent (by role or id), and of all.
pub fn token_summary(store: &Store, session: &str, by: &str) -> Result<Answer, BazingaError> {
    let by = if one_of("the grouping", by, &["agent_type", "agent_id"])? == "agent_type" {
        "agent"
    } else {
        "agent_id"
    };
    let (mut sums, mut total) = (Map::new(), 0);
    for event in events(store, session, &["usage.reported"])? {
        let Some(tokens) = event.header.get("usage").and_then(|usage| usage["total"].as_u64()) else {
            continue;
        };
        let name = event.text(by).unwrap_or("null").to_owned();
        let before = sums.get(&name).and_then(Value::as_u64).unwrap_or(0);
        sums.insert(name, (before + tokens).into());
        total += tokens;
    }
    sums.insert("total".to_owned(), total.into());
    Ok(Answer::of(sums))
}
