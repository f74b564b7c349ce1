//! Files beside the journal: what agents read with their own tools. Copies of what is stored, never the truth.
//!
//! ```text
//! <artifacts>/<session>/<group>/handoffs/handoff_<agent>.json      the first handoff of a role in a group
//! <artifacts>/<session>/<group>/handoffs/handoff_<agent>.2.json    the second; the first stays
//! <artifacts>/<session>/<group>/handoffs/handoff_<agent>.latest    the name of the newest, and its event
//! <artifacts>/by-hash/<64 hex>                                     redacted content by its BLAKE3
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use event::{Event, SessionId};
use recorder::Recorder;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::error::{Context as _, OrchestrateError};
use crate::handoff::{file_of, version_of};
use crate::house::Asked;

/// A larger file is named and not kept.
const MAX_BYTES: u64 = 16 << 20;

/// Where files are.
#[derive(Debug, Clone)]
pub struct Files {
    /// The folder that ours are written to.
    pub artifacts: PathBuf,
    /// What relative paths in a handoff are relative to.
    pub base: PathBuf,
}

/// A file that a handoff names, kept by its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// As the handoff calls it.
    pub name: String,
    /// Its path, as the handoff has it.
    pub path: String,
    /// BLAKE3 of what was kept, which is redacted.
    pub hash: String,
    /// Bytes of what was kept.
    pub bytes: u64,
    /// Where it was kept.
    pub file: PathBuf,
}

/// The folder of a group's handoffs.
pub(crate) fn folder(artifacts: &Path, session: &str, group: &str) -> PathBuf {
    artifacts.join(part(session)).join(part(group)).join("handoffs")
}

/// What is stored may have a mark of the redactor in it; a path has none.
fn part(name: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    name.chars().map(fit).collect()
}

/// Reads the files that a handoff names; one that is not there is a warning.
pub(crate) fn find(files: &Files, body: &Value, warnings: &mut Vec<String>) -> Map<String, Value> {
    let mut found = Map::new();
    let named = body["artifacts"].as_object().into_iter().flatten();
    for (name, path) in named.filter_map(|(name, path)| Some((name, path.as_str()?))) {
        match content(&files.base.join(path)) {
            Ok(content) => {
                found.insert(name.clone(), json!({"path": path, "content": content}));
            }
            Err(why) => warnings.push(format!("artifact {name:?} is not kept: {path} {why}")),
        }
    }
    found
}

/// A text as it is, any other file as base64.
fn content(path: &Path) -> Result<String, &'static str> {
    let meta = fs::metadata(path).map_err(|_| "is not there")?;
    if !meta.is_file() {
        return Err("is no file");
    }
    if meta.len() > MAX_BYTES {
        return Err("is larger than 16 MiB");
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    read.map_err(|_| "cannot be read")?;
    String::from_utf8(bytes).map_err(|_| "is no text")
}

/// Keeps the stored content of files under its hash.
pub(crate) fn keep(files: &Files, stored: Option<&Value>) -> Result<Vec<Kept>, OrchestrateError> {
    let mut kept = Vec::new();
    for (name, file) in stored.and_then(Value::as_object).into_iter().flatten() {
        let (Some(path), Some(content)) = (file["path"].as_str(), file["content"].as_str()) else { continue };
        let hash = blake3::hash(content.as_bytes()).to_hex().to_string();
        let place = kept_at(&files.artifacts, content);
        if !place.exists() {
            replace(&place, content.as_bytes())?;
        }
        let bytes = content.len() as u64;
        kept.push(Kept { name: name.clone(), path: path.to_owned(), hash, bytes, file: place });
    }
    Ok(kept)
}

/// Where content is kept.
pub(crate) fn kept_at(artifacts: &Path, content: &str) -> PathBuf {
    artifacts.join("by-hash").join(&*blake3::hash(content.as_bytes()).to_hex())
}

