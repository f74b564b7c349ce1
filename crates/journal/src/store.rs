//! A store: a folder with a `journal/` in it, and who it is.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use event::{Event, FORMAT, Line, SessionId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use world::{Open, World, rfc3339};

use crate::blobs;
use crate::error::{Context, JournalError};
use crate::finding::{Finding, FindingCode};
use crate::layout::{Extent, Layout, Place, Pointer, SegmentExtent, Shape, segment_of};
use crate::names::{self, Named};
use crate::reader::{ReadError, Reader};
use crate::segment::Segment;

/// So much of a session is worth a thread to read it, in bytes.
const PART_BYTES: u64 = 512 * 1024;

/// What tests set smaller than people need.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// A segment that is this long is followed by the next, in bytes.
    pub segment_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { segment_bytes: 64 * 1024 * 1024 }
    }
}

/// An open journal. Cheap to clone; holds no file open.
#[derive(Debug, Clone)]
pub struct Journal {
    pub(crate) world: World,
    pub(crate) layout: Layout,
    pub(crate) options: Options,
    pub(crate) part_bytes: u64,
    store: Arc<str>,
    pub(crate) named: Arc<Named>,
    packed_lens: Arc<Mutex<PackedLens>>,
}

/// Inode and length of each compressed segment that was looked at, and the bytes of its lines.
type PackedLens = BTreeMap<(SessionId, u64), ((u64, u64), u64)>;

/// An open segment.
#[derive(Debug)]
pub struct SegmentFile {
    session: SessionId,
    segment: Segment,
}

impl SegmentFile {
    /// The bytes of one line, without its LF and unchecked.
    pub fn line_at(&self, at: &Pointer) -> Result<Vec<u8>, JournalError> {
        let mut bytes = vec![0; at.len as usize];
        let len = self.segment.read_full_at(&mut bytes, at.offset)?;
        bytes.truncate(len);
        Ok(bytes)
    }

    /// One event, checked again.
    pub fn event_at(&self, at: &Pointer) -> Result<Event, JournalError> {
        checked_event(&self.session, &self.line_at(at)?, at).map_err(JournalError::Damaged)
    }
}

#[derive(Serialize, Deserialize)]
struct StoreFile {
    format: u64,
    store: String,
    created: String,
}

impl Journal {
    /// Opens the store in `root`, making it first if it is not there. True if it was made.
    pub fn init(world: World, root: &Path) -> Result<(Self, bool), JournalError> {
        match Self::open(world.clone(), root) {
            Err(JournalError::NoStore { .. }) => {}
            opened => return opened.map(|journal| (journal, false)),
        }
        let layout = Layout::new(root);
        let above = names::missing(&world, root)?;
        world.disk.create_dir_all(&layout.sessions()).at("make", &layout.sessions())?;
        let made = make_store_file(&world, &layout)?;
        above.into_iter().try_for_each(|folder| names::sync_name(&world, folder))?;
        let journal = Self::open(world, root)?;
        journal.sync_names_of(&layout.sessions())?;
        Ok((journal, made))
    }

