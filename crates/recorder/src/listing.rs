//! Listings: the rows of a session, kept from one answer to the next with the sums of the bytes that they were read
//! from.
//!
//! ```text
//! recount listing 1 <BLAKE3 of the next line> <BLAKE3 of all behind it>
//! {"store":…,"session":…,"cover":{…},"place":{…},"rows":N,"numbers":bytes}
//! numbers, words (`row.rs`)
//! ```
//!
//! - L1  only where every line holds, a listing is kept: damage is always told by the journal itself
//! - L2  a listing answers for the very bytes that it was read from: every answer compares their sums, and what does
//!   not fit (an erasure, a tampered line, another version, garbage) is read anew from the journal, silently
//! - L3  what was appended since is read and checked as ever, and shown behind; when it is much, it is kept too
//! - L4  what is told once, and in which order, is found out for each answer anew: rows only save the reading
//! - L5  nobody waits for a listing: where another process writes the index, or nothing can be written, none is kept
//!
//! What this trusts is the folder `index/`, as every index does; `verify` and whatever shows one event do not.

use std::ops::Range;
use std::thread;

use event::{Event, SessionId};
use index::Kept;
use journal::{Cover, Entry, Finding, Held, Journal, JournalError, Place, ReadError};
use serde::{Deserialize, Serialize};

use crate::row::{Block, Loose};
use crate::steps::{Step, Steps, told_once};

/// What every listing of this form begins with.
const FORM: &str = "recount listing 1 ";
/// A shorter session is read faster than its listing is looked up.
pub(crate) const LEAST_BYTES: u64 = 512 * 1024;
/// So many rows behind a listing are worth writing it anew; of a long one, a sixteenth.
const LEAST_ROWS: usize = 128;

/// Rows, and where they come from.
struct Listing {
    cover: Cover,
    /// Where reading goes on.
    place: Place,
    block: Block,
}

/// What stands in the second line.
#[derive(Serialize, Deserialize)]
struct Head {
    store: String,
    session: String,
    cover: Cover,
    place: Place,
    rows: usize,
    numbers: usize,
}

/// The steps of a session that are told, and the bytes of those that were kept if they are wanted.
pub(crate) struct Listed {
    pub(crate) steps: Steps,
    pub(crate) held: Option<Held>,
}

/// The steps of a session that are told; `None` where the journal must be read as ever.
pub(crate) fn listed(
    journal: &Journal,
    kept: &Kept,
    session: &SessionId,
    least_bytes: u64,
    hold: bool,
) -> Result<Option<Listed>, JournalError> {
    if journal.extent(session)?.bytes() < least_bytes {
        return Ok(None);
    }
    let text = kept.read(session).unwrap_or_default();
    if let Some((head, numbers)) = head_of(&text, journal.store_id(), session) {
        let (sure, steps) = thread::scope(|scope| {
            let sure = scope.spawn(|| Sure::of(journal, session, &head.cover, hold));
            // of other bytes this is worth nothing; mostly it is of these
            let steps = Listing::read(&head, numbers, text).map(|listing| {
                let steps = go_on(journal, kept, session, listing)?;
                steps.map(|steps| told_once(journal, session, steps, 0)).transpose()
            });
            (sure.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), steps)
        });
        match (sure?, steps) {
            (Sure::No, _) | (_, None) => {}
            // what was appended may not hold: that is the journal's to tell
            (sure, Some(steps)) => {
                return Ok(steps?.map(|steps| Listed { steps, held: sure.held() }));
            }
        }
    }
    let Some(listing) = anew(journal, kept, session)? else { return Ok(None) };
    let held = if hold { journal.hold(session, &listing.cover)? } else { None };
    Ok(Some(Listed { steps: told_once(journal, session, Step::of_rows(listing.block), 0)?, held }))
}

/// Whether a session begins with the bytes that a listing was read from.
enum Sure {
    No,
    Yes,
    /// And here they are.
    Held(Held),
}

impl Sure {
    fn of(journal: &Journal, session: &SessionId, cover: &Cover, hold: bool) -> Result<Self, JournalError> {
        if hold {
            return Ok(journal.hold(session, cover)?.map_or(Self::No, Self::Held));
        }
        Ok(if journal.is_covered(session, cover)? { Self::Yes } else { Self::No })
    }

    fn held(self) -> Option<Held> {
        match self {
            Self::Held(held) => Some(held),
            Self::No | Self::Yes => None,
        }
    }
}

/// The steps of a listing, and of what was appended since; `None` if that does not hold.
fn go_on(
    journal: &Journal,
    kept: &Kept,
    session: &SessionId,
    listing: Listing,
) -> Result<Option<Vec<Step>>, JournalError> {
    if journal.extent(session)?.ends_at(&listing.place) {
        return Ok(Some(Step::of_rows(listing.block)));
    }
    let Some(behind) = rows_from(journal, session, listing.place.clone())? else { return Ok(None) };
    if behind.len() >= LEAST_ROWS.max(listing.block.len() / 16) {
        keep_more(journal, kept, session, &listing)?;
    }
    let mut steps = Step::of_rows(listing.block);
    steps.extend(Step::of_rows(behind));
    Ok(Some(steps))
}

