//! `recount save-event`, `get-events`, `log-interaction`, `stream-logs`, `log-tokens` and context packages.

use event::EventRef;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use orchestrate::events::{self, NewEvent, NewLog, NewTokens};
use orchestrate::packages::{self, Package};
use recorder::{Now, Options, Query, summary};
use serde_json::Value;

use crate::args::Global;
use crate::args::team::{
    ConsumePackage, GetEvents, GetPackages, LogInteraction, LogTokens, SaveEvent, SavePackage, StreamLogs,
};
use crate::commands::shown;
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::table::Table;
use crate::{input, place, team};

pub(crate) fn save(global: &Global, args: SaveEvent, out: &mut Output) -> Result<u8, Failure> {
    let payload = input::json("the payload", &args.content)?;
    let (session, name, group, agent) = (args.session, args.name, args.group, args.agent);
    let new = NewEvent { session, name, payload, group, agent, key: args.idempotency_key };
    let saved = team::record(global, &args.saving.known, |recorder| events::save(recorder, new))?;
    team::acknowledge(out, &args.saving, &saved, &saved)
}

pub(crate) fn get(global: &Global, args: &GetEvents, out: &mut Output) -> Result<u8, Failure> {
    let found = events::get(&place::store(global)?, &args.session, args.name.as_deref(), args.limit)?;
    team::array(out, &found)?;
    Ok(0)
}

pub(crate) fn log(global: &Global, args: LogInteraction, out: &mut Output) -> Result<u8, Failure> {
    let new = NewLog {
        session: args.session,
        agent: args.agent,
        agent_id: args.agent_id,
        group: args.group,
        attempt: args.iteration,
        text: input::text(&args.content)?,
    };
    let saved = team::record(global, &args.saving.known, |recorder| events::log(recorder, new))?;
    team::acknowledge(out, &args.saving, &saved, &saved)
}

pub(crate) fn logs(global: &Global, args: &StreamLogs, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    if let Some(words) = &args.search {
        return search(&store, &args.session, words, args.limit, out);
    }
    let logs = events::logs(&store, &args.session, args.limit, args.offset)?;
    if out.json {
        team::array(out, &logs)?;
    } else {
        out.text(&events::logs_markdown(&logs))?;
    }
    Ok(0)
}

/// Every kind of event of the session that has the words: prompts, too.
fn search(
    store: &recorder::Store,
    session: &str,
    words: &str,
    limit: usize,
    out: &mut Output,
) -> Result<u8, Failure> {
    let session = store.session(session)?;
    let now = Now { at: Timestamp::now(), zone: TimeZone::UTC };
    let query = Query::parse(&format!("session:\"{session}\" ({words})"), &now)
        .map_err(|error| Failure::usage(error.message).code("R0006"))?;
    let answer = store.search(&query, &Options { limit, ..Options::default() }, false)?;
    let mut table = Table::new(&["event", "time", "agent", "kind", "text"]);
    for hit in &answer.hits {
        let text = hit.snippet.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = if text.is_empty() { summary(&hit.event, 120).text } else { text };
        table.row(vec![
            hit.event.name().into(),
            shown::time(hit.event.time(), out.utc).into(),
            shown::actor(&hit.event).into(),
            hit.event.kind.as_str().into(),
            text.into(),
        ]);
    }
    out.table(&table)?;
    Ok(if answer.total == 0 { NO } else { 0 })
}

pub(crate) fn log_tokens(global: &Global, args: LogTokens, out: &mut Output) -> Result<u8, Failure> {
    let (session, agent, agent_id, group, tokens) =
        (args.session, args.agent, args.agent_id, args.group, args.tokens);
    let new = NewTokens { session, agent, agent_id, group, tokens };
    let saved = team::record(global, &args.saving.known, |recorder| events::log_tokens(recorder, new))?;
    team::acknowledge(out, &args.saving, &saved, &saved)
}

pub(crate) fn save_package(global: &Global, args: SavePackage, out: &mut Output) -> Result<u8, Failure> {
    let consumers = if args.consumers.trim_start().starts_with('[') {
        strings(&input::parse("the list of consumers", &args.consumers)?)
    } else {
        args.consumers.split(',').map(|name| name.trim().to_owned()).collect()
    };
    let bytes = std::fs::metadata(&args.path).ok().map(|meta| meta.len());
    let (kind, path, producer) = (args.kind, args.path, args.producer);
    let (priority, summary) = (args.priority, args.summary);
    let package = Package { kind, path, producer, consumers, priority, summary, bytes };
    let saved = team::record(global, &args.saving.known, |recorder| {
        packages::save(recorder, &args.session, &args.group, package)
    })?;
    team::acknowledge(out, &args.saving, &saved, &saved)
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

pub(crate) fn packages(global: &Global, args: &GetPackages, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let found =
        packages::get(&store, &args.session, &args.group, &args.agent, args.limit, args.include_consumed)?;
    team::array(out, &found)?;
    Ok(0)
}

/// Exit 1 when the agent is none of its consumers, or has taken it in before.
pub(crate) fn consume(global: &Global, args: &ConsumePackage, out: &mut Output) -> Result<u8, Failure> {
    let package = EventRef::parse(&args.package)?;
    let consumed = team::record(global, &args.saving.known, |recorder| {
        let session = recorder.store().session(&package.session)?;
        packages::consume(recorder, &session, package.seq, &args.agent, args.iteration)
    })?;
    if let Some(saved) = consumed {
        team::acknowledge(out, &args.saving, &saved, &saved)
    } else {
        eprintln!(
            "{} is none of its consumers, or has taken it in before",
            crate::harmless::harmless(&crate::unsaid::unsaid(&args.agent))
        );
        Ok(NO)
    }
}
