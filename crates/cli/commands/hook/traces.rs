//! What hooks leave behind for people: when they fired last, and what went wrong. In the user's state folder;
//! words of ours, names of events that we know, and errors without the secrets in them.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::time::Duration;

use capture::{Agent, Announced};
use serde_json::{Map, Value, json};
use world::{Clock as _, RealClock, rfc3339};

use crate::failure::Failure;
use crate::place;
use crate::unsaid::unsaid;

/// A longer log is set aside; the one before goes.
const MAX_LOG_BYTES: u64 = 256 * 1024;
/// A longer word is no name of a model.
const MAX_WORD_BYTES: usize = 128;
/// A session that has not begun by then does not begin any more.
const LONGEST_WAIT: Duration = Duration::from_hours(24);

/// An error of a hook.
pub(crate) struct Failed {
    pub(crate) at: String,
    pub(crate) agent: String,
    pub(crate) error: String,
}

fn folder() -> Result<PathBuf, Failure> {
    place::state("recount/hooks")
}

fn log() -> Result<PathBuf, Failure> {
    Ok(folder()?.join("errors.ndjson"))
}

/// Notes that a hook fired. Nobody waits for it to be durable.
pub(crate) fn fired(agent: Agent, event: Option<&'static str>) {
    let Ok(folder) = folder() else { return };
    let text = format!("{} {}\n", rfc3339(RealClock.now()), event.unwrap_or("-"));
    let path = folder.join(agent.name()).with_extension("last");
    let write = || OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path);
    let written = write().or_else(|_| make(&folder).and_then(|()| write()));
    let _ = written.and_then(|mut file| file.write_all(text.as_bytes()));
}

/// When a hook of the agent fired last, and for which event.
pub(crate) fn last_fired(agent: Agent) -> Option<(String, String)> {
    let text = fs::read_to_string(folder().ok()?.join(agent.name()).with_extension("last")).ok()?;
    let (at, event) = text.trim().split_once(' ')?;
    Some((at.to_owned(), event.to_owned()))
}

/// Where announcements wait for the first content of their sessions.
fn announcements() -> Result<PathBuf, Failure> {
    Ok(folder()?.join("announced"))
}

/// Keeps what was announced of a session until it begins. Many never do: those of other days go.
pub(crate) fn announce(name: &str, announced: &Announced) {
    let Ok(folder) = announcements() else { return };
    let known = |word: &str| word.len() <= MAX_WORD_BYTES && unsaid(word) == word;
    let words = announced.words.iter().filter(|(_, word)| known(word));
    let words: Map<String, Value> =
        words.map(|(name, word)| ((*name).to_owned(), word.as_str().into())).collect();
    if words.is_empty() || make(&folder).is_err() {
        return;
    }
    for old in fs::read_dir(&folder).into_iter().flatten().flatten() {
        let age = old.metadata().and_then(|meta| meta.modified()).ok().and_then(|then| then.elapsed().ok());
        if age.is_some_and(|age| age > LONGEST_WAIT) {
            let _ = fs::remove_file(old.path());
        }
    }
    let open = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(folder.join(name));
    let _ = open.and_then(|mut file| file.write_all(Value::Object(words).to_string().as_bytes()));
}

/// What was announced; empty if nothing was.
pub(crate) fn announced(name: &str) -> Map<String, Value> {
    let text = announcements().ok().and_then(|folder| fs::read_to_string(folder.join(name)).ok());
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Its session has begun.
pub(crate) fn forget_announced(name: &str) {
    let _ = announcements().map(|folder| fs::remove_file(folder.join(name)));
}

/// Notes what went wrong. Where not even that can be written, nobody is told: an agent must not be stopped.
pub(crate) fn failed(agent: Agent, event: Option<&'static str>, error: &str) {
    let line = json!({
        "at": rfc3339(RealClock.now()), "agent": agent.name(), "event": event, "error": unsaid(error),
    });
    let _ = append(&line);
}

fn append(line: &Value) -> io::Result<()> {
    let (Ok(folder), Ok(log)) = (folder(), log()) else { return Ok(()) };
    make(&folder)?;
    if fs::metadata(&log).is_ok_and(|meta| meta.len() > MAX_LOG_BYTES) {
        fs::rename(&log, log.with_extension("ndjson.1"))?;
    }
    let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(log)?;
    file.write_all(format!("{line}\n").as_bytes())
}

fn make(folder: &std::path::Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// What went wrong, the latest last.
pub(crate) fn failures() -> Vec<Failed> {
    let text = log().ok().and_then(|log| fs::read_to_string(log).ok()).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let text = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
    lines
        .map(|line| Failed {
            at: text(&line, "at"),
            agent: text(&line, "agent"),
            error: text(&line, "error"),
        })
        .collect()
}

/// What was written into settings, so that they can be put back as they were.
pub(crate) struct Written {
    /// Hash of the settings as we left them.
    pub(crate) hash: String,
    /// Where they are as they were; `None` if there was no file.
    pub(crate) backup: Option<PathBuf>,
}

fn note_of(settings: &std::path::Path) -> Result<PathBuf, Failure> {
    let name = blake3::hash(settings.as_os_str().as_encoded_bytes()).to_hex();
    Ok(folder()?.join(format!("settings-{}.json", &name[..16])))
}

/// Remembers it.
pub(crate) fn wrote(settings: &std::path::Path, written: &Written) -> Result<(), Failure> {
    let note = note_of(settings)?;
    let text = json!({"hash": written.hash, "backup": written.backup}).to_string();
    let fail = |e: io::Error| Failure::io(&format!("write {}", note.display()), &e);
    make(&folder()?).map_err(fail)?;
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&note);
    file.as_mut()
        .map_or_else(|e| Err(io::Error::from(e.kind())), |f| f.write_all(text.as_bytes()))
        .map_err(fail)
}

/// What was remembered of these settings.
pub(crate) fn written(settings: &std::path::Path) -> Option<Written> {
    let text = fs::read_to_string(note_of(settings).ok()?).ok()?;
    let note: Value = serde_json::from_str(&text).ok()?;
    let backup = note["backup"].as_str().map(PathBuf::from);
    Some(Written { hash: note["hash"].as_str()?.to_owned(), backup })
}

/// Forgets it.
pub(crate) fn forget(settings: &std::path::Path) {
    let _ = note_of(settings).map(fs::remove_file);
}
