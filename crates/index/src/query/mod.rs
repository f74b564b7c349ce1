//! What people ask: one grammar everywhere (`search` here, a web page, an agent's tool).
//!
//! ```text
//! query  = any
//! any    = all { "OR" all }
//! all    = one { ["AND"] one }
//! one    = [ "-" | "NOT" ] ( "(" any ")" | field ":" value | words | "/" regex "/" | "@" saved )
//! words  = "\"" phrase "\"" [ "~" slop ] | word [ "*" | "~" [ "1" | "2" ] ]
//! value  = item { ("," | "|") item } | (">=" | "<=" | ">" | "<" | "=") item
//! ```
//!
//! - Q1  an unknown field is an error that names the nearest one, never silently a term
//! - Q2  every error points at a byte of the query; parsing is linear and refuses what is too much
//! - Q4  a regex needs a bound beside it (a session, a group, a time, a sequence): it reads all that is left
//! - Q5  what no index keeps ([`Deep`]) gives the same answer with and without one
//! - Q3  a word is what [`crate::tokens`] says; one that is an identifier is looked for whole, and as its words in a row

mod deep;
mod fields;
mod open;
mod parse;
#[cfg(test)]
mod tests;
mod times;
mod values;

use std::collections::HashSet;
use std::fmt::{self, Write as _};

pub use deep::{Deep, Measure, is_test};
pub(crate) use deep::{Depth, NAMING, regex};
pub use fields::{FIELDS, FieldKind, FieldSpec};
pub use open::{Name, Open};
pub use times::{Span, time_range};

pub use crate::facts::Keyword;

/// The longest query, in bytes.
pub const MAX_BYTES: usize = 16 * 1024;
/// The most words and filters in one query.
pub const MAX_CLAUSES: usize = 1_100;
/// The deepest nesting of parentheses.
pub const MAX_DEPTH: usize = 50;

/// A query, understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The tree.
    pub root: Node,
}

/// One condition, or several put together.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// Everything.
    All,
    /// All of them.
    And(Vec<Node>),
    /// Any of them.
    Or(Vec<Node>),
    /// Not this.
    Not(Box<Node>),
    /// Text.
    Words(Words),
    /// A field with one of these values.
    Keyword {
        /// Which.
        field: Keyword,
        /// Folded.
        values: Vec<Item>,
    },
    /// A sequence from here to there, both included.
    Seq {
        /// The lowest.
        low: u64,
        /// The highest.
        high: u64,
    },
    /// A time, in microseconds since 1970, both included.
    Time {
        /// The earliest.
        low: i64,
        /// The latest.
        high: i64,
    },
    /// What no index keeps.
    Deep(Deep),
    /// A name to fill in before asking ([`Query::resolve`]).
    Open(Open),
}

impl Node {
    /// True if an index alone can tell.
    pub(crate) fn is_exact(&self) -> bool {
        match self {
            Self::And(nodes) | Self::Or(nodes) => nodes.iter().all(Self::is_exact),
            Self::Not(inner) => inner.is_exact(),
            Self::Words(words) => matches!(words, Words::Row(_) | Words::Prefix(_)),
            Self::Deep(_) => false,
            _ => true,
        }
    }
}

/// A value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Folded text.
    pub text: String,
    /// True when any value that begins so will do.
    pub prefix: bool,
}

/// Text to look for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Words {
    /// Tokens at these distances from the first; one token is a term.
    Row(Vec<(u32, String)>),
    /// Tokens that begin so.
    Prefix(String),
    /// Tokens in this order, with at most so many others between them.
    Slop(Vec<(u32, String)>, u32),
    /// Tokens with at most so many typing mistakes.
    Fuzzy(String, usize),
}

/// A query that cannot be understood: what, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// What is wrong.
    pub message: String,
    /// Byte offset in the query.
    pub at: usize,
    /// What to do about it.
    pub hint: Option<String>,
}

/// What a query may refer to besides the journal.
#[derive(Debug, Clone)]
pub struct Now {
    /// The instant that `2h` counts back from.
    pub at: jiff::Timestamp,
    /// The zone of dates and times that name none.
    pub zone: jiff::tz::TimeZone,
}

impl Now {
    /// An instant in UTC.
    pub fn utc(at: world::Instant) -> Self {
        let at = jiff::Timestamp::from_microsecond(at).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        Self { at, zone: jiff::tz::TimeZone::UTC }
    }

