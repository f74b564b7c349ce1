//! Reading ahead: one thread reads and maps the records of a file while the other redacts and stores them.
//!
//! Nothing is told in another order: what a record asks about the store is answered when everything before it
//! has been stored. A few hundred kilobytes of mapped records wait at most, or one giant.

use std::cell::{OnceCell, RefCell};
use std::io;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use event::Draft;

use super::find::Found;
use super::input::Input;
use crate::{Gap, Hasher, Importer, Item, Keys, Mapped, Past, Place, Record, SourceFile, Transcript};

/// A smaller file is read faster than a thread is made.
pub(super) const LEAST_BYTES: u64 = 256 * 1024;
/// A batch of records: so many, or so much text.
const BATCH_RECORDS: usize = 128;
const BATCH_BYTES: usize = 256 * 1024;

/// Where records come from.
pub(super) trait Items {
    /// The next record or gap; `None` at the end. `keys` is the store as it is now.
    fn next_item(&mut self, keys: &dyn Keys) -> io::Result<Option<Item<'_>>>;
    /// Bytes read so far.
    fn done(&self) -> u64;
}

impl Items for Input {
    fn next_item(&mut self, _keys: &dyn Keys) -> io::Result<Option<Item<'_>>> {
        Self::next_item(self)
    }

    fn done(&self) -> u64 {
        Self::done(self)
    }
}

type Question = Box<dyn FnOnce(&dyn Keys) + Send>;

/// What the reading thread says.
enum Message {
    /// Records, mapped, and gaps.
    Told(Vec<Told>),
    /// A question to the store, once everything before it is there.
    Asked(Question),
    /// The file is through: what is told last, or why it could not be read.
    Done(io::Result<Vec<Draft>>),
}

struct Told {
    what: What,
    opening: Option<Draft>,
    /// The session to which gaps belong by now.
    session: String,
    done: u64,
}

enum What {
    Record(Mapped, Place, Vec<&'static str>),
    Gap(Gap),
}

/// Reads and maps `file` in a thread of its own while `work` takes what it finds.
pub(super) fn reading<T>(
    file: &Found,
    importer: &'static dyn Importer,
    source: &SourceFile,
    hasher: &Hasher,
    work: impl FnOnce(&mut Ahead, &mut Mirror) -> T,
) -> T {
    thread::scope(|scope| {
        let (told, hears) = sync_channel(1);
        scope.spawn(move || {
            let asking = Asking { hasher, told, waiting: RefCell::default() };
            let done = read(file, importer, source, &asking);
            asking.send_waiting();
            // nobody listens any more once the store takes no more
            let _ = asking.told.send(Message::Done(done));
        });
        let now = Rc::new(RefCell::new(Now::default()));
        let mut ahead = Ahead { hears, batch: Vec::new().into_iter(), now: Rc::clone(&now), done: 0 };
        work(&mut ahead, &mut Mirror { now, sessions: Sessions::default() })
    })
}

fn read(
    file: &Found,
    importer: &'static dyn Importer,
    source: &SourceFile,
    asking: &Asking<'_>,
) -> io::Result<Vec<Draft>> {
    let mut transcript = importer.open(source);
    super::survey(super::texts(file, importer)?, transcript.as_mut())?;
    let mut input = super::records(file, importer)?;
    let mut bytes = 0;
    while let Some(item) = input.next_item()? {
        let what = match item {
            Item::Gap(gap) => What::Gap(gap),
            Item::Record(record) => {
                bytes += record.text.len();
                let (place, repaired) = (record.place, record.repaired.clone());
                What::Record(transcript.map(record, asking), place, repaired)
            }
        };
        let (opening, session) = (transcript.opening(), transcript.gap_session().to_owned());
        let mut waiting = asking.waiting.borrow_mut();
        waiting.push(Told { what, opening, session, done: input.done() });
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

/// The store, as the reading thread sees it.
struct Asking<'h> {
    hasher: &'h Hasher,
    told: SyncSender<Message>,
    waiting: RefCell<Vec<Told>>,
}

impl Asking<'_> {
    /// False if nobody listens any more.
    fn send_waiting(&self) -> bool {
        let waiting = self.waiting.take();
        waiting.is_empty() || self.told.send(Message::Told(waiting)).is_ok()
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
        (self.hasher)(material)
    }

    fn session_of(&self, key: &str) -> Option<String> {
        let key = key.to_owned();
        self.ask(move |keys| keys.session_of(&key)).flatten()
    }

    fn told(&self, session: &str) -> Vec<Past> {
        let session = session.to_owned();
        self.ask(move |keys| keys.told(&session)).unwrap_or_default()
    }
}

/// What the record at hand was mapped to; [`Mirror`] tells it.
#[derive(Default)]
struct Now {
    mapped: Option<Mapped>,
    opening: Option<Draft>,
    session: String,
    closing: Vec<Draft>,
}

/// The records that the other thread has mapped, without their texts.
pub(super) struct Ahead {
    hears: Receiver<Message>,
    batch: std::vec::IntoIter<Told>,
    now: Rc<RefCell<Now>>,
    done: u64,
}

impl Items for Ahead {
    fn next_item(&mut self, keys: &dyn Keys) -> io::Result<Option<Item<'_>>> {
        loop {
            if let Some(told) = self.batch.next() {
                self.done = told.done;
                return Ok(Some(self.show(told)));
            }
            match self.hears.recv() {
                Ok(Message::Told(batch)) => self.batch = batch.into_iter(),
                Ok(Message::Asked(question)) => question(keys),
                Ok(Message::Done(closing)) => {
                    self.now.borrow_mut().closing = closing?;
                    return Ok(None);
                }
                // it panicked; the scope tells
                Err(_) => return Ok(None),
            }
        }
    }

    fn done(&self) -> u64 {
        self.done
    }
}

impl Ahead {
    fn show(&mut self, told: Told) -> Item<'_> {
        let mut now = self.now.borrow_mut();
        now.session = told.session;
        if told.opening.is_some() {
            now.opening = told.opening;
        }
        match told.what {
            What::Gap(gap) => Item::Gap(gap),
            What::Record(mapped, place, repaired) => {
                now.mapped = Some(mapped);
                Item::Record(Record { text: "", value: None, place, repaired })
            }
        }
    }
}

/// A transcript that says what the one in the other thread said.
pub(super) struct Mirror {
    now: Rc<RefCell<Now>>,
    sessions: Sessions,
}

/// Names that are lent out: a list that only grows.
#[derive(Default)]
struct Sessions(OnceCell<Box<(String, Sessions)>>);

impl Sessions {
    fn kept(&self, name: &str) -> &str {
        let (kept, rest) = &**self.0.get_or_init(|| Box::new((name.to_owned(), Self::default())));
        if kept == name { kept } else { rest.kept(name) }
    }
}

impl Transcript for Mirror {
    fn map(&mut self, _record: Record<'_>, _keys: &dyn Keys) -> Mapped {
        self.now.borrow_mut().mapped.take().unwrap_or(Mapped::Duplicate)
    }

    fn gap_session(&self) -> &str {
        self.sessions.kept(&self.now.borrow().session)
    }

    fn opening(&mut self) -> Option<Draft> {
        self.now.borrow_mut().opening.take()
    }

    fn closing(&mut self) -> Vec<Draft> {
        std::mem::take(&mut self.now.borrow_mut().closing)
    }
}
