//! Reasoning in phases: saved, read, told in order.

use orchestrate::reasoning::{self, Entry, NewReasoning, Wanted};
use serde_json::json;

use super::Tool;
use super::ask::store;
use super::words::{AGENT, AGENT_ID, CONFIDENCE, GROUP, LIMIT, PHASE, SESSION, owned};
use crate::arguments::{Form, Given, may, need};
use crate::error::Refusal;
use crate::page::{Answer, Start, row};
use crate::serve::House;

pub(super) const SAVE: Tool = Tool {
    name: "save_reasoning",
    about: "Record what you think, in one of seven phases; understanding and completion are owed by every agent. Secrets are taken out before anything is written.",
    arguments: &[
        need("session", Form::Text, SESSION),
        need("agent", Form::Text, AGENT),
        need("phase", Form::OneOf(event::PHASES), PHASE),
        need("text", Form::Text, "The reasoning, of any length"),
        may("group", Form::Text, GROUP),
        may("agent_id", Form::Text, AGENT_ID),
        may("confidence", Form::OneOf(event::CONFIDENCES), CONFIDENCE),
        may("attempt", Form::Whole { low: 0, high: 1 << 32 }, "Your own count of attempts"),
        may("references", Form::Texts, "Files and events that it rests on"),
    ],
    writes: true,
    pages: false,
    run: save,
};

pub(super) const GET: Tool = Tool {
    name: "get_reasoning",
    about: "Read what agents documented of their reasoning, the newest first, whole texts included.",
    arguments: &[
        need("session", Form::Text, SESSION),
        may("group", Form::Text, GROUP),
        may("agent", Form::Text, AGENT),
        may("agent_id", Form::Text, AGENT_ID),
        may("phase", Form::OneOf(event::PHASES), PHASE),
        may("limit", Form::Whole { low: 1, high: 1_000_000 }, LIMIT),
    ],
    writes: false,
    pages: true,
    run: get,
};

pub(super) const TIMELINE: Tool = Tool {
    name: "reasoning_timeline",
    about: "Tell the documented reasoning of a session or group in order, the oldest first.",
    arguments: &[need("session", Form::Text, SESSION), may("group", Form::Text, GROUP)],
    writes: false,
    pages: true,
    run: timeline,
};

fn save(house: &mut House, given: &Given, _start: Start) -> Result<Answer, Refusal> {
    let saved = reasoning::save(
        &mut house.recorder,
        NewReasoning {
            session: given.needed("session").to_owned(),
            group: owned(given, "group"),
            agent: given.needed("agent").to_owned(),
            agent_id: owned(given, "agent_id"),
            phase: given.needed("phase").to_owned(),
            text: given.needed("text").to_owned(),
            attempt: given.whole("attempt"),
            confidence: owned(given, "confidence"),
            references: given.texts("references"),
        },
    )?;
    Ok(Answer::facts(json!(saved)))
}

fn get(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let limit = given.size("limit").unwrap_or(50);
    // what was recorded since the first reply has moved the rest back
    let fetched = if start.upto.is_some() { usize::MAX } else { limit };
    let wanted = Wanted {
        group: owned(given, "group"),
        agent: owned(given, "agent"),
        agent_id: owned(given, "agent_id"),
        phase: owned(given, "phase"),
        limit: fetched,
        ..Wanted::of(given.needed("session"))
    };
    let mut entries = reasoning::get(&store(house), &wanted)?;
    entries.retain(|entry| start.upto.is_none_or(|upto| entry.seq <= upto));
    entries.truncate(limit);
    let upto = start.upto.or(entries.first().map(|entry| entry.seq));
    Ok(Answer { upto, ..entries_from(entries, start) })
}

fn entries_from(entries: Vec<Entry>, start: Start) -> Answer {
    let facts = json!({"total": entries.len()});
    Answer::with(facts, entries.into_iter().skip(start.item).map(|entry| Ok(row(&json!(entry)))))
}

fn timeline(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let entries = reasoning::timeline(&store(house), given.needed("session"), given.text("group"))?;
    Ok(entries_from(entries, start))
}
