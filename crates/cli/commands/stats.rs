//! `recount stats`, `stats flow`, `stats tokens S`

use jiff::Timestamp;
use orchestrate::{events, flow, handoff};
use serde_json::json;

use crate::args::Global;
use crate::args::team::{Stats, StatsCommand, TokenizerName};
use crate::commands::shown;
use crate::failure::Failure;
use crate::output::Output;
use crate::table::Table;
use crate::{place, team};

pub(crate) fn run(global: &Global, args: &Stats, out: &mut Output) -> Result<u8, Failure> {
    if args.at.is_some() && args.command.is_some() {
        return Err(Failure::usage("--at counts the whole store, without flow or tokens"));
    }
    match &args.command {
        None => store(global, args.at.as_deref(), out),
        Some(StatsCommand::Flow { session, since }) => {
            flow(global, session.as_deref(), since.as_deref(), out)
        }
        Some(StatsCommand::Tokens { session, tokenizer }) => tokens(global, session, *tokenizer, out),
    }
}

fn flow(
    global: &Global,
    session: Option<&str>,
    since: Option<&str>,
    out: &mut Output,
) -> Result<u8, Failure> {
    let since = since.map(instant).transpose()?;
    let flow = flow::flow(&place::store(global)?, session, since)?;
    if out.json {
        out.document("recount.flow/1", &json!({"session": session}), true, json!({"flow": flow}))?;
        return Ok(0);
    }
    let mut table = Table::new(&["what", "count"]);
    let seconds = |us: i64| format!("{} s", us / 1_000_000);
    let rows = [
        ("sessions with handoffs", flow.sessions.to_string()),
        ("groups", flow.groups.to_string()),
        ("handoffs", flow.handoffs.to_string()),
        ("reviews, ready to approved", flow.review.count.to_string()),
        ("review time p50", seconds(flow.review.p50_us)),
        ("review time p90", seconds(flow.review.p90_us)),
        ("groups waiting for review", flow.waiting_for_review.to_string()),
        ("sent back by QA or review", flow.sent_back.to_string()),
        ("groups investigated", flow.investigated_groups.to_string()),
        ("investigator iterations", flow.investigator_iterations.to_string()),
        ("escalations", flow.escalations.to_string()),
        ("context lost", flow.context_lost.to_string()),
    ];
    for (what, count) in rows {
        table.row(vec![what.into(), count.into()]);
    }
    out.table(&table)?;
    Ok(0)
}

/// Microseconds since 1970 of `30d`, `12h`, a day (in UTC), or RFC 3339.
fn instant(text: &str) -> Result<i64, Failure> {
    let wrong = || {
        Failure::usage(format!("--since {text:?} is not a time"))
            .code("R0006")
            .hint("times are 12h, 30d, 2026-11-27 or RFC 3339")
    };
    let now = Timestamp::now().as_microsecond();
    let unit = |end: char| match end {
        'm' => Some(60),
        'h' => Some(3600),
        'd' => Some(86_400),
        'w' => Some(604_800),
        _ => None,
    };
    if let Some((number, end)) = text.char_indices().last().map(|(at, end)| (&text[..at], end))
        && let (Ok(number), Some(seconds)) = (number.parse::<u32>(), unit(end))
    {
        return Ok(now - i64::from(number) * seconds * 1_000_000);
    }
    let day = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    let instant = day.parse::<Timestamp>().map_err(|_| wrong())?;
    Ok(instant.as_microsecond())
}

fn tokens(global: &Global, session: &str, tokenizer: TokenizerName, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let tokenizer = team::tokenizer(tokenizer);
    let used = events::tokens(&store, session, false)?;
    let costs = handoff::costs(&handoff::get(&store, session, None)?, tokenizer);
    if out.json {
        let body = json!({"tokenizer": tokenizer.name(), "reported": used, "handoffs": costs});
        out.document("recount.tokens/1", &json!({"session": session}), true, body)?;
        return Ok(0);
    }
    let mut table = Table::new(&["group", "agent", "handoffs", "returned", "whole", "saved"]);
    for cost in &costs {
        table.row(vec![
            cost.group.as_str().into(),
            cost.from.as_str().into(),
            cost.handoffs.to_string().into(),
            cost.return_tokens.to_string().into(),
            cost.whole_tokens.to_string().into(),
            cost.whole_tokens.saturating_sub(cost.return_tokens).to_string().into(),
        ]);
    }
    for (agent, tokens) in &used.by {
        table.row(vec![
            "reported".into(),
            agent.as_str().into(),
            "".into(),
            "".into(),
            tokens.to_string().into(),
            "".into(),
        ]);
    }
    out.table(&table)?;
    eprintln!("tokens of handoffs as {} counts them; reported ones as their callers did", tokenizer.name());
    Ok(0)
}

fn store(global: &Global, at: Option<&str>, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let stats = store.stats(shown::moment(&store, at)?.as_ref())?;
    if out.json {
        let as_of = json!({"sessions": stats.sessions, "events": stats.events});
        let complete = stats.damaged == 0;
        let body = json!({
            "bytes": stats.bytes, "kinds": stats.kinds, "agents": stats.agents,
            "redacted": stats.redacted, "phases": stats.phases, "thinking": stats.forms,
        });
        out.document("recount.stats/1", &as_of, complete, body)?;
        return Ok(0);
    }
    let mut table = Table::new(&["what", "of", "count"]);
    let mut row =
        |what: &str, of: &str, count: u64| table.row(vec![what.into(), of.into(), count.to_string().into()]);
    row("sessions", "", stats.sessions);
    row("events", "", stats.events);
    row("bytes", "journal", stats.bytes);
    for (what, counts) in [
        ("kind", &stats.kinds),
        ("agent", &stats.agents),
        ("phase", &stats.phases),
        ("thinking", &stats.forms),
        ("redacted", &stats.redacted),
    ] {
        for (of, count) in counts {
            row(what, of, *count);
        }
    }
    out.table(&table)?;
    if stats.damaged > 0 {
        eprintln!("warning: {} damaged lines were passed over; `recount verify` shows them", stats.damaged);
    }
    Ok(0)
}
