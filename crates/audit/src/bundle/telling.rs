//! One session on its way into a bundle: each event at the level that was asked for, and the proof of the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use event::{Event, Line, Member, SessionId};
use journal::{Entry, Journal, JournalError, Place, ReadError, blob_refs};
use serde_json::Value;

use super::dest::Stop;
use super::filter::Filter;
use super::manifest::{Erasure, Incident, SessionPart};
use super::pruned::{Level, prune};
use crate::error::AuditError;
use crate::leaf::Seal;
use crate::tree::{Hash, hex, leaf_hash, root_of, unhex};

/// Events that the report shows; the events' file has all.
pub(crate) const MAX_SHOWN: usize = 2_000;
/// Kinds that say that something of the recording itself went wrong.
const INCIDENTS: [&str; 3] = ["audit.recovered", "audit.dropped", "gap.found"];

/// Which events of a session are told whole.
#[derive(Debug, Clone)]
pub enum Pick {
    /// All of them.
    All,
    /// Those that match.
    Matching(Filter),
    /// These sequences.
    These(BTreeSet<u64>),
}

/// What was gathered over all sessions.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) parts: Vec<SessionPart>,
    pub(crate) redaction: BTreeMap<String, u64>,
    pub(crate) erasures: Vec<Erasure>,
    pub(crate) incidents: Vec<Incident>,
    pub(crate) blobs: BTreeSet<String>,
    /// For the report: as many as it shows.
    pub(crate) shown: Vec<Event>,
}

/// One session as it is told.
pub(crate) struct Telling<'a> {
    pub(crate) journal: &'a Journal,
    pub(crate) session: &'a SessionId,
    pub(crate) pick: &'a Pick,
    pub(crate) rest: Level,
    pub(crate) leaf: u64,
    pub(crate) seal: &'a Seal,
    pub(crate) gathered: &'a mut Gathered,
}

impl Telling<'_> {
    /// Writes the events; gives the proof.
    pub(crate) fn write(&mut self, out: &mut dyn Write) -> Result<String, Stop> {
        let mut reader = self.journal.read(self.session, Place::default())?;
        let (mut leaves, mut levels) = (Vec::new(), Vec::new());
        let mut part = self.part();
        while (leaves.len() as u64) < self.seal.events {
            let entry = match reader.next() {
                Ok(Some(entry)) => entry,
                Ok(None) => break,
                Err(ReadError::Damage(finding)) => return Err(JournalError::Damaged(finding).into()),
                Err(ReadError::Journal(error)) => return Err(error.into()),
            };
            leaves.extend(unhex(entry.line.hash).map(|hash| leaf_hash(&hash)));
            let level = self.level(&entry.line);
            levels.push(level);
            tell(&entry, level, out)?;
            self.gather(&entry.line, level, &mut part);
        }
        self.check(&leaves)?;
        self.gathered.parts.push(part);
        Ok(prune(&leaves, &levels))
    }

    fn part(&self) -> SessionPart {
        SessionPart {
            session: self.session.to_string(),
            leaf: self.leaf,
            total: self.seal.events,
            full: 0,
            head: 0,
            hash: 0,
            none: 0,
            first: String::new(),
            last: String::new(),
        }
    }

    fn check(&self, leaves: &[Hash]) -> Result<(), AuditError> {
        if leaves.len() as u64 == self.seal.events && hex(&root_of(leaves)) == self.seal.root {
            return Ok(());
        }
        Err(AuditError::LogDamaged { what: format!("{} is not what was sealed", self.session) })
    }

    fn level(&self, line: &Line<'_>) -> Level {
        let whole = match self.pick {
            Pick::All => true,
            Pick::Matching(filter) => filter.matches(line),
            Pick::These(these) => these.contains(&line.seq),
        };
        // without its order, an erased member that is told would look like one that was taken away
        if whole || self.orders(line).is_some() { Level::Full } else { self.rest }
    }

    /// Which erasure that was met is ordered here.
    fn orders(&self, line: &Line<'_>) -> Option<usize> {
        let target = target(line)?;
        let of = |erasure: &Erasure| erasure.session == line.session && erasure.seq == target;
        self.gathered.erasures.iter().position(of)
    }

    fn gather(&mut self, line: &Line<'_>, level: Level, part: &mut SessionPart) {
        match level {
            Level::Full => part.full += 1,
            Level::Head => part.head += 1,
            Level::Hash => part.hash += 1,
            Level::None => part.none += 1,
        }
        if part.first.is_empty() {
            line.ts.clone_into(&mut part.first);
        }
        line.ts.clone_into(&mut part.last);
        if INCIDENTS.contains(&line.kind) {
            let (session, kind) = (part.session.clone(), line.kind.to_owned());
            self.gathered.incidents.push(Incident { session, seq: line.seq, kind });
        }
        if level < Level::Head {
            return;
        }
        count_redacted(line, &mut self.gathered.redaction);
        if level == Level::Full {
            self.whole(line);
        }
    }

    fn whole(&mut self, line: &Line<'_>) {
        if let Some(at) = self.orders(line) {
            self.gathered.erasures[at].order.get_or_insert(line.seq);
        }
        let members = erased_members(line);
        if !members.is_empty() {
            let (session, seq) = (line.session.to_owned(), line.seq);
            self.gathered.erasures.push(Erasure { session, seq, members, order: None });
        }
        for member in &line.members {
            self.gathered.blobs.extend(blobs_of(member));
        }
        if self.gathered.shown.len() < MAX_SHOWN {
            self.gathered.shown.extend(Event::from_line(line));
        }
    }
}