    /// Opens the store in `root`.
    pub fn open(world: World, root: &Path) -> Result<Self, JournalError> {
        let layout = Layout::new(root);
        let path = layout.store_file();
        if world.disk.stat(&path).at("look at", &path)?.is_none() {
            return Err(JournalError::NoStore { root: root.to_owned() });
        }
        let bytes = read_file(&world, &path, 64 * 1024)?;
        let bad = |what: String| JournalError::BadStore { path: path.clone(), what };
        let parsed: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(|e| bad(format!("not JSON (column {})", e.column())))?;
        let format = parsed.get("format").and_then(serde_json::Value::as_u64);
        match format {
            Some(format) if format > FORMAT => {
                return Err(JournalError::NewerFormat { root: root.to_owned(), format });
            }
            Some(_) => {}
            None => return Err(bad("no format".to_owned())),
        }
        let file: StoreFile = serde_json::from_value(parsed).map_err(|e| bad(e.to_string()))?;
        if file.store.len() != 32 || !file.store.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(bad("the store id is not 32 hex digits".to_owned()));
        }
        let (options, named, packed_lens) = (Options::default(), Arc::default(), Arc::default());
        let (store, part_bytes) = (file.store.into(), PART_BYTES);
        Ok(Self { world, layout, options, part_bytes, store, named, packed_lens })
    }

    /// The same journal with other options.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// The same journal, of which so many bytes of a session are worth a thread to read them.
    #[must_use]
    pub fn with_part_bytes(mut self, part_bytes: u64) -> Self {
        self.part_bytes = part_bytes.max(1);
        self
    }

    /// Who this store is: 32 random hex digits.
    pub fn store_id(&self) -> &str {
        &self.store
    }

    /// The store's folder.
    pub fn root(&self) -> &Path {
        &self.layout.root
    }

    /// The world it stands in.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Every session that has a segment, sorted.
    pub fn sessions(&self) -> Result<Vec<SessionId>, JournalError> {
        let path = self.layout.sessions();
        let names = self.world.disk.list(&path).at("list", &path)?;
        let mut sessions = Vec::with_capacity(names.len());
        for session in names.iter().filter_map(|name| SessionId::new(name).ok()) {
            if self.has(&session)? {
                sessions.push(session);
            }
        }
        Ok(sessions)
    }

    /// True when the session has a segment.
    pub fn has(&self, session: &SessionId) -> Result<bool, JournalError> {
        let path = self.layout.session(session);
        let names = self.world.disk.list(&path).at("list", &path)?;
        Ok(names.iter().any(|name| segment_of(name).is_some()))
    }

    /// The segments of a session by their first sequence, and how they stand: one folder listing.
    pub(crate) fn segments(&self, session: &SessionId) -> Result<Vec<(u64, Shape)>, JournalError> {
        let folder = self.layout.session(session);
        let names = self.world.disk.list(&folder).at("list", &folder)?;
        let mut segments: Vec<_> = names.iter().filter_map(|name| segment_of(name)).collect();
        segments.sort_unstable();
        // of both, the lines count, and they sort first
        segments.dedup_by_key(|(first, _)| *first);
        Ok(segments)
    }

    /// What stands on disk of a session: one folder listing and one look at each segment.
    pub fn extent(&self, session: &SessionId) -> Result<Extent, JournalError> {
        self.extent_of(session, &self.segments(session)?)
    }

    /// Every session, and what stands of it from the segment on that `known` names. Of one that is not full, one look
    /// is enough: no other begins behind it yet.
    pub fn survey(
        &self,
        known: &dyn Fn(&SessionId) -> Option<u64>,
    ) -> Result<Vec<(SessionId, Extent)>, JournalError> {
        let path = self.layout.sessions();
        let names = self.world.disk.list(&path).at("list", &path)?;
        let mut found = Vec::with_capacity(names.len());
        for session in names.iter().filter_map(|name| SessionId::new(name).ok()) {
            let open = known(&session).map(|first| self.open_segment(&session, first)).transpose()?;
            let extent = match open.flatten() {
                Some(segment) => Extent { segments: vec![segment] },
                None => self.extent(&session)?,
            };
            if !extent.segments.is_empty() {
                found.push((session, extent));
            }
        }
        Ok(found)
    }

    /// A segment that is not full.
    fn open_segment(&self, session: &SessionId, first: u64) -> Result<Option<SegmentExtent>, JournalError> {
        let path = self.layout.segment(session, first);
        let stat = self.world.disk.stat(&path).at("look at", &path)?;
        let open = stat.filter(|stat| stat.len < self.options.segment_bytes);
        Ok(open.map(|stat| SegmentExtent { first, len: stat.len }))
    }

    /// The last two segments of a session: whoever appends needs no others.
    pub(crate) fn end(&self, session: &SessionId) -> Result<Extent, JournalError> {
        let segments = self.segments(session)?;
        self.extent_of(session, &segments[segments.len().saturating_sub(2)..])
    }

    fn extent_of(&self, session: &SessionId, segments: &[(u64, Shape)]) -> Result<Extent, JournalError> {
        let mut found = Vec::with_capacity(segments.len());
        for (first, shape) in segments {
            let path = self.layout.segment_as(session, *first, *shape);
            let Some(stat) = self.world.disk.stat(&path).at("look at", &path)? else { continue };
            let len = match shape {
                Shape::Lines => stat.len,
                Shape::Packed => self.lines_len(session, *first, (stat.inode, stat.len))?,
            };
            found.push(SegmentExtent { first: *first, len });
        }
        Ok(Extent { segments: found })
    }

    /// Bytes of the lines of a compressed segment: looked up in its frames once a process.
    fn lines_len(&self, session: &SessionId, first: u64, file: (u64, u64)) -> Result<u64, JournalError> {
        let key = (session.clone(), first);
        let known = |lens: &PackedLens| lens.get(&key).filter(|(seen, _)| *seen == file).map(|(_, len)| *len);
        let lock = || self.packed_lens.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(len) = known(&lock()) {
            return Ok(len);
        }
        let len = Segment::open(self, session, first)?.map_or(Ok(0), |segment| segment.len())?;
        lock().insert(key, (file, len));
        Ok(len)
    }

    /// Reads a session from a place on, checking every line.
    pub fn read(&self, session: &SessionId, from: Place) -> Result<Reader, JournalError> {
        Reader::open(self.clone(), session.clone(), from)
    }

    /// One event by where its line stands, checked again.
    pub fn event_at(&self, session: &SessionId, at: &Pointer) -> Result<Event, JournalError> {
        self.segment_file(session, at.segment)?.event_at(at)
    }

    /// A segment held open, for reading many of its events.
    pub fn segment_file(&self, session: &SessionId, first: u64) -> Result<SegmentFile, JournalError> {
        let gone = || std::io::Error::from(std::io::ErrorKind::NotFound);
        let path = self.layout.segment(session, first);
        let segment = Segment::open(self, session, first)?.ok_or_else(gone).at("open", &path)?;
        Ok(SegmentFile { session: session.clone(), segment })
    }

    /// One event by its sequence, and where its line stands.
    pub fn event(&self, session: &SessionId, seq: u64) -> Result<(Event, Pointer), JournalError> {
        if !self.has(session)? {
            return Err(JournalError::NoSession { session: session.to_string() });
        }
        let segments = self.segments(session)?;
        let first = segments.iter().rev().find(|(first, _)| *first <= seq).map_or(0, |(first, _)| *first);
        let near = self.place_near(session, first, seq)?;
        let start = Place { segment: first, seq: first, ..Place::default() };
        match self.event_from(session, near.clone(), seq) {
            // between damaged lines, what stands near may not be what is meant
            Err(JournalError::NoEvent { .. } | JournalError::Damaged(_)) if near != start => {
                self.event_from(session, start, seq)
            }
            found => found,
        }
    }

    fn event_from(
        &self,
        session: &SessionId,
        from: Place,
        seq: u64,
    ) -> Result<(Event, Pointer), JournalError> {
        let mut reader = self.read(session, from)?.heads_only();
        let mut damage = None;
        loop {
            match reader.next() {
                Ok(Some(entry)) if entry.line.seq == seq => {
                    let pointer = entry.pointer;
                    return self.event_at(session, &pointer).map(|event| (event, pointer));
                }
                Ok(Some(entry)) if entry.line.seq > seq => break,
                Ok(None) => break,
                Err(ReadError::Damage(finding)) if finding.seq == seq => damage = Some(finding),
                Ok(Some(_)) | Err(ReadError::Damage(_)) => {}
                Err(ReadError::Journal(error)) => return Err(error),
            }
        }
        match damage {
            Some(finding) => Err(JournalError::Damaged(finding)),
            None => Err(JournalError::NoEvent { session: session.to_string(), seq }),
        }
    }

    /// The bytes of a blob, checked against its name (`b3:` and 64 hex digits).
    pub fn blob(&self, id: &str) -> Result<Vec<u8>, JournalError> {
        blobs::read(&self.world, &self.layout, id)
    }

    /// A value with the content of every blob put back where it stood; a blob that is not text stays base64.
    pub fn whole(&self, value: &Value) -> Result<Value, JournalError> {
        blobs::put_back(value, &|id| self.blob(id))
    }

    /// Torn files that no `audit.recovered` of their session names yet are listed by `doctor`.
    pub fn torn_files(&self) -> Result<Vec<String>, JournalError> {
        let path = self.layout.torn();
        self.world.disk.list(&path).at("list", &path)
    }
}

