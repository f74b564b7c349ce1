//! Every tool. To add one: write its row and function in a file of this folder, add a line here.

mod ask;
mod handoffs;
mod reasoning;
mod rules;
mod skills;
mod words;

use crate::arguments::{Argument, Given, PAGING};
use crate::error::Refusal;
use crate::page::{Answer, Start};
use crate::serve::House;

/// A tool.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) arguments: &'static [Argument],
    /// It records something.
    pub(crate) writes: bool,
    /// It answers with recorded text, which may take several replies.
    pub(crate) pages: bool,
    pub(crate) run: fn(&mut House, &Given, Start) -> Result<Answer, Refusal>,
}

impl Tool {
    /// All that it takes.
    pub(crate) fn takes(&self) -> Vec<Argument> {
        let paging = if self.pages { PAGING } else { &[] };
        self.arguments.iter().chain(paging).copied().collect()
    }
}

/// Every tool.
pub(crate) const TOOLS: &[Tool] = &[
    reasoning::SAVE,
    reasoning::GET,
    reasoning::TIMELINE,
    rules::COMPLIANCE,
    rules::PROMPT_REASONING,
    skills::SAVE,
    skills::LATEST,
    skills::ALL,
    skills::EVENT,
    handoffs::DIGEST,
    handoffs::WRITE,
    handoffs::RETURN,
    rules::PROMPT_HANDOFF,
    ask::SEARCH,
    ask::SHOW,
    ask::TIMELINE,
    ask::SESSIONS,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_says_what_it_does_and_what_it_takes() {
        for tool in TOOLS {
            assert_eq!(TOOLS.iter().filter(|other| other.name == tool.name).count(), 1, "{}", tool.name);
            assert!(tool.about.len() > 40, "{}", tool.name);
            for argument in tool.takes() {
                assert!(argument.about.len() > 5, "{} {}", tool.name, argument.name);
                let twice = tool.takes().iter().filter(|other| other.name == argument.name).count();
                assert_eq!(twice, 1, "{} {}", tool.name, argument.name);
            }
        }
    }
}
