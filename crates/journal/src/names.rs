//! Names that must outlive a crash of the machine: those of a file's folder and of the folders above.
//!
//! Whoever made a folder may have died before it synced the name, so nothing is acknowledged on the
//! strength of seeing it there.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use world::World;

use crate::error::{Context, JournalError};
use crate::store::Journal;

/// Folders whose names this process has made durable.
pub(crate) type Named = Mutex<BTreeSet<PathBuf>>;

impl Journal {
    /// Makes the names of a folder and of those above it durable, up to the store's own.
    pub(crate) fn sync_names_of(&self, folder: &Path) -> Result<(), JournalError> {
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        for folder in folder.ancestors().take_while(|folder| folder.starts_with(&self.layout.root)) {
            if !named.contains(folder) {
                sync_name(&self.world, folder)?;
                named.insert(folder.to_owned());
            }
        }
        Ok(())
    }
}

/// Folders that making this one makes, innermost first.
pub(crate) fn missing<'a>(world: &World, folder: &'a Path) -> Result<Vec<&'a Path>, JournalError> {
    let mut missing = Vec::new();
    for folder in folder.ancestors().filter(|folder| !folder.as_os_str().is_empty()) {
        if world.disk.stat(folder).at("look at", folder)?.is_some() {
            break;
        }
        missing.push(folder);
    }
    Ok(missing)
}

/// Makes a folder's name durable in the folder above.
pub(crate) fn sync_name(world: &World, folder: &Path) -> Result<(), JournalError> {
    let Some(above) = folder.parent() else { return Ok(()) };
    let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
    match world.disk.sync_dir(above) {
        // somebody else's folder, which we may pass but not open: its names are not ours to sync
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        synced => synced.at("sync", above),
    }
}
