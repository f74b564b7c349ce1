//! One file a command. To add one: write it, add a line in `args.rs` and here, and a page under `tests/cmd/`.

mod anchor;
mod bazinga_db;
mod blame;
mod bundle;
mod capture;
mod case;
mod compact;
mod completions;
mod compliance;
mod custody;
mod diff;
mod digest;
mod doctor;
mod erase;
mod errors;
mod events;
mod explain;
mod export;
mod gaps;
mod gc;
mod handoff;
mod hold;
mod hook;
mod import;
mod init;
mod investigate;
mod keys;
mod known;
mod learn;
mod loops;
mod mcp;
mod open;
mod pin;
mod prompt;
mod prove;
mod purge;
mod reasoning;
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
mod skill;
mod spectrum;
mod spine;
mod stats;
mod suspects;
mod tail;
mod timeline;
mod verify;
mod watch;
mod why;

pub(crate) use self::hook::fire::fire;
use crate::args::{Args, Command};
use crate::failure::Failure;
use crate::output::Output;

/// Runs the command and gives the exit code.
pub(crate) fn run(args: Args, out: &mut Output) -> Result<u8, Failure> {
    let global = &args.global;
    match args.command {
        Command::SaveReasoning(a) => reasoning::save(global, *a, out),
        Command::GetReasoning(a) => reasoning::get(global, a, out),
        Command::ReasoningTimeline(a) => reasoning::timeline(global, &a, out),
        Command::Compliance(a) => compliance::compliance(global, &a, out),
        Command::Review(a) => compliance::review(global, &a, out),
        Command::Criteria(a) => compliance::criteria(global, &a, out),
        Command::Skill(a) => skill::run(global, a.command, out),
        Command::SaveSkillOutput(a) => skill::save(global, a, out),
        Command::GetSkillOutput(a) => skill::latest(global, a, out),
        Command::GetSkillOutputAll(a) => skill::all(global, a, out),
        Command::CheckSkillEvidence(a) => skill::evidence(global, &a, out),
        Command::Schema(a) => handoff::schema(&a, out),
        Command::Handoff(a) => handoff::run(global, a.command, out),
        Command::Capsule(a) => handoff::capsule(global, &a, out),
        Command::Route(a) => handoff::route(&a, out),
        Command::Digest(a) => digest::run(global, &a, out),
        Command::Spawned(a) => digest::spawned(global, a, out),
        Command::Prompt(a) => prompt::run(global, &a.command, out),
        Command::SaveEvent(a) => events::save(global, a, out),
        Command::GetEvents(a) => events::get(global, &a, out),
        Command::LogInteraction(a) => events::log(global, a, out),
        Command::StreamLogs(a) => events::logs(global, &a, out),
        Command::LogTokens(a) => events::log_tokens(global, a, out),
        Command::SaveContextPackage(a) => events::save_package(global, *a, out),
        Command::GetContextPackages(a) => events::packages(global, &a, out),
        Command::MarkContextConsumed(a) => events::consume(global, &a, out),
        Command::Init(a) => init::run(global, &a, out),
        Command::Record(a) => record::run(global, *a, out),
        Command::Import(a) => import::run(global, &a, out),
        Command::Capture(a) => capture::run(global, &a, out),
        Command::Hook(a) => hook::run(global, &a, out),
        Command::Prove(a) => prove::run(global, &a, out),
        Command::Spine(a) => spine::run(global, &a, out),
        Command::Purge(a) => purge::run(global, &a, out),
        Command::Hold(a) => hold::run(global, &a, out),
        Command::Retention(a) => retention::run(global, &a, out),
        Command::Gc(a) => gc::run(global, &a, out),
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
        Command::Learn(a) => learn::run(global, &a, out),
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
        Command::Stats(a) => stats::run(global, &a, out),
        Command::Reindex => reindex::run(global, out),
        Command::Doctor => doctor::run(global, out),
        Command::Redact(a) => redact::run(global, &a, out),
        Command::BazingaDb(a) => bazinga_db::run(global, &a, out),
        Command::Mcp(a) => mcp::run(global, &a),
        Command::Explain(a) => explain::run(&a, out),
        Command::Completions(a) => completions::run(&a, out),
    }
}
