//! One session of a bundle: its pruned tree under its seal, and every line that is told.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _};

use event::{Line, LineError, MAX_LINE_BYTES, Member, genesis};
use journal::{Journal, JournalError, Order};

use super::Leaves;
use crate::bundle::filter::Filter;
use crate::bundle::manifest::{Claim, Erasure, Predicate, SessionPart};
use crate::bundle::parcel::{Parcel, Part};
use crate::bundle::pruned::{Level, NoRoot, Pruned, Told};
use crate::bundle::telling::{blobs_of, count_redacted, erased_members, ordered_members, target};
use crate::error::AuditError;
use crate::leaf::Seal;
use crate::sshsig::AllowedSigners;
use crate::tree::{Hash, hex, leaf_hash, unhex};
use crate::verify::erasures::unsigned;
use crate::verify::finding::{
    COMPLETENESS, ERASURE_INVALID, FOREIGN, Finding, MALFORMED, MODIFIED, PAYLOAD_MISMATCH, PAYLOAD_MISSING,
    PROOF, REWRITTEN, UNSUPPORTED,
};

/// What a session turned out to be.
#[derive(Debug, Default)]
pub(super) struct SessionFacts {
    pub(super) findings: Vec<Finding>,
    /// How much is told of each event.
    pub(super) levels: Vec<Level>,
    pub(super) redaction: BTreeMap<String, u64>,
    pub(super) erasures: Vec<Erasure>,
    /// By claim, the first event that its filter matches and that is not told whole.
    pub(super) hidden: BTreeMap<usize, u64>,
    /// Members that orders name, by event.
    orders: Vec<(u64, u64, Vec<String>)>,
}

/// Checks one session.
pub(super) fn check(
    parcel: &Parcel,
    journal: &Journal,
    part: &SessionPart,
    leaves: &Leaves,
    predicate: &Predicate,
    erasers: Option<&AllowedSigners>,
) -> Result<SessionFacts, AuditError> {
    let name = &part.session;
    let mut facts = SessionFacts::default();
    let seals = leaves.seals.get(name).map(Vec::as_slice).unwrap_or_default();
    let Some((_, seal)) = seals.iter().find(|(leaf, _)| *leaf == part.leaf) else {
        facts.found(PROOF, name, None, format!("leaf {} is no seal of it", part.leaf));
        return Ok(facts);
    };
    let proof = parcel.whole(&format!("proofs/{name}.pruned"))?.unwrap_or_default();
    let proof = std::str::from_utf8(&proof).ok().and_then(Pruned::parse);
    let (Some(proof), Some(lines)) = (proof, parcel.buffered(&format!("events/{name}.ndjson"))?) else {
        facts.found(PROOF, name, None, "it has no proof, or no events");
        return Ok(facts);
    };
    if proof.size != seal.events {
        let what = format!("the proof is of {} events, the seal counts {}", proof.size, seal.events);
        facts.found(PROOF, name, None, what);
        return Ok(facts);
    }
    let claims = predicate.claims.iter().enumerate();
    let filters = claims.filter_map(|(at, claim)| Some((at, filter_for(claim, name)?))).collect();
    let walk = Walk {
        journal,
        session: name,
        seal,
        filters,
        erasers,
        lines,
        before: None,
        facts: RefCell::new(facts),
    };
    let mut facts = walk.run(&proof)?;
    facts.settle(part);
    Ok(facts)
}

fn filter_for<'c>(claim: &'c Claim, session: &String) -> Option<&'c Filter> {
    match claim {
        Claim::HeaderFilter { sessions, filter, .. } if sessions.contains(session) => Some(filter),
        _ => None,
    }
}

impl SessionFacts {
    fn found(&mut self, code: u8, session: &str, seq: Option<u64>, msg: impl Into<String>) {
        self.findings.push(Finding::new(code, msg).at(session, seq));
    }

