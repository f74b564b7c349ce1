//! Reading ahead: one thread reads and maps the records of a file, one cleans their drafts, and the one that asked
//! stores them.
//!
//! Nothing is told in another order: what a record asks about the store is answered when everything before it
//! has been stored. A few hundred kilobytes of mapped records wait at most, or one giant in each thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use event::Draft;
use recorder::{Cleaned, Cleaner};

use super::Stop;
use super::find::Found;
use super::frame::{Frame, stand_for, tell_repairs};
use super::report::Report;
use crate::derive::{Names, short};
use crate::{Importer, Item, Keys, Mapped, Past, Sink, SourceFile, Taken, Transcript};

/// A smaller file is read faster than threads are made.
pub(super) const LEAST_BYTES: u64 = 48 * 1024;
/// A batch of records: so many, or so much text.
const BATCH_RECORDS: usize = 64;
const BATCH_BYTES: usize = 128 * 1024;

type Question = Box<dyn FnOnce(&dyn Keys) + Send>;

/// What one thread says to the next: records as `T`, drafts as `D`.
enum Message<T, D> {
    /// Records and gaps.
    Told(Vec<T>),
    /// A question to the store, once everything before it is there.
    Asked(Question),
    /// The file is through: what is told last, or why it could not be read.
    Done(io::Result<Vec<D>>),
}

/// A record or a gap, and what it became.
struct Told<D> {
    fate: Fate<D>,
    /// The opening of the session, in front of it.
    opening: Option<D>,
    line: u64,
    repaired: bool,
    /// Behind where the record begins.
    read_to: u64,
    /// Bytes of the file that were read.
    done: u64,
}

enum Fate<D> {
    Events(Vec<D>),
    Raw(D),
    /// A gap, and its bytes.
    Gap(D, u64),
    /// Told before, or said again.
    Duplicate,
    /// About a session that is not here.
    Elsewhere,
}

/// A file that is taken in by several threads.
pub(super) struct Job<'a> {
    pub(super) file: &'a Found,
    pub(super) importer: &'static dyn Importer,
    pub(super) source: &'a SourceFile,
    /// Records that begin before this offset were told before.
    pub(super) known: u64,
}

