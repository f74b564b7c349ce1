//! Erasing in place: the slots of an event become `null`, its salts zeros, and no hash changes.
//!
//! ```text
//! lock ─▶ erasing (synced) ─▶ audit.erased appended (synced) ─▶ unlock ─▶ sealed by who asked
//!      ─▶ lock ─▶ slots overwritten at their offsets, synced, read back ─▶ erasing removed ─▶ unlock
//! ```
//! `sessions/<session>/erasing` says where the order stands, or was to stand. Whoever takes the session's lock and
//! looks for its end finishes what it names; without an order at that place nothing was begun. Until then readers
//! see the slots as they are going to be.
//!
//! - E1  a slot is overwritten only after the order that names it is on the disk
//! - E2  a range is overwritten only where the target's header, its hash and the member's name stand around it
//! - E3  `audit.*` is never a target: what says that something was erased stays

use std::io;
use std::path::PathBuf;

use event::{Line, SessionId};
use redact::Clean;
use serde::{Deserialize, Serialize};
use world::{Lock, Open};

use crate::error::{Context, JournalError};
use crate::layout::Pointer;
use crate::lock;
use crate::log::{replace_file, small_file};
use crate::store::Journal;
use crate::writer::{Receipt, Writer};

/// Digits of a salt.
const SALT_DIGITS: usize = 32;
/// How the house begins the kinds that cannot be erased.
const OWN: &str = "audit.";

/// One member of a payload, and where its bytes stand in the line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// The member.
    pub field: String,
    /// Offset of its value.
    pub value_at: u64,
    /// Length of value and padding.
    pub slot_bytes: u64,
    /// Offset of its salt's digits.
    pub salt_at: u64,
}

/// What is to be erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The session.
    pub session: SessionId,
    /// The event.
    pub seq: u64,
    /// Its hash.
    pub hash: String,
    /// Where its line stands.
    pub pointer: Pointer,
    /// Members that are there, in the order of the line.
    pub slots: Vec<Slot>,
}

/// What an `audit.erased` event says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The order's own sequence.
    pub seq: u64,
    /// Its hash.
    pub hash: String,
    /// When it was given.
    pub ts: String,
    /// The event that it is about.
    pub target: u64,
    /// What it orders.
    pub what: Ordered,
    /// Members that a text of the eraser stands in for.
    pub replaced: Vec<String>,
    /// What was signed: every member but the signature, as it stands.
    pub statement: Vec<u8>,
    /// Who signed.
    pub by: Option<String>,
    /// The signature's armor in hex.
    pub signature: Option<String>,
}

/// The member `order` of an `audit.erased` event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ordered {
    /// Hash of the target: an order counts for this event and no other.
    pub hash: String,
    /// Why: `gdpr17`, `secret`, `court` or `contract`.
    pub basis: String,
    /// What goes.
    pub fields: Vec<Slot>,
}

/// What `erasing` says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Marker {
    /// The target's sequence and place.
    target: u64,
    at: Pointer,
    /// The order's.
    order: u64,
    segment: u64,
    offset: u64,
}

/// An order that was given and may not be carried out yet.
#[derive(Debug, Clone)]
pub(crate) struct Pending {
    marker: Marker,
    order: Order,
    line: Vec<u8>,
}

/// What an order that is not carried out hides of a segment.
#[derive(Debug)]
pub(crate) struct Mask(Vec<(u64, Vec<u8>)>);

impl Order {
    /// Takes an order out of its line; `None` if it is none, or not one that says what to erase.
    pub fn of(line: &Line<'_>) -> Option<Self> {
        if line.kind != "audit.erased" {
            return None;
        }
        let target = line.field("target").and_then(event::Field::value).and_then(|v| v.as_u64())?;
        let member = |name: &str| line.members.iter().find(|member| member.name == name);
        let text = |name: &str| serde_json::from_str::<String>(member(name)?.value).ok();
        let what: Ordered = serde_json::from_str(member("order")?.value).ok()?;
        let replaced: serde_json::Map<String, serde_json::Value> =
            member("replacement").and_then(|m| serde_json::from_str(m.value).ok()).unwrap_or_default();
        let members = line.members.iter().map(|member| (member.name, member.value));
        Some(Self {
            seq: line.seq,
            hash: line.hash.to_owned(),
            ts: line.ts.to_owned(),
            target,
            what,
            replaced: replaced.into_iter().map(|(name, _)| name).collect(),
            statement: statement(line.session, target, members),
            by: text("by"),
            signature: text("signature"),
        })
    }

