//! Asking views: the rows, in the order of the journal.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use event::SessionId;
use journal::Place;
use serde::Serialize;

use super::errors::errors_of;
use super::fold::{checkpoint_of, damaged, read_json};
use super::handoffs::handoffs_of;
use super::keys::keys_of;
use super::nouns::{is_kept, noun_of, skill_of};
use super::outputs::outputs_of;
use super::page::{At, KeyRow, Packed, Row};
use super::path::{Path, page_first, take_text};
use super::reasoning::{reasoning_in, reasoning_of, thinking_of};
use super::sessions::{SessionRow, row_of};
use super::store::{Direction, ViewStore};
use super::timeline::{group_in, group_of, timeline_of};
use crate::answer::AsOf;
use crate::duplicates::{Holder, key_hash};
use crate::error::IndexError;

/// Views to ask, as of some point of the journal.
pub struct Views {
    pub(crate) store: Box<dyn ViewStore>,
    /// How much of the journal they know.
    pub as_of: AsOf,
    /// True when that is everything that was asked about.
    pub complete: bool,
    /// Keeps others from writing while these are open.
    pub(crate) _lock: Option<std::fs::File>,
}

/// Takes rows one after the other, until it breaks.
pub type RowVisitor<'a> = &'a mut dyn FnMut(Row) -> ControlFlow<()>;

/// One output of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Output {
    /// The skill.
    pub skill: String,
    /// 1 for the first output of its (session, skill, agent, group).
    pub iteration: u64,
    /// The event.
    pub row: Row,
}

/// A told event with a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyHolder {
    /// The session.
    pub session: String,
    /// Its place in it.
    pub seq: u64,
    /// Where its line stands.
    pub pointer: At,
}

/// Keys of the whole store.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    holders: HashMap<u64, Vec<KeyHolder>>,
}

impl Keys {
    /// Who may hold a key (with its origin): different keys share a hash once in an age.
    pub fn holders(&self, key: &str) -> &[KeyHolder] {
        self.holders.get(&key_hash(key)).map_or(&[], Vec::as_slice)
    }
}

impl std::fmt::Debug for Views {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Views")
            .field("as_of", &self.as_of)
            .field("complete", &self.complete)
            .finish_non_exhaustive()
    }
}

