//! Verifying a store: the log against its signatures and the pin, each session against its seals. Never writes.
//!
//! ```text
//! pin ─▶ genesis ─▶ leaves ─▶ signed roots, epochs ─▶ seals ─▶ sessions: chain, commitments, roots
//! ```
//! All findings are collected; the exit code is that of the worst.

pub(crate) mod erasures;
pub(crate) mod finding;
pub(crate) mod log;
mod session;
mod signatures;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use event::SessionId;
use journal::{Journal, SessionReport};

pub use finding::Finding;

use crate::error::AuditError;
use crate::pin::Pin;
use crate::policy::Policy;
use crate::sshsig::AllowedSigners;
use finding::{
    ANCHOR_MISSING, PAYLOAD_MISSING, ROLLBACK, SESSION_MISSING, SESSION_UNKNOWN, UNSEALED, UNTRUSTED,
};
use log::{Checked, Log};
use session::Compared;

/// What is demanded beyond consistency.
#[derive(Debug, Clone, Default)]
pub struct Demands {
    /// What is known of the store.
    pub pin: Option<Pin>,
    /// What should be known and is damaged.
    pub damaged: Vec<String>,
    /// Only this session.
    pub only: Option<SessionId>,
    /// Every event must be under a seal.
    pub sealed: bool,
    /// Whose word counts.
    pub policy: Option<Policy>,
    /// A witness must have seen the log.
    pub anchor: bool,
    /// Every payload must be there, lawfully erased or not.
    pub payload: bool,
    /// Whose signature an order to erase must have.
    pub erasers: Option<AllowedSigners>,
}

/// What the log is, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogFacts {
    /// Signed leaves.
    pub size: u64,
    /// The epoch that signs now.
    pub epoch: u64,
}

/// What verifying found.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// One for each session.
    pub sessions: Vec<SessionReport>,
    /// The store log; `None` if the store was never sealed.
    pub log: Option<LogFacts>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What is worth knowing and not wrong.
    pub notes: Vec<String>,
}

impl Verdict {
    /// The exit code: that of the worst finding.
    pub fn exit(&self) -> u8 {
        finding::worst(&self.findings)
    }
}

/// Verifies a store.
pub fn verify(journal: &Journal, demands: &Demands) -> Result<Verdict, AuditError> {
    let mut verdict = Verdict::default();
    let known = match log::check(journal, demands)? {
        Log::Checked(mut checked) => {
            verdict.log = Some(LogFacts { size: checked.size, epoch: checked.epoch });
            verdict.findings.append(&mut checked.findings);
            verdict.notes.append(&mut checked.notes);
            *checked
        }
        Log::Begun => {
            verdict.notes.push("the log was just begun: nothing is sealed yet".to_owned());
            Checked::default()
        }
        Log::None => {
            never_sealed(journal, demands, &mut verdict);
            Checked::default()
        }
    };
    for what in &demands.damaged {
        let msg = format!("{what}; an old copy of the store, or another one, would pass unseen");
        verdict.findings.push(Finding::new(UNTRUSTED, msg));
    }
    let sessions = match &demands.only {
        Some(session) => vec![session.clone()],
        None => journal.sessions()?,
    };
    for compared in compare_all(journal, &sessions, &known)? {
        verdict.take(compared, &known, demands);
    }
    if demands.only.is_none() && known.holds {
        verdict.missing(&sessions, &known);
    }
    erasures::sum_up(&mut verdict);
    Ok(verdict)
}

/// How many events of each session its last seal counts, if the log is what was signed.
pub(crate) fn sealed_events(
    journal: &Journal,
    demands: &Demands,
) -> Result<BTreeMap<String, u64>, AuditError> {
    match log::check(journal, demands)? {
        Log::Checked(checked) if checked.holds => {
            let last = |seals: &Vec<log::SealPoint>| seals.last().map_or(0, |seal| seal.events);
            Ok(checked.seals.iter().map(|(session, seals)| (session.clone(), last(seals))).collect())
        }
        Log::Checked(_) => {
            Err(AuditError::LogDamaged { what: "its leaves are not those that were signed".to_owned() })
        }
        Log::Begun | Log::None => Err(AuditError::NeverSealed),
    }
}

