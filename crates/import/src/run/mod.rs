//! A whole import: find the files, recognise them, put them in order, hand over record by record.
//!
//! Order within a run: main files before subagents' (parents first), each by their first time, so that a
//! fork meets the keys of what came first; a file that is a copy so far is shorter than its copy.

mod ahead;
mod cursor;
mod find;
mod follow;
mod input;
mod parts;
mod report;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use event::Draft;
use serde_json::{Map, Value};

use crate::pen::{self, Stamp};
use crate::{
    Gap, IMPORTERS, Importer, Item, Keys, Mapped, Place, Sink, SourceFile, Taken, Transcript, derive,
};
use ahead::Items;
pub use cursor::Cursor;
use cursor::Look;
use find::{Found, order};
pub use find::{candidates, is_candidate};
pub use follow::{Follower, Pace, identity};
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
    run_with(paths, Choice { only, ..Choice::default() }, sink, progress)
}

/// Which files a run takes.
#[derive(Clone, Copy, Default)]
pub struct Choice<'a> {
    /// Importers of the caller's own, which are asked first.
    pub own: &'a [&'static dyn Importer],
    /// Only what this importer recognises.
    pub only: Option<&'a str>,
    /// Look into files that nobody recognises for records that are printed in them.
    pub salvage: bool,
}

