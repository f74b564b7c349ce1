//! `recount compact [S]`: rolled segments whose events are all sealed become zstd frames.

use audit::{Compaction, Fate};
use recorder::Store;
use serde_json::{Value, json};
use world::World;

use crate::args::{Compact, Global};
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::output::Output;
use crate::place;

pub(crate) fn run(global: &Global, args: &Compact, out: &mut Output) -> Result<u8, Failure> {
    let store = Store::open(World::real(), &place::to_write(global)?)?;
    let only = args.session.as_deref().map(|name| store.session(name)).transpose()?;
    let done = audit::compact(store.journal(), only.as_ref(), args.dry_run)?;
    if out.json {
        let segments: Vec<Value> = done.iter().map(as_json).collect();
        out.document(
            "recount.compact/1",
            &json!({"dry_run": args.dry_run}),
            true,
            json!({"segments": segments}),
        )?;
        return Ok(0);
    }
    for Compaction { session, first, fate } in &done {
        match fate {
            Fate::Packed(packed) => {
                out.line(&format!("{session}\t{first}\t{}\t{}", packed.bytes, packed.packed_bytes))?;
            }
            Fate::Would(bytes) => out.line(&format!("{session}\t{first}\t{bytes}"))?,
            Fate::Left(why) => eprintln!("note: {session} segment {first} is left: {}", harmless(why)),
        }
    }
    out.flush()?;
    eprintln!("{}", summed_up(&done, args.dry_run));
    Ok(0)
}

fn summed_up(done: &[Compaction], dry: bool) -> String {
    let (mut count, mut bytes, mut packed_bytes) = (0, 0, 0);
    for fate in done.iter().map(|compaction| &compaction.fate) {
        let (before, after) = match fate {
            Fate::Packed(packed) => (packed.bytes, packed.packed_bytes),
            Fate::Would(bytes) => (*bytes, 0),
            Fate::Left(_) => continue,
        };
        (count, bytes, packed_bytes) = (count + 1, bytes + before, packed_bytes + after);
    }
    match (count, dry) {
        (0, _) => {
            "nothing to compress: only segments that another follows are, once all of their events are sealed"
                .to_owned()
        }
        (_, true) => format!("would compress {count} segments of {bytes} bytes"),
        (_, false) => format!("compressed {count} segments: {bytes} bytes are {packed_bytes} now"),
    }
}

fn as_json(compaction: &Compaction) -> Value {
    let mut value = json!({"session": compaction.session.as_str(), "segment": compaction.first});
    match &compaction.fate {
        Fate::Packed(packed) => {
            value["bytes"] = packed.bytes.into();
            value["packed_bytes"] = packed.packed_bytes.into();
        }
        Fate::Would(bytes) => value["bytes"] = (*bytes).into(),
        Fate::Left(why) => value["left"] = why.as_str().into(),
    }
    value
}
