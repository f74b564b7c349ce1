//! `recount diff S1 S2`: where two attempts went different ways.

use ::investigate::{Diff as Found, Divergence, Only, diff};
use event::Event;
use serde_json::{Value, json};

use crate::args::{Diff, Global};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NO};
use crate::harmless::harmless;
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Diff, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let at = shown::moment(&store, args.at.as_deref())?;
    let read = |name: &str| shown::trace_at(&store, name, args.group.as_deref(), at.as_ref());
    let (left, right) = (read(&args.left)?, read(&args.right)?);
    let found = diff(&left, &right);
    let exit = if args.fail_on_divergence && !found.divergences.is_empty() { NO } else { 0 };
    if out.json {
        let rows: Vec<Value> = found.divergences.iter().map(divergence_json).collect();
        let sets = [("changed", &found.changed), ("read", &found.read), ("errors", &found.errors)];
        let only: serde_json::Map<String, Value> = sets
            .iter()
            .map(|(name, only)| ((*name).to_owned(), json!({"left": only.left, "right": only.right})))
            .collect();
        let as_of = json!({"left": shown::as_of(&left), "right": shown::as_of(&right)});
        let body = json!({"divergences": rows, "only": only});
        out.document("recount.diff/1", &as_of, left.complete && right.complete, body)?;
        return Ok(exit);
    }
    print(&found, &mut Names::new(&store), out)?;
    shown::warn(&left);
    shown::warn(&right);
    Ok(exit)
}

fn print(found: &Found<'_>, names: &mut Names<'_>, out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&["event", "agent", "kind", "what", "why listed"]);
    for (number, divergence) in found.divergences.iter().enumerate() {
        let first = if number == 0 { "FIRST DIVERGENCE" } else { "divergence" };
        let why =
            format!("{first} of {} after {} alike{}", divergence.role, divergence.alike, meets(divergence));
        add(&mut table, divergence.left, &format!("left: {why}"), names);
        add(&mut table, divergence.right, "right: instead", names);
    }
    out.table(&table)?;
    for (what, only) in [("changed", &found.changed), ("read", &found.read), ("errors", &found.errors)] {
        sets(what, only, out)?;
    }
    if found.divergences.is_empty() {
        eprintln!("no act differs");
    }
    Ok(())
}

fn meets(divergence: &Divergence<'_>) -> String {
    divergence.rejoins.map_or(", never alike again".to_owned(), |on| format!(", alike again {on} further on"))
}

fn add(table: &mut Table, event: Option<&Event>, why: &str, names: &mut Names<'_>) {
    let mut row = match event {
        Some(event) => shown::brief(event, names),
        None => vec!["-".into(), "-".into(), "-".into(), "(nothing more)".into()],
    };
    row.push(why.into());
    table.row(row);
}

fn sets(what: &str, only: &Only, out: &mut Output) -> Result<(), Failure> {
    for (side, set) in [("left", &only.left), ("right", &only.right)] {
        if !set.is_empty() {
            let list: Vec<&str> = set.iter().map(String::as_str).collect();
            out.line(&harmless(&format!("{what} only {side}: {}", list.join(", "))))?;
        }
    }
    Ok(())
}

fn divergence_json(divergence: &Divergence<'_>) -> Value {
    json!({
        "role": divergence.role,
        "alike": divergence.alike,
        "rejoins": divergence.rejoins,
        "left": divergence.left.map(shown::brief_json),
        "right": divergence.right.map(shown::brief_json),
    })
}
