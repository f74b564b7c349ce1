//! Checking one session: its journal, and at each seal the head, the root and the bytes.

use event::SessionId;
use journal::{FindingCode, Journal, Pointer, Seen, SessionReport};

use crate::error::AuditError;
use crate::tree::{Tree, hex, leaf_hash, unhex};
use crate::verify::finding::{Finding, MODIFIED, REWRITTEN, TORN_TAIL, TRUNCATED};
use crate::verify::log::SealPoint;

/// What is looked at of a torn tail to tell a cut from a hole.
const LOOK_BYTES: u64 = 64 * 1024;

/// A session after it was compared with its seals.
pub(crate) struct Compared {
    pub(crate) report: SessionReport,
    pub(crate) findings: Vec<Finding>,
    /// Events that the last seal counts.
    pub(crate) sealed: u64,
    /// When its first event was recorded.
    pub(crate) began: Option<String>,
}

/// The comparison as events stream by.
struct Walk<'a> {
    seals: &'a [SealPoint],
    next: usize,
    tree: Tree,
    /// False once an event is missing: then no root can be compared.
    whole: bool,
    broken: Option<Finding>,
    began: Option<String>,
}

impl<'a> Walk<'a> {
    fn new(seals: &'a [SealPoint]) -> Self {
        Self { seals, next: 0, tree: Tree::default(), whole: true, broken: None, began: None }
    }

    fn see(&mut self, session: &str, seen: Seen<'_>) {
        let Seen::Event { seq, hash, ts, end } = seen else {
            *self = Self::new(self.seals);
            return;
        };
        if seq == 0 {
            self.began = Some(ts.to_owned());
        }
        let Some(bytes) = unhex(hash).filter(|_| self.whole && seq == self.tree.size()) else {
            self.whole = false;
            return;
        };
        self.tree.push(leaf_hash(&bytes));
        let Some(seal) = self.seals.get(self.next).filter(|seal| seal.events == seq + 1) else { return };
        self.next += 1;
        if self.broken.is_some() {
            return;
        }
        let (code, what) = if seal.head != bytes || seal.root != self.tree.root() {
            (REWRITTEN, "the chain holds, but it is not the one that was sealed")
        } else if end < seal.bytes {
            (TRUNCATED, "bytes that were sealed are gone")
        } else if end > seal.bytes {
            (REWRITTEN, "there are more bytes than were sealed")
        } else {
            return;
        };
        let msg = format!("{what} (leaf {}, root {})", seal.leaf, &hex(&seal.root)[..16]);
        self.broken = Some(Finding::new(code, msg).at(session, Some(seq)).leaf(seal.leaf));
    }
}

/// Verifies a session and compares it with what the log says of it.
pub(crate) fn compare(
    journal: &Journal,
    session: &SessionId,
    seals: &[SealPoint],
) -> Result<Compared, AuditError> {
    let mut walk = Walk::new(seals);
    let mut report = journal.verify_seeing(session, &mut |seen| walk.see(session.as_str(), seen))?;
    let sealed = seals.last().map_or(0, |seal| seal.events);
    let mut findings: Vec<Finding> = Vec::new();
    for finding in std::mem::take(&mut report.findings) {
        let torn_below = finding.code == FindingCode::TornTail && finding.seq < sealed;
        let mut finding = Finding::from(finding);
        if torn_below {
            let hole = has_nul(journal, session, &finding)?;
            finding.code = if hole { MODIFIED } else { TRUNCATED };
            finding.msg =
                String::from(if hole { "sealed bytes are NULs" } else { "a sealed event is incomplete" });
        }
        findings.push(finding);
    }
    let damaged = findings.iter().any(|finding| finding.code >= MODIFIED);
    // where events are missing or changed, that they are not those of the seal says nothing new
    if !damaged {
        findings.extend(walk.broken.take());
        if let Some(last) = seals.last().filter(|last| last.events > report.events) {
            let (there, leaf) = (report.events, last.leaf);
            let msg = format!("has {there} events, the seal at leaf {leaf} counts {}", last.events);
            findings.push(Finding::new(TRUNCATED, msg).at(session.as_str(), Some(there)).leaf(leaf));
        }
    }
    if report.unfinished {
        let msg = format!("an erasure is not finished; run `recount repair {session}`");
        findings.push(Finding::new(TORN_TAIL, msg).at(session.as_str(), None));
    }
    Ok(Compared { report, findings, sealed, began: walk.began })
}

fn has_nul(journal: &Journal, session: &SessionId, finding: &Finding) -> Result<bool, AuditError> {
    let (segment, offset) = (finding.segment.unwrap_or(0), finding.offset.unwrap_or(0));
    let at = Pointer { segment, offset, len: u32::try_from(LOOK_BYTES).unwrap_or(u32::MAX) };
    let bytes = journal.segment_file(session, segment)?.line_at(&at)?;
    Ok(memchr::memchr(0, &bytes).is_some())
}
