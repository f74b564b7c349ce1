//! The server for agents.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::KnownValues;

#[derive(Debug, ClapArgs)]
pub(crate) struct Mcp {
    /// The folder that handoffs and what they name are written to
    #[arg(long, value_name = "DIR", default_value = "artifacts")]
    pub(crate) artifacts: PathBuf,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}
