//! Recording: a draft in, a receipt out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use event::{Draft, Event, Kind, Origin, SessionId};
use journal::{
    Data, Durability, Journal, JournalError, Pointer, Receipt, Recovered, Sameness, Told, Writer, compare,
    stored_form,
};
use redact::{Clean, Fact, Keys, Redactor};

use crate::error::RecorderError;
use crate::known::Known;
use crate::pause::Pause;
use crate::store::Store;

/// Writers that are kept open at most; each holds two file descriptors.
const MAX_WRITERS: usize = 96;
/// Links that are kept for who seals; what is beyond is read from the journal again.
pub const MAX_LINKS: usize = 65_536;

/// What became of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// Stored now.
    Stored(Receipt),
    /// An event with this key and content stands already; nothing was appended.
    Known(Receipt),
}

impl Recorded {
    /// The receipt of the event that now stands for the draft.
    pub fn receipt(&self) -> &Receipt {
        match self {
            Self::Stored(receipt) | Self::Known(receipt) => receipt,
        }
    }
}

/// Records drafts into one store.
pub struct Recorder {
    pub(crate) journal: Journal,
    pub(crate) redactor: Redactor,
    durability: Durability,
    writers: HashMap<SessionId, Writer>,
    pub(crate) known: Known,
    /// Sessions with events that we answer for and that nobody may have synced yet: ours of this batch, and
    /// those of others that we found there when we were asked to store the same.
    owed: BTreeSet<SessionId>,
    fresh: BTreeMap<SessionId, Fresh>,
    links: usize,
    pub(crate) pause: Option<Box<dyn Pause>>,
    /// What waits for the one write of its session, in the words of those who seal.
    staged: Option<(SessionId, Vec<(Kind, Receipt)>)>,
}

/// What was appended to a session since somebody asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fresh {
    /// How many events.
    pub events: u64,
    /// True if one of them is to be sealed at once: an error, a handoff, an end, or the house's own.
    pub urgent: bool,
    /// The events, in order, as far as they are remembered.
    pub links: Vec<Link>,
}

/// An event that was appended here, as a seal needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Its sequence.
    pub seq: u64,
    /// Its hash.
    pub hash: String,
    /// Where it stands.
    pub pointer: Pointer,
    /// True if it closes its session.
    pub closes: bool,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Recorder({})", self.journal.root().display())
    }
}

impl Recorder {
    /// A recorder over an open journal.
    pub fn new(journal: &Journal, keys: &Keys, durability: Durability) -> Self {
        Self {
            journal: journal.clone(),
            redactor: Redactor::new(keys),
            durability,
            writers: HashMap::new(),
            known: Known::new(journal),
            owed: BTreeSet::new(),
            fresh: BTreeMap::new(),
            links: 0,
            pause: None,
            staged: None,
        }
    }

    /// The same recorder with a redactor that its door has taught more.
    #[must_use]
    pub fn with_redactor(mut self, redactor: Redactor) -> Self {
        self.redactor = redactor;
        self
    }

    /// Cleans a draft, appends it and acknowledges it. A draft whose key and content stand already is not told again.
    pub fn record(&mut self, draft: Draft) -> Result<Recorded, RecorderError> {
        let name = draft.session.clone();
        let clean = self.clean(draft)?;
        self.mind_pause(&name, clean.session())?;
        if let Some(mut receipt) = self.already(&clean)? {
            self.vouch(clean.session());
            if self.durability == Durability::Always {
                self.sync()?;
                receipt.durable = true;
            }
            return Ok(Recorded::Known(receipt));
        }
        self.append(&name, &clean).map(Recorded::Stored)
    }

    /// Appends drafts of one session in one write, behind `opening` if the session is new. It does not look whether
    /// they stand already: whoever reads tells each once. Hot path: nothing is read but the session's end.
    ///
    /// The session may have any name: one that is no id is mapped, and kept in the opening.
    pub fn append_unseen(
        &mut self,
        mut opening: Draft,
        drafts: Vec<Draft>,
    ) -> Result<Vec<Receipt>, RecorderError> {
        let name = std::mem::take(&mut opening.session);
        let session = self.redactor.session_id(&name);
        self.mind_pause(&name, &session)?;
        session.as_str().clone_into(&mut opening.session);
        if name != session.as_str() {
            opening.data.insert("original_id".to_owned(), name.into());
        }
        self.flush()?;
        let opening = self.clean(opening)?;
        let mut cleans = Vec::with_capacity(drafts.len());
        for mut draft in drafts {
            session.as_str().clone_into(&mut draft.session);
            cleans.push(self.clean(draft)?);
        }
        let receipts = self.journal.writer(opening, self.durability).append_all(&cleans)?;
        self.journal.hint_unsealed(&session)?;
        Ok(receipts)
    }

