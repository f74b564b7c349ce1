//! Asking: our query tree as a tantivy query, and a collector that ranks as the scan does.

use std::ops::Bound;

use journal::Pointer;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{Column, StrColumn};
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::query::{
    AllQuery, BooleanQuery, EmptyQuery, EnableScoring, Occur, Query as TantivyQuery, RangeQuery,
    Scorer, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, Score, SegmentOrdinal, SegmentReader, TERMINATED, Term};

use super::row::{RowQuery, RowScorer};
use super::{Fields, Snapshot, unusable};
use crate::error::IndexError;
use crate::facts::Keyword;
use crate::query::{Item, Node, Query, Words};
use crate::relevance::{Candidate, Relevance, Sort, Stats, order};

type Boxed = Box<dyn TantivyQuery>;

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

fn compile(node: &Node, fields: &Fields) -> Boxed {
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
        Node::Seq { low, high } => range(Term::from_field_u64(fields.seq, *low), Term::from_field_u64(fields.seq, *high)),
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

fn begins(field: Field, prefix: &str) -> Boxed {
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

/// Keeps the best hits of every segment and counts all.
struct Top {
    fields: Fields,
    wanted: Vec<Words>,
    relevance: Relevance,
    sort: Sort,
    limit: usize,
}

struct SegmentTop {
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
    Term(SegmentPostings),
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
        self.total += 1;
        let score = self.score(doc);
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

    fn harvest(mut self) -> Self::Fruit {
        self.cut();
        let kept = std::mem::take(&mut self.kept);
        let hits = kept.into_iter().map(|kept| self.columns.candidate(&kept)).collect();
        (hits, self.total)
    }
}

impl SegmentTop {
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
        self.kept.sort_unstable_by(|a, b| order(sort, key(a), key(b)));
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
            Words::Prefix(prefix) => {
                let query = begins(fields.text, prefix);
                let weight = query.weight(EnableScoring::disabled_from_schema(&fields.schema))?;
                Self::Prefix(weight.scorer(segment, 1.0)?)
            }
            Words::Row(row) if row.len() == 1 => {
                let term = Term::from_field_text(fields.text, &row[0].1);
                inverted.read_postings(&term, IndexRecordOption::WithFreqs)?.map_or(Self::Absent, Self::Term)
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
            Self::Term(postings) => if stands_at(postings, doc) { postings.term_freq() } else { 0 },
            Self::Prefix(scorer) => u32::from(stands_at(scorer, doc)),
            Self::Row(row) => if stands_at(row, doc) { row.times() } else { 0 },
        }
    }
}

fn stands_at<D: DocSet + ?Sized>(docs: &mut D, doc: DocId) -> bool {
    let at = docs.doc();
    at == doc || (at < doc && at != TERMINATED && docs.seek(doc) == doc)
}
