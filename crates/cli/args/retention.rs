//! What can be typed about how long sessions are kept.

use std::path::PathBuf;

use audit::Basis;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{Args as ClapArgs, Subcommand};

#[derive(Debug, ClapArgs)]
pub(crate) struct Purge {
    /// The sessions
    #[arg(required_unless_present = "due", conflicts_with = "due")]
    pub(crate) sessions: Vec<String>,
    /// All that `recount retention` lists as due
    #[arg(long)]
    pub(crate) due: bool,
    /// Why: retention needs an age, the others are orders
    #[arg(long, value_name = "BASIS", value_parser = basis(), required_unless_present = "due")]
    pub(crate) basis: Option<Basis>,
    /// Whose matter it is, in your own books
    #[arg(long, value_name = "TICKET", required_unless_present = "due")]
    pub(crate) ticket: Option<String>,
    /// Write the header lines of each session into this folder first
    #[arg(long, value_name = "DIR")]
    pub(crate) keep_spine: Option<PathBuf>,
    /// Only say what would be taken away
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Don't ask
    #[arg(long)]
    pub(crate) yes: bool,
}

/// The words for why something may be taken out of a store.
pub(crate) fn basis() -> impl clap::builder::TypedValueParser<Value = Basis> {
    let words = Basis::ALL.map(|(_, word)| word);
    PossibleValuesParser::new(words).map(|word| Basis::of(&word).unwrap_or(Basis::Retention))
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Hold {
    #[command(subcommand)]
    pub(crate) command: HoldCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HoldCommand {
    /// Keep sessions for a case: nothing of them is erased or purged
    Add(HoldOf),
    /// The case needs them no longer
    Release(HoldOf),
    /// Show the holds in force
    List,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HoldOf {
    /// The sessions
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub(crate) sessions: Vec<String>,
    /// Every session, those to come too
    #[arg(long)]
    pub(crate) all: bool,
    /// The case
    #[arg(long, value_name = "CASE")]
    pub(crate) case: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Retention {
    /// Keep sessions so many days from now on (at least 184)
    #[arg(long, value_name = "DAYS")]
    pub(crate) keep_days: Option<u32>,
    /// Keep copies of handoffs beside the journal so many days (`recount gc` removes older ones)
    #[arg(long, value_name = "DAYS")]
    pub(crate) artifact_days: Option<u32>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Gc {
    /// Copies older than so many days (default: what `recount retention` says)
    #[arg(long, value_name = "DAYS")]
    pub(crate) days: Option<u32>,
    #[command(flatten)]
    pub(crate) beside: super::team::Beside,
    /// Only say what would be removed
    #[arg(long)]
    pub(crate) dry_run: bool,
}