    /// True if there is a session that a caller calls so.
    pub fn knows_session(&self, name: &str) -> Result<bool, RecorderError> {
        Ok(self.journal.has(&self.redactor.session_id(name))?)
    }

    /// Begins a session with a draft; `None` if the session has events already, whoever made them.
    pub fn begin(&mut self, draft: Draft) -> Result<Option<Receipt>, RecorderError> {
        let name = draft.session.clone();
        let clean = self.clean(draft)?;
        let session = clean.session().clone();
        self.mind_pause(&name, &session)?;
        let begun = self.writer(&name, &session)?.begin(&clean);
        match begun {
            Err(error) => {
                self.writers.remove(&session);
                Err(error.into())
            }
            Ok(None) => Ok(None),
            Ok(Some(receipt)) => {
                self.appended(&clean, &receipt);
                Ok(Some(receipt))
            }
        }
    }

    /// A key for something without an id of its own: keyed, so that nobody can guess content from it.
    pub fn derived_key(&self, material: &str) -> String {
        self.redactor.keyed_hash(material)
    }

    /// The same store, to be asked.
    pub fn store(&self) -> Store {
        Store::over(self.journal.clone())
    }

    /// Makes everything durable that was recorded, or found there, so far; for [`Durability::Batch`].
    pub fn sync(&mut self) -> Result<(), RecorderError> {
        self.flush()?;
        while let Some(session) = self.owed.first().cloned() {
            // finds the end of the session, whoever went on with it, and syncs that
            self.repair(&session)?;
            self.owed.remove(&session);
        }
        Ok(())
    }

    /// From now on we answer for what stands in the session.
    pub(crate) fn vouch(&mut self, session: &SessionId) {
        if self.durability != Durability::Os {
            self.owed.insert(session.clone());
        }
    }

    /// Cuts a torn tail off and says what was cut.
    pub fn repair(&mut self, session: &SessionId) -> Result<Option<Recovered>, RecorderError> {
        self.writer(session.as_str(), session)?.repair().map_err(RecorderError::from)
    }

    pub(crate) fn clean(&self, draft: Draft) -> Result<Clean, RecorderError> {
        let session = draft.session.clone();
        self.redactor.clean(draft).map_err(|source| RecorderError::Redact { session, source })
    }

    /// Appends to the session that the caller calls `name`.
    pub(crate) fn append(&mut self, name: &str, clean: &Clean) -> Result<Receipt, RecorderError> {
        let session = clean.session().clone();
        let appended = self.writer(name, &session)?.append(clean);
        match &appended {
            // a closed writer stays closed; the next draft opens the session again and looks at what is there
            Err(_) => drop(self.writers.remove(&session)),
            Ok(receipt) => self.appended(clean, receipt),
        }
        Ok(appended?)
    }

    /// Keeps in mind what was appended.
    fn appended(&mut self, clean: &Clean, receipt: &Receipt) {
        self.remember(clean.session(), clean.draft().kind.as_str(), receipt);
        if self.durability == Durability::Batch {
            self.vouch(clean.session());
        }
        self.known.note(clean, receipt);
    }

    /// When what is recorded here is on the disk.
    pub fn durability(&self) -> Durability {
        self.durability
    }

    fn remember(&mut self, session: &SessionId, kind: &str, receipt: &Receipt) {
        if !self.fresh.contains_key(session) {
            self.fresh.insert(session.clone(), Fresh::default());
        }
        let Some(fresh) = self.fresh.get_mut(session) else { return };
        fresh.events += 1;
        fresh.urgent |= is_urgent(kind);
        if self.links < MAX_LINKS {
            self.links += 1;
            let (seq, hash, pointer) = (receipt.seq, receipt.hash.clone(), receipt.pointer);
            fresh.links.push(Link { seq, hash, pointer, closes: kind == "session.closed" });
        }
    }

    /// What was appended since this was asked last; for who seals.
    pub fn take_fresh(&mut self) -> BTreeMap<SessionId, Fresh> {
        self.links = 0;
        std::mem::take(&mut self.fresh)
    }

    /// Gives an event its place; it is stored by [`Self::flush`], before which nobody may be told that it is.
    pub(crate) fn stage(&mut self, name: &str, clean: &Clean) -> Result<Receipt, RecorderError> {
        let session = clean.session();
        if !self.is_staging(session) {
            self.flush()?;
        }
        let writer = self.writer_as_it_is(name, session)?;
        let staged = writer.stage(clean);
        let due = writer.is_due();
        let receipt = staged.map_err(|error| self.lost(session, error))?;
        if self.durability == Durability::Batch {
            self.vouch(session);
        }
        self.known.note(clean, &receipt);
        let (_, waiting) = self.staged.get_or_insert_with(|| (session.clone(), Vec::new()));
        waiting.push((clean.draft().kind.clone(), receipt.clone()));
        if due {
            self.flush()?;
        }
        Ok(receipt)
    }

