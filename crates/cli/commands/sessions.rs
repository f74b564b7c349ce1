//! `recount sessions`

use serde_json::json;

use crate::args::{Global, Sessions};
use crate::commands::shown;
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Sessions, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let most = args.limit.unwrap_or(usize::MAX);
    let sessions = match shown::moment(&store, args.at.as_deref())? {
        Some(at) => store.sessions_at(&at, most)?,
        None => store.sessions(most)?,
    };
    let as_of = json!(sessions.as_of);
    let complete = sessions.complete;
    let rows = &sessions.rows;
    if out.json {
        out.document("recount.sessions/1", &as_of, complete, json!({"sessions": rows}))?;
        return Ok(0);
    }
    if rows.is_empty() {
        eprintln!("no sessions yet; `recount import claude-code` or `recount record` makes one");
    }
    let mut table =
        Table::new(&["session", "last", "events", "errors", "status", "agents", "groups", "title"]);
    for row in rows {
        let join =
            |set: &std::collections::BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(",");
        table.row(vec![
            row.original_id.as_ref().unwrap_or(&row.view.session).into(),
            shown::time(&row.last_at, out.utc).into(),
            row.view.events.to_string().into(),
            row.view.errors.to_string().into(),
            row.status().into(),
            join(&row.view.agents).into(),
            join(&row.view.groups).into(),
            row.title.clone().unwrap_or_default().into(),
        ]);
    }
    out.table(&table)?;
    if !complete {
        eprintln!("warning: damaged lines were passed over; `recount verify` shows them");
    }
    Ok(0)
}
