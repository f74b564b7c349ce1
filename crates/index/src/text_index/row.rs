//! Tokens in a row, as a tantivy query.
//!
//! tantivy has a phrase query; under a `not` its scorer (0.27) trips over its own assertions, and it counts
//! rows in its own way. This one counts with [`crate::relevance::rows`], as the scan does, and keeps to the
//! simple half of the `DocSet` contract.

use tantivy::postings::{Postings as _, SegmentPostings};
use tantivy::query::{EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, Score, SegmentReader, TERMINATED, TantivyError, Term};

use crate::relevance::{Placed, rows};

/// Tokens of a field at these distances from the first.
#[derive(Debug, Clone)]
pub(super) struct RowQuery {
    pub(super) field: Field,
    pub(super) row: Vec<(u32, String)>,
}

/// The documents with a row, in order.
pub(super) struct RowScorer {
    lists: Vec<List>,
    /// Indexes of the lists, the rarest token first.
    by_rarity: Vec<usize>,
    count: u32,
}

struct List {
    postings: SegmentPostings,
    offset: u32,
    positions: Vec<u32>,
}

impl Query for RowQuery {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for RowQuery {
    fn scorer(&self, reader: &SegmentReader, _: Score) -> tantivy::Result<Box<dyn Scorer>> {
        Ok(match RowScorer::open(self, reader)? {
            Some(scorer) => Box::new(scorer),
            None => Box::new(EmptyScorer),
        })
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Err(TantivyError::InvalidArgument("rows are explained by the query".to_owned()))
    }
}

impl RowScorer {
    /// `None` when a token does not occur at all.
    pub(super) fn open(query: &RowQuery, reader: &SegmentReader) -> tantivy::Result<Option<Self>> {
        let inverted = reader.inverted_index(query.field)?;
        let mut lists = Vec::with_capacity(query.row.len());
        for (offset, token) in &query.row {
            let term = Term::from_field_text(query.field, token);
            match inverted.read_postings(&term, IndexRecordOption::WithFreqsAndPositions)? {
                Some(postings) => lists.push(List { postings, offset: *offset, positions: Vec::new() }),
                None => return Ok(None),
            }
        }
        let mut by_rarity: Vec<usize> = (0..lists.len()).collect();
        by_rarity.sort_by_key(|&list| lists[list].postings.doc_freq());
        let mut scorer = Self { lists, by_rarity, count: 0 };
        let first = scorer.doc();
        scorer.settle(first);
        Ok(Some(scorer))
    }

    /// How often the row stands in the current document.
    pub(super) fn times(&self) -> u32 {
        self.count
    }

    /// Goes to the first document from `doc` on that has the row.
    fn settle(&mut self, mut doc: DocId) -> DocId {
        loop {
            let aligned = self.align(doc);
            if aligned == TERMINATED {
                return TERMINATED;
            }
            self.count = self.rows();
            if self.count > 0 {
                return aligned;
            }
            doc = aligned + 1;
        }
    }

    /// Brings all lists to the first document from `doc` on that is in each of them.
    fn align(&mut self, mut doc: DocId) -> DocId {
        'again: loop {
            for &list in &self.by_rarity {
                let postings = &mut self.lists[list].postings;
                let at = if postings.doc() < doc { postings.seek(doc) } else { postings.doc() };
                if at > doc {
                    doc = at;
                    if doc == TERMINATED {
                        self.lists[self.by_rarity[0]].postings.seek(TERMINATED);
                        return TERMINATED;
                    }
                    continue 'again;
                }
            }
            return doc;
        }
    }

    fn rows(&mut self) -> u32 {
        self.lists.iter_mut().for_each(|list| list.postings.positions(&mut list.positions));
        rows(&self.lists)
    }
}

impl Placed for List {
    fn positions(&self) -> &[u32] {
        &self.positions
    }

    fn offset(&self) -> u32 {
        self.offset
    }
}

impl DocSet for RowScorer {
    fn advance(&mut self) -> DocId {
        match self.doc() {
            TERMINATED => TERMINATED,
            doc => self.settle(doc + 1),
        }
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if self.doc() >= target { self.doc() } else { self.settle(target) }
    }

    fn doc(&self) -> DocId {
        self.by_rarity.first().map_or(TERMINATED, |&list| self.lists[list].postings.doc())
    }

    fn size_hint(&self) -> u32 {
        self.by_rarity.first().map_or(0, |&list| self.lists[list].postings.size_hint() / 10)
    }

    fn cost(&self) -> u64 {
        // positions are read for every candidate
        u64::from(self.size_hint()) * 100
    }
}

impl Scorer for RowScorer {
    fn score(&mut self) -> Score {
        1.0
    }
}
