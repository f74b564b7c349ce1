//! `recount search QUERY`

mod scope;

use std::time::Duration;

use ::investigate::permalink;
use event::Event;
use recorder::{Answer, Hit, Now, Options, Query, Sort, Store, summary};
use serde_json::{Value, json};

use crate::args::{self, Global, Search, SearchScope};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NO, REFUSED};
use crate::harmless::harmless;
use crate::output::Output;
use crate::place;
use crate::table::{Cell, Table};
use scope::Around;

pub(crate) fn run(global: &Global, args: &Search, out: &mut Output) -> Result<u8, Failure> {
    let now = shown::now(out);
    if args.saved {
        return list_saved(out);
    }
    if let Some(name) = &args.save {
        return save(global, name, &args.query.join(" "), &now);
    }
    let store = match place::store(global) {
        Ok(store) => store,
        // how a query is understood takes no store, as long as it names nothing in one
        Err(_) if args.explain => return explain(&shown::parsed(&args.query.join(" "), &now)?, out),
        Err(failure) => return Err(failure),
    };
    let query = query(&store, args, &now)?;
    let sort = args.sort.map(|sort| match sort {
        args::Sort::Relevance => Sort::Relevance,
        args::Sort::Newest => Sort::Newest,
        args::Sort::Oldest => Sort::Oldest,
    });
    let options = Options { limit: args.limit, sort, context: args.context as u64 };
    let budget = budget(args.budget)?;
    let ask = |query: &Query| store.search_within(query, &options, args.no_index, Some(budget));
    let (scope, answer) = match &args.of {
        Some(of) => {
            let around = Around::of(&store, of, &now)?;
            let scopes = scope::each(args.scope.unwrap_or(SearchScope::Session));
            if args.explain {
                let last = scopes.last().copied().unwrap_or(SearchScope::All);
                return explain(&query.and(around.query(last)?), out);
            }
            let (scope, answer) = around.first(scopes, |filter| Ok(ask(&query.clone().and(filter))?))?;
            (Some(scope), answer)
        }
        None if args.explain => return explain(&query, out),
        None => (None, ask(&query)?),
    };
    let exit = if answer.total == 0 { NO } else { 0 };
    if out.json {
        let hits: Vec<Value> = answer.hits.iter().map(hit_json).collect();
        let as_of = json!(answer.as_of);
        let mut body = json!({"total": answer.total, "hits": hits});
        if let Some(scope) = scope {
            body["scope"] = scope::name(scope).into();
        }
        out.document("recount.search/1", &as_of, answer.complete, body)?;
        return Ok(exit);
    }
    print(&answer, &mut Names::new(&store), out)?;
    if let Some(scope) = scope {
        eprintln!("{}", scope::said(scope, answer.total));
    }
    Ok(exit)
}

fn explain(query: &Query, out: &mut Output) -> Result<u8, Failure> {
    out.text(&harmless_text(&query.explain()))?;
    Ok(0)
}

fn budget(seconds: f64) -> Result<Duration, Failure> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        Failure::usage("--budget takes a number of seconds").hint("--budget 2.5 stops after two and a half")
    })
}

fn harmless_text(text: &str) -> String {
    text.lines().map(|line| harmless(line) + "\n").collect()
}

fn list_saved(out: &mut Output) -> Result<u8, Failure> {
    let all = place::searches()?;
    if out.json {
        out.document("recount.saved/1", &json!({"saved": all.len()}), true, json!({"saved": all}))?;
        return Ok(0);
    }
    let mut table = Table::new(&["name", "query"]);
    for (name, query) in &all {
        table.row(vec![format!("@{name}").into(), query.into()]);
    }
    out.table(&table)?;
    Ok(0)
}

