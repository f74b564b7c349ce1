//! The index as one object: catch up, ask, make again.
//!
//! A query never waits: if nobody else is writing and much is missing, it catches up for a moment; what is
//! not in by then it looks at itself. A damaged part is set aside and made again; until then, and where
//! nothing may be written, the journal answers.

mod compare;
mod search;
mod views;

use std::collections::BTreeMap;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use event::SessionId;
use journal::{Extent, Journal, Place};

pub use self::compare::{Compared, Flaw};
pub use self::views::Scope;
use crate::cache::Cache;
use crate::error::IndexError;
use crate::folders::{Folders, Part};
use crate::kept::Kept;
use crate::project::{Budget, Outcome, bytes_after, is_cut, project};
use crate::text_index::{Size, TextIndex, TextWriter};
use crate::views::checkpoints;
use crate::views::sled_store::SledStore;
use crate::views::store::ViewStore;

/// So much is rather looked at than indexed first.
const LOOK_BYTES: u64 = 4 * 1024 * 1024;
/// Less is rather looked at by each query than put into an index that is there: a commit costs as much as a few looks.
const BEHIND_BYTES: u64 = 512 * 1024;
/// From so much on a rebuild's memory and threads are worth it.
const LARGE_BYTES: u64 = 16 * 1024 * 1024;
/// Who erases waits for another process's projecting, ten seconds.
const NAP: std::time::Duration = std::time::Duration::from_millis(20);
const PATIENCE_NAPS: u32 = 500;

/// How far the index is after catching up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaughtUp {
    /// Everything is in.
    Fully,
    /// The budget was used up before.
    Partly,
}

/// The derived side of one store.
pub struct Index {
    journal: Journal,
    pub(crate) folders: Folders,
    text: Mutex<Option<(PathBuf, Arc<TextIndex>)>>,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").field("folders", &self.folders).finish_non_exhaustive()
    }
}

impl Index {
    /// The index of a journal, in `dir`. Nothing is opened or made yet.
    pub fn open(journal: Journal, dir: &Path) -> Self {
        let folders = Folders::new(dir, journal.store_id());
        Self { journal, folders, text: Mutex::new(None) }
    }

    /// Answers to one kind of question that were made before.
    pub fn cache(&self, name: &str) -> Cache {
        Cache::new(self.folders.root().join(name), self.journal.store_id())
    }

    /// Texts that are kept of each session for one purpose.
    pub fn kept(&self, name: &'static str) -> Kept {
        Kept::new(&self.folders, name)
    }

    /// Projects what is not in yet, within a budget. `Busy` when another process does.
    pub fn catch_up(&self, budget: Budget) -> Result<CaughtUp, IndexError> {
        let lock = self.folders.lock()?;
        let (outcome, _) = self.catch_up_locked(&lock, budget)?;
        Ok(outcome)
    }

    /// Makes everything again, in new folders; readers keep the old ones until that is done.
    pub fn reindex(&self) -> Result<(), IndexError> {
        let lock = self.folders.lock()?;
        self.rebuild(&lock).map(drop)
    }

    /// Removes all that is derived, so that no erased text is left in it. False if there was nothing. Waits for
    /// who is projecting, then says that they are busy.
    pub fn forget(&self) -> Result<bool, IndexError> {
        if !self.folders.exist() {
            return Ok(false);
        }
        let _lock = self.patient_lock()?;
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.folders.forget()?;
        Ok(true)
    }

    fn patient_lock(&self) -> Result<File, IndexError> {
        for _ in 0..PATIENCE_NAPS {
            match self.folders.lock() {
                Err(IndexError::Busy { .. }) => std::thread::sleep(NAP),
                locked => return locked,
            }
        }
        self.folders.lock()
    }

    /// Derived files in which one of these texts stands as it is.
    pub fn holding(&self, texts: &[Vec<u8>]) -> Vec<PathBuf> {
        let holds = |path: &PathBuf| {
            let bytes = std::fs::read(path).unwrap_or_default();
            texts.iter().any(|text| memchr::memmem::find(&bytes, text).is_some())
        };
        self.folders.files().into_iter().filter(holds).collect()
    }

    /// Compares every file of the text index with its checksum, and reads all views. A damaged part is set
    /// aside. True when all is well.
    pub fn check(&self) -> Result<bool, IndexError> {
        let lock = self.folders.lock()?;
        let text = match self.folders.current(Part::Text) {
            Some(path) => guarded(&path, || TextIndex::open(&path)?.check()),
            None => Ok(()),
        };
        let views = match self.folders.current(Part::Views) {
            Some(path) => SledStore::open(&path).and_then(|store| crate::views::check(&store)),
            None => Ok(()),
        };
        let sound = text.is_ok() && views.is_ok();
        for checked in [text, views] {
            match checked {
                Err(error) if error.is_curable() => self.set_aside(&error)?,
                other => other?,
            }
        }
        drop(lock);
        Ok(sound)
    }

    /// What stands in the journal from these places on. Taken after them: they only grow.
    fn survey(&self, places: &BTreeMap<String, Place>) -> Result<Survey, IndexError> {
        let known = |session: &SessionId| {
            let place = places.get(session.as_str()).filter(|place| place.seq > 0)?;
            Some(place.segment)
        };
        Ok(Survey { sessions: self.journal.survey(&known)? })
    }

