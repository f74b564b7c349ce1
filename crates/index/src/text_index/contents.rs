//! What is in the index, read back from its postings: for each document a print of every term it is found by.
//!
//! A print is the sum over the terms of a document, each with its field and position, of a hash that nobody can
//! foresee. The journal's side sums the same over the event's own tokens: equal prints mean that the event is
//! found by each of its tokens, where they stand, and by no other.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};

use journal::Pointer;
use tantivy::postings::Postings as _;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet as _, SegmentReader, TERMINATED, TantivyError, Term};

use super::{Snapshot, key_term, unusable};
use crate::error::IndexError;
use crate::facts::Facts;
use crate::tokens::{Buffers, Stream};

/// Stands for the position where a field has none.
const NOWHERE: u32 = u32::MAX;

/// One document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) seq: u64,
    pub(crate) pointer: Pointer,
    pub(crate) time: i64,
    pub(crate) text_bytes: u64,
    pub(crate) print: u128,
}

/// Every document, by session; in order of their sequences.
pub(crate) type Contents = BTreeMap<String, Vec<Document>>;

/// Makes prints; each has its own secret.
#[derive(Debug, Default)]
pub(crate) struct Printer {
    one: RandomState,
    two: RandomState,
}

impl Printer {
    fn term(&self, field: Field, term: &[u8]) -> (u64, u64) {
        let what = (field.field_id(), term);
        (self.one.hash_one(what), self.two.hash_one(what))
    }

    fn place(&self, term: (u64, u64), position: u32) -> u128 {
        let (high, low) = (self.one.hash_one((term.0, position)), self.two.hash_one((term.1, position)));
        u128::from(high) << 64 | u128::from(low)
    }

    /// The print that an event with this text must have, and how many tokens it has.
    fn of(&self, fields: &super::Fields, facts: &Facts, text: &str, buffers: &mut Buffers) -> (u128, u64) {
        let (mut print, mut count) = (0_u128, 0);
        let mut stream = Stream::new(text, buffers);
        while stream.next_chunk() {
            for index in 0..stream.len() {
                let token = stream.token(index);
                let place = self.place(self.term(fields.text, token.text.as_bytes()), token.position);
                print = print.wrapping_add(place);
                count += 1;
            }
        }
        // a document that has a word of these twice is in its list once
        let mut words: Vec<(Field, String)> = Vec::new();
        facts.keywords(|keyword, value| words.push((fields.keyword(keyword), value.to_owned())));
        words.extend(facts.names().own().iter().map(|key| (fields.key, key_term(&facts.session, key))));
        words.sort_unstable();
        words.dedup();
        for (field, word) in &words {
            print = print.wrapping_add(self.place(self.term(*field, word.as_bytes()), NOWHERE));
        }
        (print, count)
    }
}

impl Snapshot<'_> {
    /// The document that an event must have.
    pub(crate) fn expected(
        &self,
        printer: &Printer,
        facts: &Facts,
        text: &str,
        buffers: &mut Buffers,
    ) -> (Document, u64) {
        let (print, tokens) = printer.of(&self.index.fields, facts, text, buffers);
        let (seq, pointer, time) = (facts.seq, facts.pointer, facts.time);
        (Document { seq, pointer, time, text_bytes: text.len() as u64, print }, tokens)
    }

    /// Reads every term and every column back.
    pub(crate) fn contents(&self, printer: &Printer) -> Result<Contents, IndexError> {
        let mut contents = Contents::new();
        for segment in self.searcher.segment_readers() {
            self.segment(segment, printer, &mut contents).map_err(unusable(&self.index.path))?;
        }
        for documents in contents.values_mut() {
            documents.sort_by_key(|document| document.seq);
        }
        Ok(contents)
    }

    fn segment(
        &self,
        segment: &SegmentReader,
        printer: &Printer,
        contents: &mut Contents,
    ) -> tantivy::Result<()> {
        let fields = &self.index.fields;
        let mut prints = vec![0_u128; segment.max_doc() as usize];
        add_terms(segment, fields.text, true, printer, &mut prints)?;
        for field in fields.keywords.iter().map(|(_, field)| *field).chain([fields.key]) {
            add_terms(segment, field, false, printer, &mut prints)?;
        }
        let fast = segment.fast_fields();
        let (time, seq, text_bytes) = (fast.i64("time")?, fast.u64("seq")?, fast.u64("text_bytes")?);
        let (first, offset, len) = (fast.u64("segment")?, fast.u64("offset")?, fast.u64("line_bytes")?);
        let sessions = fast.str("session")?;
        let mut names: HashMap<u64, String> = HashMap::new();
        let gone = |what: &str| TantivyError::InternalError(format!("a document without its {what}"));
        for doc in segment.doc_ids_alive() {
            let column = sessions.as_ref().ok_or_else(|| gone("session"))?;
            let ord = column.term_ords(doc).next().ok_or_else(|| gone("session"))?;
            if let std::collections::hash_map::Entry::Vacant(entry) = names.entry(ord) {
                let mut name = String::new();
                column.ord_to_str(ord, &mut name)?;
                entry.insert(name);
            }
            let number =
                |column: &tantivy::columnar::Column<u64>| column.first(doc).ok_or_else(|| gone("place"));
            let len = u32::try_from(number(&len)?).unwrap_or(u32::MAX);
            let document = Document {
                seq: number(&seq)?,
                pointer: Pointer { segment: number(&first)?, offset: number(&offset)?, len },
                time: time.first(doc).ok_or_else(|| gone("time"))?,
                text_bytes: number(&text_bytes)?,
                print: prints[doc as usize],
            };
            contents.entry(names[&ord].clone()).or_default().push(document);
        }
        Ok(())
    }
}

/// Adds every term of a field, each looked up as a query looks it up.
fn add_terms(
    segment: &SegmentReader,
    field: Field,
    positions: bool,
    printer: &Printer,
    prints: &mut [u128],
) -> tantivy::Result<()> {
    let inverted = segment.inverted_index(field)?;
    let option = if positions { IndexRecordOption::WithFreqsAndPositions } else { IndexRecordOption::Basic };
    let mut terms = inverted.terms().stream()?;
    let mut at = Vec::new();
    while terms.advance() {
        let hash = printer.term(field, terms.key());
        let text = String::from_utf8_lossy(terms.key());
        let lost = || TantivyError::InternalError("a term that cannot be found".to_owned());
        let mut postings =
            inverted.read_postings(&Term::from_field_text(field, &text), option)?.ok_or_else(lost)?;
        let mut doc: DocId = postings.doc();
        while doc != TERMINATED {
            if positions {
                postings.positions(&mut at);
            } else {
                at.clear();
                at.push(NOWHERE);
            }
            let print = prints.get_mut(doc as usize).ok_or_else(lost)?;
            for position in &at {
                *print = print.wrapping_add(printer.place(hash, *position));
            }
            doc = postings.advance();
        }
    }
    Ok(())
}
