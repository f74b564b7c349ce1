//! `recount timeline S [--group G]`: one line an event, in the order of telling.

use ::investigate::permalink;
use recorder::{Fetcher, TimelineRow, summary};
use serde_json::{Value, json};

use crate::args::{Global, Timeline};
use crate::commands::shown::{self, Names};
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::table::{Cell, Table};

/// Rows that are aligned together on a terminal.
const PAGE_ROWS: usize = 200;

pub(crate) fn run(global: &Global, args: &Timeline, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let session = store.session(&args.session)?;
    let timeline = store.timeline(&session)?;
    let upto = args.at.as_deref().map(|at| shown::sequence(&store, &session, at)).transpose()?;
    let as_of = json!({"session": session.as_str(), "events": timeline.rows.len()});
    let complete = timeline.is_complete();
    let wanted = |row: &&TimelineRow| {
        let step = &row.step;
        let is = |value: &Option<String>, wanted: &str| value.as_deref() == Some(wanted);
        let past = row.session != session || upto.is_none_or(|last| step.seq <= last);
        past && args.group.as_ref().is_none_or(|group| is(&step.group, group))
            && args.agent.as_ref().is_none_or(|agent| is(&step.agent, agent) || is(&step.agent_id, agent))
    };
    let rows: Vec<&TimelineRow> =
        timeline.rows.iter().filter(wanted).take(args.limit.unwrap_or(usize::MAX)).collect();
    let mut fetcher = store.fetcher();
    if out.json {
        let rows = rows.iter().map(|row| json_row(row, &mut fetcher)).collect::<Result<Vec<_>, _>>()?;
        out.document(
            "recount.timeline/1",
            &as_of,
            complete,
            json!({"session": session.as_str(), "rows": rows}),
        )?;
        return Ok(0);
    }
    let mut names = Names::new(&store);
    for page in rows.chunks(PAGE_ROWS) {
        let mut table = Table::new(&["event", "time", "agent", "group", "kind", "what"]);
        for row in page {
            add(&mut table, row, names.event(&row.session, row.step.seq), &mut fetcher, out.utc)?;
        }
        out.table(&table)?;
    }
    if timeline.duplicates > 0 {
        eprintln!("{} events were told again under a known key and are shown once", timeline.duplicates);
    }
    if !complete {
        eprintln!(
            "warning: {} damaged lines were passed over; `recount verify {session}` shows them",
            timeline.damaged
        );
    }
    Ok(0)
}

fn add(
    table: &mut Table,
    row: &TimelineRow,
    name: String,
    fetcher: &mut Fetcher,
    utc: bool,
) -> Result<(), Failure> {
    let event = match fetcher.event(&row.session, &row.step.pointer) {
        Ok(event) => event,
        Err(journal::JournalError::Damaged(finding)) => {
            let what = format!("damaged: {}", finding.cause);
            table.row(vec![
                name.into(),
                "-".into(),
                "-".into(),
                "-".into(),
                (&row.step.kind).into(),
                what.into(),
            ]);
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let summary = summary(&event, 120);
    let version = match (row.step.conflict, row.step.superseded) {
        (true, _) => "[conflict] ",
        (_, true) => "[superseded] ",
        _ => "",
    };
    let label = if summary.label.is_empty() { String::new() } else { format!("[{}] ", summary.label) };
    table.row(vec![
        Cell::linked(&name, &permalink(&event)),
        shown::time(event.time(), utc).into(),
        shown::actor(&event).into(),
        event.text("group").unwrap_or("-").into(),
        event.kind.as_str().into(),
        format!("{version}{label}{}", summary.text).into(),
    ]);
    Ok(())
}

fn json_row(row: &TimelineRow, fetcher: &mut Fetcher) -> Result<Value, Failure> {
    let event = fetcher.event(&row.session, &row.step.pointer)?;
    let summary = summary(&event, 400);
    Ok(json!({
        "event": event.name(),
        "time": event.time(),
        "kind": event.kind.as_str(),
        "agent": event.text("agent"),
        "agent_id": event.text("agent_id"),
        "group": event.text("group"),
        "label": summary.label,
        "text": summary.text,
        "conflict": row.step.conflict,
        "superseded": row.step.superseded,
        "hash": event.hash,
    }))
}
