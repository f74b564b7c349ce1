//! A filter over headers that anybody can run again: what a claim of completeness rests on.
//!
//! Values are compared without regard to the case of ASCII letters. A time is an event's `at` where it has the
//! shape of `ts`, else its `ts`; both compare as text.

use std::borrow::Cow;

use event::Line;
use index::query::{Keyword, Node};
use serde::{Deserialize, Serialize};
use world::rfc3339;

/// One condition over headers, or several put together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// Every event.
    Everything,
    /// All of them hold.
    All(Vec<Filter>),
    /// Any of them holds.
    Any(Vec<Filter>),
    /// It does not hold.
    Not(Box<Filter>),
    /// A field has one of these values.
    Field {
        /// `session`, `kind` (or its noun), `agent` (role or id), or the name of a header field.
        name: String,
        /// In lower case.
        values: Vec<Wanted>,
    },
    /// A sequence from here to there, both included.
    Seq {
        /// The lowest.
        from: u64,
        /// The highest.
        to: Option<u64>,
    },
    /// A time from here to there, both included.
    Time {
        /// The earliest.
        from: Option<String>,
        /// The latest.
        to: Option<String>,
    },
}

/// A value that will do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// Its text.
    pub text: String,
    /// True when any value that begins so will do.
    pub prefix: bool,
}

impl Filter {
    /// The filter that a query is; `None` when headers alone cannot decide it.
    pub fn of(node: &Node) -> Option<Self> {
        let each = |nodes: &[Node]| nodes.iter().map(Self::of).collect::<Option<Vec<_>>>();
        Some(match node {
            Node::All => Self::Everything,
            Node::And(nodes) => Self::All(each(nodes)?),
            Node::Or(nodes) => Self::Any(each(nodes)?),
            Node::Not(inner) => Self::Not(Box::new(Self::of(inner)?)),
            Node::Seq { low, high } => Self::Seq { from: *low, to: (*high < 1 << 53).then_some(*high) },
            Node::Time { low, high } => Self::Time { from: bound(*low), to: bound(*high) },
            Node::Keyword { field, values } => {
                if matches!(field, Keyword::Is | Keyword::Has) || values.iter().any(|v| !v.text.is_ascii()) {
                    return None;
                }
                let wanted =
                    |item: &index::query::Item| Wanted { text: item.text.clone(), prefix: item.prefix };
                Self::Field { name: field.name().to_owned(), values: values.iter().map(wanted).collect() }
            }
            Node::Words(_) | Node::Deep(_) | Node::Open(_) => return None,
        })
    }

    /// The session ids that it names.
    pub(crate) fn sessions(&self) -> Vec<&Wanted> {
        match self {
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().flat_map(Self::sessions).collect(),
            Self::Not(inner) => inner.sessions(),
            Self::Field { name, values } if name == "session" => values.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// True when the event matches.
    pub fn matches(&self, line: &Line<'_>) -> bool {
        match self {
            Self::Everything => true,
            Self::All(all) => all.iter().all(|filter| filter.matches(line)),
            Self::Any(any) => any.iter().any(|filter| filter.matches(line)),
            Self::Not(inner) => !inner.matches(line),
            Self::Seq { from, to } => *from <= line.seq && to.is_none_or(|to| line.seq <= to),
            Self::Time { from, to } => {
                let at = line.text("at").filter(|at| has_shape(at));
                let at = at.as_deref().unwrap_or(line.ts);
                from.as_deref().is_none_or(|from| from <= at) && to.as_deref().is_none_or(|to| at <= to)
            }
            Self::Field { name, values } => {
                let mut found = false;
                each_value(line, name, &mut |value| {
                    let value = value.to_ascii_lowercase();
                    found |= values.iter().any(|wanted| wanted.is(&value));
                });
                found
            }
        }
    }
}

impl Wanted {
    pub(crate) fn is(&self, value: &str) -> bool {
        if self.prefix { value.starts_with(&self.text) } else { value == self.text }
    }
}

fn bound(micros: i64) -> Option<String> {
    (micros != i64::MIN && micros != i64::MAX).then(|| rfc3339(micros))
}

/// `YYYY-MM-DDTHH:MM:SS.ffffffZ`
fn has_shape(text: &str) -> bool {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00.000000Z";
    text.len() == SHAPE.len()
        && text.bytes().zip(SHAPE).all(|(b, s)| if *s == b'0' { b.is_ascii_digit() } else { b == *s })
}

fn each_value(line: &Line<'_>, name: &str, each: &mut dyn FnMut(&str)) {
    match name {
        "session" => each(line.session),
        "kind" => {
            let kind = event::decode(line.kind).unwrap_or(Cow::Borrowed(line.kind));
            each(&kind);
            each(kind.split('.').next().unwrap_or_default());
        }
        "agent" => {
            for field in ["agent", "agent_id"] {
                line.text(field).iter().for_each(|value| each(value));
            }
        }
        other => line.text(other).iter().for_each(|value| each(value)),
    }
}
