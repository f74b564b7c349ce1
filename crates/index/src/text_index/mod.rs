//! The text index: tantivy, one document an event, nothing stored.
//!
//! A document has the event's text as one token stream ([`crate::tokens`]), its keywords, and as columns
//! what ranking and reading need: time, sequence, text length, and where the line stands in the journal.
//! How far the journal is in stands in the payload of the commit itself: both come or neither does.
//!
//! - T1  documents are added, and taken back whole where a transcript tells what a hook told before; whatever would
//!   change one (an erasure, a rewritten session) makes a new index
//! - T2  a reader needs no lock of ours and sees one commit whole
//! - T3  ranking reads the same numbers as the scan and scores with the same function

mod analyzer;
mod ask;
mod compile;
mod contents;
mod row;
mod top;
mod write;

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use journal::{Place, Pointer};
use serde::{Deserialize, Serialize};
use tantivy::schema::{
    FAST, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{Executor, IndexReader, ReloadPolicy, Searcher, Term};

pub(crate) use contents::{Contents, Document, Printer};
pub(crate) use write::{Size, TextWriter};

use crate::duplicates::{Holder, Verdict};
use crate::error::IndexError;
use crate::facts::Keyword;

/// Changes whenever documents or tokens do: an index of another version is not opened.
pub(crate) const TEXT_VERSION: u32 = 3;
const ANALYZER: &str = "recount";
/// Where tantivy says what its last commit is.
const META: &str = "meta.json";

/// How far an index is, and what it left out.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) places: BTreeMap<String, Place>,
    pub(crate) duplicates: u64,
    pub(crate) conflicts: u64,
    pub(crate) last_ts: String,
    /// Places in the journal that could not be read.
    pub(crate) lost: u64,
}

impl Progress {
    /// Counts an event that is in now, told or not.
    pub(crate) fn count(&mut self, ts: &str, verdict: Verdict) {
        if *ts > *self.last_ts {
            ts.clone_into(&mut self.last_ts);
        }
        self.duplicates += u64::from(matches!(verdict, Verdict::Duplicate | Verdict::Retold));
        self.conflicts += u64::from(verdict == Verdict::Conflict);
    }
}

/// The fields of a document.
#[derive(Debug, Clone)]
struct Fields {
    schema: Schema,
    text: Field,
    keywords: Vec<(Keyword, Field)>,
    key: Field,
    time: Field,
    seq: Field,
    text_bytes: Field,
    segment: Field,
    offset: Field,
    line_bytes: Field,
}

impl Fields {
    fn new() -> Self {
        let mut schema = Schema::builder();
        let indexing = |tokenizer: &str, record| {
            TextFieldIndexing::default()
                .set_tokenizer(tokenizer)
                .set_index_option(record)
                .set_fieldnorms(false)
        };
        let word = TextOptions::default().set_indexing_options(indexing("raw", IndexRecordOption::Basic));
        let text = indexing(ANALYZER, IndexRecordOption::WithFreqsAndPositions);
        let text = schema.add_text_field("text", TextOptions::default().set_indexing_options(text));
        let keywords = Keyword::ALL
            .iter()
            .map(|(keyword, name)| {
                let options = word.clone();
                let options = if *keyword == Keyword::Session { options.set_fast("raw") } else { options };
                (*keyword, schema.add_text_field(name, options))
            })
            .collect();
        let key = schema.add_text_field("key", word);
        let time = schema.add_i64_field("time", FAST);
        let mut number = |name: &str| schema.add_u64_field(name, NumericOptions::from(FAST));
        let (seq, text_bytes) = (number("seq"), number("text_bytes"));
        let (segment, offset, line_bytes) = (number("segment"), number("offset"), number("line_bytes"));
        let schema = schema.build();
        Self { schema, text, keywords, key, time, seq, text_bytes, segment, offset, line_bytes }
    }

    fn keyword(&self, keyword: Keyword) -> Field {
        self.keywords.iter().find(|(known, _)| *known == keyword).map_or(self.text, |(_, field)| *field)
    }
}

/// An index, open for reading.
pub(crate) struct TextIndex {
    path: PathBuf,
    fields: Fields,
    reader: IndexReader,
    index: tantivy::Index,
    /// The commit that the reader was opened on.
    opened: Option<Stamp>,
    executor: OnceLock<Executor>,
    /// The commit that was asked last.
    latest: Mutex<Option<(Stamp, Searcher, Arc<Progress>)>>,
}

/// One commit of it, with how far that one is.
pub(crate) struct Snapshot<'a> {
    index: &'a TextIndex,
    searcher: Searcher,
    pub(crate) progress: Arc<Progress>,
}

/// Tells one commit from another without reading it: each is a file of its own under the one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    len: u64,
    modified: (i64, i64),
}

impl Stamp {
    /// Of the last commit in a folder; `None` if it cannot be told.
    fn of(folder: &Path) -> Option<Self> {
        let meta = std::fs::metadata(folder.join(META)).ok()?;
        Some(Self { inode: meta.ino(), len: meta.len(), modified: (meta.mtime(), meta.mtime_nsec()) })
    }
}

