//! Importing: records of a transcript in, each told once across the store.
//!
//! What another session told first is not copied: the session gets a `session.linked` event that says up
//! to where it shares the other's past.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use event::{Draft, Event, SessionId};
use journal::{Data, ImportTurn, Place, ReadError, Told, stored_form};
use redact::{Clean, Fact};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cleaner::{Cleaned, Cleaner};
use crate::cursors;
use crate::error::RecorderError;
use crate::record::{Recorder, stored_key};
use crate::spent;

/// What became of one source record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// At least one of its events was stored now.
    Stored,
    /// All of it stands in its session already.
    Duplicate,
    /// All of it stands in another session already, which this one is linked to.
    Linked,
}

/// An event that a session was told before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// Its key, if a transcript told it, without where it comes from.
    pub key: Option<String>,
    /// When it happened.
    pub at: Option<String>,
    /// The hash of its line.
    pub hash: String,
}

/// One import into a store; others wait until it is finished.
pub struct Importing<'a> {
    recorder: &'a mut Recorder,
    /// Sessions that share another's past, as far as it has been seen, by the name their transcript uses.
    pending: HashMap<SessionId, (SessionId, u64, String)>,
    redacted: u64,
    cleaner: Cleaner,
    /// Sessions that the file being read has events of, stored now or before.
    touched: BTreeSet<SessionId>,
    turn: Option<ImportTurn>,
}

impl std::fmt::Debug for Importing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Importing({:?})", self.recorder)
    }
}

impl Drop for Importing<'_> {
    fn drop(&mut self) {
        // nobody is to wait for a lock that an import which ended early holds
        let _ = self.recorder.flush();
    }
}

/// Whether an event stands already, and where.
enum Standing {
    New,
    Here,
    /// It stands with less than it has cost by now.
    Outgrown,
    Elsewhere(Box<Event>),
}

impl Recorder {
    /// An import. It waits for its turn, and learns what the store knows, when there is something to take.
    pub fn import(&mut self) -> Importing<'_> {
        let (pending, touched) = (HashMap::new(), BTreeSet::new());
        let cleaner = Cleaner::new(&self.journal, &self.redactor);
        Importing { recorder: self, pending, redacted: 0, cleaner, touched, turn: None }
    }
}