    /// True if it names the member.
    pub fn names(&self, field: &str) -> bool {
        self.what.fields.iter().any(|slot| slot.field == field)
    }
}

/// What who orders an erasure signs: session, target, and every member of the order's payload but the signature,
/// a line each.
pub fn statement<'a>(
    session: &str,
    target: u64,
    members: impl Iterator<Item = (&'a str, &'a str)>,
) -> Vec<u8> {
    let mut text = format!("recount erase 1\nsession {session}\ntarget {target}\n");
    for (name, value) in members.filter(|(name, _)| *name != "signature") {
        text.extend([name, " ", value, "\n"]);
    }
    text.into_bytes()
}

impl Slot {
    pub(crate) fn of(member: &event::Member<'_>) -> Self {
        Self {
            field: member.name.to_owned(),
            value_at: member.value_at as u64,
            slot_bytes: member.slot_bytes as u64,
            salt_at: member.salt_at as u64,
        }
    }

    /// Offsets in the line and the bytes that are to stand there.
    fn blanks(&self) -> [(u64, Vec<u8>); 2] {
        let mut value = vec![b' '; usize::try_from(self.slot_bytes).unwrap_or(0)];
        let len = value.len().min(4);
        value[..len].copy_from_slice(&b"null"[..len]);
        [(self.value_at, value), (self.salt_at, vec![b'0'; SALT_DIGITS])]
    }

    /// True if the member's name stands in front of both ranges, behind `start`, and both lie within the line.
    fn fits(&self, line: &[u8], start: usize) -> bool {
        let at = |offset: u64| usize::try_from(offset).ok();
        let (Some(value), Some(slot), Some(salt)) =
            (at(self.value_at), at(self.slot_bytes), at(self.salt_at))
        else {
            return false;
        };
        let before =
            |at: usize, text: &str| line.get(start..at).is_some_and(|b| b.ends_with(text.as_bytes()));
        let (key, salted) = (format!("\"{}\":", self.field), format!("\"{}\":\"", self.field));
        let ends = |at: usize, len: usize| at.checked_add(len).and_then(|end| line.get(end)).copied();
        before(value, &key)
            && before(salt, &salted)
            && slot >= event::SLOT_BYTES
            && slot.is_multiple_of(event::SLOT_BYTES)
            && matches!(ends(value, slot), Some(b',' | b'}'))
            && value + slot < salt
            && ends(salt, SALT_DIGITS) == Some(b'"')
    }
}

impl Mask {
    /// What is hidden of a segment, if an order for it is pending.
    pub(crate) fn of(
        journal: &Journal,
        session: &SessionId,
        segment: u64,
    ) -> Result<Option<Self>, JournalError> {
        let Some(pending) = pending(journal, session)? else { return Ok(None) };
        let at = pending.marker.at;
        Ok((at.segment == segment).then(|| Self(pending.ranges(at.offset))))
    }

    /// Hides what stands in the buffer, which was read at an offset.
    pub(crate) fn apply(&self, buffer: &mut [u8], offset: u64) {
        for (start, blank) in &self.0 {
            for (at, byte) in (*start..).zip(blank) {
                let index = at.checked_sub(offset).and_then(|at| usize::try_from(at).ok());
                if let Some(there) = index.and_then(|index| buffer.get_mut(index)) {
                    *there = *byte;
                }
            }
        }
    }
}

impl Pending {
    fn ranges(&self, line_at: u64) -> Vec<(u64, Vec<u8>)> {
        let slots = self.order.what.fields.iter().flat_map(Slot::blanks);
        slots.map(|(at, bytes)| (line_at.saturating_add(at), bytes)).collect()
    }

    /// True if these are the bytes of the target, whatever of its slots is blank already.
    fn is_about(&self, line: &[u8], session: &SessionId) -> bool {
        let Ok(head) = Line::head(line) else { return false };
        let start = head.header().len();
        head.session == session.as_str()
            && head.seq == self.marker.target
            && head.hash == self.order.what.hash
            && head.hash_matches()
            && !head.kind.starts_with(OWN)
            && self.order.what.fields.iter().all(|slot| slot.fits(line, start))
    }
}

