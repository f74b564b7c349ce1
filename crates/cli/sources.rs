//! Where a machine keeps secrets that an agent may repeat: each source can be left out by its name.
//!
//! Read anew by every command that records or redacts, into memory alone. A source that is not there,
//! or cannot be read, has nothing to say: recording goes on.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use redact::Known;

use crate::failure::Failure;
use crate::place;

/// No file of settings is longer.
const MAX_BYTES: u64 = 1 << 20;
/// A folder with more files of settings than that is something else.
const MAX_FILES: usize = 64;

/// A place where secrets are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Source {
    /// The environment of this process
    Env,
    /// .env files of the current folder and of those above it, up to the repository's root
    Dotenv,
    /// ~/.aws/credentials
    Aws,
    /// ~/.netrc
    Netrc,
    /// ~/.npmrc
    Npm,
    /// The GitHub client's hosts.yml
    Gh,
    /// The GitLab client's config.yml
    Glab,
    /// ~/.docker/config.json
    Docker,
    /// What `recount redact learn` wrote down
    Learned,
    /// Every one of them
    All,
}

impl Source {
    /// Every single source.
    pub(crate) fn each() -> impl Iterator<Item = Self> {
        Self::value_variants().iter().copied().filter(|source| *source != Self::All)
    }

    /// What all sources hold but those that are left out.
    pub(crate) fn known(left_out: &[Self]) -> Result<Known, Failure> {
        let mut known = Known::new();
        let wanted = |source: &Self| !left_out.contains(source) && !left_out.contains(&Self::All);
        Self::each().filter(wanted).try_for_each(|source| source.read(&mut known))?;
        Ok(known)
    }

    /// The word by which it is named on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Collects what the source holds.
    pub(crate) fn read(self, known: &mut Known) -> Result<(), Failure> {
        let home = |path: &str| place::home().map(|home| home.join(path)).ok();
        match self {
            Self::Env => place::environment().for_each(|(name, value)| known.setting(&name, &value)),
            Self::Dotenv => dotenv_files()?.iter().for_each(|file| settings(file, known)),
            Self::Aws => home(".aws/credentials").iter().for_each(|file| settings(file, known)),
            Self::Netrc => home(".netrc").iter().for_each(|file| netrc(file, known)),
            Self::Npm => home(".npmrc").iter().for_each(|file| settings(file, known)),
            Self::Gh => settings(&place::config("gh/hosts.yml")?, known),
            Self::Glab => settings(&place::config("glab-cli/config.yml")?, known),
            Self::Docker => home(".docker/config.json").iter().for_each(|file| json(file, known)),
            Self::Learned => known.learned(&place::learned()?.map_or_else(String::new, |(_, lines)| lines)),
            Self::All => {}
        }
        Ok(())
    }
}

fn text(file: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    // asked before it is opened: a pipe would keep us waiting
    if !fs::metadata(file).ok()?.is_file() {
        return None;
    }
    fs::File::open(file).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// `NAME=value`, `name: value`, `//registry/:_authToken=value`: the last word of the name counts.
fn settings(file: &Path, known: &mut Known) {
    let Some(text) = text(file) else { return };
    known.text(&text);
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';'])) {
        let Some((name, value)) = line.split_once('=').or_else(|| line.split_once(": ")) else { continue };
        let name = name.trim().trim_start_matches("export ");
        let name = name.rsplit(':').next().unwrap_or(name);
        let value = value.trim();
        let bare = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        known.setting(name, bare('"').or_else(|| bare('\'')).unwrap_or(value));
    }
}

fn netrc(file: &Path, known: &mut Known) {
    let Some(text) = text(file) else { return };
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if word == "password"
            && let Some(value) = words.next()
        {
            known.value(value, "password");
        }
    }
}

fn json(file: &Path, known: &mut Known) {
    if let Some(value) = text(file).and_then(|text| serde_json::from_str(&text).ok()) {
        known.json(&value);
    }
}

/// `.env`, `.env.local` and so on; examples hold no secrets.
fn dotenv_files() -> Result<Vec<PathBuf>, Failure> {
    let here = std::env::current_dir().map_err(|e| Failure::io("find the current folder", &e))?;
    let root = here.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&here).to_owned();
    let folders = here.ancestors().take_while(|folder| folder.starts_with(&root));
    let is_env = |name: &str| {
        let example = ["example", "sample", "template", "dist", "defaults"];
        (name == ".env" || name.starts_with(".env.") || name == ".envrc")
            && !example.iter().any(|end| name.ends_with(end))
    };
    let mut files = Vec::new();
    for folder in folders {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        let names = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_env));
        files.extend(names.map(|entry| entry.path()));
    }
    files.sort();
    files.truncate(MAX_FILES);
    Ok(files)
}
