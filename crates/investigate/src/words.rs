//! Words by which an agent says that it does not know: the list is versioned, because rankings depend on it.

use std::sync::LazyLock;

use regex::Regex;

/// Changes whenever a pattern does.
pub const WORDS_VERSION: u32 = 1;

/// What each pattern catches, and the pattern. To add one, add a row and raise [`WORDS_VERSION`].
const PATTERNS: &[(&str, &str)] = &[
    ("an assumption", r"assum\w*|suppos(?:e|ing)|presum\w*|hypothetical\w*|let's say|pretend\w*"),
    (
        "a stand-in",
        r"placeholders?|mock(?:ed|ing|s)?|dummy|simulat\w*|(?:example|sample|fictional|made-up) data|for (?:the sake of|demonstration|illustration|illustrative)|in (?:a real|practice)|actual (?:data|code) (?:would|should)",
    ),
    ("a guess", r"likely|probabl[ey]|approximat\w*|estimat\w*|roughly|i think|i believe|i guess"),
];

static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let all: Vec<&str> = PATTERNS.iter().map(|(_, pattern)| *pattern).collect();
    Regex::new(&format!(r"(?i)\b(?:{})\b", all.join("|"))).ok()
});

/// The first words in a text that say so.
pub fn assumption(text: &str) -> Option<&str> {
    WORDS.as_ref()?.find(text).map(|found| found.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_stand_ins_and_guesses_are_found() {
        for (text, found) in [
            ("I assume the secret is there", Some("assume")),
            ("using Sample data for now", Some("Sample data")),
            ("That is most likely it.", Some("likely")),
            ("unlikely, or assumable? no: dummyfile", Some("assumable")),
            ("the tests pass", None),
        ] {
            assert_eq!(assumption(text), found, "{text}");
        }
    }
}
