//! `recount save-reasoning`, `get-reasoning`, `reasoning-timeline`

use orchestrate::reasoning::{self, Entry, NewReasoning, Wanted};
use serde_json::{Value, json};

use crate::args::Global;
use crate::args::team::{GetReasoning, ReasoningFormat, ReasoningTimeline, SaveReasoning};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::{input, place, team};

pub(crate) fn save(global: &Global, args: SaveReasoning, out: &mut Output) -> Result<u8, Failure> {
    // a wrong word is told before standard input is waited for
    orchestrate::words::phase(&args.phase)?;
    args.confidence.as_deref().map_or(Ok(()), orchestrate::words::confidence)?;
    let new = NewReasoning {
        session: args.session,
        group: Some(args.group),
        agent: args.agent,
        agent_id: args.agent_id,
        phase: args.phase,
        attempt: args.iteration,
        confidence: args.confidence,
        references: args.references.as_deref().map_or_else(|| Ok(Vec::new()), references)?,
        text: input::text(&args.content)?,
    };
    let saved = team::record(global, &args.saving.known, |recorder| reasoning::save(recorder, new))?;
    team::acknowledge(out, &args.saving, &saved, &saved)
}

fn references(json: &str) -> Result<Vec<String>, Failure> {
    let wrong = || {
        Failure::usage("--references takes a JSON array of strings")
            .hint("e.g. --references '[\"src/auth.py\"]'")
    };
    let Value::Array(items) = input::parse("--references", json)? else { return Err(wrong()) };
    items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}

pub(crate) fn get(global: &Global, args: GetReasoning, out: &mut Output) -> Result<u8, Failure> {
    let wanted = Wanted {
        session: args.session,
        group: args.group.or(args.group_flag),
        agent: args.agent_type,
        agent_id: args.agent_id,
        phase: args.phase,
        limit: args.limit,
    };
    let entries = reasoning::get(&place::store(global)?, &wanted)?;
    print(&wanted.session, &entries, args.format, out)?;
    Ok(if args.check && entries.is_empty() { NO } else { 0 })
}

pub(crate) fn timeline(global: &Global, args: &ReasoningTimeline, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    if args.format == ReasoningFormat::Json && !out.json {
        let parts = reasoning::timeline_json(&store, &args.session, args.group.as_deref())?;
        parts.iter().try_for_each(|part| out.text(part))?;
        return Ok(0);
    }
    let entries = reasoning::timeline(&store, &args.session, args.group.as_deref())?;
    print(&args.session, &entries, args.format, out)?;
    Ok(0)
}

fn print(session: &str, entries: &[Entry], format: ReasoningFormat, out: &mut Output) -> Result<(), Failure> {
    if out.json {
        let as_of = json!({"session": session});
        return out.document("recount.reasoning/1", &as_of, true, json!({"entries": entries}));
    }
    match format {
        ReasoningFormat::Json => team::array(out, entries),
        ReasoningFormat::Markdown => out.text(&reasoning::markdown(entries)),
        ReasoningFormat::PromptSummary => out.text(&reasoning::summary(entries)),
    }
}
