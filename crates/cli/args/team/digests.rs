//! What is typed about digests, spawns and their prompts.

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::{Beside, Content, KnownValues, Saving};

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