/// [`run`], with a choice of files.
pub fn run_with<S: Sink>(
    paths: &[PathBuf],
    choice: Choice<'_>,
    sink: &mut S,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<Report>, RunError<S::Error>> {
    let only = choice.only;
    let all = choice.own.iter().chain(IMPORTERS).copied();
    let importers: Vec<&dyn Importer> =
        all.filter(|importer| only.is_none_or(|name| name == importer.name())).collect();
    if let (Some(name), true) = (only, importers.is_empty()) {
        return Err(RunError::Importer { name: name.to_owned() });
    }
    let files = find::files(paths).map_err(|(path, source)| RunError::Path { path, source })?;
    let total: u64 = files.iter().map(|file| file.bytes).sum();
    let (known, files): (Vec<_>, Vec<_>) =
        files.into_iter().map(|file| unchanged(file, only, sink)).partition(Result::is_err);
    let mut reports: Vec<Report> = known.into_iter().filter_map(Result::err).map(|report| *report).collect();
    let files: Vec<Found> = files.into_iter().flatten().collect();
    let mut before = total - files.iter().map(|file| file.bytes).sum::<u64>();
    for file in order(files, &importers, choice.salvage) {
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

/// How many transcripts there may be under the paths, and those that are not taken in as they are now.
pub fn untaken<S: Sink>(paths: &[PathBuf], sink: &S) -> io::Result<(usize, Vec<PathBuf>)> {
    let files = find::files(paths).map_err(|(_, error)| error)?;
    let all = files.len();
    let open = files.into_iter().filter_map(|file| unchanged(file, None, sink).ok());
    Ok((all, open.map(|file| file.path).collect()))
}

/// The report of a file that is as it was, instead of the file.
fn unchanged<S: Sink>(file: Found, only: Option<&str>, sink: &S) -> Result<Found, Box<Report>> {
    let known = || {
        let cursor = sink.cursor(&file.path)?;
        let wanted = only.is_none_or(|name| name == cursor.importer());
        wanted.then(|| cursor.unchanged(&file.path, &Look::at(&file.path, sink).ok()?)).flatten()
    };
    known().map(Box::new).map_or(Ok(()), Err).map(|()| file)
}

fn one<S: Sink>(
    file: &Found,
    importer: &'static dyn Importer,
    sink: &mut S,
    progress: &mut dyn FnMut(u64),
) -> Result<Report, RunError<S::Error>> {
    let mut report = Report { importer: Some(importer.name()), ..Report::unrecognised(&file.path, None) };
    let stopped = |source| RunError::Sink { path: file.path.clone(), source };
    sink.file_begins().map_err(stopped)?;
    let redacted = sink.redacted();
    let look = Look::at(&file.path, sink).ok();
    let result = read_through(file, importer, sink, progress, look.as_ref(), &mut report);
    report.redacted = sink.redacted() - redacted;
    let done = sink.file_done();
    let stopped = |source| RunError::Sink { path: file.path.clone(), source };
    let read_to = match result {
        Err(Stop::Sink(source)) => return Err(stopped(source)),
        Err(Stop::File(error)) => {
            report.failed = Some(error.to_string());
            None
        }
        Ok(read_to) => Some(read_to),
    };
    done.map_err(stopped)?;
    // what waits for another session has to be asked again
    if let (Some(look), Some(read_to), 0) = (look, read_to, report.elsewhere) {
        sink.remember(&file.path, &look.cursor(importer.name(), read_to, &report));
    }
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
    look: Option<&Look>,
    report: &mut Report,
) -> Result<u64, Stop<S::Error>> {
    let cursor = look.zip(sink.cursor(&file.path));
    let known = cursor.map_or(0, |(look, cursor)| cursor.resumes_at(&file.path, look));
    // parts are put in order: where they stood says nothing about what is news
    let known = if importer.holds_parts() { 0 } else { known };
    let source = find::source(&file.path, importer, file.salvage)?;
    let hasher = sink.hasher().filter(|_| file.bytes >= ahead::LEAST_BYTES);
    if let Some(hasher) = hasher {
        return ahead::reading(file, importer, &source, &hasher, |items, transcript| {
            let intake = Intake { known, ..Intake::new(&source, transcript, sink, report) };
            take_in(items, intake, progress)
        });
    }
    let mut transcript = importer.open(&source);
    survey(texts(file, importer)?, transcript.as_mut())?;
    let intake = Intake { known, ..Intake::new(&source, transcript.as_mut(), sink, report) };
    take_in(&mut records(file, importer)?, intake, progress)
}

fn take_in<S: Sink>(
    items: &mut dyn Items,
    mut intake: Intake<'_, S>,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Stop<S::Error>> {
    while let Some(item) = items.next_item(&*intake.sink as &dyn Keys)? {
        intake.take(item).map_err(Stop::Sink)?;
        progress(items.done());
    }
    intake.close().map_err(Stop::Sink)?;
    Ok(intake.read_to)
}

/// A file for its records.
fn records(file: &Found, importer: &'static dyn Importer) -> io::Result<Input> {
    let open = if file.salvage { Input::open_for_salvage } else { Input::open };
    open(&file.path, importer)
}

/// A file for the look before the first record is mapped.
fn texts(file: &Found, importer: &'static dyn Importer) -> io::Result<Input> {
    let open = if file.salvage { Input::open_for_salvage } else { Input::open_for_texts };
    open(&file.path, importer)
}

fn survey(mut input: Input, transcript: &mut dyn Transcript) -> io::Result<()> {
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
    /// Records that begin before this offset were told before: they are mapped for what follows, and not told.
    known: u64,
    /// Behind the beginning of the last record, or where a gap begins that ends the file: it may go on.
    read_to: u64,
    /// Calls that are held back until their response is over; `None` where all is there.
    held: Option<Vec<(Draft, Place)>>,
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
        Self { transcript, sink, report, source: id, name, known: 0, read_to: 0, held: None }
    }

    fn take(&mut self, item: Item<'_>) -> Result<(), S::Error> {
        self.report.records += 1;
        match item {
            Item::Gap(gap) => {
                self.read_to = gap.place.offset;
                self.gap(gap)
            }
            Item::Record(record) => {
                self.read_to = record.place.offset + 1;
                let (place, repaired) = (record.place, record.repaired.clone());
                self.report.repaired += u64::from(!repaired.is_empty());
                let mapped = self.transcript.map(record, &*self.sink as &dyn Keys);
                if place.offset < self.known {
                    self.transcript.opening();
                    self.report.duplicates += 1;
                    return Ok(());
                }
                self.mapped(mapped, place, &repaired)
            }
        }
    }

    fn mapped(&mut self, mapped: Mapped, place: Place, repaired: &[&'static str]) -> Result<(), S::Error> {
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
        self.stand_for_gap(&mut drafts, place);
        self.hold(&mut drafts, place)?;
        if drafts.is_empty() {
            self.report.stored += 1;
            return Ok(());
        }
        let events = drafts.len() as u64;
        match self.store(drafts, place.line)? {
            Taken::Stored => {
                self.report.events += events;
                *(if raw { &mut self.report.raw } else { &mut self.report.stored }) += 1;
            }
            Taken::Duplicate => self.report.duplicates += 1,
            Taken::Linked => self.report.linked += 1,
        }
        Ok(())
    }

    /// Holds a call back while its response may go on; what comes after a response tells the calls before.
    fn hold(&mut self, drafts: &mut Vec<Draft>, place: Place) -> Result<(), S::Error> {
        if self.held.is_none() {
            return Ok(());
        }
        let is_call = |draft: &Draft| draft.kind == *"model.called";
        let is_next = |draft: &Draft| {
            is_call(draft)
                || draft.kind == *"skill.returned"
                || draft.header.get("role").is_some_and(|role| role == "user")
        };
        if drafts.iter().any(is_next) {
            self.release()?;
        }
        let Some(held) = &mut self.held else { return Ok(()) };
        held.extend(drafts.extract_if(.., |draft| is_call(draft)).map(|draft| (draft, place)));
        Ok(())
    }

    /// Tells the calls that were held back, with what has been learned of them since.
    fn release(&mut self) -> Result<(), S::Error> {
        let held = self.held.as_mut().map(std::mem::take).unwrap_or_default();
        for (mut draft, place) in held {
            self.transcript.settle(&mut draft);
            if self.store(vec![draft], place.line)? == Taken::Stored {
                self.report.events += 1;
            }
        }
        Ok(())
    }

    /// A record that was torn when it was read before stands for the gap that was told then.
    fn stand_for_gap(&self, drafts: &mut [Draft], place: Place) {
        let key = self.gap_key(place.offset);
        if let (Some(first), true) = (drafts.first_mut(), self.sink.session_of(&key).is_some()) {
            first.header.insert("twin".to_owned(), key.into());
        }
    }

    fn gap_key(&self, offset: u64) -> String {
        let material = format!("gap\n{}\n{}\n{offset}", self.transcript.gap_session(), self.name);
        format!("gap:{}", derive::once(&*self.sink as &dyn Keys, &material))
    }

    fn gap(&mut self, gap: Gap) -> Result<(), S::Error> {
        let session = self.transcript.gap_session().to_owned();
        let key = self.gap_key(gap.place.offset);
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
        // a file that grows says more of its session when it is read again: it was opened all the same
        let opening = self.transcript.opening().filter(|opening| {
            let known = |key: &String| self.sink.session_of(key).is_some();
            self.held.is_none() || !opening.key.as_ref().is_some_and(known)
        });
        if let Some(opening) = opening
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
