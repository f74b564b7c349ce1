//! `recount hook install|remove|status`: our entries in an agent's settings.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use capture::Agent;
use capture::settings::{self, Installed, SettingsError};
use serde_json::json;

use super::traces::{self, Written};
use crate::args::{HookChange, HookStatus};
use crate::erasing::confirm;
use crate::failure::{Failure, USAGE};
use crate::harmless::harmless;
use crate::output::Output;
use crate::place;
use crate::table::Table;
use crate::unsaid::{unsaid, unsaid_path};

/// How an agent's hooks stand.
pub(crate) struct Standing {
    pub(crate) agent: Agent,
    pub(crate) file: PathBuf,
    /// Whether the agent's folder is there.
    pub(crate) present: bool,
    /// What stands in its settings, or why they cannot be read.
    pub(crate) installed: Result<Installed, String>,
    pub(crate) last: Option<(String, String)>,
    pub(crate) failures: Vec<traces::Failed>,
}

/// How the hooks of an agent stand.
pub(crate) fn standing(agent: Agent) -> Result<Standing, Failure> {
    let file = settings_of(agent)?;
    let present = file.parent().is_some_and(Path::is_dir);
    let text = read(&file)?.unwrap_or_default();
    let installed = settings::installed(agent, &text).map_err(|error| error.to_string());
    let failures = traces::failures().into_iter().filter(|failed| failed.agent == agent.name()).collect();
    Ok(Standing { agent, file, present, installed, last: traces::last_fired(agent), failures })
}

/// The agent's own settings, where its variable moved them if it is set.
fn settings_of(agent: Agent) -> Result<PathBuf, Failure> {
    let (variable, folder, file) = agent.settings();
    let moved = variable.and_then(std::env::var_os).filter(|v| !v.is_empty()).map(PathBuf::from);
    let folder = match moved {
        Some(folder) => folder,
        None => place::home()?.join(folder),
    };
    Ok(folder.join(file))
}

fn chosen(args: &HookChange) -> Result<PathBuf, Failure> {
    let file = args.file.clone().map_or_else(|| settings_of(args.agent), Ok)?;
    // what is changed is the file, wherever a link to it stands
    match fs::canonicalize(&file) {
        Ok(file) => Ok(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            std::path::absolute(&file).map_err(|e| Failure::io("resolve the settings", &e))
        }
        Err(error) => Err(Failure::io(&format!("read {}", file.display()), &error)),
    }
}

fn read(file: &Path) -> Result<Option<String>, Failure> {
    match fs::read(file) {
        Ok(bytes) => String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| Failure::new(USAGE, format!("{} is no text", unsaid_path(file)))),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(Failure::io(&format!("read {}", unsaid_path(file)), &error)),
    }
}

fn refused(file: &Path) -> impl Fn(SettingsError) -> Failure + '_ {
    |error| {
        Failure::new(USAGE, format!("{}: {error}", unsaid_path(file)))
            .hint("nothing was changed; put it right by hand, or name other settings with --file")
    }
}

pub(super) fn install(args: &HookChange, out: &mut Output) -> Result<u8, Failure> {
    let file = chosen(args)?;
    let before = read(&file)?;
    let text = before.as_deref().unwrap_or_default();
    let after = settings::install(args.agent, text, &command(args.agent)?).map_err(refused(&file))?;
    if after == text {
        out.line(&format!("the hooks stand in {} already", shown(&file)))?;
        return Ok(0);
    }
    show(&file, text, &after, out)?;
    confirm(args.yes, &format!("write this to {}?", file.display()))?;
    let known = traces::written(&file).filter(|written| written.hash == hash(text));
    // settings that are still ours keep the backup of what was there before us
    let backup = match known {
        Some(written) => written.backup,
        None => before.as_deref().map(|text| keep(&file, text)).transpose()?,
    };
    write(&file, &after)?;
    traces::wrote(&file, &Written { hash: hash(&after), backup: backup.clone() })?;
    out.line(&format!("installed in {}", shown(&file)))?;
    if let Some(backup) = backup {
        out.line(&format!("as it was: {}", shown(&backup)))?;
    }
    if args.agent == Agent::Codex {
        out.line("Codex asks before it trusts new hooks: /hooks in Codex shows them")?;
    }
    Ok(0)
}

pub(super) fn remove(args: &HookChange, out: &mut Output) -> Result<u8, Failure> {
    let file = chosen(args)?;
    let Some(text) = read(&file)? else {
        out.line(&format!("there is no {}", shown(&file)))?;
        return Ok(0);
    };
    let untouched = traces::written(&file).filter(|written| written.hash == hash(&text));
    let after = match &untouched {
        Some(Written { backup: None, .. }) => None,
        Some(Written { backup: Some(backup), .. }) if backup.is_file() => read(backup)?,
        _ => {
            let (after, removed) = settings::remove(args.agent, &text).map_err(refused(&file))?;
            if removed == 0 {
                out.line(&format!("no hook of ours stands in {}", shown(&file)))?;
                return Ok(0);
            }
            Some(after)
        }
    };
    show(&file, &text, after.as_deref().unwrap_or_default(), out)?;
    confirm(args.yes, &format!("write this to {}?", file.display()))?;
    match &after {
        Some(after) => write(&file, after)?,
        None => fs::remove_file(&file).map_err(|e| Failure::io(&format!("remove {}", file.display()), &e))?,
    }
    if let Some(Written { backup: Some(backup), .. }) = &untouched {
        let _ = fs::remove_file(backup);
    }
    traces::forget(&file);
    out.line(&match (&after, untouched.is_some()) {
        (None, _) => format!("removed {}, which was made for the hooks", shown(&file)),
        (Some(_), true) => format!("{} is as it was before the hooks", shown(&file)),
        (Some(_), false) => format!("our hooks are out of {}; the rest stays as it is", shown(&file)),
    })?;
    Ok(0)
}

