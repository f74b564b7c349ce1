//! The commands of `bazinga-db`, with the arguments that its callers use.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};

/// The name under which this program is the other one.
const NAME: &str = "bazinga-db";

#[derive(Debug, ClapArgs)]
pub(crate) struct BazingaDb {
    /// Accepted and not used: everything goes into the store
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    /// Accepted and not used
    #[arg(long, value_name = "DIR")]
    pub(crate) project_root: Option<PathBuf>,
    /// Leave the ✓ lines out; JSON is printed all the same
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: BazingaCommand,
}

// A text as an argument, `-` for standard input, or a file.
#[derive(Debug, ClapArgs)]
pub(crate) struct Content {
    /// The text; - reads it from standard input
    #[arg(allow_hyphen_values = true)]
    pub(crate) content: Option<String>,
    /// Read it from a file
    #[arg(long, value_name = "FILE", alias = "payload-file")]
    pub(crate) content_file: Option<PathBuf>,
}

// What a task group may be given.
#[derive(Debug, ClapArgs)]
pub(crate) struct GroupColumns {
    /// A JSON list of templates
    #[arg(long)]
    specializations: Option<String>,
    /// How many things there are to do
    #[arg(long)]
    item_count: Option<String>,
    /// The component's folder
    #[arg(long)]
    component_path: Option<String>,
    /// Developer or Senior Software Engineer
    #[arg(long)]
    initial_tier: Option<String>,
    /// 1 to 10
    #[arg(long)]
    complexity: Option<String>,
}

