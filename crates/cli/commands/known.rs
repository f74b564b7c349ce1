//! `recount known AGENT --at S/123`: what an agent knew then, and what did not reach it.

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;

use ::investigate::{Item, Known as Found, Source, Trace, act, by_side, known};
use event::EventRef;
use serde_json::{Value, json};

use crate::args::{Global, Known};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NOT_FOUND};
use crate::harmless::{harmless, harmless_lines};
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Known, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let (event, _) = store.event(&EventRef::parse(&args.at)?)?;
    let trace = ManuallyDrop::new(Trace::read(&store, &event.session, Some(event.seq))?);
    // an id is asked for as such; a role by its instance that was at work then
    let found = known(&trace, &args.agent);
    if found.items.is_empty() && !trace.events.iter().any(|e| act::is_agent(e, &args.agent)) {
        return Err(nobody(&trace, &args.agent));
    }
    if args.as_prompt {
        for line in harmless_lines(&found.as_prompt(&args.agent, &event.name())) {
            out.line(&line)?;
        }
        return Ok(0);
    }
    if out.json {
        json(&found, &trace, args, out)?;
        return Ok(0);
    }
    print(&found, &mut Names::new(&store), out)?;
    shown::warn(&trace);
    Ok(0)
}

fn nobody(trace: &Trace, agent: &str) -> Failure {
    let mut there: Vec<&str> = trace.events.iter().map(act::role).filter(|role| !role.is_empty()).collect();
    there.sort_unstable();
    there.dedup();
    Failure::new(NOT_FOUND, format!("no agent {agent:?} in {} until then", trace.session))
        .hint(format!("agents until then: {}", there.join(", ")))
}

/// Tokens by source, of what was not dropped.
fn totals(found: &Found<'_>) -> BTreeMap<Source, (usize, usize)> {
    let mut totals = BTreeMap::new();
    let tokens = by_side(&found.items, &|_, item| if item.compacted { 0 } else { item.tokens() });
    for (item, more) in found.items.iter().zip(tokens).filter(|(item, _)| !item.compacted) {
        let (count, tokens): &mut (usize, usize) = totals.entry(item.source).or_default();
        *count += 1;
        *tokens += more;
    }
    totals
}

fn print(found: &Found<'_>, names: &mut Names<'_>, out: &mut Output) -> Result<(), Failure> {
    let totals: Vec<String> = totals(found)
        .iter()
        .map(|(source, (count, tokens))| format!("{source} {count} (about {tokens} tokens)"))
        .collect();
    let digest =
        if found.items.iter().any(|item| item.source == Source::Digest) { "" } else { " · no digest" };
    out.line(&format!("{}{digest}", totals.join(" · ")))?;
    let files: Vec<&str> = found.files.keys().map(String::as_str).collect();
    out.line(&harmless(&format!(
        "files read: {}",
        if files.is_empty() { "none".to_owned() } else { files.join(", ") }
    )))?;
    let mut table = Table::new(&["event", "agent", "kind", "what", "as"]);
    found.items.iter().for_each(|item| names.learn(&item.event.session));
    let row = |_, item: &Item<'_>| {
        let mut row = shown::brief_told(item.event, names);
        row.push(format!("{}{}", item.source, if item.compacted { " (dropped)" } else { "" }).into());
        (item.source != Source::Own).then_some(row)
    };
    by_side(&found.items, &row).into_iter().flatten().for_each(|row| table.row(row));
    for open in &found.open_calls {
        let mut row = shown::brief(open, names);
        row.push("not returned yet".into());
        table.row(row);
    }
    out.table(&table)?;
    let mut missing = Table::new(&["event", "agent", "kind", "what", "not seen because"]);
    for not_seen in &found.not_seen {
        let mut row = shown::brief(not_seen.event, names);
        row.push(format!("NOT SEEN: {}", not_seen.reason).into());
        missing.row(row);
    }
    out.table(&missing)
}

fn json(found: &Found<'_>, trace: &Trace, args: &Known, out: &mut Output) -> Result<(), Failure> {
    let with = |event, name: &str, value: Value| {
        let mut row = shown::brief_json(event);
        row[name] = value;
        row
    };
    let items: Vec<Value> = found
        .items
        .iter()
        .map(|item| {
            let mut row = with(item.event, "source", item.source.to_string().into());
            row["tokens"] = item.tokens().into();
            row["compacted"] = item.compacted.into();
            row
        })
        .collect();
    let not_seen: Vec<Value> =
        found.not_seen.iter().map(|n| with(n.event, "reason", n.reason.clone().into())).collect();
    let open: Vec<Value> = found.open_calls.iter().map(|event| shown::brief_json(event)).collect();
    let body = json!({
        "agent": args.agent, "known": items, "files": found.files, "not_seen": not_seen, "open_calls": open,
    });
    out.document("recount.known/1", &shown::as_of(trace), trace.complete, body)
}
