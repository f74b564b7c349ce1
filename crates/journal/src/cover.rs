//! Whether the bytes of a session are still those that somebody read and checked.
//!
//! ```text
//! segment  ├─ 256 KiB ─┼─ 256 KiB ─┼─ … ─┼─ rest ─┤┄┄ appended since ┄┄
//! sums        BLAKE3      BLAKE3            BLAKE3    not covered
//! ```
//! To compare sums takes a tenth of what checking every line takes, and finds every byte that differs: an answer
//! that was made of the same bytes is the answer that reading them again would give. What an order to erase hides
//! reads as if it were gone already, here as everywhere.

use std::sync::Arc;
use std::thread;

use event::{Event, Line, SessionId};
use serde::{Deserialize, Serialize};

use crate::error::JournalError;
use crate::layout::{Place, Pointer, SegmentExtent};
use crate::segment::Segment;
use crate::store::{Journal, hex};

/// So many bytes have a sum of their own.
const SUM_BYTES: u64 = 256 * 1024;
/// Fewer sums are not worth a thread.
const LEAST_SUMS: usize = 8;

/// The sums of what stands of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cover {
    segments: Vec<Covered>,
}

/// The sums of the beginning of one segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Covered {
    /// Its first sequence.
    first: u64,
    /// So many bytes of it.
    len: u64,
    sums: Vec<String>,
}

impl Cover {
    /// True if it ends where a reader goes on.
    pub fn ends_at(&self, place: &Place) -> bool {
        self.segments.last().is_some_and(|last| (last.first, last.len) == (place.segment, place.offset))
    }

    fn lens(&self) -> Vec<(u64, u64)> {
        self.segments.iter().map(|segment| (segment.first, segment.len)).collect()
    }

    fn sums(&self) -> impl Iterator<Item = &String> {
        self.segments.iter().flat_map(|segment| &segment.sums)
    }
}

/// What one sum is made of.
#[derive(Clone, Copy)]
struct Span {
    first: u64,
    offset: u64,
    len: u64,
}

impl Journal {
    /// The sums of all that stands of a session now.
    pub fn cover(&self, session: &SessionId) -> Result<Cover, JournalError> {
        let extent = self.extent(session)?;
        let lens: Vec<(u64, u64)> =
            extent.segments.iter().map(|segment| (segment.first, segment.len)).collect();
        let mut sums = self.sums(session, &spans(&lens))?.into_iter();
        let covered = |(first, len): &(u64, u64)| {
            let count = spans(&[(*first, *len)]).len();
            Covered { first: *first, len: *len, sums: sums.by_ref().take(count).collect() }
        };
        Ok(Cover { segments: lens.iter().map(covered).collect() })
    }

    /// True if a session begins with exactly these bytes, each in the segment where it stood.
    pub fn is_covered(&self, session: &SessionId, cover: &Cover) -> Result<bool, JournalError> {
        if !self.may_be_covered(session, cover)? {
            return Ok(false);
        }
        match self.sums(session, &spans(&cover.lens())) {
            // a compressed segment that cannot be read is not what was covered
            Err(JournalError::Damaged(_)) => Ok(false),
            sums => Ok(cover.sums().eq(&sums?)),
        }
    }

    /// The bytes that are covered, in memory; `None` where the session does not begin with them.
    pub fn hold(&self, session: &SessionId, cover: &Cover) -> Result<Option<Held>, JournalError> {
        if !self.may_be_covered(session, cover)? {
            return Ok(None);
        }
        let (lens, mut segments, mut sums) = (cover.lens(), Vec::new(), Vec::new());
        for (first, len) in lens {
            let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
            match self.fill(session, first, &mut bytes) {
                Err(JournalError::Damaged(_)) => return Ok(None),
                found => sums.extend(found?),
            }
            segments.push((first, bytes));
        }
        if !cover.sums().eq(&sums) {
            return Ok(None);
        }
        // lines that were checked are text
        let text = |(first, bytes)| Some((first, Arc::new(String::from_utf8(bytes).ok()?)));
        let segments: Option<_> = segments.into_iter().map(text).collect();
        Ok(segments.map(|segments| Held { session: session.clone(), segments }))
    }

    /// False if the session cannot begin with what is covered: its segments are others, or too short.
    fn may_be_covered(&self, session: &SessionId, cover: &Cover) -> Result<bool, JournalError> {
        let extent = self.extent(session)?;
        let Some((last, before)) = cover.segments.split_last() else { return Ok(false) };
        let same =
            |(there, known): (&SegmentExtent, &Covered)| (there.first, there.len) == (known.first, known.len);
        let whole = extent.segments.len() > before.len() && extent.segments.iter().zip(before).all(same);
        let grown = |there: &SegmentExtent| there.first == last.first && there.len >= last.len;
        Ok(whole && extent.segments.get(before.len()).is_some_and(grown))
    }

