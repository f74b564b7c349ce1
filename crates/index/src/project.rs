//! The projector: reads the journal from the checkpoints on and feeds views and text.
//!
//! ```text
//! reader (verify, judge duplicates, take facts and text) ──batches──▶ views thread (fold, put)
//!        └──────────────────────────documents──────────────────────▶ tantivy's threads
//! ```
//! Each side has its own checkpoint and skips what it already has, so a crash between the two commits costs
//! nothing. The caller holds the projector's lock.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use event::{Line, SessionId};
use journal::{Entry, Extent, Finding, Glance, Journal, Place, ReadError, Reader, Stretch};
use memchr::memmem::Finder;

use crate::duplicates::{Holder, KeyBook, Verdict, key_hash};
use crate::error::IndexError;
use crate::facts::Facts;
use crate::text::text_of;
use crate::text_index::TextWriter;
use crate::views::fold::Fold;
use crate::views::store::ViewStore;
use crate::views::{checkpoints, holders_of};

const BATCH_EVENTS: u64 = 1_000;
const COMMIT_EVENTS: u64 = 100_000;
const QUEUE_BATCHES: usize = 4;

/// How much may be done at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// At most about so many events.
    pub events: u64,
    /// At most about so long.
    pub time: Duration,
}

impl Budget {
    /// What a query may spend on catching up.
    pub const QUERY: Self = Self { events: 20_000, time: Duration::from_millis(300) };
    /// Until everything is in.
    pub const ALL: Self = Self { events: u64::MAX, time: Duration::MAX };
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything is in.
    Done,
    /// The budget is used up.
    Behind,
    /// What is below a checkpoint has changed: everything must be made again.
    Rewritten,
}

enum Message {
    Told(Facts),
    Retold(Facts),
    Skipped(String),
    Lost(String),
    Reached(String, Place),
}

impl Message {
    fn session(&self) -> &str {
        match self {
            Self::Told(facts) | Self::Retold(facts) => &facts.session,
            Self::Skipped(session) | Self::Lost(session) | Self::Reached(session, _) => session,
        }
    }
}

/// True when a session cannot go on from `place`: what stood there is gone.
pub(crate) fn is_cut(extent: &Extent, place: &Place) -> bool {
    let reaches = extent.segments.iter().any(|s| s.first == place.segment && s.len >= place.offset);
    place.seq > 0 && !reaches
}

/// Bytes of a session behind `place`.
pub(crate) fn bytes_after(extent: &Extent, place: &Place) -> u64 {
    let after = |s: &journal::SegmentExtent| match s.first.cmp(&place.segment) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => s.len.saturating_sub(place.offset),
        std::cmp::Ordering::Greater => s.len,
    };
    extent.segments.iter().map(after).sum()
}

/// Projects until everything is in or the budget is used up, and commits.
pub(crate) fn project(
    journal: &Journal,
    text: &mut TextWriter,
    views: &dyn ViewStore,
    budget: Budget,
) -> Result<Outcome, IndexError> {
    let folded = checkpoints(views)?;
    let (send, receive) = sync_channel(QUEUE_BATCHES);
    std::thread::scope(|scope| {
        let folding = scope.spawn(move || fold_all(views, &receive));
        let feed = Feed {
            journal,
            text,
            views,
            folded,
            send,
            batch: Vec::new(),
            buffer: String::new(),
            events: 0,
            uncommitted: 0,
        };
        let outcome = feed.run(budget);
        // a panic of sled's ends the thread: that is damage, and damage is made again
        let folded = folding.join().unwrap_or_else(|_| Err(crate::views::panicked()));
        folded.and(outcome)
    })
}

fn fold_all(views: &dyn ViewStore, batches: &Receiver<Vec<Message>>) -> Result<(), IndexError> {
    let mut fold = Fold::new(views);
    let mut session = String::new();
    for message in batches.iter().flatten() {
        if *message.session() != session {
            message.session().clone_into(&mut session);
            fold.close();
        }
        match message {
            Message::Told(facts) => fold.tell(&facts)?,
            Message::Retold(facts) => fold.retell(&facts)?,
            Message::Skipped(name) => fold.session(&name)?.duplicates += 1,
            Message::Lost(name) => fold.session(&name)?.lost += 1,
            Message::Reached(name, place) => fold.put(&name, &place)?,
        }
    }
    views.flush()
}

/// The next sequence that each side wants.
#[derive(Debug, Clone, Copy)]
struct Known {
    text: u64,
    views: u64,
}

struct Feed<'a> {
    journal: &'a Journal,
    text: &'a mut TextWriter,
    views: &'a dyn ViewStore,
    folded: BTreeMap<String, Place>,
    send: SyncSender<Vec<Message>>,
    batch: Vec<Message>,
    buffer: String,
    events: u64,
    uncommitted: u64,
}

