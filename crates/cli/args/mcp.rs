//! The server for agents.

use clap::Args as ClapArgs;

use super::KnownValues;

#[derive(Debug, ClapArgs)]
pub(crate) struct Mcp {
    #[command(flatten)]
    pub(crate) known: KnownValues,
}
