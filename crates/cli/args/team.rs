//! What agents of a team and their orchestrator type.

mod digests;
mod events;
mod handoffs;
mod reasoning;
mod skills;

use std::path::PathBuf;

use clap::Args as ClapArgs;

pub(crate) use self::digests::*;
pub(crate) use self::events::*;
pub(crate) use self::handoffs::*;
pub(crate) use self::reasoning::*;
pub(crate) use self::skills::*;
use super::KnownValues;

// How an event is recorded and acknowledged.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Saving {
    /// Print the event's name alone
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

// Where files beside the journal are.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Beside {
    /// The folder of handoff files (else `$RECOUNT_ARTIFACTS`, else artifacts/ in the store)
    #[arg(long, value_name = "DIR")]
    pub(crate) artifacts: Option<PathBuf>,
}

// Text from an argument, a file or standard input.
#[allow(clippy::struct_field_names)] // the flags are called so
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Content {
    /// The text; - or nothing reads it from standard input
    #[arg(allow_hyphen_values = true, value_name = "TEXT")]
    pub(crate) argument: Option<String>,
    /// The text
    #[arg(long, allow_hyphen_values = true, conflicts_with_all = ["argument", "content_file"])]
    pub(crate) text: Option<String>,
    /// A file with the text
    #[arg(
        long,
        alias = "content_file",
        alias = "payload-file",
        alias = "payload_file",
        value_name = "FILE",
        conflicts_with = "argument"
    )]
    pub(crate) content_file: Option<PathBuf>,
}
