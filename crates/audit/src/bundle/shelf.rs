//! A bundle seen as the store that it comes from: read only, so that the store's own code checks its log.

use std::io;
use std::path::Path;
use std::sync::Arc;

use world::{Disk, DiskFile, Lock, Open, Stat, World};

use super::parcel::{Parcel, Part};

/// Where the store stands on this disk.
pub(crate) const ROOT: &str = "/";
const JOURNAL: &str = "/journal/";

/// `/journal/<name>` is the bundle's `<name>`.
#[derive(Debug)]
struct Shelf(Arc<Parcel>);

/// This world with a bundle for its disk.
pub(crate) fn world(parcel: &Arc<Parcel>) -> World {
    World { disk: Arc::new(Shelf(Arc::clone(parcel))), ..World::real() }
}

fn name(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix(JOURNAL)
}

fn read_only<T>() -> io::Result<T> {
    Err(io::Error::from(io::ErrorKind::ReadOnlyFilesystem))
}

impl Disk for Shelf {
    fn open(&self, path: &Path, how: Open) -> io::Result<Box<dyn DiskFile>> {
        if how != Open::Read {
            return read_only();
        }
        let part = name(path).map_or(Ok(None), |name| self.0.part(name))?;
        part.map_or(Err(io::ErrorKind::NotFound.into()), |part| Ok(Box::new(part)))
    }

    fn stat(&self, path: &Path) -> io::Result<Option<Stat>> {
        let len = name(path).and_then(|name| self.0.len(name));
        Ok(len.map(|len| Stat { len, inode: 0, is_dir: false }))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let Some(folder) = name(path) else { return Ok(Vec::new()) };
        let below = |name: &str| name.strip_prefix(folder)?.strip_prefix('/').map(str::to_owned);
        Ok(self.0.names().filter_map(below).filter(|name| !name.contains('/')).collect())
    }

    fn create_dir_all(&self, _: &Path) -> io::Result<()> {
        read_only()
    }

    fn link(&self, _: &Path, _: &Path) -> io::Result<()> {
        read_only()
    }

    fn rename(&self, _: &Path, _: &Path) -> io::Result<()> {
        read_only()
    }

    fn remove(&self, _: &Path) -> io::Result<()> {
        read_only()
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        read_only()
    }
}

impl DiskFile for Part {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        Self::read_at(self, buffer, offset)
    }

    fn append(&self, _: &[u8]) -> io::Result<usize> {
        read_only()
    }

    fn write_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        read_only()
    }

    fn stat(&self) -> io::Result<Stat> {
        Ok(Stat { len: self.len, inode: 0, is_dir: false })
    }

    fn set_len(&self, _: u64) -> io::Result<()> {
        read_only()
    }

    fn sync(&self) -> io::Result<()> {
        read_only()
    }

    fn try_lock(&self, _: Lock) -> io::Result<bool> {
        read_only()
    }

    fn unlock(&self) -> io::Result<()> {
        read_only()
    }
}