/// Parses and checks one line completely; the finding names what does not hold.
pub(crate) fn checked_event(session: &SessionId, bytes: &[u8], at: &Pointer) -> Result<Event, Finding> {
    let finding = |code, seq, cause: String| Finding {
        code,
        session: session.to_string(),
        seq,
        segment: at.segment,
        offset: at.offset,
        cause,
    };
    // its head may still say which it was
    let seq = || Line::head(bytes).map_or(at.segment, |line| line.seq);
    let line = Line::parse(bytes).map_err(|e| finding(FindingCode::Malformed, seq(), e.to_string()))?;
    if line.session != session.as_str() {
        return Err(finding(FindingCode::Foreign, line.seq, "line belongs to another session".to_owned()));
    }
    if !line.hash_matches() {
        let cause = "header bytes do not match their hash".to_owned();
        return Err(finding(FindingCode::Modified, line.seq, cause));
    }
    if let Some(member) = line.members.iter().find(|m| !m.is_erased() && !m.matches()) {
        let cause = format!("field {} does not match its commitment", member.name);
        return Err(finding(FindingCode::PayloadMismatch, line.seq, cause));
    }
    let unreadable =
        || finding(FindingCode::Malformed, line.seq, "header values cannot be decoded".to_owned());
    Event::from_line(&line).ok_or_else(unreadable)
}

