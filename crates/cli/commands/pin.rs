//! `recount pin`: which store this is and how far its log is, for who wants to compare later.

use audit::Pin;
use serde_json::json;

use crate::args::Global;
use crate::failure::Failure;
use crate::output::Output;
use crate::place;

pub(crate) fn run(global: &Global, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let pin = Pin::of(store.journal())?;
    if out.json {
        let body = json!({"store": pin.store, "pin": pin.id, "text": pin.to_text()});
        out.document("recount.pin/1", &json!({}), true, body)?;
        return Ok(0);
    }
    out.text(&pin.to_text())?;
    Ok(0)
}