impl Feed<'_> {
    fn run(mut self, budget: Budget) -> Result<Outcome, IndexError> {
        let begun = Instant::now();
        let mut outcome = Outcome::Done;
        let sessions = self.journal.sessions()?;
        for session in &sessions {
            if self.events >= budget.events || begun.elapsed() >= budget.time {
                outcome = Outcome::Behind;
                break;
            }
            match self.session(session, &|events| events < budget.events && begun.elapsed() < budget.time)? {
                Outcome::Done => {}
                other => {
                    outcome = other;
                    break;
                }
            }
        }
        if self.text.progress.places.keys().any(|name| !sessions.iter().any(|s| s.as_str() == name)) {
            outcome = Outcome::Rewritten;
        }
        if outcome != Outcome::Rewritten {
            self.text.commit()?;
        }
        Ok(outcome)
    }

    fn session(&mut self, session: &SessionId, go_on: &dyn Fn(u64) -> bool) -> Result<Outcome, IndexError> {
        let name = session.as_str();
        let in_text = self.text.progress.places.get(name).cloned().unwrap_or_default();
        let in_views = self.folded.get(name).cloned().unwrap_or_default();
        let extent = self.journal.extent(session)?;
        if is_cut(&extent, &in_text) || is_cut(&extent, &in_views) {
            return Ok(Outcome::Rewritten);
        }
        if extent.ends_at(&in_text) && extent.ends_at(&in_views) {
            return Ok(Outcome::Done);
        }
        let from = if in_text.seq < in_views.seq { in_text.clone() } else { in_views.clone() };
        let holders =
            if in_views.seq > 0 { holders_of(self.views, name)? } else { std::collections::HashMap::new() };
        let earlier =
            move |key: &str| -> Vec<Holder> { holders.get(&key_hash(key)).cloned().unwrap_or_default() };
        let keys = KeyBook::new(self.journal, session.clone(), Some(Box::new(earlier)));
        let reader = self.journal.read(session, from)?;
        let known = Known { text: in_text.seq, views: in_views.seq };
        self.stream(name, reader, keys, known, go_on)
    }

    fn stream(
        &mut self,
        name: &str,
        mut reader: Reader,
        mut keys: KeyBook<'_>,
        known: Known,
        go_on: &dyn Fn(u64) -> bool,
    ) -> Result<Outcome, IndexError> {
        let resumed = reader.place().seq > 0;
        for count in 1.. {
            match reader.next() {
                Ok(None) => break,
                // it does not go on where it was left
                Err(ReadError::Damage(_)) if resumed && count == 1 => return Ok(Outcome::Rewritten),
                Err(ReadError::Damage(finding)) => self.lost(finding, known),
                Err(ReadError::Journal(error)) => return Err(error.into()),
                // documents are only ever added: what loses text is made again
                Ok(Some(entry)) if resumed && matches!(entry.line.kind, "audit.erased" | "audit.swept") => {
                    return Ok(Outcome::Rewritten);
                }
                Ok(Some(entry)) => {
                    let verdict = keys.judge(&entry.line, entry.pointer);
                    self.take(&entry, verdict, known)?;
                }
            }
            self.events += 1;
            self.uncommitted += 1;
            if count % BATCH_EVENTS == 0 {
                self.reached(name, reader.place(), known)?;
                if !go_on(self.events) {
                    return Ok(Outcome::Behind);
                }
            }
        }
        self.reached(name, reader.place(), known)?;
        Ok(Outcome::Done)
    }

    fn lost(&mut self, finding: Finding, known: Known) {
        self.text.progress.lost += u64::from(finding.seq >= known.text);
        if finding.seq >= known.views {
            self.batch.push(Message::Lost(finding.session));
        }
    }

    /// Hands an event to whichever side does not have it.
    fn take(&mut self, entry: &Entry<'_>, verdict: Verdict, known: Known) -> Result<(), IndexError> {
        let line = &entry.line;
        let mut facts = Facts::of(line, entry.pointer);
        facts.conflict = verdict == Verdict::Conflict;
        if line.seq >= known.text {
            self.text.progress.count(line.ts, verdict);
            if verdict != Verdict::Duplicate {
                self.buffer.clear();
                text_of(line, &|id| self.journal.blob(id).ok(), &mut self.buffer);
                if verdict == Verdict::Retold {
                    self.text.take_back(&facts);
                }
                self.text.add(&facts, &self.buffer)?;
            }
        }
        if line.seq >= known.views {
            self.batch.push(match verdict {
                Verdict::Duplicate => Message::Skipped(facts.session),
                Verdict::Told | Verdict::Conflict => Message::Told(facts),
                Verdict::Retold => Message::Retold(facts),
            });
        }
        Ok(())
    }

    /// Notes how far a session is, on both sides, and commits when it is time.
    fn reached(&mut self, session: &str, place: &Place, known: Known) -> Result<(), IndexError> {
        if place.seq >= known.text {
            self.text.reached(session, place);
        }
        if place.seq >= known.views {
            self.batch.push(Message::Reached(session.to_owned(), place.clone()));
            let batch = std::mem::take(&mut self.batch);
            // a closed channel means that folding failed; its own error is told instead of this one
            self.send.send(batch).map_err(|_| crate::views::panicked())?;
        }
        if self.uncommitted >= COMMIT_EVENTS {
            self.uncommitted = 0;
            self.text.commit()?;
        }
        Ok(())
    }
}

