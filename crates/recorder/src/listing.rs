//! Listings: the rows of a session and their order, kept from one answer to the next with the sums of the bytes that
//! they were read from (`form.rs` says how).
//!
//! - L1  only where every line holds, a listing is kept: damage is always told by the journal itself
//! - L2  a listing answers for the very bytes that it was read from: every answer compares their sums, and what does
//!   not fit (an erasure, a tampered line, another build's, garbage) is read anew from the journal, silently
//! - L3  what was appended since is read and checked as ever, and shown behind; when it is much, it is kept too
//! - L4  the order is kept for exactly those bytes: with more behind them it is found anew, and so is what is told once
//! - L5  nobody waits for a listing: where another process writes the index, or nothing can be written, none is kept
//!
//! What this trusts is the folder `index/`, as every index does; `verify` and whatever shows one event do not.

mod form;

use std::sync::Arc;
use std::thread;

use event::{Event, SessionId};
use index::Kept;
use journal::{Cover, Entry, Finding, Held, Journal, JournalError, Place, ReadError};

use self::form::{Head, Written};
use crate::order::order;
use crate::row::{Block, Loose};
use crate::steps::{Step, Steps, told_once};
use crate::telling::owners;

/// A shorter session is read faster than its listing is looked up.
pub(crate) const LEAST_BYTES: u64 = 512 * 1024;
/// The bytes of a longer session are not held in memory.
const MOST_HELD_BYTES: u64 = 512 * 1024 * 1024;
/// So many rows behind a listing are worth writing it anew; of a long one, a sixteenth.
const LEAST_ROWS: usize = 128;

/// Rows, and where they come from.
struct Listing {
    cover: Cover,
    /// Where reading goes on.
    place: Place,
    block: Arc<Block>,
    /// How they are told, if that depends on no other session.
    order: Option<Order>,
}

/// The order of telling.
struct Order {
    /// Which row, whether it is a conflict, and whether it is superseded.
    rows: Vec<(usize, bool, bool)>,
    duplicates: u64,
}

/// The steps of a session that are told.
pub(crate) struct Listed {
    pub(crate) steps: Steps,
    /// True if they stand in the order of telling already.
    pub(crate) ordered: bool,
    /// The bytes of those that were kept, if they are wanted.
    pub(crate) held: Option<Held>,
}

/// Where listings of a session are asked for.
#[derive(Clone, Copy)]
pub(crate) struct Shelf<'a> {
    pub(crate) journal: &'a Journal,
    pub(crate) kept: &'a Kept,
    pub(crate) session: &'a SessionId,
}

/// Whether a session begins with the bytes that a listing was read from.
enum Sure {
    No,
    Yes,
    /// And here they are.
    Held(Held),
}