impl Importing<'_> {
    /// A source is going to be read.
    pub fn begin(&mut self) -> Result<(), RecorderError> {
        self.touched.clear();
        self.ready()
    }

    fn ready(&mut self) -> Result<(), RecorderError> {
        if self.turn.is_none() {
            self.turn = Some(self.recorder.journal.import_turn()?);
            self.recorder.known.read_all()?;
        }
        Ok(())
    }

    /// What was remembered of a source, if all that stood in the journal then stands there still.
    pub fn remembered<T: DeserializeOwned>(&self, source: &str) -> Option<T> {
        cursors::get(&self.recorder.store(), &self.cursor_key(source))
    }

    /// Remembers something of the source that was read last, whose events are durable by now.
    pub fn remember<T: Serialize>(&self, source: &str, what: &T) {
        cursors::put(&self.recorder.store(), &self.cursor_key(source), what, &self.touched);
    }

    /// Names of files may be names of people.
    fn cursor_key(&self, source: &str) -> String {
        self.derived_key(&format!("cursor\n{source}"))
    }

    /// Takes all drafts of one source record.
    pub fn take(&mut self, drafts: Vec<Draft>) -> Result<Outcome, RecorderError> {
        let cleaned = drafts.into_iter().map(|draft| self.cleaner.clean(draft)).collect();
        let outcome = self.take_cleaned(cleaned)?;
        // who asks for what was told, and who waits for the lock, need not know of batches
        self.flush()?;
        Ok(outcome)
    }

    /// What cleans drafts, for another thread to do.
    pub fn cleaner(&self) -> Cleaner {
        self.cleaner.knowing(&self.recorder.known)
    }

    /// The same for drafts that were cleaned before their turn. What is stored of them is written in batches, under
    /// the session's lock: the caller flushes before it waits for anything.
    pub fn take_cleaned(&mut self, cleaned: Vec<Cleaned>) -> Result<Outcome, RecorderError> {
        self.ready()?;
        let taken = self.take_each(cleaned);
        if taken.is_err() {
            // what is known is learned anew
            self.turn = None;
        }
        taken
    }

    fn take_each(&mut self, cleaned: Vec<Cleaned>) -> Result<Outcome, RecorderError> {
        let mut outcome = Outcome::Duplicate;
        for cleaned in cleaned {
            let Cleaned { name, clean, references, revises } = cleaned;
            let clean = clean?;
            let revised = revises.is_some();
            let facts = self.resolved(references, revises, clean.session())?;
            let mut clean = if facts.is_empty() { clean } else { clean.with_header(facts) };
            if !self.touched.contains(clean.session()) {
                self.touched.insert(clean.session().clone());
            }
            let mut standing = self.standing(&clean, revised)?;
            if matches!(standing, Standing::Outgrown) {
                // a header alone makes no other event
                clean = spent::told_in_data(clean);
                standing = self.standing(&clean, false)?;
            }
            match standing {
                Standing::Here => self.recorder.vouch(clean.session()),
                Standing::Elsewhere(event) => {
                    if outcome == Outcome::Duplicate {
                        outcome = Outcome::Linked;
                    }
                    self.recorder.vouch(&event.session);
                    let link = (event.session.clone(), event.seq, event.hash.clone());
                    self.pending.insert(clean.session().clone(), link);
                }
                Standing::New | Standing::Outgrown => {
                    // asked once a batch: it is a look at the disk
                    if !self.recorder.is_staging(clean.session()) {
                        self.recorder.mind_pause(&name, clean.session())?;
                    }
                    outcome = Outcome::Stored;
                    self.link(clean.session())?;
                    self.redacted += clean.hits() as u64;
                    self.store(&name, &clean)?;
                }
            }
        }
        Ok(outcome)
    }

    /// Writes what waits to be written.
    pub fn flush(&mut self) -> Result<(), RecorderError> {
        self.recorder.flush()
    }

    /// What stands in front of an event that others wrote is read before the next one is looked up.
    fn store(&mut self, name: &str, clean: &Clean) -> Result<(), RecorderError> {
        let receipt = self.recorder.stage(name, clean)?;
        if !self.recorder.known.is_past(clean.session(), receipt.seq) {
            self.recorder.flush()?;
            self.recorder.known.read(clean.session())?;
        }
        Ok(())
    }

    /// A key for a record without an id of its own: keyed, so that nobody can guess content from it.
    pub fn derived_key(&self, material: &str) -> String {
        self.recorder.redactor.keyed_hash(material)
    }

    /// The session that has the event with this key, as its transcript calls it.
    pub fn owner(&self, key: &str) -> Option<String> {
        let session = self.recorder.known.owner(&format!("imported:{key}"))?;
        let original = self.recorder.store().original(session);
        Some(original.unwrap_or_else(|| session.to_string()))
    }

    /// What a session was told so far. Damaged lines are passed over.
    pub fn told(&self, session: &str) -> Result<Vec<Past>, RecorderError> {
        let session = self.cleaner.clone().session(session)?;
        let mut told = Vec::new();
        let Ok(reader) = self.recorder.journal.read(&session, Place::default()) else { return Ok(told) };
        let mut reader = reader.heads_only();
        loop {
            match reader.next() {
                Ok(Some(entry)) => {
                    let text = |name: &str| entry.line.text(name).map(Cow::into_owned);
                    let key = text("key").and_then(|key| key.strip_prefix("imported:").map(str::to_owned));
                    told.push(Past { key, at: text("at"), hash: entry.line.hash.to_owned() });
                }
                Ok(None) => return Ok(told),
                Err(ReadError::Damage(_)) => {}
                Err(ReadError::Journal(error)) => return Err(error.into()),
            }
        }
    }

    /// Secrets taken out of what was stored so far.
    pub fn redacted(&self) -> u64 {
        self.redacted
    }

    /// Makes everything stored so far durable.
    pub fn sync(&mut self) -> Result<(), RecorderError> {
        self.recorder.sync()
    }

    /// Links what is still to be linked and makes everything durable.
    pub fn finish(mut self) -> Result<(), RecorderError> {
        let mut sessions: Vec<SessionId> = self.pending.keys().cloned().collect();
        sessions.sort_unstable();
        sessions.iter().try_for_each(|session| self.link(session))?;
        self.recorder.sync()
    }

    /// References by key as sequences, or as events of another session; unknown ones stay keys. What stands under
    /// the key of something that its tool rewrites is an earlier version of it.
    fn resolved(
        &mut self,
        references: Vec<(&'static str, String)>,
        revises: Option<String>,
        session: &SessionId,
    ) -> Result<Vec<(&'static str, Fact)>, RecorderError> {
        let mut facts = Vec::with_capacity(references.len());
        for (name, key) in references {
            let key = self.known_key(&key, session);
            if let Some(seq) = self.recorder.known.seq_in(&key, session) {
                facts.push((name, Fact::Number(seq)));
            } else if let Some(event) = self.elsewhere(&key, session)? {
                facts.push((name, Fact::EventHash(event.session, event.seq, event.hash)));
            }
        }
        let last = revises.and_then(|key| self.recorder.known.last_in(&format!("imported:{key}"), session));
        facts.extend(last.map(|seq| ("supersedes", Fact::Number(seq))));
        Ok(facts)
    }

    /// The key as it stands in the journal; of what a stream refers to, the transcript's where only that is there.
    fn known_key(&self, key: &str, session: &SessionId) -> String {
        let own = format!("imported:{key}");
        let transcript = key.strip_prefix("stream:").map(|key| format!("imported:{key}"));
        let known = |key: &String| self.recorder.known.seq_in(key, session).is_some();
        transcript.filter(|transcript| !known(&own) && known(transcript)).unwrap_or(own)
    }

    fn elsewhere(&mut self, key: &str, session: &SessionId) -> Result<Option<Event>, RecorderError> {
        let Some(seen) = self.recorder.known.candidates(key, session).into_iter().next() else {
            return Ok(None);
        };
        self.recorder.flush()?;
        Ok(self.recorder.known.event(seen, key).ok().flatten())
    }

    fn standing(&mut self, clean: &Clean, revised: bool) -> Result<Standing, RecorderError> {
        let Some(key) = stored_key(clean) else { return Ok(Standing::New) };
        let candidates = self.recorder.known.candidates(&key, clean.session());
        if candidates.is_empty() {
            return Ok(Standing::New);
        }
        // it may be one of those that are not written yet
        self.recorder.flush()?;
        let data = stored_form(&clean.draft().data);
        let told = Told { kind: &clean.draft().kind, data: Data::Draft(&data), erased: &[] };
        let mut outgrown = false;
        for seen in candidates {
            let Some(event) = self.recorder.known.event(seen, &key)? else { continue };
            if self.recorder.same(&event, told)? {
                if revised && spent::is_more(clean.draft().header.get("usage"), event.header.get("usage")) {
                    outgrown = true;
                    continue;
                }
                let here = event.session == *clean.session();
                return Ok(if here { Standing::Here } else { Standing::Elsewhere(Box::new(event)) });
            }
        }
        Ok(if outgrown { Standing::Outgrown } else { Standing::New })
    }

    /// Says up to where the session shares another's past, before its first own event after that.
    fn link(&mut self, session: &SessionId) -> Result<(), RecorderError> {
        let Some((owner, seq, hash)) = self.pending.remove(session) else { return Ok(()) };
        let target = format!("{owner}/{seq}#{hash}");
        if self.recorder.known.is_linked(session, &target) {
            return Ok(());
        }
        let header = vec![
            ("rel", Fact::Word("forked_from")),
            ("target", Fact::EventHash(owner, seq, hash)),
            ("upto", Fact::Number(seq)),
        ];
        let clean = Clean::system(session.clone(), "session.linked", header, vec![]);
        self.store(session.as_str(), &clean)
    }
}
