//! `recount suspects S`: where to read first.

use ::investigate::suspects;
use serde_json::{Value, json};

use crate::args::{Global, Suspects};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Suspects, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let trace = shown::trace(&store, &args.session, &args.part)?;
    let found = suspects(&trace, args.most);
    let exit = if found.list.is_empty() { NO } else { 0 };
    if out.json {
        let rows: Vec<Value> = found
            .list
            .iter()
            .map(|suspect| {
                let mut row = shown::brief_json(suspect.event);
                row["reasons"] = suspect.reasons.iter().map(ToString::to_string).collect();
                row
            })
            .collect();
        let body =
            json!({"considered": found.considered, "words": ::investigate::WORDS_VERSION, "suspects": rows});
        out.document("recount.suspects/1", &shown::as_of(&trace), trace.complete, body)?;
        return Ok(exit);
    }
    let mut names = Names::new(&store);
    let mut table = Table::new(&["event", "agent", "kind", "what", "why listed"]);
    for suspect in &found.list {
        let mut row = shown::brief(suspect.event, &mut names);
        row.push(shown::reasons(&suspect.reasons).into());
        table.row(row);
    }
    out.table(&table)?;
    eprintln!("read in this order; {} of {} steps of agents", found.list.len(), found.considered);
    shown::warn(&trace);
    Ok(exit)
}
