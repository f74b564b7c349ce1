//! Writing a handoff: checked, recorded, then its file from what is stored.

use std::path::{Path, PathBuf};

use event::{Draft, Kind, Origin};
use recorder::Recorder;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::route::route;
use super::schema::validate;
use crate::artifacts::{self, Files};
use crate::error::OrchestrateError;
use crate::house::{Asked, header, member};
use crate::told::{Saved, record};
use crate::words;

/// Lines of a summary.
const SUMMARY_LINES: usize = 3;

/// A handoff as an agent hands it in.
#[derive(Debug, Clone, PartialEq)]
pub struct NewHandoff {
    /// The session.
    pub session: String,
    /// The group.
    pub group: String,
    /// The role of the agent that hands over.
    pub agent: String,
    /// Which agent of that role.
    pub agent_id: Option<String>,
    /// What it hands over.
    pub body: Value,
}

/// What became of a handoff.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Written {
    /// The acknowledgement.
    #[serde(flatten)]
    pub saved: Saved,
    /// Who hands over.
    pub from: String,
    /// To whom.
    pub to: Option<String>,
    /// How it ended.
    pub status: String,
    /// The n-th handoff of this role in this group.
    pub version: u64,
    /// Its file.
    pub file: PathBuf,
    /// What was kept of the files that it names.
    pub artifacts: Vec<artifacts::Kept>,
    /// What to look at, though it was recorded.
    pub warnings: Vec<String>,
}

/// Records a handoff and writes its file. Paths of artifacts are looked for from `files.base`.
#[allow(clippy::needless_pass_by_value)] // what is written is given away
pub fn write(recorder: &mut Recorder, files: &Files, new: NewHandoff) -> Result<Written, OrchestrateError> {
    words::group(&new.group)?;
    let agent = words::role_name(&new.agent).to_owned();
    words::name("agent", &agent)?;
    let problems = validate(&agent, &new.body);
    if !problems.is_empty() {
        let problems = problems.iter().map(ToString::to_string).collect();
        return Err(OrchestrateError::Handoff { problems });
    }
    let mut warnings = misnamed(&new);
    let found = artifacts::find(files, &new.body, &mut warnings);
    let draft = draft(&new, &agent, found, Origin::Claimed);
    let (saved, event) = record(recorder, draft)?;
    let (version, file) = artifacts::beside(recorder, files, &event, &agent)?;
    let store = recorder.store();
    let kept = artifacts::keep(files, member(&store, &event, "artifacts")?.as_ref())?;
    Ok(Written {
        saved,
        from: header(&event, "from").unwrap_or_default(),
        to: header(&event, "to"),
        status: header(&event, "status").unwrap_or_default(),
        version,
        file,
        artifacts: kept,
        warnings,
    })
}

fn draft(new: &NewHandoff, agent: &str, artifacts: Map<String, Value>, origin: Origin) -> Draft {
    let status = new.body["status"].as_str().unwrap_or_default();
    let named = new.body["to_agent"].as_str().map(words::role_name);
    let to = named.or_else(|| route(agent, status).ok().map(|route| route.next));
    let mut draft = Draft::new(&new.session, Kind::of("handoff.made"), origin)
        .with("group", new.group.as_str())
        .with("agent", agent)
        .with("agent_id", new.agent_id.clone())
        .with("from", agent)
        .with("to", to)
        .with("status", status)
        .data("summary", summary(&new.body))
        .data("body", new.body.clone());
    if !artifacts.is_empty() {
        draft = draft.data("artifacts", Value::Object(artifacts));
    }
    draft
}

/// The summary as up to three lines.
pub(crate) fn summary(body: &Value) -> Value {
    match &body["summary"] {
        Value::Array(lines) => lines.iter().take(SUMMARY_LINES).cloned().collect(),
        Value::String(text) => {
            text.lines().map(str::trim).filter(|line| !line.is_empty()).take(SUMMARY_LINES).collect()
        }
        _ => json!([]),
    }
}

/// A body that says it belongs to another session or group.
fn misnamed(new: &NewHandoff) -> Vec<String> {
    let differs = |name: &str, wanted: &str| {
        let said = new.body[name].as_str().filter(|said| *said != wanted)?;
        Some(format!("{name} says {said:?}; it is recorded under {wanted:?}"))
    };
    [differs("session_id", &new.session), differs("group_id", &new.group)].into_iter().flatten().collect()
}

/// Where the n-th handoff of a role in a group stands below the folder of artifacts.
pub fn file_of(artifacts: &Path, session: &str, group: &str, agent: &str, version: u64) -> PathBuf {
    let name = match version {
        0 | 1 => format!("handoff_{agent}.json"),
        n => format!("handoff_{agent}.{n}.json"),
    };
    artifacts::folder(artifacts, session, group).join(name)
}

