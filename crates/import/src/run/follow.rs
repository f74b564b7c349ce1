//! A transcript that grows: its whole lines as they come, once, by a reader that stays where it was.
//!
//! - a line that is not whole yet is left to who writes it; when nobody has for a while it is told as a gap, and
//!   told whole when the rest comes after all
//! - a file that was replaced, cut or rewritten is read again from its beginning: keys say what is there
//! - what is no file of lines (a document, a database, compressed) is read as a whole whenever it changes
//! - how much a response cost stands in its last line: the call is held back until the transcript goes on

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use event::Draft;

use super::cursor::{Look, stamp_of};
use super::find::{self, Found};
use super::report::Report;
use super::{Intake, RunError, Stop, one};
use crate::pen::Stamp;
use crate::{Importer, Item, Keys, Place, Reader, Sink, Transcript, derive};

/// From here on a file says whose it is, and what its session is called.
const GROWN_BYTES: u64 = 64 * 1024;
/// Bytes that are read back at a time in search of the end of a line.
const CHUNK_BYTES: u64 = 64 * 1024;

/// How it stands with who writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The file was begun just now: what it says of itself is still to come.
    Begun,
    /// It is being written to.
    Live,
    /// Nobody has written for a while, or we end: what is held back is told.
    Still,
}

/// One transcript that is followed.
pub struct Follower {
    path: PathBuf,
    importer: Option<&'static dyn Importer>,
    reading: Option<Reading>,
    /// What the file looked like when it was read last.
    seen: String,
    /// The same, for what was told when nobody wrote any more.
    told_still: String,
}

/// A file of lines being read.
struct Reading {
    source: crate::SourceFile,
    transcript: Box<dyn Transcript>,
    file: (u64, u64),
    head: Option<String>,
    /// Where the next line begins.
    at: Place,
    /// Before this, records were told by an earlier process.
    known: u64,
    held: Vec<(Draft, Place)>,
    records: u64,
}

impl std::fmt::Debug for Follower {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Follower({})", self.path.display())
    }
}

