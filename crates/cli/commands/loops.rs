//! `recount loops S`: the same again and again, with no change in between.

use ::investigate::{Loop, loops};
use serde_json::{Value, json};

use crate::args::{Global, Loops};
use crate::commands::shown::{self, Names};
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Loops, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let trace = shown::trace(&store, &args.session, &args.part)?;
    let found = loops(&trace);
    if out.json {
        let rows: Vec<Value> = found
            .iter()
            .map(|l| Value::from(l.events.iter().map(|event| shown::brief_json(event)).collect::<Vec<_>>()))
            .collect();
        out.document("recount.loops/1", &shown::as_of(&trace), trace.complete, json!({"loops": rows}))?;
        return Ok(0);
    }
    let mut names = Names::new(&store);
    let mut table = Table::new(&["event", "agent", "kind", "what", "why listed"]);
    for l in &found {
        for (number, event) in l.events.iter().enumerate() {
            let mut row = shown::brief(event, &mut names);
            row.push(format!("{} of {} times, {}", number + 1, l.events.len(), outcome(l)).into());
            table.row(row);
        }
    }
    out.table(&table)?;
    if found.is_empty() {
        eprintln!("nothing was repeated three times without a change in between");
    }
    shown::warn(&trace);
    Ok(0)
}

fn outcome(found: &Loop<'_>) -> String {
    let between = "nothing changed in between";
    match found.failed {
        0 => between.to_owned(),
        all if all == found.events.len() => format!("{between}, failed each time"),
        some => format!("{between}, {some} failed"),
    }
}
