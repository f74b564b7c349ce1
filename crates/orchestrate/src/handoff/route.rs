//! Who comes next: from a role and the status that it returns.

use serde::Serialize;

use crate::error::OrchestrateError;
use crate::words;

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Route {
    /// The role that returns.
    pub from: &'static str,
    /// Its status.
    pub status: &'static str,
    /// Who comes next; `end` when the work is done, `user` when a person is asked.
    pub next: &'static str,
}

const fn row(from: &'static str, status: &'static str, next: &'static str) -> Route {
    Route { from, status, next }
}

/// Every route. A senior engineer returns as a developer does.
pub const ROUTES: &[Route] = &[
    row("developer", "READY_FOR_QA", "qa_expert"),
    row("developer", "READY_FOR_REVIEW", "tech_lead"),
    row("developer", "BLOCKED", "investigator"),
    row("developer", "ESCALATE_SENIOR", "senior_software_engineer"),
    row("qa_expert", "PASS", "tech_lead"),
    row("qa_expert", "FAIL", "developer"),
    row("qa_expert", "FAIL_ESCALATE", "senior_software_engineer"),
    row("qa_expert", "BLOCKED", "tech_lead"),
    row("qa_expert", "FLAKY", "tech_lead"),
    row("tech_lead", "APPROVED", "project_manager"),
    row("tech_lead", "CHANGES_REQUESTED", "developer"),
    row("tech_lead", "ESCALATE_TO_OPUS", "senior_software_engineer"),
    row("tech_lead", "SPAWN_INVESTIGATOR", "investigator"),
    row("project_manager", "PLANNING_COMPLETE", "developer"),
    row("project_manager", "CONTINUE", "developer"),
    row("project_manager", "INVESTIGATION_NEEDED", "investigator"),
    row("project_manager", "NEEDS_CLARIFICATION", "user"),
    row("project_manager", "BAZINGA", "end"),
    row("investigator", "ROOT_CAUSE_FOUND", "developer"),
    row("investigator", "INVESTIGATION_INCOMPLETE", "tech_lead"),
    row("investigator", "BLOCKED", "tech_lead"),
    row("investigator", "EXHAUSTED", "tech_lead"),
    row("requirements_engineer", "READY_FOR_REVIEW", "tech_lead"),
    row("requirements_engineer", "PARTIAL", "tech_lead"),
    row("requirements_engineer", "BLOCKED", "project_manager"),
];

/// Roles whose handoffs take only the statuses of the table; others have the generic base.
const STRICT: [&str; 4] = ["developer", "senior_software_engineer", "qa_expert", "tech_lead"];

fn table_role(agent: &str) -> &str {
    match words::role_name(agent) {
        "senior_software_engineer" => "developer",
        other => other,
    }
}

/// The statuses that a role's handoffs may carry; none for a role with the generic base.
pub fn statuses(agent: &str) -> Vec<&'static str> {
    if !STRICT.contains(&words::role_name(agent)) {
        return Vec::new();
    }
    known(agent)
}

fn known(agent: &str) -> Vec<&'static str> {
    let agent = table_role(agent);
    ROUTES.iter().filter(|route| route.from == agent).map(|route| route.status).collect()
}

/// Who comes next.
pub fn route(agent: &str, status: &str) -> Result<&'static Route, OrchestrateError> {
    let from = table_role(agent);
    if let Some(route) = ROUTES.iter().find(|route| route.from == from && route.status == status) {
        return Ok(route);
    }
    if !ROUTES.iter().any(|route| route.from == from) {
        let mut roles: Vec<&str> = ROUTES.iter().map(|route| route.from).collect();
        roles.dedup();
        words::one_of("agent", from, &roles)?;
    }
    words::one_of("status", status, &known(agent))?;
    Err(OrchestrateError::Nothing { what: format!("route for {from} {status}") })
}

/// Whose handoff a role reads first, the nearest first.
pub fn previous(agent: &str) -> &'static [&'static str] {
    match words::role_name(agent) {
        "qa_expert" => &["developer", "senior_software_engineer"],
        "tech_lead" => {
            &["qa_expert", "developer", "senior_software_engineer", "investigator", "requirements_engineer"]
        }
        "project_manager" => &["tech_lead"],
        "developer" | "senior_software_engineer" => {
            &["tech_lead", "qa_expert", "investigator", "developer", "project_manager"]
        }
        "investigator" => &["tech_lead", "qa_expert", "developer", "senior_software_engineer"],
        _ => &[],
    }
}
