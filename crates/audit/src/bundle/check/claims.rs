//! Claims are not believed: each that says it is proven is looked at again.

use std::collections::{BTreeMap, BTreeSet};

use super::Leaves;
use super::session::SessionFacts;
use crate::bundle::manifest::{ATTESTED, Claim, PROVEN, Predicate};
use crate::bundle::pruned::Level;
use crate::verify::finding::{COMPLETENESS, Finding};

/// True for what somebody only says.
pub(super) fn is_attested(claim: &Claim) -> bool {
    matches!(claim, Claim::TextFilter { .. })
}

/// What of the claims does not hold.
pub(super) fn check(
    predicate: &Predicate,
    leaves: &Leaves,
    told: &BTreeMap<String, SessionFacts>,
) -> Vec<Finding> {
    let claims = predicate.claims.iter().enumerate();
    claims.filter_map(|(at, claim)| broken(at, claim, predicate, leaves, told)).collect()
}

fn broken(
    at: usize,
    claim: &Claim,
    predicate: &Predicate,
    leaves: &Leaves,
    told: &BTreeMap<String, SessionFacts>,
) -> Option<Finding> {
    let found = |msg: String| Some(Finding::new(COMPLETENESS, msg));
    match claim {
        Claim::Range { kind, session, from, to, level } => {
            let broken = || Some(in_range(told.get(session)?, *from, *to, Level::parse(level)?));
            let msg = match broken() {
                _ if kind != PROVEN => "claim range: of no known type".to_owned(),
                Some(None) => return None,
                Some(Some(seq)) => format!("claim range: {session}/{seq} is not told at level {level}"),
                None => format!("claim range: {session} is not told"),
            };
            found(msg)
        }
        Claim::Latest { kind, session, log_size } => {
            let told = predicate.sessions.iter().find(|part| part.session == *session).map(|part| part.leaf);
            let newest = leaves.seals.get(session).and_then(|seals| seals.last()).map(|(leaf, _)| *leaf);
            let holds = kind == PROVEN && told.is_some() && newest == told && *log_size == leaves.size;
            if holds { None } else { found(format!("claim latest: {session} has a newer seal")) }
        }
        Claim::Sessions { kind, from, to } => {
            let first = |(session, seals): (&String, &Vec<(u64, crate::leaf::Seal)>)| {
                seals.first().filter(|(leaf, _)| from <= leaf && leaf < to).map(|_| session.clone())
            };
            let opened: BTreeSet<String> = leaves.seals.iter().filter_map(first).collect();
            let missing = opened.iter().find(|session| !told.contains_key(*session));
            let holds = kind == PROVEN && missing.is_none() && *to <= leaves.size;
            let what = missing.map_or("its leaves are not all there", String::as_str);
            if holds { None } else { found(format!("claim sessions: {what} is left out")) }
        }
        Claim::HeaderFilter { kind, sessions, .. } => header_filter(at, kind, sessions, told),
        Claim::TextFilter { kind, .. } if kind == ATTESTED => None,
        Claim::TextFilter { .. } => found("claim text-filter: nobody can prove it".to_owned()),
    }
}

/// The first event in a range that is told at a lower level.
fn in_range(facts: &SessionFacts, from: u64, to: u64, level: Level) -> Option<u64> {
    let known = |seq: u64| usize::try_from(seq).ok().and_then(|at| facts.levels.get(at)).copied();
    let whole = from <= to && to < facts.levels.len() as u64;
    if !whole {
        return Some(to);
    }
    (from..=to).find(|seq| known(*seq).is_none_or(|known| known < level))
}

fn header_filter(
    at: usize,
    kind: &str,
    sessions: &[String],
    told: &BTreeMap<String, SessionFacts>,
) -> Option<Finding> {
    let found = |msg: String| Some(Finding::new(COMPLETENESS, format!("claim header-filter: {msg}")));
    for session in sessions {
        let Some(facts) = told.get(session) else { return found(format!("{session} is not told")) };
        if let Some(seq) = facts.hidden.get(&at) {
            return found(format!("{session}/{seq} matches the filter but is withheld"));
        }
        if let Some(seq) = facts.levels.iter().position(|level| *level < Level::Head) {
            return found(format!("{session}/{seq} is not told by its header"));
        }
    }
    if kind == PROVEN { None } else { found("of no known type".to_owned()) }
}
