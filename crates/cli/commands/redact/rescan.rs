//! `recount redact rescan [S]`: what today's rules would take out of what is stored. It proposes.

use serde_json::{Value, json};

use crate::args::{Global, Rescan};
use crate::commands::shown::Names;
use crate::failure::{Failure, NO, REFUSED};
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(super) fn run(global: &Global, args: &Rescan, out: &mut Output) -> Result<u8, Failure> {
    if args.apply {
        return Err(Failure::new(
            REFUSED,
            "stored events cannot be changed yet: --apply arrives with erasure",
        )
        .hint("without --apply, rescan says which events and fields it is about"));
    }
    let (store, redactor) = place::store_and_redactor(global, &args.known)?;
    let session = args.session.as_deref().map(|name| store.session(name)).transpose()?;
    let found = store.rescan(&redactor, session.as_ref())?;
    let exit = if found.late.is_empty() { 0 } else { NO };
    if out.json {
        let rows: Vec<Value> = found
            .late
            .iter()
            .map(|late| {
                json!({"event": format!("{}/{}", late.session, late.seq), "field": late.field, "kind": late.kind, "count": late.count})
            })
            .collect();
        let as_of = json!({"events": found.events});
        out.document("recount.redact.rescan/1", &as_of, found.damaged == 0, json!({"proposed": rows}))?;
        return Ok(exit);
    }
    let mut names = Names::new(&store);
    let mut table = Table::new(&["event", "field", "kind", "count"]);
    for late in &found.late {
        table.row(vec![
            names.event(&late.session, late.seq).into(),
            late.field.clone().into(),
            late.kind.clone().into(),
            late.count.to_string().into(),
        ]);
    }
    out.table(&table)?;
    super::warn_of_damage(found.damaged);
    eprintln!(
        "{} events read: {} fields hold what today is a secret; nothing was changed",
        found.events,
        found.late.len()
    );
    Ok(exit)
}
