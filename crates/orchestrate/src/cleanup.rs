//! Old copies beside the journal: files of handoffs, and what was kept of the files that they name. What is
//! removed is said in its session with its hash; the journal has it still.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use event::{Draft, Kind, Origin, SessionId};
use recorder::{Recorder, Row, Store};
use serde::Serialize;
use serde_json::{Value, json};

use crate::artifacts;
use crate::error::{Context as _, OrchestrateError};
use crate::handoff::file_of;
use crate::house::Asked;
use crate::told::record;

const DROPPED: &str = "x.artifacts_dropped";

/// A copy beside the journal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Copy {
    /// Where it stands.
    pub file: PathBuf,
    /// BLAKE3 of what stands there.
    pub hash: String,
    /// Its length.
    pub bytes: u64,
}

/// The copies that a handoff left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Left {
    /// `session/sequence`.
    pub event: String,
    /// The session.
    #[serde(skip)]
    pub session: SessionId,
    /// The handoff.
    #[serde(skip)]
    pub seq: u64,
    /// The group.
    pub group: Option<String>,
    /// When it was made, microseconds since 1970.
    #[serde(skip)]
    pub time: i64,
    /// The files, those that others need as well left out.
    pub copies: Vec<Copy>,
}

/// Copies of handoffs that were made before an instant and that no later handoff names.
pub fn old(store: &Store, files: &Path, before: i64) -> Result<Vec<Left>, OrchestrateError> {
    let mut all = Vec::new();
    for session in store.journal().sessions()? {
        all.extend(left_by(store, files, &session)?);
    }
    Ok(without(all, &|left| left.time < before))
}

/// Copies of some handoffs of a session that no other handoff of the store names.
pub fn of(store: &Store, files: &Path, handoffs: &[(SessionId, u64)]) -> Result<Vec<Left>, OrchestrateError> {
    let mut all = Vec::new();
    for session in store.journal().sessions()? {
        all.extend(left_by(store, files, &session)?);
    }
    Ok(without(all, &|left| {
        handoffs.iter().any(|(session, seq)| *session == left.session && *seq == left.seq)
    }))
}

/// Those that go, without the files that those who stay name as well.
fn without(all: Vec<Left>, goes: &dyn Fn(&Left) -> bool) -> Vec<Left> {
    let (go, stay): (Vec<Left>, Vec<Left>) = all.into_iter().partition(goes);
    let needed: BTreeSet<&Path> = stay.iter().flat_map(|left| &left.copies).map(|copy| &*copy.file).collect();
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    let mut out = Vec::new();
    for mut left in go {
        left.copies.retain(|copy| !needed.contains(&*copy.file) && seen.insert(copy.file.clone()));
        if !left.copies.is_empty() {
            out.push(left);
        }
    }
    out
}

/// What each handoff of a session left.
fn left_by(store: &Store, files: &Path, session: &SessionId) -> Result<Vec<Left>, OrchestrateError> {
    let mut asked = Asked::about(store, session.as_str(), &["handoff"])?;
    let mut versions: BTreeMap<(Option<String>, Option<String>), u64> = BTreeMap::new();
    let mut all = Vec::new();
    let mut rows = asked.rows("handoff", None)?;
    rows.retain(|row| row.kind == "handoff.made");
    for row in &rows {
        let version = versions.entry((row.group.clone(), row.detail.clone())).or_default();
        *version += 1;
        let mut copies: Vec<Copy> = copy(own_file(files, row, *version)).into_iter().collect();
        copies.extend(kept(&mut asked, files, row)?);
        let (event, group) = (format!("{session}/{}", row.seq), row.group.clone());
        all.push(Left { event, session: session.clone(), seq: row.seq, group, time: row.time, copies });
    }
    Ok(all)
}

fn own_file(files: &Path, row: &Row, version: u64) -> PathBuf {
    let group = row.group.as_deref().unwrap_or("global");
    file_of(files, &row.session, group, row.detail.as_deref().unwrap_or_default(), version)
}

/// What is kept of the files that a handoff names; nothing of one that is erased or damaged.
fn kept(asked: &mut Asked<'_>, files: &Path, row: &Row) -> Result<Vec<Copy>, OrchestrateError> {
    let Ok(event) = asked.event(row) else { return Ok(Vec::new()) };
    let stored = asked.member(&event, "artifacts")?;
    let contents = stored.as_ref().and_then(Value::as_object).into_iter().flatten();
    let contents = contents.filter_map(|(_, file)| file["content"].as_str());
    Ok(contents.filter_map(|content| copy(artifacts::kept_at(files, content))).collect())
}

fn copy(file: PathBuf) -> Option<Copy> {
    let bytes = fs::read(&file).ok()?;
    Some(Copy { file, hash: blake3::hash(&bytes).to_hex().to_string(), bytes: bytes.len() as u64 })
}

/// Says in each session what goes, then removes it. How many files that were.
pub fn drop_files(recorder: &mut Recorder, old: &[Left]) -> Result<u64, OrchestrateError> {
    let mut dropped = 0;
    for left in old {
        let name = |copy: &Copy| copy.file.file_name().map(|name| name.to_string_lossy().into_owned());
        let files: Vec<Value> = left
            .copies
            .iter()
            .map(|copy| json!({"file": name(copy), "hash": copy.hash, "bytes": copy.bytes}))
            .collect();
        let draft = Draft::new(left.session.as_str(), Kind::stored(DROPPED), Origin::Observed)
            .with("group", left.group.clone())
            .with("cause", left.seq)
            .data("body", json!({"files": files}));
        record(recorder, draft)?;
        dropped += remove(&left.copies)?;
    }
    Ok(dropped)
}

/// Removes files, and the pointers that named them.
pub fn remove(copies: &[Copy]) -> Result<u64, OrchestrateError> {
    let mut removed = 0;
    for copy in copies {
        match fs::remove_file(&copy.file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).at("remove", &copy.file);
            }
            gone => removed += u64::from(gone.is_ok()),
        }
        artifacts::forget_pointer(&copy.file)?;
    }
    Ok(removed)
}
