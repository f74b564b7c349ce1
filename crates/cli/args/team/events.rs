//! What is typed about events, logs, tokens and packages.

use clap::{Args as ClapArgs, Subcommand};

use super::{Content, Saving, TokenizerName};

#[derive(Debug, ClapArgs)]
pub(crate) struct SaveEvent {
    /// The session
    pub(crate) session: String,
    /// What happened: a kind, or any name of your own
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) content: Content,
    /// With this key and content it is stored once
    #[arg(long, alias = "idempotency_key", alias = "key", value_name = "KEY")]
    pub(crate) idempotency_key: Option<String>,
    /// The group
    #[arg(long, alias = "group_id", alias = "group-id")]
    pub(crate) group: Option<String>,
    /// The agent's role
    #[arg(long, alias = "agent_type")]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) saving: Saving,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GetEvents {
    /// The session
    pub(crate) session: String,
    /// Only of this name
    pub(crate) name: Option<String>,
    /// At most so many, the newest first
    #[arg(default_value_t = 50)]
    pub(crate) limit: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LogInteraction {
    /// The session
    pub(crate) session: String,
    /// The agent's role
    pub(crate) agent: String,
    #[command(flatten)]
    pub(crate) content: Content,
    /// Which agent of that role
    #[arg(long, alias = "agent_id")]
    pub(crate) agent_id: Option<String>,
    /// Your own count
    #[arg(long, value_name = "N")]
    pub(crate) iteration: Option<u64>,
    /// The group
    #[arg(long, alias = "group_id", alias = "group-id")]
    pub(crate) group: Option<String>,
    #[command(flatten)]
    pub(crate) saving: Saving,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct StreamLogs {
    /// The session
    pub(crate) session: String,
    /// At most so many
    #[arg(default_value_t = 50)]
    pub(crate) limit: usize,
    /// So many of the newest are passed over
    #[arg(default_value_t = 0)]
    pub(crate) offset: usize,
    /// Search the whole session for words or a "phrase" instead
    #[arg(long, value_name = "QUERY")]
    pub(crate) search: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LogTokens {
    /// The session
    pub(crate) session: String,
    /// The agent's role
    pub(crate) agent: String,
    /// How many
    pub(crate) tokens: u64,
    /// Which agent of that role
    pub(crate) agent_id: Option<String>,
    /// The group
    #[arg(long, alias = "group_id", alias = "group-id")]
    pub(crate) group: Option<String>,
    #[command(flatten)]
    pub(crate) saving: Saving,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SavePackage {
    /// The session
    pub(crate) session: String,
    /// The group, or global
    pub(crate) group: String,
    /// research, failures, decisions, handoff or investigation
    #[arg(value_name = "TYPE")]
    pub(crate) kind: String,
    /// Its file
    pub(crate) path: String,
    /// The role that made it
    pub(crate) producer: String,
    /// The roles that it is for, as a JSON array or with commas between them
    pub(crate) consumers: String,
    /// critical, high, medium or low
    pub(crate) priority: String,
    /// One line about it
    pub(crate) summary: String,
    #[command(flatten)]
    pub(crate) saving: Saving,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GetPackages {
    /// The session
    pub(crate) session: String,
    /// The group
    pub(crate) group: String,
    /// The role that they are for
    pub(crate) agent: String,
    /// At most so many
    #[arg(default_value_t = 3)]
    pub(crate) limit: usize,
    /// Those that were taken in, too
    #[arg(long, alias = "include_consumed")]
    pub(crate) include_consumed: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConsumePackage {
    /// The package, as session/sequence
    pub(crate) package: String,
    /// The role that has taken it in
    pub(crate) agent: String,
    /// Your own count
    pub(crate) iteration: Option<u64>,
    #[command(flatten)]
    pub(crate) saving: Saving,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StatsCommand {
    /// How work went through the team, from the statuses that were handed over
    Flow {
        /// The session (default: all)
        session: Option<String>,
        /// Only since this time (12h, 30d, 2026-11-27, RFC 3339)
        #[arg(long, value_name = "TIME")]
        since: Option<String>,
    },
    /// Tokens by agent, and what returns cost beside the whole of what was handed over
    Tokens {
        /// The session
        session: String,
        /// Who counts tokens
        #[arg(long, default_value = "o200k")]
        tokenizer: TokenizerName,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Stats {
    #[command(subcommand)]
    pub(crate) command: Option<StatsCommand>,
    /// As if nothing had been recorded after this event (session/sequence): of its session, and elsewhere of its time
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: Option<String>,
}
