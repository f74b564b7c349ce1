//! Whether the bytes of a session are still those that somebody read and checked.
//!
//! ```text
//! segment  ├─ 256 KiB ─┼─ 256 KiB ─┼─ … ─┼─ rest ─┤┄┄ appended since ┄┄
//! sums        BLAKE3      BLAKE3            BLAKE3    not covered
//! ```
//! To compare sums takes a tenth of what checking every line takes, and finds every byte that differs: an answer
//! that was made of the same bytes is the answer that reading them again would give. What an order to erase hides
//! reads as if it were gone already, here as everywhere.

use std::thread;

use event::SessionId;
use serde::{Deserialize, Serialize};

use crate::error::JournalError;
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
    /// All bytes that it covers.
    pub fn bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.len).sum()
    }

    /// True if it ends where a reader goes on.
    pub fn ends_at(&self, place: &crate::Place) -> bool {
        self.segments.last().is_some_and(|last| (last.first, last.len) == (place.segment, place.offset))
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
        let extent = self.extent(session)?;
        let Some((last, before)) = cover.segments.split_last() else { return Ok(false) };
        let same = |(there, known): (&crate::SegmentExtent, &Covered)| {
            there.first == known.first && there.len == known.len
        };
        let whole = extent.segments.len() > before.len() && extent.segments.iter().zip(before).all(same);
        let grown = |there: &crate::SegmentExtent| there.first == last.first && there.len >= last.len;
        if !whole || !extent.segments.get(before.len()).is_some_and(grown) {
            return Ok(false);
        }
        let lens: Vec<(u64, u64)> =
            cover.segments.iter().map(|segment| (segment.first, segment.len)).collect();
        let sums = match self.sums(session, &spans(&lens)) {
            // a compressed segment that cannot be read is not what was covered
            Err(JournalError::Damaged(_)) => return Ok(false),
            sums => sums?,
        };
        Ok(cover.segments.iter().flat_map(|segment| &segment.sums).eq(&sums))
    }

    fn sums(&self, session: &SessionId, spans: &[Span]) -> Result<Vec<String>, JournalError> {
        let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let share = spans.len().div_ceil(threads).max(LEAST_SUMS);
        thread::scope(|scope| {
            let mut shares = spans.chunks(share);
            let own = shares.next().unwrap_or_default();
            let others: Vec<_> =
                shares.map(|share| scope.spawn(move || self.share_of_sums(session, share))).collect();
            let mut sums = self.share_of_sums(session, own)?;
            for other in others {
                sums.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok(sums)
        })
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
            sums.push(hex(blake3::hash(&buffer[..read]).as_bytes()));
        }
        Ok(sums)
    }
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
