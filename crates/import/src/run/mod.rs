//! A whole import: find the files, recognise them, put them in order, hand over record by record.
//!
//! Order within a run: main files before subagents' (parents first), each by their first time, so that a
//! fork meets the keys of what came first; a file that is a copy so far is shorter than its copy.

mod ahead;
mod cursor;
mod find;
mod follow;
mod frame;
mod input;
mod intake;
mod parts;
mod report;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use crate::{IMPORTERS, Importer, Item, Sink, Transcript};
pub use cursor::Cursor;
use cursor::Look;
use find::{Found, order};
pub use find::{candidates, is_candidate};
pub use follow::{Follower, Pace, identity};
use input::Input;
use intake::Intake;
pub use report::Report;

/// How often a file may be given another name while it is opened.
const MOST_NAMES: usize = 3;

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
    for mut file in order(files, &importers, choice.salvage) {
        let mut report = None;
        // a tool may compress a file between the look and the reading
        for _ in 0..MOST_NAMES {
            file = find::moved(&file, &importers, choice.salvage).unwrap_or(file);
            let mut told = |done: u64| progress(Progress { done: before + done, total, file: &file.path });
            let read = match file.importer {
                Some(importer) => one(&file, importer, sink, &mut told)?,
                None => Report::unrecognised(&file.path, file.failed.clone()),
            };
            let gone = read.failed.is_some() && read.records == 0 && !file.path.exists();
            report = Some(read);
            if !gone {
                break;
            }
        }
        let Some(report) = report else { continue };
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
    let cleaner = sink.cleaner().filter(|_| file.bytes >= ahead::LEAST_BYTES);
    if let Some(cleaner) = cleaner {
        let job = ahead::Job { file, importer, source: &source, known };
        return ahead::take_in(&job, &cleaner, sink, report, progress);
    }
    let mut transcript = importer.open(&source);
    survey(texts(file, importer)?, transcript.as_mut())?;
    let mut intake = Intake::new(&source, transcript.as_mut(), sink, report);
    intake.known = known;
    take_in(&mut records(file, importer)?, intake, progress)
}

fn take_in<S: Sink>(
    items: &mut Input,
    mut intake: Intake<'_, S>,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Stop<S::Error>> {
    while let Some(item) = items.next_item()? {
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
