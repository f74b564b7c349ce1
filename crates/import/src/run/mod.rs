//! A whole import: find the files, recognise them, put them in order, hand over record by record.
//!
//! Order within a run: main files before subagents' (parents first), each by their first time, so that a
//! fork meets the keys of what came first; a file that is a copy so far is shorter than its copy.

mod find;
mod input;
mod parts;
mod report;
#[cfg(test)]
mod roundtrip;

use std::io;
use std::path::{Path, PathBuf};

use event::Draft;
use serde_json::{Map, Value};

use crate::pen::{self, Stamp};
use crate::{Gap, IMPORTERS, Importer, Item, Keys, Mapped, Sink, SourceFile, Taken, Transcript, derive};
use find::{Found, order};
use input::Input;
pub use report::Report;

/// Why a run ends early.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E: std::error::Error + 'static> {
    /// A path that was asked for cannot be looked at.
    #[error("{} cannot be read", path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The sink takes no more.
    #[error("import of {} stopped", path.display())]
    Sink {
        /// The file being read.
        path: PathBuf,
        /// Why.
        source: E,
    },
    /// There is no importer of this name.
    #[error("there is no importer {name:?}")]
    Importer {
        /// The name.
        name: String,
    },
}

/// How far a run is. Bytes are those on disk, compressed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Bytes read, of all files.
    pub done: u64,
    /// Bytes to read.
    pub total: u64,
    /// The file being read.
    pub file: &'a Path,
}