    fn sums(&self, session: &SessionId, spans: &[Span]) -> Result<Vec<String>, JournalError> {
        shared(spans.chunks(share_of(spans.len())), &|share| self.share_of_sums(session, share))
    }

    fn share_of_sums(&self, session: &SessionId, spans: &[Span]) -> Result<Vec<String>, JournalError> {
        let mut buffer = Vec::new();
        let mut open: Option<(u64, Option<Segment>)> = None;
        let mut sums = Vec::with_capacity(spans.len());
        for span in spans {
            if open.as_ref().is_none_or(|(first, _)| *first != span.first) {
                open = Some((span.first, Segment::open(self, session, span.first)?));
            }
            buffer.resize(usize::try_from(span.len).unwrap_or(usize::MAX), 0);
            let segment = open.as_ref().and_then(|(_, segment)| segment.as_ref());
            let read = segment.map_or(Ok(0), |segment| segment.read_full_at(&mut buffer, span.offset))?;
            // what is not there any more has a sum of its own
            sums.push(sum(&buffer[..read]));
        }
        Ok(sums)
    }

    /// Reads the beginning of a segment, and gives its sums.
    fn fill(&self, session: &SessionId, first: u64, bytes: &mut [u8]) -> Result<Vec<String>, JournalError> {
        let span_bytes = usize::try_from(SUM_BYTES).unwrap_or(usize::MAX);
        let share = share_of(bytes.len().div_ceil(span_bytes)) * span_bytes;
        let shares = bytes.chunks_mut(share).enumerate();
        shared(shares, &|(number, bytes)| {
            let segment = Segment::open(self, session, first)?;
            let (mut sums, mut offset) = (Vec::new(), (number * share) as u64);
            for bytes in bytes.chunks_mut(span_bytes) {
                let read = segment.as_ref().map_or(Ok(0), |segment| segment.read_full_at(bytes, offset))?;
                sums.push(sum(&bytes[..read]));
                offset += bytes.len() as u64;
            }
            Ok(sums)
        })
    }
}

/// Bytes of a session that are known to be those which somebody read and checked.
#[derive(Debug)]
pub struct Held {
    session: SessionId,
    segments: Vec<(u64, Arc<String>)>,
}

impl Held {
    /// The session.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// How many bytes.
    pub fn bytes(&self) -> u64 {
        self.segments.iter().map(|(_, text)| text.len() as u64).sum()
    }

    /// The bytes by segment; copied where an event still stands in them.
    pub(crate) fn into_parts(self) -> (SessionId, Vec<(u64, Vec<u8>)>) {
        let bytes = |(first, text): (u64, Arc<String>)| (first, Arc::unwrap_or_clone(text).into_bytes());
        (self.session, self.segments.into_iter().map(bytes).collect())
    }

    /// The event of a line that was checked when it was covered; `None` where none stands.
    pub fn event(&self, at: &Pointer) -> Option<Event> {
        let (_, text) = self.segments.iter().find(|(first, _)| *first == at.segment)?;
        let start = usize::try_from(at.offset).ok()?;
        let line = text.get(start..start.checked_add(at.len as usize)?)?;
        Event::within(self.session.clone(), &Line::known(line)?, text)
    }
}

fn sum(bytes: &[u8]) -> String {
    hex(blake3::hash(bytes).as_bytes())
}

/// How many of so many sums a thread makes.
fn share_of(sums: usize) -> usize {
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    sums.div_ceil(threads).max(LEAST_SUMS)
}

/// What `make` makes of each share, side by side; the first one here.
fn shared<S: Send, T: Send>(
    mut shares: impl Iterator<Item = S>,
    make: &(dyn Fn(S) -> Result<Vec<T>, JournalError> + Sync),
) -> Result<Vec<T>, JournalError> {
    thread::scope(|scope| {
        let own = shares.next();
        let others: Vec<_> = shares.map(|share| scope.spawn(move || make(share))).collect();
        let mut all = own.map_or(Ok(Vec::new()), make)?;
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(all)
    })
}

/// What the sums of segments of these lengths are made of, in order.
fn spans(lens: &[(u64, u64)]) -> Vec<Span> {
    let of = |(first, len): &(u64, u64)| {
        let (first, len) = (*first, *len);
        let starts = (0..len.div_ceil(SUM_BYTES)).map(|n| n * SUM_BYTES);
        starts.map(move |offset| Span { first, offset, len: SUM_BYTES.min(len - offset) })
    };
    lens.iter().flat_map(of).collect()
}