    /// Orders are met after what they order.
    fn settle(&mut self, part: &SessionPart) {
        let session = &part.session;
        let mut missing = Vec::new();
        for erasure in &mut self.erasures {
            let orders = self.orders.iter().filter(|(_, target, _)| *target == erasure.seq);
            erasure.order = orders.clone().map(|(seq, _, _)| *seq).min();
            let named = |member: &String| orders.clone().any(|(_, _, named)| named.contains(member));
            if let Some(member) = erasure.members.iter().find(|member| !named(member)) {
                missing.push((erasure.seq, format!("field {member} is gone, and no erase event names it")));
            }
        }
        for (seq, what) in missing {
            self.found(PAYLOAD_MISSING, session, Some(seq), what);
        }
        let count = |level: Level| self.levels.iter().filter(|known| **known == level).count() as u64;
        let told = [Level::Full, Level::Head, Level::Hash, Level::None].map(count);
        let damaged = !self.findings.is_empty();
        if !damaged
            && (told != [part.full, part.head, part.hash, part.none]
                || part.total != told.iter().sum::<u64>())
        {
            self.found(COMPLETENESS, session, None, "the manifest counts other levels than are told");
        }
    }
}

struct Walk<'a> {
    journal: &'a Journal,
    session: &'a str,
    seal: &'a Seal,
    /// What claims about this session say that they filter by.
    filters: Vec<(usize, &'a Filter)>,
    /// Who may order erasures.
    erasers: Option<&'a AllowedSigners>,
    lines: BufReader<Part>,
    /// Sequence and hash of the last event whose hash is told.
    before: Option<(u64, String)>,
    facts: RefCell<SessionFacts>,
}

