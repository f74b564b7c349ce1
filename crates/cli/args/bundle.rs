//! What `bundle` and `custody` take.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// How much is told of events that a query does not match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rest {
    /// Their headers: what there was, without a word of what was said
    Head,
    /// Their hashes
    Hash,
    /// How many there are, and where
    None,
}

#[derive(Debug, Args)]
pub(crate) struct Bundle {
    /// Sessions (default: all)
    pub(crate) sessions: Vec<String>,
    /// Tell only events that match as a whole; by headers alone (kind, agent, group, phase, seq, time …) that is proven, by text attested
    #[arg(long, value_name = "Q")]
    pub(crate) query: Option<String>,
    /// Where: a folder, or an archive if the name ends in .tar.zst; nothing may be there yet
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: PathBuf,
    /// How much is told of the others (default: their headers where headers decide, else nothing)
    #[arg(long, requires = "query")]
    pub(crate) rest: Option<Rest>,
    /// What for
    #[arg(long)]
    pub(crate) purpose: Option<String>,
    /// Which case: one of this store comes with its own session, and where no session is named, with those it is about
    #[arg(long)]
    pub(crate) case: Option<String>,
    #[command(flatten)]
    pub(crate) hand: HandArgs,
}

// Who signs.
#[derive(Debug, Default, Args)]
pub(crate) struct HandArgs {
    /// Sign with this SSH key by `ssh-keygen -Y sign`; with its .pub file, the agent or the security key signs
    #[arg(long, value_name = "PATH")]
    pub(crate) sign_key: Option<PathBuf>,
    /// Whose key that is, as an `allowed_signers` file names them (default: the key's comment)
    #[arg(long, value_name = "NAME", requires = "sign_key")]
    pub(crate) principal: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Custody {
    #[command(subcommand)]
    pub(crate) command: CustodyCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CustodyCommand {
    /// Write down, chained and signed, that a bundle changed hands
    Add(CustodyAdd),
}

#[derive(Debug, Args)]
pub(crate) struct CustodyAdd {
    /// The bundle's folder
    pub(crate) bundle: PathBuf,
    /// What was done: "handed over", "received", "verified"
    #[arg(long)]
    pub(crate) action: String,
    /// To whom
    #[arg(long)]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) hand: HandArgs,
}
