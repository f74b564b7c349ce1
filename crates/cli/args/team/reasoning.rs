//! What is typed to save, get and judge reasoning.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::{Content, Saving};

#[derive(Debug, ClapArgs)]
pub(crate) struct SaveReasoning {
    /// The session
    pub(crate) session: String,
    /// The group
    pub(crate) group: String,
    /// The agent's role
    pub(crate) agent: String,
    /// understanding, approach, decisions, risks, blockers, pivot or completion
    pub(crate) phase: String,
    #[command(flatten)]
    pub(crate) content: Content,
    /// Which agent of that role
    #[arg(long, alias = "agent_id")]
    pub(crate) agent_id: Option<String>,
    /// Your own count of attempts
    #[arg(long, alias = "attempt", value_name = "N")]
    pub(crate) iteration: Option<u64>,
    /// high, medium or low
    #[arg(long, alias = "confidence_level")]
    pub(crate) confidence: Option<String>,
    /// Files and events that it rests on, as a JSON array of strings
    #[arg(long, value_name = "JSON")]
    pub(crate) references: Option<String>,
    #[command(flatten)]
    pub(crate) saving: Saving,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReasoningFormat {
    /// A JSON array, an entry a line
    Json,
    /// Markdown, whole
    Markdown,
    /// A short table for a prompt
    PromptSummary,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GetReasoning {
    /// The session
    pub(crate) session: String,
    /// The group (default: all)
    pub(crate) group: Option<String>,
    /// The group, as a flag
    #[arg(
        long = "group",
        alias = "group_id",
        alias = "group-id",
        value_name = "GROUP",
        conflicts_with = "group"
    )]
    pub(crate) group_flag: Option<String>,
    /// Only this role
    #[arg(long, alias = "agent_type", alias = "agent")]
    pub(crate) agent_type: Option<String>,
    /// Only this agent
    #[arg(long, alias = "agent_id")]
    pub(crate) agent_id: Option<String>,
    /// Only this phase
    #[arg(long)]
    pub(crate) phase: Option<String>,
    /// At most so many, the newest first
    #[arg(long, short = 'n', default_value_t = 50)]
    pub(crate) limit: usize,
    /// How
    #[arg(long, default_value = "json")]
    pub(crate) format: ReasoningFormat,
    /// Exit with 1 if there is none
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReasoningTimeline {
    /// The session
    pub(crate) session: String,
    /// Only this group
    #[arg(long, alias = "group_id", alias = "group-id")]
    pub(crate) group: Option<String>,
    /// How
    #[arg(long, default_value = "markdown")]
    pub(crate) format: ReasoningFormat,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Compliance {
    /// The session
    pub(crate) session: String,
    /// Only this group
    #[arg(long, alias = "group_id")]
    pub(crate) group: Option<String>,
    /// Exit with 1 if something is missing, or there is nothing to judge
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Review {
    /// The session
    pub(crate) session: String,
    /// The group
    pub(crate) group: String,
    /// Exit with 1 if something was stated and not done, or done and not stated
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Criteria {
    /// The session
    pub(crate) session: String,
    /// A file with a criterion a line; - reads standard input
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
    /// Exit with 1 if one has no evidence
    #[arg(long)]
    pub(crate) check: bool,
}
