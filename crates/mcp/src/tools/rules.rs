//! What agents owe and are told: compliance, and the sections of prompts.

use orchestrate::compliance::compliance;
use orchestrate::prompt;
use recorder::harmless_text;
use serde_json::json;

use super::Tool;
use super::ask::store;
use super::words::{AGENT, GROUP, SESSION};
use crate::arguments::{Argument, Form, Given, may, need};
use crate::error::Refusal;
use crate::page::{Answer, Start, row};
use crate::serve::House;

const SPAWN: &[Argument] = &[
    need("session", Form::Text, SESSION),
    need("group", Form::Text, GROUP),
    need("agent", Form::Text, AGENT),
];

pub(super) const COMPLIANCE: Tool = Tool {
    name: "compliance",
    about: "Which spawns of agents documented understanding and completion, which did not, which came late or twice.",
    arguments: &[need("session", Form::Text, SESSION), may("group", Form::Text, GROUP)],
    writes: false,
    pages: true,
    run: complies,
};

pub(super) const PROMPT_REASONING: Tool = Tool {
    name: "prompt_reasoning",
    about: "The section of a prompt that tells an agent to save its reasoning, with the phases and the commands filled in.",
    arguments: SPAWN,
    writes: false,
    pages: true,
    run: prompt_reasoning,
};

pub(super) const PROMPT_HANDOFF: Tool = Tool {
    name: "prompt_handoff",
    about: "The section of a prompt that tells an agent to read the handoff before it, with its path, or that there is none.",
    arguments: SPAWN,
    writes: false,
    pages: true,
    run: prompt_handoff,
};

fn complies(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let found = compliance(&store(house), given.needed("session"), given.text("group"))?;
    let facts = json!({"spawns": found.units.len(), "complete": found.complete, "percent": found.percent});
    Ok(Answer::with(facts, found.units.into_iter().skip(start.item).map(|unit| Ok(row(&json!(unit))))))
}

fn prompt_reasoning(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let [agent, session, group] = named(house, given);
    Ok(section(&prompt::reasoning(&agent, &session, &group)?, start))
}

fn prompt_handoff(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let [agent, session, group] = named(house, given);
    let text = prompt::handoff(&store(house), &house.files.artifacts, &agent, &session, &group)?;
    Ok(section(&text, start))
}

/// Who is asked for, and where: said back in the answer, so without secrets.
fn named(house: &House, given: &Given) -> [String; 3] {
    ["agent", "session", "group"].map(|name| (house.unsaid)(given.needed(name)))
}

fn section(text: &str, start: Start) -> Answer {
    let facts = json!({"characters": text.chars().count()});
    Answer::with(facts, std::iter::once(Ok(harmless_text(text))).skip(start.item))
}
