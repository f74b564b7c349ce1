//! The collector that ranks as the scan does: it counts how often the wanted words occur in each hit and
//! scores them with the shared function; ties never depend on how documents lie in segments.

use journal::Pointer;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{Column, StrColumn};
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::query::{EnableScoring, Scorer, Weight};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Score, SegmentOrdinal, SegmentReader, TERMINATED, Term};

use super::Fields;
use super::compile::begins;
use super::row::{RowQuery, RowScorer};
use crate::query::Words;
use crate::relevance::{Candidate, Relevance, Sort, order};

/// Keeps the best hits of every segment and counts all.
pub(super) struct Top {
    pub(super) fields: Fields,
    pub(super) wanted: Vec<Words>,
    pub(super) relevance: Relevance,
    pub(super) sort: Sort,
    pub(super) limit: usize,
    /// The whole query, if it is so simple.
    pub(super) only: Option<Only>,
}

/// A query of which the list of documents is all there is to go through, and says how often it occurs too.
pub(super) enum Only {
    Term(Term),
    Row(RowQuery),
}

pub(super) struct SegmentTop {
    leaves: Vec<Leaf>,
    relevance: Relevance,
    sort: Sort,
    limit: usize,
    total: u64,
    columns: Columns,
    kept: Vec<Kept>,
    /// The worst that can still make it.
    bar: Option<Kept>,
}

#[derive(Clone, Copy)]
struct Kept {
    score: f32,
    time: i64,
    /// Sorts as the session does, within one segment.
    session: u64,
    seq: u64,
    doc: DocId,
}

struct Columns {
    time: Column<i64>,
    seq: Column<u64>,
    text_bytes: Column<u64>,
    segment: Column<u64>,
    offset: Column<u64>,
    line_bytes: Column<u64>,
    session: Option<StrColumn>,
}

/// Finds out how often a wanted piece occurs in a document.
enum Leaf {
    Absent,
    Term(Box<SegmentPostings>),
    Row(RowScorer),
    Prefix(Box<dyn Scorer>),
}

impl Collector for Top {
    type Fruit = (Vec<Candidate>, u64);
    type Child = SegmentTop;

