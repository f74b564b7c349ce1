//! `recount redact learn [-]`: what this machine keeps secret is known from now on, also when its source is gone.
//!
//! Written down are lengths and keyed hashes, outside every store, for the user alone; never a value, and
//! nothing at all of a value that could be guessed from its hash.

use std::io::{BufRead as _, stdin};

use redact::Known;
use serde_json::json;

use crate::args::Learn;
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::sources::Source;
use crate::table::Table;

pub(super) fn run(args: &Learn, out: &mut Output) -> Result<u8, Failure> {
    let mut table = Table::new(&["source", "values", "too ordinary"]);
    let (mut rows, mut learned) = (Vec::new(), 0);
    let wanted = |source: &Source| {
        let left_out = &args.known.no_known;
        *source != Source::Learned && !left_out.contains(source) && !left_out.contains(&Source::All)
    };
    let mut all: Vec<(String, Known)> = Vec::new();
    for source in Source::each().filter(wanted) {
        let mut known = Known::new();
        source.read(&mut known)?;
        all.push((source.name(), known));
    }
    if args.from.is_some() {
        all.push(("-".to_owned(), given()?));
    }
    for (name, known) in &all {
        learned += place::learn(|key, lines| known.new_traces(key, lines))?;
        table.row(vec![
            name.into(),
            known.count().to_string().into(),
            known.passed_over().to_string().into(),
        ]);
        rows.push(json!({"source": name, "values": known.count(), "too_ordinary": known.passed_over()}));
    }
    if out.json {
        out.document(
            "recount.redact.learn/1",
            &json!({}),
            true,
            json!({"sources": rows, "learned": learned}),
        )?;
        return Ok(0);
    }
    out.table(&table)?;
    eprintln!(
        "{learned} values are new; what could be guessed from its hash is looked for and not written down"
    );
    Ok(0)
}

/// One value a line.
fn given() -> Result<Known, Failure> {
    let mut known = Known::new();
    for line in stdin().lock().lines() {
        let line = line.map_err(|e| Failure::io("read standard input", &e))?;
        known.value(&line, "known");
    }
    Ok(known)
}