/// Removes the pointer to the newest handoff if it names this file, which is gone.
pub(crate) fn forget_pointer(file: &Path) -> Result<(), OrchestrateError> {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name().and_then(|name| name.to_str())) else {
        return Ok(());
    };
    let Some(role) = name.strip_suffix(".json") else { return Ok(()) };
    let role = role.split_once('.').map_or(role, |(role, _)| role);
    let pointer = folder.join(format!("{role}.latest"));
    match small_json(&pointer)? {
        Some(known) if known["file"] == name => fs::remove_file(&pointer).at("remove", &pointer),
        _ => Ok(()),
    }
}

/// Writes the file of a handoff from what is stored, and the pointer to the newest. One at a time in a folder,
/// so that the pointer never goes back.
pub(crate) fn beside(
    recorder: &Recorder,
    files: &Files,
    event: &Event,
    agent: &str,
) -> Result<(u64, PathBuf), OrchestrateError> {
    let (session, group) = (event.session.as_str(), event.text("group").unwrap_or("global"));
    let folder = folder(&files.artifacts, session, group);
    fs::create_dir_all(&folder).at("make", &folder)?;
    let _turn = turn(&folder)?;
    let store = recorder.store();
    let asked = Asked::about(&store, session, &["handoff"])?;
    let version = version_of(&asked, event, agent)?;
    let body = asked.member(event, "body")?.unwrap_or(Value::Null);
    let file = file_of(&files.artifacts, session, group, agent, version);
    replace(&file, pretty(&body).as_bytes())?;
    let pointer = folder.join(format!("handoff_{agent}.latest"));
    let newest = small_json(&pointer)?.and_then(|known| known["version"].as_u64()).unwrap_or(0);
    if version >= newest {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        let known = json!({"file": name, "version": version, "event": event.name(), "hash": event.hash});
        replace(&pointer, pretty(&known).as_bytes())?;
    }
    Ok((version, file))
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn turn(folder: &Path) -> Result<File, OrchestrateError> {
    let path = folder.join(".lock");
    let file = OpenOptions::new().create(true).append(true).open(&path).at("open", &path)?;
    file.lock().at("lock", &path)?;
    Ok(file)
}

/// Written aside, synced and renamed: no reader sees half of it.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), OrchestrateError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).at("make", folder)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let aside = folder.join(format!(".{}-{name}", std::process::id()));
    let written = File::create(&aside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&aside, path));
    if written.is_err() {
        let _ = fs::remove_file(&aside);
    }
    written.at("write", path)
}

/// A JSON object in a file; `None` when there is no such file, or it holds something else.
pub(crate) fn small_json(path: &Path) -> Result<Option<Value>, OrchestrateError> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_file() && meta.len() <= MAX_BYTES => {}
        _ => return Ok(None),
    }
    let bytes = fs::read(path).at("read", path)?;
    Ok(serde_json::from_slice(&bytes).ok().filter(Value::is_object))
}

/// Where a role's newest handoff of a group stands, if it was written here.
pub(crate) fn newest(files: &Path, session: &SessionId, group: &str, agent: &str) -> Option<PathBuf> {
    let folder = folder(files, session.as_str(), group);
    let pointer = small_json(&folder.join(format!("handoff_{agent}.latest"))).ok()??;
    let name = Path::new(pointer["file"].as_str()?).file_name()?.to_owned();
    Some(folder.join(name)).filter(|file| file.is_file())
}

/// An instant as headers have it.
pub(crate) fn instant(text: &str) -> Option<String> {
    let whole = text.len() >= 20 && text.ends_with('Z') && text.as_bytes().get(10) == Some(&b'T');
    whole.then(|| {
        let (second, fraction) =
            text[..text.len() - 1].split_once('.').unwrap_or((&text[..text.len() - 1], ""));
        let fraction: String = fraction.chars().chain("000000".chars()).take(6).collect();
        format!("{second}.{fraction}Z")
    })
}
