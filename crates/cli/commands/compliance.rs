//! `recount compliance`, `review`, `criteria`: what was owed, what was done, what it rests on.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use orchestrate::compliance::{self, Coverage, Unit};
use orchestrate::{criteria, review};
use recorder::Now;
use serde_json::json;

use crate::args::Global;
use crate::args::team::{Compliance, Criteria, Review};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::table::Table;
use crate::unsaid::unsaid;
use crate::{input, place};

pub(crate) fn compliance(global: &Global, args: &Compliance, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let found = compliance::compliance(&store, &args.session, args.group.as_deref())?;
    let coverage = compliance::coverage(&store, &found)?;
    let exit = if args.check && !found.holds() { NO } else { 0 };
    if out.json {
        let as_of = json!({"session": found.session});
        let body = json!({
            "units": found.units, "complete_units": found.complete, "percent": found.percent, "coverage": coverage,
        });
        out.document("recount.compliance/1", &as_of, true, body)?;
        return Ok(exit);
    }
    let mut table = Table::new(&["spawn", "agent", "group", "state", "what"]);
    for unit in &found.units {
        let agent = unit.agent_id.as_ref().or(unit.agent.as_ref()).map_or("-", String::as_str);
        let state = if unit.is_complete() { "✓" } else { "✗" };
        table.row(vec![
            unit.first.as_str().into(),
            agent.into(),
            unit.group.as_deref().unwrap_or("-").into(),
            state.into(),
            remarks(unit).into(),
        ]);
    }
    out.table(&table)?;
    let percent =
        found.percent.map_or_else(|| "nothing to judge".to_owned(), |percent| format!("{percent} %"));
    out.line(&format!("{} of {} complete: {percent}", found.complete, found.units.len()))?;
    told(&coverage, out)?;
    Ok(exit)
}

fn remarks(unit: &Unit) -> String {
    let mut remarks = Vec::new();
    let mut say = |what: &str, phases: &[String]| {
        if !phases.is_empty() {
            remarks.push(format!("{what} {}", phases.join(", ")));
        }
    };
    let owned = |phases: &[&str]| phases.iter().map(|phase| (*phase).to_owned()).collect::<Vec<_>>();
    say("missing", &owned(&unit.missing));
    say("more than once", &owned(&unit.repeated));
    say("late", &unit.late);
    if unit.spawned.is_none() {
        remarks.push("nobody was seen to spawn it".to_owned());
    }
    remarks.join("; ")
}

fn told(coverage: &Coverage, out: &mut Output) -> Result<(), Failure> {
    let phases: u64 = coverage.phases.values().sum();
    out.line(&format!(
        "thinking: {} blocks, {} withheld by the provider; documented by agents: {phases} entries",
        coverage.blocks(),
        coverage.withheld()
    ))
}

pub(crate) fn review(global: &Global, args: &Review, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let found = review::review(&store, &args.session, &args.group)?;
    let differs = !found.stated_not_done.is_empty() || !found.done_not_stated.is_empty();
    let exit = if args.check && differs { NO } else { 0 };
    if out.json {
        let as_of = json!({"session": args.session, "group": args.group});
        out.document("recount.review/1", &as_of, true, json!({"review": found}))?;
        return Ok(exit);
    }
    let mut table = Table::new(&["what", "event", "who or file", "text"]);
    for statement in &found.statements {
        let [ran, failed] = statement.tests_after;
        let written =
            format!("{} of {} files written after", statement.written_after.len(), statement.files.len());
        table.row(vec![
            statement.phase.as_str().into(),
            statement.event.as_str().into(),
            statement.agent.as_deref().unwrap_or("-").into(),
            format!("{} ({written}, {ran} tests after, {failed} failed)", statement.text).into(),
        ]);
    }
    for (what, files) in
        [("stated, not done", &found.stated_not_done), ("done, not stated", &found.done_not_stated)]
    {
        for named in files {
            table.row(vec![what.into(), named.event.as_str().into(), named.file.as_str().into(), "".into()]);
        }
    }
    for test in &found.tests {
        let status = test.status.as_deref().unwrap_or("?");
        table.row(vec![
            "test".into(),
            test.event.as_str().into(),
            status.into(),
            test.command.as_str().into(),
        ]);
    }
    out.table(&table)?;
    Ok(exit)
}

pub(crate) fn criteria(global: &Global, args: &Criteria, out: &mut Output) -> Result<u8, Failure> {
    // each is told back with what was found for it
    let lines = criteria::lines(&unsaid(&input::file_or_stdin(&args.file)?));
    let store = place::store(global)?;
    let now = Now { at: Timestamp::now(), zone: TimeZone::UTC };
    let found = criteria::criteria(&store, &args.session, &lines, &now)?;
    let exit = if args.check && !criteria::all_evidenced(&found) { NO } else { 0 };
    if out.json {
        let as_of = json!({"session": args.session});
        out.document("recount.criteria/1", &as_of, true, json!({"criteria": criteria::as_json(&found)}))?;
        return Ok(exit);
    }
    let mut table = Table::new(&["evidence", "criterion", "event", "text"]);
    for criterion in &found {
        let best = criterion.hits.first();
        let (event, text) =
            best.map_or(("-", "no evidence"), |hit| (hit.link.as_str(), hit.snippet.as_str()));
        let text = if criterion.evidenced { text } else { "no evidence" };
        let mark = if criterion.evidenced { "✓" } else { "✗" };
        table.row(vec![mark.into(), criterion.text.as_str().into(), event.into(), text.into()]);
    }
    out.table(&table)?;
    let evidenced = found.iter().filter(|criterion| criterion.evidenced).count();
    out.line(&format!("{evidenced} of {} evidenced", found.len()))?;
    Ok(exit)
}