impl Follower {
    /// Follows the file from where an earlier process left it, as far as the sink remembers.
    pub fn new(path: PathBuf) -> Self {
        Self { path, importer: None, reading: None, seen: String::new(), told_still: String::new() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if something waits that is told when nobody writes any more.
    pub fn waits(&self) -> bool {
        self.seen.is_empty() || self.seen != self.told_still
    }

    /// Tells what is new; `None` if nothing is.
    pub fn catch_up<S: Sink>(
        &mut self,
        sink: &mut S,
        pace: Pace,
    ) -> Result<Option<Report>, RunError<S::Error>> {
        let Ok(meta) = std::fs::metadata(&self.path) else { return Ok(None) };
        let stamp = stamp_of(&self.path, &meta);
        let settled = pace != Pace::Still || self.told_still == stamp;
        if (self.seen == stamp && settled) || (pace == Pace::Begun && meta.len() < GROWN_BYTES) {
            return Ok(None);
        }
        let Ok(look) = Look::at(&self.path, sink) else { return Ok(None) };
        if self.reading.is_none() && self.is_known(&look, sink) {
            return Ok(None);
        }
        let Some(importer) = self.importer() else {
            self.seen.clone_from(&look.stamp);
            self.told_still = look.stamp;
            return Ok(None);
        };
        let report = if find::is_lines(&self.path) && !importer.holds_parts() && !self.is_document() {
            self.lines(importer, &look, sink, pace)?
        } else {
            let found = Found {
                path: self.path.clone(),
                bytes: look.bytes,
                importer: Some(importer),
                salvage: false,
                failed: None,
            };
            Some(one(&found, importer, sink, &mut |_| {})?)
        };
        self.seen.clone_from(&look.stamp);
        if pace == Pace::Still {
            self.told_still = look.stamp;
        }
        Ok(report)
    }

    /// Device and inode of the file of lines that is being read.
    pub fn identity(&self) -> Option<(u64, u64)> {
        self.reading.as_ref().map(|reading| reading.file)
    }

    /// The file has another name now.
    pub fn moved(&mut self, path: PathBuf) {
        self.path = path;
        self.seen.clear();
    }

    /// The file is gone. What was told stays, and that its source is gone is said.
    pub fn gone<S: Sink>(self, sink: &mut S) -> Result<(), RunError<S::Error>> {
        let Some(reading) = self.reading else { return Ok(()) };
        let source = derive::once(&*sink as &dyn Keys, &format!("gone\n{}", self.path.display()));
        let stamp = Stamp { session: reading.transcript.gap_session().to_owned(), ..Stamp::default() };
        let draft = stamp.draft("session.updated").key(format!("gone:{source}"));
        let draft = draft.data("meta", serde_json::json!({"source_gone": true}));
        let told = sink.file_begins().and_then(|()| sink.take(vec![draft])).and_then(|_| sink.file_done());
        told.map_err(|source| RunError::Sink { path: self.path, source })
    }

    /// A file that an earlier process took in and that is as it was.
    fn is_known<S: Sink>(&mut self, look: &Look, sink: &S) -> bool {
        let known =
            sink.cursor(&self.path).is_some_and(|cursor| cursor.unchanged(&self.path, look).is_some());
        if known {
            self.seen.clone_from(&look.stamp);
            self.told_still.clone_from(&look.stamp);
        }
        known
    }

    /// A document may be called as lines are.
    fn is_document(&self) -> bool {
        let reader = File::open(&self.path).and_then(Reader::open);
        reader.and_then(|mut reader| reader.holds_document()).unwrap_or(false)
    }

    fn importer(&mut self) -> Option<&'static dyn Importer> {
        if self.importer.is_none() {
            self.importer = find::whose(&self.path).ok()?;
        }
        self.importer
    }

    fn lines<S: Sink>(
        &mut self,
        importer: &dyn Importer,
        look: &Look,
        sink: &mut S,
        pace: Pace,
    ) -> Result<Option<Report>, RunError<S::Error>> {
        let stopped = |source| RunError::Sink { path: self.path.clone(), source };
        sink.file_begins().map_err(stopped)?;
        let mut report = Report { importer: Some(importer.name()), ..Report::unrecognised(&self.path, None) };
        let redacted = sink.redacted();
        let read = self.read(importer, look, sink, pace, &mut report);
        report.redacted = sink.redacted() - redacted;
        let stopped = |source| RunError::Sink { path: self.path.clone(), source };
        sink.file_done().map_err(stopped)?;
        match read {
            Err(Stop::Sink(source)) => return Err(stopped(source)),
            // it may be gone, or come back: what is told stays told
            Err(Stop::File(error)) => report.failed = Some(error.to_string()),
            Ok(()) => self.remember(importer, look, sink, &report),
        }
        Ok((report.records > 0 || report.failed.is_some()).then_some(report))
    }

    fn read<S: Sink>(
        &mut self,
        importer: &dyn Importer,
        look: &Look,
        sink: &mut S,
        pace: Pace,
        report: &mut Report,
    ) -> Result<(), Stop<S::Error>> {
        if self.reading.as_ref().is_none_or(|reading| reading.is_other(look) || reading.is_young()) {
            let again = self.reading.is_some();
            let mut reading = Reading::open(&self.path, importer, look, sink)?;
            if again {
                reading.known = 0;
            }
            self.reading = Some(reading);
        }
        let Some(reading) = &mut self.reading else { return Ok(()) };
        let file = File::open(&self.path)?;
        let end = end_of_lines(&file, reading.at.offset, look.bytes)?;
        reading.take(&file, end, sink, report)?;
        reading.at.offset = end;
        if pace == Pace::Still {
            reading.settle(&file, look.bytes, sink, report)?;
        }
        Ok(())
    }

    /// A file with something held back is not through, whatever it looks like.
    fn remember<S: Sink>(&self, importer: &dyn Importer, look: &Look, sink: &mut S, report: &Report) {
        let Some(reading) = &self.reading else { return };
        if report.elsewhere > 0 {
            return;
        }
        let through = reading.held.is_empty() && reading.at.offset == look.bytes;
        let done = reading.held.iter().map(|(_, place)| place.offset).min().unwrap_or(reading.at.offset);
        let mut look = look.clone();
        if !through {
            look.stamp.clear();
        }
        let whole = Report { records: reading.records, ..Report::default() };
        sink.remember(&self.path, &look.cursor(importer.name(), done, &whole));
    }
}

impl Reading {
    fn open<S: Sink>(path: &Path, importer: &dyn Importer, look: &Look, sink: &S) -> io::Result<Self> {
        let source = find::source(path, importer, false)?;
        let transcript = importer.open(&source);
        let known = sink.cursor(path).map_or(0, |cursor| cursor.resumes_at(path, look));
        let head = look.whole_head().map(str::to_owned);
        let at = Place { line: 0, offset: 0 };
        Ok(Self { source, transcript, file: look.file, head, at, known, held: Vec::new(), records: 0 })
    }

