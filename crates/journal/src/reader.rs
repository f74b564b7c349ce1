//! Reading a session: segments in order, lines split with memchr, every line checked as it streams by.
//!
//! Readers take no lock. An unterminated last line is somebody's write under way, or a torn tail: the
//! reader ends before it, and says how many bytes it left. It ends before a hole that a crash left, too:
//! what stands behind one was never acknowledged and will be cut off.
//!
//! Damage is told and passed over: after [`ReadError::Damage`] the next call goes on behind it.

use std::ops::Range;

use event::{Line, LineError, MAX_LINE_BYTES, SessionId, genesis};

use crate::error::JournalError;
use crate::finding::{Finding, FindingCode};
use crate::layout::{Place, Pointer};
use crate::recover;
use crate::segment::Segment;
use crate::store::Journal;

const FIRST_CHUNK_BYTES: usize = 16 * 1024;
const CHUNK_BYTES: usize = 256 * 1024;
/// Room for a read: copied, which a debug build does fast too.
const ZEROS: &[u8] = &[0; CHUNK_BYTES];
/// A line that is longer than this is not kept in memory; it is malformed anyway.
const GIVE_UP_BYTES: usize = MAX_LINE_BYTES + CHUNK_BYTES;

/// A line that was read and checked.
#[derive(Debug)]
pub struct Entry<'a> {
    /// The line, taken apart.
    pub line: Line<'a>,
    /// Its bytes, without the LF.
    pub bytes: &'a [u8],
    /// Where it stands.
    pub pointer: Pointer,
}

/// Why a read gave no line.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Something is wrong with the bytes; reading on is possible.
    #[error("{0}")]
    Damage(Finding),
    /// The disk refused; reading on is not.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// How much of a line is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    /// Shape, chain and commitments.
    All,
    /// The header's shape and the sequence: for finding a line, never for showing it.
    Heads,
}

/// What to do about a line.
enum Verdict {
    /// It is good.
    Good,
    /// It is not an event of this place; go on behind it.
    Skip(Finding),
    /// It is not what was written, but it takes its place in the sequence.
    Lost(Finding),
    /// Something before it is wrong; the line itself may be good and is looked at again.
    Before(Finding),
}

/// A stream of checked lines.
#[derive(Debug)]
pub struct Reader {
    journal: Journal,
    session: SessionId,
    place: Place,
    check: Check,
    segment: Option<Segment>,
    /// True when the rest of a compressed segment cannot be read.
    lost: bool,
    /// Bytes of the segment from `place.offset` on; `taken` of them are done with.
    buffer: Vec<u8>,
    taken: usize,
    searched: usize,
    /// Bytes that were seen and not taken when the end was reached.
    left: usize,
    chunk_bytes: usize,
    skipping: bool,
}

impl Reader {
    pub(crate) fn open(journal: Journal, session: SessionId, from: Place) -> Result<Self, JournalError> {
        let mut place = from;
        if place == Place::default() {
            place.segment = journal.segments(&session)?.first().map_or(0, |(first, _)| *first);
            place.head = genesis(journal.store_id(), session.as_str());
        }
        let (segment, buffer) = (None, Vec::new());
        Ok(Self {
            journal,
            session,
            place,
            check: Check::All,
            segment,
            lost: false,
            buffer,
            taken: 0,
            searched: 0,
            left: 0,
            chunk_bytes: FIRST_CHUNK_BYTES,
            skipping: false,
        })
    }

    /// Checks header shapes and sequences only: finds lines fast, proves nothing.
    #[must_use]
    pub fn heads_only(mut self) -> Self {
        self.check = Check::Heads;
        self
    }

    /// Where reading goes on.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Bytes after the last whole line, as far as they have been read.
    pub fn tail_bytes(&self) -> usize {
        self.left
    }

