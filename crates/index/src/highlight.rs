//! Where the words of a query stand in a text, and the part of a text that shows them best.

use std::collections::HashMap;
use std::ops::Range;

use serde::Serialize;

use crate::matcher::is_like;
use crate::query::{Query, Words};
use crate::tokens::tokens;

/// About so many characters.
const SNIPPET_CHARS: usize = 160;
const LEAD_CHARS: usize = 40;

/// Part of a text, on one line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Snippet {
    /// The text; control characters are spaces.
    pub text: String,
    /// Byte ranges in it that were looked for.
    pub marks: Vec<Range<usize>>,
    /// True when there is more before it.
    pub cut_before: bool,
    /// True when there is more after it.
    pub cut_after: bool,
}

/// What is marked of a wanted piece: of words that stand near each other, each.
fn shown(words: &Words) -> Vec<Words> {
    match words {
        Words::Slop(row, _) => row.iter().map(|(_, token)| Words::Row(vec![(0, token.clone())])).collect(),
        other => vec![other.clone()],
    }
}

/// Finds what a query looked for.
#[derive(Debug)]
pub struct Highlighter {
    wanted: Vec<Words>,
    slots: HashMap<String, usize>,
}

impl Highlighter {
    /// For a query.
    pub fn new(query: &Query) -> Self {
        let wanted: Vec<Words> = query.wanted().into_iter().flat_map(shown).collect();
        let mut slots = HashMap::new();
        for words in &wanted {
            if let Words::Row(row) = words {
                for (_, token) in row {
                    let next = slots.len();
                    slots.entry(token.clone()).or_insert(next);
                }
            }
        }
        Self { wanted, slots }
    }

    /// Byte ranges of `text`, in order, none touching another.
    pub fn marks(&self, text: &str) -> Vec<Range<usize>> {
        let mut seen: Vec<HashMap<u32, Range<usize>>> = vec![HashMap::new(); self.slots.len()];
        let mut out = Vec::new();
        tokens(text, |token| {
            if let Some(&slot) = self.slots.get(token.text) {
                seen[slot].insert(token.position, token.source.clone());
            }
            let begins = |words: &Words| match words {
                Words::Prefix(prefix) => token.text.starts_with(prefix.as_str()),
                Words::Fuzzy(word, most) => is_like(token.text, word, *most),
                _ => false,
            };
            if self.wanted.iter().any(begins) {
                out.push(token.source);
            }
        });
        for words in &self.wanted {
            if let Words::Row(row) = words {
                out.extend(self.rows(row, &seen));
            }
        }
        merge(out)
    }

    fn rows(&self, row: &[(u32, String)], seen: &[HashMap<u32, Range<usize>>]) -> Vec<Range<usize>> {
        let list = |token: &String| self.slots.get(token).map(|slot| &seen[*slot]);
        let Some((first, lists)) = row.split_first() else { return Vec::new() };
        let Some(starts) = list(&first.1) else { return Vec::new() };
        let whole = |(position, range): (&u32, &Range<usize>)| {
            let mut whole = range.clone();
            for (offset, token) in lists {
                whole.end = list(token)?.get(&(position + offset))?.end.max(whole.end);
            }
            Some(whole)
        };
        starts.iter().filter_map(whole).collect()
    }

    /// The part of `text` with the most marks, about 160 characters.
    pub fn snippet(&self, text: &str) -> Snippet {
        snippet_at(text, &self.marks(text))
    }
}

/// The part of `text` with the most of these marks.
pub(crate) fn snippet_at(text: &str, marks: &[Range<usize>]) -> Snippet {
    let best = best_window(text, marks);
    let start = back(text, best, LEAD_CHARS);
    let start = if start == 0 { 0 } else { word_start(text, start, best) };
    let end = forth(text, start, SNIPPET_CHARS);
    let end = if end == text.len() { end } else { word_end(text, end, best) };
    let inside = |mark: &&Range<usize>| mark.start >= start && mark.end <= end;
    let shift = |mark: &Range<usize>| mark.start - start..mark.end - start;
    Snippet {
        text: one_line(&text[start..end]),
        marks: marks.iter().filter(inside).map(shift).collect(),
        cut_before: start > 0,
        cut_after: end < text.len(),
    }
}

fn merge(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut out: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

/// The start of the mark from which on a window holds the most marks; the first of equals.
fn best_window(text: &str, marks: &[Range<usize>]) -> usize {
    let (mut best, mut most) = (0, 0);
    for (index, mark) in marks.iter().enumerate() {
        let end = forth(text, mark.start, SNIPPET_CHARS - LEAD_CHARS);
        let inside = marks[index..].iter().take_while(|mark| mark.end <= end).count();
        if inside > most {
            (best, most) = (mark.start, inside);
        }
    }
    best
}

fn back(text: &str, from: usize, chars: usize) -> usize {
    text[..from].char_indices().rev().take(chars).last().map_or(from, |(at, _)| at)
}

fn forth(text: &str, from: usize, chars: usize) -> usize {
    text[from..].char_indices().nth(chars).map_or(text.len(), |(at, _)| from + at)
}

/// After the first white space between `from` and `to`, else `from`.
fn word_start(text: &str, from: usize, to: usize) -> usize {
    let space = text[from..to].char_indices().find(|(_, c)| c.is_whitespace() || c.is_control());
    space.map_or(from, |(at, c)| from + at + c.len_utf8())
}

/// Before the last white space near `end`, else `end`.
fn word_end(text: &str, end: usize, from: usize) -> usize {
    let near = back(text, end, 20).max(from);
    let space = text[near..end].char_indices().rev().find(|(_, c)| c.is_whitespace() || c.is_control());
    space.map_or(end, |(at, _)| near + at)
}

/// Control characters become spaces; every byte keeps its place.
fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            out.extend(std::iter::repeat_n(' ', c.len_utf8()));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Now;

    fn highlighter(query: &str) -> Highlighter {
        Highlighter::new(&Query::parse(query, &Now::utc(0)).expect("a query"))
    }

    fn marked<'t>(query: &str, text: &'t str) -> Vec<&'t str> {
        highlighter(query).marks(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn marks_show_what_was_meant() {
        assert_eq!(marked("token", "The TOKEN and a Tokén, not tokens"), ["TOKEN", "Tokén"]);
        assert_eq!(marked("bd-q3fy", "see BD-Q3FY, bd q3fy"), ["BD-Q3FY"]);
        assert_eq!(marked("\"token expired\"", "token expired; token has expired"), ["token expired"]);
        assert_eq!(marked("tok*", "tokens of a Tok"), ["tokens", "Tok"]);
        assert_eq!(marked("令牌过期", "他的令牌过期了"), ["令牌过期"]);
        assert_eq!(marked("a -b", "a b"), ["a"]);
    }

    #[test]
    fn a_snippet_is_the_best_part_on_one_line() {
        let text = format!("{}needle one\nand needle two {}", "hay ".repeat(100), "straw ".repeat(100));
        let snippet = highlighter("needle").snippet(&text);
        assert_eq!(snippet.marks.len(), 2);
        assert!(snippet.marks.iter().all(|mark| &snippet.text[mark.clone()] == "needle"));
        assert!(snippet.cut_before && snippet.cut_after && !snippet.text.contains('\n'));
        assert!(snippet.text.chars().count() <= 165, "{}", snippet.text.len());
        assert_eq!(highlighter("kind:note").snippet("short").text, "short");
        assert_eq!(highlighter("x").snippet(""), Snippet::default());
    }
}
