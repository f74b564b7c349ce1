//! Adding documents: one long-lived writer, a commit now and then, never one an event.

use std::path::PathBuf;

use journal::Place;
use tantivy::indexer::LogMergePolicy;
use tantivy::{IndexWriter, TantivyDocument, Term};

use super::{Progress, TextIndex, key_term, unusable};
use crate::error::IndexError;
use crate::facts::Facts;

/// Few big segments: a query walks each of them.
const MERGE_AT: usize = 6;
const SMALL_SEGMENT_DOCS: u32 = 10_000;

/// What is added at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) threads: usize,
    pub(crate) budget_bytes: usize,
    /// Segments with more documents are not merged.
    pub(crate) merge_docs: usize,
}

impl Size {
    /// For a query that catches up: no merge that anybody would wait for.
    pub(crate) const BRIEF: Self = Self { threads: 1, budget_bytes: 50_000_000, merge_docs: 5_000 };
    /// For catching up.
    pub(crate) const SMALL: Self = Self { threads: 1, budget_bytes: 50_000_000, merge_docs: 10_000_000 };
    /// For making everything again. More memory costs more in cache misses than it saves in segments.
    pub(crate) const LARGE: Self = Self { threads: 2, budget_bytes: 100_000_000, merge_docs: 10_000_000 };
}

/// The one that writes.
pub(crate) struct TextWriter {
    path: PathBuf,
    index: TextIndex,
    writer: IndexWriter,
    pub(crate) progress: Progress,
    dirty: bool,
}

impl TextWriter {
    /// Takes the writer's lock; the caller holds the projector's.
    pub(crate) fn new(index: TextIndex, size: Size) -> Result<Self, IndexError> {
        let path = index.path.clone();
        let progress = (*index.snapshot()?.progress).clone();
        let writer: IndexWriter =
            index.index.writer_with_num_threads(size.threads, size.budget_bytes).map_err(unusable(&path))?;
        let mut merge = LogMergePolicy::default();
        merge.set_min_num_segments(MERGE_AT);
        merge.set_min_layer_size(SMALL_SEGMENT_DOCS);
        merge.set_max_docs_before_merge(size.merge_docs);
        writer.set_merge_policy(Box::new(merge));
        Ok(Self { path, index, writer, progress, dirty: false })
    }

    /// Adds an event with its text.
    pub(crate) fn add(&mut self, facts: &Facts, text: &str) -> Result<(), IndexError> {
        let fields = &self.index.fields;
        let mut doc = TantivyDocument::default();
        doc.add_text(fields.text, text);
        facts.keywords(|keyword, value| doc.add_text(fields.keyword(keyword), value));
        for key in facts.names().own() {
            doc.add_text(fields.key, key_term(&facts.session, &key));
        }
        doc.add_i64(fields.time, facts.time);
        doc.add_u64(fields.seq, facts.seq);
        doc.add_u64(fields.text_bytes, text.len() as u64);
        doc.add_u64(fields.segment, facts.pointer.segment);
        doc.add_u64(fields.offset, facts.pointer.offset);
        doc.add_u64(fields.line_bytes, u64::from(facts.pointer.len));
        self.writer.add_document(doc).map_err(unusable(&self.path))?;
        self.dirty = true;
        Ok(())
    }

    /// Takes back what this event is told for.
    pub(crate) fn take_back(&mut self, facts: &Facts) {
        for key in facts.names().others() {
            let term = Term::from_field_text(self.index.fields.key, &key_term(&facts.session, &key));
            self.writer.delete_term(term);
        }
        self.dirty = true;
    }

    /// Notes how far a session is; goes into the next commit.
    pub(crate) fn reached(&mut self, session: &str, place: &Place) {
        if self.progress.places.get(session) != Some(place) {
            self.progress.places.insert(session.to_owned(), place.clone());
            self.dirty = true;
        }
    }

    /// Makes everything added so far visible, with how far that is.
    pub(crate) fn commit(&mut self) -> Result<(), IndexError> {
        if !self.dirty {
            return Ok(());
        }
        let payload = serde_json::to_string(&self.progress)
            .map_err(|e| IndexError::Text { path: self.path.clone(), what: e.to_string() })?;
        let mut prepared = self.writer.prepare_commit().map_err(unusable(&self.path))?;
        prepared.set_payload(&payload);
        prepared.commit().map_err(unusable(&self.path))?;
        self.dirty = false;
        Ok(())
    }

    /// Commits, lets merges end, and gives the lock back.
    pub(crate) fn finish(mut self) -> Result<(), IndexError> {
        self.commit()?;
        self.writer.wait_merging_threads().map_err(unusable(&self.path))
    }
}
