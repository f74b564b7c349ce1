//! Asking one commit of the index.

use journal::Pointer;
use tantivy::query::{EnableScoring, Query as TantivyQuery};
use tantivy::{Executor, Term};

use super::compile::{Boxed, compile};
use super::row::RowQuery;
use super::top::{Only, Top};
use super::{Fields, Snapshot, unusable};
use crate::error::IndexError;
use crate::facts::Keyword;
use crate::query::{Item, Node, Query, Words};
use crate::relevance::{Candidate, Relevance, Sort, Stats};

/// From so many events on, other threads are worth waking.
const MANY_EVENTS: u64 = 200_000;

/// The one word, row of words or value of a field that is the whole query.
fn only(node: &Node, fields: &Fields) -> Option<Only> {
    Some(match node {
        Node::And(nodes) | Node::Or(nodes) if nodes.len() == 1 => return only(&nodes[0], fields),
        Node::Words(Words::Row(row)) if row.len() == 1 => {
            Only::Term(Term::from_field_text(fields.text, &row[0].1))
        }
        Node::Words(Words::Row(row)) => Only::Row(RowQuery { field: fields.text, row: row.clone() }),
        Node::Keyword { field, values } => match values.as_slice() {
            [item] if !item.prefix => Only::Term(Term::from_field_text(fields.keyword(*field), &item.text)),
            _ => return None,
        },
        _ => return None,
    })
}

impl Snapshot<'_> {
    /// How often the tokens occur, and among how many events.
    pub(crate) fn stats<'t>(&self, tokens: impl Iterator<Item = &'t str>) -> Result<Stats, IndexError> {
        let mut stats = Stats { events: self.events(), ..Stats::default() };
        for token in tokens {
            let term = Term::from_field_text(self.index.fields.text, token);
            let count = self.searcher.doc_freq(&term).map_err(unusable(&self.index.path))?;
            stats.with.insert(token.to_owned(), count);
        }
        Ok(stats)
    }

    /// The best `limit` hits, and how many there are.
    pub(crate) fn top(
        &self,
        query: &Query,
        relevance: &Relevance,
        sort: Sort,
        limit: usize,
    ) -> Result<(Vec<Candidate>, u64), IndexError> {
        let wanted = if sort == Sort::Relevance { query.wanted() } else { Vec::new() };
        let wanted = wanted.into_iter().cloned().collect();
        let fields = self.index.fields.clone();
        let only = only(&query.root, &fields);
        let top = Top { fields, wanted, relevance: relevance.clone(), sort, limit, only };
        self.collect(&*compile(&query.root, &self.index.fields), &top)
    }

    /// Every segment, on all processors when there is much to go through.
    fn collect(&self, query: &dyn TantivyQuery, top: &Top) -> Result<(Vec<Candidate>, u64), IndexError> {
        let scoring = EnableScoring::disabled_from_searcher(&self.searcher);
        let collected = if self.events() < MANY_EVENTS {
            self.searcher.search_with_executor(query, top, &Executor::single_thread(), scoring)
        } else {
            self.searcher.search_with_executor(query, top, self.index.executor(), scoring)
        };
        collected.map_err(unusable(&self.index.path))
    }

    /// Every event that may match, in the order of their names.
    pub(crate) fn candidates(&self, node: &Node) -> Result<Vec<Candidate>, IndexError> {
        let fields = self.index.fields.clone();
        let relevance = Relevance::new(&[], &Stats::default());
        let (sort, limit, only) = (Sort::Oldest, usize::MAX, None);
        let top = Top { fields, wanted: Vec::new(), relevance, sort, limit, only };
        let (mut all, _) = self.collect(&*compile(node, &self.index.fields), &top)?;
        all.sort_unstable_by(|a, b| (&a.session, a.seq).cmp(&(&b.session, b.seq)));
        Ok(all)
    }

    pub(super) fn session_range(&self, session: &str, low: u64, high: u64) -> Boxed {
        let item = Item { text: session.to_owned(), prefix: false };
        let session = Node::Keyword { field: Keyword::Session, values: vec![item] };
        compile(&Node::And(vec![session, Node::Seq { low, high }]), &self.index.fields)
    }

    /// Sequences and places of all that match.
    pub(super) fn places(&self, query: &dyn TantivyQuery) -> Result<Vec<(u64, Pointer)>, IndexError> {
        let fields = self.index.fields.clone();
        let relevance = Relevance::new(&[], &Stats::default());
        let (sort, limit, only) = (Sort::Oldest, usize::MAX, None);
        let top = Top { fields, wanted: Vec::new(), relevance, sort, limit, only };
        let (hits, _) = self.collect(query, &top)?;
        Ok(hits.into_iter().map(|hit| (hit.seq, hit.pointer)).collect())
    }
}
