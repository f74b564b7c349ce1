//! Asking one commit of the index.

use journal::Pointer;
use tantivy::Term;
use tantivy::query::Query as TantivyQuery;

use super::compile::{Boxed, compile};
use super::top::Top;
use super::{Snapshot, unusable};
use crate::error::IndexError;
use crate::facts::Keyword;
use crate::query::{Item, Node, Query};
use crate::relevance::{Candidate, Relevance, Sort, Stats};

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
        let top = Top { fields, wanted, relevance: relevance.clone(), sort, limit };
        let compiled = compile(&query.root, &self.index.fields);
        self.searcher.search(&*compiled, &top).map_err(unusable(&self.index.path))
    }

    /// Every event that may match, in the order of their names.
    pub(crate) fn candidates(&self, node: &Node) -> Result<Vec<Candidate>, IndexError> {
        let fields = self.index.fields.clone();
        let relevance = Relevance::new(&[], &Stats::default());
        let top = Top { fields, wanted: Vec::new(), relevance, sort: Sort::Oldest, limit: usize::MAX };
        let compiled = compile(node, &self.index.fields);
        let (mut all, _) = self.searcher.search(&*compiled, &top).map_err(unusable(&self.index.path))?;
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
        let top = Top { fields, wanted: Vec::new(), relevance, sort: Sort::Oldest, limit: usize::MAX };
        let (hits, _) = self.searcher.search(query, &top).map_err(unusable(&self.index.path))?;
        Ok(hits.into_iter().map(|hit| (hit.seq, hit.pointer)).collect())
    }
}