/// Takes in a file; how far it was read.
pub(super) fn take_in<S: Sink>(
    job: &Job<'_>,
    cleaner: &Cleaner,
    sink: &mut S,
    report: &mut Report,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Stop<S::Error>> {
    thread::scope(|scope| {
        let (told, maps) = sync_channel(1);
        let (cleaned, hears) = sync_channel(1);
        let frame = Frame::new(job.source, cleaner);
        let placing = Frame::new(job.source, cleaner);
        scope.spawn(move || {
            let (own, names, waiting) = (RefCell::default(), RefCell::default(), RefCell::default());
            let asking = Asking { cleaner, own, names, told, waiting };
            let done = read(job, &frame, &asking);
            asking.send_waiting();
            // nobody listens any more once the store takes no more
            let _ = asking.told.send(Message::Done(done));
        });
        let mut desk = Desk { cleaner: cleaner.clone(), frame: placing, opening: None, records: 0 };
        scope.spawn(move || {
            let ready = maps.into_iter().map(|message| desk.ready(message));
            let _ = ready.map(|message| cleaned.send(message)).take_while(Result::is_ok).count();
        });
        Taking { sink, report, read_to: 0 }.take_all(&hears, progress)
    })
}

fn read(job: &Job<'_>, frame: &Frame, asking: &Asking<'_>) -> io::Result<Vec<Draft>> {
    let mut transcript = job.importer.open(job.source);
    super::survey(super::texts(job.file, job.importer)?, transcript.as_mut())?;
    let mut input = super::records(job.file, job.importer)?;
    let mut bytes = 0;
    while let Some(item) = input.next_item()? {
        let mut told = look_at(item, transcript.as_mut(), job.known, frame, asking, &mut bytes);
        told.done = input.done();
        let mut waiting = asking.waiting.borrow_mut();
        waiting.push(told);
        if waiting.len() >= BATCH_RECORDS || bytes >= BATCH_BYTES {
            drop(waiting);
            bytes = 0;
            if !asking.send_waiting() {
                break;
            }
        }
    }
    Ok(transcript.closing())
}

fn look_at(
    item: Item<'_>,
    transcript: &mut dyn Transcript,
    known: u64,
    frame: &Frame,
    asking: &Asking<'_>,
    bytes: &mut usize,
) -> Told<Draft> {
    let record = match item {
        Item::Record(record) => record,
        Item::Gap(gap) => {
            let (read_to, line, bytes) = (gap.place.offset, gap.place.line, gap.bytes);
            let draft = frame.gap(asking, transcript.gap_session(), gap);
            let opening = transcript.opening();
            asking.tells(opening.as_slice());
            asking.tells(std::slice::from_ref(&draft));
            return Told { fate: Fate::Gap(draft, bytes), opening, line, repaired: false, read_to, done: 0 };
        }
    };
    *bytes += record.text.len();
    let (place, repaired) = (record.place, record.repaired.clone());
    let fate = match transcript.map(record, asking) {
        Mapped::Events(drafts) => Fate::Events(drafts),
        Mapped::Raw(draft) => Fate::Raw(draft),
        Mapped::Duplicate => Fate::Duplicate,
        Mapped::Elsewhere => Fate::Elsewhere,
    };
    let mut told = Told {
        fate,
        opening: transcript.opening(),
        line: place.line,
        repaired: !repaired.is_empty(),
        read_to: place.offset + 1,
        done: 0,
    };
    if place.offset < known {
        (told.fate, told.opening) = (Fate::Duplicate, None);
        return told;
    }
    asking.tells(told.opening.as_slice());
    let drafts = match &mut told.fate {
        Fate::Events(drafts) => drafts.as_mut_slice(),
        Fate::Raw(draft) => std::slice::from_mut(draft),
        _ => return told,
    };
    asking.tells(drafts);
    tell_repairs(drafts, &repaired);
    if asking.cleaner.knows_gaps() {
        let key = frame.gap_key(asking, transcript.gap_session(), place.offset);
        if asking.cleaner.knows_gap(&key) {
            stand_for(drafts, key);
        }
    }
    told
}

/// The store, as the reading thread sees it.
///
/// Nobody else adds what a transcript tells meanwhile (imports take turns): a key that is neither there nor among
/// those that this file has told is nobody's, and one that this file was the first to tell is its session's. So the
/// store is asked only where it may know better.
struct Asking<'c> {
    cleaner: &'c Cleaner,
    /// Keys, as hashes, that were new when this file told them, and the sessions of their events.
    own: RefCell<HashMap<u64, Rc<str>>>,
    names: RefCell<Names>,
    told: SyncSender<Message<Told<Draft>, Draft>>,
    waiting: RefCell<Vec<Told<Draft>>>,
}

impl Asking<'_> {
    /// False if nobody listens any more.
    fn send_waiting(&self) -> bool {
        let waiting = self.waiting.take();
        waiting.is_empty() || self.told.send(Message::Told(waiting)).is_ok()
    }

    /// Notes the keys of what is going to be stored.
    fn tells(&self, drafts: &[Draft]) {
        for draft in drafts {
            let Some(key) = draft.key.as_deref().filter(|key| !self.cleaner.may_know(key)) else { continue };
            let session = self.names.borrow_mut().keep(&draft.session);
            self.own.borrow_mut().entry(short(key)).or_insert(session);
        }
    }

    fn ask<T: Send + 'static>(&self, question: impl FnOnce(&dyn Keys) -> T + Send + 'static) -> Option<T> {
        let (answer, answered) = sync_channel(1);
        let asked = Message::Asked(Box::new(move |keys| drop(answer.send(question(keys)))));
        let is_asked = self.send_waiting() && self.told.send(asked).is_ok();
        is_asked.then(|| answered.recv().ok()).flatten()
    }
}

impl Keys for Asking<'_> {
    fn derived_key(&self, material: &str) -> String {
        self.cleaner.derived_key(material)
    }

    fn session_of(&self, key: &str) -> Option<String> {
        if let Some(session) = self.own.borrow().get(&short(key)) {
            return Some(session.to_string());
        }
        if !self.cleaner.may_know(key) {
            return None;
        }
        let key = key.to_owned();
        self.ask(move |keys| keys.session_of(&key)).flatten()
    }

    fn told(&self, session: &str) -> Vec<Past> {
        let session = session.to_owned();
        self.ask(move |keys| keys.told(&session)).unwrap_or_default()
    }
}

/// Where drafts are cleaned, in their order.
struct Desk {
    cleaner: Cleaner,
    frame: Frame,
    /// It goes in front of the first drafts that are stored.
    opening: Option<Draft>,
    records: u64,
}

