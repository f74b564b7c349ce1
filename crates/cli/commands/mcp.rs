//! `recount mcp`: tools for agents over standard input and output.

use mcp::House;
use orchestrate::Files;
use recorder::Durability;

use crate::args::{Global, Mcp};
use crate::failure::{Failure, IO};
use crate::place;
use crate::seals::Seals;
use crate::unsaid::unsaid;

pub(crate) fn run(global: &Global, args: &Mcp) -> Result<u8, Failure> {
    place::made(global)?;
    let recorder = place::recorder(global, Durability::Always, &args.known)?;
    let mut seals = Seals::new(&recorder)?;
    let base = std::env::current_dir().map_err(|e| Failure::io("find the current folder", &e))?;
    let files = Files { artifacts: base.join(&args.artifacts), base };
    let recorded = Box::new(move |recorder: &mut _| seals.leave(recorder));
    mcp::serve(House { recorder, recorded, files, unsaid })
        .map_err(|error| Failure::new(IO, error.to_string()))?;
    Ok(0)
}