/// The event that an erase order is for, in its own session.
pub(crate) fn target(line: &Line<'_>) -> Option<u64> {
    let value = line.field("target").filter(|_| line.kind == "audit.erased")?.value()?;
    value.as_u64().filter(|target| *target < line.seq)
}

/// The members that an erase order names.
pub(crate) fn ordered_members(line: &Line<'_>) -> Vec<String> {
    let order = line.members.iter().find(|member| member.name == "order");
    let order: Value = order.and_then(|order| serde_json::from_str(order.value).ok()).unwrap_or_default();
    let fields = order.get("fields").and_then(Value::as_array).into_iter().flatten();
    fields.filter_map(|f| f.as_str().or_else(|| f.get("field")?.as_str())).map(str::to_owned).collect()
}

pub(crate) fn erased_members(line: &Line<'_>) -> Vec<String> {
    line.members.iter().filter(|member| member.is_erased()).map(|member| member.name.to_owned()).collect()
}

/// The blobs that a member refers to.
pub(crate) fn blobs_of(member: &Member<'_>) -> Vec<String> {
    if memchr::memmem::find(member.value.as_bytes(), b"\"blob\"").is_none() {
        return Vec::new();
    }
    let value: Value = serde_json::from_str(member.value).unwrap_or_default();
    blob_refs(&value).into_iter().map(|reference| reference.id).collect()
}

pub(crate) fn count_redacted(line: &Line<'_>, counts: &mut BTreeMap<String, u64>) {
    let redacted = line.field("redacted").and_then(event::Field::value);
    for (kind, count) in redacted.as_ref().and_then(Value::as_object).into_iter().flatten() {
        *counts.entry(kind.clone()).or_default() += count.as_u64().unwrap_or(0);
    }
}

fn tell(entry: &Entry<'_>, level: Level, out: &mut dyn Write) -> Result<(), Stop> {
    let line = &entry.line;
    match level {
        Level::Full => out.write_all(entry.bytes).and_then(|()| out.write_all(b"\n"))?,
        Level::Head => writeln!(out, "{},\"hash\":\"{}\"}}", line.header(), line.hash)?,
        Level::Hash => writeln!(out, "{{\"seq\":{},\"hash\":\"{}\"}}", line.seq, line.hash)?,
        Level::None => {}
    }
    Ok(())
}
