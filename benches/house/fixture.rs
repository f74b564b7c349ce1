//! A store full of generated events, made once a run, and fresh ones for what writes.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use event::{Draft, SessionId};
use journal::{Durability, Journal};
use recorder::{Recorder, Store};
use redact::Keys;
use tempfile::TempDir;
use world::World;

use crate::Outcome;
use crate::generator::{events, json_of, session_name};

pub(crate) const SEED: u64 = 7;

/// Keys that protect nothing.
pub(crate) const KEYS: Keys = Keys { store_secret: [7; 32], redaction_key: [9; 32] };

/// The folder of a run and the store in it.
pub(crate) struct Fixture {
    folder: TempDir,
    pub(crate) events: usize,
    full: Option<Full>,
    fresh: usize,
}

/// The store that questions are put to.
#[derive(Clone)]
pub(crate) struct Full {
    pub(crate) journal: Journal,
    pub(crate) root: PathBuf,
    /// Bytes of the events as NDJSON, before anything was recorded.
    pub(crate) raw_bytes: u64,
    pub(crate) journal_bytes: u64,
}

impl Fixture {
    pub(crate) fn new() -> Outcome<Self> {
        let events = match std::env::var("RECOUNT_BENCH_EVENTS") {
            Ok(count) => count.replace('_', "").parse()?,
            Err(_) => 100_000,
        };
        let folder = tempfile::Builder::new().prefix("recount-bench-").tempdir()?;
        Ok(Self { folder, events, full: None, fresh: 0 })
    }

    /// A fifth of all events, for what is repeated in fresh stores.
    pub(crate) fn some(&self) -> usize {
        (self.events / 5).clamp(1_000, 20_000)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// An empty store; the one before it is gone.
    pub(crate) fn fresh(&mut self) -> Outcome<Journal> {
        let old = self.path(&format!("fresh-{}", self.fresh));
        if old.exists() {
            fs::remove_dir_all(old)?;
        }
        self.fresh += 1;
        let (journal, _) = Journal::init(World::real(), &self.path(&format!("fresh-{}", self.fresh)))?;
        Ok(journal)
    }

    /// The full store, made when it is first asked for.
    pub(crate) fn full(&mut self) -> Outcome<Full> {
        if let Some(full) = &self.full {
            return Ok(full.clone());
        }
        let kept = std::env::var_os("RECOUNT_BENCH_KEEP").map(PathBuf::from);
        let root = kept.unwrap_or_else(|| self.path("full"));
        let (journal, made) = Journal::init(World::real(), &root)?;
        let mut recorder = Recorder::new(&journal, &KEYS, Durability::Batch);
        let mut raw_bytes = 0;
        for draft in events(SEED, self.events) {
            raw_bytes += json_of(&draft).len() as u64 + 1;
            if made {
                recorder.record(draft)?;
            }
        }
        recorder.sync()?;
        let sessions = journal.sessions()?;
        let extents: Result<Vec<_>, _> = sessions.iter().map(|session| journal.extent(session)).collect();
        let journal_bytes = extents?.iter().map(journal::Extent::bytes).sum();
        let full = Full { journal, root, raw_bytes, journal_bytes };
        self.full = Some(full.clone());
        Ok(full)
    }
}

impl Full {
    pub(crate) fn store(&self) -> Outcome<Store> {
        Ok(Store::open(World::real(), &self.root)?)
    }
}

/// The longest session of the full store.
pub(crate) fn first_session() -> Outcome<SessionId> {
    Ok(SessionId::new(&session_name(SEED, 0))?)
}

/// The program, in a home of its own.
pub(crate) fn program(root: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    command.env("RECOUNT_STORE", root).env("XDG_CONFIG_HOME", root.join("config"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Events for one session.
pub(crate) fn drafts_for(session: &str, seed: u64, count: usize) -> Vec<Draft> {
    events(seed, count).map(|draft| Draft { session: session.to_owned(), ..draft }).collect()
}

/// Writes the events of the full store as NDJSON, a file for each session.
pub(crate) fn export(folder: &Path) -> Outcome<()> {
    fs::create_dir_all(folder)?;
    let mut open: Option<(String, BufWriter<File>)> = None;
    for draft in events(SEED, Fixture::new()?.events) {
        if open.as_ref().is_none_or(|(session, _)| *session != draft.session) {
            let file = File::create(folder.join(format!("{}.ndjson", draft.session)))?;
            open = Some((draft.session.clone(), BufWriter::new(file)));
        }
        if let Some((_, file)) = &mut open {
            writeln!(file, "{}", json_of(&draft))?;
        }
    }
    open.map_or(Ok(()), |(_, mut file)| Ok(file.flush()?))
}
