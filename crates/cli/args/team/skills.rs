//! What is typed about outputs of skills.

use clap::{Args as ClapArgs, Subcommand};

use super::{Content, Saving};

#[derive(Debug, ClapArgs)]
pub(crate) struct Skill {
    #[command(subcommand)]
    pub(crate) command: SkillCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SkillCommand {
    /// Save an output; its iteration is its rank
    Save(SkillSave),
    /// Show the latest output
    Latest(SkillLatest),
    /// Show every output, by iteration
    All(SkillAll),
    /// Show what changed between two iterations
    Diff(SkillDiff),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SkillSave {
    /// The session
    pub(crate) session: String,
    /// The skill
    pub(crate) skill: String,
    #[command(flatten)]
    pub(crate) content: Content,
    /// The role of the agent that ran it
    #[arg(long, alias = "agent_type", alias = "agent-type")]
    pub(crate) agent: Option<String>,
    /// The group that it ran for
    #[arg(long, alias = "group_id", alias = "group-id")]
    pub(crate) group: Option<String>,
    #[command(flatten)]
    pub(crate) saving: Saving,
}

// Which outputs.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Outputs {
    /// The session
    pub(crate) session: String,
    /// The skill
    pub(crate) skill: String,
    /// Only by this role
    #[arg(long, alias = "agent_type", alias = "agent-type")]
    pub(crate) agent: Option<String>,
    /// Only for this group
    #[arg(long, alias = "group_id", alias = "group-id")]
    pub(crate) group: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SkillLatest {
    #[command(flatten)]
    pub(crate) which: Outputs,
    /// One for each role that ran it
    #[arg(long)]
    pub(crate) per_agent: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SkillAll {
    #[command(flatten)]
    pub(crate) which: Outputs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SkillDiff {
    #[command(flatten)]
    pub(crate) which: Outputs,
    /// Two iterations, e.g. 1..2
    #[arg(long, value_name = "A..B")]
    pub(crate) iter: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SkillEvidence {
    /// The session
    pub(crate) session: String,
    /// The skills, with commas between them
    #[arg(value_delimiter = ',', required = true)]
    pub(crate) skills: Vec<String>,
    /// Only by this role
    #[arg(long, alias = "agent_type")]
    pub(crate) agent: Option<String>,
    /// Only what is younger, in minutes
    #[arg(long, value_name = "MINUTES")]
    pub(crate) since: Option<u64>,
}
