//! `recount export S [--format F|--to STORE]`

use std::path::Path;

use audit::{Copied, EXPORTERS, ExportError};
use event::{SessionId, nearest};
use recorder::Durability;
use serde_json::json;

use crate::args::{Export, Global, KnownValues};
use crate::commands::shown;
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::seals::Seals;

pub(crate) fn run(global: &Global, args: &Export, out: &mut Output) -> Result<u8, Failure> {
    if let Some(to) = &args.to {
        return to_store(global, args, to, out);
    }
    let Some(exporter) = EXPORTERS.iter().find(|exporter| exporter.name() == args.format) else {
        let names: Vec<&str> = EXPORTERS.iter().map(|exporter| exporter.name()).collect();
        let near = nearest(&args.format, names.iter().copied());
        let hint = near.map_or_else(String::new, |near| format!("did you mean {near}? "))
            + &format!("the formats are {}", names.join(", "));
        return Err(Failure::usage(format!("no format {:?}", args.format)).hint(hint));
    };
    let store = place::store(global)?;
    let session = store.session(&args.session)?;
    let until = args.until.as_deref().map(|at| shown::sequence(&store, &session, at)).transpose()?;
    let damaged =
        exporter.export(&store, &session, until.unwrap_or(u64::MAX), out.writer()).map_err(failed)?;
    warn(damaged, &session);
    Ok(0)
}

fn failed(error: ExportError) -> Failure {
    match error {
        ExportError::Store(error) => Failure::from(error),
        ExportError::Write(error) => Failure::io("write to standard output", &error),
    }
}

fn warn(damaged: u64, session: &SessionId) {
    if damaged > 0 {
        eprintln!("warning: {damaged} damaged lines were left out; `recount verify {session}` shows them");
    }
}

/// Records a session's events in another store.
fn to_store(global: &Global, args: &Export, to: &Path, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let session = store.session(&args.session)?;
    let there = Global { store: Some(to.to_owned()), ..global.clone() };
    let mut recorder = place::recorder(&there, Durability::Batch, &KnownValues::default())?;
    if recorder.store().journal().store_id() == store.journal().store_id() {
        return Err(Failure::usage("that is the same store"));
    }
    let copied = audit::copy(&store, &session, &mut recorder).map_err(failed)?;
    recorder.sync()?;
    Seals::new(&recorder)?.leave(&mut recorder);
    warn(copied.damaged, &session);
    if out.json {
        let body = json!({"stored": copied.stored, "known": copied.known, "left_out": copied.left_out});
        let as_of = json!({"session": session.as_str()});
        out.document("recount.export/1", &as_of, copied.damaged == 0, body)?;
        return Ok(0);
    }
    let Copied { stored, known, left_out, .. } = copied;
    out.line(&format!("{session}: {stored} recorded, {known} there already, {left_out} left out"))?;
    Ok(0)
}