fn save(global: &Global, name: &str, text: &str, now: &Now) -> Result<u8, Failure> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(fits) {
        return Err(Failure::usage(format!("{name:?} cannot be the name of a search"))
            .hint("a name has letters, digits, - and _"));
    }
    shown::parsed(text, now)?;
    // no recorded text holds a secret, so a search for one finds nothing, and would only keep it here
    let kinds = [place::secrets_in(global, name)?, place::secrets_in(global, text)?].concat().join(", ");
    if !kinds.is_empty() {
        let message = format!("the query holds a secret ({kinds}): it is not saved");
        return Err(Failure::new(REFUSED, message)
            .hint("no recorded text holds it; redacted:KIND finds where one like it was taken out"));
    }
    place::save_search(name, text)?;
    eprintln!("saved; `recount search @{name}` asks it");
    Ok(0)
}

/// The query and what the flags add to it.
fn query(store: &Store, args: &Search, now: &Now) -> Result<Query, Failure> {
    let text = args.query.join(" ");
    let mut query = shown::query(store, &text, now)?;
    for (field, flag, time) in [("since", "--since", &args.since), ("until", "--until", &args.until)] {
        let Some(time) = time else { continue };
        let filter = format!("{field}:\"{time}\"");
        let filter = shown::query(store, &filter, now).map_err(|_| {
            Failure::usage(format!("{flag} {time:?} is not a time"))
                .code("R0006")
                .hint("times are 2h, 3d, yesterday, \"last night\", 2026-11-27, RFC 3339 or @session/17")
        })?;
        query = query.and(filter);
    }
    if let Some(at) = &args.at {
        query = query.and(shown::until(store, at, now)?);
    }
    Ok(query)
}

fn print(answer: &Answer, names: &mut Names<'_>, out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&["event", "time", "agent", "kind", "text"]);
    for (hit, below) in grouped(&answer.hits) {
        hit.before.iter().for_each(|event| table.row(neighbour(event, names, out.utc)));
        let mut row = facts(&hit.event, names, out.utc);
        if let Some(parent) = below {
            row[2] = format!("{parent} ↳ {}", shown::actor(&hit.event)).into();
        }
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
    if answer.cut {
        eprintln!(
            "warning: time was up before everything was looked at; --budget gives more, a filter needs less"
        );
    } else if !answer.complete {
        eprintln!("warning: damaged lines were passed over; `recount verify` shows them");
    }
    Ok(())
}

/// Hits of subagents behind the first hit of the agent that they work for, where there is one in the
/// session; `Some` names that agent.
fn grouped(hits: &[Hit]) -> Vec<(&Hit, Option<&str>)> {
    let parent = |hit: &Hit| hit.event.text("parent_agent").map(str::to_owned);
    let is_it = |hit: &Hit, name: &str| {
        hit.event.text("agent") == Some(name) || hit.event.text("agent_id") == Some(name)
    };
    let head = |hit: &Hit| {
        let parent = parent(hit)?;
        hits.iter().position(|other| other.event.session == hit.event.session && is_it(other, &parent))
    };
    let mut order: Vec<(usize, usize)> =
        hits.iter().enumerate().map(|(at, hit)| (head(hit).unwrap_or(at), at)).collect();
    order.sort_by_key(|(head, at)| (*head, *at != *head, *at));
    order.into_iter().map(|(_, at)| (&hits[at], hits[at].event.text("parent_agent"))).collect()
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

pub(crate) fn hit_json(hit: &Hit) -> Value {
    json!({
        "event": hit.event.name(),
        "link": permalink(&hit.event),
        "hash": hit.event.hash,
        "time": hit.event.time(),
        "kind": hit.event.kind.as_str(),
        "agent": hit.event.text("agent"),
        "agent_id": hit.event.text("agent_id"),
        "parent_agent": hit.event.text("parent_agent"),
        "group": hit.event.text("group"),
        "score": hit.score,
        "snippet": hit.snippet,
        "before": hit.before.iter().map(Event::name).collect::<Vec<_>>(),
        "after": hit.after.iter().map(Event::name).collect::<Vec<_>>(),
    })
}