    /// The next line; `None` at the end, from where a later call goes on if something was appended.
    #[allow(clippy::should_implement_trait)] // the item borrows the reader
    pub fn next(&mut self) -> Result<Option<Entry<'_>>, ReadError> {
        let Some(range) = self.find_line()? else { return Ok(self.end()) };
        if memchr::memchr(0, &self.buffer[range.clone()]).is_some() && self.is_in_torn_region()? {
            return Ok(self.end());
        }
        let bytes = &self.buffer[range.clone()];
        let parsed = if self.check == Check::All { Line::parse(bytes) } else { Line::head(bytes) };
        let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let pointer = Pointer { segment: self.place.segment, offset: self.place.offset, len };
        let verdict = judge(&self.place, &self.session, self.journal.store_id(), self.check, &parsed);
        let place = &mut self.place;
        if let Verdict::Before(finding) = verdict {
            place.seq = parsed.map_or(place.seq, |line| line.seq);
            place.head.clear();
            self.searched = self.taken;
            return Err(ReadError::Damage(finding));
        }
        place.offset += range.len() as u64 + 1;
        self.taken = range.end + 1;
        self.searched = self.taken;
        match verdict {
            Verdict::Skip(finding) => return Err(ReadError::Damage(finding)),
            Verdict::Lost(finding) => {
                place.seq += 1;
                place.head.clear();
                return Err(ReadError::Damage(finding));
            }
            Verdict::Good | Verdict::Before(_) => {}
        }
        // judged good, so it parsed
        let Ok(line) = parsed else { return Ok(None) };
        place.seq += 1;
        line.hash.clone_into(&mut place.head);
        Ok(Some(Entry { line, bytes, pointer }))
    }

    fn pass(&mut self, len: usize) {
        self.place.offset += len as u64 + 1;
        self.taken += len + 1;
        self.searched = self.taken;
    }

    /// What is left may be cut off and other bytes written in its place: it is read again next time.
    fn end(&mut self) -> Option<Entry<'_>> {
        self.left = self.buffer.len() - self.taken;
        self.buffer.truncate(self.taken);
        self.searched = self.taken;
        self.chunk_bytes = FIRST_CHUNK_BYTES;
        None
    }

    fn is_in_torn_region(&self) -> Result<bool, JournalError> {
        let torn = recover::torn_region(&self.journal, &self.session)?;
        let at = (self.place.segment, self.place.offset);
        Ok(torn.is_some_and(|(last, start)| (last.first, start) <= at))
    }

    /// The range of the next whole line in the buffer.
    fn find_line(&mut self) -> Result<Option<Range<usize>>, ReadError> {
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[self.searched..]) {
                let range = self.taken..self.searched + at;
                if !self.skipping {
                    return Ok(Some(range));
                }
                self.skipping = false;
                self.pass(range.len());
                self.place.seq += 1;
                self.place.head.clear();
                continue;
            }
            self.searched = self.buffer.len();
            if self.buffer.len() - self.taken > GIVE_UP_BYTES {
                return Err(self.give_up());
            }
            if self.fill()? == 0 && !self.next_segment()? {
                return Ok(None);
            }
        }
    }

    /// A line longer than any line may be: forget its bytes, remember to skip the rest.
    fn give_up(&mut self) -> ReadError {
        let finding = self.finding(FindingCode::Malformed, "a line longer than lines may be");
        self.place.offset += (self.buffer.len() - self.taken) as u64;
        self.taken = self.buffer.len();
        let first = !self.skipping;
        self.skipping = true;
        if first {
            return ReadError::Damage(finding);
        }
        ReadError::Damage(self.finding(FindingCode::Malformed, "… and its continuation"))
    }

    fn finding(&self, code: FindingCode, cause: &str) -> Finding {
        Finding {
            code,
            session: self.session.to_string(),
            seq: self.place.seq,
            segment: self.place.segment,
            offset: self.place.offset,
            cause: cause.to_owned(),
        }
    }

    /// Reads on; 0 at the end of the segment.
    fn fill(&mut self) -> Result<usize, ReadError> {
        if self.taken > 0 {
            self.buffer.drain(..self.taken);
            self.searched -= self.taken;
            self.taken = 0;
        }
        if self.segment.is_none() {
            self.segment = Segment::open(&self.journal, &self.session, self.place.segment)?;
        }
        let Some(segment) = self.segment.as_ref().filter(|_| !self.lost) else { return Ok(0) };
        let (len, at) = (self.buffer.len(), self.place.offset + self.buffer.len() as u64);
        // most sessions are short, and a follower mostly finds nothing: the first reads are small
        self.buffer.extend_from_slice(&ZEROS[..self.chunk_bytes]);
        self.chunk_bytes = (self.chunk_bytes * 2).min(CHUNK_BYTES);
        let read = segment.read_at(&mut self.buffer[len..], at);
        self.buffer.truncate(len + *read.as_ref().unwrap_or(&0));
        self.lost = matches!(read, Err(JournalError::Damaged(_)));
        read.map_err(|error| match error {
            JournalError::Damaged(finding) => {
                // what was read of a line that goes on in the damaged part is of no use
                self.buffer.truncate(self.taken);
                self.searched = self.taken;
                self.place.head.clear();
                ReadError::Damage(Finding { seq: self.place.seq, ..finding })
            }
            error => error.into(),
        })
    }

    /// Goes on to the segment behind, if there is one: then this one gets no more lines.
    fn next_segment(&mut self) -> Result<bool, ReadError> {
        let segments = self.journal.segments(&self.session)?;
        let Some(next) = segments.iter().map(|(first, _)| *first).find(|first| *first > self.place.segment)
        else {
            return Ok(false);
        };
        // a last line may have come between our read and the roll
        if self.fill()? > 0 {
            return Ok(true);
        }
        let rest = self.buffer.len() - self.taken;
        let unfinished =
            (rest > 0).then(|| self.finding(FindingCode::Malformed, "a segment ends inside a line"));
        self.buffer.clear();
        (self.taken, self.searched, self.segment, self.lost) = (0, 0, None, false);
        (self.place.segment, self.place.offset) = (next, 0);
        match unfinished {
            Some(finding) => {
                self.place.head.clear();
                Err(ReadError::Damage(finding))
            }
            None => Ok(true),
        }
    }
}

