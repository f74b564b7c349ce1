//! `recount prove S/17`: one event, and the way from it to a signed checkpoint, as one JSON document.

use event::EventRef;
use serde_json::{Value, json};

use crate::args::{Global, Prove};
use crate::failure::Failure;
use crate::output::Output;
use crate::place;

pub(crate) fn run(global: &Global, args: &Prove, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let reference = EventRef::parse(&args.event)?;
    let (event, _) = store.event(&reference)?;
    let proof = audit::prove(store.journal(), &event.session, event.seq)?;
    let body: Value = serde_json::to_value(&proof).map_err(|e| Failure::usage(e.to_string()))?;
    out.document("recount.proof/1", &json!({"event": event.name()}), true, body)?;
    Ok(0)
}
