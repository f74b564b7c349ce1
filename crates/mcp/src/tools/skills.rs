//! Outputs of skills, and events of a caller's own.

use orchestrate::events::{self, NewEvent};
use orchestrate::skills::{self, NewOutput, Wanted};
use serde_json::{Value, json};

use super::Tool;
use super::ask::store;
use super::words::{AGENT, GROUP, SESSION, SKILL, owned};
use crate::arguments::{Argument, Form, Given, may, need};
use crate::error::Refusal;
use crate::page::{Answer, Start, row};
use crate::serve::House;

const WHICH: &[Argument] = &[
    need("session", Form::Text, SESSION),
    need("skill", Form::Text, SKILL),
    may("agent", Form::Text, AGENT),
    may("group", Form::Text, GROUP),
];

pub(super) const SAVE: Tool = Tool {
    name: "skill_save",
    about: "Record what a skill returned; nothing is overwritten, and the answer says the how-manieth output it is.",
    arguments: &[
        need("session", Form::Text, SESSION),
        need("skill", Form::Text, SKILL),
        need("output", Form::Any, "What it returned, any JSON"),
        may("agent", Form::Text, AGENT),
        may("group", Form::Text, GROUP),
    ],
    writes: true,
    pages: false,
    run: save,
};

pub(super) const LATEST: Tool = Tool {
    name: "skill_latest",
    about: "Read what a skill returned last, in the order of the journal.",
    arguments: WHICH,
    writes: false,
    pages: true,
    run: latest,
};

pub(super) const ALL: Tool = Tool {
    name: "skill_all",
    about: "Read every output of a skill with its iteration, in the order of the journal.",
    arguments: WHICH,
    writes: false,
    pages: true,
    run: all,
};

pub(super) const EVENT: Tool = Tool {
    name: "save_event",
    about: "Record an event of a type of your own (it becomes x.<name>), with any JSON; under a key it is told once.",
    arguments: &[
        need("session", Form::Text, SESSION),
        need("name", Form::Text, "What happened, e.g. scope_change"),
        need("payload", Form::Any, "What there is to say about it, any JSON"),
        may("group", Form::Text, GROUP),
        may("agent", Form::Text, AGENT),
        may("key", Form::Text, "With this key and the same content it is stored once"),
    ],
    writes: true,
    pages: false,
    run: event,
};

fn value(given: &Given, name: &str) -> Value {
    given.value(name).cloned().unwrap_or_default()
}

fn save(house: &mut House, given: &Given, _start: Start) -> Result<Answer, Refusal> {
    let new = NewOutput {
        session: given.needed("session").to_owned(),
        skill: given.needed("skill").to_owned(),
        output: value(given, "output"),
        agent: owned(given, "agent"),
        group: owned(given, "group"),
    };
    Ok(Answer::facts(json!(skills::save(&mut house.recorder, new)?)))
}

fn wanted(given: &Given) -> Wanted {
    Wanted {
        session: given.needed("session").to_owned(),
        skill: given.needed("skill").to_owned(),
        agent: owned(given, "agent"),
        group: owned(given, "group"),
    }
}

fn latest(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let found = skills::latest(&store(house), &wanted(given))?;
    let facts = json!({"found": found.is_some()});
    let items = found.into_iter().map(|output| Ok(row(&json!(output)))).skip(start.item);
    Ok(Answer::with(facts, items))
}

fn all(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let found = skills::all(&store(house), &wanted(given))?;
    let facts = json!({"total": found.len()});
    Ok(Answer::with(facts, found.into_iter().skip(start.item).map(|output| Ok(row(&json!(output))))))
}

fn event(house: &mut House, given: &Given, _start: Start) -> Result<Answer, Refusal> {
    let new = NewEvent {
        session: given.needed("session").to_owned(),
        name: given.needed("name").to_owned(),
        payload: value(given, "payload"),
        group: owned(given, "group"),
        agent: owned(given, "agent"),
        key: owned(given, "key"),
    };
    Ok(Answer::facts(json!(events::save(&mut house.recorder, new)?)))
}
