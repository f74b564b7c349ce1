//! Context packages: files that one agent leaves for others, and who has taken them in.

use event::{Draft, Kind, Origin, SessionId};
use recorder::{Recorder, Store};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::OrchestrateError;
use crate::house::Asked;
use crate::told::{Saved, record};
use crate::words;

/// What a package may hold.
pub const TYPES: &[&str] = &["research", "failures", "decisions", "handoff", "investigation"];
/// How much it matters, the most first.
pub const PRIORITIES: &[&str] = &["critical", "high", "medium", "low"];

const SAVED: &str = "x.context_package";
const CONSUMED: &str = "x.context_consumed";

/// A package; its group is `global` when every group may have it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// What it holds.
    #[serde(rename = "type")]
    pub kind: String,
    /// Where its file is.
    pub path: String,
    /// The role that made it.
    pub producer: String,
    /// The roles that it is for.
    pub consumers: Vec<String>,
    /// How much it matters.
    pub priority: String,
    /// One line about it.
    pub summary: String,
    /// Bytes of its file, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// Saves a package for a group, or for all of them.
pub fn save(
    recorder: &mut Recorder,
    session: &str,
    group: &str,
    mut package: Package,
) -> Result<Saved, OrchestrateError> {
    words::group(group)?;
    words::one_of("type", &package.kind, TYPES)?;
    words::one_of("priority", &package.priority, PRIORITIES)?;
    words::filled("path", &package.path)?;
    package.producer = role(&package.producer);
    let named = package.consumers.iter().filter(|name| !name.trim().is_empty());
    package.consumers = named.map(|name| role(name)).collect();
    package.consumers.dedup();
    if package.consumers.is_empty() {
        return Err(OrchestrateError::Empty { what: "list of consumers" });
    }
    package.summary = package.summary.split_whitespace().collect::<Vec<_>>().join(" ");
    let draft = Draft::new(session, Kind::stored(SAVED), Origin::Claimed)
        .with("group", group)
        .with("agent", package.producer.clone())
        .data("body", json!(package));
    Ok(record(recorder, draft)?.0)
}

/// A package as it was saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SavedPackage {
    /// `session/sequence`, which is its id.
    pub event: String,
    /// Its place in the session.
    pub seq: u64,
    /// The group, or `global`.
    pub group: Option<String>,
    /// When it was saved.
    pub at: String,
    /// Roles that have taken it in.
    pub consumed_by: Vec<String>,
    /// What it is.
    #[serde(flatten)]
    pub package: Package,
}

/// Packages for a role in a group (and global ones), what matters most first, then the newest.
pub fn get(
    store: &Store,
    session: &str,
    group: &str,
    agent: &str,
    limit: usize,
    consumed_too: bool,
) -> Result<Vec<SavedPackage>, OrchestrateError> {
    let agent = agent.trim().to_lowercase();
    let agent = words::role_name(&agent);
    let mut packages = all(store, session)?;
    packages.retain(|package| {
        let here = package.group.as_deref().is_none_or(|g| g == group || g == "global");
        let mine = package.package.consumers.iter().any(|consumer| consumer == agent);
        here && mine && (consumed_too || !package.consumed_by.iter().any(|by| by == agent))
    });
    let rank = |package: &SavedPackage| PRIORITIES.iter().position(|p| *p == package.package.priority);
    packages.sort_by_key(|package| (rank(package), std::cmp::Reverse(package.seq)));
    packages.truncate(limit);
    Ok(packages)
}

/// Every package of a session, in the order of the journal.
pub fn all(store: &Store, session: &str) -> Result<Vec<SavedPackage>, OrchestrateError> {
    let mut asked = Asked::about(store, session, &["x"])?;
    let mut packages: Vec<SavedPackage> = Vec::new();
    for row in asked.rows("x", None)? {
        if row.kind != SAVED && row.kind != CONSUMED {
            continue;
        }
        let event = asked.event(&row)?;
        let body = asked.member(&event, "body")?.unwrap_or(Value::Null);
        if row.kind == SAVED {
            let Ok(package) = serde_json::from_value(body) else { continue };
            let (event, seq, at) = (event.name(), event.seq, event.time().to_owned());
            let consumed_by = Vec::new();
            packages.push(SavedPackage { event, seq, group: row.group, at, consumed_by, package });
        } else if let (Some(seq), Some(by)) = (
            // what another store tells points at the package by its cause, and names the agent in the header
            body["package"].as_u64().or_else(|| event.header.get("cause")?.as_u64()),
            body["by"].as_str().or_else(|| event.text("agent")),
        ) && let Some(package) = packages.iter_mut().find(|package| package.seq == seq)
            && !package.consumed_by.iter().any(|known| known == by)
        {
            package.consumed_by.push(by.to_owned());
        }
    }
    Ok(packages)
}

/// Says that an agent has taken a package in. `None` if it is not one of its consumers, or did before.
pub fn consume(
    recorder: &mut Recorder,
    session: &SessionId,
    seq: u64,
    agent: &str,
    attempt: Option<u64>,
) -> Result<Option<Saved>, OrchestrateError> {
    let by = agent.trim().to_lowercase();
    let by = words::role_name(&by).to_owned();
    let packages = all(&recorder.store(), session.as_str())?;
    let package = packages.into_iter().find(|package| package.seq == seq);
    let package = package
        .ok_or_else(|| OrchestrateError::Nothing { what: format!("context package {session}/{seq}") })?;
    if !package.package.consumers.contains(&by) || package.consumed_by.contains(&by) {
        return Ok(None);
    }
    let draft = Draft::new(session.as_str(), Kind::stored(CONSUMED), Origin::Claimed)
        .with("group", package.group)
        .with("agent", by.clone())
        .with("cause", seq)
        .data("body", json!({"package": seq, "by": by, "attempt": attempt}));
    Ok(Some(record(recorder, draft)?.0))
}

/// A role as everybody writes it.
fn role(name: &str) -> String {
    words::role_name(name.trim().to_lowercase().as_str()).to_owned()
}