    fn for_segment(&self, _: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<SegmentTop> {
        let fast = segment.fast_fields();
        let columns = Columns {
            time: fast.i64("time")?,
            seq: fast.u64("seq")?,
            text_bytes: fast.u64("text_bytes")?,
            segment: fast.u64("segment")?,
            offset: fast.u64("offset")?,
            line_bytes: fast.u64("line_bytes")?,
            session: fast.str("session")?,
        };
        let leaves = self.wanted.iter().map(|words| Leaf::open(words, &self.fields, segment));
        Ok(SegmentTop {
            leaves: leaves.collect::<tantivy::Result<_>>()?,
            relevance: self.relevance.clone(),
            sort: self.sort,
            limit: self.limit,
            total: 0,
            columns,
            kept: Vec::new(),
            bar: None,
        })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn collect_segment(
        &self,
        weight: &dyn Weight,
        ordinal: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<Self::Fruit> {
        let mut top = self.for_segment(ordinal, segment)?;
        match (&self.only, segment.alive_bitset()) {
            (Some(Only::Term(term)), None) => top.collect_term(term, segment)?,
            (Some(Only::Row(row)), None) => top.collect_row(row, segment)?,
            (_, None) => weight.for_each_no_score(segment, &mut |docs| top.collect_block(docs))?,
            // a document that was taken back still stands in the lists
            (_, Some(alive)) => weight.for_each_no_score(segment, &mut |docs| {
                docs.iter().filter(|doc| alive.is_alive(**doc)).for_each(|doc| top.collect(*doc, 0.0));
            })?,
        }
        Ok(top.harvest())
    }

    fn merge_fruits(&self, parts: Vec<Self::Fruit>) -> tantivy::Result<Self::Fruit> {
        let total = parts.iter().map(|(_, total)| total).sum();
        let mut all: Vec<Candidate> = parts.into_iter().flat_map(|(hits, _)| hits).collect();
        all.sort_by(|a, b| a.order(b, self.sort));
        all.truncate(self.limit);
        Ok((all, total))
    }
}

impl SegmentCollector for SegmentTop {
    type Fruit = (Vec<Candidate>, u64);

    fn collect(&mut self, doc: DocId, _: Score) {
        let score = self.score(doc);
        self.take(doc, score);
    }

    fn harvest(mut self) -> Self::Fruit {
        self.cut();
        let kept = std::mem::take(&mut self.kept);
        let hits = kept.into_iter().map(|kept| self.columns.candidate(&kept)).collect();
        (hits, self.total)
    }
}

impl SegmentTop {
    /// Takes every document of a term. Of one term the frequency stands in the list itself.
    fn collect_term(&mut self, term: &Term, segment: &SegmentReader) -> tantivy::Result<()> {
        let scored = !self.leaves.is_empty();
        let record = if scored { IndexRecordOption::WithFreqs } else { IndexRecordOption::Basic };
        let Some(mut list) = segment.inverted_index(term.field())?.read_postings(term, record)? else {
            return Ok(());
        };
        let mut doc = list.doc();
        while doc != TERMINATED {
            let score = if scored { self.score_of(doc, list.term_freq()) } else { 0.0 };
            self.take(doc, score);
            doc = list.advance();
        }
        Ok(())
    }

    /// Takes every document with a row, which is counted once.
    fn collect_row(&mut self, row: &RowQuery, segment: &SegmentReader) -> tantivy::Result<()> {
        let Some(mut list) = RowScorer::open(row, segment)? else { return Ok(()) };
        let scored = !self.leaves.is_empty();
        let mut doc = list.doc();
        while doc != TERMINATED {
            let score = if scored { self.score_of(doc, list.times()) } else { 0.0 };
            self.take(doc, score);
            doc = list.advance();
        }
        Ok(())
    }

    fn score_of(&self, doc: DocId, count: u32) -> f32 {
        let text_bytes = self.columns.text_bytes.first(doc).unwrap_or_default();
        self.relevance.score([count], text_bytes)
    }

    fn take(&mut self, doc: DocId, score: f32) {
        self.total += 1;
        if let Some(bar) = &self.bar
            && self.sort == Sort::Relevance
            && score < bar.score
        {
            return;
        }
        let time = self.columns.time.first(doc).unwrap_or_default();
        if self.bar.is_some_and(|bar| self.is_behind(score, time, &bar)) {
            return;
        }
        let session = self.columns.session.as_ref().and_then(|s| s.ords().first(doc)).unwrap_or_default();
        let seq = self.columns.seq.first(doc).unwrap_or_default();
        self.kept.push(Kept { score, time, session, seq, doc });
        if self.kept.len() >= self.limit.saturating_mul(2).saturating_add(64) {
            self.cut();
        }
    }

    fn score(&mut self, doc: DocId) -> f32 {
        if self.leaves.is_empty() {
            return 0.0;
        }
        let text_bytes = self.columns.text_bytes.first(doc).unwrap_or_default();
        self.relevance.score(self.leaves.iter_mut().map(|leaf| leaf.count(doc)), text_bytes)
    }

    /// True when it certainly comes behind the bar, without looking at ties.
    fn is_behind(&self, score: f32, time: i64, bar: &Kept) -> bool {
        let better = match self.sort {
            Sort::Relevance => bar.score.total_cmp(&score).then(bar.time.cmp(&time)),
            Sort::Newest => bar.time.cmp(&time),
            Sort::Oldest => time.cmp(&bar.time),
        };
        better.is_gt()
    }

    fn cut(&mut self) {
        let sort = self.sort;
        let key = |k: &Kept| (k.score, k.time, k.session, k.seq);
        self.kept.sort_unstable_by(|a, b| order(sort, &key(a), &key(b)));
        self.kept.truncate(self.limit);
        if self.kept.len() == self.limit {
            self.bar = self.kept.last().copied();
        }
    }
}

impl Columns {
    fn candidate(&self, kept: &Kept) -> Candidate {
        let mut session = String::new();
        if let Some(column) = &self.session {
            // an unreadable name stays empty, and reading the event then says so
            let _ = column.ord_to_str(kept.session, &mut session);
        }
        let number = |column: &Column<u64>| column.first(kept.doc).unwrap_or_default();
        let len = u32::try_from(number(&self.line_bytes)).unwrap_or(u32::MAX);
        let pointer = Pointer { segment: number(&self.segment), offset: number(&self.offset), len };
        Candidate { score: kept.score, time: kept.time, session, seq: kept.seq, pointer }
    }
}

impl Leaf {
    fn open(words: &Words, fields: &Fields, segment: &SegmentReader) -> tantivy::Result<Self> {
        let inverted = segment.inverted_index(fields.text)?;
        Ok(match words {
            // queries with these are answered by the events themselves
            Words::Slop(..) | Words::Fuzzy(..) => Self::Absent,
            Words::Prefix(prefix) => {
                let query = begins(fields.text, prefix);
                let weight = query.weight(EnableScoring::disabled_from_schema(&fields.schema))?;
                Self::Prefix(weight.scorer(segment, 1.0)?)
            }
            Words::Row(row) if row.len() == 1 => {
                let term = Term::from_field_text(fields.text, &row[0].1);
                inverted
                    .read_postings(&term, IndexRecordOption::WithFreqs)?
                    .map_or(Self::Absent, |list| Self::Term(Box::new(list)))
            }
            Words::Row(row) => {
                let query = RowQuery { field: fields.text, row: row.clone() };
                RowScorer::open(&query, segment)?.map_or(Self::Absent, Self::Row)
            }
        })
    }

    fn count(&mut self, doc: DocId) -> u32 {
        match self {
            Self::Absent => 0,
            Self::Term(postings) => {
                if stands_at(&mut **postings, doc) {
                    postings.term_freq()
                } else {
                    0
                }
            }
            Self::Prefix(scorer) => u32::from(stands_at(scorer, doc)),
            Self::Row(row) => {
                if stands_at(row, doc) {
                    row.times()
                } else {
                    0
                }
            }
        }
    }
}

fn stands_at<D: DocSet + ?Sized>(docs: &mut D, doc: DocId) -> bool {
    let at = docs.doc();
    at == doc || (at < doc && at != TERMINATED && docs.seek(doc) == doc)
}
