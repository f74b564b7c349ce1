//! `recount redact stats [S]`: what was taken out, counted.

use serde_json::{Value, json};

use crate::args::{Global, RedactStats};
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(super) fn run(global: &Global, args: &RedactStats, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let session = args.session.as_deref().map(|name| store.session(name)).transpose()?;
    let found = store.redactions(session.as_ref())?;
    let named = |id: &event::SessionId| store.original(id).unwrap_or_else(|| id.to_string());
    let total: u64 = found.counts.values().sum();
    if out.json {
        let rows: Vec<Value> = found
            .counts
            .iter()
            .map(|((session, agent, kind), count)| {
                json!({"session": session.as_str(), "name": named(session), "agent": agent, "kind": kind, "count": count})
            })
            .collect();
        let as_of = json!({"events": found.events});
        let body = json!({"total": total, "rows": rows});
        out.document("recount.redact.stats/1", &as_of, found.damaged == 0, body)?;
        return Ok(0);
    }
    let mut table = Table::new(&["session", "agent", "kind", "count"]);
    for ((session, agent, kind), count) in &found.counts {
        table.row(vec![named(session).into(), agent.into(), kind.into(), count.to_string().into()]);
    }
    out.table(&table)?;
    super::warn_of_damage(found.damaged);
    eprintln!("{total} secrets were taken out of {} events", found.events);
    Ok(0)
}
