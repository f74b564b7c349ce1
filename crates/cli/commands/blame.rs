//! `recount blame VALUE`: where a value came in, who passed it on, and whether there was evidence.

use ::investigate::{Ground, blame};
use event::EventRef;
use serde_json::{Value, json};

use crate::args::{Blame, Global};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Blame, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let only = match (&args.at, &args.session) {
        (Some(at), _) => {
            let (event, _) = store.event(&EventRef::parse(at)?)?;
            Some((event.session.clone(), Some(event.seq)))
        }
        (None, Some(name)) => Some((store.session(name)?, None)),
        (None, None) => None,
    };
    let only = only.as_ref().map(|(session, upto)| (session, *upto));
    let found = blame(&store, &args.value, only, &shown::now(out))?;
    let exit = if found.sightings.is_empty() { NO } else { 0 };
    if out.json {
        let rows: Vec<Value> = found
            .sightings
            .iter()
            .map(|sighting| {
                let mut row = shown::brief_json(&sighting.event);
                row["ground"] = word(sighting.ground).into();
                row
            })
            .collect();
        let body = json!({"value": args.value, "total": found.total, "sightings": rows});
        out.document("recount.blame/1", &json!({"events": found.total}), found.complete, body)?;
        return Ok(exit);
    }
    let mut names = Names::new(&store);
    let mut table = Table::new(&["event", "agent", "kind", "what", "why listed"]);
    let mut session = None;
    for sighting in &found.sightings {
        let first = session.replace(&sighting.event.session) != Some(&sighting.event.session);
        let mut row = shown::brief(&sighting.event, &mut names);
        row.push(reason(sighting.ground, first).into());
        table.row(row);
    }
    out.table(&table)?;
    match found.total {
        0 => eprintln!("it stands nowhere"),
        total => eprintln!("{} first sightings in {total} events that hold it", found.sightings.len()),
    }
    if !found.complete {
        eprintln!("warning: not everything was looked at; --session or --at narrows it down");
    }
    Ok(exit)
}

fn word(ground: Ground) -> &'static str {
    match ground {
        Ground::Given => "given",
        Ground::Ungrounded => "ungrounded",
        Ground::PassedOn => "passed on",
    }
}

fn reason(ground: Ground, first: bool) -> &'static str {
    match (ground, first) {
        (Ground::Given, true) => "first here · given from outside",
        (Ground::Given, false) => "given to this agent",
        (Ground::Ungrounded, _) => "first here · UNGROUNDED: nothing recorded before holds it",
        (Ground::PassedOn, _) => "passed on: this agent's first",
    }
}