fn judge(
    place: &Place,
    session: &SessionId,
    store: &str,
    check: Check,
    parsed: &Result<Line<'_>, LineError>,
) -> Verdict {
    let at = |code, seq, cause: String| Finding {
        code,
        session: session.to_string(),
        seq,
        segment: place.segment,
        offset: place.offset,
        cause,
    };
    let line = match parsed {
        Ok(line) => line,
        Err(error @ LineError::Newer { .. }) => {
            return Verdict::Lost(at(FindingCode::Unsupported, place.seq, error.to_string()));
        }
        Err(error) => return Verdict::Lost(at(FindingCode::Malformed, place.seq, error.to_string())),
    };
    if check == Check::All && !line.hash_matches() {
        let cause = "header bytes do not match their hash".to_owned();
        return Verdict::Lost(at(FindingCode::Modified, place.seq, cause));
    }
    if line.session != session.as_str() {
        let cause = format!("line belongs to session {}", line.session);
        return Verdict::Skip(at(FindingCode::Foreign, place.seq, cause));
    }
    if line.seq < place.seq {
        let cause = format!("seq {} stands where {} belongs", line.seq, place.seq);
        return Verdict::Skip(at(FindingCode::Reordered, line.seq, cause));
    }
    if line.seq > place.seq {
        let cause = match place.seq.checked_sub(1) {
            Some(before) => format!("seq {before} is followed by {}", line.seq),
            None => format!("the session begins with seq {}", line.seq),
        };
        return Verdict::Before(at(FindingCode::Dropped, place.seq, cause));
    }
    if check == Check::Heads {
        return Verdict::Good;
    }
    if line.seq == 0 && line.text("store").is_none_or(|id| id != store) {
        return Verdict::Lost(at(FindingCode::Foreign, 0, "the session belongs to another store".to_owned()));
    }
    if !place.head.is_empty() && line.prev != place.head {
        let (code, seq, cause) = match line.seq.checked_sub(1) {
            None => {
                (FindingCode::Foreign, 0, "the chain does not begin with this store and session".to_owned())
            }
            Some(before) => {
                let cause = format!("its hash is not the one that seq {} is chained to", line.seq);
                (FindingCode::Modified, before, cause)
            }
        };
        return Verdict::Before(at(code, seq, cause));
    }
    match line.members.iter().find(|member| !member.is_erased() && !member.matches()) {
        Some(member) => {
            let cause = format!("field {} does not match its commitment", member.name);
            Verdict::Lost(at(FindingCode::PayloadMismatch, line.seq, cause))
        }
        None => Verdict::Good,
    }
}
