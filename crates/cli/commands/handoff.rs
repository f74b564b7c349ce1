//! `recount handoff …`, `schema`, `capsule`, `route`: what one agent leaves for the next.

use std::path::{Path, PathBuf};

use event::EventRef;
use orchestrate::digest::Tokenizer;
use orchestrate::handoff::{self, Handoff, LinkState, NewHandoff, Verdict};
use orchestrate::{Files, OrchestrateError};
use recorder::{Durability, Store};
use serde_json::{Value, json};

use crate::args::Global;
use crate::args::team::{
    Beside, Capsule, HandoffChain, HandoffCommand, HandoffRead, HandoffValidate, HandoffWrite, ReturnCheck,
    RouteOf, Schema, SchemaCommand,
};
use crate::failure::{Failure, NO};
use crate::harmless::harmless;
use crate::output::Output;
use crate::seals::Seals;
use crate::table::Table;
use crate::unsaid::unsaid;
use crate::{input, place, team};

pub(crate) fn run(global: &Global, command: HandoffCommand, out: &mut Output) -> Result<u8, Failure> {
    match command {
        HandoffCommand::Write(args) => write(global, args, out),
        HandoffCommand::Validate(args) => validate(&args, out),
        HandoffCommand::Chain(args) => chain(global, &args, out),
        HandoffCommand::ReturnCheck(args) => return_check(&args, out),
        HandoffCommand::Read(args) => read(global, &args, out),
    }
}

pub(crate) fn schema(args: &Schema, out: &mut Output) -> Result<u8, Failure> {
    let SchemaCommand::Handoff { agent } = &args.command;
    orchestrate::words::agent(agent)?;
    out.line(&format!("{:#}", handoff::schema(&unsaid(agent))))?;
    Ok(0)
}

/// Where files are written, and where a handoff's paths begin.
fn files(global: &Global, beside: &Beside) -> Result<Files, Failure> {
    let base = std::env::current_dir().map_err(|e| Failure::io("find the current folder", &e))?;
    Ok(Files { artifacts: place::artifacts(global, beside.artifacts.as_deref(), true)?, base })
}

fn write(global: &Global, args: HandoffWrite, out: &mut Output) -> Result<u8, Failure> {
    let body = input::json("the handoff", &args.content)?;
    let files = files(global, &args.beside)?;
    let (session, group, agent, agent_id) = (args.session, args.group, args.agent, args.agent_id);
    let new = NewHandoff { session, group, agent, agent_id, body };
    let mut written =
        team::record(global, &args.saving.known, |recorder| handoff::write(recorder, &files, new))?;
    // they name files as the caller does
    written.warnings.iter_mut().for_each(|warning| *warning = unsaid(warning));
    for warning in &written.warnings {
        eprintln!("warning: {}", harmless(warning));
    }
    team::acknowledge(out, &args.saving, &written.saved, &written)
}

fn validate(args: &HandoffValidate, out: &mut Output) -> Result<u8, Failure> {
    // what is wrong is told back
    let body = input::parse("the handoff", &unsaid(&input::file_or_stdin(&args.file)?))?;
    let said = body["from_agent"].as_str().map(str::to_owned);
    let agent = args.agent.clone().or(said).ok_or_else(|| {
        Failure::usage("the handoff does not say whose it is").hint("give the role with --agent")
    })?;
    let problems = handoff::validate(&agent, &body);
    if out.json {
        let body = json!({"valid": problems.is_empty(), "agent": agent, "problems": problems});
        out.document("recount.handoff-validate/1", &json!({}), true, body)?;
    } else {
        problems.iter().try_for_each(|problem| out.line(&harmless(&problem.to_string())))?;
    }
    Ok(if problems.is_empty() { 0 } else { NO })
}

fn chain(global: &Global, args: &HandoffChain, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let order = team::chain_order()?;
    let order: Vec<&str> = order.iter().map(String::as_str).collect();
    let chain = handoff::chain(&store, &args.session, &args.group, &order)?;
    let exit = if args.check && !chain.whole { NO } else { 0 };
    if out.json {
        let as_of = json!({"session": args.session, "group": args.group});
        out.document("recount.chain/1", &as_of, true, json!({"chain": chain}))?;
        return Ok(exit);
    }
    let mut table = Table::new(&["", "role", "status", "handoff", "to", "read"]);
    for link in &chain.links {
        let mark = match link.state {
            LinkState::Read => "✓",
            LinkState::Unread => "● unread",
            LinkState::Waiting => "○",
            LinkState::Missing => "✗ missing",
            LinkState::Skipped => "– skipped",
        };
        let red = matches!(link.state, LinkState::Missing | LinkState::Unread);
        let after = link.read_after_us.map_or_else(String::new, |us| format!(" after {} s", us / 1_000_000));
        table.row(vec![
            crate::table::Cell::pieces(&[(mark.to_owned(), red)]),
            link.role.as_str().into(),
            link.status.as_deref().unwrap_or("-").into(),
            link.event.as_deref().unwrap_or("-").into(),
            link.to.as_deref().unwrap_or("-").into(),
            format!("{}{after}", link.read_by.join(", ")).into(),
        ]);
    }
    out.table(&table)?;
    Ok(exit)
}