impl Desk {
    fn ready(&mut self, message: Message<Told<Draft>, Draft>) -> Message<Told<Cleaned>, Cleaned> {
        match message {
            Message::Told(batch) => Message::Told(batch.into_iter().map(|told| self.cleaned(told)).collect()),
            Message::Asked(question) => Message::Asked(question),
            Message::Done(done) => Message::Done(done.map(|drafts| self.all(drafts, self.records))),
        }
    }

    fn cleaned(&mut self, told: Told<Draft>) -> Told<Cleaned> {
        self.records += 1;
        let Told { fate, opening, line, repaired, read_to, done } = told;
        self.opening = opening.or(self.opening.take());
        let opening = match &fate {
            Fate::Duplicate | Fate::Elsewhere => None,
            _ => self.opening.take(),
        };
        let opening = opening.map(|draft| self.one(draft, line));
        let fate = match fate {
            Fate::Events(drafts) => Fate::Events(self.all(drafts, line)),
            Fate::Raw(draft) => Fate::Raw(self.one(draft, line)),
            Fate::Gap(draft, bytes) => Fate::Gap(self.one(draft, line), bytes),
            Fate::Duplicate => Fate::Duplicate,
            Fate::Elsewhere => Fate::Elsewhere,
        };
        Told { fate, opening, line, repaired, read_to, done }
    }

    fn all(&mut self, drafts: Vec<Draft>, line: u64) -> Vec<Cleaned> {
        drafts.into_iter().map(|draft| self.one(draft, line)).collect()
    }

    fn one(&mut self, draft: Draft, line: u64) -> Cleaned {
        self.cleaner.clean(self.frame.placed(draft, line))
    }
}

/// The store's end of it.
struct Taking<'a, S> {
    sink: &'a mut S,
    report: &'a mut Report,
    read_to: u64,
}

impl<S: Sink> Taking<'_, S> {
    fn take_all(
        mut self,
        hears: &Receiver<Message<Told<Cleaned>, Cleaned>>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Stop<S::Error>> {
        loop {
            let message = if let Ok(message) = hears.try_recv() {
                message
            } else {
                // nobody else is to wait for the lock while we wait for records
                self.sink.flush().map_err(Stop::Sink)?;
                // where the other thread panicked, the scope tells
                let Ok(message) = hears.recv() else { return Ok(self.read_to) };
                message
            };
            match message {
                Message::Told(batch) => {
                    for told in batch {
                        let done = told.done;
                        self.take(told).map_err(Stop::Sink)?;
                        progress(done);
                    }
                }
                Message::Asked(question) => {
                    self.sink.flush().map_err(Stop::Sink)?;
                    question(&*self.sink as &dyn Keys);
                }
                Message::Done(closing) => {
                    for last in closing? {
                        if self.sink.take_cleaned(vec![last]).map_err(Stop::Sink)? == Taken::Stored {
                            self.report.events += 1;
                        }
                    }
                    self.sink.flush().map_err(Stop::Sink)?;
                    return Ok(self.read_to);
                }
            }
        }
    }

    fn take(&mut self, told: Told<Cleaned>) -> Result<(), S::Error> {
        self.read_to = told.read_to;
        self.report.records += 1;
        self.report.repaired += u64::from(told.repaired);
        if let Some(opening) = told.opening
            && self.sink.take_cleaned(vec![opening])? == Taken::Stored
        {
            self.report.opened += 1;
        }
        let (cleaned, as_what): (Vec<Cleaned>, fn(&mut Report) -> &mut u64) = match told.fate {
            Fate::Events(cleaned) => (cleaned, |report| &mut report.stored),
            Fate::Raw(cleaned) => (vec![cleaned], |report| &mut report.raw),
            Fate::Gap(cleaned, bytes) => {
                self.report.gap_bytes += bytes;
                (vec![cleaned], |report| &mut report.gaps)
            }
            Fate::Duplicate => {
                self.report.duplicates += 1;
                return Ok(());
            }
            Fate::Elsewhere => {
                self.report.linked += 1;
                self.report.elsewhere += 1;
                return Ok(());
            }
        };
        let events = cleaned.len() as u64;
        match self.sink.take_cleaned(cleaned)? {
            Taken::Stored => {
                self.report.events += events;
                *as_what(self.report) += 1;
            }
            Taken::Duplicate => self.report.duplicates += 1,
            Taken::Linked => self.report.linked += 1,
        }
        Ok(())
    }
}

impl Keys for Cleaner {
    fn derived_key(&self, material: &str) -> String {
        Self::derived_key(self, material)
    }
}