impl GroupColumns {
    fn columns(&self) -> [(&'static str, &Option<String>); 5] {
        [
            ("specializations", &self.specializations),
            ("item_count", &self.item_count),
            ("component_path", &self.component_path),
            ("initial_tier", &self.initial_tier),
            ("complexity", &self.complexity),
        ]
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CreateGroup {
    pub(crate) group: String,
    pub(crate) session: String,
    name: String,
    status: Option<String>,
    assigned_to: Option<String>,
    #[command(flatten)]
    more: GroupColumns,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct UpdateGroup {
    pub(crate) group: String,
    pub(crate) session: String,
    #[arg(long)]
    name: Option<String>,
    #[arg(long)]
    status: Option<String>,
    #[arg(long)]
    assigned_to: Option<String>,
    #[arg(long)]
    revision_count: Option<String>,
    #[arg(long)]
    last_review_status: Option<String>,
    #[arg(long)]
    security_sensitive: Option<String>,
    #[arg(long)]
    qa_attempts: Option<String>,
    #[arg(long)]
    tl_review_attempts: Option<String>,
    /// false: a group that is not there is not made
    #[arg(long, default_value = "true")]
    pub(crate) auto_create: String,
    #[command(flatten)]
    more: GroupColumns,
}

/// The columns that were given, by name.
type Columns = Vec<(&'static str, String)>;

fn given<'a>(columns: impl IntoIterator<Item = (&'static str, &'a Option<String>)>) -> Columns {
    columns.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))).collect()
}

impl CreateGroup {
    pub(crate) fn columns(&self) -> Columns {
        let name = Some(self.name.clone());
        let own = [("name", &name), ("status", &self.status), ("assigned_to", &self.assigned_to)];
        given(own.into_iter().chain(self.more.columns()))
    }
}

impl UpdateGroup {
    pub(crate) fn columns(&self) -> Columns {
        let own = [
            ("name", &self.name),
            ("status", &self.status),
            ("assigned_to", &self.assigned_to),
            ("revision_count", &self.revision_count),
            ("last_review_status", &self.last_review_status),
            ("security_sensitive", &self.security_sensitive),
            ("qa_attempts", &self.qa_attempts),
            ("tl_review_attempts", &self.tl_review_attempts),
        ];
        given(own.into_iter().chain(self.more.columns()))
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SaveReasoning {
    pub(crate) session: String,
    pub(crate) group: String,
    pub(crate) agent: String,
    pub(crate) phase: String,
    #[command(flatten)]
    pub(crate) content: Content,
    #[arg(long)]
    pub(crate) agent_id: Option<String>,
    #[arg(long)]
    pub(crate) iteration: Option<u64>,
    #[arg(long)]
    pub(crate) confidence: Option<String>,
    /// A JSON list of files
    #[arg(long)]
    pub(crate) references: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GetReasoning {
    pub(crate) session: String,
    #[arg(long)]
    pub(crate) group_id: Option<String>,
    #[arg(long)]
    pub(crate) agent_type: Option<String>,
    #[arg(long)]
    pub(crate) phase: Option<String>,
    #[arg(long, default_value_t = 50)]
    pub(crate) limit: usize,
    #[arg(long, default_value = "json", value_parser = ["json", "prompt-summary"])]
    pub(crate) format: String,
}

#[derive(Debug, Subcommand)]
#[command(disable_help_subcommand = true, defer = true)]
pub(crate) enum BazingaCommand {
    /// Make a session
    CreateSession {
        session: String,
        /// simple or parallel
        mode: String,
        requirements: String,
        #[arg(long)]
        initial_branch: Option<String>,
        /// JSON
        #[arg(long)]
        metadata: Option<String>,
    },
    /// Show a session
    GetSession { session: String },
    /// List sessions, the newest first
    ListSessions {
        #[arg(default_value_t = 10)]
        limit: usize,
    },
    /// Set a session's status: active, completed or failed
    UpdateSessionStatus { session: String, status: String },
    /// Set a session's status to completed
    CompleteSession { session: String },
    /// Save an agent's reasoning in one of the seven phases
    SaveReasoning(SaveReasoning),
    /// Reasoning, the newest first
    GetReasoning(GetReasoning),
    /// Reasoning in order
    ReasoningTimeline {
        session: String,
        #[arg(long)]
        group_id: Option<String>,
        #[arg(long, default_value = "json", value_parser = ["json", "markdown"])]
        format: String,
    },
    /// Whether an agent documented understanding and completion; exit 1 if not
    CheckMandatoryPhases { session: String, group: String, agent: String },
    /// Save what a skill returned, as JSON
    SaveSkillOutput {
        session: String,
        skill: String,
        #[command(flatten)]
        content: Content,
        #[arg(long)]
        agent: Option<String>,
        #[arg(long)]
        group: Option<String>,
    },
    /// What a skill returned last
    GetSkillOutput {
        session: String,
        skill: String,
        #[arg(long)]
        agent: Option<String>,
    },
    /// All that a skill returned, the newest first
    GetSkillOutputAll {
        session: String,
        skill: String,
        #[arg(long)]
        agent: Option<String>,
    },
    /// Whether skills (s1,s2) returned something lately; exit 1 if not
    CheckSkillEvidence {
        session: String,
        skills: String,
        #[arg(long)]
        agent: Option<String>,
        /// Minutes
        #[arg(long, default_value_t = 30)]
        since: u64,
    },
    /// Save an event of a type of one's own
    SaveEvent {
        session: String,
        subtype: String,
        #[command(flatten)]
        content: Content,
        /// Saved once under this key
        #[arg(long)]
        idempotency_key: Option<String>,
        #[arg(long)]
        group_id: Option<String>,
    },
    /// Events, the newest first
    GetEvents {
        session: String,
        subtype: Option<String>,
        #[arg(value_name = "LIMIT")]
        most: Option<usize>,
        #[arg(long)]
        limit: Option<usize>,
    },
    /// Save a round of an investigation: state and event, both or neither
    SaveInvestigationIteration {
        session: String,
        group: String,
        iteration: u64,
        status: String,
        #[arg(long)]
        state_file: PathBuf,
        #[arg(long)]
        event_file: PathBuf,
    },
    /// Save what an agent said
    LogInteraction {
        session: String,
        agent: String,
        #[arg(allow_hyphen_values = true)]
        content: String,
        iteration: Option<u64>,
        agent_id: Option<String>,
    },
    /// The latest logs as Markdown
    StreamLogs {
        session: String,
        #[arg(default_value_t = 50)]
        limit: usize,
        #[arg(default_value_t = 0)]
        offset: usize,
    },
    /// Make a task group, or change it
    CreateTaskGroup(CreateGroup),
    /// Task groups as they are now
    GetTaskGroups { session: String, status: Option<String> },
    /// Change a task group
    UpdateTaskGroup(Box<UpdateGroup>),
    /// Leave a file for other agents
    SaveContextPackage {
        session: String,
        /// The group; global or "" for all
        group: String,
        kind: String,
        path: String,
        producer: String,
        /// A JSON list of agents
        consumers: String,
        priority: String,
        summary: String,
    },
    /// What an agent has not taken up yet
    GetContextPackages {
        session: String,
        group: String,
        agent: String,
        #[arg(default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=50))]
        limit: u16,
    },
    /// Say that an agent took a package up
    MarkContextConsumed {
        id: u64,
        agent: String,
        #[arg(default_value_t = 1)]
        iteration: u64,
    },
    /// Save a state snapshot
    SaveState {
        session: String,
        /// `pm`, `orchestrator`, `group_status` or `investigation`
        kind: String,
        /// JSON; - reads it from standard input
        #[arg(allow_hyphen_values = true)]
        state: String,
        #[arg(long)]
        group_id: Option<String>,
    },
    /// The latest state snapshot
    GetState {
        session: String,
        kind: String,
        #[arg(long)]
        group_id: Option<String>,
    },
    /// Save the plan of a session
    SaveDevelopmentPlan {
        session: String,
        prompt: String,
        #[arg(allow_hyphen_values = true)]
        plan: String,
        /// A JSON list of objects with a phase
        phases: String,
        current: u64,
        total: u64,
        /// JSON
        metadata: Option<String>,
    },
    /// The plan as it stands
    GetDevelopmentPlan { session: String },
    /// Say how a phase of the plan stands
    UpdatePlanProgress { session: String, phase: u64, status: String },
    /// Save what the session is measured by, in place of what was saved before
    SaveSuccessCriteria {
        session: String,
        /// A JSON list of objects with a criterion
        criteria: String,
    },
    /// What the session is measured by
    GetSuccessCriteria { session: String },
    /// Say how a criterion stands: pending, met, blocked or failed
    UpdateSuccessCriterion {
        session: String,
        criterion: String,
        #[arg(long)]
        status: Option<String>,
        #[arg(long)]
        actual: Option<String>,
        #[arg(long)]
        evidence: Option<String>,
    },
    /// Count tokens that an agent used
    LogTokens { session: String, agent: String, tokens: u64, agent_id: Option<String> },
    /// Tokens by agent
    TokenSummary {
        session: String,
        /// `agent_type` or `agent_id`
        #[arg(default_value = "agent_type")]
        by: String,
    },
    /// Keep an error and what mended it
    SaveErrorPattern {
        project: String,
        error: String,
        #[arg(allow_hyphen_values = true)]
        message: String,
        #[arg(allow_hyphen_values = true)]
        solution: String,
        #[arg(long)]
        lang: Option<String>,
        /// A JSON list
        #[arg(long)]
        context_hints: Option<String>,
        /// A JSON list
        #[arg(long)]
        stack_pattern: Option<String>,
    },
    /// Error patterns, the surest first
    GetErrorPatterns {
        project: String,
        #[arg(long)]
        lang: Option<String>,
        #[arg(long, default_value_t = 0.7)]
        min_confidence: f64,
        #[arg(long, default_value_t = 5)]
        limit: usize,
    },
    /// Say whether the advice of a pattern helped: success or failure
    UpdateErrorConfidence { hash: String, project: String, outcome: String },
    /// Keep what worked
    SaveStrategy {
        project: String,
        topic: String,
        #[arg(allow_hyphen_values = true)]
        insight: String,
        #[arg(long)]
        lang: Option<String>,
        #[arg(long)]
        framework: Option<String>,
        #[arg(long)]
        strategy_id: Option<String>,
    },
    /// Say that a strategy helped, so many times more
    UpdateStrategyHelpfulness {
        strategy: String,
        #[arg(default_value_t = 1)]
        increment: u64,
    },
    /// Keep as strategies what a group's reasoning says worked
    ExtractStrategies {
        session: String,
        group: String,
        project: String,
        #[arg(long)]
        lang: Option<String>,
        #[arg(long)]
        framework: Option<String>,
    },
    /// Offer patterns no more that were not met for long
    CleanupErrorPatterns { project: Option<String> },
    /// Say which packages a group refers to, as a JSON list of numbers
    UpdateContextReferences { group: String, session: String, packages: String },
    /// Say that an agent took a package in
    SaveConsumption { session: String, group: String, agent: String, iteration: u64, package: u64 },
    /// Who took what in, the newest first
    GetConsumption {
        session: String,
        #[arg(long)]
        group_id: Option<String>,
        #[arg(long)]
        agent_type: Option<String>,
        #[arg(long, default_value_t = 50)]
        limit: usize,
    },
    /// A session at a glance
    DashboardSnapshot { session: String },
    /// Ask the tables in SQL; reads only
    Query {
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        sql: Vec<String>,
    },
    /// Check that everything stored is what was written
    IntegrityCheck,
    /// What worked, the most helpful first
    GetStrategies {
        project: String,
        #[arg(long)]
        lang: Option<String>,
        #[arg(long)]
        framework: Option<String>,
        #[arg(long)]
        topic: Option<String>,
        #[arg(long, default_value_t = 5)]
        limit: usize,
    },
}

/// The arguments as they are parsed: called `bazinga-db`, the program is that command, whose flags may be
/// written with `_` for `-`.
pub(crate) fn arguments(given: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut given: Vec<OsString> = given.into_iter().collect();
    let called = given.first().and_then(|name| Path::new(name).file_stem()).and_then(OsStr::to_str);
    if called.is_some_and(|name| name.replace('_', "-") == NAME) {
        given.insert(1, NAME.into());
    }
    let Some(start) = command(&given).filter(|at| given[*at] == NAME) else { return given };
    let mut known = None;
    for word in given.iter_mut().skip(start + 1) {
        let Some(text) = word.to_str().filter(|word| word.starts_with("--") && word.contains('_')) else {
            continue;
        };
        if let Some(dashed) = dashed(text, known.get_or_insert_with(flags)) {
            *word = dashed.into();
        }
    }
    given
}

/// Where the command stands: behind the flags of every command and their values.
fn command(given: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while at < given.len() {
        match given[at].to_str() {
            Some("--store" | "--color") => at += 2,
            Some(flag) if flag.starts_with('-') => at += 1,
            _ => return Some(at),
        }
    }
    None
}

/// The word with dashes, if it is a flag that was written with underscores.
fn dashed(word: &str, flags: &[String]) -> Option<String> {
    let flag = word.strip_prefix("--")?;
    let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
    let name = name.replace('_', "-");
    let known = flags.contains(&name);
    known.then(|| value.map_or(format!("--{name}"), |value| format!("--{name}={value}")))
}

/// Every flag of every command.
fn flags() -> Vec<String> {
    let mut all = BazingaDb::augment_args(clap::Command::new(NAME));
    all.build();
    let arguments = all.get_subcommands().flat_map(clap::Command::get_arguments);
    arguments
        .flat_map(|argument| argument.get_long_and_visible_aliases().unwrap_or_default())
        .chain(["project-root", "payload-file"])
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &[&str]) -> Vec<String> {
        let words = arguments(words.iter().map(OsString::from));
        words.into_iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn flags_may_have_underscores_and_other_words_stay() {
        let words = said(&[
            "recount",
            "bazinga-db",
            "get-reasoning",
            "s_1",
            "--group_id",
            "--a_b",
            "--agent_type=x_y",
        ]);
        assert_eq!(words[4..], ["--group-id", "--a_b", "--agent-type=x_y"]);
        let words = said(&[
            "recount",
            "--store",
            "search",
            "--json",
            "bazinga-db",
            "get-reasoning",
            "s",
            "--group_id",
        ]);
        assert_eq!(words[7], "--group-id");
        assert_eq!(said(&["recount", "search", "bazinga-db", "--group_id"])[3], "--group_id");
    }

    #[test]
    fn the_name_of_the_program_is_the_command() {
        assert_eq!(
            said(&["/usr/bin/bazinga-db", "get-session", "s"])[1..],
            ["bazinga-db", "get-session", "s"]
        );
        assert_eq!(said(&["/x/bazinga_db.py", "help"])[1], "bazinga-db");
    }
}