fn return_check(args: &ReturnCheck, out: &mut Output) -> Result<u8, Failure> {
    let returned =
        handoff::check_return(&unsaid(&input::text(&args.content)?), args.agent.as_deref(), Tokenizer::O200k);
    team::line(out, &returned)?;
    for warning in &returned.warnings {
        eprintln!("warning: {}", harmless(warning));
    }
    Ok(if returned.verdict == Verdict::Invalid { NO } else { 0 })
}

fn read(global: &Global, args: &HandoffRead, out: &mut Output) -> Result<u8, Failure> {
    let (handoff, _) = team::record(global, &args.known, |recorder| {
        handoff::read(recorder, &args.session, &args.group, args.agent.as_deref(), &args.by)
    })?;
    if out.json {
        out.document(
            "recount.handoff/1",
            &json!({"event": handoff.event}),
            true,
            json!({"handoff": handoff}),
        )?;
    } else {
        let body = crate::harmless::harmless_json(&format!("{:#}", handoff.body));
        out.line(&body)?;
    }
    Ok(0)
}

pub(crate) fn capsule(global: &Global, args: &Capsule, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let handoff = if args.last { newest(&store, &args.what)? } else { named(&store, &args.what)? };
    let capsule = handoff::capsule(&handoff);
    if out.json {
        let body = json!({"capsule": capsule, "line": capsule.line(args.ascii)});
        out.document("recount.capsule/1", &json!({"event": handoff.event}), true, body)?;
    } else {
        out.line(&harmless(&capsule.line(args.ascii)))?;
    }
    Ok(0)
}

fn newest(store: &Store, session: &str) -> Result<Handoff, Failure> {
    let mut handoffs = handoff::get(store, session, None)?;
    let none = || OrchestrateError::Nothing { what: format!("handoff in {session}") };
    Ok(handoffs.pop().ok_or_else(none)?)
}

fn named(store: &Store, event: &str) -> Result<Handoff, Failure> {
    let (found, _) = store.event(&EventRef::parse(event)?)?;
    let handoffs = handoff::get(store, found.session.as_str(), found.text("group"))?;
    let none = || OrchestrateError::Nothing { what: format!("handoff {event}: it is {}", found.kind) };
    Ok(handoffs.into_iter().find(|handoff| handoff.seq == found.seq).ok_or_else(none)?)
}

/// A status that the table does not know is an answer, not a wrong call.
pub(crate) fn route(args: &RouteOf, out: &mut Output) -> Result<u8, Failure> {
    match handoff::route(&args.agent, &args.status) {
        Ok(route) if out.json => {
            out.document("recount.route/1", &json!({}), true, json!({"route": route}))?;
            Ok(0)
        }
        Ok(route) => {
            out.line(route.next)?;
            Ok(0)
        }
        Err(error @ OrchestrateError::Word { what: "status", .. }) => {
            Err(Failure::new(NO, error.to_string()).hint("nobody is to be spawned for it"))
        }
        Err(error) => Err(error.into()),
    }
}

/// `recount import handoffs DIR`: files of either old layout.
pub(crate) fn import(
    global: &Global,
    known: &crate::args::KnownValues,
    folders: &[String],
    out: &mut Output,
) -> Result<u8, Failure> {
    let mut recorder = place::recorder(global, Durability::Batch, known)?;
    let mut table = Table::new(&["file", "event", "what"]);
    let (mut found, mut stored) = (0, 0);
    for folder in folders.iter().map(PathBuf::from) {
        let mut files = Vec::new();
        list(&folder, &mut files)?;
        for file in files {
            let done = handoff::import_file(&mut recorder, &folder, &file)?;
            found += u64::from(done.event.is_some());
            stored += u64::from(done.event.is_some() && !done.known);
            let mut what = done.remarks;
            if done.known {
                what.insert(0, "known".to_owned());
            }
            let name = crate::unsaid::unsaid_path(&file);
            table.row(vec![name.into(), done.event.as_deref().unwrap_or("-").into(), what.join("; ").into()]);
        }
    }
    recorder.sync()?;
    Seals::new(&recorder)?.finish(&mut recorder);
    if out.json {
        let body: Value = json!({"handoffs": found, "stored": stored});
        out.document("recount.import-handoffs/1", &json!({}), true, body)?;
    } else {
        out.table(&table)?;
        eprintln!("{found} handoffs, {stored} of them stored now");
    }
    Ok(if found == 0 { NO } else { 0 })
}

/// JSON files below a folder, in order; links are not followed.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let fail = |e: std::io::Error| Failure::io(&format!("list {}", folder.display()), &e);
    let entries = std::fs::read_dir(folder).map_err(fail)?;
    let mut paths: Vec<(PathBuf, bool)> = Vec::new();
    for entry in entries {
        let entry = entry.map_err(fail)?;
        paths.push((entry.path(), entry.file_type().map_err(fail)?.is_dir()));
    }
    paths.sort();
    for (path, is_folder) in paths {
        if is_folder {
            list(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "json") {
            files.push(path);
        }
    }
    Ok(())
}
