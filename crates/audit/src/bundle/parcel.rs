//! A bundle as it was handed over: a folder or an archive, read and never trusted.
//!
//! Nothing of it is written anywhere under a name of its own. Only plain files count; a link, a device or a
//! name that leads elsewhere is a finding.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use super::pack::{self, BadPack};
use crate::error::AuditError;
use crate::verify::finding::{BUNDLE_FILE, Finding};

/// The longest file that is read as a whole.
const MAX_WHOLE_BYTES: u64 = 256 << 20;
const MAX_DEPTH: usize = 4;

/// The files of a bundle.
#[derive(Debug)]
pub(crate) struct Parcel {
    backing: Backing,
    /// Offset and length by name.
    files: BTreeMap<String, (u64, u64)>,
    /// The id that an archive has in its members' names.
    pub(crate) id: Option<String>,
}

#[derive(Debug)]
enum Backing {
    Folder(PathBuf),
    Packed(File),
}

/// A part of an open file.
#[derive(Debug)]
pub(crate) struct Part {
    file: File,
    start: u64,
    pub(crate) len: u64,
    at: u64,
}

impl Part {
    pub(crate) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = usize::try_from(self.len.saturating_sub(offset)).unwrap_or(usize::MAX);
        let len = buffer.len().min(left);
        self.file.read_at(&mut buffer[..len], self.start + offset)
    }
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.read_at(buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Parcel {
    /// Opens a bundle; the findings say what of it is no plain file.
    pub(crate) fn open(path: &Path) -> Result<(Self, Vec<Finding>), AuditError> {
        let failed = |source| AuditError::Read { path: path.to_owned(), source };
        let mut findings = Vec::new();
        if fs::metadata(path).map_err(failed)?.is_dir() {
            let mut files = BTreeMap::new();
            list(path, "", 0, &mut files, &mut findings).map_err(failed)?;
            return Ok((Self { backing: Backing::Folder(path.to_owned()), files, id: None }, findings));
        }
        let unpacked = match pack::unpack(path) {
            Ok(unpacked) => unpacked,
            Err(BadPack::Disk(source)) => return Err(failed(source)),
            Err(BadPack::Other(what)) => {
                findings.push(Finding::new(BUNDLE_FILE, format!("not an archive of a bundle: {what}")));
                let (backing, files) = (Backing::Folder(PathBuf::new()), BTreeMap::new());
                return Ok((Self { backing, files, id: None }, findings));
            }
        };
        let mut files = BTreeMap::new();
        for (name, start, len) in unpacked.members {
            if !is_plain(&name) {
                findings.push(Finding::new(BUNDLE_FILE, "a name that bundles don't have"));
            } else if files.insert(name.clone(), (start, len)).is_some() {
                findings.push(Finding::new(BUNDLE_FILE, format!("{name} stands there twice")));
            }
        }
        let id = unpacked.folder.strip_prefix("bundle-").map(str::to_owned);
        if id.is_none() {
            findings.push(Finding::new(BUNDLE_FILE, "the archive's folder is not that of a bundle"));
        }
        Ok((Self { backing: Backing::Packed(unpacked.content), files, id }, findings))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(crate) fn len(&self, name: &str) -> Option<u64> {
        self.files.get(name).map(|(_, len)| *len)
    }

    /// One file, to be read from its beginning.
    pub(crate) fn part(&self, name: &str) -> io::Result<Option<Part>> {
        let Some((start, len)) = self.files.get(name).copied() else { return Ok(None) };
        let file = match &self.backing {
            Backing::Folder(root) => File::open(root.join(name))?,
            Backing::Packed(file) => file.try_clone()?,
        };
        Ok(Some(Part { file, start, len, at: 0 }))
    }

    /// The whole of one file; `None` if it is not there or longer than such files are.
    pub(crate) fn whole(&self, name: &str) -> Result<Option<Vec<u8>>, AuditError> {
        let failed = |source| AuditError::Read { path: PathBuf::from(name), source };
        let Some(part) = self.part(name).map_err(failed)?.filter(|part| part.len <= MAX_WHOLE_BYTES) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        part.take(MAX_WHOLE_BYTES).read_to_end(&mut bytes).map_err(failed)?;
        Ok(Some(bytes))
    }

    /// One file, to be read in lines.
    pub(crate) fn buffered(&self, name: &str) -> Result<Option<BufReader<Part>>, AuditError> {
        let failed = |source| AuditError::Read { path: PathBuf::from(name), source };
        Ok(self.part(name).map_err(failed)?.map(|part| BufReader::with_capacity(256 * 1024, part)))
    }
}

/// A name of a file in a bundle: no way up, no way elsewhere, nothing that a shell would trip over.
pub(crate) fn is_plain(name: &str) -> bool {
    let part = |part: &str| {
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
        !part.is_empty() && !part.starts_with('.') && part.bytes().all(fits)
    };
    name.split('/').count() <= MAX_DEPTH && name.split('/').all(part)
}

fn list(
    root: &Path,
    below: &str,
    depth: usize,
    files: &mut BTreeMap<String, (u64, u64)>,
    findings: &mut Vec<Finding>,
) -> io::Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let own = entry.file_name().to_string_lossy().into_owned();
        let name = if below.is_empty() { own } else { format!("{below}/{own}") };
        let kind = entry.file_type()?;
        if !is_plain(&name) {
            findings.push(Finding::new(BUNDLE_FILE, format!("{name:?} is no name of a file in a bundle")));
        } else if kind.is_dir() && depth < MAX_DEPTH {
            list(root, &name, depth + 1, files, findings)?;
        } else if kind.is_file() {
            files.insert(name, (0, entry.metadata()?.len()));
        } else {
            findings.push(Finding::new(BUNDLE_FILE, format!("{name} is no plain file")));
        }
    }
    Ok(())
}
