//! What an import does to a draft before its turn comes: nothing here asks what the journal was told, so that it can
//! be done in another thread while earlier drafts are stored.

use std::collections::BTreeSet;

use event::{Draft, SessionId};
use journal::Journal;
use redact::{Clean, Redactor};
use serde_json::Value;

use crate::error::RecorderError;
use crate::known::{Keys, Known};
use crate::twins;

/// Cleans the drafts of an import, in their order.
#[derive(Clone)]
pub struct Cleaner {
    journal: Journal,
    redactor: Redactor,
    /// The session of the draft before: most have the same.
    last: Option<(String, SessionId)>,
    gaps: BTreeSet<String>,
    keys: Keys,
}

impl std::fmt::Debug for Cleaner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cleaner({})", self.journal.root().display())
    }
}

/// A draft that is clean, or cannot be; what it refers to is looked up when its turn comes.
#[derive(Debug)]
pub struct Cleaned {
    /// What its transcript calls the session.
    pub(crate) name: String,
    pub(crate) clean: Result<Clean, RecorderError>,
    /// Header fields that name the key of another event.
    pub(crate) references: Vec<(&'static str, String)>,
    /// Its key, where its tool rewrites what it is about.
    pub(crate) revises: Option<String>,
}

impl Cleaner {
    pub(crate) fn new(journal: &Journal, redactor: &Redactor) -> Self {
        Self {
            journal: journal.clone(),
            redactor: redactor.clone(),
            last: None,
            gaps: BTreeSet::new(),
            keys: Keys::default(),
        }
    }

    /// The same, which knows what was told: the keys of gaps, and which keys there are.
    pub(crate) fn knowing(&self, known: &Known) -> Self {
        Self { gaps: known.gaps().clone(), keys: known.keys(), ..self.clone() }
    }

    /// False if no transcript's event that is stored so far has the key.
    pub fn may_know(&self, key: &str) -> bool {
        self.keys.may_hold(&format!("imported:{key}"))
    }

    /// True if any gap was told, in whatever session.
    pub fn knows_gaps(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// True if a gap was told under this key: the record that was torn then stands for it.
    pub fn knows_gap(&self, key: &str) -> bool {
        self.gaps.contains(key)
    }

    /// A key for a record without an id of its own, as the import makes them.
    pub fn derived_key(&self, material: &str) -> String {
        self.redactor.keyed_hash(material)
    }

    /// The draft, fit to be taken.
    pub fn clean(&mut self, mut draft: Draft) -> Cleaned {
        let name = std::mem::take(&mut draft.session);
        let references = references(&draft);
        let revised = draft.header.remove("supersedes").is_some();
        let revises = draft.key.clone().filter(|_| revised);
        let clean = self.cleaned(&name, draft);
        Cleaned { name, clean, references, revises }
    }

    fn cleaned(&mut self, name: &str, mut draft: Draft) -> Result<Clean, RecorderError> {
        let session = self.session(name)?;
        session.as_str().clone_into(&mut draft.session);
        if draft.kind == *"session.opened" && name != session.as_str() {
            draft.data.insert("original_id".to_owned(), name.into());
        }
        twins::mark(&mut draft, name, &|material| self.redactor.keyed_hash(material));
        let session = draft.session.clone();
        self.redactor.clean(draft).map_err(|source| RecorderError::Redact { session, source })
    }

    /// The session that a transcript means. Whatever name it uses, however hostile, has an id here.
    pub(crate) fn session(&mut self, name: &str) -> Result<SessionId, RecorderError> {
        if let Some((known, session)) = &self.last
            && known == name
        {
            return Ok(session.clone());
        }
        let session = match SessionId::new(name) {
            Ok(id) if id.is_mapped() && self.journal.has(&id)? => id,
            _ => self.redactor.session_id(name),
        };
        self.last = Some((name.to_owned(), session.clone()));
        Ok(session)
    }
}

/// The fields of a draft that name another event by its key.
fn references(draft: &Draft) -> Vec<(&'static str, String)> {
    let rewound = draft.kind == *"context.rewound";
    let names = ["parent", "cause"].into_iter().chain(rewound.then_some("to"));
    let key = |name| Some((name, draft.header.get(name).and_then(Value::as_str)?.to_owned()));
    names.filter_map(key).collect()
}