    fn catch_up_locked(
        &self,
        lock: &File,
        budget: Budget,
    ) -> Result<(CaughtUp, Box<dyn ViewStore>), IndexError> {
        self.folders.sweep()?;
        match self.project_current(budget) {
            Ok((Outcome::Done, views)) => Ok((CaughtUp::Fully, views)),
            Ok((Outcome::Behind, views)) => Ok((CaughtUp::Partly, views)),
            Ok((Outcome::Rewritten, views)) => {
                views.destroy()?;
                Ok((CaughtUp::Fully, self.rebuild(lock)?))
            }
            Err(error) => {
                if !error.is_curable() {
                    return Err(error);
                }
                self.set_aside(&error)?;
                // once more, into new folders; what fails again is told
                let (outcome, views) = self.project_current(budget)?;
                Ok((if outcome == Outcome::Done { CaughtUp::Fully } else { CaughtUp::Partly }, views))
            }
        }
    }

    fn project_current(&self, budget: Budget) -> Result<(Outcome, Box<dyn ViewStore>), IndexError> {
        let views = self.open_views()?;
        let path = self.open_or_make(Part::Text)?;
        let lag = checkpoints(&*views).and_then(|places| Ok(self.survey(&places)?.lag(&places)))?;
        let size = match lag.bytes {
            _ if budget != Budget::ALL => Size::BRIEF,
            LARGE_BYTES.. => Size::LARGE,
            _ => Size::SMALL,
        };
        let outcome = guarded(&path, || {
            let text = if path.join("meta.json").exists() {
                TextIndex::open(&path)?
            } else {
                TextIndex::create(&path)?
            };
            let mut writer = TextWriter::new(text, size)?;
            let outcome = project(&self.journal, &mut writer, &*views, budget)?;
            if outcome != Outcome::Rewritten {
                writer.finish()?;
            }
            Ok(outcome)
        })?;
        Ok((outcome, views))
    }

    /// Quarantines the part that is damaged. The caller holds the lock.
    fn set_aside(&self, error: &IndexError) -> Result<(), IndexError> {
        match error {
            IndexError::Text { path, .. } => self.folders.quarantine(Part::Text, path),
            IndexError::Views { path, .. } => self.folders.quarantine(Part::Views, path),
            _ => Ok(()),
        }
    }

    fn open_views(&self) -> Result<Box<dyn ViewStore>, IndexError> {
        let path = self.open_or_make(Part::Views)?;
        Ok(Box::new(SledStore::open(&path)?))
    }

    fn open_or_make(&self, part: Part) -> Result<PathBuf, IndexError> {
        if let Some(path) = self.folders.current(part) {
            return Ok(path);
        }
        let path = self.folders.new_generation(part)?;
        self.folders.set_current(&[(part, Some(&path))])?;
        Ok(path)
    }

    fn rebuild(&self, _lock: &File) -> Result<Box<dyn ViewStore>, IndexError> {
        let (views_path, text_path) =
            (self.folders.new_generation(Part::Views)?, self.folders.new_generation(Part::Text)?);
        let views: Box<dyn ViewStore> = Box::new(SledStore::open(&views_path)?);
        guarded(&text_path, || {
            let mut writer = TextWriter::new(TextIndex::create(&text_path)?, Size::LARGE)?;
            project(&self.journal, &mut writer, &*views, Budget::ALL)?;
            writer.finish()
        })?;
        self.folders.set_current(&[(Part::Views, Some(&views_path)), (Part::Text, Some(&text_path))])?;
        self.folders.sweep()?;
        Ok(views)
    }

    /// The current text index, opened once.
    fn text(&self) -> Result<Option<Arc<TextIndex>>, IndexError> {
        let Some(path) = self.folders.current(Part::Text) else { return Ok(None) };
        if !path.join("meta.json").exists() {
            return Ok(None);
        }
        let mut opened = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, text)) = &*opened
            && *known == path
        {
            return Ok(Some(text.clone()));
        }
        let text = Arc::new(guarded(&path, || TextIndex::open(&path))?);
        *opened = Some((path, text.clone()));
        Ok(Some(text))
    }
}

/// Every session of the journal, by its id, and what stands of it on disk.
#[derive(Debug)]
struct Survey {
    sessions: Vec<(SessionId, Extent)>,
}

#[derive(Debug, Clone, Copy)]
struct Lag {
    /// What stood below a checkpoint is gone.
    cut: bool,
    bytes: u64,
}

impl Survey {
    fn lag(&self, places: &BTreeMap<String, Place>) -> Lag {
        let known = |name: &String| self.sessions.binary_search_by(|(s, _)| s.as_str().cmp(name)).is_ok();
        let mut lag = Lag { cut: !places.keys().all(known), bytes: 0 };
        let start = Place::default();
        for (session, extent) in &self.sessions {
            let place = places.get(session.as_str()).unwrap_or(&start);
            lag.cut |= is_cut(extent, place);
            lag.bytes += bytes_after(extent, place);
        }
        lag
    }
}

/// tantivy's panics are damage.
fn guarded<T>(path: &Path, work: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(IndexError::Text { path: path.to_owned(), what: "using it panicked".to_owned() })
    })
}