/// A store without a log is as good as its chains. That nobody took the log away, only a pin can say.
fn never_sealed(journal: &Journal, demands: &Demands, verdict: &mut Verdict) {
    verdict.findings.extend(unwitnessed(demands));
    let Some(pin) = &demands.pin else {
        verdict
            .notes
            .push("never sealed: whole sessions could be rewritten unseen; `recount seal` begins".to_owned());
        return;
    };
    let other = pin.store.as_deref().is_some_and(|store| store != journal.store_id());
    verdict.findings.push(if other {
        Finding::new(UNTRUSTED, "the pin is another store's")
    } else {
        Finding::new(ROLLBACK, "a pin is known, and the store has no log")
    });
}

/// A log that nobody of the policy witnessed, where that is asked.
pub(crate) fn unwitnessed(demands: &Demands) -> Option<Finding> {
    let policy = demands.policy.as_ref();
    let enough = policy.map_or(!demands.anchor, |policy| policy.is_enough(&BTreeSet::new(), demands.anchor));
    let msg = if policy.is_some() {
        "the policy asks for more witnesses than have seen this log"
    } else {
        "no policy says whose word counts"
    };
    (!enough).then(|| Finding::new(ANCHOR_MISSING, msg))
}

/// Compares sessions with their seals, on as many threads as the machine has; in the order given.
fn compare_all(
    journal: &Journal,
    sessions: &[SessionId],
    known: &Checked,
) -> Result<Vec<Compared>, AuditError> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Compared)>, AuditError> {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(session) = sessions.get(at) else { return Ok(done) };
            let seals = known.seals.get(session.as_str()).filter(|_| known.holds);
            done.push((at, session::compare(journal, session, seals.map_or(&[], Vec::as_slice))?));
        }
    };
    let mut done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(sessions.len())).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
        joined.collect::<Result<Vec<_>, _>>()
    })?
    .into_iter()
    .flatten()
    .collect::<Vec<_>>();
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, compared)| compared).collect())
}

impl Verdict {
    fn take(&mut self, compared: Compared, known: &Checked, demands: &Demands) {
        let Compared { mut report, mut findings, sealed, began } = compared;
        let session = report.session.clone();
        let mirrors = known.erased.get(&session).filter(|_| known.holds && findings.is_empty());
        findings.extend(erasures::check(&report, mirrors.map_or(&[], Vec::as_slice), demands));
        let unsealed = report.events.saturating_sub(sealed);
        let of = |code, msg: String| Finding::new(code, msg).at(&session, None);
        if unsealed > 0 && demands.sealed {
            self.findings.push(of(UNSEALED, format!("{unsealed} events after the last seal")));
        } else if unsealed > 0 && known.holds && known.size > 0 {
            self.notes.push(format!("{session}: {unsealed} events after the last seal"));
        }
        let planted = |covers: &String| began.as_ref().is_some_and(|began| began < covers);
        let purged = known.purged.get(session.as_str()).filter(|_| sealed == 0);
        if purged.is_some_and(|ts| began.as_ref().is_none_or(|began| began < ts)) {
            self.notes.push(format!("{session}: its purge was interrupted; `recount seal` finishes it"));
        } else if sealed == 0 && known.holds && known.covers.as_ref().is_some_and(planted) {
            let msg = "no seal names it, and every session was looked at since it began".to_owned();
            self.findings.push(of(SESSION_UNKNOWN, msg));
        }
        if demands.payload && report.erased > 0 {
            self.findings.push(of(PAYLOAD_MISSING, format!("{} events were erased in part", report.erased)));
        }
        report.findings = Vec::new();
        self.findings.extend(findings);
        self.sessions.push(report);
    }

    fn missing(&mut self, there: &[SessionId], known: &Checked) {
        for (session, seals) in &known.seals {
            let gone = there.binary_search_by(|id| id.as_str().cmp(session)).is_err();
            if let Some(last) = seals.last().filter(|_| gone) {
                let msg = format!("sealed with {} events at leaf {}, and gone", last.events, last.leaf);
                self.findings.push(Finding::new(SESSION_MISSING, msg).at(session, None).leaf(last.leaf));
            }
        }
    }
}
