//! Reading a long session on several threads, and finding a line without reading what stands before it.
//!
//! ```text
//! ├──── part 0, from the beginning ────┤├──── part 1, from the first cut ────┤├──── … ────┤
//!                                       ▲ a place where a line begins: offset, sequence, hash of the line before
//! ```
//! Each part checks its lines as [`Reader`] does. A part that does not end exactly where the next one begins, with
//! the hash that the next one goes on from, has damage at the seam: then what stands behind is read again by the
//! reader that came there. So the answer is always that of one reader over the whole session.

use std::ops::ControlFlow;
use std::thread;

use event::{Line, MAX_HEADER_BYTES, SessionId};

use crate::error::JournalError;
use crate::finding::Finding;
use crate::layout::Place;
use crate::reader::{Entry, ReadError, Reader};
use crate::segment::Segment;
use crate::store::Journal;

/// More threads than this wait for each other's memory.
const MOST_PARTS: u64 = 8;
/// The first look for the beginning of a line; most lines are shorter.
const LOOK_BYTES: usize = 16 * 1024;
/// Bytes that are rather read than halved again.
const NEAR_BYTES: u64 = 64 * 1024;

/// What is made of each line: a checked one, or what is wrong with one.
pub type Take<'a, T> = &'a (dyn Fn(Result<Entry<'_>, Finding>) -> Option<T> + Sync);

impl Journal {
    /// What `take` makes of every line of a session, in order. Lines are worked on side by side: `take` must not
    /// depend on what it was called with before.
    pub fn each_line<T: Send>(&self, session: &SessionId, take: Take<'_, T>) -> Result<Vec<T>, JournalError> {
        self.in_parts(session, &|reader| reader, take)
    }

    /// The same over lines of which only the header's shape was checked, as [`Reader::heads_only`] does.
    pub fn each_head<T: Send>(&self, session: &SessionId, take: Take<'_, T>) -> Result<Vec<T>, JournalError> {
        self.in_parts(session, &Reader::heads_only, take)
    }

    fn in_parts<T: Send>(
        &self,
        session: &SessionId,
        how: &(dyn Fn(Reader) -> Reader + Sync),
        take: Take<'_, T>,
    ) -> Result<Vec<T>, JournalError> {
        let cuts = self.cuts(session)?;
        let part = |from: Place, upto: Option<&Place>| -> Result<(Vec<T>, Reader), JournalError> {
            let (mut reader, mut found) = (how(self.read(session, from)?), Vec::new());
            while upto.is_none_or(|upto| is_before(reader.place(), upto)) {
                if step(&mut reader, take, &mut found)?.is_break() {
                    break;
                }
            }
            Ok((found, reader))
        };
        let parts = thread::scope(|scope| {
            let part = &part;
            let later: Vec<_> = cuts
                .iter()
                .enumerate()
                .map(|(n, cut)| (cut.clone(), cuts.get(n + 1)))
                .map(|(cut, upto)| scope.spawn(move || part(cut, upto)))
                .collect();
            let first = part(Place::default(), cuts.first());
            let later =
                later.into_iter().map(|part| part.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            std::iter::once(first).chain(later.collect::<Vec<_>>()).collect::<Vec<_>>()
        });
        let mut all = Vec::new();
        for (n, part) in parts.into_iter().enumerate() {
            let (mut found, mut reader) = part?;
            all.append(&mut found);
            if cuts.get(n).is_some_and(|next| reader.place() != next) {
                while step(&mut reader, take, &mut all)?.is_continue() {}
                break;
            }
        }
        Ok(all)
    }

    /// Places that part a session into pieces of about one size; none if it is short.
    fn cuts(&self, session: &SessionId) -> Result<Vec<Place>, JournalError> {
        let extent = self.extent(session)?;
        let bytes = extent.bytes();
        let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
        let parts = threads.min(bytes / self.part_bytes).min(MOST_PARTS);
        let mut cuts: Vec<Place> = Vec::new();
        for n in 1..parts {
            let (mut at, mut first) = (bytes / parts * n, None);
            for segment in &extent.segments {
                if at < segment.len {
                    first = Some(segment.first);
                    break;
                }
                at -= segment.len;
            }
            let Some(first) = first else { continue };
            let Some(segment) = Segment::open(self, session, first)? else { continue };
            let place = line_after(&segment, first, at)?;
            cuts.extend(place.filter(|place| cuts.last().is_none_or(|before| is_before(before, place))));
        }
        Ok(cuts)
    }

    /// A place in a segment at or before the line with this sequence; in a whole segment it is a near one.
    pub(crate) fn place_near(
        &self,
        session: &SessionId,
        first: u64,
        seq: u64,
    ) -> Result<Place, JournalError> {
        let mut place = Place { segment: first, seq: first, ..Place::default() };
        let Some(segment) = Segment::open(self, session, first)? else { return Ok(place) };
        let mut end = segment.len()?;
        while end.saturating_sub(place.offset) > NEAR_BYTES {
            let middle = place.offset + (end - place.offset) / 2;
            match line_after(&segment, first, middle)? {
                Some(found) if found.seq <= seq && found.offset < end && found.seq > place.seq => {
                    place = found;
                }
                _ => end = middle,
            }
        }
        Ok(place)
    }
}

/// Takes one line. Breaks at the end.
fn step<T>(
    reader: &mut Reader,
    take: Take<'_, T>,
    found: &mut Vec<T>,
) -> Result<ControlFlow<()>, JournalError> {
    match reader.next() {
        Ok(Some(entry)) => found.extend(take(Ok(entry))),
        Ok(None) => return Ok(ControlFlow::Break(())),
        Err(ReadError::Damage(finding)) => found.extend(take(Err(finding))),
        Err(ReadError::Journal(error)) => return Err(error),
    }
    Ok(ControlFlow::Continue(()))
}

fn is_before(a: &Place, b: &Place) -> bool {
    (a.segment, a.offset) < (b.segment, b.offset)
}

/// The first line that begins behind an offset; `None` if none is found that has the shape of one.
fn line_after(segment: &Segment, first: u64, offset: u64) -> Result<Option<Place>, JournalError> {
    let (mut buffer, mut filled) = (vec![0; LOOK_BYTES], 0);
    loop {
        let read = match segment.read_full_at(&mut buffer[filled..], offset + filled as u64) {
            // who reads the lines will tell
            Err(JournalError::Damaged(_)) => return Ok(None),
            read => read?,
        };
        filled += read;
        if let Some(start) = memchr::memchr(b'\n', &buffer[..filled]).map(|end| end + 1) {
            if let Ok(line) = Line::head(&buffer[start..filled]) {
                let head = line.prev.to_owned();
                return Ok(Some(Place {
                    segment: first,
                    offset: offset + start as u64,
                    seq: line.seq,
                    head,
                }));
            }
            if filled - start > 2 * MAX_HEADER_BYTES {
                return Ok(None);
            }
        }
        if read == 0 || filled > event::MAX_LINE_BYTES {
            return Ok(None);
        }
        buffer.resize(filled * 2, 0);
    }
}
