//! `recount prompt reasoning|handoff|return|orchestrator`: sections of a spawn prompt.

use orchestrate::prompt;

use crate::args::Global;
use crate::args::team::PromptCommand;
use crate::failure::Failure;
use crate::output::Output;
use crate::place;
use crate::unsaid::unsaid;

pub(crate) fn run(global: &Global, command: &PromptCommand, out: &mut Output) -> Result<u8, Failure> {
    let text = match command {
        // names are filled in as they were typed
        PromptCommand::Reasoning { agent, session, group } => {
            prompt::reasoning(&unsaid(agent), &unsaid(session), &unsaid(group))?
        }
        PromptCommand::Return { agent } => prompt::returned(&unsaid(agent))?,
        PromptCommand::Orchestrator { session } => prompt::orchestrator(&unsaid(session))?,
        PromptCommand::Handoff { session, group, agent, beside } => {
            let artifacts = place::artifacts(global, beside.artifacts.as_deref(), false)?;
            prompt::handoff(&place::store(global)?, &artifacts, agent, session, group)?
        }
    };
    out.text(&text)?;
    Ok(0)
}