    /// True while the first records may not have said everything of their session: it is read again, which is
    /// quickly done, and keys say what was told.
    fn is_young(&self) -> bool {
        self.at.offset < GROWN_BYTES
    }

    /// True if what was read stands there no more.
    fn is_other(&self, look: &Look) -> bool {
        let head = self.head.as_deref().zip(look.whole_head()).is_some_and(|(then, now)| then != now);
        self.file != look.file || look.bytes < self.at.offset || head
    }

    /// Tells the whole lines up to `end`.
    fn take<S: Sink>(
        &mut self,
        file: &File,
        end: u64,
        sink: &mut S,
        report: &mut Report,
    ) -> Result<(), Stop<S::Error>> {
        let at = self.at;
        let mut texts = Reader::lines_of(stretch(file, at.offset, end)?, at, false)?;
        while let Some(item) = texts.next_item()? {
            let Item::Record(record) = item else { continue };
            if !self.transcript.survey(record.text) {
                break;
            }
        }
        let mut lines = Reader::lines_of(stretch(file, at.offset, end)?, at, true)?;
        let mut intake = Intake::new(&self.source, self.transcript.as_mut(), sink, report);
        intake.known = self.known;
        intake.held = Some(std::mem::take(&mut self.held));
        let mut taken = Ok(());
        while let Some(item) = lines.next_item()? {
            taken = intake.take(item);
            if taken.is_err() {
                break;
            }
        }
        self.held = intake.held.take().unwrap_or_default();
        self.records += intake.report.records;
        self.at.line = lines.line();
        taken.map_err(Stop::Sink)
    }

    /// Tells what is held back: calls whose response is over, and a last line that nobody ends.
    fn settle<S: Sink>(
        &mut self,
        file: &File,
        size: u64,
        sink: &mut S,
        report: &mut Report,
    ) -> Result<(), Stop<S::Error>> {
        let mut torn = Reader::lines_of(stretch(file, self.at.offset, size)?, self.at, true)?;
        let mut intake = Intake::new(&self.source, self.transcript.as_mut(), sink, report);
        intake.held = Some(std::mem::take(&mut self.held));
        intake.release().map_err(Stop::Sink)?;
        let mut whole = false;
        while let Some(item) = torn.next_item()? {
            whole |= matches!(item, Item::Record(_));
            if let Item::Gap(gap) = item {
                intake.report.records += 1;
                intake.gap(gap).map_err(Stop::Sink)?;
            }
        }
        if !whole {
            return Ok(());
        }
        // all of it but its line feed: it will not come any more
        self.take(file, size, sink, report)?;
        self.at.offset = size;
        let mut intake = Intake::new(&self.source, self.transcript.as_mut(), sink, report);
        intake.held = Some(std::mem::take(&mut self.held));
        intake.release().map_err(Stop::Sink)
    }
}

/// Device and inode.
pub fn identity(path: &Path) -> Option<(u64, u64)> {
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.dev(), meta.ino()))
}

fn stretch(mut file: &File, from: u64, to: u64) -> io::Result<impl Read + '_> {
    file.seek(SeekFrom::Start(from))?;
    Ok(file.take(to.saturating_sub(from)))
}

/// Behind the last line feed between `from` and `size`.
fn end_of_lines(mut file: &File, from: u64, size: u64) -> io::Result<u64> {
    let (mut end, mut chunk) = (size, Vec::new());
    while end > from {
        let start = end.saturating_sub(CHUNK_BYTES).max(from);
        file.seek(SeekFrom::Start(start))?;
        chunk.clear();
        file.take(end - start).read_to_end(&mut chunk)?;
        if let Some(at) = memchr::memrchr(b'\n', &chunk) {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(from)
}
