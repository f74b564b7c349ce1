//! What can be typed about hooks and transcripts that grow.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Subcommand};

use capture::Agent;

use super::KnownValues;

#[derive(Debug, ClapArgs)]
pub(crate) struct Hook {
    #[command(subcommand)]
    pub(crate) command: HookCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// Write our hooks into an agent's settings: shows what changes, and keeps the file as it was
    Install(HookChange),
    /// Take our hooks out again; untouched settings are put back byte for byte
    Remove(HookChange),
    /// Say where hooks are installed, when they fired last, and what went wrong
    Status(HookStatus),
    /// The hook of Claude Code: records what stands on standard input, prints nothing, always exits 0
    ClaudeCode,
    /// The hook of Codex
    Codex,
    /// The hook of Gemini CLI
    Gemini,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HookChange {
    /// The agent: claude-code, codex or gemini
    #[arg(value_name = "AGENT", value_parser = agent())]
    pub(crate) agent: Agent,
    /// Other settings than the user's own, e.g. .claude/settings.json of a project
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Don't ask
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HookStatus {
    /// Only this agent
    #[arg(value_name = "AGENT", value_parser = agent())]
    pub(crate) agent: Option<Agent>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Capture {
    /// Agents by name, files or folders; without any, every agent that has transcripts here
    #[arg(value_name = "WHAT", conflicts_with = "all")]
    pub(crate) what: Vec<String>,
    /// Every agent that has transcripts here
    #[arg(long)]
    pub(crate) all: bool,
    /// Take in what is there and end
    #[arg(long)]
    pub(crate) once: bool,
    #[command(flatten)]
    pub(crate) known: KnownValues,
}

fn agent() -> impl TypedValueParser<Value = Agent> {
    let names = Agent::ALL.map(Agent::name);
    PossibleValuesParser::new(names).map(|name| Agent::named(&name).unwrap_or(Agent::ClaudeCode))
}
