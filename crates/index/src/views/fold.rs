//! Folding: events go through every projection; what they touch is kept open until the batch is put, rows
//! and checkpoint together.

use std::collections::HashMap;

use journal::Place;

use super::PROJECTIONS;
use super::keys::Keys;
use super::page::{KeyRow, PAGE_ROWS, Packed, Row};
use super::path::{Path, page_first};
use super::sessions::{SessionRow, row_of};
use super::store::{Direction, Pair, ViewStore};
use crate::error::IndexError;
use crate::facts::Facts;

/// A fold of events into rows. To add one: a file in `views/` and a line in `PROJECTIONS`.
pub(crate) trait Projection: Sync {
    /// Takes the next event of a session.
    fn fold(&self, event: &Facts, fold: &mut Fold<'_>) -> Result<(), IndexError>;
}

/// The page that rows are added to.
struct Open<T> {
    first: u64,
    rows: Vec<T>,
    dirty: bool,
}

/// A batch under way.
pub(crate) struct Fold<'s> {
    store: &'s dyn ViewStore,
    rows: HashMap<Path, Open<Row>>,
    keys: HashMap<Path, Open<KeyRow>>,
    sessions: HashMap<String, SessionRow>,
    full: Vec<Pair>,
}

impl<'s> Fold<'s> {
    pub(crate) fn new(store: &'s dyn ViewStore) -> Self {
        let (rows, keys, sessions) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { store, rows, keys, sessions, full: Vec::new() }
    }

    /// Folds a told event.
    pub(crate) fn tell(&mut self, event: &Facts) -> Result<(), IndexError> {
        PROJECTIONS.iter().try_for_each(|projection| projection.fold(event, self))
    }

    /// Folds an event that stands for one that was told: rows and counts have that one, and only the keys are new.
    pub(crate) fn retell(&mut self, event: &Facts) -> Result<(), IndexError> {
        self.session(&event.session)?.duplicates += 1;
        Keys.fold(event, self)
    }

    /// Puts everything folded so far, with how far the session is.
    pub(crate) fn put(&mut self, session: &str, place: &Place) -> Result<(), IndexError> {
        let mut pairs = std::mem::take(&mut self.full);
        pairs.extend(dirty_pages(&mut self.rows));
        pairs.extend(dirty_pages(&mut self.keys));
        for (name, row) in &self.sessions {
            pairs.push((row_of(name).bytes().to_vec(), json(row)));
        }
        pairs.push((checkpoint_of(session).bytes().to_vec(), json(place)));
        self.store.put(pairs)
    }

    /// Forgets what is open: the next events are another session's.
    pub(crate) fn close(&mut self) {
        self.rows.clear();
        self.keys.clear();
        self.sessions.clear();
    }

    pub(super) fn row(&mut self, path: &Path, row: Row) -> Result<(), IndexError> {
        add(self.store, &mut self.rows, &mut self.full, path, row)
    }

    pub(super) fn key(&mut self, path: &Path, row: KeyRow) -> Result<(), IndexError> {
        add(self.store, &mut self.keys, &mut self.full, path, row)
    }

    /// The row of a session, to count something in it.
    pub(crate) fn session(&mut self, session: &str) -> Result<&mut SessionRow, IndexError> {
        if !self.sessions.contains_key(session) {
            let stored = self.store.get(row_of(session).bytes())?;
            let mut row: SessionRow = match stored {
                Some(bytes) => read_json(&bytes)?,
                None => SessionRow::default(),
            };
            session.clone_into(&mut row.session);
            self.sessions.insert(session.to_owned(), row);
        }
        Ok(self.sessions.entry(session.to_owned()).or_default())
    }
}

fn add<T: Packed>(
    store: &dyn ViewStore,
    open: &mut HashMap<Path, Open<T>>,
    full: &mut Vec<Pair>,
    path: &Path,
    row: T,
) -> Result<(), IndexError> {
    if !open.contains_key(path) {
        open.insert(path.clone(), last_page(store, path)?);
    }
    let Some(page) = open.get_mut(path) else { return Ok(()) };
    if page.rows.len() >= PAGE_ROWS {
        if page.dirty {
            full.push((path.page(page.first), T::pack(&page.rows)));
        }
        page.first += page.rows.len() as u64;
        page.rows.clear();
    }
    page.rows.push(row);
    page.dirty = true;
    Ok(())
}

fn last_page<T: Packed>(store: &dyn ViewStore, path: &Path) -> Result<Open<T>, IndexError> {
    let mut page = Ok(Open { first: 0, rows: Vec::new(), dirty: false });
    store.scan(path.bytes(), Direction::Back, &mut |key, value| {
        // a longer path that begins with this one has longer keys
        if key.len() != path.bytes().len() + 8 {
            return std::ops::ControlFlow::Continue(());
        }
        page = match (page_first(key), T::unpack(value, "")) {
            (Some(first), Some(rows)) => Ok(Open { first, rows, dirty: false }),
            _ => Err(damaged()),
        };
        std::ops::ControlFlow::Break(())
    })?;
    page
}

fn dirty_pages<T: Packed>(open: &mut HashMap<Path, Open<T>>) -> Vec<Pair> {
    let dirty = open.iter_mut().filter(|(_, page)| page.dirty);
    dirty
        .map(|(path, page)| {
            page.dirty = false;
            (path.page(page.first), T::pack(&page.rows))
        })
        .collect()
}

/// What a row shows of an event.
pub(super) fn row(event: &Facts) -> Row {
    let text = |name: &str| event.get(name).map(str::to_owned);
    let detail = ["phase", "skill", "from", "category", "role", "by", "form"];
    Row {
        session: event.session.clone(),
        seq: event.seq,
        time: event.time,
        kind: event.kind.to_string(),
        agent: text("agent"),
        agent_id: text("agent_id"),
        group: text("group"),
        detail: detail.into_iter().find_map(text),
        to: text("to"),
        status: text("status"),
        error: event.is("error"),
        conflict: event.conflict,
        pointer: event.pointer.into(),
    }
}

/// Where the checkpoint of a session stands.
pub(crate) fn checkpoint_of(session: &str) -> Path {
    Path::new(b'c').text(session)
}

/// Values are ours and always serialise.
fn json<T: serde::Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

pub(super) fn read_json<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, IndexError> {
    serde_json::from_slice(bytes).map_err(|_| damaged())
}

pub(super) fn damaged() -> IndexError {
    IndexError::Views { path: std::path::PathBuf::new(), what: "a row does not read back".to_owned() }
}
