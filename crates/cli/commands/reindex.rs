//! `recount reindex`

use serde_json::json;

use crate::args::Global;
use crate::failure::Failure;
use crate::output::Output;
use crate::place;

pub(crate) fn run(global: &Global, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let done = store.reindex()?;
    if out.json {
        out.document("recount.reindex/1", &json!({"events": done}), true, json!({"events": done}))?;
    } else {
        out.line(&format!("indexed {done} events"))?;
    }
    Ok(0)
}
