//! Events of a session by the noun of their kind, for the nouns that are asked for by themselves: agents
//! that came and went, digests, tokens, what callers name themselves. And outputs of a skill by whomever.

use super::fold::{Fold, Projection, row};
use super::path::Path;
use crate::error::IndexError;
use crate::facts::Facts;

/// The nouns; frequent ones are found by the timeline.
const NOUNS: [&str; 6] = ["agent", "digest", "usage", "x", "state", "file"];

pub(super) struct Nouns;

impl Projection for Nouns {
    fn fold(&self, event: &Facts, fold: &mut Fold<'_>) -> Result<(), IndexError> {
        let noun = event.noun();
        if NOUNS.contains(&noun) {
            return fold.row(&noun_of(&event.session, noun), row(event));
        }
        match event.get("skill") {
            Some(skill) if event.kind == *"skill.returned" => {
                fold.row(&skill_of(&event.session, skill), row(event))
            }
            _ => Ok(()),
        }
    }
}

/// True when [`noun_of`] has rows of this noun.
pub(crate) fn is_kept(noun: &str) -> bool {
    NOUNS.contains(&noun)
}

/// The events of a session with a noun.
pub(crate) fn noun_of(session: &str, noun: &str) -> Path {
    Path::new(b'n').text(session).text(noun)
}

/// The outputs of a skill in a session, whoever ran it.
pub(crate) fn skill_of(session: &str, skill: &str) -> Path {
    Path::new(b'w').text(session).text(skill)
}
