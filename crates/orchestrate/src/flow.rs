//! Flow: how work went through a team, from the statuses that it handed over. Of groups, never of persons.

use std::collections::BTreeMap;

use recorder::{Row, Store};
use serde::Serialize;

use crate::error::OrchestrateError;

/// How long something took, in microseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Spans {
    /// How many.
    pub count: u64,
    /// Half of them took at most so long.
    pub p50_us: i64,
    /// Nine of ten took at most so long.
    pub p90_us: i64,
    /// The longest.
    pub max_us: i64,
}

/// How work went.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Flow {
    /// Sessions with a handoff.
    pub sessions: u64,
    /// Groups with a handoff.
    pub groups: u64,
    /// Handoffs.
    pub handoffs: u64,
    /// From being ready for review to being approved.
    pub review: Spans,
    /// Groups that wait for a review now.
    pub waiting_for_review: u64,
    /// Times that a group was sent back by QA or review.
    pub sent_back: u64,
    /// Groups that were investigated.
    pub investigated_groups: u64,
    /// Times that an investigator worked.
    pub investigator_iterations: u64,
    /// Times that a group was handed to somebody more senior.
    pub escalations: u64,
    /// Times that context was lost, as somebody said.
    pub context_lost: u64,
}

/// Counts the statuses of one session, or of all, since an instant (microseconds since 1970).
pub fn flow(store: &Store, session: Option<&str>, since: Option<i64>) -> Result<Flow, OrchestrateError> {
    let mut flow = Flow::default();
    let mut reviews = Vec::new();
    let sessions = match session {
        Some(name) => vec![store.session(name)?],
        None => store.journal().sessions().map_err(OrchestrateError::from)?,
    };
    let views = match sessions.as_slice() {
        [one] => store.views(one)?,
        _ => store.views_of_all()?,
    };
    for session in &sessions {
        let recent = |row: &Row| since.is_none_or(|since| row.time >= since);
        let mut rows = views.handoffs(session)?;
        rows.retain(|row| row.kind == "handoff.made" && recent(row));
        let lost = |row: &&Row| row.kind == "x.context_lost" && recent(row);
        flow.context_lost += views.noun(session, "x")?.iter().filter(lost).count() as u64;
        if rows.is_empty() {
            continue;
        }
        flow.sessions += 1;
        let mut groups: BTreeMap<Option<String>, Vec<Row>> = BTreeMap::new();
        for row in rows {
            groups.entry(row.group.clone()).or_default().push(row);
        }
        for rows in groups.values() {
            flow.group(rows, &mut reviews);
        }
    }
    flow.review = spans(reviews);
    Ok(flow)
}

impl Flow {
    fn group(&mut self, rows: &[Row], reviews: &mut Vec<i64>) {
        self.groups += 1;
        self.handoffs += rows.len() as u64;
        let mut ready: Option<i64> = None;
        let mut investigations = 0;
        for row in rows {
            let (from, status) =
                (row.detail.as_deref().unwrap_or_default(), row.status.as_deref().unwrap_or_default());
            if row.to.as_deref() == Some("tech_lead") && ready.is_none() {
                ready = Some(row.time);
            }
            match (from, status) {
                ("tech_lead", "APPROVED") => {
                    reviews.extend(ready.take().map(|ready| row.time.saturating_sub(ready)));
                }
                (_, "CHANGES_REQUESTED" | "FAIL" | "FAIL_ESCALATE") => {
                    self.sent_back += 1;
                    ready = None;
                }
                ("investigator", _) => investigations += 1,
                (_, "CONTEXT_LOST") => self.context_lost += 1,
                _ => {}
            }
            self.escalations += u64::from(status.contains("ESCALATE"));
        }
        self.waiting_for_review += u64::from(ready.is_some());
        self.investigator_iterations += investigations;
        self.investigated_groups += u64::from(investigations > 0);
    }
}

fn spans(mut all: Vec<i64>) -> Spans {
    all.sort_unstable();
    let at = |percent: usize| all.get((all.len().saturating_sub(1)) * percent / 100).copied().unwrap_or(0);
    Spans { count: all.len() as u64, p50_us: at(50), p90_us: at(90), max_us: at(100) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_lasts_from_ready_to_approved() {
        let row = |time: i64, from: &str, status: &str, to: &str| Row {
            time,
            detail: Some(from.to_owned()),
            status: Some(status.to_owned()),
            to: Some(to.to_owned()),
            ..Row::default()
        };
        let rows = [
            row(10, "developer", "READY_FOR_REVIEW", "tech_lead"),
            row(20, "tech_lead", "CHANGES_REQUESTED", "developer"),
            row(30, "developer", "READY_FOR_REVIEW", "tech_lead"),
            row(70, "tech_lead", "APPROVED", "project_manager"),
        ];
        let (mut flow, mut reviews) = (Flow::default(), Vec::new());
        flow.group(&rows, &mut reviews);
        assert_eq!((reviews, flow.sent_back, flow.waiting_for_review), (vec![40], 1, 0));
    }
}
