//! `recount gaps S`: what is missing.

use ::investigate::gaps;
use serde_json::{Value, json};

use crate::args::{Gaps, Global};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Gaps, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let trace = shown::trace(&store, &args.session, &args.part)?;
    let found = gaps(&trace);
    let exit = if args.check && !found.is_empty() { NO } else { 0 };
    if out.json {
        let rows: Vec<Value> = found
            .iter()
            .map(|gap| {
                let mut row = shown::brief_json(gap.event);
                row["gap"] = gap.kind.to_string().into();
                row["missing"] = gap.what.clone().into();
                row["recorded"] = gap.recorded.into();
                row
            })
            .collect();
        out.document("recount.gaps/1", &shown::as_of(&trace), trace.complete, json!({"gaps": rows}))?;
        return Ok(exit);
    }
    let mut names = Names::new(&store);
    let mut table = Table::new(&["event", "agent", "kind", "what", "gap", "missing"]);
    for gap in &found {
        let mut row = shown::brief(gap.event, &mut names);
        row.push(gap.kind.to_string().into());
        row.push(format!("{}{}", gap.what, if gap.recorded { "" } else { " (inferred)" }).into());
        table.row(row);
    }
    out.table(&table)?;
    if found.is_empty() {
        eprintln!("nothing is missing");
    }
    shown::warn(&trace);
    Ok(exit)
}
