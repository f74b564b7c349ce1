//! `recount learn propose`: lessons that the record suggests, for a person to keep or to leave.

use ::investigate::cases;
use ::investigate::learn::{self, Proposal};
use serde_json::{Map, Value, json};

use crate::args::{Global, Lessons, LessonsCommand, Part, Propose};
use crate::commands::shown;
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Lessons, out: &mut Output) -> Result<u8, Failure> {
    match &args.command {
        LessonsCommand::Propose(args) => propose(global, args, out),
    }
}

fn propose(global: &Global, args: &Propose, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let mut found = Vec::new();
    let mut complete = true;
    if let Some(session) = &args.session {
        let trace = shown::trace(&store, session, &Part { group: None, at: args.at.clone() })?;
        found.extend(learn::of_session(&trace));
        complete = trace.complete;
    }
    if args.session.is_none() || args.case.is_some() {
        let case = cases::find(&store, args.case.as_deref().or(Some("last")))?;
        found.extend(learn::of_case(&store, &case));
    }
    let exit = if found.is_empty() { NO } else { 0 };
    if args.drafts {
        found.iter().try_for_each(|proposal| out.line(&draft(proposal).to_string()))?;
        return Ok(exit);
    }
    if out.json {
        let rows: Vec<Value> = found.iter().map(draft).collect();
        out.document(
            "recount.proposals/1",
            &json!({"proposals": rows.len()}),
            complete,
            json!({"proposals": rows}),
        )?;
        return Ok(exit);
    }
    let mut table = Table::new(&[
        "stands on",
        "category",
        "confidence",
        "for",
        "began with",
        "cause",
        "helped",
        "lesson",
    ]);
    for proposal in &found {
        table.row(vec![
            proposal.evidence.iter().map(|e| cases::short(e)).collect::<Vec<_>>().join(" ").into(),
            (&proposal.category).into(),
            proposal.confidence.into(),
            (&proposal.applies_to).into(),
            (&proposal.trigger).into(),
            (&proposal.root_cause).into(),
            (&proposal.fix).into(),
            (&proposal.lesson).into(),
        ]);
    }
    out.table(&table)?;
    match found.len() {
        0 => {
            eprintln!("nothing to propose: no verdict, and no pivot or blocker that a passing test followed");
        }
        count => eprintln!("{count} proposed; `--drafts | recount import -` keeps them"),
    }
    Ok(exit)
}

/// What `recount import -` would record.
fn draft(proposal: &Proposal) -> Value {
    let members = [
        ("trigger", &proposal.trigger),
        ("root_cause", &proposal.root_cause),
        ("fix", &proposal.fix),
        ("lesson", &proposal.lesson),
        ("applies_to", &proposal.applies_to),
    ];
    let told = members.into_iter().filter(|(_, text)| !text.is_empty());
    let mut data: Map<String, Value> = told.map(|(name, text)| (name.to_owned(), json!(text))).collect();
    data.insert("evidence".to_owned(), json!(proposal.evidence));
    json!({
        "session": proposal.session, "kind": "learning.noted", "category": proposal.category,
        "confidence": proposal.confidence, "data": data,
    })
}
