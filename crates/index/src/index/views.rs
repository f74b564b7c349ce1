//! Views: the stored ones and a fold of what is not in them yet, or a fold of the journal itself.

use std::collections::BTreeMap;
use std::fs::File;

use event::SessionId;
use journal::{Place, Stretch};

use super::{Index, LOOK_BYTES, Lag};
use crate::answer::AsOf;
use crate::error::IndexError;
use crate::facts::Facts;
use crate::folders::Part;
use crate::project::{Budget, fold_sessions, fold_stretch};
use crate::views::store::{MemStore, Overlay, ViewStore};
use crate::views::{Views, checkpoints};

/// A session of so much is rather looked through than looked up: a few hundredths of a second.
const GLANCE_BYTES: u64 = 64 * 1024 * 1024;

/// What views are wanted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Every session.
    All,
    /// One of them.
    Session(SessionId),
}

impl Index {
    /// Views of the journal as it is now.
    pub fn views(&self, scope: &Scope) -> Result<Views, IndexError> {
        let stored = self.folders.current(Part::Views).is_some();
        if !stored && self.survey(&BTreeMap::new())?.lag(&BTreeMap::new()).bytes <= LOOK_BYTES {
            return self.folded_views(scope);
        }
        match self.stored_views(scope) {
            Ok(views) => Ok(views),
            Err(IndexError::Journal(error)) => Err(error.into()),
            Err(_) => self.folded_views(scope),
        }
    }

    /// Views of one session that know the events of some nouns alone (`reasoning`, `skill`, …). A session of
    /// ordinary size is looked through in one pass, without parsing what is not wanted and without an index;
    /// a large one is looked up in the stored views.
    pub fn views_about(&self, session: &SessionId, nouns: &[&str]) -> Result<Views, IndexError> {
        let views = match self.journal.stretch(session, GLANCE_BYTES)?.filter(Stretch::is_whole) {
            Some(stretch) => self.glanced_views(&stretch, nouns)?,
            None => None,
        };
        views.map_or_else(|| self.views(&Scope::Session(session.clone())), Ok)
    }

    /// `None` if the session is not plain.
    fn glanced_views(&self, stretch: &Stretch, nouns: &[&str]) -> Result<Option<Views>, IndexError> {
        let store = Box::new(MemStore::default());
        let Some(place) = fold_stretch(&self.journal, stretch, &*store, nouns)? else { return Ok(None) };
        let as_of = AsOf { events: place.seq, sessions: u64::from(place.seq > 0), ..AsOf::default() };
        Ok(Some(Views { store, as_of, complete: true, _lock: None }))
    }

    /// Views folded from the journal alone.
    pub fn folded_views(&self, scope: &Scope) -> Result<Views, IndexError> {
        self.views_over(Box::new(MemStore::default()), scope, None)
    }

    /// Views of the events that `keep` says, folded from the journal.
    pub fn folded_where(&self, keep: &dyn Fn(&Facts) -> bool) -> Result<Views, IndexError> {
        let store = Box::new(MemStore::default());
        let starts = self.journal.sessions()?.into_iter().map(|session| (session, Place::default()));
        fold_sessions(&self.journal, &*store, starts.collect(), keep)?;
        let mut views = Views { store, as_of: AsOf::default(), complete: true, _lock: None };
        for row in views.sessions()? {
            views.complete &= row.lost == 0;
            views.as_of.sessions += 1;
            views.as_of.events += row.events;
            views.as_of.ts = std::mem::take(&mut views.as_of.ts).max(row.last_ts);
        }
        Ok(views)
    }

    fn stored_views(&self, scope: &Scope) -> Result<Views, IndexError> {
        let lock = self.folders.lock()?;
        let opened = self.open_views().and_then(|views| {
            let places = checkpoints(&*views)?;
            let lag = self.survey(&places)?.lag(&places);
            Ok((views, lag))
        });
        let views = match opened {
            Ok((views, Lag { cut: false, bytes })) if bytes <= LOOK_BYTES => views,
            Ok((views, _)) => {
                drop(views);
                self.catch_up_locked(&lock, Budget::QUERY)?.1
            }
            Err(error) => {
                self.set_aside(&error)?;
                return Err(error);
            }
        };
        self.views_over(views, scope, Some(lock)).inspect_err(|error| {
            // the lock went with the views; if another has it by now, it will find the same
            if let Ok(_lock) = self.folders.lock() {
                let _ = self.set_aside(error);
            }
        })
    }

    fn views_over(
        &self,
        store: Box<dyn ViewStore>,
        scope: &Scope,
        lock: Option<File>,
    ) -> Result<Views, IndexError> {
        let store = Box::new(Overlay::new(store));
        let places = checkpoints(&*store)?;
        let sessions = match scope {
            Scope::All => self.journal.sessions()?,
            Scope::Session(session) => vec![session.clone()],
        };
        let mut starts = Vec::new();
        for session in &sessions {
            let place = places.get(session.as_str()).cloned().unwrap_or_default();
            let extent = self.journal.extent(session)?;
            if !extent.segments.is_empty() && !extent.ends_at(&place) {
                starts.push((session.clone(), place));
            }
        }
        fold_sessions(&self.journal, &*store, starts, &|_| true)?;
        let mut views = Views { store, as_of: AsOf::default(), complete: true, _lock: lock };
        for session in &sessions {
            if let Some(row) = views.session(session)? {
                views.complete &= row.lost == 0;
                views.as_of.sessions += 1;
                views.as_of.events += views.place(session)?.seq;
                views.as_of.ts = std::mem::take(&mut views.as_of.ts).max(row.last_ts);
            }
        }
        Ok(views)
    }
}