/// The role and group that the name of a handoff file means: `handoff_dev.json`, `handoff_qa_expert.2.json`,
/// or `AUTH_dev.json`, whose group is in front.
fn named(path: &Path) -> Option<(String, Option<String>)> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".json")?;
    let stem = match stem.rsplit_once('.') {
        Some((stem, version)) if version.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => stem,
    };
    if let Some(agent) = stem.strip_prefix("handoff_") {
        return Some((words::role(agent)?.name.to_owned(), None));
    }
    let roles = words::ROLES.iter().flat_map(|role| role.names().map(move |name| (name, role.name)));
    let mut fits: Vec<(&str, &str, &str)> = roles
        .filter_map(|(name, role)| Some((stem.strip_suffix(name)?.strip_suffix('_')?, name, role)))
        .filter(|(group, _, _)| !group.is_empty())
        .collect();
    fits.sort_by_key(|(_, name, _)| std::cmp::Reverse(name.len()));
    fits.first().map(|(group, _, role)| ((*role).to_owned(), Some((*group).to_owned())))
}

/// What became of a file that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// `session/sequence`, if it is a handoff.
    pub event: Option<String>,
    /// True if it stood there already.
    pub known: bool,
    /// Why it was left, or what does not fit.
    pub remarks: Vec<String>,
}

/// Takes a handoff file of either layout in: `<session>/<group>/[handoffs/]handoff_<agent>.json`, or
/// `<session>/handoffs/<group>_<agent>.json`. What its body says of session and group counts more.
pub fn import_file(recorder: &mut Recorder, root: &Path, file: &Path) -> Result<Imported, OrchestrateError> {
    let left = |why: &str| Ok(Imported { event: None, known: false, remarks: vec![why.to_owned()] });
    let Some((agent, group_in_name)) = named(file) else { return left("its name is no handoff's") };
    let Some(body) = artifacts::small_json(file)? else { return left("it is no JSON object") };
    let relative = file.strip_prefix(root).unwrap_or(file);
    let mut folders: Vec<&str> =
        relative.parent().into_iter().flat_map(Path::iter).filter_map(|p| p.to_str()).collect();
    folders.retain(|folder| *folder != "handoffs");
    let mut root_names = root.iter().filter_map(|part| part.to_str()).collect::<Vec<_>>();
    root_names.retain(|folder| *folder != "handoffs");
    root_names.append(&mut folders);
    let said = |name: &str| body[name].as_str().map(str::to_owned);
    let last = |back: usize| root_names.len().checked_sub(back).map(|at| root_names[at].to_owned());
    let (in_path, session_back) = match &group_in_name {
        Some(group) => (Some(group.clone()), 1),
        None => (last(1), 2),
    };
    let (Some(session), Some(group)) =
        (said("session_id").or_else(|| last(session_back)), said("group_id").or(in_path))
    else {
        return left("neither it nor its path says of which session and group it is");
    };
    if words::group(&group).is_err() || event::SessionId::check_caller_name(&session).is_err() {
        return left("its session or group is no name");
    }
    let remarks = validate(&agent, &body).iter().map(ToString::to_string).collect();
    let new = NewHandoff { session, group, agent: agent.clone(), agent_id: None, body };
    let mut draft = draft(&new, &agent, Map::new(), Origin::Imported);
    // keyed: nobody can guess a secret in it from the header
    draft.key = Some(recorder.derived_key(&format!("{}\n{}\n{agent}\n{}", new.session, new.group, new.body)));
    if let Some(at) = new.body["timestamp"].as_str().and_then(artifacts::instant) {
        draft = draft.with("at", at);
    }
    let (saved, _) = record(recorder, draft)?;
    Ok(Imported { event: Some(saved.event), known: saved.known, remarks })
}

/// Rank of an event among the handoffs of its role in its group.
pub(crate) fn version_of(
    asked: &Asked<'_>,
    event: &event::Event,
    agent: &str,
) -> Result<u64, OrchestrateError> {
    let rows = asked.rows("handoff", event.text("group"))?;
    let own = |row: &&recorder::Row| row.kind == "handoff.made" && row.detail.as_deref() == Some(agent);
    Ok(rows.iter().filter(own).filter(|row| row.seq <= event.seq).count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_handoff_file_is_read() {
        let read = |name: &str| named(Path::new(name));
        let of = |agent: &str, group: Option<&str>| Some((agent.to_owned(), group.map(str::to_owned)));
        assert_eq!(read("handoff_dev.json"), of("developer", None));
        assert_eq!(read("handoff_qa_expert.2.json"), of("qa_expert", None));
        assert_eq!(read("AUTH_tl.json"), of("tech_lead", Some("AUTH")));
        assert_eq!(
            read("MY_GROUP_senior_software_engineer.json"),
            of("senior_software_engineer", Some("MY_GROUP"))
        );
        assert_eq!(read("package.json"), None);
        assert_eq!(read("notes.md"), None);
    }
}
