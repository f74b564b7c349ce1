//! The agents beside us: whether their hooks work, and what of theirs is lost unless it is taken in.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use capture::Agent;
use import::{IMPORTERS, untaken};
use recorder::{Rehearsal, Store};
use serde_json::Value;

use super::Check;
use crate::args::KnownValues;
use crate::commands::hook::{Standing, standing};
use crate::commands::import::transcripts;
use crate::failure::Failure;
use crate::place;

/// What Claude Code does where its settings don't say.
const KEPT_DAYS: u64 = 30;
/// What is deleted so soon should be taken in now.
const SOON: Duration = Duration::from_hours(7 * 24);
const DAY: Duration = Duration::from_hours(24);

/// One check for each thing of each agent that is here.
pub(super) fn checks(store: &Store) -> Result<Vec<Check>, Failure> {
    let mut checks = Vec::new();
    for agent in Agent::ALL {
        let standing = standing(agent)?;
        if standing.present {
            checks.push(hooks(&standing));
        }
    }
    let Some(claude) = IMPORTERS.iter().find(|importer| importer.name() == Agent::ClaudeCode.name()) else {
        return Ok(checks);
    };
    let folder = transcripts(*claude)?;
    if folder.is_dir() {
        let settings = settings(&folder);
        checks.push(kept(store, &folder, &settings)?);
        checks.push(thinking(store, &settings)?);
    }
    Ok(checks)
}

fn hooks(standing: &Standing) -> Check {
    let agent = standing.agent.name();
    let last = match &standing.last {
        Some((at, event)) => format!("fired last at {at} ({event})"),
        None => "never fired".to_owned(),
    };
    // errors before the hook was last well are past
    let fired = standing.last.as_ref().map_or("", |(at, _)| at.as_str());
    let failed = standing.failures.iter().rfind(|failed| failed.at.as_str() >= fired);
    let error = failed.map_or_else(String::new, |f| format!("; failed at {}: {}", f.at, f.error));
    let named = match standing.agent {
        Agent::ClaudeCode => "hooks of claude-code",
        Agent::Codex => "hooks of codex",
        Agent::Gemini => "hooks of gemini",
    };
    let there = standing.installed.as_ref().is_ok_and(|installed| !installed.events.is_empty());
    let said = if there {
        format!("{}, {last}{error}", standing.said())
    } else {
        format!("{}; `recount hook install {agent}` records while {agent} works{error}", standing.said())
    };
    // who wants no hooks needs none: transcripts can be taken in later
    Check { name: named, good: standing.installed.is_ok() && (!there || failed.is_none()), said }
}

/// The settings beside the transcripts.
fn settings(transcripts: &Path) -> Value {
    let file = transcripts.parent().map(|folder| folder.join("settings.json"));
    let text = file.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Transcripts are deleted by those who write them.
fn kept(store: &Store, folder: &Path, settings: &Value) -> Result<Check, Failure> {
    let days = settings["cleanupPeriodDays"].as_u64().unwrap_or(KEPT_DAYS);
    let redactor =
        place::redactor(&place::keys_to_read(store.journal().store_id())?, &KnownValues::default())?;
    let rehearsal = Rehearsal::new(&redactor, Some(store));
    let (all, open) = untaken(&[folder.to_owned()], &rehearsal)
        .map_err(|error| Failure::io(&format!("read {}", folder.display()), &error))?;
    let kept = DAY.saturating_mul(u32::try_from(days).unwrap_or(u32::MAX));
    let soon = open.iter().filter(|file| is_due(file, kept)).count();
    let said = format!(
        "{all} here, {} not taken in, {soon} of those deleted within 7 days (cleanupPeriodDays is {days}){}",
        open.len(),
        if open.is_empty() {
            ""
        } else {
            "; `recount import claude-code` takes them in, `recount capture` as they grow"
        },
    );
    Ok(Check { name: "transcripts of claude-code", good: soon == 0, said })
}

fn is_due(file: &PathBuf, kept: Duration) -> bool {
    let modified = std::fs::metadata(file).and_then(|meta| meta.modified());
    let age = modified.map(|at| SystemTime::now().duration_since(at).unwrap_or_default());
    age.is_ok_and(|age| age.saturating_add(SOON) >= kept)
}

/// Blocks of thinking that came without their text, and what brings it back.
fn thinking(store: &Store, settings: &Value) -> Result<Check, Failure> {
    let (mut all, mut withheld) = (0_u64, 0_u64);
    let views = store.views_of_all()?;
    for session in store.journal().sessions()? {
        for row in views.thinking(&session).map_err(recorder::RecorderError::from)? {
            all += 1;
            withheld += u64::from(matches!(row.detail.as_deref(), Some("empty" | "encrypted")));
        }
    }
    let shown = settings["showThinkingSummaries"].as_bool().unwrap_or(false);
    let what = if shown {
        "showThinkingSummaries is on"
    } else {
        "\"showThinkingSummaries\": true in Claude Code's settings.json brings summaries back (headless: --thinking-display summarized)"
    };
    let said = format!("{withheld} of {all} recorded blocks were withheld by the provider; {what}");
    Ok(Check { name: "thinking", good: true, said })
}
