//! `recount repair S`: what the next append would do, now; and what an erasure that was cut off left to do.

use event::SessionId;
use recorder::{Durability, Recorder};
use serde_json::json;

use crate::args::bundle::HandArgs;
use crate::args::{Global, KnownValues, Repair};
use crate::erasing::Bench;
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::seals::Seals;

pub(crate) fn run(global: &Global, args: &Repair, out: &mut Output) -> Result<u8, Failure> {
    let mut recorder = place::recorder(global, Durability::Always, &KnownValues::default())?;
    let session = recorder.store().session(&args.session)?;
    let recovered = recorder.repair(&session)?;
    Seals::new(&recorder)?.leave(&mut recorder);
    let swept = finish_erasures(global, &recorder, &session)?;
    if out.json {
        let body = json!({
            "session": session.as_str(),
            "cut_bytes": recovered.as_ref().map_or(0, |r| r.bytes),
            "kept_as": recovered.as_ref().map(|r| &r.file),
            "erasures_finished": swept,
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
    if swept > 0 {
        out.line(&format!("{session}: {swept} erasures finished that were cut off"))?;
    }
    Ok(0)
}

/// Orders to erase that nobody swept after: what they name is overwritten by now, or is here.
fn finish_erasures(global: &Global, recorder: &Recorder, session: &SessionId) -> Result<u64, Failure> {
    let store = recorder.store();
    if !audit::owes_sweep(store.journal(), session)? {
        return Ok(0);
    }
    let bench = Bench::open(global, &HandArgs::default())?;
    Ok(bench.eraser().finish(session)?)
}
