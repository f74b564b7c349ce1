//! `recount completions SHELL`

use clap::CommandFactory as _;

use crate::args::{Args, Completions};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Completions, out: &mut Output) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "recount", &mut script);
    out.bytes(&script)?;
    Ok(0)
}