fn marker_path(journal: &Journal, session: &SessionId) -> PathBuf {
    journal.layout.session(session).join("erasing")
}

/// What `erasing` names, if an order stands where it says.
pub(crate) fn pending(journal: &Journal, session: &SessionId) -> Result<Option<Pending>, JournalError> {
    match marker(journal, session)? {
        Some(Some(marker)) => ordered(journal, session, marker),
        _ => Ok(None),
    }
}

/// The marker; `Some(None)` for one that nobody can read: its writer did not live to give the order.
#[allow(clippy::option_option)] // there or not, and readable or not, are two questions
fn marker(journal: &Journal, session: &SessionId) -> Result<Option<Option<Marker>>, JournalError> {
    let bytes = small_file(&journal.world, &marker_path(journal, session))?;
    Ok(bytes.map(|bytes| serde_json::from_slice(&bytes).ok()))
}

fn ordered(journal: &Journal, session: &SessionId, marker: Marker) -> Result<Option<Pending>, JournalError> {
    let path = journal.layout.segment(session, marker.segment);
    let file = match journal.world.disk.open(&path, Open::Read) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.at("open", &path)?,
    };
    let end = file.stat().at("look at", &path)?.len;
    let room = (event::MAX_LINE_BYTES + 1) as u64;
    let mut line = vec![0; usize::try_from(end.saturating_sub(marker.offset).min(room)).unwrap_or(0)];
    let read = file.read_full_at(&mut line, marker.offset).at("read", &path)?;
    line.truncate(read);
    let Some(len) = memchr::memchr(b'\n', &line) else { return Ok(None) };
    line.truncate(len);
    let Ok(parsed) = Line::parse(&line) else { return Ok(None) };
    let stands = parsed.session == session.as_str()
        && parsed.seq == marker.order
        && parsed.hash_matches()
        && parsed.members.iter().all(event::Member::matches);
    let order = Order::of(&parsed).filter(|order| stands && order.target == marker.target);
    Ok(order.map(|order| Pending { marker, order, line }))
}

/// Carries out what was ordered and not finished. The caller holds the session's lock. An order whose target is
/// not there as it was stays pending, and nothing else waits for it: damage is `verify`'s to tell.
pub(crate) fn redo(journal: &Journal, session: &SessionId) -> Result<(), JournalError> {
    let Some(known) = marker(journal, session)? else { return Ok(()) };
    if let Some(marker) = known
        && let Some(pending) = ordered(journal, session, marker)?
        && !carry_out(journal, session, &pending)?
    {
        return Ok(());
    }
    let (path, folder) = (marker_path(journal, session), journal.layout.session(session));
    journal.world.disk.remove(&path).at("remove", &path)?;
    journal.world.disk.sync_dir(&folder).at("sync", &folder)
}

fn carry_out(journal: &Journal, session: &SessionId, pending: &Pending) -> Result<bool, JournalError> {
    make_sure(journal, session, pending)?;
    let at = pending.marker.at;
    journal.restore_segment(session, at.segment)?;
    let path = journal.layout.segment(session, at.segment);
    let file = match journal.world.disk.open(&path, Open::Update) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(false),
        opened => opened.at("open", &path)?,
    };
    let mut line = vec![0; at.len as usize];
    let read = file.read_full_at(&mut line, at.offset).at("read", &path)?;
    if read < line.len() || !pending.is_about(&line, session) {
        return Ok(false);
    }
    for (offset, bytes) in pending.ranges(at.offset) {
        file.write_at(&bytes, offset).at("erase in", &path)?;
    }
    file.sync().at("sync", &path)?;
    file.read_full_at(&mut line, at.offset).at("read back", &path)?;
    let gone = |name: &str| {
        let parsed = Line::parse(&line).ok()?;
        parsed.members.iter().find(|member| member.name == name).map(event::Member::is_erased)
    };
    Ok(pending.order.what.fields.iter().all(|slot| gone(&slot.field) == Some(true)))
}

