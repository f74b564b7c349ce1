//! Looking: search, one event, a session in order, the sessions.

use event::{Event, EventRef};
use recorder::{Now, Options, Query, Store, TimelineRow, harmless_text, summary};
use serde_json::{Value, json};

use super::Tool;
use crate::arguments::{Form, Given, may, need};
use crate::error::Refusal;
use crate::page::{Answer, Start, as_of, row};
use crate::serve::House;

/// Hits that are fetched at once.
const HITS: usize = 200;
/// Characters of an event in a list.
const SUMMARY_CHARS: usize = 300;

pub(super) const SEARCH: Tool = Tool {
    name: "search",
    about: "Search everything that was recorded: words, \"phrases\", -not, prefix*, and fields such as session:S group:G agent:A kind:K phase:P skill:T is:error since:2h.",
    arguments: &[need("query", Form::Text, "What to look for, e.g. session:s1 \"token expired\" -is:error")],
    writes: false,
    pages: true,
    run: search,
};

pub(super) const SHOW: Tool = Tool {
    name: "show",
    about: "Show one event whole: its header, and every part of what was recorded, however long.",
    arguments: &[need("event", Form::Text, "The event as session/sequence, e.g. s1/17")],
    writes: false,
    pages: true,
    run: show,
};

pub(super) const TIMELINE: Tool = Tool {
    name: "timeline",
    about: "Tell a session in order, one line an event: who thought, did, said and handed over what.",
    arguments: &[
        need("session", Form::Text, "The session"),
        may("group", Form::Text, "Only this group"),
        may("agent", Form::Text, "Only this agent, by role or id"),
    ],
    writes: false,
    pages: true,
    run: timeline,
};

pub(super) const SESSIONS: Tool = Tool {
    name: "sessions",
    about: "List the sessions that were recorded, the latest first, with their titles, agents and counts.",
    arguments: &[],
    writes: false,
    pages: true,
    run: sessions,
};

/// The store that is recorded to.
pub(super) fn store(house: &House) -> Store {
    house.recorder.store()
}

fn search(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let store = store(house);
    let now = Now::utc(store.journal().world().clock.now());
    let text = given.needed("query");
    let query = Query::parse(text, &now).map_err(|error| {
        let hint =
            error.hint.clone().unwrap_or_else(|| "quote a phrase, or put the word in \"…\"".to_owned());
        Refusal::new(format!("{}\n{}", error.message, error.caret(text)), hint)
    })?;
    let options = Options { limit: start.item + HITS, ..Options::default() };
    let found = store.search(&query, &options, false)?;
    let facts = json!({"total": found.total, "as_of": found.as_of, "complete": found.complete});
    let more = found.total > found.hits.len() as u64;
    let rows = found.hits.into_iter().skip(start.item).map(|hit| {
        let snippet = &hit.snippet;
        let cut = |cut: bool| if cut { "…" } else { "" };
        let text = format!("{}{}{}", cut(snippet.cut_before), snippet.text, cut(snippet.cut_after));
        Ok(row(&about(&hit.event, &text)))
    });
    Ok(Answer { more, ..Answer::with(facts, rows) })
}

/// An event in a list.
fn about(event: &Event, text: &str) -> Value {
    let mut value =
        json!({"event": event.name(), "time": event.time(), "kind": event.kind.as_str(), "text": text});
    for name in ["agent", "agent_id", "group", "phase"] {
        if let Some(field) = event.text(name) {
            value[name] = field.into();
        }
    }
    value
}

fn show(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let store = store(house);
    let reference = EventRef::parse(given.needed("event"))
        .map_err(|error| Refusal::new(error.to_string(), "hits and timelines name events so"))?;
    let (event, _) = store.event(&reference)?;
    let facts = json!({"event": event.name(), "hash": event.hash, "kind": event.kind.as_str(), "erased": event.erased});
    let event = bazinga::whole(store.journal(), event)
        .map_err(|error| Refusal::new(error.to_string(), "`recount verify` says more"))?;
    let header = json!({"recorded": event.ts, "header": event.header});
    let members = event.data.into_map().into_iter().map(|(name, value)| {
        let text = match value {
            Value::String(text) => text,
            other => serde_json::to_string_pretty(&other).unwrap_or_default(),
        };
        Ok(format!("{name}:\n{}", harmless_text(&text)))
    });
    Ok(Answer::with(facts, std::iter::once(Ok(row(&header))).chain(members).skip(start.item)))
}

fn timeline(house: &mut House, given: &Given, start: Start) -> Result<Answer, Refusal> {
    let store = store(house);
    let session = store.session(given.needed("session"))?;
    let told = store.listing(&session)?;
    let facts = json!({"as_of": as_of(told.rows.len()), "complete": told.is_complete()});
    let (group, agent) = (given.text("group").map(str::to_owned), given.text("agent").map(str::to_owned));
    let wanted = move |row: &TimelineRow| {
        group.as_deref().is_none_or(|group| row.step.group() == Some(group))
            && agent.as_deref().is_none_or(|agent| row.step.is_of(agent))
    };
    let mut fetcher = store.fetcher();
    let rows = told.rows.into_iter().filter(wanted).skip(start.item).map(move |told| {
        match fetcher.event(&told.session, &told.step.pointer) {
            Ok(event) => {
                let summary = summary(&event, SUMMARY_CHARS);
                let mut value = about(&event, &summary.text);
                value["label"] = summary.label.into();
                Ok(row(&value))
            }
            Err(journal::JournalError::Damaged(_)) => {
                Ok(row(&json!({"event": format!("{}/{}", told.session, told.step.seq()), "damaged": true})))
            }
            Err(error) => Err(error.into()),
        }
    });
    Ok(Answer::with(facts, rows))
}

fn sessions(house: &mut House, _given: &Given, start: Start) -> Result<Answer, Refusal> {
    let sessions = store(house).sessions(usize::MAX)?;
    let facts = json!({"total": sessions.rows.len(), "as_of": sessions.as_of, "complete": sessions.complete});
    let rows = sessions.rows.into_iter().rev().skip(start.item).map(|found| {
        let status = found.status().to_owned();
        Ok(row(&json!({
            "session": found.original_id.as_ref().unwrap_or(&found.view.session), "status": status,
            "title": found.title, "first_at": found.first_at, "last_at": found.last_at,
            "events": found.view.events, "errors": found.view.errors, "agents": found.view.agents,
            "groups": found.view.groups,
        })))
    });
    Ok(Answer::with(facts, rows))
}