    fn date(&self) -> jiff::civil::Date {
        self.zone.to_datetime(self.at).date()
    }
}

impl Query {
    /// Reads a query; `now` is where relative times count from, with the time zone of bare dates.
    pub fn parse(text: &str, now: &Now) -> Result<Self, QueryError> {
        parse::parse(text, now).map(|root| Self { root })
    }

    /// Both this and the other.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { root: Node::And(vec![self.root, other.root]) }
    }

    /// Everything that text can be found or ranked by: not what stands under a `not`.
    pub fn wanted(&self) -> Vec<&Words> {
        let (mut out, mut known) = (Vec::new(), HashSet::new());
        collect(&self.root, &mut |words| {
            if known.insert(words) {
                out.push(words);
            }
        });
        out
    }

    /// True when relevance means something: there are words, not only filters.
    pub fn has_words(&self) -> bool {
        !self.wanted().is_empty()
    }

    /// How the query was understood, a line for each condition.
    pub fn explain(&self) -> String {
        let mut out = String::new();
        explain(&self.root, 0, &mut out);
        out
    }
}

fn collect<'q>(node: &'q Node, each: &mut impl FnMut(&'q Words)) {
    match node {
        Node::And(nodes) | Node::Or(nodes) => nodes.iter().for_each(|node| collect(node, each)),
        Node::Words(words) => each(words),
        _ => {}
    }
}

fn explain(node: &Node, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    let (head, below): (String, &[Node]) = match node {
        Node::And(nodes) => ("all of".to_owned(), nodes),
        Node::Or(nodes) => ("any of".to_owned(), nodes),
        Node::Not(inner) => ("not".to_owned(), std::slice::from_ref(&**inner)),
        other => (other.to_string(), &[]),
    };
    let _ = writeln!(out, "{pad}{head}");
    for node in below {
        explain(node, depth + 1, out);
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("every event"),
            Self::And(nodes) | Self::Or(nodes) => write!(f, "{} conditions", nodes.len()),
            Self::Not(inner) => write!(f, "not {inner}"),
            Self::Words(words) => words.fmt(f),
            Self::Keyword { field, values } => {
                let values: Vec<String> = values.iter().map(Item::to_string).collect();
                write!(f, "{} is {}", field.name(), values.join(" or "))
            }
            Self::Seq { low, high } if *high == u64::MAX => write!(f, "seq from {low}"),
            Self::Seq { low, high } => write!(f, "seq {low} to {high}"),
            Self::Time { low, high } => write!(f, "time {} to {}", stamp(*low), stamp(*high)),
            Self::Deep(deep) => deep.fmt(f),
            Self::Open(open) => open.name.fmt(f),
        }
    }
}

fn stamp(micros: i64) -> String {
    match micros {
        i64::MIN => "the beginning".to_owned(),
        i64::MAX => "now and later".to_owned(),
        micros => world::rfc3339(micros),
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.text, if self.prefix { "…" } else { "" })
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prefix(prefix) => write!(f, "a word that begins with {prefix:?}"),
            Self::Fuzzy(word, most) => write!(f, "a word like {word:?}, up to {most} letters off"),
            Self::Slop(words, slop) => {
                let words: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
                write!(f, "in a row {words:?}, up to {slop} others between")
            }
            Self::Row(words) if words.len() == 1 => write!(f, "the word {:?}", words[0].1),
            Self::Row(words) => {
                let words: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
                write!(f, "in a row {words:?}")
            }
        }
    }
}

impl QueryError {
    /// A fault at a byte of the query.
    pub fn new(at: usize, message: impl Into<String>) -> Self {
        Self { message: message.into(), at, hint: None }
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The query with a caret under the fault; of a long one, the part around it.
    pub fn caret(&self, query: &str) -> String {
        const AROUND: usize = 50;
        let fault = (0..=self.at.min(query.len())).rev().find(|&at| query.is_char_boundary(at)).unwrap_or(0);
        let before: Vec<char> = query[..fault].chars().rev().take(AROUND).map(printable).collect();
        let after = query[fault..].chars().take(AROUND).map(printable);
        let shown: String = before.iter().rev().copied().chain(after).collect();
        format!("{shown}\n{}^", " ".repeat(before.len()))
    }
}

fn printable(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}
