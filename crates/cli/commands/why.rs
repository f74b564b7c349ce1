//! `recount why S/123`: what led there, recorded and inferred edges told apart.

use std::mem::ManuallyDrop;

use ::investigate::{Trace, why};
use event::EventRef;
use serde_json::{Value, json};

use crate::args::{Global, Why};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Why, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let (event, _) = store.event(&EventRef::parse(&args.event)?)?;
    let trace = ManuallyDrop::new(Trace::read(&store, &event.session, Some(event.seq))?);
    let edges = why(&trace, event.seq, args.depth).unwrap_or_default();
    if out.json {
        let rows: Vec<Value> = edges
            .iter()
            .map(|edge| {
                let mut row = shown::brief_json(edge.from);
                row["leads_to"] = edge.to.name().into();
                row["how"] = edge.how.to_string().into();
                row["recorded"] = edge.recorded.into();
                row["depth"] = edge.depth.into();
                row
            })
            .collect();
        let body = json!({"of": shown::brief_json(&event), "edges": rows});
        out.document("recount.why/1", &shown::as_of(&trace), trace.complete, body)?;
        return Ok(if edges.is_empty() { NO } else { 0 });
    }
    let mut names = Names::new(&store);
    let mut table = Table::new(&["event", "agent", "kind", "what", "leads to", "because it"]);
    for edge in &edges {
        let mut row = shown::brief(edge.from, &mut names);
        let arrow = if edge.recorded { "──▶" } else { "╌╌▶" };
        row.push(format!("{arrow} /{}", edge.to.seq).into());
        row.push(format!("{}{}", edge.how, if edge.recorded { "" } else { " (inferred)" }).into());
        table.row(row);
    }
    out.table(&table)?;
    if edges.is_empty() {
        eprintln!("nothing recorded leads to {}", event.name());
    }
    shown::warn(&trace);
    Ok(if edges.is_empty() { NO } else { 0 })
}
