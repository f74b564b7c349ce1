//! The folders of an index, and who may write them.
//!
//! ```text
//! <index>/projector.lock        std lock; whoever holds it is the only writer
//! <index>/CURRENT               {"store":"…","views":"views-v1-g3","text":"text-v1-g4"}
//! <index>/views-v1-g3/          sled; version of the rows, generation
//! <index>/text-v1-g4/           tantivy
//! <index>/listings/             what is told of each session, a file each (`kept.rs`)
//! <index>/quarantine-text/      what turned out to be damaged, the last one, for whoever wants to know why
//! ```
//! A new generation becomes current by one rename. Readers that have an old one open keep it until they
//! close it; folders that are not current are removed by the next writer.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Context as _, IndexError};
use crate::text_index::TEXT_VERSION;
use crate::views::VIEWS_VERSION;

/// One of the two derived stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Views,
    Text,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Views => "views",
            Self::Text => "text",
        }
    }

    /// What folders of the version that this build writes begin with.
    fn prefix(self) -> String {
        let version = match self {
            Self::Views => VIEWS_VERSION,
            Self::Text => TEXT_VERSION,
        };
        format!("{}-v{version}-g", self.name())
    }
}

/// What `CURRENT` says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Current {
    store: String,
    views: Option<String>,
    text: Option<String>,
}

/// The folders of one index.
#[derive(Debug, Clone)]
pub(crate) struct Folders {
    root: PathBuf,
    store: String,
}

impl Folders {
    /// The folder that all others lie in.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn new(root: &Path, store: &str) -> Self {
        Self { root: root.to_owned(), store: store.to_owned() }
    }

    pub(crate) fn lock_path(&self) -> PathBuf {
        self.root.join("projector.lock")
    }

    /// Takes the lock, or says who is busy; never waits.
    pub(crate) fn lock(&self) -> Result<File, IndexError> {
        fs::create_dir_all(&self.root).at("make", &self.root)?;
        let path = self.lock_path();
        let file =
            OpenOptions::new().create(true).truncate(false).write(true).open(&path).at("open", &path)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(IndexError::Busy { path }),
            Err(TryLockError::Error(error)) => Err(error).at("lock", &path),
        }
    }

    /// The current folder of a part, if there is one that this build can use for this store.
    pub(crate) fn current(&self, part: Part) -> Option<PathBuf> {
        let current = self.read_current();
        let name = match part {
            Part::Views => current.views,
            Part::Text => current.text,
        }?;
        let path = self.root.join(&name);
        (name.starts_with(&part.prefix()) && path.is_dir()).then_some(path)
    }

    /// An unreadable or foreign `CURRENT` is as good as none.
    fn read_current(&self) -> Current {
        let bytes = fs::read(self.root.join("CURRENT")).unwrap_or_default();
        let current: Current = serde_json::from_slice(&bytes).unwrap_or_default();
        if current.store == self.store { current } else { Current::default() }
    }

    /// A new empty folder of the next generation. Not current yet.
    pub(crate) fn new_generation(&self, part: Part) -> Result<PathBuf, IndexError> {
        let prefix = part.prefix();
        let generation = |name: &String| name.strip_prefix(&prefix).and_then(|n| n.parse::<u64>().ok());
        let last = self.names()?.iter().filter_map(generation).max().unwrap_or(0);
        let path = self.root.join(format!("{prefix}{}", last + 1));
        fs::create_dir_all(&path).at("make", &path)?;
        Ok(path)
    }

    /// Makes folders current.
    pub(crate) fn set_current(&self, folders: &[(Part, Option<&Path>)]) -> Result<(), IndexError> {
        let mut current = Current { store: self.store.clone(), ..self.read_current() };
        for (part, path) in folders {
            let name = path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
            match part {
                Part::Views => current.views = name,
                Part::Text => current.text = name,
            }
        }
        let (path, new) = (self.root.join("CURRENT"), self.root.join("CURRENT.new"));
        let bytes = serde_json::to_vec(&current).map_err(io::Error::other).at("write", &new)?;
        let written = File::create(&new).and_then(|mut file| {
            file.write_all(&bytes)?;
            file.sync_all()
        });
        written.at("write", &new)?;
        fs::rename(&new, &path).at("rename", &new)
    }

    /// Sets a damaged part aside, the last one only; the next writer makes it again. A folder that is not
    /// current any more is left alone; an empty path stands for the current one.
    pub(crate) fn quarantine(&self, part: Part, which: &Path) -> Result<(), IndexError> {
        let aside = self.root.join(format!("quarantine-{}", part.name()));
        let damaged = self.current(part);
        if !which.as_os_str().is_empty() && damaged.as_deref() != Some(which) {
            return Ok(());
        }
        self.set_current(&[(part, None)])?;
        remove(&aside)?;
        match damaged {
            Some(path) => fs::rename(&path, &aside).at("rename", &path),
            None => Ok(()),
        }
    }

    /// Removes everything derived, what was set aside too. The caller holds the lock.
    pub(crate) fn forget(&self) -> Result<(), IndexError> {
        for part in [Part::Views, Part::Text] {
            self.set_current(&[(part, None)])?;
        }
        // every folder is derived: generations, what was set aside, answers that were kept
        for path in self.names()?.iter().map(|name| self.root.join(name)).filter(|path| path.is_dir()) {
            remove(&path)?;
        }
        Ok(())
    }

    /// True if there is an index.
    pub(crate) fn exist(&self) -> bool {
        self.root.is_dir()
    }

    /// Every file below.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let (mut folders, mut files) = (vec![self.root.clone()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files
    }

    /// Removes every generation that is not current.
    pub(crate) fn sweep(&self) -> Result<(), IndexError> {
        let current = self.read_current();
        let keep = [current.views, current.text];
        for name in self.names()? {
            let ours = name.starts_with("views-") || name.starts_with("text-");
            if ours && !keep.iter().flatten().any(|kept| *kept == name) {
                remove(&self.root.join(name))?;
            }
        }
        Ok(())
    }

    fn names(&self) -> Result<Vec<String>, IndexError> {
        let entries = fs::read_dir(&self.root).at("list", &self.root)?;
        Ok(entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect())
    }
}

fn remove(path: &Path) -> Result<(), IndexError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).at("remove", path),
        _ => Ok(()),
    }
}
