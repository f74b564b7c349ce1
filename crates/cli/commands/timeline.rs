//! `recount timeline S [--group G]`: one line an event, in the order of telling.

use std::borrow::Cow;
use std::mem::ManuallyDrop;

use ::investigate::permalink_of;
use journal::JournalError;
use recorder::{BRIEF_CHARS, Brief, Fetcher, TimelineRow, push_harmless};
use serde::Serialize;
use serde_json::json;

use crate::args::{Global, Timeline};
use crate::commands::shown::{self, Names};
use crate::failure::Failure;
use crate::harmless::harmless_json;
use crate::output::Output;
use crate::place;
use crate::table::{Cell, Table};

/// Rows that are aligned together on a terminal.
const PAGE_ROWS: usize = 200;
/// Characters of an event's text in a row; JSON has [`BRIEF_CHARS`].
const ROW_CHARS: usize = 120;

pub(crate) fn run(global: &Global, args: &Timeline, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let session = store.session(&args.session)?;
    // the process ends with its answer: nobody waits until ten thousand rows are given back
    let timeline = ManuallyDrop::new(store.listing(&session)?);
    let upto = args.at.as_deref().map(|at| shown::sequence(&store, &session, at)).transpose()?;
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
        let pages = store.of_rows(&rows, PAGE_ROWS, &json_page);
        let (rows, damaged): (Vec<_>, Vec<u64>) =
            pages.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let (rows, complete) = (rows.join(","), complete && damaged.iter().sum::<u64>() == 0);
        let as_of = json!({"session": session.as_str(), "events": timeline.rows.len()});
        let body = json!({"session": session.as_str()});
        out.document_with("recount.timeline/1", &as_of, complete, body, ("rows", &format!("[{rows}]")))?;
        return Ok(0);
    }
    let mut names = Names::new(&store);
    for row in &rows {
        names.learn(&row.session);
    }
    let (page, utc) = (out.page(), out.utc);
    let pages = store.of_rows(&rows, PAGE_ROWS, &|rows, fetcher| {
        let cells = rows.iter().map(|row| {
            let name = names.told(&row.session, row.step.seq());
            cells(row, name, fetcher.brief(row, ROW_CHARS), utc)
        });
        if !page.is_aligned() {
            return tabs(cells);
        }
        let mut table = Table::new(&["event", "time", "agent", "group", "kind", "what"]);
        for (row, cells) in rows.iter().zip(cells) {
            let (cells, hash) = cells?;
            let mut cells: Vec<Cell> = cells.iter().map(Cell::from).collect();
            if let (Some(name), Some(hash)) = (cells.first_mut(), hash) {
                let link = permalink_of(&row.session, row.step.seq(), &hash);
                *name = Cell::linked(&names.told(&row.session, row.step.seq()), &link);
            }
            table.row(cells);
        }
        Ok(page.text(&table))
    });
    for text in pages {
        out.text(&text?)?;
    }
    // what is said on stderr about the rows comes behind them
    out.flush()?;
    if timeline.duplicates > 0 {
        eprintln!("{} events were told again under a known key and are shown once", timeline.duplicates);
    }
    shown::warn_of(&session, timeline.damaged);
    Ok(0)
}

/// The cells of a row, and the hash of its line.
type Cells<'r> = ([Cow<'r, str>; 6], Option<Cow<'r, str>>);

/// A row as it is shown; of a damaged event it says so.
fn cells<'r>(
    row: &'r TimelineRow,
    name: String,
    brief: Result<Brief<'r>, JournalError>,
    utc: bool,
) -> Result<Cells<'r>, JournalError> {
    let brief = match brief {
        Ok(brief) => brief,
        Err(JournalError::Damaged(finding)) => {
            let (nothing, what) = (Cow::from("-"), format!("damaged: {}", finding.cause));
            let kind = row.step.kind().into();
            return Ok(([name.into(), nothing.clone(), nothing.clone(), nothing, kind, what.into()], None));
        }
        Err(error) => return Err(error),
    };
    let version = match (row.step.conflict, row.step.superseded) {
        (true, _) => "[conflict] ",
        (_, true) => "[superseded] ",
        _ => "",
    };
    let (open, close) = if brief.label.is_empty() { ("", "") } else { ("[", "] ") };
    let what = [version, open, &brief.label, close, &brief.text].concat();
    let actor = brief.agent_id.or(brief.agent).unwrap_or("-".into());
    let time = shown::time(&brief.time, utc);
    let group = brief.group.unwrap_or("-".into());
    Ok(([name.into(), time.into(), actor, group, brief.kind, what.into()], Some(brief.hash)))
}

/// Rows for programs. What a table does with them, without one: they are many.
fn tabs<'r>(rows: impl Iterator<Item = Result<Cells<'r>, JournalError>>) -> Result<String, JournalError> {
    let mut out = String::new();
    for row in rows {
        for (at, cell) in row?.0.iter().enumerate() {
            out.push_str(if at > 0 { "\t" } else { "" });
            push_harmless(&mut out, cell);
        }
        out.push('\n');
    }
    Ok(out)
}

/// A row as JSON has it; the names in order.
#[derive(Serialize)]
struct JsonRow<'r> {
    agent: Option<&'r str>,
    agent_id: Option<&'r str>,
    conflict: bool,
    event: String,
    group: Option<&'r str>,
    hash: &'r str,
    kind: &'r str,
    label: &'r str,
    superseded: bool,
    text: &'r str,
    time: &'r str,
}

/// Rows as JSON, with commas between, and how many of them are damaged.
fn json_page(rows: &[&TimelineRow], fetcher: &mut Fetcher) -> Result<(String, u64), JournalError> {
    let (mut page, mut damaged) = (String::new(), 0);
    for row in rows {
        let event = format!("{}/{}", row.session, row.step.seq());
        let brief = match fetcher.brief(row, BRIEF_CHARS) {
            Ok(brief) => brief,
            Err(JournalError::Damaged(_)) => {
                damaged += 1;
                page.push_str(if page.is_empty() { "" } else { "," });
                page.push_str(&json!({"damaged": true, "event": event}).to_string());
                continue;
            }
            Err(error) => return Err(error),
        };
        let row = JsonRow {
            agent: brief.agent.as_deref(),
            agent_id: brief.agent_id.as_deref(),
            conflict: row.step.conflict,
            event,
            group: brief.group.as_deref(),
            hash: &brief.hash,
            kind: &brief.kind,
            label: &brief.label,
            superseded: row.step.superseded,
            text: &brief.text,
            time: &brief.time,
        };
        page.push_str(if page.is_empty() { "" } else { "," });
        page.push_str(&harmless_json(&serde_json::to_string(&row).unwrap_or_default()));
    }
    Ok((page, damaged))
}
