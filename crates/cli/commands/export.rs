//! `recount export S [--format F]`

use audit::{EXPORTERS, ExportError};
use event::nearest;

use crate::args::{Export, Global};
use crate::commands::shown;
use crate::failure::Failure;
use crate::output::Output;
use crate::place;

pub(crate) fn run(global: &Global, args: &Export, out: &mut Output) -> Result<u8, Failure> {
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
        exporter.export(&store, &session, until.unwrap_or(u64::MAX), out.writer()).map_err(|error| {
            match error {
                ExportError::Store(error) => Failure::from(error),
                ExportError::Write(error) => Failure::io("write to standard output", &error),
            }
        })?;
    if damaged > 0 {
        eprintln!("warning: {damaged} damaged lines were left out; `recount verify {session}` shows them");
    }
    Ok(0)
}
