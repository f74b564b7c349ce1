//! The few things the house asks of a disk. One call here is one system call there, so that a
//! simulated disk can fail, tear or lose the N-th of them.

use std::fmt::Debug;
use std::io;
use std::path::Path;

/// How to open a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// It must be there; read only.
    Read,
    /// Made if absent; every write goes to the end.
    Append,
    /// It must be there; reads and writes at offsets.
    Update,
    /// It must not be there yet; the caller alone has it.
    CreateNew,
}

/// How a file is locked against other processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// Many may hold it.
    Shared,
    /// One holds it.
    Exclusive,
}

/// What a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Length in bytes.
    pub len: u64,
    /// Identity of the file: another file under the same name has another one.
    pub inode: u64,
    /// True for a folder.
    pub is_dir: bool,
}

/// Files and folders.
pub trait Disk: Send + Sync + Debug {
    /// Opens a file. Files are closed on exec and their locks end with them.
    fn open(&self, path: &Path, how: Open) -> io::Result<Box<dyn DiskFile>>;
    /// What the path is, or `None` if nothing is there. Does not follow a symlink at its end.
    fn stat(&self, path: &Path) -> io::Result<Option<Stat>>;
    /// The names in a folder, sorted; none if the folder is absent.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;
    /// Makes a folder and its parents, private to the user.
    fn create_dir_all(&self, path: &Path) -> io::Result<()>;
    /// Gives a file a second name; fails if that name is taken.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Renames, replacing what is there.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes the names in a folder durable.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
}

/// An open file.
pub trait DiskFile: Send + Sync + Debug {
    /// Reads at an offset; 0 at the end.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
    /// One write at the end (opened with [`Open::Append`] or [`Open::CreateNew`]); may be short.
    fn append(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Writes all at an offset (opened with [`Open::Update`]).
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
    /// Length and identity.
    fn stat(&self) -> io::Result<Stat>;
    /// Cuts the file.
    fn set_len(&self, len: u64) -> io::Result<()>;
    /// Makes content and length durable (fdatasync). Never call it again after it failed.
    fn sync(&self) -> io::Result<()>;
    /// Takes the lock if it is free. Dropping the file gives it back.
    fn try_lock(&self, lock: Lock) -> io::Result<bool>;
    /// Gives the lock back.
    fn unlock(&self) -> io::Result<()>;
}

impl dyn DiskFile + '_ {
    /// Reads until the buffer is full or the file ends.
    pub fn read_full_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read_at(&mut buffer[filled..], offset + filled as u64)? {
                0 => break,
                count => filled += count,
            }
        }
        Ok(filled)
    }
}
