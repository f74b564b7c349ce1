//! Appending: many processes, no daemon. One writer is one process's way into one session.
//!
//! ```text
//! blobs written and synced ─▶ lock ─▶ tail known? ─no─▶ read the last line back, recover a torn tail
//!                                       │yes                              │
//!                                       └─▶ encode ─▶ roll if full ─▶ one write ─▶ unlock ─▶ fdatasync ─▶ receipts
//! ```
//! The order is fixed by the write, the acknowledgement by the sync: syncing after the lock is released
//! lets writers share a sync. This is a hot path. Who has many events to write stages them ([`staged`]).

mod staged;

use std::path::{Path, PathBuf};

use event::{Encoder, EventRef, Line, SessionId, genesis};
use redact::{Clean, Fact};
use serde::Serialize;
use world::{DiskFile, Lock, Open, rfc3339};

use crate::blobs::{self, NewBlob};
use crate::erase;
use crate::error::{Context, JournalError};
use crate::finding::{Finding, FindingCode};
use crate::layout::{Place, Pointer, SegmentExtent};
use crate::lock;
use crate::prepare::{Prepared, Salts, prepare};
use crate::recover::{self, Recovered};
use crate::store::Journal;
use staged::Staged;

/// When an event counts as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Synced before it is acknowledged.
    Always,
    /// Synced by [`Writer::sync`], once for all that arrived.
    Batch,
    /// Left to the operating system; the receipt says so.
    Os,
}

/// The acknowledgement of one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// The session id of the store.
    pub session: String,
    /// The event's sequence.
    pub seq: u64,
    /// The event's hash.
    pub hash: String,
    /// True once it is on the disk.
    pub durable: bool,
    /// Where its line stands; nothing that a caller outside needs to know.
    #[serde(skip)]
    pub pointer: Pointer,
}

impl Receipt {
    /// `session/sequence`.
    pub fn event(&self) -> EventRef {
        EventRef { session: self.session.clone(), seq: self.seq, hash: None }
    }
}

/// The last segment as this writer knows it.
#[derive(Debug)]
struct Tail {
    file: Box<dyn DiskFile>,
    path: PathBuf,
    inode: u64,
    end: End,
}

/// Where a session ends, and the next line begins.
#[derive(Debug, Clone)]
struct End {
    /// First sequence of the segment.
    first: u64,
    /// Its bytes.
    len: u64,
    /// The next sequence.
    seq: u64,
    /// Hash of the line before.
    head: String,
}

/// A process's way into one session.
#[derive(Debug)]
pub struct Writer {
    journal: Journal,
    session: SessionId,
    opened: Clean,
    durability: Durability,
    lock: Option<Box<dyn DiskFile>>,
    tail: Option<Tail>,
    staged: Option<Staged>,
    poisoned: bool,
}

impl Journal {
    /// A writer for the session of `opened`, the event that becomes sequence 0 if the session is new.
    pub fn writer(&self, opened: Clean, durability: Durability) -> Writer {
        let session = opened.session().clone();
        let journal = self.clone();
        Writer { journal, session, opened, durability, lock: None, tail: None, staged: None, poisoned: false }
    }
}

impl Writer {
    /// Appends one event and acknowledges it.
    pub fn append(&mut self, clean: &Clean) -> Result<Receipt, JournalError> {
        let mut receipts = self.append_all(std::slice::from_ref(clean))?;
        receipts.pop().ok_or_else(|| self.poisoned_error())
    }

    /// Appends the first event of a session; `None` if the session has events already.
    pub fn begin(&mut self, clean: &Clean) -> Result<Option<Receipt>, JournalError> {
        self.ready()?;
        let (prepared, blobs) = prepare(std::slice::from_ref(clean));
        let _held = self.write_blobs(&blobs)?;
        let receipts = self.locked(|writer| {
            if let Some(recovered) = writer.find_tail()? {
                writer.write_lines(&[], Some(&recovered))?;
            }
            let begun = writer.tail.as_ref().is_none_or(|tail| tail.end.seq > 0);
            if begun { Ok(Vec::new()) } else { writer.write_lines(&prepared, None) }
        })?;
        if self.durability == Durability::Always {
            self.sync()?;
        }
        let durable = self.durability == Durability::Always;
        Ok(receipts.into_iter().next_back().map(|receipt| Receipt { durable, ..receipt }))
    }

