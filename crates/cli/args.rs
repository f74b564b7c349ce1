//! What can be typed: one table of commands and flags that feeds parser, help and completions.

mod bazinga_db;
pub(crate) mod bundle;
mod erase;
mod hook;
mod investigate;
mod mcp;
mod retention;
pub(crate) mod team;
mod trail;

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use recorder::Durability;

pub(crate) use self::bazinga_db::{BazingaCommand, BazingaDb, GetReasoning, SaveReasoning, arguments};
pub(crate) use self::erase::Erase;
pub(crate) use self::hook::{Capture, Hook, HookChange, HookCommand, HookStatus};
pub(crate) use self::investigate::*;
pub(crate) use self::mcp::Mcp;
pub(crate) use self::retention::{Gc, Hold, HoldCommand, HoldOf, Purge, Retention};
pub(crate) use self::trail::{Anchor, AnchorCommand, Compact, Keys, KeysCommand};
use crate::sources::Source;

/// The flight recorder for multi-agent LLM systems.
#[derive(Debug, Parser)]
#[command(name = "recount", version, disable_help_subcommand = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

// Flags of every command.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct Global {
    /// The store's folder (else `$RECOUNT_STORE`; to read, the nearest folder upward with a journal; else the user's own)
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    /// Print one JSON document with a versioned schema
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Show times in UTC instead of local time
    #[arg(long, global = true)]
    pub(crate) utc: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// When an event counts as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sync {
    /// Sync each event to the disk before it is acknowledged
    Always,
    /// Sync once for all that arrived
    Batch,
    /// Leave it to the operating system (the receipt says so)
    Os,
}

impl From<Sync> for Durability {
    fn from(sync: Sync) -> Self {
        match sync {
            Sync::Always => Self::Always,
            Sync::Batch => Self::Batch,
            Sync::Os => Self::Os,
        }
    }
}

