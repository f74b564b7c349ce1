//! Our query tree as a tantivy query. Matching only: what a hit is worth the collector counts.

use std::ops::Bound;

use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, EmptyQuery, Occur, Query as TantivyQuery, RangeQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use super::Fields;
use super::row::RowQuery;
use crate::query::{Item, Node, Words};

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
        Words::Row(row) => Box::new(RowQuery { field: text, row: row.clone() }),
    }
}