    /// Appends events of this session in one write: all of them, or none and an error.
    pub fn append_all(&mut self, cleans: &[Clean]) -> Result<Vec<Receipt>, JournalError> {
        self.ready()?;
        let (prepared, blobs) = prepare(cleans);
        let _held = self.write_blobs(&blobs)?;
        let receipts = self.locked(|writer| writer.write(&prepared))?;
        if self.durability == Durability::Always {
            self.sync()?;
        }
        Ok(receipts
            .into_iter()
            .map(|r| Receipt { durable: self.durability == Durability::Always, ..r })
            .collect())
    }

    /// Appends one event and makes it durable; `before` is told under the lock where it is going to stand.
    pub(crate) fn append_placed(
        &mut self,
        clean: &Clean,
        before: impl FnOnce(&Place) -> Result<(), JournalError>,
    ) -> Result<Receipt, JournalError> {
        self.ready()?;
        let (prepared, blobs) = prepare(std::slice::from_ref(clean));
        let _held = self.write_blobs(&blobs)?;
        let mut receipts = self.locked(|writer| {
            erase::redo(&writer.journal, &writer.session)?;
            let recovered = writer.find_tail()?;
            if let Some(recovered) = &recovered {
                writer.write_lines(&[], Some(recovered))?;
            }
            writer.roll_if_full()?;
            let Some(tail) = writer.tail.as_ref() else { return Err(writer.poisoned_error()) };
            let End { first: segment, len: offset, seq, head } = tail.end.clone();
            before(&Place { segment, offset, seq, head })?;
            writer.write_lines(&prepared, None)
        })?;
        self.sync()?;
        receipts.pop().map(|r| Receipt { durable: true, ..r }).ok_or_else(|| self.poisoned_error())
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Makes everything appended so far durable.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.ready()?;
        let Some(tail) = &self.tail else { return Ok(()) };
        let synced = tail.file.sync().at("sync", &tail.path);
        if synced.is_err() {
            self.poisoned = true;
            let path = tail.path.clone();
            let _ = self.locked(|writer| recover::write_again(&writer.journal.world, &path));
        }
        synced
    }

    /// Cuts a torn tail off, as an append would, and says what was cut.
    pub fn repair(&mut self) -> Result<Option<Recovered>, JournalError> {
        if !self.journal.has(&self.session)? {
            return Err(JournalError::NoSession { session: self.session.to_string() });
        }
        self.flush()?;
        let recovered = self.locked(|writer| {
            erase::redo(&writer.journal, &writer.session)?;
            let recovered = writer.find_tail()?;
            if let Some(recovered) = &recovered {
                writer.write_lines(&[], Some(recovered))?;
            }
            Ok(recovered)
        })?;
        self.sync()?;
        Ok(recovered)
    }

    /// The next sequence, as far as this writer knows.
    pub fn next_seq(&self) -> Option<u64> {
        self.tail.as_ref().map(|tail| tail.end.seq)
    }

    /// What was staged goes first, and a poisoned writer takes no more.
    fn ready(&mut self) -> Result<(), JournalError> {
        self.flush()?;
        if self.poisoned { Err(self.poisoned_error()) } else { Ok(()) }
    }

    fn poisoned_error(&self) -> JournalError {
        JournalError::Poisoned { session: self.session.to_string() }
    }

    fn write_blobs(&self, blobs: &[NewBlob]) -> Result<Option<Box<dyn DiskFile>>, JournalError> {
        if blobs.is_empty() {
            return Ok(None);
        }
        let (world, layout) = (&self.journal.world, &self.journal.layout);
        let held = blobs::hold(world, layout)?;
        blobs::write(&self.journal, blobs)?;
        Ok(Some(held))
    }

