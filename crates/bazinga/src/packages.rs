//! Context packages: a file that one agent leaves for others, and who has taken it up.

use event::SessionId;
use orchestrate::packages;
use orchestrate::words::role_name;
use recorder::{Recorder, Store};
use serde_json::{Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{events_of, named, number};
use crate::words::{ROLES, list, one_of, some};

/// The group of what is for all of them.
const GLOBAL: &str = "global";

const MADE: &str = "x.context_package";
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
    // told back as it was written: in small letters nobody would know a key for what it is
    one_of("the agent", role_name(&name.trim().to_lowercase()), ROLES)
        .or_else(|_| one_of("the agent", name, ROLES))
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
    let kind = one_of("the package's type", package.kind, packages::TYPES)?;
    let priority = one_of("the priority", package.priority, packages::PRIORITIES)?;
    check_path(package.session, package.path)?;
    let mut consumers = Vec::new();
    for consumer in list("the consumers", package.consumers)? {
        let consumer = role(&consumer)?.to_owned();
        if !consumers.contains(&consumer) {
            consumers.push(consumer);
        }
    }
    if consumers.is_empty() {
        return Err(BazingaError::value("the consumers", "a JSON list of at least one agent"));
    }
    let count = consumers.len();
    let new = packages::Package {
        kind: kind.to_owned(),
        path: package.path.to_owned(),
        producer: role(package.producer)?.to_owned(),
        consumers,
        priority: priority.to_owned(),
        summary: one_line(package.summary),
        bytes: package.size_bytes,
    };
    let group = if package.group.is_empty() { GLOBAL } else { package.group };
    let saved = packages::save(recorder, package.session, group, new)?;
    let id = number(&saved.hash);
    Ok(Answer::of(json!({"package_id": id, "file_path": package.path, "consumers_created": count}))
        .saying(format!("✓ Created context package {id} ({kind}) with {count} consumers")))
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
    let Some(session) = named(store, session)? else { return Ok(Answer::of(Vec::<Value>::new())) };
    let found = packages::get(store, session.as_str(), group, agent, limit, false)?;
    let rows = found.into_iter().map(|found| {
        let package = found.package;
        let (event, _) = store.journal().event(&session, found.seq)?;
        Ok(json!({
            "id": number(&event.hash), "package_type": package.kind, "priority": package.priority,
            "summary": package.summary, "file_path": package.path, "size_bytes": package.bytes,
            "group_id": found.group.filter(|group| group != GLOBAL),
        }))
    });
    Ok(Answer::of(rows.collect::<Result<Vec<_>, BazingaError>>()?))
}

/// The package of this number, in whatever session it is.
fn find(store: &Store, id: u64) -> Result<Option<(SessionId, u64)>, BazingaError> {
    let sessions = store.sessions(usize::MAX)?.rows;
    let has = |row: &&recorder::SessionRow| row.view.kinds.contains_key(MADE);
    for row in sessions.iter().rev().filter(has) {
        let Ok(session) = SessionId::new(&row.view.session) else { continue };
        let made = events_of(store.journal(), &session, &|kind| kind == MADE)?;
        if let Some(package) = made.into_iter().find(|event| number(&event.hash) == id) {
            return Ok(Some((session, package.seq)));
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
    let found = find(&store, id)?;
    let package = found.and_then(|(session, seq)| Some((all_of(&store, &session, seq)?, session, seq)));
    let Some((_, session, seq)) =
        package.filter(|(package, ..)| package.consumers.iter().any(|c| c == agent))
    else {
        let said = format!("! Agent '{agent}' was not designated as consumer for package {id}");
        return Ok(Answer::done(said).no());
    };
    packages::consume(recorder, &session, seq, agent, Some(iteration))?;
    Ok(Answer::done(format!("✓ Marked package {id} as consumed by {agent} (iteration {iteration})")))
}

fn all_of(store: &Store, session: &SessionId, seq: u64) -> Option<packages::Package> {
    let all = packages::all(store, session.as_str()).ok()?;
    all.into_iter().find(|package| package.seq == seq).map(|found| found.package)
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