/// Folds sessions from places on into a store, without text: what a view query does itself for what is
/// not projected yet. Only what `keep` says is told.
pub(crate) fn fold_sessions(
    journal: &Journal,
    views: &dyn ViewStore,
    starts: Vec<(SessionId, Place)>,
    keep: &dyn Fn(&Facts) -> bool,
) -> Result<(), IndexError> {
    let mut fold = Fold::new(views);
    for (session, place) in starts {
        fold.close();
        let holders = if place.seq > 0 {
            holders_of(views, session.as_str())?
        } else {
            std::collections::HashMap::new()
        };
        let earlier =
            move |key: &str| -> Vec<Holder> { holders.get(&key_hash(key)).cloned().unwrap_or_default() };
        let mut keys = KeyBook::new(journal, session.clone(), Some(Box::new(earlier)));
        let mut reader = journal.read(&session, place)?;
        loop {
            let entry = match reader.next() {
                Ok(Some(entry)) => entry,
                Ok(None) => break,
                Err(ReadError::Damage(_)) => {
                    fold.session(session.as_str())?.lost += 1;
                    continue;
                }
                Err(ReadError::Journal(error)) => return Err(error.into()),
            };
            let verdict = keys.judge(&entry.line, entry.pointer);
            let mut facts = Facts::of(&entry.line, entry.pointer);
            facts.conflict = verdict == Verdict::Conflict;
            if !keep(&facts) {
                continue;
            }
            match verdict {
                Verdict::Duplicate => fold.session(session.as_str())?.duplicates += 1,
                Verdict::Told | Verdict::Conflict => fold.tell(&facts)?,
                Verdict::Retold => fold.retell(&facts)?,
            }
        }
        let place = reader.place().clone();
        fold.put(session.as_str(), &place)?;
    }
    Ok(())
}

/// Folds the events of some nouns out of a whole session; all others are passed over unparsed. Where the session
/// ends, or `None` if it is not plain.
pub(crate) fn fold_stretch(
    journal: &Journal,
    stretch: &Stretch,
    views: &dyn ViewStore,
    nouns: &[&str],
) -> Result<Option<Place>, IndexError> {
    let session = stretch.session();
    let (mut fold, mut place, mut outcome) = (Fold::new(views), Place::default(), Ok(true));
    let mut keys = KeyBook::new(journal, session.clone(), None);
    let names = [Finder::new(b",\"key\":"), Finder::new(b",\"twin\":")];
    let mut last = None;
    let plain = stretch.each(&mut |glance| {
        last = Some(glance);
        let noun = glance.kind.split('.').next().unwrap_or_default();
        let wanted = nouns.contains(&noun);
        // a name counts whoever has it: what has it later is a duplicate, a twin or a conflict
        let named = || names.iter().any(|name| glance.may_have(name));
        if matches!(outcome, Ok(true)) && (wanted || named()) {
            outcome = fold_glance(&glance, wanted, &mut keys, &mut fold);
        }
    });
    if !(plain && outcome?) {
        return Ok(None);
    }
    if let Some(glance) = last {
        let Ok(line) = Line::head(glance.bytes) else { return Ok(None) };
        let (at, head) = (glance.pointer, line.hash.to_owned());
        let offset = at.offset + u64::from(at.len) + 1;
        place = Place { segment: at.segment, offset, seq: glance.seq + 1, head };
    }
    fold.put(session.as_str(), &place)?;
    Ok(Some(place))
}

/// False if the line is not what was written.
fn fold_glance(
    glance: &Glance<'_>,
    wanted: bool,
    keys: &mut KeyBook<'_>,
    fold: &mut Fold<'_>,
) -> Result<bool, IndexError> {
    let Some(line) = glance.line() else { return Ok(false) };
    let verdict = keys.judge(&line, glance.pointer);
    if !wanted {
        return Ok(true);
    }
    let mut facts = Facts::of(&line, glance.pointer);
    facts.conflict = verdict == Verdict::Conflict;
    match verdict {
        Verdict::Duplicate => {}
        Verdict::Told | Verdict::Conflict => fold.tell(&facts)?,
        Verdict::Retold => fold.retell(&facts)?,
    }
    Ok(true)
}
