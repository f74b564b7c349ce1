//! Does an event match a query, and how often do its words occur? Evaluated over an event's text and
//! fields, without any index: what the scan does, and how a hit of the index is checked again.

use std::collections::HashMap;

use crate::facts::{Facts, Keyword};
use event::Line;
use regex::Regex;

use crate::query::{Deep, Depth, Item, Node, Query, Words, regex};
use crate::relevance::{loose_rows, rows};
use crate::tokens::{Buffers, Stream};

/// A query, prepared for many events.
#[derive(Debug)]
pub(crate) struct Matcher {
    root: Cond,
    leaves: Vec<Leaf>,
    /// The first so many leaves are wanted; the others stand under a `not`.
    wanted: usize,
    slots: HashMap<String, usize>,
    prefixes: Vec<String>,
    /// Words with typing mistakes, and how many.
    fuzzy: Vec<(String, usize)>,
    regexes: Vec<Regex>,
    deep: bool,
}

#[derive(Debug)]
enum Cond {
    All,
    And(Vec<Cond>),
    Or(Vec<Cond>),
    Not(Box<Cond>),
    Leaf(usize),
    Keyword(Keyword, Vec<Item>),
    Seq(u64, u64),
    Time(i64, i64),
    Deep(Deep),
    Regex(usize),
    /// Sorted.
    Events(Vec<(String, u64)>),
    Never,
}

#[derive(Debug)]
enum Leaf {
    Row(Vec<(u32, usize)>),
    Slop(Vec<(u32, usize)>, u32),
    Prefix(usize),
    Fuzzy(usize),
}

/// True if a token is the word but for so many letters wrong, missing, too many or swapped.
pub(crate) fn is_like(token: &str, word: &str, most: usize) -> bool {
    token.len().abs_diff(word.len()) <= most * 4 && strsim::osa_distance(token, word) <= most
}

/// Where the tokens of a query stand in one text.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    positions: Vec<Vec<u32>>,
    prefixes: Vec<bool>,
    fuzzy: Vec<bool>,
    regexes: Vec<bool>,
    depth: Depth,
    buffers: Buffers,
}

impl Matcher {
    pub(crate) fn new(query: &Query) -> Self {
        let (root, leaves) = (Cond::All, Vec::new());
        let (slots, prefixes) = (HashMap::new(), Vec::new());
        let (fuzzy, regexes, deep) = (Vec::new(), Vec::new(), false);
        let mut matcher = Self { root, leaves, wanted: 0, slots, prefixes, fuzzy, regexes, deep };
        let mut known = HashMap::new();
        for words in query.wanted() {
            let leaf = matcher.leaf(words);
            known.insert(words.clone(), leaf);
        }
        matcher.wanted = matcher.leaves.len();
        matcher.root = matcher.condition(&query.root, &mut known);
        matcher
    }

    fn leaf(&mut self, words: &Words) -> usize {
        let leaf = match words {
            Words::Row(row) => Leaf::Row(self.row(row)),
            Words::Slop(row, slop) => Leaf::Slop(self.row(row), *slop),
            Words::Fuzzy(word, most) => {
                self.fuzzy.push((word.clone(), *most));
                Leaf::Fuzzy(self.fuzzy.len() - 1)
            }
            Words::Prefix(prefix) => {
                self.prefixes.push(prefix.clone());
                Leaf::Prefix(self.prefixes.len() - 1)
            }
        };
        self.leaves.push(leaf);
        self.leaves.len() - 1
    }

    fn row(&mut self, row: &[(u32, String)]) -> Vec<(u32, usize)> {
        row.iter().map(|(offset, token)| (*offset, self.slot(token))).collect()
    }

    fn slot(&mut self, token: &str) -> usize {
        let next = self.slots.len();
        *self.slots.entry(token.to_owned()).or_insert(next)
    }

    fn condition(&mut self, node: &Node, known: &mut HashMap<Words, usize>) -> Cond {
        let mut each = |nodes: &[Node]| nodes.iter().map(|node| self.condition(node, known)).collect();
        match node {
            Node::All => Cond::All,
            Node::And(nodes) => Cond::And(each(nodes)),
            Node::Or(nodes) => Cond::Or(each(nodes)),
            Node::Not(inner) => Cond::Not(Box::new(self.condition(inner, known))),
            Node::Words(words) => Cond::Leaf(*known.entry(words.clone()).or_insert_with(|| self.leaf(words))),
            Node::Keyword { field, values } => Cond::Keyword(*field, values.clone()),
            Node::Seq { low, high } => Cond::Seq(*low, *high),
            Node::Time { low, high } => Cond::Time(*low, *high),
            Node::Deep(Deep::Regex(pattern)) => match regex(pattern) {
                Ok(regex) => {
                    self.regexes.push(regex);
                    Cond::Regex(self.regexes.len() - 1)
                }
                Err(_) => Cond::Never,
            },
            Node::Deep(Deep::Events(events)) => Cond::Events(events.clone()),
            Node::Deep(deep) => {
                self.deep = true;
                Cond::Deep(deep.clone())
            }
            Node::Open(_) => Cond::Never,
        }
    }

