//! The room as a whole: stores in temporary folders, real journals, real indexes.

mod compare;
mod damage;
mod differential;
mod projection;
mod search;
#[cfg(test)]
mod speed;

use std::path::PathBuf;

use event::{Draft, Kind, Origin, SessionId};
use journal::{Durability, Journal};
use redact::{Keys, Redactor};
use tempfile::TempDir;

use crate::{Answer, Index, Now, Options, Query};

/// A store that goes with the test.
pub(crate) struct Store {
    pub(crate) folder: TempDir,
    pub(crate) journal: Journal,
    redactor: Redactor,
}

impl Store {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (journal, _) = Journal::init(world::World::real(), folder.path()).expect("a store");
        let redactor = Redactor::new(&Keys { store_secret: [1; 32], redaction_key: [2; 32] });
        Self { folder, journal, redactor }
    }

    pub(crate) fn tell(&self, drafts: Vec<Draft>) {
        let mut by_session: Vec<(String, Vec<redact::Clean>)> = Vec::new();
        for draft in drafts {
            let session = draft.session.clone();
            let clean = self.redactor.clean(draft).expect("a clean draft");
            match by_session.iter_mut().find(|(known, _)| *known == session) {
                Some((_, cleans)) => cleans.push(clean),
                None => by_session.push((session, vec![clean])),
            }
        }
        for (session, cleans) in by_session {
            let opened =
                Draft::new(&session, Kind::of("session.opened"), Origin::Observed).data("title", "A session");
            let opened = self.redactor.clean(opened).expect("a clean draft");
            let mut writer = self.journal.writer(opened, Durability::Os);
            writer.append_all(&cleans).expect("an append");
        }
    }

    pub(crate) fn index_folder(&self) -> PathBuf {
        self.folder.path().join("index")
    }

    pub(crate) fn index(&self) -> Index {
        Index::open(self.journal.clone(), &self.index_folder())
    }
}

pub(crate) fn note(session: &str, text: &str) -> Draft {
    Draft::new(session, Kind::of("note.added"), Origin::Claimed).data("text", text)
}

pub(crate) fn id(session: &str) -> SessionId {
    SessionId::new(session).expect("a session id")
}

pub(crate) fn query(text: &str) -> Query {
    Query::parse(text, &Now::utc(1_795_780_800_000_000)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// What an answer says, without what may differ between index and scan.
pub(crate) fn gist(answer: &Answer) -> (u64, Vec<(String, u32)>, crate::AsOf, bool) {
    let hits = answer.hits.iter().map(|hit| (hit.event.name(), hit.score.to_bits())).collect();
    (answer.total, hits, answer.as_of.clone(), answer.complete)
}

pub(crate) fn names(answer: &Answer) -> Vec<String> {
    answer.hits.iter().map(|hit| hit.event.name()).collect()
}

pub(crate) fn ask(index: &Index, text: &str) -> Answer {
    index.search(&query(text), &Options::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
}