impl Views {
    /// Every session, by its id.
    pub fn sessions(&self) -> Result<Vec<SessionRow>, IndexError> {
        let mut rows = Vec::new();
        each(&*self.store, b"s", |_, value| {
            rows.push(read_json(value)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// One session.
    pub fn session(&self, session: &SessionId) -> Result<Option<SessionRow>, IndexError> {
        self.store.get(row_of(session.as_str()).bytes())?.map(|bytes| read_json(&bytes)).transpose()
    }

    /// The events of a session, in order.
    pub fn timeline(&self, session: &SessionId) -> Result<Vec<Row>, IndexError> {
        rows(&*self.store, &timeline_of(session.as_str()), session.as_str())
    }

    /// The events of a group, a session after the other.
    pub fn group(&self, group: &str) -> Result<Vec<Row>, IndexError> {
        let path = group_of(group);
        let mut out = Vec::new();
        each(&*self.store, path.bytes(), |key, value| {
            let (session, _) = take_text(&key[path.bytes().len()..]).ok_or_else(damaged)?;
            out.extend(Row::unpack(value, &session).ok_or_else(damaged)?);
            Ok(())
        })?;
        Ok(out)
    }

    /// The events of a session, the newest first, until `each` breaks.
    pub fn newest(&self, session: &SessionId, each: RowVisitor<'_>) -> Result<(), IndexError> {
        back(&*self.store, &timeline_of(session.as_str()), session.as_str(), each)
    }

    /// The events of a session whose kind has this noun, in order.
    pub fn noun(&self, session: &SessionId, noun: &str) -> Result<Vec<Row>, IndexError> {
        match noun {
            "handoff" => self.handoffs(session),
            _ if is_kept(noun) => rows(&*self.store, &noun_of(session.as_str(), noun), session.as_str()),
            _ => {
                let mut rows = self.timeline(session)?;
                rows.retain(|row| row.kind.split('.').next() == Some(noun));
                Ok(rows)
            }
        }
    }

    /// Documented reasoning of a session, or of one of its groups, the newest first, until `each` breaks.
    pub fn reasoning(
        &self,
        session: &SessionId,
        group: Option<&str>,
        each: RowVisitor<'_>,
    ) -> Result<(), IndexError> {
        let path = match group {
            Some(group) => reasoning_in(session.as_str(), Some(group)),
            None => reasoning_of(session.as_str()),
        };
        back(&*self.store, &path, session.as_str(), each)
    }

    /// Captured thinking of a session, in order.
    pub fn thinking(&self, session: &SessionId) -> Result<Vec<Row>, IndexError> {
        rows(&*self.store, &thinking_of(session.as_str()), session.as_str())
    }

    /// Outputs of a skill in a session, whoever ran it, the newest first, until `each` breaks.
    pub fn skill(&self, session: &SessionId, skill: &str, each: RowVisitor<'_>) -> Result<(), IndexError> {
        back(&*self.store, &skill_of(session.as_str(), skill), session.as_str(), each)
    }

    /// The events of a group within one session, in order.
    pub fn group_in(&self, session: &SessionId, group: &str) -> Result<Vec<Row>, IndexError> {
        rows(&*self.store, &group_in(group, session.as_str()), session.as_str())
    }

    /// The handoffs of a session.
    pub fn handoffs(&self, session: &SessionId) -> Result<Vec<Row>, IndexError> {
        rows(&*self.store, &handoffs_of(session.as_str()), session.as_str())
    }

    /// The errors of a session.
    pub fn errors(&self, session: &SessionId) -> Result<Vec<Row>, IndexError> {
        rows(&*self.store, &errors_of(session.as_str()), session.as_str())
    }

    /// Every output of every skill in a session; by skill, agent and group, then by iteration.
    pub fn outputs(&self, session: &SessionId) -> Result<Vec<Output>, IndexError> {
        let path = outputs_of(session.as_str());
        let mut out = Vec::new();
        each(&*self.store, path.bytes(), |key, value| {
            out.extend(outputs_in(key, value, &path, session)?);
            Ok(())
        })?;
        Ok(out)
    }

    /// Every output of one skill in a session; by agent and group, then by iteration.
    pub fn outputs_of(&self, session: &SessionId, skill: &str) -> Result<Vec<Output>, IndexError> {
        let all = outputs_of(session.as_str());
        let mut out = Vec::new();
        each(&*self.store, all.clone().text(skill).bytes(), |key, value| {
            out.extend(outputs_in(key, value, &all, session)?);
            Ok(())
        })?;
        Ok(out)
    }

    /// Outputs of a skill by an agent in a group, by iteration; `None` means absent, not any.
    pub fn outputs_by(
        &self,
        session: &SessionId,
        skill: &str,
        agent: Option<&str>,
        group: Option<&str>,
    ) -> Result<Vec<Output>, IndexError> {
        let all = outputs_of(session.as_str());
        let path = all.clone().text(skill).optional(agent).optional(group);
        let mut out = Vec::new();
        each(&*self.store, path.bytes(), |key, value| {
            out.extend(outputs_in(key, value, &all, session)?);
            Ok(())
        })?;
        Ok(out)
    }

    /// The latest output of a skill by an agent in a group; `None` means absent, not any.
    pub fn latest_output(
        &self,
        session: &SessionId,
        skill: &str,
        agent: Option<&str>,
        group: Option<&str>,
    ) -> Result<Option<Output>, IndexError> {
        let all = outputs_of(session.as_str());
        let path = all.clone().text(skill).optional(agent).optional(group);
        let mut latest = Ok(None);
        self.store.scan(path.bytes(), Direction::Back, &mut |key, value| {
            latest = outputs_in(key, value, &all, session).map(|mut outputs| outputs.pop());
            ControlFlow::Break(())
        })?;
        latest
    }

    /// Who holds which key, in every session. By hash: the event says for certain.
    pub fn keys(&self) -> Result<Keys, IndexError> {
        let mut holders: HashMap<u64, Vec<KeyHolder>> = HashMap::new();
        each(&*self.store, b"k", |key, value| {
            let (session, _) = take_text(&key[1..]).ok_or_else(damaged)?;
            for row in KeyRow::unpack(value, &session).ok_or_else(damaged)? {
                let holder = KeyHolder { session: session.clone(), seq: row.seq, pointer: row.at };
                holders.entry(row.hash).or_default().push(holder);
            }
            Ok(())
        })?;
        Ok(Keys { holders })
    }

    /// How far a session was folded.
    pub fn place(&self, session: &SessionId) -> Result<Place, IndexError> {
        let stored = self.store.get(checkpoint_of(session.as_str()).bytes())?;
        stored.map_or_else(|| Ok(Place::default()), |bytes| read_json(&bytes))
    }
}

fn outputs_in(key: &[u8], value: &[u8], path: &Path, session: &SessionId) -> Result<Vec<Output>, IndexError> {
    let (skill, _) = take_text(&key[path.bytes().len()..]).ok_or_else(damaged)?;
    let first = page_first(key).ok_or_else(damaged)?;
    let rows = Row::unpack(value, session.as_str()).ok_or_else(damaged)?;
    let output = |(row, n): (Row, u64)| Output { skill: skill.clone(), iteration: n, row };
    Ok(rows.into_iter().zip(first + 1..).map(output).collect())
}

fn rows(store: &dyn ViewStore, path: &Path, session: &str) -> Result<Vec<Row>, IndexError> {
    let mut out = Vec::new();
    each(store, path.bytes(), |_, value| {
        out.extend(Row::unpack(value, session).ok_or_else(damaged)?);
        Ok(())
    })?;
    Ok(out)
}

/// Rows from the last to the first. A longer path that begins with this one has longer keys.
fn back(store: &dyn ViewStore, path: &Path, session: &str, each: RowVisitor<'_>) -> Result<(), IndexError> {
    let mut outcome = Ok(());
    store.scan(path.bytes(), Direction::Back, &mut |key, value| {
        if key.len() != path.bytes().len() + 8 {
            return ControlFlow::Continue(());
        }
        if let Some(rows) = Row::unpack(value, session) {
            rows.into_iter().rev().try_for_each(&mut *each)
        } else {
            outcome = Err(damaged());
            ControlFlow::Break(())
        }
    })?;
    outcome
}

fn each(
    store: &dyn ViewStore,
    prefix: &[u8],
    mut take: impl FnMut(&[u8], &[u8]) -> Result<(), IndexError>,
) -> Result<(), IndexError> {
    let mut outcome = Ok(());
    store.scan(prefix, Direction::Forward, &mut |key, value| {
        outcome = take(key, value);
        if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    outcome
}

/// How far every session was folded.
pub(crate) fn checkpoints(store: &dyn ViewStore) -> Result<BTreeMap<String, Place>, IndexError> {
    let mut places = BTreeMap::new();
    each(store, b"c", |key, value| {
        let (session, _) = take_text(&key[1..]).ok_or_else(damaged)?;
        places.insert(session, read_json(value)?);
        Ok(())
    })?;
    Ok(places)
}

/// The keys that told events of a session have, by hash.
pub(crate) fn holders_of(
    store: &dyn ViewStore,
    session: &str,
) -> Result<HashMap<u64, Vec<Holder>>, IndexError> {
    let mut holders: HashMap<u64, Vec<Holder>> = HashMap::new();
    each(store, keys_of(session).bytes(), |_, value| {
        for row in KeyRow::unpack(value, session).ok_or_else(damaged)? {
            holders.entry(row.hash).or_default().push(Holder { seq: row.seq, pointer: row.at.into() });
        }
        Ok(())
    })?;
    Ok(holders)
}

/// Reads every row.
pub(crate) fn check(store: &dyn ViewStore) -> Result<(), IndexError> {
    each(store, b"", |key, value| match key.first() {
        Some(b'k') => KeyRow::unpack(value, "").map(drop).ok_or_else(damaged),
        Some(b's') => read_json::<SessionRow>(value).map(drop),
        Some(b'c') => read_json::<Place>(value).map(drop),
        _ => Row::unpack(value, "").map(drop).ok_or_else(damaged),
    })
}