/// Keeps what stands behind a listing too.
fn keep_more(
    journal: &Journal,
    kept: &Kept,
    session: &SessionId,
    listing: &Listing,
) -> Result<(), JournalError> {
    let Some(turn) = kept.turn() else { return Ok(()) };
    let cover = journal.cover(session)?;
    let Some(behind) = rows_from(journal, session, listing.place.clone())? else { return Ok(()) };
    let block = listing.block.with(&behind);
    let Some(place) = end_of(&block) else { return Ok(()) };
    // what was read in between was read of these bytes, if they stood there before and stand there still
    let same = cover.ends_at(&place) && journal.is_covered(session, &listing.cover)?;
    if same && journal.is_covered(session, &cover)? {
        keep(journal, &turn, session, &Listing { cover, place, block });
    }
    Ok(())
}

/// Reads all rows, and keeps them.
fn anew(journal: &Journal, kept: &Kept, session: &SessionId) -> Result<Option<Listing>, JournalError> {
    let Some(turn) = kept.turn() else { return Ok(None) };
    let cover = journal.cover(session)?;
    let row = |line: Result<Entry<'_>, Finding>| Some(line.ok().and_then(|entry| loose(&entry)));
    let rows: Option<Vec<Loose>> = journal.each_line(session, &row)?.into_iter().collect();
    let Some(rows) = rows else { return Ok(None) };
    let mut block = Block::default();
    block.extend(rows);
    let Some(place) = end_of(&block) else { return Ok(None) };
    let listing = Listing { cover, place, block };
    if listing.cover.ends_at(&listing.place) && journal.is_covered(session, &listing.cover)? {
        keep(journal, &turn, session, &listing);
    }
    Ok(Some(listing))
}

fn loose(entry: &Entry<'_>) -> Option<Loose> {
    Loose::of(&Event::from_line(&entry.line)?, entry.pointer)
}

/// The rows from a place on; `None` if a line does not hold.
fn rows_from(journal: &Journal, session: &SessionId, place: Place) -> Result<Option<Block>, JournalError> {
    let (mut reader, mut rows) = (journal.read(session, place)?, Vec::new());
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

/// Where reading goes on behind the last row.
fn end_of(block: &Block) -> Option<Place> {
    let last = block.len().checked_sub(1)?;
    let (seq, pointer) = (block.seq(last), block.pointer(last));
    let head = block.hash(last)?.to_owned();
    let offset = pointer.offset + u64::from(pointer.len) + 1;
    Some(Place { segment: pointer.segment, offset, seq: seq + 1, head })
}

fn keep(journal: &Journal, turn: &index::KeepTurn, session: &SessionId, listing: &Listing) {
    let Some((numbers, words)) = listing.block.written() else { return };
    let head = Head {
        store: journal.store_id().to_owned(),
        session: session.to_string(),
        cover: listing.cover.clone(),
        place: listing.place.clone(),
        rows: listing.block.len(),
        numbers: numbers.len(),
    };
    let Ok(head) = serde_json::to_string(&head) else { return };
    let mut sum = blake3::Hasher::new();
    sum.update(numbers.as_bytes()).update(words.as_bytes());
    let sums = format!("{FORM}{} {}\n", sum_of(&head), sum.finalize().to_hex());
    turn.keep(session, &[&sums, &head, "\n", &numbers, words]);
}

fn sum_of(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// The head of a text, and where its numbers stand in it; `None` for what is none of this form, store and session,
/// or was changed.
fn head_of(text: &str, store: &str, session: &SessionId) -> Option<(Head, Range<usize>)> {
    let (sums, body) = text.split_once('\n')?;
    let (head, rest) = body.split_once('\n')?;
    let sum = sums.rsplit_once(' ')?.1;
    let head = read_head(sums, head, store, session).filter(|_| sum_of(rest) == sum)?;
    let start = text.len() - rest.len();
    let end = start.checked_add(head.numbers)?;
    Some((head, start..end))
}

fn read_head(sums: &str, head: &str, store: &str, session: &SessionId) -> Option<Head> {
    let (sum, _) = sums.strip_prefix(FORM)?.split_once(' ')?;
    (sum_of(head) == sum).then_some(())?;
    let head: Head = serde_json::from_str(head).ok()?;
    (head.store == store && head.session == session.as_str()).then_some(head)
}

/// The bytes of a session that its listing was read from; a listing is made if there is none that holds. `None` where
/// the journal must be read as ever.
pub(crate) fn held(
    journal: &Journal,
    kept: &Kept,
    session: &SessionId,
) -> Result<Option<Held>, JournalError> {
    let lines = kept.first_lines(session, 2).unwrap_or_default();
    let head = match lines.as_slice() {
        [sums, head] => read_head(sums, head, journal.store_id(), session),
        _ => None,
    };
    let held =
        head.map(|head| Ok(journal.hold(session, &head.cover)?.map(|held| (head, held)))).transpose()?;
    let Some((head, held)) = held.flatten() else {
        let listing = anew(journal, kept, session)?;
        return listing.map_or(Ok(None), |listing| journal.hold(session, &listing.cover));
    };
    let behind = journal.extent(session)?.bytes().saturating_sub(head.cover.bytes());
    if behind > (head.cover.bytes() / 16).max(LEAST_BYTES / 4)
        && let Some(text) = kept.read(session)
        && let Some((head, numbers)) = head_of(&text, journal.store_id(), session)
        && let Some(listing) = Listing::read(&head, numbers, text)
    {
        keep_more(journal, kept, session, &listing)?;
    }
    Ok(Some(held))
}

impl Listing {
    fn read(head: &Head, numbers: Range<usize>, text: String) -> Option<Self> {
        let block = Block::read(head.rows, numbers, text)?;
        Some(Self { cover: head.cover.clone(), place: head.place.clone(), block })
    }
}