    /// Runs `work` while holding the session's lock.
    fn locked<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        self.take_lock()?;
        let done = work(self);
        self.give_lock_back();
        done
    }

    fn take_lock(&mut self) -> Result<(), JournalError> {
        let path = self.journal.layout.lock(&self.session);
        if self.lock.is_none() {
            let folder = self.journal.layout.session(&self.session);
            self.journal.world.disk.create_dir_all(&folder).at("make", &folder)?;
            self.lock = Some(lock::open(&self.journal.world, &path)?);
        }
        let Some(file) = &self.lock else { return Ok(()) };
        lock::take(&self.journal.world, &**file, &path, Lock::Exclusive)
    }

    fn give_lock_back(&mut self) {
        if let Some(file) = &self.lock
            && file.unlock().is_err()
        {
            // closing the file gives the lock back for certain
            self.lock = None;
        }
    }

    fn write(&mut self, prepared: &[Prepared<'_>]) -> Result<Vec<Receipt>, JournalError> {
        let recovered = self.find_tail()?;
        self.write_lines(prepared, recovered.as_ref())
    }

    /// Encodes and writes: `session.opened` if the session is empty, what was recovered, then the events.
    fn write_lines(
        &mut self,
        prepared: &[Prepared<'_>],
        recovered: Option<&Recovered>,
    ) -> Result<Vec<Receipt>, JournalError> {
        self.roll_if_full()?;
        let Some(tail) = self.tail.as_ref() else { return Err(self.poisoned_error()) };
        let (mut bytes, mut end) = (Vec::new(), tail.end.clone());
        let receipts = self.encode(&mut end, prepared, recovered, &mut bytes)?;
        self.put(&bytes, end)?;
        Ok(receipts)
    }

    /// Puts the lines at the end, which moves behind them: `session.opened` if the session is empty, what was
    /// recovered, then the events, of which the receipts are.
    fn encode(
        &self,
        end: &mut End,
        prepared: &[Prepared<'_>],
        recovered: Option<&Recovered>,
        bytes: &mut Vec<u8>,
    ) -> Result<Vec<Receipt>, JournalError> {
        let recovered = recovered.map(recovered_event);
        let opens = prepared.first().is_some_and(|p| p.draft.kind == *"session.opened");
        let opened = (end.seq == 0 && !(opens && recovered.is_none())).then_some(&self.opened);
        let extra = opened.into_iter().chain(&recovered).map(|clean| Prepared::of(clean.draft()));
        let lines: Vec<Prepared<'_>> = extra.chain(prepared.iter().map(Prepared::again)).collect();
        let mut salts = Salts::draw(&self.journal, lines.iter().map(|p| p.data.len()).sum())?;
        let ts = rfc3339(self.journal.world.clock.now());
        let mut receipts = Vec::with_capacity(lines.len());
        for line in &lines {
            receipts.push(self.line(end, line, &ts, &mut salts, bytes)?);
        }
        Ok(receipts.split_off(lines.len() - prepared.len()))
    }

    fn line(
        &self,
        end: &mut End,
        prepared: &Prepared<'_>,
        ts: &str,
        salts: &mut Salts,
        bytes: &mut Vec<u8>,
    ) -> Result<Receipt, JournalError> {
        let seq = end.seq;
        let store = (seq == 0).then(|| self.journal.store_id());
        let here = Encoder { session: &self.session, seq, ts, prev: &end.head, store };
        let encoded = here
            .encode(&prepared.at(seq), || salts.next())
            .map_err(|source| JournalError::Encode { session: self.session.to_string(), source })?;
        // without the LF
        let len = u32::try_from(encoded.line.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let pointer = Pointer { segment: end.first, offset: end.len, len };
        bytes.extend_from_slice(&encoded.line);
        end.len += encoded.line.len() as u64;
        end.seq += 1;
        end.head.clone_from(&encoded.hash);
        let session = self.session.to_string();
        Ok(Receipt { session, seq, hash: encoded.hash, durable: false, pointer })
    }

    /// The one write. What does not get through whole is cut back before anybody else may look.
    fn put(&mut self, bytes: &[u8], end: End) -> Result<(), JournalError> {
        let Some(tail) = self.tail.as_mut() else { return Err(self.poisoned_error()) };
        if tail.end.len == 0 {
            // names first: an event whose file may vanish is not stored
            let folder = self.journal.layout.session(&self.session);
            self.journal.world.disk.sync_dir(&folder).at("sync", &folder)?;
            self.journal.sync_names_of(&folder)?;
        }
        let written = tail.file.append(bytes);
        if let Ok(count) = written
            && count == bytes.len()
        {
            tail.end = end;
            return Ok(());
        }
        let _ = tail.file.set_len(tail.end.len);
        let path = tail.path.clone();
        self.poisoned = true;
        let short = std::io::Error::new(std::io::ErrorKind::WriteZero, "the disk took only a part");
        written.and(Err(short)).at("append to", &path)
    }

    fn roll_if_full(&mut self) -> Result<(), JournalError> {
        let full = self.tail.as_ref().is_some_and(|tail| tail.end.len >= self.journal.options.segment_bytes);
        let Some(old) = self.tail.take_if(|_| full) else { return Ok(()) };
        // whoever rolls makes the old segment whole first: recovery looks at the last one only
        if let Err(e) = recover::sync(&self.journal.world, &*old.file, &old.path) {
            self.poisoned = true;
            return Err(e);
        }
        // before the new name is there, so that nobody goes on with the old one
        self.sign(&self.journal.layout.lock(&self.session), old.end.seq)?;
        self.tail = Some(self.open_tail(old.end.seq, old.end.seq, old.end.head, None)?);
        Ok(())
    }

    fn open_tail(
        &self,
        first: u64,
        seq: u64,
        head: String,
        known: Option<Box<dyn DiskFile>>,
    ) -> Result<Tail, JournalError> {
        let path = self.journal.layout.segment(&self.session, first);
        let file = match known {
            Some(file) => file,
            None => self.journal.world.disk.open(&path, Open::Append).at("open", &path)?,
        };
        let stat = file.stat().at("look at", &path)?;
        Ok(Tail { file, path, inode: stat.inode, end: End { first, len: stat.len, seq, head } })
    }

    /// Makes `self.tail` true, recovering a torn tail first. The caller holds the lock.
    fn find_tail(&mut self) -> Result<Option<Recovered>, JournalError> {
        if self.tail_still_holds()? {
            return Ok(None);
        }
        let old = self.tail.take();
        if self.journal.is_purging(&self.session)? {
            return Err(JournalError::Purging { session: self.session.to_string() });
        }
        erase::redo(&self.journal, &self.session)?;
        let extent = self.journal.end(&self.session)?;
        let path = self.journal.layout.lock(&self.session);
        let Some(mut last) = extent.segments.last().copied() else {
            let head = genesis(self.journal.store_id(), self.session.as_str());
            self.sign(&path, 0)?;
            self.tail = Some(self.open_tail(0, 0, head, None)?);
            return Ok(None);
        };
        // the last segment is never compressed by us; whoever did it, appending needs its lines
        self.journal.restore_segment(&self.session, last.first)?;
        let same_boot = self.lock.as_ref().is_some_and(|f| lock::names_this_boot(&self.journal.world, &**f));
        let torn = recover::look(&self.journal, &self.session, last, same_boot)?;
        let end = torn.unwrap_or(last.len);
        let (seq, head) = self.last_line(&extent.segments, end)?;
        let recovered = match torn {
            Some(start) => Some(recover::cut(&self.journal, &self.session, last, start, seq)?),
            None => None,
        };
        last.len = end;
        if last.len == 0 && last.first != seq {
            return Err(self.damaged(
                FindingCode::Dropped,
                seq,
                last,
                "the segment's name is not the next sequence",
            ));
        }
        self.sign(&path, last.first)?;
        // the same file keeps its handle: a failed write-back is told to handles that were open then
        let known = old.filter(|tail| tail.end.first == last.first);
        let known = known.filter(|tail| self.is_at(tail)).map(|tail| tail.file);
        self.tail = Some(self.open_tail(last.first, seq, head, known)?);
        Ok(recovered)
    }

    fn sign(&self, path: &Path, segment: u64) -> Result<(), JournalError> {
        self.lock.as_ref().map_or(Ok(()), |file| lock::sign(&self.journal.world, &**file, path, segment))
    }

    /// True while the name still leads to the file that this writer holds open.
    fn is_at(&self, tail: &Tail) -> bool {
        let stat = self.journal.world.disk.stat(&tail.path);
        stat.is_ok_and(|stat| stat.is_some_and(|stat| stat.inode == tail.inode))
    }

    /// A remembered tail is valid only while its file is the same, as long as then, and the last one.
    fn tail_still_holds(&self) -> Result<bool, JournalError> {
        let Some(tail) = &self.tail else { return Ok(false) };
        let disk = &self.journal.world.disk;
        let Some(stat) = disk.stat(&tail.path).at("look at", &tail.path)? else { return Ok(false) };
        let same = (stat.inode, stat.len) == (tail.inode, tail.end.len);
        // looking for the next segment would leave a name that is not there in the kernel's memory, each time
        Ok(same && self.lock.as_ref().is_some_and(|file| lock::names_segment(&**file, tail.end.first)))
    }

    /// Sequence behind, and hash of, the last whole line before `end` of the last segment.
    fn last_line(&self, segments: &[SegmentExtent], end: u64) -> Result<(u64, String), JournalError> {
        let ends = segments.iter().rev().enumerate().map(|(n, s)| (*s, if n == 0 { end } else { s.len }));
        let Some((segment, end)) = ends.into_iter().find(|(_, end)| *end > 0) else {
            return Ok((0, genesis(self.journal.store_id(), self.session.as_str())));
        };
        self.journal.restore_segment(&self.session, segment.first)?;
        let path = self.journal.layout.segment(&self.session, segment.first);
        let file = self.journal.world.disk.open(&path, Open::Read).at("open", &path)?;
        let bytes = recover::last_line(&*file, end, &path)?;
        let parsed = Line::parse(&bytes);
        match parsed {
            Ok(line) if line.session != self.session.as_str() => Err(self.damaged(
                FindingCode::Foreign,
                line.seq,
                segment,
                "the last line is another session's",
            )),
            Ok(line) if line.hash_matches() => Ok((line.seq + 1, line.hash.to_owned())),
            Ok(line) => Err(self.damaged(
                FindingCode::Modified,
                line.seq,
                segment,
                "header bytes do not match their hash",
            )),
            Err(error) => {
                Err(self.damaged(FindingCode::Malformed, segment.first, segment, &error.to_string()))
            }
        }
    }

    fn damaged(&self, code: FindingCode, seq: u64, at: SegmentExtent, cause: &str) -> JournalError {
        JournalError::Damaged(Finding {
            code,
            session: self.session.to_string(),
            seq,
            segment: at.first,
            offset: at.len,
            cause: cause.to_owned(),
        })
    }
}

fn recovered_event(recovered: &Recovered) -> Clean {
    let mark = recovered.digest[..16].to_owned();
    let file = Fact::Torn(recovered.session.clone(), recovered.seq, mark);
    let data = vec![("file", file), ("digest", Fact::Hex(recovered.digest.clone()))];
    let header = vec![("bytes", Fact::Number(recovered.bytes))];
    Clean::system(recovered.session.clone(), "audit.recovered", header, data)
}
