//! What can be typed about the audit trail's upkeep: compressing.

use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
pub(crate) struct Compact {
    /// The session (default: all)
    pub(crate) session: Option<String>,
    /// Only say what would be compressed
    #[arg(long)]
    pub(crate) dry_run: bool,
}
