//! One file a command. To add one: write it, add a line in `args.rs` and here, and a page under `tests/cmd/`.

mod bundle;
mod compact;
mod completions;
mod custody;
mod doctor;
mod explain;
mod export;
mod hold;
mod import;
mod init;
mod pin;
mod prove;
mod purge;
mod record;
mod redact;
mod reindex;
mod repair;
mod replay;
mod retention;
mod seal;
mod search;
mod sessions;
mod show;
mod shown;
mod spine;
mod stats;
mod tail;
mod timeline;
mod verify;

use crate::args::{Args, Command};
use crate::failure::Failure;
use crate::output::Output;

/// Runs the command and gives the exit code.
pub(crate) fn run(args: Args, out: &mut Output) -> Result<u8, Failure> {
    let global = &args.global;
    match args.command {
        Command::Init(a) => init::run(global, &a, out),
        Command::Record(a) => record::run(global, *a, out),
        Command::Import(a) => import::run(global, &a, out),
        Command::Prove(a) => prove::run(global, &a, out),
        Command::Spine(a) => spine::run(global, &a, out),
        Command::Purge(a) => purge::run(global, &a, out),
        Command::Hold(a) => hold::run(global, &a, out),
        Command::Retention(a) => retention::run(global, &a, out),
        Command::Pin => pin::run(global, out),
        Command::Seal => seal::run(global, out),
        Command::Sessions(a) => sessions::run(global, &a, out),
        Command::Search(a) => search::run(global, &a, out),
        Command::Show(a) => show::run(global, &a, out),
        Command::Timeline(a) => timeline::run(global, &a, out),
        Command::Replay(a) => replay::run(global, &a, out),
        Command::Tail(a) => tail::run(global, &a, out),
        Command::Export(a) => export::run(global, &a, out),
        Command::Bundle(a) => bundle::run(global, &a, out),
        Command::Custody(a) => custody::run(&a, out),
        Command::Verify(a) => verify::run(global, &a, out),
        Command::Repair(a) => repair::run(global, &a, out),
        Command::Compact(a) => compact::run(global, &a, out),
        Command::Stats => stats::run(global, out),
        Command::Reindex => reindex::run(global, out),
        Command::Doctor => doctor::run(global, out),
        Command::Redact(a) => redact::run(global, &a, out),
        Command::Explain(a) => explain::run(&a, out),
        Command::Completions(a) => completions::run(&a, out),
    }
}