impl Walk<'_> {
    fn run(mut self, proof: &Pruned) -> Result<SessionFacts, AuditError> {
        let facts = std::mem::take(&mut self.facts);
        let levels = |from: u64, to: u64| {
            let mut facts = facts.borrow_mut();
            facts.levels.extend((from..to).map(|_| Level::None));
        };
        let mut skip = levels;
        let mut leaf = |seq: u64, told: Told| self.leaf(seq, told, &facts);
        let root = proof.root(&mut leaf, &mut skip);
        let mut facts = facts.into_inner();
        let session = self.session;
        match root {
            Err(NoRoot::Stopped(Ok(()))) => return Ok(facts),
            Err(NoRoot::Stopped(Err(error))) => return Err(error),
            Err(NoRoot::Shape) => {
                facts.found(PROOF, session, None, "the proof has not the shape of its tree");
            }
            Ok(root) if hex(&root) != self.seal.root => {
                facts.found(PROOF, session, None, "what is told does not lead to the root of the seal");
            }
            Ok(_) if self.next_line()?.is_some() => {
                facts.found(PROOF, session, None, "more is told than the proof counts");
            }
            Ok(_) => {
                let head = self.before.filter(|(seq, _)| seq + 1 == self.seal.events);
                if head.is_some_and(|(_, hash)| hash != self.seal.head) {
                    facts.found(REWRITTEN, session, None, "its head is not the sealed one");
                }
            }
        }
        Ok(facts)
    }

    /// The next line without its LF; one that is not ended is none.
    fn next_line(&mut self) -> Result<Option<Vec<u8>>, AuditError> {
        let path = || std::path::PathBuf::from(format!("events/{}.ndjson", self.session));
        let mut line = Vec::new();
        let mut limited = (&mut self.lines).take(MAX_LINE_BYTES as u64 + 2);
        limited.read_until(b'\n', &mut line).map_err(|source| AuditError::Read { path: path(), source })?;
        Ok((!line.is_empty()).then(|| {
            if line.last() == Some(&b'\n') {
                line.pop();
            } else {
                line.push(0);
            }
            line
        }))
    }

    /// The leaf hash of one event that is told. `Err(Ok(()))` ends the walk: what is wrong is said.
    fn leaf(
        &mut self,
        seq: u64,
        told: Told,
        facts: &RefCell<SessionFacts>,
    ) -> Result<Hash, Result<(), AuditError>> {
        let mut facts = facts.borrow_mut();
        let session = self.session;
        let stop = |facts: &mut SessionFacts, code, what: String| {
            facts.found(code, session, Some(seq), what);
            Err(Ok(()))
        };
        let Some(bytes) = self.next_line().map_err(Err)? else {
            return stop(&mut facts, PROOF, "it is not told, and the proof says that it is".to_owned());
        };
        let hash = match told {
            Told::Hash => match hash_of(&bytes, seq) {
                Some(hash) => {
                    facts.levels.push(Level::Hash);
                    hash
                }
                None => return stop(&mut facts, PROOF, "not the line of its hash".to_owned()),
            },
            Told::Event => {
                let (line, level) = match parsed(&bytes) {
                    Ok(parsed) => parsed,
                    Err(error) => {
                        let code =
                            if matches!(error, LineError::Newer { .. }) { UNSUPPORTED } else { MALFORMED };
                        return stop(&mut facts, code, error.to_string());
                    }
                };
                facts.levels.push(level);
                if let Some((code, what)) = self.misplaced(&line, seq) {
                    return stop(&mut facts, code, what.to_owned());
                }
                self.told(&line, level, &mut facts).map_err(Err)?;
                line.hash.to_owned()
            }
        };
        let bytes = unhex(&hash).unwrap_or_default();
        self.before = Some((seq, hash));
        Ok(leaf_hash(&bytes))
    }

    /// What of a line's place or bytes does not hold.
    fn misplaced(&self, line: &Line<'_>, seq: u64) -> Option<(u8, &'static str)> {
        let store = self.journal.store_id();
        let before =
            self.before.as_ref().filter(|(before, _)| before + 1 == seq).map(|(_, hash)| hash.clone());
        let before = if seq == 0 { Some(genesis(store, self.session)) } else { before };
        if !line.hash_matches() {
            Some((MODIFIED, "header bytes do not match their hash"))
        } else if line.session != self.session {
            Some((FOREIGN, "the line belongs to another session"))
        } else if line.seq != seq {
            Some((PROOF, "another event stands in its place"))
        } else if seq == 0 && line.text("store").is_none_or(|id| id != store) {
            Some((FOREIGN, "the session belongs to another store"))
        } else if before.is_some_and(|before| before != line.prev) {
            Some((PROOF, "it is not chained to the event before it"))
        } else {
            None
        }
    }

    fn told(&self, line: &Line<'_>, level: Level, facts: &mut SessionFacts) -> Result<(), AuditError> {
        count_redacted(line, &mut facts.redaction);
        if level < Level::Full {
            for (claim, _) in self.filters.iter().filter(|(_, filter)| filter.matches(line)) {
                facts.hidden.entry(*claim).or_insert(line.seq);
            }
            return Ok(());
        }
        let members = erased_members(line);
        if !members.is_empty() {
            let session = line.session.to_owned();
            facts.erasures.push(Erasure { session, seq: line.seq, members, order: None });
        }
        if let Some(target) = target(line) {
            facts.orders.push((line.seq, target, ordered_members(line)));
        }
        if let Some(what) = self.unlawful(line) {
            facts.found(ERASURE_INVALID, self.session, Some(line.seq), what);
        }
        for member in &line.members {
            self.member(member, line.seq, facts)?;
        }
        Ok(())
    }

    /// What is wrong with an order to erase, as far as it can be seen from the order alone.
    fn unlawful(&self, line: &Line<'_>) -> Option<String> {
        if line.kind != "audit.erased" {
            return None;
        }
        let Some(order) = Order::of(line) else {
            return Some("an order that says not what to erase".to_owned());
        };
        unsigned(&order, self.erasers).map(|what| format!("the order to erase {}: {what}", order.target))
    }

    fn member(&self, member: &Member<'_>, seq: u64, facts: &mut SessionFacts) -> Result<(), AuditError> {
        if member.is_erased() {
            return Ok(());
        }
        if !member.matches() {
            let what = format!("field {} does not match its commitment", member.name);
            facts.found(PAYLOAD_MISMATCH, self.session, Some(seq), what);
        }
        for id in blobs_of(member) {
            let (code, what) = match self.journal.blob(&id) {
                Ok(_) => continue,
                Err(error @ JournalError::NoBlob { .. }) => (PAYLOAD_MISSING, error.to_string()),
                Err(error @ JournalError::BlobChanged { .. }) => (PAYLOAD_MISMATCH, error.to_string()),
                Err(error) => return Err(error.into()),
            };
            facts.found(code, self.session, Some(seq), what);
        }
        Ok(())
    }
}

/// A whole line, or a header that ends behind its hash.
fn parsed(bytes: &[u8]) -> Result<(Line<'_>, Level), LineError> {
    if let Ok(line) = Line::head(bytes)
        && format!("{},\"hash\":\"{}\"}}", line.header(), line.hash).as_bytes() == bytes
    {
        return Ok((line, Level::Head));
    }
    Ok((Line::parse(bytes)?, Level::Full))
}

/// `{"seq":17,"hash":"<64 hex>"}`
fn hash_of(bytes: &[u8], seq: u64) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let hash = text.strip_prefix(&format!("{{\"seq\":{seq},\"hash\":\""))?.strip_suffix("\"}")?;
    unhex(hash).map(|_| hash.to_owned())
}
