//! `recount spine [S]`: header lines, for a copy that says what there was and nothing of what was said.

use crate::args::{Global, Spine};
use crate::failure::Failure;
use crate::output::Output;
use crate::place;

pub(crate) fn run(global: &Global, args: &Spine, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let sessions = match &args.session {
        Some(name) => vec![store.session(name)?],
        None => store.journal().sessions()?,
    };
    for session in sessions {
        let damaged = audit::spine(store.journal(), &session, out.writer()).map_err(|error| match error {
            audit::ExportError::Store(error) => Failure::from(error),
            audit::ExportError::Write(error) => Failure::io("write to standard output", &error),
        })?;
        if damaged > 0 {
            eprintln!(
                "warning: {damaged} damaged lines were left out; `recount verify {session}` shows them"
            );
        }
    }
    Ok(0)
}
