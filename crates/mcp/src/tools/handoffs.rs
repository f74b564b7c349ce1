//! What one agent leaves for the next: handoffs, the short return, and the digest of reasoning before it.

use orchestrate::digest::{self, Request, Tokenizer};
use orchestrate::handoff::{self, NewHandoff};
use recorder::harmless_text;
use serde_json::json;

use super::Tool;
use super::words::{AGENT, AGENT_ID, GROUP, SESSION, owned};
use crate::arguments::{Form, Given, may, need};
use crate::error::Refusal;
use crate::page::{Answer, Start, row};
use crate::serve::House;

pub(super) const WRITE: Tool = Tool {
    name: "handoff_write",
    about: "Hand your work over: the handoff is checked against your role's schema, recorded, and written as a file for the next agent.",
    arguments: &[
        need("session", Form::Text, SESSION),
        need("group", Form::Text, GROUP),
        need("agent", Form::Text, AGENT),
        need(
            "handoff",
            Form::Any,
            "The handoff, an object with status, summary (three lines) and what your role's schema asks",
        ),
        may("agent_id", Form::Text, AGENT_ID),
    ],
    writes: true,
    pages: true,
    run: write,
};

pub(super) const RETURN: Tool = Tool {
    name: "return_check",
    about: "Check the short message with which an agent ends: a status and a summary of three lines, and how many tokens it takes.",
    arguments: &[
        need("text", Form::Text, "The message as the agent is about to return it"),
        may("agent", Form::Text, AGENT),
    ],
    writes: false,
    pages: true,
    run: check,
};

pub(super) const DIGEST: Tool = Tool {
    name: "digest",
    about: "Assemble what the next agent is to know of the reasoning before it, under a budget of tokens; it is recorded as assembled.",
    arguments: &[
        need("session", Form::Text, SESSION),
        need("group", Form::Text, GROUP),
        need("for", Form::Text, "The role that it is for, e.g. qa_expert"),
        may("budget", Form::Whole { low: 50, high: 16_000 }, "The most tokens (default 1200)"),
        may(
            "per_phase",
            Form::Whole { low: 20, high: 20_000 },
            "The most characters of one entry (default 400)",
        ),
        may("entries", Form::Whole { low: 1, high: 100 }, "The most entries (default 3)"),
    ],
    writes: true,
    pages: true,
    run: assemble,
};

fn write(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    if start != Start::default() {
        return Err(Refusal::new("a handoff is written once", "call without a cursor"));
    }
    let new = NewHandoff {
        session: given.needed("session").to_owned(),
        group: given.needed("group").to_owned(),
        agent: given.needed("agent").to_owned(),
        agent_id: owned(given, "agent_id"),
        body: given.value("handoff").cloned().unwrap_or_default(),
    };
    let written = handoff::write(&mut house.recorder, &house.files, new)?;
    let facts = json!({"version": written.version, "saved": written.saved});
    let more = json!({
        "status": written.status, "to": written.to, "file": written.file, "artifacts": written.artifacts,
        "warnings": written.warnings,
    });
    Ok(Answer::with(facts, std::iter::once(Ok(row(&more)))))
}

#[allow(clippy::unnecessary_wraps, reason = "every tool has this form")]
fn check(_house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let agent = given.text("agent");
    let checked = handoff::check_return(given.needed("text"), agent, Tokenizer::O200k);
    let facts = json!({"verdict": checked.verdict, "tokens": checked.tokens, "tokenizer": checked.tokenizer});
    Ok(Answer::with(facts, std::iter::once(Ok(row(&json!(checked)))).skip(start.item)))
}

fn assemble(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let mut request = Request::new(given.needed("session"), given.needed("group"), given.needed("for"));
    request.budget_tokens = given.whole("budget").unwrap_or(request.budget_tokens);
    request.per_phase_chars = given.size("per_phase").unwrap_or(request.per_phase_chars);
    request.limit = given.size("entries").unwrap_or(request.limit);
    let answer = digest::digest(&mut house.recorder, &request)?;
    let digest = answer.digest;
    let facts = json!({
        "id": digest.id, "tokens": digest.tokens, "budget_tokens": digest.budget_tokens, "upto": digest.upto,
        "tokenizer": digest.tokenizer, "cached": answer.cached, "assembled": digest.assembled,
    });
    let account = row(&json!({"parts": digest.parts, "left_out": digest.left_out}));
    let items = [Ok(harmless_text(&digest.text)), Ok(account)];
    Ok(Answer::with(facts, items.into_iter().skip(start.item)))
}
