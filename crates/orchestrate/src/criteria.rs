//! Criteria: each line of what was promised, beside the completion reasoning that speaks of it most.

use std::collections::BTreeSet;

use index::tokens::tokens;
use recorder::{Now, Options, Query, Sort, Store};
use serde::Serialize;
use serde_json::Value;

use crate::error::OrchestrateError;
use crate::house::text_of;

/// Words that say nothing about what is promised.
const SILENT: &str = " a an and are as at be been but by can could do does for from had has have if in into is it its must \
                      no not of on or shall should so than that the their then there these they this to was were will \
                      with would all any each every when which while who ";
/// An entry with fewer of the words of a criterion is no evidence.
const ENOUGH_PERCENT: u64 = 66;
/// Hits that are shown of each.
const HITS: usize = 3;

/// One criterion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Criterion {
    /// The line.
    pub text: String,
    /// True if an entry has two thirds of its words. Words, not meaning: the links are there to be read.
    pub evidenced: bool,
    /// The entries that speak of it most, the best first.
    pub hits: Vec<Hit>,
}

/// An entry that speaks of a criterion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// `session/sequence#hash`, for ever.
    pub link: String,
    /// Who said it.
    pub agent: Option<String>,
    /// The group.
    pub group: Option<String>,
    /// By relevance.
    pub score: f32,
    /// How many of the words of the criterion it has, of a hundred.
    pub words_percent: u64,
    /// The part that speaks of it.
    pub snippet: String,
}

/// Criteria, one a line; marks of a list and headings are left out.
pub fn lines(text: &str) -> Vec<String> {
    let clean = |line: &str| {
        let line = line.trim();
        let line = line.strip_prefix(['-', '*', '+']).map_or(line, str::trim_start);
        let line = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
        line.trim().to_owned()
    };
    text.lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .map(clean)
        .filter(|line| !line.is_empty())
        .collect()
}

/// Looks for each criterion in the completion reasoning of a session.
pub fn criteria(
    store: &Store,
    session: &str,
    wanted: &[String],
    now: &Now,
) -> Result<Vec<Criterion>, OrchestrateError> {
    let session = store.session(session)?;
    wanted.iter().map(|text| criterion(store, session.as_str(), text, now)).collect()
}

fn criterion(store: &Store, session: &str, text: &str, now: &Now) -> Result<Criterion, OrchestrateError> {
    let words = words_of(text);
    let none = Criterion { text: text.to_owned(), evidenced: false, hits: Vec::new() };
    if words.is_empty() {
        return Ok(none);
    }
    let any = words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" OR ");
    let query = Query::parse(&format!("session:\"{session}\" phase:completion ({any})"), now);
    let query = query.map_err(OrchestrateError::Query)?;
    let options = Options { limit: HITS, sort: Some(Sort::Relevance), context: 0 };
    let answer = store.search(&query, &options, false)?;
    let mut hits = Vec::new();
    for hit in &answer.hits {
        let said = hit
            .event
            .data
            .get("text")
            .map(|text| store.whole(text))
            .transpose()?
            .map_or_else(String::new, text_of);
        let said = words_of(&said);
        let found = words.iter().filter(|word| said.contains(*word)).count() as u64;
        hits.push(Hit {
            link: format!("{}#{}", hit.event.name(), &hit.event.hash[..16]),
            agent: hit.event.text("agent").map(str::to_owned),
            group: hit.event.text("group").map(str::to_owned),
            score: hit.score,
            words_percent: found * 100 / words.len() as u64,
            snippet: hit.snippet.text.split_whitespace().collect::<Vec<_>>().join(" "),
        });
    }
    let evidenced = hits.iter().any(|hit| hit.words_percent >= ENOUGH_PERCENT);
    Ok(Criterion { evidenced, hits, ..none })
}

/// The words that count, folded as the index folds them.
fn words_of(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    tokens(text, |token| {
        let plain = token.text.chars().all(char::is_alphanumeric);
        if plain && !SILENT.contains(&format!(" {} ", token.text)) {
            words.insert(token.text.to_owned());
        }
    });
    words
}

/// True if every criterion is evidenced.
pub fn all_evidenced(criteria: &[Criterion]) -> bool {
    criteria.iter().all(|criterion| criterion.evidenced)
}

/// An answer as JSON values have it.
pub fn as_json(criteria: &[Criterion]) -> Value {
    serde_json::to_value(criteria).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn criteria_are_lines_without_marks() {
        assert_eq!(
            lines("# Goals\n- [ ] tokens expire\n\n* refresh works\nplain\n"),
            ["tokens expire", "refresh works", "plain"]
        );
        assert_eq!(
            words_of("The tokens must EXPIRE"),
            BTreeSet::from(["expire".to_owned(), "tokens".to_owned()])
        );
    }
}
