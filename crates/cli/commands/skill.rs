//! `recount skill save|latest|all|diff`, `check-skill-evidence`, and the older names of them.

use orchestrate::skills::{self, NewOutput, Wanted};
use serde_json::json;

use crate::args::Global;
use crate::args::team::{Outputs, SkillAll, SkillCommand, SkillDiff, SkillEvidence, SkillLatest, SkillSave};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::unsaid::unsaid;
use crate::{input, place, team};

pub(crate) fn run(global: &Global, command: SkillCommand, out: &mut Output) -> Result<u8, Failure> {
    match command {
        SkillCommand::Save(args) => save(global, args, out),
        SkillCommand::Latest(args) => latest(global, args, out),
        SkillCommand::All(args) => all(global, args, out),
        SkillCommand::Diff(args) => diff(global, args, out),
    }
}

pub(crate) fn save(global: &Global, args: SkillSave, out: &mut Output) -> Result<u8, Failure> {
    let output = input::json("the output", &args.content)?;
    let (session, skill, agent, group) = (args.session, args.skill, args.agent, args.group);
    let new = NewOutput { session, skill, output, agent, group };
    let saved = team::record(global, &args.saving.known, |recorder| skills::save(recorder, new))?;
    team::acknowledge(out, &args.saving, &saved.saved, &saved)
}

fn wanted(which: Outputs) -> Wanted {
    Wanted { session: which.session, skill: which.skill, agent: which.agent, group: which.group }
}

/// One object, or null and exit 1 when there is none.
pub(crate) fn latest(global: &Global, args: SkillLatest, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let wanted = wanted(args.which);
    if args.per_agent {
        let outputs = skills::latest_per_agent(&store, &wanted)?;
        team::array(out, &outputs)?;
        return Ok(if outputs.is_empty() { NO } else { 0 });
    }
    let output = skills::latest(&store, &wanted)?;
    team::line(out, &output)?;
    Ok(if output.is_none() { NO } else { 0 })
}

pub(crate) fn all(global: &Global, args: SkillAll, out: &mut Output) -> Result<u8, Failure> {
    let outputs = skills::all(&place::store(global)?, &wanted(args.which))?;
    team::array(out, &outputs)?;
    Ok(0)
}

fn diff(global: &Global, args: SkillDiff, out: &mut Output) -> Result<u8, Failure> {
    let wrong = || Failure::usage("--iter takes two iterations").hint("e.g. --iter 1..2");
    let (from, to) = args.iter.split_once("..").ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
    let changes = skills::diff(&place::store(global)?, &wanted(args.which), number(from)?, number(to)?)?;
    if out.json {
        out.document("recount.skill-diff/1", &json!({}), true, json!({"changes": changes}))?;
    } else {
        team::array(out, &changes)?;
    }
    Ok(0)
}

pub(crate) fn evidence(global: &Global, args: &SkillEvidence, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let names: Vec<String> = args.skills.iter().map(|name| unsaid(name)).collect();
    let found = skills::evidence(&store, &args.session, &names, args.agent.as_deref(), args.since)?;
    team::line(out, &found)?;
    Ok(if found.complete { 0 } else { NO })
}
