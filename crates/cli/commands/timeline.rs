//! `recount timeline S [--group G]`: one line an event, in the order of telling.

use std::mem::ManuallyDrop;

use ::investigate::permalink;
use event::Event;
use journal::JournalError;
use recorder::{TimelineRow, summary};
use serde_json::{Value, json};

use crate::args::{Global, Timeline};
use crate::commands::shown::{self, Names};
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::table::{Cell, Table};

/// Rows that are aligned together on a terminal.
const PAGE_ROWS: usize = 200;
/// Rows whose events are read together.
const READ_ROWS: usize = 10 * PAGE_ROWS;

pub(crate) fn run(global: &Global, args: &Timeline, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let session = store.session(&args.session)?;
    // the process ends with its answer: nobody waits until ten thousand rows are given back
    let timeline = ManuallyDrop::new(store.timeline(&session)?);
    let upto = args.at.as_deref().map(|at| shown::sequence(&store, &session, at)).transpose()?;
    let as_of = json!({"session": session.as_str(), "events": timeline.rows.len()});
    let complete = timeline.is_complete();
    let wanted = |row: &&TimelineRow| {
        let step = &row.step;
        let past = row.session != session || upto.is_none_or(|last| step.seq() <= last);
        past && args.group.as_deref().is_none_or(|group| step.group() == Some(group))
            && args.agent.as_deref().is_none_or(|agent| step.is_of(agent))
    };
    let rows: Vec<&TimelineRow> =
        timeline.rows.iter().filter(wanted).take(args.limit.unwrap_or(usize::MAX)).collect();
    if out.json {
        let rows = store.of_events(&rows, &|row, event| event.map(|event| json_row(row, &event)));
        let rows = rows.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut body = json!({"session": session.as_str()});
        body["rows"] = rows.into();
        out.document("recount.timeline/1", &as_of, complete, body)?;
        return Ok(0);
    }
    let mut names = Names::new(&store);
    for row in &rows {
        names.learn(&row.session);
    }
    for some in rows.chunks(READ_ROWS) {
        let cells =
            |row: &TimelineRow, event| cells(row, names.told(&row.session, row.step.seq()), event, out.utc);
        let mut cells = store.of_events(some, &cells).into_iter();
        for page in some.chunks(PAGE_ROWS) {
            let mut table = Table::new(&["event", "time", "agent", "group", "kind", "what"]);
            for row in cells.by_ref().take(page.len()) {
                table.row(row?);
            }
            out.table(&table)?;
        }
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

/// A row as it is shown; of a damaged event it says so.
fn cells(
    row: &TimelineRow,
    name: String,
    event: Result<Event, JournalError>,
    utc: bool,
) -> Result<Vec<Cell>, JournalError> {
    let event = match event {
        Ok(event) => event,
        Err(JournalError::Damaged(finding)) => {
            let what = format!("damaged: {}", finding.cause);
            let nothing = || "-".into();
            return Ok(vec![
                name.into(),
                nothing(),
                nothing(),
                nothing(),
                row.step.kind().into(),
                what.into(),
            ]);
        }
        Err(error) => return Err(error),
    };
    let summary = summary(&event, 120);
    let version = match (row.step.conflict, row.step.superseded) {
        (true, _) => "[conflict] ",
        (_, true) => "[superseded] ",
        _ => "",
    };
    let label = if summary.label.is_empty() { String::new() } else { format!("[{}] ", summary.label) };
    Ok(vec![
        Cell::linked(&name, &permalink(&event)),
        shown::time(event.time(), utc).into(),
        shown::actor(&event).into(),
        event.text("group").unwrap_or("-").into(),
        event.kind.as_str().into(),
        format!("{version}{label}{}", summary.text).into(),
    ])
}

fn json_row(row: &TimelineRow, event: &Event) -> Value {
    let summary = summary(event, 400);
    json!({
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
    })
}
