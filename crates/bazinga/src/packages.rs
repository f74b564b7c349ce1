//! Context packages: a file that one agent leaves for others, and who has taken it up.

use event::{Event, SessionId};
use recorder::{Recorder, Store};
use serde_json::{Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{body, called, draft, events, events_of, number, record};
use crate::words::{PACKAGES, PRIORITIES, ROLES, group as check_group, one_of, some};

const MADE: &str = "x.context_package";
const TAKEN: &str = "x.context_consumed";
/// Characters of a summary.
const SUMMARY_CHARS: usize = 200;

/// What is left for others.
#[derive(Debug, Clone)]
pub struct Package<'a> {
    /// The session.
    pub session: &'a str,
    /// The group; `global` or nothing for all groups.
    pub group: &'a str,
    /// What it is about.
    pub kind: &'a str,
    /// The file, below `bazinga/artifacts/<session>/`.
    pub path: &'a str,
    /// Who leaves it.
    pub producer: &'a str,
    /// For whom, as a JSON list.
    pub consumers: &'a str,
    /// How important it is.
    pub priority: &'a str,
    /// What is in it.
    pub summary: &'a str,
    /// How large the file is, where the caller could look.
    pub size_bytes: Option<u64>,
}

fn role(name: &str) -> Result<&'static str, BazingaError> {
    one_of("the agent", &name.trim().to_lowercase(), ROLES)
}

/// A package is read by other agents: its file is one of the session's own artifacts, whatever it is called.
fn check_path(session: &str, path: &str) -> Result<(), BazingaError> {
    let folder = format!("bazinga/artifacts/{session}/");
    let below = path.strip_prefix("./").unwrap_or(path).strip_prefix(folder.as_str());
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let fits = below.is_some_and(|below| below.split('/').all(plain) && !below.contains(char::is_control));
    if fits { Ok(()) } else { Err(BazingaError::value("the file's path", format!("a path below {folder}"))) }
}

fn one_line(summary: &str) -> String {
    let line = summary.replace(['\n', '\r'], " ");
    match line.char_indices().nth(SUMMARY_CHARS) {
        None => line,
        Some(_) => line.chars().take(SUMMARY_CHARS - 3).collect::<String>() + "...",
    }
}

/// `save-context-package`.
pub fn save_package(recorder: &mut Recorder, package: &Package<'_>) -> Result<Answer, BazingaError> {
    some("the session id", package.session)?;
    let kind = one_of("the package's type", package.kind, PACKAGES)?;
    let priority = one_of("the priority", package.priority, PRIORITIES)?;
    let producer = role(package.producer)?;
    check_path(package.session, package.path)?;
    let group = Some(package.group).filter(|group| !group.is_empty() && *group != "global");
    group.map(check_group).transpose()?;
    let mut consumers = Vec::new();
    for consumer in crate::words::list("the consumers", package.consumers)? {
        let consumer = role(&consumer)?;
        if !consumers.contains(&consumer) {
            consumers.push(consumer);
        }
    }
    if consumers.is_empty() {
        return Err(BazingaError::value("the consumers", "a JSON list of at least one agent"));
    }
    let content = json!({
        "package_type": kind, "file_path": package.path, "consumers": consumers, "priority": priority,
        "summary": one_line(package.summary), "size_bytes": package.size_bytes,
    });
    let draft = draft(package.session, MADE).with("group", group).with("agent", producer);
    let event = record(recorder, draft.data("body", content))?;
    let (id, count) = (number(&event), consumers.len());
    let path = body(&event).and_then(|body| body.get("file_path"));
    Ok(Answer::of(json!({"package_id": id, "file_path": path, "consumers_created": count}))
        .saying(format!("✓ Created context package {id} ({kind}) with {count} consumers")))
}

fn is_for(package: &Event, agent: &str) -> bool {
    let consumers = body(package).and_then(|body| body.get("consumers")?.as_array());
    consumers.is_some_and(|consumers| consumers.iter().any(|consumer| consumer == agent))
}

