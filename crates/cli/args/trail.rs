//! What can be typed about the audit trail's upkeep: compressing, keys, anchors.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

#[derive(Debug, ClapArgs)]
pub(crate) struct Compact {
    /// The session (default: all)
    pub(crate) session: Option<String>,
    /// Only say what would be compressed
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Keys {
    #[command(subcommand)]
    pub(crate) command: Option<KeysCommand>,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum KeysCommand {
    /// Put right what is lost or damaged, as far as the log's own key is here; compare with a pin kept elsewhere first
    Recover,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Anchor {
    #[command(subcommand)]
    pub(crate) command: AnchorCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AnchorCommand {
    /// Commit the pin and the checkpoint into a git repository, by git
    Git {
        /// The repository; push it to where others have it
        repo: PathBuf,
    },
    /// Say how to have the checkpoint time-stamped by openssl, or keep the response
    Rfc3161 {
        /// The response of the time-stamping authority
        #[arg(long, value_name = "FILE")]
        tsr: Option<PathBuf>,
    },
    /// Show the checkpoint to witnesses and keep their signatures: the one command that opens a connection
    Witness {
        /// Where they are: `http://`, a host, and a port and path if need be
        #[arg(required = true, value_name = "URL")]
        urls: Vec<String>,
        /// Check their signatures with the keys of this C2SP tlog-policy (else the one beside the keys, if there is one)
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,
    },
    /// List what has seen the log
    List,
}
