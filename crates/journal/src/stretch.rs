//! A stretch of a session in memory, its lines told apart by their fixed beginnings alone: for answers that
//! want few of many events. Hot path: one read, no parsing, no index.
//!
//! It proves nothing. Whoever shows a line checks it ([`Glance::event`]). A stretch in which anything is not as
//! appending writes it (damage, holes, another order) is not plain, and is read with a
//! [`Reader`](crate::Reader) instead, which can say what is wrong.

use std::sync::LazyLock;

use event::{Event, Line, SessionId};
use memchr::memchr;
use memchr::memmem::Finder;

use crate::cover::Held;
use crate::error::JournalError;
use crate::finding::Finding;
use crate::layout::Pointer;
use crate::segment::Segment;
use crate::store::{Journal, checked_event};

const TS_BYTES: usize = "2026-11-27T20:47:19.123456Z".len();

/// The last bytes of a session, or all of them.
#[derive(Debug)]
pub struct Stretch {
    session: SessionId,
    parts: Vec<Part>,
    whole: bool,
}

/// Bytes of one segment, from the beginning of a line on.
#[derive(Debug)]
struct Part {
    segment: u64,
    offset: u64,
    bytes: Vec<u8>,
    /// So many of them were checked line by line before.
    known: usize,
}

/// A line from outside.
#[derive(Debug, Clone, Copy)]
pub struct Glance<'a> {
    /// Its place in the session.
    pub seq: u64,
    /// Its kind, as headers write it.
    pub kind: &'a str,
    /// The line without its LF.
    pub bytes: &'a [u8],
    /// Where it stands.
    pub pointer: Pointer,
    /// True if it was checked before, byte for byte.
    known: bool,
}

impl<'a> Glance<'a> {
    /// True if its header may have a field of this name: `,"name":` stands in it.
    pub fn may_have(&self, field: &Finder<'_>) -> bool {
        static PREV: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b",\"prev\":\""));
        let header = PREV.find(self.bytes).unwrap_or(self.bytes.len());
        field.find(&self.bytes[..header]).is_some()
    }

    /// The line, checked; `None` if it is not what was written.
    pub fn line(&self) -> Option<Line<'a>> {
        if self.known {
            return Line::known(std::str::from_utf8(self.bytes).ok()?);
        }
        let line = Line::parse(self.bytes).ok()?;
        let sound = || line.members.iter().all(|member| member.is_erased() || member.matches());
        (line.hash_matches() && sound()).then_some(line)
    }

    /// The event, checked.
    pub fn event(&self, session: &SessionId) -> Result<Event, Finding> {
        let known = self.line().filter(|_| self.known);
        if let Some(event) = known.and_then(|line| Event::of_session(session.clone(), &line)) {
            return Ok(event);
        }
        checked_event(session, self.bytes, &self.pointer)
    }
}

impl Journal {
    /// The last bytes of a session, at most so many; `None` if a segment went while it was looked at.
    pub fn stretch(&self, session: &SessionId, at_most: u64) -> Result<Option<Stretch>, JournalError> {
        let extent = self.extent(session)?;
        let (mut parts, mut left) = (Vec::new(), at_most);
        for segment in extent.segments.iter().rev() {
            let take = segment.len.min(left);
            if take > 0 {
                let Some(part) = self.part(session, segment.first, segment.len - take, take)? else {
                    return Ok(None);
                };
                parts.push(part);
            }
            left -= take;
            if left == 0 {
                break;
            }
        }
        parts.reverse();
        Ok(Some(Stretch { session: session.clone(), parts, whole: extent.bytes() <= at_most }))
    }