fn is_taken(taken: &[Event], package: &Event, agent: &str) -> bool {
    let by = |event: &&Event| event.header.get("cause").and_then(Value::as_u64) == Some(package.seq);
    taken.iter().filter(by).any(|event| event.text("agent") == Some(agent))
}

fn weight(package: &Event) -> usize {
    let priority = body(package).and_then(|body| body.get("priority")?.as_str()).unwrap_or_default();
    PRIORITIES.iter().position(|word| *word == priority).unwrap_or(PRIORITIES.len())
}

/// `get-context-packages`: what an agent has not taken up yet, the most important first, then the newest.
pub fn packages(
    store: &Store,
    session: &str,
    group: &str,
    agent: &str,
    limit: usize,
) -> Result<Answer, BazingaError> {
    let agent = role(agent)?;
    let (taken, mut made): (Vec<Event>, Vec<Event>) =
        events(store, session, &[MADE, TAKEN])?.into_iter().partition(|event| event.kind == TAKEN);
    let here = |event: &Event| event.text("group").is_none_or(|own| own == group);
    made.retain(|event| here(event) && is_for(event, agent) && !is_taken(&taken, event, agent));
    made.sort_by_key(|event| (weight(event), std::cmp::Reverse(event.seq)));
    let rows = made.iter().take(limit).map(|event| {
        let body = |name: &str| body(event).and_then(|body| body.get(name)).cloned().unwrap_or_default();
        json!({
            "id": number(event), "package_type": body("package_type"), "priority": body("priority"),
            "summary": body("summary"), "file_path": body("file_path"), "size_bytes": body("size_bytes"),
            "group_id": event.text("group"),
        })
    });
    Ok(Answer::of(rows.collect::<Vec<_>>()))
}

/// The package of this number, in whatever session it is.
fn find(store: &Store, id: u64) -> Result<Option<(SessionId, Event)>, BazingaError> {
    let sessions = store.sessions()?.rows;
    let has = |row: &&recorder::SessionRow| row.view.kinds.contains_key(MADE);
    for row in sessions.iter().rev().filter(has) {
        let Ok(session) = SessionId::new(&row.view.session) else { continue };
        let made = events_of(store.journal(), &session, &|kind| kind == MADE)?;
        if let Some(package) = made.into_iter().find(|event| number(event) == id) {
            return Ok(Some((session, package)));
        }
    }
    Ok(None)
}

/// `mark-context-consumed`: no, if the package is not there or not for this agent.
pub fn consume(
    recorder: &mut Recorder,
    id: u64,
    agent: &str,
    iteration: u64,
) -> Result<Answer, BazingaError> {
    let agent = role(agent)?;
    let store = recorder.store();
    let Some((session, package)) = find(&store, id)?.filter(|(_, package)| is_for(package, agent)) else {
        let said = format!("! Agent '{agent}' was not designated as consumer for package {id}");
        return Ok(Answer::done(said).no());
    };
    let name = called(&store, &session);
    let taken = events(&store, &name, &[TAKEN])?;
    if !is_taken(&taken, &package, agent) {
        let draft = draft(&name, TAKEN).with("group", package.text("group")).with("agent", agent);
        record(recorder, draft.with("cause", package.seq).data("iteration", iteration))?;
    }
    Ok(Answer::done(format!("✓ Marked package {id} as consumed by {agent} (iteration {iteration})")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_below_the_artifacts_of_its_session() {
        assert!(check_path("s", "bazinga/artifacts/s/a/b.md").is_ok());
        assert!(check_path("s", "./bazinga/artifacts/s/b.md").is_ok());
        for bad in [
            "b.md",
            "/etc/passwd",
            "bazinga/artifacts/t/b.md",
            "bazinga/artifacts/s/../t/b.md",
            "bazinga/artifacts/s/",
        ] {
            assert!(check_path("s", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_summary_is_one_line_of_two_hundred_characters() {
        assert_eq!(one_line("a\nb"), "a b");
        assert_eq!(one_line(&"é".repeat(201)).chars().count(), 200);
    }
}
