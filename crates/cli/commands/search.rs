//! `recount search QUERY`

use ::investigate::permalink;
use event::Event;
use recorder::{Answer, Hit, Now, Options, Query, Sort, summary};
use serde_json::{Value, json};

use crate::args::{self, Global, Search};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::place;
use crate::table::{Cell, Table};

pub(crate) fn run(global: &Global, args: &Search, out: &mut Output) -> Result<u8, Failure> {
    let now = shown::now(out);
    let query = query(args, &now)?;
    if args.explain {
        out.text(&query.explain())?;
        return Ok(0);
    }
    let sort = args.sort.map(|sort| match sort {
        args::Sort::Relevance => Sort::Relevance,
        args::Sort::Newest => Sort::Newest,
        args::Sort::Oldest => Sort::Oldest,
    });
    let options = Options { limit: args.limit, sort, context: args.context as u64 };
    let store = place::store(global)?;
    let answer = store.search(&query, &options, args.no_index)?;
    let exit = if answer.total == 0 { NO } else { 0 };
    if out.json {
        let hits: Vec<Value> = answer.hits.iter().map(hit_json).collect();
        let as_of = json!(answer.as_of);
        out.document(
            "recount.search/1",
            &as_of,
            answer.complete,
            json!({"total": answer.total, "hits": hits}),
        )?;
        return Ok(exit);
    }
    print(&answer, &mut Names::new(&store), out)?;
    Ok(exit)
}

/// The query and what the flags add to it.
fn query(args: &Search, now: &Now) -> Result<Query, Failure> {
    let text = args.query.join(" ");
    let mut query = shown::query(&text, now)?;
    for (field, flag, time) in [("since", "--since", &args.since), ("until", "--until", &args.until)] {
        let Some(time) = time else { continue };
        let filter = Query::parse(&format!("{field}:\"{time}\""), now);
        let filter = filter.map_err(|_| {
            Failure::usage(format!("{flag} {time:?} is not a time"))
                .code("R0006")
                .hint("times are 2h, 3d, yesterday, 2026-11-27 or RFC 3339")
        })?;
        query = query.and(filter);
    }
    Ok(query)
}

fn print(answer: &Answer, names: &mut Names<'_>, out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&["event", "time", "agent", "kind", "text"]);
    for hit in &answer.hits {
        hit.before.iter().for_each(|event| table.row(neighbour(event, names, out.utc)));
        let mut row = facts(&hit.event, names, out.utc);
        row.push(snippet(hit));
        table.row(row);
        hit.after.iter().for_each(|event| table.row(neighbour(event, names, out.utc)));
    }
    out.table(&table)?;
    out.flush()?;
    let shown = answer.hits.len() as u64;
    match answer.total {
        0 => {
            eprintln!(
                "nothing found in {} events of {} sessions",
                answer.as_of.events, answer.as_of.sessions
            );
        }
        total if total > shown => eprintln!("{shown} of {total} hits; -n shows more"),
        _ => {}
    }
    if !answer.complete {
        eprintln!("warning: damaged lines were passed over; `recount verify` shows them");
    }
    Ok(())
}

fn facts(event: &Event, names: &mut Names<'_>, utc: bool) -> Vec<Cell> {
    vec![
        Cell::linked(&names.event(&event.session, event.seq), &permalink(event)),
        shown::time(event.time(), utc).into(),
        shown::actor(event).into(),
        event.kind.as_str().into(),
    ]
}

fn neighbour(event: &Event, names: &mut Names<'_>, utc: bool) -> Vec<Cell> {
    let mut row = facts(event, names, utc);
    row.push(format!("  {}", summary(event, 120).text).into());
    row
}

/// The snippet with what was looked for marked.
fn snippet(hit: &Hit) -> Cell {
    let snippet = &hit.snippet;
    let mut pieces = Vec::new();
    let mut at = 0;
    if snippet.cut_before {
        pieces.push(("…".to_owned(), false));
    }
    for mark in &snippet.marks {
        pieces.push((snippet.text[at..mark.start].to_owned(), false));
        pieces.push((snippet.text[mark.clone()].to_owned(), true));
        at = mark.end;
    }
    pieces.push((snippet.text[at..].to_owned(), false));
    if snippet.cut_after {
        pieces.push(("…".to_owned(), false));
    }
    Cell::pieces(&pieces)
}

fn hit_json(hit: &Hit) -> Value {
    json!({
        "event": hit.event.name(),
        "hash": hit.event.hash,
        "time": hit.event.time(),
        "kind": hit.event.kind.as_str(),
        "agent": hit.event.text("agent"),
        "agent_id": hit.event.text("agent_id"),
        "group": hit.event.text("group"),
        "score": hit.score,
        "snippet": hit.snippet,
        "before": hit.before.iter().map(Event::name).collect::<Vec<_>>(),
        "after": hit.after.iter().map(Event::name).collect::<Vec<_>>(),
    })
}