    /// All of a session, whose beginning is held; `None` if a segment went while it was looked at.
    pub fn stretch_over(&self, held: Held) -> Result<Option<Stretch>, JournalError> {
        let (session, mut beginning) = held.into_parts();
        let mut parts = Vec::new();
        for segment in self.extent(&session)?.segments {
            if beginning.first().is_none_or(|(first, _)| *first != segment.first) {
                let Some(part) = self.part(&session, segment.first, 0, segment.len)? else { return Ok(None) };
                parts.push(part);
                continue;
            }
            let (first, mut bytes) = beginning.remove(0);
            let known = bytes.len();
            let Some(file) = Segment::open(self, &session, first)? else { return Ok(None) };
            bytes.resize(usize::try_from(segment.len).unwrap_or(usize::MAX).max(known), 0);
            let read = file.read_full_at(&mut bytes[known..], known as u64)?;
            bytes.truncate(known + read);
            parts.push(Part { segment: first, offset: 0, bytes, known });
        }
        Ok(Some(Stretch { session, parts, whole: true }))
    }

    fn part(
        &self,
        session: &SessionId,
        first: u64,
        offset: u64,
        len: u64,
    ) -> Result<Option<Part>, JournalError> {
        let Some(segment) = Segment::open(self, session, first)? else { return Ok(None) };
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
        let read = match segment.read_full_at(&mut bytes, offset) {
            Err(JournalError::Damaged(_)) => return Ok(None),
            read => read?,
        };
        bytes.truncate(read);
        let mut part = Part { segment: first, offset, bytes, known: 0 };
        if offset > 0 {
            // the first line may be cut
            let cut = memchr(b'\n', &part.bytes).map_or(part.bytes.len(), |at| at + 1);
            part.bytes.drain(..cut);
            part.offset += cut as u64;
        }
        Ok(Some(part))
    }
}

impl Stretch {
    /// True if it is all of the session.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// The session.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// Shows every whole line, in order. False if the stretch is not plain: then nothing that was shown counts.
    pub fn each<'a>(&'a self, see: &mut dyn FnMut(Glance<'a>)) -> bool {
        let prefix = format!("{{\"v\":1,\"session\":\"{}\",\"seq\":", self.session);
        let mut next = self.whole.then_some(0);
        self.parts.iter().enumerate().all(|(at, part)| {
            let last = at + 1 == self.parts.len();
            part.each(prefix.as_bytes(), last, &mut |glance| {
                let plain = next.is_none_or(|next| next == glance.seq);
                next = Some(glance.seq + 1);
                see(glance);
                plain
            })
        })
    }
}

impl Part {
    /// False if a line is not plain, or `see` says so.
    fn each<'a>(&'a self, prefix: &[u8], last: bool, see: &mut dyn FnMut(Glance<'a>) -> bool) -> bool {
        // a hole that a crash left, or somebody's own NUL: the reader judges
        if memchr(0, &self.bytes).is_some() {
            return false;
        }
        let mut at = 0;
        while let Some(len) = memchr(b'\n', &self.bytes[at..]) {
            let bytes = &self.bytes[at..at + len];
            let pointer = Pointer {
                segment: self.segment,
                offset: self.offset + at as u64,
                len: u32::try_from(len).unwrap_or(u32::MAX),
            };
            let Some((seq, kind)) = beginning(bytes, prefix) else { return false };
            let known = at + len < self.known;
            if !see(Glance { seq, kind, bytes, pointer, known }) {
                return false;
            }
            at += len + 1;
        }
        // what is behind the last LF is somebody's write under way
        last || at == self.bytes.len()
    }
}

/// Sequence and kind of a line that begins as lines of this session do.
fn beginning<'a>(bytes: &'a [u8], prefix: &[u8]) -> Option<(u64, &'a str)> {
    let rest = bytes.strip_prefix(prefix)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let seq = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let ts = rest[digits..].strip_prefix(b",\"ts\":\"")?;
    let kind = ts.get(TS_BYTES..)?.strip_prefix(b"\",\"kind\":\"")?;
    let kind = &kind[..memchr(b'"', kind)?];
    Some((seq, std::str::from_utf8(kind).ok()?))
}