    /// True while events of the session wait to be written.
    pub(crate) fn is_staging(&self, session: &SessionId) -> bool {
        self.staged.as_ref().is_some_and(|(staged, _)| staged == session)
    }

    /// Stores what was staged.
    pub(crate) fn flush(&mut self) -> Result<(), RecorderError> {
        let Some((session, waiting)) = self.staged.take() else { return Ok(()) };
        if let Some(writer) = self.writers.get_mut(&session) {
            writer.flush().map_err(|error| self.lost(&session, error))?;
        }
        for (kind, receipt) in waiting {
            self.remember(&session, kind.as_str(), &receipt);
        }
        Ok(())
    }

    /// After an error nothing that was staged is taken for told.
    fn lost(&mut self, session: &SessionId, error: JournalError) -> RecorderError {
        self.staged = None;
        self.writers.remove(session);
        self.known = Known::new(&self.journal);
        error.into()
    }

    /// The session's writer; what was staged for any is written first.
    fn writer(&mut self, name: &str, session: &SessionId) -> Result<&mut Writer, RecorderError> {
        self.flush()?;
        self.writer_as_it_is(name, session)
    }

    fn writer_as_it_is(&mut self, name: &str, session: &SessionId) -> Result<&mut Writer, RecorderError> {
        if !self.writers.contains_key(session) {
            if self.writers.len() >= MAX_WRITERS {
                // what they still owe is remembered
                self.writers.clear();
            }
            let opened = self.opened(name, session)?;
            let writer = self.journal.writer(opened, self.durability);
            self.writers.insert(session.clone(), writer);
        }
        // inserted just above
        self.writers
            .get_mut(session)
            .ok_or_else(|| RecorderError::NoSession { name: name.to_owned(), near: None })
    }

    /// Sequence 0 of a session that is made now; the name its caller uses is kept, erasable, in its data.
    fn opened(&self, name: &str, session: &SessionId) -> Result<Clean, RecorderError> {
        if name == session.as_str() {
            return Ok(Clean::system(
                session.clone(),
                "session.opened",
                vec![("status", Fact::Word("open"))],
                vec![],
            ));
        }
        let draft = Draft::new(session.as_str(), Kind::of("session.opened"), Origin::Observed)
            .with("status", "open")
            .data("original_id", name);
        self.clean(draft)
    }

    /// The event that says the same under the same key, if it stands in the session already.
    fn already(&mut self, clean: &Clean) -> Result<Option<Receipt>, RecorderError> {
        let Some(key) = stored_key(clean) else { return Ok(None) };
        self.flush()?;
        self.known.read(clean.session())?;
        let mut candidates = self.known.candidates(&key, clean.session());
        candidates.retain(|seen| self.known.session(*seen) == clean.session());
        if candidates.is_empty() {
            return Ok(None);
        }
        let data = stored_form(&clean.draft().data);
        let told = Told { kind: &clean.draft().kind, data: Data::Draft(&data), erased: &[] };
        for seen in candidates {
            let Some(event) = self.known.event(seen, &key)? else { continue };
            if self.same(&event, told)? {
                let (session, pointer) = (event.session.to_string(), seen.pointer);
                let receipt = Receipt { session, seq: event.seq, hash: event.hash, durable: false, pointer };
                return Ok(Some(receipt));
            }
        }
        Ok(None)
    }

    /// Compares with today's rules on both sides: what was stored before a rule came is no other event.
    pub(crate) fn same(&self, stored: &Event, told: Told<'_>) -> Result<bool, RecorderError> {
        if compare(Told::from(stored), told) == Sameness::Duplicate {
            return Ok(true);
        }
        let mut draft = Draft::new(stored.session.as_str(), stored.kind.clone(), Origin::Imported);
        draft.data = stored.data.to_map();
        let again = self.clean(draft)?;
        let today =
            Told { kind: &stored.kind, data: Data::Draft(&again.draft().data), erased: &stored.erased };
        Ok(compare(today, told) == Sameness::Duplicate)
    }
}

/// Kinds that a seal must not wait for.
fn is_urgent(kind: &str) -> bool {
    matches!(kind, "error.raised" | "session.closed")
        || kind.starts_with("handoff.")
        || kind.starts_with("audit.")
}

/// The key as headers have it: with the origin in front.
pub(crate) fn stored_key(clean: &Clean) -> Option<String> {
    let draft = clean.draft();
    draft.key.as_ref().map(|key| format!("{}:{key}", draft.origin.as_str()))
}
