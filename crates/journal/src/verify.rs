//! Verifying: every line, commitment, sequence, tail and blob of a session. Never writes.
//!
//! A first pass takes no lock. If it finds anything, a second pass under a shared lock decides: what a
//! writer was just doing is no damage.

use std::collections::BTreeSet;

use event::{Line, SessionId};
use serde::Serialize;
use serde_json::Value;
use world::{Lock, Open};

use crate::blobs::{BlobRef, blob_refs};
use crate::erase::{self, Order};
use crate::erasures::{Erasures, Settled};
use crate::error::{Context, JournalError};
use crate::finding::{Finding, FindingCode};
use crate::layout::Place;
use crate::lock;
use crate::reader::{ReadError, Reader};
use crate::recover;
use crate::store::Journal;

/// What verifying one session found.
#[derive(Debug, Clone, Serialize)]
pub struct SessionReport {
    /// The session.
    pub session: String,
    /// Whole, good events.
    pub events: u64,
    /// Bytes of segments.
    pub bytes: u64,
    /// Hash of the last good event; empty if there is none.
    pub head: String,
    /// Events with an erased member.
    pub erased: u64,
    /// Blobs that were opened and match.
    pub blobs: u64,
    /// What is wrong, in journal order.
    pub findings: Vec<Finding>,
    /// An erasure was ordered and is not carried out: whoever opens the session next finishes it.
    pub unfinished: bool,
    /// Orders after which nobody said that torn files, blobs and index were swept.
    pub unswept: u64,
    /// Orders to erase, in journal order.
    #[serde(skip)]
    pub orders: Vec<Order>,
}

/// What verifying a store found.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// One for each session.
    pub sessions: Vec<SessionReport>,
}

impl Report {
    /// The exit code: the worst finding, damage before a torn tail.
    pub fn exit(&self) -> u8 {
        let codes = || self.sessions.iter().flat_map(|s| &s.findings).map(|f| f.code);
        let damage = codes().filter(|code| *code != FindingCode::TornTail).min();
        let unfinished = self.sessions.iter().any(|s| s.unfinished).then_some(FindingCode::TornTail);
        damage.or_else(|| codes().min()).or(unfinished).map_or(0, FindingCode::exit)
    }
}

/// What verifying comes across, for who compares it with something else.
#[derive(Debug, Clone, Copy)]
pub enum Seen<'a> {
    /// Reading begins, for the first time or again.
    Start,
    /// A good event.
    Event {
        /// Its sequence.
        seq: u64,
        /// Its hash.
        hash: &'a str,
        /// When it was recorded.
        ts: &'a str,
        /// Bytes of its session up to its end.
        end: u64,
    },
}

impl Journal {
    /// Verifies one session.
    pub fn verify(&self, session: &SessionId) -> Result<SessionReport, JournalError> {
        self.verify_seeing(session, &mut |_| {})
    }

    /// Verifies one session and shows every good event on the way.
    pub fn verify_seeing(
        &self,
        session: &SessionId,
        see: &mut dyn FnMut(Seen<'_>),
    ) -> Result<SessionReport, JournalError> {
        if !self.has(session)? {
            return Err(JournalError::NoSession { session: session.to_string() });
        }
        let report = Pass::run(self, session, see)?;
        if report.findings.is_empty() && !report.unfinished {
            return Ok(report);
        }
        let path = self.layout.lock(session);
        if self.world.disk.stat(&path).at("look at", &path)?.is_none() {
            return Ok(report);
        }
        let file = self.world.disk.open(&path, Open::Read).at("open", &path)?;
        lock::take(&self.world, &*file, &path, Lock::Shared)?;
        Pass::run(self, session, see)
    }
}

struct Pass<'a> {
    journal: &'a Journal,
    report: SessionReport,
    erasures: Erasures,
    /// Blobs looked at already.
    seen: BTreeSet<String>,
}

