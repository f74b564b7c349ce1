//! `recount repair S`: what the next append would do, now.

use recorder::Durability;
use serde_json::json;

use crate::args::{Global, KnownValues, Repair};
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::seals::Seals;

pub(crate) fn run(global: &Global, args: &Repair, out: &mut Output) -> Result<u8, Failure> {
    let mut recorder = place::recorder(global, Durability::Always, &KnownValues::default())?;
    let session = recorder.store().session(&args.session)?;
    let recovered = recorder.repair(&session)?;
    Seals::new(&recorder)?.leave(&mut recorder);
    if out.json {
        let body = json!({
            "session": session.as_str(),
            "cut_bytes": recovered.as_ref().map_or(0, |r| r.bytes),
            "kept_as": recovered.as_ref().map(|r| &r.file),
        });
        out.document("recount.repair/1", &json!({"session": session.as_str()}), true, body)?;
        return Ok(0);
    }
    match recovered {
        Some(recovered) => out.line(&format!(
            "{session}: {} torn bytes cut off before event {}, kept as journal/torn/{}",
            recovered.bytes, recovered.seq, recovered.file
        ))?,
        None => out.line(&format!("{session}: nothing torn"))?,
    }
    Ok(0)
}
