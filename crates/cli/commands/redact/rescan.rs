//! `recount redact rescan [S]`: what today's rules would take out of what is stored. It proposes; with `--apply` it
//! erases, and today's redacted text stands in for what went.

use std::collections::BTreeSet;

use audit::{Ask, Basis};
use event::SessionId;
use recorder::{Rescan as Found, Store};
use serde_json::{Map, Value, json};

use crate::args::{Global, Rescan};
use crate::commands::hold;
use crate::commands::shown::Names;
use crate::erasing::{Bench, confirm};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(super) fn run(global: &Global, args: &Rescan, out: &mut Output) -> Result<u8, Failure> {
    if args.apply {
        return apply(global, args, out);
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

/// Erases every field that is proposed, on the ground that it holds a secret.
fn apply(global: &Global, args: &Rescan, out: &mut Output) -> Result<u8, Failure> {
    let ticket = hold::identifier("ticket", &args.ticket)?;
    // what is written to is named, or the user's own: never a folder that happens to be above
    let store = Some(place::to_write(global)?);
    let named = Global { store, ..global.clone() };
    let (store, redactor) = place::store_and_redactor(&named, &args.known)?;
    let session = args.session.as_deref().map(|name| store.session(name)).transpose()?;
    let found = store.rescan(&redactor, session.as_ref())?;
    super::warn_of_damage(found.damaged);
    let asks = asks(&store, &redactor, &found, ticket)?;
    if asks.is_empty() {
        eprintln!("{} events read: nothing to erase", found.events);
        return Ok(0);
    }
    let fields: usize = asks.iter().map(|ask| ask.fields.len()).sum();
    confirm(args.yes, &format!("erase {fields} fields of {} events for ever?", asks.len()))?;
    let bench = Bench::open(&named, &args.hand)?;
    let done = bench.erase(&asks)?;
    bench.told(&done, &asks, out)?;
    Ok(0)
}

fn asks(
    store: &Store,
    redactor: &redact::Redactor,
    found: &Found,
    ticket: &str,
) -> Result<Vec<Ask>, Failure> {
    let mut events: BTreeSet<(SessionId, u64)> = BTreeSet::new();
    for late in &found.late {
        if late.field == "header" {
            // headers are for ever: who sees them sees it
            eprintln!("warning: the header of {}/{} cannot be erased", late.session, late.seq);
        } else {
            events.insert((late.session.clone(), late.seq));
        }
    }
    let mut asks = Vec::new();
    for (session, seq) in events {
        let replacement: Map<String, Value> = store.cleaned(redactor, &session, seq)?;
        let fields: Vec<String> = replacement.keys().cloned().collect();
        if fields.is_empty() {
            continue;
        }
        let (basis, ticket) = (Basis::Secret, ticket.to_owned());
        asks.push(Ask { session, seq, fields, basis, ticket, reason: None, replacement });
    }
    Ok(asks)
}
