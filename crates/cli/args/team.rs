//! What agents of a team and their orchestrator type.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::KnownValues;

/// How an event is recorded and acknowledged.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Saving {
    /// Print the event's name alone
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

/// Where files beside the journal are.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Beside {
    /// The folder of handoff files (else `$RECOUNT_ARTIFACTS`, else artifacts/ in the store)
    #[arg(long, value_name = "DIR")]
    pub(crate) artifacts: Option<PathBuf>,
}

/// Text from an argument, a file or standard input.
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

/// Which outputs.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TokenizerName {
    /// `OpenAI`'s vocabulary, part of the program
    O200k,
    /// A quarter of the bytes: an estimate
    Bytes4,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Digest {
    /// The session
    pub(crate) session: String,
    /// The group
    pub(crate) group: String,
    /// The role that it is for
    #[arg(long = "for", value_name = "ROLE")]
    pub(crate) role: String,
    /// The most tokens of all of it
    #[arg(long, default_value_t = 1200, value_name = "TOKENS")]
    pub(crate) budget: u64,
    /// The most characters of one entry
    #[arg(long, alias = "per_phase", default_value_t = 400, value_name = "CHARS")]
    pub(crate) per_phase: usize,
    /// The most entries
    #[arg(long, short = 'n', default_value_t = 3)]
    pub(crate) limit: usize,
    /// Only what was recorded up to this sequence
    #[arg(long, value_name = "SEQ")]
    pub(crate) upto: Option<u64>,
    /// Who counts tokens
    #[arg(long, default_value = "o200k")]
    pub(crate) tokenizer: TokenizerName,
    /// Show what is in it, what is not and why; records nothing
    #[arg(long)]
    pub(crate) explain: bool,
    /// The tokens of the whole prompt: shows what is left of them
    #[arg(long, value_name = "TOKENS")]
    pub(crate) total: Option<u64>,
    /// Another part of the prompt: its file, and the tokens that it may take
    #[arg(long, value_name = "NAME=FILE,TOKENS", requires = "total")]
    pub(crate) component: Vec<String>,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Spawned {
    /// The session
    pub(crate) session: String,
    /// The group
    pub(crate) group: String,
    /// The role
    pub(crate) agent: String,
    #[command(flatten)]
    pub(crate) content: Content,
    /// Which agent of that role
    #[arg(long, alias = "agent_id")]
    pub(crate) agent_id: Option<String>,
    /// The agent that spawned it
    #[arg(long, alias = "parent_agent")]
    pub(crate) parent_agent: Option<String>,
    #[command(flatten)]
    pub(crate) saving: Saving,
}

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

#[derive(Debug, ClapArgs)]
pub(crate) struct Prompt {
    #[command(subcommand)]
    pub(crate) command: PromptCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PromptCommand {
    /// Tell an agent to save its reasoning, with the commands filled in
    Reasoning {
        /// The role
        #[arg(long)]
        agent: String,
        /// The session
        #[arg(long)]
        session: String,
        /// The group
        #[arg(long)]
        group: String,
    },
    /// Tell an agent to read the handoff before it
    Handoff {
        /// The session
        session: String,
        /// The group
        group: String,
        /// The role
        #[arg(long)]
        agent: String,
        #[command(flatten)]
        beside: Beside,
    },
    /// Tell an agent what to return
    Return {
        /// The role
        #[arg(long)]
        agent: String,
    },
    /// Print the script around a spawn
    Orchestrator {
        /// The session
        #[arg(long)]
        session: String,
    },
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
