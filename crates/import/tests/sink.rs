//! A recorder in memory: it knows every key of every session, and nothing else of a real one.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::path::PathBuf;

use event::Draft;
use import::{Keys, Past, Report, Sink, Taken, run};

/// Everything that was taken.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) stored: Vec<Draft>,
    /// What tells this store's derived keys from another's.
    store: u32,
    /// Places in `stored` by key.
    keys: HashMap<String, Vec<usize>>,
}

impl Keys for Memory {
    fn derived_key(&self, material: &str) -> String {
        let store = if self.store == 0 { String::new() } else { self.store.to_string() };
        blake3::hash((store + material).as_bytes()).to_hex().to_string()
    }

    fn session_of(&self, key: &str) -> Option<String> {
        let place = *self.keys.get(key)?.first()?;
        Some(self.stored[place].session.clone())
    }

    fn told(&self, session: &str) -> Vec<Past> {
        let told = self.stored.iter().filter(|draft| draft.session == session);
        let at = |draft: &Draft| draft.header.get("at").and_then(|at| at.as_str().map(str::to_owned));
        told.map(|draft| Past { key: draft.key.clone(), at: at(draft), hash: String::new() }).collect()
    }
}

impl Sink for Memory {
    type Error = Infallible;

    fn take(&mut self, drafts: Vec<Draft>) -> Result<Taken, Infallible> {
        let mut fate = Taken::Duplicate;
        for draft in drafts {
            match self.take_one(draft) {
                Taken::Stored => fate = Taken::Stored,
                Taken::Linked if fate != Taken::Stored => fate = Taken::Linked,
                _ => {}
            }
        }
        Ok(fate)
    }
}

impl Memory {
    /// A recorder whose derived keys are others than the default's.
    pub(crate) fn of_store(store: u32) -> Self {
        Self { store, ..Self::default() }
    }

    fn take_one(&mut self, mut draft: Draft) -> Taken {
        let revised = draft.header.remove("supersedes").is_some();
        let key = draft.key.clone().expect("every imported event has a key");
        let places = self.keys.entry(key).or_default();
        let same: Vec<&Draft> = places
            .iter()
            .map(|place| &self.stored[*place])
            .filter(|other| other.kind == draft.kind && other.data == draft.data)
            .collect();
        if same.iter().any(|other| other.session == draft.session) {
            return Taken::Duplicate;
        }
        if !same.is_empty() {
            return Taken::Linked;
        }
        let earlier = places.iter().filter(|place| self.stored[**place].session == draft.session).max();
        if let Some(place) = earlier.filter(|_| revised) {
            draft.header.insert("supersedes".to_owned(), (*place).into());
        }
        places.push(self.stored.len());
        self.stored.push(draft);
        Taken::Stored
    }

    /// Imports and checks that every report adds up.
    pub(crate) fn import(&mut self, paths: &[PathBuf]) -> Vec<Report> {
        let mut last = 0;
        let reports = run(paths, None, self, &mut |progress| {
            assert!(progress.done >= last && progress.done <= progress.total, "{progress:?}");
            last = progress.done;
        });
        let reports = reports.unwrap_or_else(|error| panic!("{error}"));
        for report in &reports {
            assert!(report.adds_up(), "{report:?}");
        }
        reports
    }

    /// Keys with their kind, but for gaps.
    pub(crate) fn key_set(&self) -> BTreeSet<String> {
        let told = self.stored.iter().filter(|draft| draft.kind != *"gap.found");
        told.map(|draft| format!("{} {}", draft.kind, draft.key.as_deref().unwrap_or_default())).collect()
    }
}

/// A draft as one line, for comparison.
pub(crate) fn line(draft: &Draft) -> String {
    let header: serde_json::Map<_, _> = draft.header.clone();
    serde_json::json!({
        "session": draft.session, "kind": draft.kind.to_string(), "key": draft.key, "header": header, "data": draft.data,
    })
    .to_string()
}
