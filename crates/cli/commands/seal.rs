//! `recount seal`: every session is sealed now, and the store log gets a new checkpoint.

use recorder::Store;
use serde_json::{Value, json};
use world::World;

use crate::args::Global;
use crate::failure::{Failure, INTEGRITY};
use crate::harmless::harmless;
use crate::output::Output;
use crate::{place, seals};

pub(crate) fn run(global: &Global, out: &mut Output) -> Result<u8, Failure> {
    let store = Store::open(World::real(), &place::to_write(global)?)?;
    let sealed = seals::sealer(store.journal())?.seal_all()?;
    let exit = if sealed.stuck.is_empty() { 0 } else { INTEGRITY };
    if out.json {
        let seals: Vec<Value> =
            sealed.seals.iter().map(|(s, n)| json!({"session": s.as_str(), "events": n})).collect();
        let stuck: Vec<Value> =
            sealed.stuck.iter().map(|(s, what)| json!({"session": s.as_str(), "msg": what})).collect();
        let body = json!({"seals": seals, "stuck": stuck, "root": sealed.root});
        out.document("recount.seal/1", &json!({"log_size": sealed.size}), exit == 0, body)?;
        return Ok(exit);
    }
    for (session, what) in &sealed.stuck {
        eprintln!("error: {session} is not sealed: {} [R0004]", harmless(what));
    }
    for (session, events) in &sealed.seals {
        out.line(&format!("{session}\t{events}"))?;
    }
    out.flush()?;
    eprintln!(
        "sealed {} sessions; log size {}, root {}",
        sealed.seals.len(),
        sealed.size,
        &sealed.root[..16]
    );
    Ok(exit)
}
