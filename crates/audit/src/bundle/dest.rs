//! Where a bundle is written: a folder, or an archive. Aside first, renamed when it is whole.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use world::{DiskFile, Open, World};

use super::manifest::{Digest, Size, Subject};
use super::pack::Packer;
use crate::error::AuditError;
use crate::tree::hex;

const BUFFER_BYTES: usize = 256 * 1024;

/// A bundle that is being written.
pub(crate) struct Dest {
    world: World,
    path: PathBuf,
    aside: PathBuf,
    target: Target,
    pub(crate) subjects: Vec<Subject>,
}

enum Target {
    Folder,
    Packed(Option<Box<Packer>>),
}

/// A file of the disk as a writer.
struct Out(Box<dyn DiskFile>);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.append(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Passes bytes on, counts and hashes them.
struct Counting<W> {
    out: W,
    sha256: Sha256,
    blake3: blake3::Hasher,
    size: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.sha256.update(&bytes[..count]);
        self.blake3.update(&bytes[..count]);
        self.size += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What a part of a bundle is written with.
pub(crate) type Fill<'f, T> = &'f mut dyn FnMut(&mut dyn Write) -> Result<T, Stop>;

/// Why writing a part ends early.
pub(crate) enum Stop {
    Write(io::Error),
    Audit(AuditError),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<AuditError> for Stop {
    fn from(error: AuditError) -> Self {
        Self::Audit(error)
    }
}

impl From<journal::JournalError> for Stop {
    fn from(error: journal::JournalError) -> Self {
        Self::Audit(error.into())
    }
}

impl Dest {
    /// A bundle at a path where nothing is yet: an archive if its name says so, else a folder.
    pub(crate) fn new(world: &World, path: &Path, id: &str) -> Result<Self, AuditError> {
        let failed = |source| AuditError::Write { path: path.to_owned(), source };
        if world.disk.stat(path).map_err(failed)?.is_some() {
            return Err(AuditError::Exists { path: path.to_owned() });
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let aside = path.with_file_name(format!(".{name}.{id}"));
        let target = if name.ends_with(".tar.zst") {
            let file = world.disk.open(&aside, Open::CreateNew).map_err(failed)?;
            let out = BufWriter::with_capacity(BUFFER_BYTES, Out(file));
            Target::Packed(Some(Box::new(
                Packer::new(format!("bundle-{id}"), Box::new(out)).map_err(failed)?,
            )))
        } else {
            world.disk.create_dir_all(&aside).map_err(failed)?;
            Target::Folder
        };
        Ok(Self { world: world.clone(), path: path.to_owned(), aside, target, subjects: Vec::new() })
    }

    /// Writes a file and takes it up among the subjects.
    pub(crate) fn file<T>(&mut self, name: &str, fill: Fill<'_, T>) -> Result<T, AuditError> {
        let failed = |source| AuditError::Write { path: self.path.join(name), source };
        let wrapped = |stop| match stop {
            Stop::Write(source) => failed(source),
            Stop::Audit(error) => error,
        };
        let (subject, done) = match &mut self.target {
            Target::Folder => {
                let path = self.aside.join(name);
                let folder = path.parent().unwrap_or(&self.aside);
                self.world.disk.create_dir_all(folder).map_err(failed)?;
                let file = self.world.disk.open(&path, Open::CreateNew).map_err(failed)?;
                let (subject, done, out) = filled(name, Out(file), fill).map_err(wrapped)?;
                out.0.sync().map_err(failed)?;
                (subject, done)
            }
            Target::Packed(packer) => {
                let file = tempfile::tempfile().map_err(failed)?;
                let (subject, done, file) = filled(name, file, fill).map_err(wrapped)?;
                let size = subject.annotations.size;
                packer.as_mut().map_or(Ok(()), |packer| packer.add(name, file, size)).map_err(failed)?;
                (subject, done)
            }
        };
        self.subjects.push(subject);
        Ok(done)
    }

    /// Writes a file of these bytes.
    pub(crate) fn bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), AuditError> {
        self.file(name, &mut |out| Ok(out.write_all(bytes)?))
    }

    /// The bundle is whole: it gets its name.
    pub(crate) fn finish(&mut self) -> Result<(), AuditError> {
        let failed = |source| AuditError::Write { path: self.path.clone(), source };
        if let Target::Packed(packer) = &mut self.target {
            packer.take().map_or(Ok(()), |packer| packer.finish()).map_err(failed)?;
            self.world.disk.open(&self.aside, Open::Update).and_then(|file| file.sync()).map_err(failed)?;
        }
        self.world.disk.rename(&self.aside, &self.path).map_err(failed)?;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        self.world.disk.sync_dir(folder.unwrap_or(Path::new("."))).map_err(failed)
    }

    /// The bundle will not be made: what there is of it goes.
    pub(crate) fn abandon(&mut self) {
        // nobody knows of it, and what cannot be removed is in nobody's way
        let _ = match &mut self.target {
            Target::Folder => std::fs::remove_dir_all(&self.aside),
            Target::Packed(packer) => {
                packer.take();
                self.world.disk.remove(&self.aside)
            }
        };
    }
}

fn filled<T, W: Write>(name: &str, out: W, fill: Fill<'_, T>) -> Result<(Subject, T, W), Stop> {
    let counting = Counting { out, sha256: Sha256::new(), blake3: blake3::Hasher::new(), size: 0 };
    let mut buffered = BufWriter::with_capacity(BUFFER_BYTES, counting);
    let done = fill(&mut buffered)?;
    let Counting { out, sha256, blake3, size } =
        buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
    let digest = Digest { sha256: hex(&sha256.finalize()), blake3: blake3.finalize().to_hex().to_string() };
    Ok((Subject { name: name.to_owned(), digest, annotations: Size { size } }, done, out))
}
