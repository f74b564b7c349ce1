//! What is typed about handoffs, capsules and routes.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::{Beside, Content, KnownValues, Saving};

#[derive(Debug, ClapArgs)]
pub(crate) struct Schema {
    #[command(subcommand)]
    pub(crate) command: SchemaCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SchemaCommand {
    /// Print the JSON Schema of a role's handoffs
    Handoff {
        /// The role
        #[arg(long, default_value = "developer")]
        agent: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Handoff {
    #[command(subcommand)]
    pub(crate) command: HandoffCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HandoffCommand {
    /// Record a handoff and write its file
    Write(HandoffWrite),
    /// Check a handoff against the schema of its role
    Validate(HandoffValidate),
    /// Show who has handed over what, and who has read it
    Chain(HandoffChain),
    /// Check what an agent returned: a status and three lines
    ReturnCheck(ReturnCheck),
    /// Show the newest handoff, and leave a receipt that it was read
    Read(HandoffRead),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HandoffWrite {
    /// The session
    pub(crate) session: String,
    /// The group
    pub(crate) group: String,
    /// The role that hands over
    pub(crate) agent: String,
    #[command(flatten)]
    pub(crate) content: Content,
    /// Which agent of that role
    #[arg(long, alias = "agent_id")]
    pub(crate) agent_id: Option<String>,
    #[command(flatten)]
    pub(crate) beside: Beside,
    #[command(flatten)]
    pub(crate) saving: Saving,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HandoffValidate {
    /// The file; - reads standard input
    pub(crate) file: PathBuf,
    /// The role (else what the handoff says)
    #[arg(long)]
    pub(crate) agent: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HandoffChain {
    /// The session
    pub(crate) session: String,
    /// The group
    pub(crate) group: String,
    /// Exit with 1 if a link is missing or unread
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReturnCheck {
    #[command(flatten)]
    pub(crate) content: Content,
    /// The role that returned
    #[arg(long)]
    pub(crate) agent: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HandoffRead {
    /// The session
    pub(crate) session: String,
    /// The group
    pub(crate) group: String,
    /// Whose (default: the newest of any role)
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// Who reads it
    #[arg(long)]
    pub(crate) by: String,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Capsule {
    /// A handoff as session/sequence, or a session with --last
    pub(crate) what: String,
    /// The newest of the session
    #[arg(long)]
    pub(crate) last: bool,
    /// Without icons and arrows
    #[arg(long)]
    pub(crate) ascii: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RouteOf {
    /// The role that returned
    pub(crate) agent: String,
    /// Its status
    pub(crate) status: String,
}