impl Shelf<'_> {
    /// The steps of the session that are told; `None` where the journal must be read as ever.
    pub(crate) fn listed(self, hold: bool, least_bytes: u64) -> Result<Option<Listed>, JournalError> {
        let bytes = self.journal.extent(self.session)?.bytes();
        if bytes < least_bytes || hold && bytes > MOST_HELD_BYTES {
            return Ok(None);
        }
        let text = self.kept.read(self.session).unwrap_or_default();
        if let Some(written) = Written::of(text, self.journal.store_id(), self.session) {
            let cover = written.head.cover.clone();
            let (sure, found) = thread::scope(|scope| {
                let sure = scope.spawn(|| self.sure(&cover, hold));
                // of other bytes this is worth nothing; mostly it is of these
                let found = written.listing().map(|listing| self.go_on(listing));
                (sure.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), found)
            });
            match (sure?, found) {
                (Sure::No, _) | (_, None) => {}
                // what was appended may not hold: that is the journal's to tell
                (Sure::Yes, Some(found)) => return found,
                (Sure::Held(held), Some(found)) => {
                    return Ok(found?.map(|found| Listed { held: Some(held), ..found }));
                }
            }
        }
        let Some(listing) = self.anew()? else { return Ok(None) };
        let held = if hold { self.journal.hold(self.session, &listing.cover)? } else { None };
        Ok(Some(Listed { held, ..self.whole(listing)? }))
    }

    fn sure(self, cover: &Cover, hold: bool) -> Result<Sure, JournalError> {
        if hold {
            return Ok(self.journal.hold(self.session, cover)?.map_or(Sure::No, Sure::Held));
        }
        Ok(if self.journal.is_covered(self.session, cover)? { Sure::Yes } else { Sure::No })
    }

    /// The steps of a listing.
    fn whole(self, listing: Listing) -> Result<Listed, JournalError> {
        if let Some(Order { rows, duplicates }) = listing.order {
            let told = Step::of_told(&listing.block, &rows);
            return Ok(Listed { steps: Steps { told, duplicates, damaged: 0 }, ordered: true, held: None });
        }
        self.told(Step::of_rows(&listing.block))
    }

    fn told(self, steps: Vec<Step>) -> Result<Listed, JournalError> {
        let steps = told_once(self.journal, self.session, steps, 0)?;
        Ok(Listed { steps, ordered: false, held: None })
    }

    /// The steps of a listing that holds, and of what was appended since; `None` if that does not hold.
    fn go_on(self, listing: Listing) -> Result<Option<Listed>, JournalError> {
        if self.journal.extent(self.session)?.ends_at(&listing.place) {
            return self.whole(listing).map(Some);
        }
        let Some(behind) = self.rows_from(listing.place.clone())? else { return Ok(None) };
        if behind.len() >= LEAST_ROWS.max(listing.block.len() / 16) {
            self.keep_more(&listing)?;
        }
        let mut steps = Step::of_rows(&listing.block);
        steps.extend(Step::of_rows(&Arc::new(behind)));
        self.told(steps).map(Some)
    }

    /// Keeps what stands behind a listing too.
    fn keep_more(self, listing: &Listing) -> Result<(), JournalError> {
        let Some(turn) = self.kept.turn() else { return Ok(()) };
        let cover = self.journal.cover(self.session)?;
        let Some(behind) = self.rows_from(listing.place.clone())? else { return Ok(()) };
        let block = Arc::new(listing.block.with(&behind));
        let Some(place) = end_of(&block) else { return Ok(()) };
        let order = self.order_of(&block)?;
        // what was read in between was read of these bytes, if they stood there before and stand there still
        let same = cover.ends_at(&place) && self.journal.is_covered(self.session, &listing.cover)?;
        if same && self.journal.is_covered(self.session, &cover)? {
            let more = Listing { cover, place, block, order };
            form::keep(&turn, self.journal.store_id(), self.session, &more);
        }
        Ok(())
    }

    /// Reads all rows, and keeps them.
    fn anew(self) -> Result<Option<Listing>, JournalError> {
        let Some(turn) = self.kept.turn() else { return Ok(None) };
        let cover = self.journal.cover(self.session)?;
        let row = |line: Result<Entry<'_>, Finding>| Some(line.ok().and_then(|entry| loose(&entry)));
        let rows: Option<Vec<Loose>> = self.journal.each_line(self.session, &row)?.into_iter().collect();
        let Some(rows) = rows else { return Ok(None) };
        let mut block = Block::default();
        block.extend(rows);
        let Some(place) = end_of(&block) else { return Ok(None) };
        let block = Arc::new(block);
        let order = self.order_of(&block)?;
        let listing = Listing { cover, place, block, order };
        if listing.cover.ends_at(&listing.place) && self.journal.is_covered(self.session, &listing.cover)? {
            form::keep(&turn, self.journal.store_id(), self.session, &listing);
        }
        Ok(Some(listing))
    }

    /// How rows are told; `None` where the session shares a past with others.
    fn order_of(self, block: &Arc<Block>) -> Result<Option<Order>, JournalError> {
        let steps = told_once(self.journal, self.session, Step::of_rows(block), 0)?;
        if !owners(&steps.told).is_empty() {
            return Ok(None);
        }
        let duplicates = steps.duplicates;
        let rows =
            order(steps.told).into_iter().map(|step| Some((step.at()?, step.conflict, step.superseded)));
        Ok(rows.collect::<Option<Vec<_>>>().map(|rows| Order { rows, duplicates }))
    }

    /// The rows from a place on; `None` if a line does not hold.
    fn rows_from(self, place: Place) -> Result<Option<Block>, JournalError> {
        let (mut reader, mut rows) = (self.journal.read(self.session, place)?, Vec::new());
        loop {
            match reader.next() {
                Ok(Some(entry)) => match loose(&entry) {
                    Some(row) => rows.push(row),
                    None => return Ok(None),
                },
                Ok(None) => break,
                Err(ReadError::Damage(_)) => return Ok(None),
                Err(ReadError::Journal(error)) => return Err(error),
            }
        }
        let mut block = Block::default();
        block.extend(rows);
        Ok(Some(block))
    }

    /// The bytes of the session that its listing was read from; a listing is made if there is none that holds. `None`
    /// where the journal must be read as ever.
    pub(crate) fn held(self) -> Result<Option<Held>, JournalError> {
        let lines = self.kept.first_lines(self.session, 2).unwrap_or_default();
        let head = match lines.as_slice() {
            [sums, head] => Head::read(sums, head, self.journal.store_id(), self.session),
            _ => None,
        };
        let held = head.map(|head| self.journal.hold(self.session, &head.cover)).transpose()?.flatten();
        let Some(held) = held else {
            let listing = self.anew()?;
            return listing.map_or(Ok(None), |listing| self.journal.hold(self.session, &listing.cover));
        };
        let bytes = self.journal.extent(self.session)?.bytes();
        if bytes.saturating_sub(held.bytes()) > (held.bytes() / 16).max(LEAST_BYTES / 4)
            && let Some(text) = self.kept.read(self.session)
            && let Some(listing) =
                Written::of(text, self.journal.store_id(), self.session).and_then(Written::listing)
        {
            self.keep_more(&listing)?;
        }
        Ok(Some(held))
    }
}

fn loose(entry: &Entry<'_>) -> Option<Loose> {
    Loose::of(&Event::from_line(&entry.line)?, entry.pointer)
}

/// Where reading goes on behind the last row.
fn end_of(block: &Block) -> Option<Place> {
    let last = block.len().checked_sub(1)?;
    let (seq, pointer) = (block.seq(last), block.pointer(last));
    let head = block.hash(last)?.to_owned();
    let offset = pointer.offset + u64::from(pointer.len) + 1;
    Some(Place { segment: pointer.segment, offset, seq: seq + 1, head })
}