    /// Takes from a line what conditions ask that no index keeps.
    pub(crate) fn look_deep(&self, line: &Line<'_>, seen: &mut Seen) {
        if self.deep {
            seen.depth = Depth::of(line);
        }
    }

    /// True if tokens that are not in the query can match it.
    pub(crate) fn is_fuzzy(&self) -> bool {
        !self.fuzzy.is_empty()
    }

    /// Tokens whose frequency relevance asks for.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = (&str, usize)> {
        self.slots.iter().map(|(token, slot)| (token.as_str(), *slot))
    }

    pub(crate) fn prefixes(&self) -> &[String] {
        &self.prefixes
    }

    /// True when there is any text to look for.
    pub(crate) fn reads_text(&self) -> bool {
        !self.leaves.is_empty() || !self.regexes.is_empty()
    }

    /// True when no event without one of the wanted words can match.
    pub(crate) fn needs_words(&self) -> bool {
        self.root.needs_words(self.wanted)
    }

    /// Looks at a text.
    pub(crate) fn look(&self, text: &str, seen: &mut Seen) {
        seen.positions.resize_with(self.slots.len(), Vec::new);
        seen.positions.iter_mut().for_each(Vec::clear);
        seen.prefixes.clear();
        seen.prefixes.resize(self.prefixes.len(), false);
        seen.fuzzy.clear();
        seen.fuzzy.resize(self.fuzzy.len(), false);
        seen.regexes = self.regexes.iter().map(|regex| regex.is_match(text)).collect();
        let mut stream = Stream::new(text, &mut seen.buffers);
        while stream.next_chunk() {
            for index in 0..stream.len() {
                let token = stream.token(index);
                if let Some(&slot) = self.slots.get(token.text) {
                    seen.positions[slot].push(token.position);
                }
                for (prefix, found) in self.prefixes.iter().zip(&mut seen.prefixes) {
                    *found |= token.text.starts_with(prefix.as_str());
                }
                for ((word, most), found) in self.fuzzy.iter().zip(&mut seen.fuzzy) {
                    *found = *found || is_like(token.text, word, *most);
                }
            }
        }
    }

    /// How often a leaf occurs in the text that was looked at.
    fn count(&self, leaf: usize, seen: &Seen) -> u32 {
        match &self.leaves[leaf] {
            Leaf::Prefix(prefix) => u32::from(seen.prefixes[*prefix]),
            Leaf::Fuzzy(fuzzy) => u32::from(seen.fuzzy[*fuzzy]),
            Leaf::Row(row) => rows(&seen.lists(row)),
            Leaf::Slop(row, slop) => loose_rows(&seen.lists(row), *slop),
        }
    }

    /// How often each wanted piece occurs.
    pub(crate) fn counts(&self, seen: &Seen) -> Vec<u32> {
        (0..self.wanted).map(|leaf| self.count(leaf, seen)).collect()
    }

    /// True when the event matches.
    pub(crate) fn matches(&self, facts: &Facts, seen: &Seen) -> bool {
        self.holds(&self.root, facts, seen)
    }

    fn holds(&self, condition: &Cond, facts: &Facts, seen: &Seen) -> bool {
        let holds = |condition: &Cond| self.holds(condition, facts, seen);
        match condition {
            Cond::All => true,
            Cond::And(all) => all.iter().all(holds),
            Cond::Or(any) => any.iter().any(holds),
            Cond::Not(inner) => !holds(inner),
            Cond::Leaf(leaf) => self.count(*leaf, seen) > 0,
            Cond::Seq(low, high) => (low..=high).contains(&&facts.seq),
            Cond::Time(low, high) => (low..=high).contains(&&facts.time),
            Cond::Deep(deep) => seen.depth.holds(deep),
            Cond::Regex(regex) => seen.regexes.get(*regex).copied().unwrap_or(false),
            Cond::Events(events) => {
                events.binary_search_by(|(s, n)| (s.as_str(), *n).cmp(&(&facts.session, facts.seq))).is_ok()
            }
            Cond::Never => false,
            Cond::Keyword(field, items) => {
                let mut found = false;
                facts.keywords(|name, value| {
                    found |= name == *field && items.iter().any(|item| item.is(value));
                });
                found
            }
        }
    }
}

impl Cond {
    fn needs_words(&self, wanted: usize) -> bool {
        match self {
            Self::And(all) => all.iter().any(|c| c.needs_words(wanted)),
            Self::Or(any) => any.iter().all(|c| c.needs_words(wanted)),
            Self::Leaf(leaf) => *leaf < wanted,
            _ => false,
        }
    }
}

impl Item {
    pub(crate) fn is(&self, value: &str) -> bool {
        if self.prefix { value.starts_with(&self.text) } else { value == self.text }
    }
}

impl Seen {
    fn lists(&self, row: &[(u32, usize)]) -> Vec<(&[u32], u32)> {
        row.iter().map(|(offset, slot)| (self.positions[*slot].as_slice(), *offset)).collect()
    }

    pub(crate) fn has(&self, slot: usize) -> bool {
        self.positions.get(slot).is_some_and(|positions| !positions.is_empty())
    }
}
