//! What the commands of a team have in common: recording with seals, lists, and the project's settings.

use std::collections::BTreeMap;

use orchestrate::digest::{Matrix, Tokenizer};
use orchestrate::handoff::ORDER;
use orchestrate::{OrchestrateError, Saved};
use recorder::{Durability, Recorder};
use serde::{Deserialize, Serialize};

use crate::args::Global;
use crate::args::team::{Saving, TokenizerName};
use crate::failure::Failure;
use crate::harmless::harmless_json;
use crate::output::Output;
use crate::place;
use crate::seals::Seals;

/// Records something and seals what is due.
pub(crate) fn record<T>(
    global: &Global,
    known: &crate::args::KnownValues,
    work: impl FnOnce(&mut Recorder) -> Result<T, OrchestrateError>,
) -> Result<T, Failure> {
    let mut recorder = place::recorder(global, Durability::Always, known)?;
    let done = work(&mut recorder);
    // what was recorded before something failed is sealed as well
    Seals::new(&recorder)?.leave(&mut recorder);
    Ok(done?)
}

/// Prints an acknowledgement as one line of JSON, or the event's name alone.
pub(crate) fn acknowledge<T: Serialize>(
    out: &mut Output,
    saving: &Saving,
    saved: &Saved,
    answer: &T,
) -> Result<u8, Failure> {
    if saving.quiet {
        out.line(&saved.event)?;
    } else {
        line(out, answer)?;
    }
    out.flush()?;
    Ok(0)
}

/// One line of JSON that no terminal can misread.
pub(crate) fn line<T: Serialize>(out: &mut Output, answer: &T) -> Result<(), Failure> {
    let json = serde_json::to_string(answer).map_err(|e| Failure::usage(e.to_string()))?;
    out.line(&harmless_json(&json))
}

/// A JSON array, an entry a line.
pub(crate) fn array<T: Serialize>(out: &mut Output, entries: &[T]) -> Result<(), Failure> {
    if entries.is_empty() {
        return out.line("[]");
    }
    for (at, entry) in entries.iter().enumerate() {
        let json = serde_json::to_string(entry).map_err(|e| Failure::usage(e.to_string()))?;
        out.text(if at == 0 { "[" } else { ",\n" })?;
        out.text(&harmless_json(&json))?;
    }
    out.line("]")
}

/// The tokenizer that was named.
pub(crate) fn tokenizer(name: TokenizerName) -> Tokenizer {
    match name {
        TokenizerName::O200k => Tokenizer::O200k,
        TokenizerName::Bytes4 => Tokenizer::Bytes4,
    }
}

/// The settings of a project, as far as a cloned repository may have any.
#[derive(Debug, Default, Deserialize)]
struct Settings {
    #[serde(default)]
    digest: DigestSettings,
    #[serde(default)]
    chain: ChainSettings,
}

#[derive(Debug, Default, Deserialize)]
struct ChainSettings {
    /// The order of roles, e.g. `order = ["developer", "tech_lead", "project_manager"]`.
    order: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
struct DigestSettings {
    /// Role → what it is told, e.g. `qa_expert = ["developer: understanding completion"]`.
    #[serde(default)]
    matrix: BTreeMap<String, Vec<String>>,
}

/// The settings of the project, and what to say of a bad one.
fn settings() -> Result<Option<(Settings, impl Fn(String) -> Failure)>, Failure> {
    let Some((file, text)) = place::project_settings()? else { return Ok(None) };
    let bad = move |what: String| Failure::usage(format!("{}: {what}", file.display()));
    let settings: Settings = toml::from_str(&text).map_err(|error| bad(error.message().to_owned()))?;
    Ok(Some((settings, bad)))
}

/// The roles that a group's work goes through, in order: the project's, or the usual ones.
pub(crate) fn chain_order() -> Result<Vec<String>, Failure> {
    let Some((settings, bad)) = settings()? else { return Ok(ORDER.map(str::to_owned).to_vec()) };
    let Some(order) = settings.chain.order else { return Ok(ORDER.map(str::to_owned).to_vec()) };
    let mut roles: Vec<String> = Vec::new();
    for role in order {
        orchestrate::words::agent(&role).map_err(|error| bad(format!("[chain] order: {error}")))?;
        let role = orchestrate::words::role_name(&role).to_owned();
        if roles.contains(&role) {
            return Err(bad(format!("[chain] order: {role} stands twice")));
        }
        roles.push(role);
    }
    if roles.is_empty() { Err(bad("[chain] order: no role".to_owned())) } else { Ok(roles) }
}

/// Who is told what of whom: the project's rows over the usual ones.
pub(crate) fn matrix() -> Result<Matrix, Failure> {
    let Some((settings, bad)) = settings()? else { return Ok(Matrix::default()) };
    let rows = settings.digest.matrix.iter();
    rows.into_iter().try_fold(Matrix::default(), |matrix, (role, sources)| {
        matrix.with(role, sources).map_err(|error| bad(format!("[digest.matrix] {role}: {error}")))
    })
}
