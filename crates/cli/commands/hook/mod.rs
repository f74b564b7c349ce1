//! `recount hook …`: the hooks of agents, and their place in the agents' settings.

pub(crate) mod fire;
mod install;
pub(crate) mod traces;

use capture::Agent;

use crate::args::{Global, Hook, HookCommand};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) use install::{Standing, standing};

pub(crate) fn run(global: &Global, args: &Hook, out: &mut Output) -> Result<u8, Failure> {
    match &args.command {
        HookCommand::Install(a) => install::install(a, out),
        HookCommand::Remove(a) => install::remove(a, out),
        HookCommand::Status(a) => install::status(a, out),
        HookCommand::ClaudeCode => Ok(fire::fire(Agent::ClaudeCode, global)),
        HookCommand::Codex => Ok(fire::fire(Agent::Codex, global)),
        HookCommand::Gemini => Ok(fire::fire(Agent::Gemini, global)),
    }
}
