//! What can be typed to investigate: verbs, cases, permalinks.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::KnownValues;

#[derive(Debug, ClapArgs)]
pub(crate) struct Suspects {
    /// The session
    pub(crate) session: String,
    /// How many to list
    #[arg(short = 'k', long, value_name = "N", default_value_t = 5)]
    pub(crate) most: usize,
    #[command(flatten)]
    pub(crate) part: Part,
}

// Which part of a session counts.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct Part {
    /// Only this group (and what belongs to none)
    #[arg(long)]
    pub(crate) group: Option<String>,
    /// As if nothing had been recorded after this event (session/sequence, or a sequence)
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Why {
    /// The event, as session/sequence or a permalink
    pub(crate) event: String,
    /// How many steps back
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub(crate) depth: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Known {
    /// The agent: its role or its id
    pub(crate) agent: String,
    /// When: an event, as session/sequence or a permalink
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: String,
    /// Print all of it as one text to give to a model
    #[arg(long, conflicts_with = "json")]
    pub(crate) as_prompt: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Blame {
    /// The value or phrase
    #[arg(allow_hyphen_values = true)]
    pub(crate) value: String,
    /// Only in this session
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// Only up to this event (session/sequence)
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Diff {
    /// One attempt
    pub(crate) left: String,
    /// The other
    pub(crate) right: String,
    /// Only this group
    #[arg(long)]
    pub(crate) group: Option<String>,
    /// As if nothing had been recorded after this event (session/sequence): of its session, and elsewhere of its time
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: Option<String>,
    /// Exit 1 if the attempts went different ways
    #[arg(long)]
    pub(crate) fail_on_divergence: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Spectrum {
    /// Sessions that failed, at least two
    #[arg(long, value_name = "S1,S2", value_delimiter = ',', required = true)]
    pub(crate) fail: Vec<String>,
    /// Sessions that passed, at least two
    #[arg(long, value_name = "S3,S4", value_delimiter = ',', required = true)]
    pub(crate) pass: Vec<String>,
    /// Only this group
    #[arg(long)]
    pub(crate) group: Option<String>,
    /// As if nothing had been recorded after this event (session/sequence): of its session, and elsewhere of its time
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: Option<String>,
    /// How many to list
    #[arg(short = 'k', long, value_name = "N", default_value_t = 10)]
    pub(crate) most: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Gaps {
    /// The session
    pub(crate) session: String,
    /// Exit 1 if anything is missing
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) part: Part,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Loops {
    /// The session
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) part: Part,
}

/// What errors are put together by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GroupBy {
    /// Errors that are one error, whatever their numbers
    Fingerprint,
    /// Each by itself
    None,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Errors {
    /// Narrow them down, as in `recount search`
    pub(crate) query: Vec<String>,
    /// As if nothing had been recorded after this event (session/sequence): of its session, and elsewhere of its time
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: Option<String>,
    /// What to put together
    #[arg(long, value_name = "WHAT", default_value = "fingerprint")]
    pub(crate) group_by: GroupBy,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Investigate {
    /// The session
    pub(crate) session: String,
    /// The group (default: all)
    pub(crate) group: Option<String>,
    /// How many suspects to list
    #[arg(short = 'k', long, value_name = "N", default_value_t = 3)]
    pub(crate) most: usize,
    /// As if nothing had been recorded after this event (session/sequence, or a sequence)
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Open {
    /// The permalink, `recount://local/session/17#0123456789abcdef`
    pub(crate) link: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Watch {
    /// What to look for: words, filters, @name of a saved search
    #[arg(required = true)]
    pub(crate) query: Vec<String>,
    /// Run this program for each hit; the hit is JSON on its standard input
    #[arg(long, value_name = "PROGRAM", num_args = 1..)]
    pub(crate) exec: Vec<PathBuf>,
    /// Look once at what is there, and stop
    #[arg(long)]
    pub(crate) once: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Lessons {
    #[command(subcommand)]
    pub(crate) command: LessonsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LessonsCommand {
    /// Propose lessons: from the verdicts of a case, from pivots and blockers that a passing test followed
    Propose(Propose),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Propose {
    /// The session whose pivots and blockers are looked at
    pub(crate) session: Option<String>,
    /// The case whose verdicts are looked at, or last (default, where no session is named: the one opened last)
    #[arg(long)]
    pub(crate) case: Option<String>,
    /// As if nothing of the session had been recorded after this event (session/sequence, or a sequence)
    #[arg(long, value_name = "EVENT", requires = "session")]
    pub(crate) at: Option<String>,
    /// Print them as drafts that `recount import -` records
    #[arg(long, conflicts_with = "json")]
    pub(crate) drafts: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Case {
    #[command(subcommand)]
    pub(crate) command: CaseCommand,
}

// Which case, and how it is written.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Which {
    /// The case, or last (default: the one opened last that is not closed)
    #[arg(long)]
    pub(crate) case: Option<String>,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CaseCommand {
    /// Begin a case
    Open(CaseOpen),
    /// Write something down, about an event or not
    Note(CaseNote),
    /// Mark an event
    Bookmark(CaseBookmark),
    /// Say what went wrong where
    Verdict(CaseVerdict),
    /// End a case
    Close(CaseClose),
    /// List cases
    List,
    /// Show what was written down
    Show(CaseShow),
    /// Print a case for others
    Export(CaseExport),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CaseOpen {
    /// What it is about
    pub(crate) title: String,
    /// The event it began with
    #[arg(long, value_name = "EVENT")]
    pub(crate) about: Option<String>,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CaseNote {
    /// The event that it is about; without one, the text
    #[arg(value_name = "EVENT|TEXT")]
    pub(crate) first: String,
    /// The text; - reads it from standard input
    pub(crate) text: Option<String>,
    /// A failure mode of MAST, e.g. FM-2.4
    #[arg(long)]
    pub(crate) mode: Option<String>,
    #[command(flatten)]
    pub(crate) which: Which,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CaseBookmark {
    /// The event
    pub(crate) event: String,
    /// Why
    pub(crate) text: Option<String>,
    #[command(flatten)]
    pub(crate) which: Which,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CaseVerdict {
    /// In words
    pub(crate) text: String,
    /// The decisive step
    #[arg(long, value_name = "EVENT")]
    pub(crate) step: String,
    /// What brought it about
    #[arg(long, value_name = "EVENT")]
    pub(crate) cause: Option<String>,
    /// A failure mode of MAST, e.g. FM-2.4
    #[arg(long)]
    pub(crate) mode: Option<String>,
    #[command(flatten)]
    pub(crate) which: Which,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CaseClose {
    /// Why
    pub(crate) reason: Option<String>,
    #[command(flatten)]
    pub(crate) which: Which,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CaseShow {
    /// The case, or last
    pub(crate) case: Option<String>,
}

/// How a case is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CaseFormat {
    /// A page to paste into an issue
    Markdown,
    /// The stored lines, byte for byte
    Ndjson,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CaseExport {
    /// The case, or last (default: the one opened last)
    pub(crate) case: Option<String>,
    /// How
    #[arg(long, default_value = "markdown")]
    pub(crate) format: CaseFormat,
}