/// Written aside, synced and linked into place: the first maker wins, and nobody sees half a file.
fn make_store_file(world: &World, layout: &Layout) -> Result<bool, JournalError> {
    let mut id = [0; 16];
    world.chance.fill(&mut id).at("draw a store id for", &layout.root)?;
    let store = hex(&id);
    let aside = layout.journal.join(format!(".STORE-{store}"));
    let file = StoreFile { format: FORMAT, store, created: rfc3339(world.clock.now()) };
    let text = serde_json::json!({"format": file.format, "store": file.store, "created": file.created});
    write_new(world, &aside, format!("{text}\n").as_bytes())?;
    let linked = world.disk.link(&aside, &layout.store_file());
    let _ = world.disk.remove(&aside);
    match linked {
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => return Ok(false),
        other => other.at("make", &layout.store_file())?,
    }
    Ok(true)
}

/// Writes a whole new file and syncs it.
pub(crate) fn write_new(world: &World, path: &Path, bytes: &[u8]) -> Result<(), JournalError> {
    let file = world.disk.open(path, Open::CreateNew).at("make", path)?;
    let mut rest = bytes;
    while !rest.is_empty() {
        match file.append(rest).at("write", path)? {
            0 => return Err(std::io::Error::from(std::io::ErrorKind::WriteZero)).at("write", path),
            count => rest = &rest[count..],
        }
    }
    file.sync().at("sync", path)
}

/// Reads a whole small file.
pub(crate) fn read_file(world: &World, path: &Path, limit: usize) -> Result<Vec<u8>, JournalError> {
    let file = world.disk.open(path, Open::Read).at("open", path)?;
    let len = usize::try_from(file.stat().at("look at", path)?.len).unwrap_or(usize::MAX).min(limit);
    let mut bytes = vec![0; len];
    let read = file.read_full_at(&mut bytes, 0).at("read", path)?;
    bytes.truncate(read);
    Ok(bytes)
}

/// Lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