/// E1: the order's bytes are written over themselves, so that the sync does not lie after one that failed.
fn make_sure(journal: &Journal, session: &SessionId, pending: &Pending) -> Result<(), JournalError> {
    let path = journal.layout.segment(session, pending.marker.segment);
    let file = journal.world.disk.open(&path, Open::Update).at("open", &path)?;
    file.write_at(&pending.line, pending.marker.offset).at("write", &path)?;
    file.sync().at("sync", &path)
}

impl Journal {
    /// Members of an event and where they stand, for an order; `fields` empty means all that are not erased yet.
    pub fn target(&self, session: &SessionId, seq: u64, fields: &[String]) -> Result<Target, JournalError> {
        let refused = |what: String| JournalError::NotErasable { session: session.to_string(), seq, what };
        let (event, pointer) = self.event(session, seq)?;
        if event.kind.as_str().starts_with(OWN) {
            return Err(refused("what the audit trail says cannot be erased".to_owned()));
        }
        let bytes = self.segment_file(session, pointer.segment)?.line_at(&pointer)?;
        let line = Line::parse(&bytes).map_err(|error| refused(error.to_string()))?;
        for field in fields {
            let member = line.members.iter().find(|member| member.name == field);
            match member {
                None => return Err(refused(format!("it has no field {field}"))),
                Some(member) if member.is_erased() => {
                    return Err(refused(format!("{field} is erased already")));
                }
                Some(_) => {}
            }
        }
        let wanted = |member: &&event::Member<'_>| {
            !member.is_erased() && (fields.is_empty() || fields.iter().any(|field| field == member.name))
        };
        let slots: Vec<Slot> = line.members.iter().filter(wanted).map(Slot::of).collect();
        if slots.is_empty() {
            return Err(refused("it has no payload left".to_owned()));
        }
        Ok(Target { session: session.clone(), seq, hash: event.hash, pointer, slots })
    }

    /// True while an erasure was ordered and is not carried out.
    pub fn is_erasure_pending(&self, session: &SessionId) -> Result<bool, JournalError> {
        Ok(pending(self, session)?.is_some())
    }

    /// Finishes an erasure that was cut off; true if there is none left.
    pub fn finish_erasure(&self, session: &SessionId) -> Result<bool, JournalError> {
        let path = marker_path(self, session);
        if self.world.disk.stat(&path).at("look at", &path)?.is_none() {
            return Ok(true);
        }
        let _lock = self.session_lock(session)?;
        redo(self, session)?;
        Ok(self.world.disk.stat(&path).at("look at", &path)?.is_none())
    }

    /// The session's lock, until it is dropped.
    pub(crate) fn session_lock(&self, session: &SessionId) -> Result<Box<dyn world::DiskFile>, JournalError> {
        let path = self.layout.lock(session);
        let file = lock::open(&self.world, &path)?;
        lock::take(&self.world, &*file, &path, Lock::Exclusive)?;
        Ok(file)
    }
}

impl Writer {
    /// Appends the order to erase a target of this session and makes it durable. From here on readers see the
    /// slots as erased; [`Journal::finish_erasure`], or whoever opens the session next, overwrites them.
    pub fn order_erasure(&mut self, order: &Clean, target: &Target) -> Result<Receipt, JournalError> {
        let journal = self.journal().clone();
        let fields: Vec<String> = target.slots.iter().map(|slot| slot.field.clone()).collect();
        self.append_placed(order, |place| {
            // under the lock once more: somebody may have been faster
            if journal.target(&target.session, target.seq, &fields)? != *target {
                let what = "it changed meanwhile".to_owned();
                let session = target.session.to_string();
                return Err(JournalError::NotErasable { session, seq: target.seq, what });
            }
            let path = marker_path(&journal, &target.session);
            if journal.world.disk.stat(&path).at("look at", &path)?.is_some() {
                let what =
                    "an erasure of this session cannot be finished; `recount verify` shows why".to_owned();
                let session = target.session.to_string();
                return Err(JournalError::NotErasable { session, seq: target.seq, what });
            }
            let (segment, offset, order) = (place.segment, place.offset, place.seq);
            let marker = Marker { target: target.seq, at: target.pointer, order, segment, offset };
            let bytes = serde_json::to_vec(&marker).unwrap_or_default();
            replace_file(&journal.world, &path, &bytes, true)
        })
    }
}
