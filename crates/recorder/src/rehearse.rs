//! An import that stores nothing: what would come in, and what would be taken out of it.
//!
//! It goes the same way as far as the journal's door: each draft is cleaned and looked up. Nothing is written,
//! no turn is taken, nothing is remembered.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use event::{Draft, SessionId};
use redact::{Clean, Redactor};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cursors;
use crate::error::RecorderError;
use crate::import::Outcome;
use crate::known::Known;
use crate::record::stored_key;
use crate::store::Store;

/// A rehearsal of an import.
pub struct Rehearsal<'a> {
    redactor: &'a Redactor,
    store: Option<(&'a Store, Known)>,
    read: bool,
    /// Keys that this import would have stored by now: whose, and a hash of what they say.
    told: HashMap<String, Vec<(SessionId, u64)>>,
    /// Events that would be stored, by kind.
    pub kinds: BTreeMap<String, u64>,
    /// Values that would be redacted, by kind.
    pub secrets: BTreeMap<String, u64>,
}

impl std::fmt::Debug for Rehearsal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rehearsal({:?})", self.kinds)
    }
}

impl<'a> Rehearsal<'a> {
    /// A rehearsal for a store, if there is one already.
    pub fn new(redactor: &'a Redactor, store: Option<&'a Store>) -> Self {
        let store = store.map(|store| (store, Known::new(&store.journal)));
        let (told, kinds, secrets) = (HashMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { redactor, store, read: false, told, kinds, secrets }
    }

    /// A source is going to be read.
    pub fn begin(&mut self) -> Result<(), RecorderError> {
        if let (Some((_, known)), false) = (&mut self.store, self.read) {
            known.read_all()?;
            self.read = true;
        }
        Ok(())
    }

    /// What was remembered of a source.
    pub fn remembered<T: DeserializeOwned>(&self, source: &str) -> Option<T> {
        cursors::get(self.store.as_ref()?.0, &self.derived_key(&format!("cursor\n{source}")))
    }

    /// A key for a record without an id of its own.
    pub fn derived_key(&self, material: &str) -> String {
        self.redactor.keyed_hash(material)
    }

    /// The session that has the event with this key, as its transcript calls it.
    pub fn owner(&self, key: &str) -> Option<String> {
        let (store, known) = self.store.as_ref()?;
        let session = known.owner(&format!("imported:{key}"))?;
        Some(store.original(session).unwrap_or_else(|| session.to_string()))
    }

    /// How many values would be redacted.
    pub fn redacted(&self) -> u64 {
        self.secrets.values().sum()
    }

    /// Says what would become of the drafts of one source record.
    pub fn take(&mut self, drafts: Vec<Draft>) -> Result<Outcome, RecorderError> {
        let mut outcome = Outcome::Duplicate;
        for mut draft in drafts {
            let session = self.redactor.session_id(&draft.session);
            session.as_str().clone_into(&mut draft.session);
            let name = draft.session.clone();
            let clean = self.redactor.clean(draft);
            let clean = clean.map_err(|source| RecorderError::Redact { session: name, source })?;
            match self.standing(&clean)? {
                Some(owner) if owner == session => {}
                Some(_) if outcome == Outcome::Duplicate => outcome = Outcome::Linked,
                Some(_) => {}
                None => {
                    outcome = Outcome::Stored;
                    self.count(&clean);
                }
            }
        }
        Ok(outcome)
    }

    fn count(&mut self, clean: &Clean) {
        *self.kinds.entry(clean.draft().kind.to_string()).or_default() += 1;
        let counts = clean.draft().header.get("redacted").and_then(Value::as_object);
        for (kind, count) in counts.into_iter().flatten() {
            *self.secrets.entry(kind.clone()).or_default() += count.as_u64().unwrap_or_default();
        }
    }

    /// The session that has the event already, or would by now.
    fn standing(&mut self, clean: &Clean) -> Result<Option<SessionId>, RecorderError> {
        let Some(key) = stored_key(clean) else { return Ok(None) };
        if let Some((_, known)) = &mut self.store {
            for seen in known.candidates(&key, clean.session()) {
                let Some(event) = known.event(seen, &key)? else { continue };
                let data = journal::stored_form(&clean.draft().data);
                let told = journal::Told {
                    kind: &clean.draft().kind,
                    data: journal::Data::Draft(&data),
                    erased: &[],
                };
                if journal::compare((&event).into(), told) == journal::Sameness::Duplicate {
                    return Ok(Some(event.session));
                }
            }
        }
        let says = says(clean);
        let told = self.told.entry(key).or_default();
        let mut same = told.iter().filter(|(_, said)| *said == says).map(|(session, _)| session);
        if let Some(first) = same.clone().find(|session| *session == clean.session()).or_else(|| same.next())
        {
            return Ok(Some(first.clone()));
        }
        told.push((clean.session().clone(), says));
        Ok(None)
    }
}

fn says(clean: &Clean) -> u64 {
    let mut hasher = DefaultHasher::new();
    clean.draft().kind.hash(&mut hasher);
    for (name, value) in clean.draft().data.iter().filter(|(name, _)| *name != "redactions") {
        (name, value.to_string()).hash(&mut hasher);
    }
    hasher.finish()
}
