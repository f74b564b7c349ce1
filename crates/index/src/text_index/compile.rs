//! Our query tree as a tantivy query. Matching only: what a hit is worth the collector counts.
//!
//! Of what no index keeps, everything is let through that may match; the event itself is asked then.

use std::ops::Bound;

use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, EmptyQuery, FuzzyTermQuery, Occur, Query as TantivyQuery, RangeQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use super::Fields;
use super::row::RowQuery;
use crate::facts::Keyword;
use crate::query::{Deep, Item, Measure, NAMING, Node, Words};

pub(super) type Boxed = Box<dyn TantivyQuery>;

pub(super) fn compile(node: &Node, fields: &Fields) -> Boxed {
    match node {
        Node::All => Box::new(AllQuery),
        Node::And(nodes) => all_of(nodes, fields),
        Node::Or(nodes) => any_of(nodes.iter().map(|node| compile(node, fields)).collect()),
        Node::Not(_) => all_of(std::slice::from_ref(node), fields),
        Node::Words(words) => self::words(words, fields.text),
        Node::Keyword { field, values } => {
            let field = fields.keyword(*field);
            any_of(values.iter().map(|item| keyword(item, field)).collect())
        }
        Node::Deep(deep) => self::deep(deep, fields),
        Node::Open(_) => Box::new(EmptyQuery),
        Node::Seq { low, high } if low > high => Box::new(EmptyQuery),
        Node::Time { low, high } if low > high => Box::new(EmptyQuery),
        Node::Seq { low, high } => {
            range(Term::from_field_u64(fields.seq, *low), Term::from_field_u64(fields.seq, *high))
        }
        Node::Time { low, high } => {
            range(Term::from_field_i64(fields.time, *low), Term::from_field_i64(fields.time, *high))
        }
    }
}

fn all_of(nodes: &[Node], fields: &Fields) -> Boxed {
    let mut parts: Vec<(Occur, Boxed)> = Vec::with_capacity(nodes.len() + 1);
    for node in nodes {
        parts.push(match node {
            Node::Not(inner) if !inner.is_exact() => continue,
            Node::Not(inner) => (Occur::MustNot, compile(inner, fields)),
            node => (Occur::Must, compile(node, fields)),
        });
    }
    if parts.iter().all(|(occur, _)| *occur == Occur::MustNot) {
        parts.push((Occur::Must, Box::new(AllQuery)));
    }
    Box::new(BooleanQuery::new(parts))
}

fn any_of(mut parts: Vec<Boxed>) -> Boxed {
    if parts.len() == 1 { parts.remove(0) } else { Box::new(BooleanQuery::union(parts)) }
}

fn range(low: Term, high: Term) -> Boxed {
    Box::new(RangeQuery::new(Bound::Included(low), Bound::Included(high)))
}

fn term(field: Field, text: &str) -> Boxed {
    Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic))
}

pub(super) fn begins(field: Field, prefix: &str) -> Boxed {
    let last = format!("{prefix}{}", char::MAX);
    range(Term::from_field_text(field, prefix), Term::from_field_text(field, &last))
}

fn keyword(item: &Item, field: Field) -> Boxed {
    if item.prefix { begins(field, &item.text) } else { term(field, &item.text) }
}

fn words(words: &Words, text: Field) -> Boxed {
    match words {
        Words::Prefix(prefix) => begins(text, prefix),
        Words::Row(row) if row.len() == 1 => term(text, &row[0].1),
        Words::Slop(row, _) => {
            let parts = row.iter().map(|(_, token)| (Occur::Must, term(text, token)));
            Box::new(BooleanQuery::new(parts.collect()))
        }
        Words::Fuzzy(word, most) => {
            let most = u8::try_from(*most).unwrap_or(2);
            Box::new(FuzzyTermQuery::new(Term::from_field_text(text, word), most, true))
        }
        Words::Row(row) => Box::new(RowQuery { field: text, row: row.clone() }),
    }
}

/// Everything that may have it.
fn deep(deep: &Deep, fields: &Fields) -> Boxed {
    let has = |name: &str| term(fields.keyword(Keyword::Has), name);
    match deep {
        Deep::File(_) => any_of(NAMING.iter().map(|name| has(name)).collect()),
        Deep::Confidence(_) => has("confidence"),
        Deep::Between(Measure::Duration, ..) => has("duration_ms"),
        Deep::Between(Measure::Tokens, ..) => has("usage"),
        Deep::Redacted(_) | Deep::Between(Measure::Secrets, ..) => has("redacted"),
        Deep::Test => term(fields.keyword(Keyword::Kind), "skill.invoked"),
        Deep::Regex(_) => Box::new(AllQuery),
        Deep::Events(events) if events.is_empty() => Box::new(EmptyQuery),
        Deep::Events(events) => {
            let sessions = events.chunk_by(|a, b| a.0 == b.0);
            any_of(sessions.map(|of_one| stretch(of_one, fields)).collect())
        }
    }
}

/// From the first to the last of some events of one session.
fn stretch(events: &[(String, u64)], fields: &Fields) -> Boxed {
    let (Some((session, low)), Some((_, high))) = (events.first(), events.last()) else {
        return Box::new(EmptyQuery);
    };
    let seq = Node::Seq { low: *low, high: *high };
    let session = term(fields.keyword(Keyword::Session), session);
    Box::new(BooleanQuery::new(vec![(Occur::Must, session), (Occur::Must, compile(&seq, fields))]))
}
