//! `recount stats`

use serde_json::json;

use crate::args::Global;
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let stats = store.stats()?;
    if out.json {
        let as_of = json!({"sessions": stats.sessions, "events": stats.events});
        let complete = stats.damaged == 0;
        let body = json!({
            "bytes": stats.bytes, "kinds": stats.kinds, "agents": stats.agents,
            "redacted": stats.redacted, "phases": stats.phases, "thinking": stats.forms,
        });
        out.document("recount.stats/1", &as_of, complete, body)?;
        return Ok(0);
    }
    let mut table = Table::new(&["what", "of", "count"]);
    let mut row =
        |what: &str, of: &str, count: u64| table.row(vec![what.into(), of.into(), count.to_string().into()]);
    row("sessions", "", stats.sessions);
    row("events", "", stats.events);
    row("bytes", "journal", stats.bytes);
    for (what, counts) in [
        ("kind", &stats.kinds),
        ("agent", &stats.agents),
        ("phase", &stats.phases),
        ("thinking", &stats.forms),
        ("redacted", &stats.redacted),
    ] {
        for (of, count) in counts {
            row(what, of, *count);
        }
    }
    out.table(&table)?;
    if stats.damaged > 0 {
        eprintln!("warning: {} damaged lines were passed over; `recount verify` shows them", stats.damaged);
    }
    Ok(0)
}
