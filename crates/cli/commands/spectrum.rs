//! `recount spectrum --fail S1,S2 --pass S3,S4`: which acts go with failure.

use ::investigate::{Trace, spectrum};
use serde_json::{Value, json};

use crate::args::{Global, Spectrum};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NO, REFUSED};
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Spectrum, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let at = shown::moment(&store, args.at.as_deref())?;
    let one = |name: &String| shown::trace_at(&store, name, args.group.as_deref(), at.as_ref());
    let read = |names: &[String]| names.iter().map(one).collect::<Result<Vec<Trace>, _>>();
    let (failing, passing) = (read(&args.fail)?, read(&args.pass)?);
    let Some(mut ranked) = spectrum(&failing, &passing) else {
        let message = format!("{} failing and {} passing attempts say nothing", failing.len(), passing.len());
        return Err(
            Failure::new(REFUSED, message).hint("give at least two sessions to --fail and two to --pass")
        );
    };
    ranked.truncate(args.most);
    let exit = if ranked.is_empty() { NO } else { 0 };
    let complete = failing.iter().chain(&passing).all(|trace| trace.complete);
    if out.json {
        let rows: Vec<Value> = ranked
            .iter()
            .map(|spread| {
                let mut row = shown::brief_json(spread.event);
                row["in_failing"] = spread.in_failing.into();
                row["in_passing"] = spread.in_passing.into();
                row["ochiai"] = spread.ochiai.into();
                row
            })
            .collect();
        let as_of = json!({"failing": failing.len(), "passing": passing.len()});
        out.document("recount.spectrum/1", &as_of, complete, json!({"acts": rows}))?;
        return Ok(exit);
    }
    let mut names = Names::new(&store);
    let mut table = Table::new(&["event", "agent", "kind", "what", "why listed"]);
    for spread in &ranked {
        let mut row = shown::brief(spread.event, &mut names);
        let (fails, passes) = (spread.in_failing, spread.in_passing);
        let why = format!(
            "{:.2} · in {fails} of {} failing, {passes} of {} passing",
            spread.ochiai,
            failing.len(),
            passing.len()
        );
        row.push(why.into());
        table.row(row);
    }
    out.table(&table)?;
    if ranked.is_empty() {
        eprintln!("no act is in two failing attempts and less often in passing ones");
    }
    Ok(exit)
}
