//! The chain of a group: developer → QA → tech lead → project manager, what was handed over and what was read.

use recorder::Store;
use serde::Serialize;

use super::read::{Handoff, of_group, receipts_of};
use crate::error::OrchestrateError;
use crate::house::Asked;
use crate::words;

/// How a link stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkState {
    /// Handed over and read, or the end.
    Read,
    /// Handed over, and nobody has read it.
    Unread,
    /// It is this role's turn.
    Waiting,
    /// A later role has handed over, and this one has not.
    Missing,
    /// Not needed: there was nothing to test.
    Skipped,
}

/// One role's place in the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The role.
    pub role: String,
    /// How it stands.
    pub state: LinkState,
    /// Its newest handoff.
    pub event: Option<String>,
    /// That handoff's status.
    pub status: Option<String>,
    /// To whom it went.
    pub to: Option<String>,
    /// How many handoffs of the role there are.
    pub versions: u64,
    /// Who has read the newest.
    pub read_by: Vec<String>,
    /// Microseconds until the first read it.
    pub read_after_us: Option<i64>,
}

/// The chain of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Chain {
    /// The group.
    pub group: String,
    /// In order.
    pub links: Vec<Link>,
    /// True when no link is missing or unread.
    pub whole: bool,
}

/// The order of roles in a team.
pub const ORDER: [&str; 4] = ["developer", "qa_expert", "tech_lead", "project_manager"];

/// How the chain of a group stands. A senior engineer's handoff counts as a developer's.
pub fn chain(store: &Store, session: &str, group: &str, order: &[&str]) -> Result<Chain, OrchestrateError> {
    let mut asked = Asked::about(store, session, &["handoff", "skill"])?;
    let handoffs = of_group(&mut asked, Some(group))?;
    let receipts = receipts_of(&mut asked)?;
    let place = |handoff: &Handoff| order.iter().position(|role| *role == in_chain(&handoff.from));
    let furthest = handoffs.iter().filter_map(place).max();
    let mut links: Vec<Link> = Vec::new();
    for (at, role) in order.iter().enumerate() {
        let own: Vec<&Handoff> = handoffs.iter().filter(|handoff| in_chain(&handoff.from) == *role).collect();
        let mut link = Link {
            role: (*role).to_owned(),
            state: LinkState::Waiting,
            event: None,
            status: None,
            to: None,
            versions: own.len() as u64,
            read_by: Vec::new(),
            read_after_us: None,
        };
        match own.last() {
            Some(newest) => {
                let mut reads: Vec<_> =
                    receipts.iter().filter(|receipt| receipt.handoff == newest.seq).collect();
                reads.sort_by_key(|receipt| receipt.after_us);
                link.event = Some(newest.event.clone());
                link.status = Some(newest.status.clone());
                link.to.clone_from(&newest.to);
                link.read_by = reads.iter().map(|receipt| receipt.by.clone()).collect();
                link.read_after_us = reads.first().map(|receipt| receipt.after_us);
                let ends = matches!(newest.to.as_deref(), Some("end" | "user")) || at + 1 == order.len();
                link.state = if ends || !reads.is_empty() { LinkState::Read } else { LinkState::Unread };
            }
            None if furthest.is_some_and(|furthest| at < furthest) => {
                let passed =
                    links.last().is_some_and(|before| before.to.as_deref().is_some_and(|to| to != *role));
                link.state = if passed { LinkState::Skipped } else { LinkState::Missing };
            }
            None => {}
        }
        links.push(link);
    }
    let holds = |link: &Link| !matches!(link.state, LinkState::Missing | LinkState::Unread);
    Ok(Chain { group: group.to_owned(), whole: links.iter().all(holds), links })
}

fn in_chain(role: &str) -> &str {
    match words::role_name(role) {
        "senior_software_engineer" => "developer",
        other => other,
    }
}