/// What a commit says of itself, as far as it is ours.
#[derive(Deserialize)]
struct Commit {
    payload: Option<String>,
}

impl std::fmt::Debug for TextIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextIndex").field("path", &self.path).finish_non_exhaustive()
    }
}

fn unusable(path: &Path) -> impl Fn(tantivy::TantivyError) -> IndexError + '_ {
    |error| IndexError::Text { path: path.to_owned(), what: error.to_string() }
}

impl TextIndex {
    /// Makes an empty one in `path`, which is there and empty.
    pub(crate) fn create(path: &Path) -> Result<Self, IndexError> {
        let index = tantivy::Index::create_in_dir(path, Fields::new().schema).map_err(unusable(path))?;
        Self::over(index, path)
    }

    /// Opens the one in `path` for reading.
    pub(crate) fn open(path: &Path) -> Result<Self, IndexError> {
        let index = tantivy::Index::open_in_dir(path).map_err(unusable(path))?;
        Self::over(index, path)
    }

    fn over(index: tantivy::Index, path: &Path) -> Result<Self, IndexError> {
        let fields = Fields::new();
        if index.schema() != fields.schema {
            return Err(IndexError::Text { path: path.to_owned(), what: "it has other fields".to_owned() });
        }
        index.tokenizers().register(ANALYZER, analyzer::Analyzer::default());
        let opened = Stamp::of(path);
        let reader: IndexReader =
            index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(unusable(path))?;
        Ok(Self {
            path: path.to_owned(),
            fields,
            reader,
            index,
            opened,
            executor: OnceLock::new(),
            latest: Mutex::new(None),
        })
    }

    /// Threads to ask several segments at once; without any, they are asked one after the other.
    fn executor(&self) -> &Executor {
        self.executor.get_or_init(|| {
            let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            Executor::multi_thread(threads, "search-").unwrap_or_else(|_| Executor::single_thread())
        })
    }

    /// Its folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The latest commit. Its documents and its progress belong together: if a commit comes in between, try again.
    pub(crate) fn snapshot(&self) -> Result<Snapshot<'_>, IndexError> {
        loop {
            let Some(before) = Stamp::of(&self.path) else {
                let what = "it has no commit".to_owned();
                return Err(IndexError::Text { path: self.path.clone(), what });
            };
            let latest = || self.latest.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((stamp, searcher, progress)) = &*latest()
                && *stamp == before
            {
                return Ok(Snapshot { index: self, searcher: searcher.clone(), progress: progress.clone() });
            }
            if self.opened != Some(before) {
                self.reader.reload().map_err(unusable(&self.path))?;
            }
            let searcher = self.reader.searcher();
            let read = std::fs::read(self.path.join(META)).map_err(tantivy::TantivyError::from);
            let commit = read.map_err(unusable(&self.path))?;
            if Stamp::of(&self.path) != Some(before) {
                continue;
            }
            let progress = Arc::new(progress_of(&commit, &self.path)?);
            *latest() = Some((before, searcher.clone(), progress.clone()));
            return Ok(Snapshot { index: self, searcher, progress });
        }
    }

    /// Reads every file and compares it with its checksum.
    pub(crate) fn check(&self) -> Result<(), IndexError> {
        let damaged = self.index.validate_checksum().map_err(unusable(&self.path))?;
        match damaged.into_iter().next() {
            None => Ok(()),
            Some(file) => {
                let what = format!("{} does not match its checksum", file.display());
                Err(IndexError::Text { path: self.path.clone(), what })
            }
        }
    }
}

fn progress_of(commit: &[u8], path: &Path) -> Result<Progress, IndexError> {
    let parsed = serde_json::from_slice::<Commit>(commit).and_then(|commit| match commit.payload {
        Some(payload) => serde_json::from_str(&payload),
        None => Ok(Progress::default()),
    });
    parsed.map_err(|e| IndexError::Text {
        path: path.to_owned(),
        what: format!("its checkpoint is not readable: {e}"),
    })
}

impl Snapshot<'_> {
    /// Events in it.
    pub(crate) fn events(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// Who holds a key of a session.
    pub(crate) fn holders(&self, session: &str, key: &str) -> Vec<Holder> {
        let term = Term::from_field_text(self.index.fields.key, &key_term(session, key));
        let query = tantivy::query::TermQuery::new(term, IndexRecordOption::Basic);
        self.places(&query)
            .unwrap_or_default()
            .into_iter()
            .map(|(seq, pointer)| Holder { seq, pointer })
            .collect()
    }

    /// Where the lines of a session with these sequences stand.
    pub(crate) fn pointers(
        &self,
        session: &str,
        low: u64,
        high: u64,
    ) -> Result<Vec<(u64, Pointer)>, IndexError> {
        let mut places = self.places(&*self.session_range(session, low, high))?;
        places.sort_unstable_by_key(|(seq, _)| *seq);
        Ok(places)
    }
}

/// The term of a key: keys of one session only are compared.
fn key_term(session: &str, key: &str) -> String {
    format!("{session} {key}")
}