pub(super) fn status(args: &HookStatus, out: &mut Output) -> Result<u8, Failure> {
    let agents = Agent::ALL.into_iter().filter(|agent| args.agent.is_none_or(|only| only == *agent));
    let all: Vec<Standing> = agents.map(standing).collect::<Result<_, _>>()?;
    if out.json {
        let list: Vec<_> = all.iter().map(json_standing).collect();
        out.document("recount.hook-status/1", &json!({}), true, json!({"agents": list}))?;
        return Ok(0);
    }
    let mut table = Table::new(&["agent", "hooks", "fired last", "errors", "settings"]);
    for standing in &all {
        table.row(vec![
            standing.agent.name().into(),
            standing.said().into(),
            standing.last.as_ref().map_or("never".to_owned(), |(at, event)| format!("{at} ({event})")).into(),
            standing.failures.len().to_string().into(),
            unsaid_path(&standing.file).into(),
        ]);
    }
    out.table(&table)?;
    let latest = all.iter().filter_map(|standing| standing.failures.last());
    for failed in latest {
        eprintln!("{} at {}: {}", failed.agent, failed.at, harmless(&failed.error));
    }
    Ok(0)
}

fn json_standing(standing: &Standing) -> serde_json::Value {
    let installed = standing.installed.as_ref().ok();
    let last = standing.last.as_ref().map(|(at, event)| json!({"at": at, "event": event}));
    let errors: Vec<_> =
        standing.failures.iter().map(|failed| json!({"at": failed.at, "error": failed.error})).collect();
    json!({
        "agent": standing.agent.name(), "settings": unsaid_path(&standing.file), "present": standing.present,
        "events": installed.map(|i| &i.events), "missing": installed.map(|i| &i.missing),
        "commands": installed.map(|i| i.commands.iter().map(|c| unsaid(c)).collect::<Vec<_>>()),
        "unreadable": standing.installed.as_ref().err(), "last": last, "errors": errors,
    })
}

impl Standing {
    /// In a few words.
    pub(crate) fn said(&self) -> String {
        match &self.installed {
            Err(error) => error.clone(),
            Ok(_) if !self.present => "no such agent here".to_owned(),
            Ok(installed) if installed.events.is_empty() => "not installed".to_owned(),
            Ok(installed) if installed.missing.is_empty() => "installed".to_owned(),
            Ok(installed) => format!("installed, but not for {}", installed.missing.join(", ")),
        }
    }
}

/// The command that stands in settings: the bare name where that finds this program, else its path.
fn command(agent: Agent) -> Result<String, Failure> {
    let own = std::env::current_exe().map_err(|e| Failure::io("find this program", &e))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("recount")).find(|file| file.is_file());
    let same = found.is_some_and(|found| fs::canonicalize(found).ok() == fs::canonicalize(&own).ok());
    let program = if same { "recount".to_owned() } else { quoted(&own.to_string_lossy()) };
    Ok(format!("{program} hook {}", agent.name()))
}

/// As a shell reads it: agents hand commands to one.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '@');
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

fn show(file: &Path, before: &str, after: &str, out: &mut Output) -> Result<(), Failure> {
    for line in settings::diff(&unsaid_path(file), before, after).lines() {
        out.line(&harmless(&unsaid(line)))?;
    }
    out.flush()
}

fn shown(file: &Path) -> String {
    harmless(&unsaid_path(file))
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Keeps the settings as they are, beside them, under the first free name.
fn keep(file: &Path, text: &str) -> Result<PathBuf, Failure> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let names = (1..).map(|n| if n == 1 { String::new() } else { format!("-{n}") });
    let mut paths = names.map(|n| file.with_file_name(format!("{name}.before-recount{n}")));
    let fail = |e: io::Error| Failure::io(&format!("keep {} as it is", file.display()), &e);
    let path = paths.find(|path| !path.exists()).ok_or_else(|| fail(io::ErrorKind::AlreadyExists.into()))?;
    put(&path, text, mode(file)).map_err(fail)?;
    Ok(path)
}

/// Written aside and renamed, so that the agent reads the old settings or the new ones.
fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let fail = |e: io::Error| Failure::io(&format!("write {}", file.display()), &e);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(fail)?;
    }
    let aside = file.with_extension(format!("recount-{}", std::process::id()));
    put(&aside, text, mode(file)).and_then(|()| fs::rename(&aside, file)).map_err(|error| {
        let _ = fs::remove_file(&aside);
        fail(error)
    })
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).map_or(0o600, |meta| meta.permissions().mode() & 0o777)
}

fn put(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
