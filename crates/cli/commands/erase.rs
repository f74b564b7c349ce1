//! `recount erase S/17`: what an event says goes, that it was there stays, and every proof holds.

use std::io::Read as _;
use std::path::Path;

use audit::Ask;
use event::EventRef;
use journal::Target;
use recorder::Store;
use serde_json::{Map, Value, json};
use world::World;

use crate::args::{Erase, Global};
use crate::commands::hold;
use crate::erasing::{Bench, confirm};
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::output::Output;
use crate::place;

pub(crate) fn run(global: &Global, args: &Erase, out: &mut Output) -> Result<u8, Failure> {
    let ticket = hold::identifier("ticket", &args.ticket)?;
    let store = Store::open(World::real(), &place::to_write(global)?)?;
    let (event, _) = store.event(&EventRef::parse(&args.event)?)?;
    let mut ask = Ask {
        session: event.session,
        seq: event.seq,
        fields: args.field.clone(),
        basis: args.basis,
        ticket: ticket.to_owned(),
        reason: args.reason.clone(),
        replacement: Map::new(),
    };
    let target = audit::plan(store.journal(), &ask)?;
    if let Some(file) = &args.replace_file {
        ask.replacement = replacement(file, &target)?;
    }
    if args.dry_run {
        return would(&target, out);
    }
    let fields: Vec<&str> = target.slots.iter().map(|slot| slot.field.as_str()).collect();
    confirm(args.yes, &format!("erase {} of {}/{} for ever?", fields.join(", "), ask.session, ask.seq))?;
    let bench = Bench::open(global, &args.hand)?;
    let asks = [ask];
    let done = bench.erase(&asks)?;
    bench.told(&done, &asks, out)?;
    Ok(0)
}

/// One text stands in for one field.
fn replacement(file: &Path, target: &Target) -> Result<Map<String, Value>, Failure> {
    let [slot] = target.slots.as_slice() else {
        return Err(Failure::usage("one text cannot stand in for several fields")
            .hint("--field says which field is erased"));
    };
    let mut text = String::new();
    let read = if file == Path::new("-") {
        std::io::stdin().read_to_string(&mut text).map(drop)
    } else {
        std::fs::read_to_string(file).map(|read| text = read)
    };
    read.map_err(|e| Failure::io(&format!("read {}", file.display()), &e))?;
    Ok([(slot.field.clone(), Value::String(text))].into_iter().collect())
}

fn would(target: &Target, out: &mut Output) -> Result<u8, Failure> {
    let event = format!("{}/{}", target.session, target.seq);
    if out.json {
        let fields: Vec<&str> = target.slots.iter().map(|slot| slot.field.as_str()).collect();
        let body = json!({"dry_run": true, "event": event, "fields": fields});
        out.document("recount.erase/1", &json!({}), true, body)?;
        return Ok(0);
    }
    for slot in &target.slots {
        out.line(&format!("{event}\t{}\t{} bytes", harmless(&slot.field), slot.slot_bytes))?;
    }
    out.flush()?;
    eprintln!("would erase {} fields", target.slots.len());
    Ok(0)
}
