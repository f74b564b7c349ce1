//! A session as it was told, up to some event: what every verb reads.

use std::collections::HashMap;

use event::{Event, SessionId};
use recorder::{Moment, RecorderError, Store};

/// Events in the order in which they are told, the past that the session shares with others in front.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The session.
    pub session: SessionId,
    /// Its events.
    pub events: Vec<Event>,
    /// False when damage was passed over.
    pub complete: bool,
    places: HashMap<SessionId, Places<u64>>,
}

/// Where events stand, by what they are looked up by.
pub(crate) type Places<K> = HashMap<K, usize, foldhash::fast::RandomState>;

impl Trace {
    /// Reads a session; with `upto`, as if nothing had been recorded after that sequence.
    pub fn read(store: &Store, session: &SessionId, upto: Option<u64>) -> Result<Self, RecorderError> {
        let story = store.story(session)?;
        let known = |event: &Event| event.session != *session || upto.is_none_or(|last| event.seq <= last);
        let events = story.events.into_iter().filter(known).collect();
        Ok(Self { complete: story.complete, ..Self::new(session.clone(), events) })
    }

    /// Reads what was there of a session at a moment, of this session or another.
    pub fn read_at(store: &Store, session: &SessionId, at: Option<&Moment>) -> Result<Self, RecorderError> {
        let trace = Self::read(store, session, None)?;
        Ok(match at {
            Some(at) => trace.keeping(|event| at.has(event)),
            None => trace,
        })
    }

    /// A trace of events in the order of telling.
    pub fn new(session: SessionId, events: Vec<Event>) -> Self {
        let (mut places, mut at) = (HashMap::<SessionId, Places<u64>>::new(), 0);
        for stretch in events.chunk_by(|one, next| one.session == next.session) {
            let of_session = places.entry(stretch[0].session.clone()).or_default();
            of_session.extend(stretch.iter().map(|event| event.seq).zip(at..));
            at += stretch.len();
        }
        Self { session, events, complete: true, places }
    }

    /// The same, with whether damage was passed over.
    #[must_use]
    pub fn with_complete(self, complete: bool) -> Self {
        Self { complete, ..self }
    }

    /// The same with the events that `keep` says; nothing is copied.
    #[must_use]
    pub fn keeping(self, keep: impl Fn(&Event) -> bool) -> Self {
        let events = self.events.into_iter().filter(|event| keep(event)).collect();
        Self { complete: self.complete, ..Self::new(self.session, events) }
    }

    /// The same with the events that `keep` says.
    #[must_use]
    pub fn only(&self, keep: impl Fn(&Event) -> bool) -> Self {
        let events = self.events.iter().filter(|event| keep(event)).cloned().collect();
        Self { complete: self.complete, ..Self::new(self.session.clone(), events) }
    }

    /// The same up to a place, that one too.
    #[must_use]
    pub fn upto(&self, place: usize) -> Self {
        let events = self.events.iter().take(place.saturating_add(1)).cloned().collect();
        Self { complete: self.complete, ..Self::new(self.session.clone(), events) }
    }

    /// Where an event of this session stands.
    pub fn place(&self, seq: u64) -> Option<usize> {
        self.place_of(&self.session, seq)
    }

    /// Where an event stands, of whichever session.
    pub fn place_of(&self, session: &SessionId, seq: u64) -> Option<usize> {
        self.places.get(session)?.get(&seq).copied()
    }
}
