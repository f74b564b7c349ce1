//! `recount init [DIR]`: makes a store, its keys and its log.

use journal::Journal;
use world::World;

use crate::args::{Global, Init};
use crate::failure::Failure;
use crate::output::Output;
use crate::{place, seals};

pub(crate) fn run(global: &Global, args: &Init, out: &mut Output) -> Result<u8, Failure> {
    let root = match &args.dir {
        Some(dir) => dir.clone(),
        None => place::to_write(global)?,
    };
    let root = std::path::absolute(&root).map_err(|e| Failure::io("resolve the folder", &e))?;
    let (journal, made) = Journal::init(World::real(), &root)?;
    place::keys(journal.store_id())?;
    let sealer = seals::sealer(&journal)?;
    match args.restores.as_deref().filter(|_| made) {
        Some(other) => sealer.restore(&Journal::open(World::real(), other)?)?,
        None => sealer.begin()?,
    }
    if out.json {
        let body = serde_json::json!({"store": journal.store_id(), "path": root, "made": made});
        out.document("recount.init/1", &serde_json::json!({}), true, body)?;
        return Ok(0);
    }
    eprintln!("{}", if made { "made a store" } else { "the store is there already" });
    out.line(&root.display().to_string())?;
    Ok(0)
}