// the arguments of the one command that is called are made, not those of all
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Make a store
    Init(Init),
    /// Record one event, or drafts as NDJSON from standard input
    Record(Box<Record>),
    /// Import transcripts of other tools, or drafts from standard input
    Import(Import),
    /// Record what agents do while they do it: their hooks
    Hook(Hook),
    /// Take transcripts in while they grow
    Capture(Capture),
    /// List sessions
    Sessions(Sessions),
    /// Search the recorded text
    Search(Search),
    /// Show one event
    Show(Show),
    /// Show a session or group in order, one line an event
    Timeline(Timeline),
    /// Tell a session again: who thought, did and handed over what
    Replay(Replay),
    /// Show the latest events, and follow
    Tail(Tail),
    /// List the steps to read first, with the reason for each
    Suspects(Suspects),
    /// Find where a value came in, and whether there was evidence
    Blame(Blame),
    /// Show what led to an event: recorded edges, and inferred ones
    Why(Why),
    /// Show what an agent knew at an event, and what did not reach it
    Known(Known),
    /// Compare two attempts: where they first went different ways
    Diff(Diff),
    /// Rank acts by how well they go with failure
    Spectrum(Spectrum),
    /// List what is missing: unread handoffs, untested changes, phases
    Gaps(Gaps),
    /// Find repetition without a change in between
    Loops(Loops),
    /// List errors that are one error, with first and last sighting
    Errors(Errors),
    /// Show a failing group on one page
    Investigate(Investigate),
    /// Write down what was found: cases, notes, bookmarks, verdicts
    Case(Case),
    /// Propose lessons that the record suggests
    Learn(Lessons),
    /// Save reasoning in one of seven phases
    #[command(alias = "save_reasoning")]
    SaveReasoning(Box<team::SaveReasoning>),
    /// Get documented reasoning, the newest first
    #[command(alias = "get_reasoning")]
    GetReasoning(team::GetReasoning),
    /// Show documented reasoning in order, whole
    #[command(alias = "reasoning_timeline")]
    ReasoningTimeline(team::ReasoningTimeline),
    /// Say which spawns owe a mandatory phase, and what a provider withheld
    Compliance(team::Compliance),
    /// Put what was decided beside what was written and tested
    Review(team::Review),
    /// Look for evidence of each criterion in the completion reasoning
    Criteria(team::Criteria),
    /// Save and show outputs of skills; every one is kept
    Skill(team::Skill),
    /// As `skill save`
    #[command(hide = true)]
    SaveSkillOutput(team::SkillSave),
    /// As `skill latest`
    #[command(hide = true, alias = "get-latest-skill-output")]
    GetSkillOutput(team::SkillLatest),
    /// As `skill all`
    #[command(hide = true)]
    GetSkillOutputAll(team::SkillAll),
    /// Say which of some skills have left an output
    CheckSkillEvidence(team::SkillEvidence),
    /// Print the schemas of what agents hand in
    Schema(team::Schema),
    /// Write, check and read what one agent leaves for the next
    Handoff(team::Handoff),
    /// Tell a handoff in one line
    Capsule(team::Capsule),
    /// Say who comes next after a status
    Route(team::RouteOf),
    /// Tell the next agent of the reasoning before it, under a budget of tokens
    Digest(Box<team::Digest>),
    /// Record that an agent was spawned, and which digests its prompt holds
    Spawned(team::Spawned),
    /// Print sections of a spawn prompt
    Prompt(team::Prompt),
    /// Save an event of your own
    #[command(alias = "save_event")]
    SaveEvent(team::SaveEvent),
    /// Get events of your own, the newest first
    #[command(alias = "get_events")]
    GetEvents(team::GetEvents),
    /// Save what an agent said
    LogInteraction(team::LogInteraction),
    /// Show what agents said, as Markdown
    StreamLogs(team::StreamLogs),
    /// Save how many tokens an agent used
    LogTokens(team::LogTokens),
    /// Leave a file for other agents
    SaveContextPackage(Box<team::SavePackage>),
    /// List the files left for an agent, what matters most first
    GetContextPackages(team::GetPackages),
    /// Say that an agent has taken a file in
    MarkContextConsumed(team::ConsumePackage),
    /// Show the event behind a permalink
    Open(Open),
    /// Tell of hits as they arrive, and run a program for each
    Watch(Watch),
    /// Write a session out
    Export(Export),
    /// Hand out what somebody can verify who has nothing but a pin
    Bundle(Box<bundle::Bundle>),
    /// Say who handed a bundle to whom, chained and signed
    Custody(bundle::Custody),
    /// Check every event, hash, seal and signature of a store or a bundle; never writes
    Verify(Verify),
    /// Seal every session now: signed statements of how many events, and which
    Seal,
    /// Print what shows an old copy or a rewritten store later; keep it elsewhere
    Pin,
    /// Let others see the checkpoint: git, a time stamp, witnesses
    Anchor(Anchor),
    /// Show the keys of the store's log, and put right what is lost or damaged
    Keys(Keys),
    /// Prove one event to somebody who has nothing but a pin
    Prove(Prove),
    /// Print header lines only: what there was, without a word of what was said
    Spine(Spine),
    /// Take whole sessions away, and say so in the store log for ever
    Purge(Purge),
    /// Keep sessions from being erased or purged for a case
    Hold(Hold),
    /// Show how long sessions are kept, and which are due
    Retention(Retention),
    /// Remove old copies of handoffs beside the journal
    Gc(Gc),
    /// Erase what an event says; that it was there stays, and every proof holds
    Erase(Box<Erase>),
    /// Cut a torn tail off, keep it aside and say so in the journal
    Repair(Repair),
    /// Compress what is rolled, sealed and done with; every command reads it as before
    Compact(Compact),
    /// Count what is in the store, how work went, what tokens cost
    Stats(team::Stats),
    /// Make the index anew from the journal
    Reindex,
    /// Check the store and its surroundings
    Doctor,
    /// Take secrets out of standard input; needs no store and writes nothing
    Redact(Redact),
    /// The commands of bazinga-db, over this store
    BazingaDb(Box<BazingaDb>),
    /// Serve tools to an agent over standard input and output (Model Context Protocol)
    Mcp(Mcp),
    /// Explain an error code
    Explain(Explain),
    /// Print shell completions
    Completions(Completions),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Init {
    /// Where (else --store, `$RECOUNT_STORE`, the user's own)
    pub(crate) dir: Option<PathBuf>,
    /// Say in the log that it goes on where this store ended, whose log's key is lost
    #[arg(long, value_name = "STORE")]
    pub(crate) restores: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Record {
    /// The session; without it, drafts are read from standard input, one JSON object a line
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// What happened, e.g. reasoning.recorded
    #[arg(long, requires = "session")]
    pub(crate) kind: Option<String>,
    /// The group
    #[arg(long, requires = "session")]
    pub(crate) group: Option<String>,
    /// The agent's role
    #[arg(long, requires = "session")]
    pub(crate) agent: Option<String>,
    /// Which agent of that role
    #[arg(long, requires = "session")]
    pub(crate) agent_id: Option<String>,
    /// The phase of the reasoning
    #[arg(long, requires = "session")]
    pub(crate) phase: Option<String>,
    /// How sure the agent is: high, medium or low
    #[arg(long, requires = "session")]
    pub(crate) confidence: Option<String>,
    /// Identity: an event with this key and content is stored once
    #[arg(long, requires = "session")]
    pub(crate) key: Option<String>,
    /// The sequence (or session/sequence#hash) that this answers
    #[arg(long, requires = "session")]
    pub(crate) cause: Option<String>,
    /// The text; - reads it from standard input
    #[arg(long, requires = "session", allow_hyphen_values = true)]
    pub(crate) text: Option<String>,
    /// More of the payload, as a JSON object
    #[arg(long, requires = "session")]
    pub(crate) data: Option<String>,
    /// When an event counts as stored
    #[arg(long, default_value = "always", value_name = "WHEN")]
    pub(crate) sync: Sync,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Import {
    /// An agent by name (claude-code, codex), handoffs with its folders, files or folders (anything with a / or .), or - for drafts
    #[arg(required = true, value_name = "WHAT")]
    pub(crate) what: Vec<String>,
    /// A mapping file that says how one more tool's transcripts are read (others stand in the configuration folder, under recount/mappings)
    #[arg(long, value_name = "FILE")]
    pub(crate) mapping: Vec<PathBuf>,
    /// Look into files that are no transcripts for records that are printed in them (a log)
    #[arg(long)]
    pub(crate) salvage: bool,
    /// Only say what would come in and what would be redacted; nothing is written anywhere
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

// The secrets of this machine, which are looked for wherever they stand.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct KnownValues {
    /// Don't look for the secrets that this machine keeps in SOURCE (env, dotenv, aws, netrc, npm, gh, glab, docker, learned, all)
    #[arg(long, value_name = "SOURCE", hide_possible_values = true)]
    pub(crate) no_known: Vec<Source>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Sessions {
    /// Only the newest N
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// As if nothing had been recorded after this event (session/sequence): of its session, and elsewhere of its time
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// Best match first
    Relevance,
    /// Newest first
    Newest,
    /// Oldest first
    Oldest,
}

/// How far around an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchScope {
    /// Its agent in its session
    Agent,
    /// Its group in its session
    Group,
    /// Its session
    Session,
    /// Sessions of the same project
    Project,
    /// Everything
    All,
    /// The first of these in which something is found
    Cycle,
}

#[allow(clippy::struct_excessive_bools)] // each is a flag that a person may set
#[derive(Debug, ClapArgs)]
pub(crate) struct Search {
    /// Words, "phrases"~3, -not, field:value, OR, prefix*, fuzzy~, /regex/, @saved (one that begins with - comes after --)
    #[arg(required_unless_present = "saved")]
    pub(crate) query: Vec<String>,
    /// Only events at or after this time (2h, yesterday, 2026-11-27, RFC 3339)
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Only events before this time
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// Only what shares this with the event of --of
    #[arg(long, requires = "of", value_name = "SCOPE")]
    pub(crate) scope: Option<SearchScope>,
    /// The event that --scope looks around (session/sequence)
    #[arg(long, value_name = "EVENT")]
    pub(crate) of: Option<String>,
    /// As if nothing had been recorded after this event (session/sequence): of its session, and elsewhere of its time
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: Option<String>,
    /// Show N events of the session before and after each hit
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0)]
    pub(crate) context: usize,
    /// The most hits to show
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// The order (default: by relevance when there are words, else newest first)
    #[arg(long)]
    pub(crate) sort: Option<Sort>,
    /// Read the journal instead of the index
    #[arg(long)]
    pub(crate) no_index: bool,
    /// Print how the query was understood and stop
    #[arg(long)]
    pub(crate) explain: bool,
    /// Stop looking after so many seconds, and say so
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub(crate) budget: f64,
    /// Save the query under this name instead of asking it; @NAME asks it
    #[arg(long, value_name = "NAME", conflicts_with = "explain")]
    pub(crate) save: Option<String>,
    /// List saved searches
    #[arg(long, conflicts_with_all = ["query", "save"])]
    pub(crate) saved: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Show {
    /// The event, as session/sequence
    pub(crate) event: String,
    /// As if nothing had been recorded after this event (session/sequence): of its session, and elsewhere of its time
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: Option<String>,
    /// Print the stored line, byte for byte
    #[arg(long, conflicts_with = "json")]
    pub(crate) raw: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Timeline {
    /// The session
    pub(crate) session: String,
    /// Only this group
    #[arg(long)]
    pub(crate) group: Option<String>,
    /// Only this agent (role or id)
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// As if nothing had been recorded after this event (session/sequence, or a sequence)
    #[arg(long, value_name = "EVENT")]
    pub(crate) at: Option<String>,
    /// Only the first N rows
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) limit: Option<usize>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Replay {
    /// The session
    pub(crate) session: String,
    /// Only this group
    #[arg(long)]
    pub(crate) group: Option<String>,
    /// N times real time (any N > 0); no pauses when stdout is no terminal
    #[arg(long, value_name = "N")]
    pub(crate) speed: Option<f64>,
    /// Stop at each event and go where a letter says (? lists them)
    #[arg(long)]
    pub(crate) step: bool,
    /// Show what each agent had open, had read and changed at the end (with --until: at that event), and nothing else
    #[arg(long, conflicts_with_all = ["step", "speed"])]
    pub(crate) state: bool,
    /// Halve the way between a good and a bad event by asking about key events
    #[arg(long, num_args = 2, value_names = ["good=SEQ", "bad=SEQ"], conflicts_with_all = ["step", "state", "speed", "json"])]
    pub(crate) bisect: Vec<String>,
    /// Stop after this event (session/sequence, or a sequence)
    #[arg(long, visible_alias = "at", value_name = "EVENT")]
    pub(crate) until: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Tail {
    /// The session (default: all)
    pub(crate) session: Option<String>,
    /// Go on as events arrive
    #[arg(long, short)]
    pub(crate) follow: bool,
    /// How many events to begin with
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    pub(crate) lines: usize,
    /// Only handoffs, a line each
    #[arg(long)]
    pub(crate) capsules: bool,
    /// No marks beyond ASCII in them
    #[arg(long, requires = "capsules")]
    pub(crate) ascii: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Export {
    /// The session
    pub(crate) session: String,
    /// How: ndjson (the stored lines, byte for byte), markdown, csv, otlp or atif
    #[arg(long, default_value = "ndjson", value_name = "FORMAT")]
    pub(crate) format: String,
    /// Record the events in this other store, through its redactor; twice is once
    #[arg(long, value_name = "STORE", conflicts_with = "format")]
    pub(crate) to: Option<PathBuf>,
    /// Stop after this event (a sequence, or session/sequence): a fixture for tests
    #[arg(long, value_name = "EVENT")]
    pub(crate) until: Option<String>,
}

#[allow(clippy::struct_excessive_bools)] // each is a flag that a person may set
#[derive(Debug, ClapArgs)]
pub(crate) struct Verify {
    /// The session (default: all); or a bundle, a store or the file of a proof (with a / or . in its name)
    pub(crate) session: Option<String>,
    /// Every session
    #[arg(long, conflicts_with = "session")]
    pub(crate) all: bool,
    /// What `recount pin` printed, as a file or its 64 hex digits (else the pin remembered on this machine)
    #[arg(long, value_name = "FILE|HEX")]
    pub(crate) pin: Option<String>,
    /// Fail if an event is not under a seal
    #[arg(long)]
    pub(crate) require_sealed: bool,
    /// Whose word counts: witnesses and how many are enough, as a C2SP tlog-policy file (else `policy` beside the keys)
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Have openssl check time stamps with the certificates in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) tsa_ca: Option<PathBuf>,
    /// Fail if no witness of the policy has seen the log
    #[arg(long)]
    pub(crate) require_anchor: bool,
    /// Fail if a payload is gone, lawfully erased or not
    #[arg(long)]
    pub(crate) require_payload: bool,
    /// Whose SSH keys count, as `ssh-keygen` reads them: for orders to erase, bundles and their custody
    #[arg(long, value_name = "FILE")]
    pub(crate) allowed_signers: Option<PathBuf>,
    /// Compare the index with the journal, too: every event is found by each of its words, and nothing else is
    #[arg(long)]
    pub(crate) index: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Prove {
    /// The event, as session/sequence
    pub(crate) event: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Spine {
    /// The session (default: all)
    pub(crate) session: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Repair {
    /// The session
    pub(crate) session: String,
}

#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Redact {
    #[command(subcommand)]
    pub(crate) command: Option<RedactCommand>,
    /// {"id","text"} lines in, {"id","text","spans"} lines out; spans are byte offsets of the input
    #[arg(long)]
    pub(crate) ndjson: bool,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RedactCommand {
    /// Write down by what the secrets of this machine are known: lengths and keyed hashes, no value
    Learn(Learn),
    /// List, try and translate rules
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Count what was taken out, by session, agent and kind
    Stats(RedactStats),
    /// Follow one secret by its fingerprint through sessions and agents
    Trace(Trace),
    /// Look for secrets in transcripts and other files; writes nothing and prints none
    Scan(Scan),
    /// Look for secrets in what is stored, by today's rules; proposes, and with --apply erases
    Rescan(Box<Rescan>),
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// List the rules in force, and their digest
    List,
    /// Show what the rules find in a text
    Test(RulesTest),
    /// Translate rules of gitleaks into ours, on standard output
    Import(RulesImport),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RulesTest {
    /// The text; - reads it from standard input
    #[arg(allow_hyphen_values = true)]
    pub(crate) text: String,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RulesImport {
    /// A gitleaks.toml
    pub(crate) file: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RedactStats {
    /// The session (default: all)
    pub(crate) session: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Trace {
    /// The ten hex digits of a mark, or the whole mark
    pub(crate) fingerprint: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Scan {
    /// Files or folders
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Rescan {
    /// The session (default: all)
    pub(crate) session: Option<String>,
    /// Erase what is proposed, and leave today's redacted text in its place
    #[arg(long)]
    pub(crate) apply: bool,
    /// Whose matter it is, in your own books
    #[arg(long, value_name = "TICKET", default_value = "rescan", requires = "apply")]
    pub(crate) ticket: String,
    /// Don't ask
    #[arg(long, requires = "apply")]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) hand: bundle::HandArgs,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Learn {
    /// - reads more values from standard input, one a line
    #[arg(value_name = "-", value_parser = ["-"], hide_possible_values = true)]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Explain {
    /// The code, e.g. R0004
    pub(crate) code: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: Shell,
}