/// Imports files and folders; with `only`, what this importer recognises.
///
/// One report a file, in the order of reading. A file that cannot be read or recognised has a report
/// that says so and does not stop the others.
pub fn run<S: Sink>(
    paths: &[PathBuf],
    only: Option<&str>,
    sink: &mut S,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<Report>, RunError<S::Error>> {
    run_with(&[], paths, only, sink, progress)
}

/// The same with importers of the caller's own, which are asked first.
pub fn run_with<S: Sink>(
    own: &[&'static dyn Importer],
    paths: &[PathBuf],
    only: Option<&str>,
    sink: &mut S,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<Report>, RunError<S::Error>> {
    let all = own.iter().chain(IMPORTERS).copied();
    let importers: Vec<&dyn Importer> =
        all.filter(|importer| only.is_none_or(|name| name == importer.name())).collect();
    if let (Some(name), true) = (only, importers.is_empty()) {
        return Err(RunError::Importer { name: name.to_owned() });
    }
    let files = find::files(paths).map_err(|(path, source)| RunError::Path { path, source })?;
    let total = files.iter().map(|file| file.bytes).sum();
    let mut before = 0;
    let mut reports = Vec::with_capacity(files.len());
    for file in order(files, &importers) {
        let mut told = |done: u64| progress(Progress { done: before + done, total, file: &file.path });
        let report = match file.importer {
            Some(importer) => one(&file, importer, sink, &mut told)?,
            None => Report::unrecognised(&file.path, file.failed.clone()),
        };
        before += file.bytes;
        progress(Progress { done: before, total, file: &file.path });
        reports.push(report);
    }
    Ok(reports)
}

fn one<S: Sink>(
    file: &Found,
    importer: &'static dyn Importer,
    sink: &mut S,
    progress: &mut dyn FnMut(u64),
) -> Result<Report, RunError<S::Error>> {
    let mut report = Report { importer: Some(importer.name()), ..Report::unrecognised(&file.path, None) };
    let redacted = sink.redacted();
    let result = read_through(file, importer, sink, progress, &mut report);
    report.redacted = sink.redacted() - redacted;
    let done = sink.file_done();
    let stopped = |source| RunError::Sink { path: file.path.clone(), source };
    match result {
        Err(Stop::Sink(source)) => return Err(stopped(source)),
        Err(Stop::File(error)) => report.failed = Some(error.to_string()),
        Ok(()) => {}
    }
    done.map_err(stopped)?;
    Ok(report)
}

enum Stop<E> {
    File(io::Error),
    Sink(E),
}

impl<E> From<io::Error> for Stop<E> {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

fn read_through<S: Sink>(
    file: &Found,
    importer: &'static dyn Importer,
    sink: &mut S,
    progress: &mut dyn FnMut(u64),
    report: &mut Report,
) -> Result<(), Stop<S::Error>> {
    let source = find::source(&file.path, importer)?;
    let mut transcript = importer.open(&source);
    survey(&file.path, importer, transcript.as_mut())?;
    let mut intake = Intake::new(&source, transcript.as_mut(), sink, report);
    let mut input = Input::open(&file.path, importer)?;
    while let Some(item) = input.next_item()? {
        intake.take(item).map_err(Stop::Sink)?;
        progress(input.done());
    }
    intake.close().map_err(Stop::Sink)?;
    Ok(())
}

fn survey(path: &Path, importer: &'static dyn Importer, transcript: &mut dyn Transcript) -> io::Result<()> {
    let mut input = Input::open_for_texts(path, importer)?;
    while let Some(item) = input.next_item()? {
        let Item::Record(record) = item else { continue };
        if !transcript.survey(record.text) {
            break;
        }
    }
    Ok(())
}

/// Hands the records of one file to the sink and keeps count.
struct Intake<'a, S> {
    transcript: &'a mut dyn Transcript,
    sink: &'a mut S,
    report: &'a mut Report,
    /// Opaque name of the file: paths may hold names of people and customers.
    source: String,
    name: String,
}

impl<'a, S: Sink> Intake<'a, S> {
    fn new(
        source: &SourceFile,
        transcript: &'a mut dyn Transcript,
        sink: &'a mut S,
        report: &'a mut Report,
    ) -> Self {
        let mut id = sink.derived_key(&format!("file\n{}", source.path.display()));
        id.truncate(16);
        let name = source.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { transcript, sink, report, source: id, name }
    }

    fn take(&mut self, item: Item<'_>) -> Result<(), S::Error> {
        self.report.records += 1;
        match item {
            Item::Gap(gap) => self.gap(gap),
            Item::Record(record) => {
                let (line, repaired) = (record.place.line, record.repaired.clone());
                self.report.repaired += u64::from(!repaired.is_empty());
                let mapped = self.transcript.map(record, &*self.sink as &dyn Keys);
                self.mapped(mapped, line, &repaired)
            }
        }
    }

    fn mapped(&mut self, mapped: Mapped, line: u64, repaired: &[&'static str]) -> Result<(), S::Error> {
        let (mut drafts, raw) = match mapped {
            Mapped::Events(drafts) => (drafts, false),
            Mapped::Raw(draft) => (vec![draft], true),
            Mapped::Duplicate => {
                self.report.duplicates += 1;
                return Ok(());
            }
            Mapped::Elsewhere => {
                self.report.linked += 1;
                self.report.elsewhere += 1;
                return Ok(());
            }
        };
        if let (Some(first), false) = (drafts.first_mut(), repaired.is_empty()) {
            pen::add_ext(first, Map::from_iter([("repaired".to_owned(), repaired.to_vec().into())]));
        }
        let events = drafts.len() as u64;
        match self.store(drafts, line)? {
            Taken::Stored => {
                self.report.events += events;
                *(if raw { &mut self.report.raw } else { &mut self.report.stored }) += 1;
            }
            Taken::Duplicate => self.report.duplicates += 1,
            Taken::Linked => self.report.linked += 1,
        }
        Ok(())
    }

    fn gap(&mut self, gap: Gap) -> Result<(), S::Error> {
        let session = self.transcript.gap_session().to_owned();
        let material = format!("gap\n{session}\n{}\n{}", self.name, gap.place.offset);
        let key = format!("gap:{}", derive::once(&*self.sink as &dyn Keys, &material));
        let draft = Stamp { session, ..Stamp::default() }
            .draft("gap.found")
            .key(key)
            .data("reason", gap.reason)
            .data("bytes", gap.bytes)
            .data("offset", gap.place.offset)
            .data("text", gap.text);
        self.report.gap_bytes += gap.bytes;
        match self.store(vec![draft], gap.place.line)? {
            Taken::Stored => {
                self.report.events += 1;
                self.report.gaps += 1;
            }
            Taken::Duplicate => self.report.duplicates += 1,
            Taken::Linked => self.report.linked += 1,
        }
        Ok(())
    }

    /// The session's opening goes in front of the first drafts; it is no record's own.
    fn store(&mut self, drafts: Vec<Draft>, line: u64) -> Result<Taken, S::Error> {
        if let Some(opening) = self.transcript.opening()
            && self.sink.take(vec![self.placed(opening, line)])? == Taken::Stored
        {
            self.report.opened += 1;
        }
        let drafts = drafts.into_iter().map(|draft| self.placed(draft, line)).collect();
        self.sink.take(drafts)
    }

    /// Like the opening, these are no record's own.
    fn close(&mut self) -> Result<(), S::Error> {
        for draft in self.transcript.closing() {
            let line = self.report.records;
            if self.sink.take(vec![self.placed(draft, line)])? == Taken::Stored {
                self.report.events += 1;
            }
        }
        Ok(())
    }

    fn placed(&self, draft: Draft, line: u64) -> Draft {
        let id = Value::from(self.source.as_str());
        draft.with("src", Map::from_iter([("id".to_owned(), id), ("line".to_owned(), line.into())]))
    }
}
