//! One file a command. To add one: write it, add a line in `args.rs` and here, and a page under `tests/cmd/`.

mod anchor;
mod bazinga_db;
mod blame;
mod bundle;
mod case;
mod compact;
mod completions;
mod custody;
mod diff;
mod doctor;
mod erase;
mod errors;
mod explain;
mod export;
mod gaps;
mod hold;
mod import;
mod init;
mod investigate;
mod keys;
mod known;
mod loops;
mod mcp;
mod open;
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
mod spectrum;
mod spine;
mod stats;
mod suspects;
mod tail;
mod timeline;
mod verify;
mod watch;
mod why;

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
        Command::Suspects(a) => suspects::run(global, &a, out),
        Command::Blame(a) => blame::run(global, &a, out),
        Command::Why(a) => why::run(global, &a, out),
        Command::Known(a) => known::run(global, &a, out),
        Command::Diff(a) => diff::run(global, &a, out),
        Command::Spectrum(a) => spectrum::run(global, &a, out),
        Command::Gaps(a) => gaps::run(global, &a, out),
        Command::Loops(a) => loops::run(global, &a, out),
        Command::Errors(a) => errors::run(global, &a, out),
        Command::Investigate(a) => investigate::run(global, &a, out),
        Command::Case(a) => case::run(global, &a, out),
        Command::Watch(a) => watch::run(global, &a, out),
        Command::Open(a) => open::run(global, &a, out),
        Command::Export(a) => export::run(global, &a, out),
        Command::Bundle(a) => bundle::run(global, &a, out),
        Command::Custody(a) => custody::run(&a, out),
        Command::Verify(a) => verify::run(global, &a, out),
        Command::Erase(a) => erase::run(global, &a, out),
        Command::Repair(a) => repair::run(global, &a, out),
        Command::Anchor(a) => anchor::run(global, &a, out),
        Command::Keys(a) => keys::run(global, &a, out),
        Command::Compact(a) => compact::run(global, &a, out),
        Command::Stats => stats::run(global, out),
        Command::Reindex => reindex::run(global, out),
        Command::Doctor => doctor::run(global, out),
        Command::Redact(a) => redact::run(global, &a, out),
        Command::BazingaDb(a) => bazinga_db::run(global, &a, out),
        Command::Mcp(a) => mcp::run(global, &a),
        Command::Explain(a) => explain::run(&a, out),
        Command::Completions(a) => completions::run(&a, out),
    }
}
