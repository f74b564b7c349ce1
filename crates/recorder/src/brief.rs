//! What a listing shows of an event: from its row where one was kept, else from the event. Both say the same.
//!
//! The words are recorded text: doors must make them harmless for the place where they show them.

use std::borrow::Cow;

use event::Event;

use crate::row::Word;
use crate::steps::Step;
use crate::summary::{Summary, summary};

pub use crate::row::BRIEF_CHARS;

/// An event as a listing shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief<'r> {
    /// When it happened, as it says itself.
    pub time: Cow<'r, str>,
    /// What happened.
    pub kind: Cow<'r, str>,
    /// The agent's role.
    pub agent: Option<Cow<'r, str>>,
    /// Which agent of that role.
    pub agent_id: Option<Cow<'r, str>>,
    /// The group.
    pub group: Option<Cow<'r, str>>,
    /// The hash of its line.
    pub hash: Cow<'r, str>,
    /// A word or two ([`Summary`]).
    pub label: Cow<'r, str>,
    /// The first words of its content ([`Summary`]).
    pub text: Cow<'r, str>,
}

impl<'r> Brief<'r> {
    /// From a row, with at most [`BRIEF_CHARS`] of text; `None` if the step is none, or more is wanted.
    pub(crate) fn kept(step: &'r Step, limit: usize) -> Option<Self> {
        let text = step.row(Word::Text).filter(|_| limit <= BRIEF_CHARS)?;
        Some(Self {
            time: step.said().into(),
            kind: step.kind().into(),
            agent: step.agent().map(Cow::from),
            agent_id: step.agent_id().map(Cow::from),
            group: step.group().map(Cow::from),
            hash: step.row(Word::Hash)?.into(),
            label: step.row(Word::Label)?.into(),
            text: cut(text, limit),
        })
    }

    /// From an event.
    pub(crate) fn of(event: &Event, limit: usize) -> Self {
        let Summary { label, text } = summary(event, limit);
        let header = |name: &str| event.text(name).map(|text| text.to_owned().into());
        Self {
            time: event.time().to_owned().into(),
            kind: event.kind.as_str().to_owned().into(),
            agent: header("agent"),
            agent_id: header("agent_id"),
            group: header("group"),
            hash: event.hash.clone().into(),
            label: label.into(),
            text: text.into(),
        }
    }

    /// Who acts: the agent id, else the role.
    pub fn actor(&self) -> Option<&str> {
        self.agent_id.as_deref().or(self.agent.as_deref())
    }
}

/// What a shorter summary would have been: the text is folded already. A space at the edge is kept, as it is there.
fn cut(text: &str, limit: usize) -> Cow<'_, str> {
    // characters are at most as many as bytes
    if text.len() <= limit {
        return text.into();
    }
    let start = &text.as_bytes()[..limit];
    let end = if start.is_ascii() { Some(limit) } else { text.char_indices().nth(limit).map(|(at, _)| at) };
    match end {
        None => text.into(),
        Some(end) if text.as_bytes()[end] == b' ' => [&text[..=end], "…"].concat().into(),
        Some(end) => [&text[..end], "…"].concat().into(),
    }
}