impl<'a> Pass<'a> {
    fn run(
        journal: &'a Journal,
        session: &SessionId,
        see: &mut dyn FnMut(Seen<'_>),
    ) -> Result<SessionReport, JournalError> {
        see(Seen::Start);
        let extent = journal.extent(session)?;
        let report = SessionReport {
            session: session.to_string(),
            events: 0,
            bytes: extent.bytes(),
            head: String::new(),
            erased: 0,
            blobs: 0,
            findings: Vec::new(),
            unfinished: false,
            unswept: 0,
            orders: Vec::new(),
        };
        let mut pass = Self { journal, report, erasures: Erasures::default(), seen: BTreeSet::new() };
        let mut reader = journal.read(session, Place::default())?;
        pass.read_all(&mut reader, see)?;
        pass.tail(session, &reader)?;
        let Self { mut report, erasures, .. } = pass;
        let Settled { findings, orders, unswept } = erasures.settle(journal, session)?;
        report.findings.extend(findings);
        (report.orders, report.unswept) = (orders, unswept);
        report.unfinished = erase::pending(journal, session)?.is_some();
        report.findings = settle(report.findings);
        Ok(report)
    }

    fn read_all(&mut self, reader: &mut Reader, see: &mut dyn FnMut(Seen<'_>)) -> Result<(), JournalError> {
        // bytes of the segments behind us, and which one we are in
        let (mut before, mut within, mut end) = (0, 0, 0);
        loop {
            let (line, finding_at) = match reader.next() {
                Ok(None) => return Ok(()),
                Ok(Some(entry)) => {
                    let at = (entry.pointer.segment, entry.pointer.offset);
                    if at.0 != within {
                        (before, within) = (before + end, at.0);
                    }
                    end = at.1 + u64::from(entry.pointer.len) + 1;
                    (entry.line, at)
                }
                Err(ReadError::Damage(finding)) => {
                    self.report.findings.push(finding);
                    continue;
                }
                Err(ReadError::Journal(error)) => return Err(error),
            };
            self.report.events += 1;
            line.hash.clone_into(&mut self.report.head);
            see(Seen::Event { seq: line.seq, hash: line.hash, ts: line.ts, end: before + end });
            self.members(&line, finding_at)?;
        }
    }

    fn finding(&self, code: FindingCode, seq: u64, at: (u64, u64), cause: String) -> Finding {
        Finding { code, session: self.report.session.clone(), seq, segment: at.0, offset: at.1, cause }
    }

    fn members(&mut self, line: &Line<'_>, at: (u64, u64)) -> Result<(), JournalError> {
        if line.members.iter().any(event::Member::is_erased) {
            self.report.erased += 1;
        }
        for member in &line.members {
            if memchr::memmem::find(member.value.as_bytes(), b"\"blob\"").is_some() {
                let value: Value = serde_json::from_str(member.value).unwrap_or_default();
                for reference in blob_refs(&value) {
                    self.blob(&reference, line.seq, at)?;
                }
            }
        }
        self.erasures.see(line, at);
        Ok(())
    }

    fn blob(&mut self, reference: &BlobRef, seq: u64, at: (u64, u64)) -> Result<(), JournalError> {
        if !self.seen.insert(reference.id.clone()) {
            return Ok(());
        }
        let (code, cause) = match self.journal.blob(&reference.id) {
            Ok(content) if content.len() as u64 == reference.bytes => {
                self.report.blobs += 1;
                return Ok(());
            }
            Ok(_) => (FindingCode::PayloadMismatch, format!("blob {} has another length", reference.id)),
            Err(error @ JournalError::BlobChanged { .. }) => {
                (FindingCode::PayloadMismatch, error.to_string())
            }
            Err(error @ JournalError::NoBlob { .. }) => (FindingCode::PayloadMissing, error.to_string()),
            Err(error) => return Err(error),
        };
        self.report.findings.push(self.finding(code, seq, at, cause));
        Ok(())
    }

    /// A torn region is one finding, whatever its bytes looked like on the way.
    fn tail(&mut self, session: &SessionId, reader: &Reader) -> Result<(), JournalError> {
        let Some((last, start)) = recover::torn_region(self.journal, session)? else { return Ok(()) };
        let in_tail = |f: &Finding| f.segment == last.first && f.offset >= start;
        let seq = self.report.findings.iter().filter(|f| in_tail(f)).map(|f| f.seq).min();
        self.report.findings.retain(|f| !in_tail(f));
        let bytes = last.len - start;
        let cause = format!("last record incomplete ({bytes} bytes); run `recount repair {session}`");
        let seq = seq.unwrap_or(reader.place().seq);
        self.report.findings.push(self.finding(FindingCode::TornTail, seq, (last.first, start), cause));
        Ok(())
    }
}

/// A gap whose number comes later is a matter of order, not of loss.
fn settle(findings: Vec<Finding>) -> Vec<Finding> {
    let late: BTreeSet<u64> =
        findings.iter().filter(|f| f.code == FindingCode::Reordered).map(|f| f.seq).collect();
    findings
        .into_iter()
        .map(|mut finding| {
            if finding.code == FindingCode::Dropped && late.contains(&finding.seq) {
                finding.code = FindingCode::Reordered;
            }
            finding
        })
        .collect()
}
