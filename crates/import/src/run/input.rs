//! A file as records, whatever it is: text, a database, a folder that is one store, protocol buffers, an
//! archive.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use super::parts::Parts;
use crate::archive::{Archive, is_archive};
use crate::database::{Database, is_database};
use crate::folder::Folder;
use crate::protobuf::{Batches, is_protobuf};
use crate::{Importer, Item, Reader};

/// Records of a file, and how much of it was read.
pub(super) struct Input {
    source: Source,
    /// Takes records apart that hold others.
    parts: Option<Parts>,
    done: Rc<Cell<u64>>,
}

enum Source {
    Text(Box<Reader<'static>>),
    Database(Box<Database>),
    Folder(Box<Folder>),
    Protobuf(Box<Batches>),
    Archive(Box<Archive>),
}

impl Input {
    /// Opens a file for its records.
    pub(super) fn open(path: &Path, importer: &'static dyn Importer) -> io::Result<Self> {
        Self::new(path, importer, Reader::open)
    }

    /// Opens a file of something else for the records that are printed in it.
    pub(super) fn open_for_salvage(path: &Path, importer: &'static dyn Importer) -> io::Result<Self> {
        Self::new(path, importer, Reader::open_for_salvage)
    }

    /// Opens a file for the text of its records alone.
    pub(super) fn open_for_texts(path: &Path, importer: &'static dyn Importer) -> io::Result<Self> {
        Self::new(path, importer, Reader::open_for_texts)
    }

    fn new(
        path: &Path,
        importer: &'static dyn Importer,
        reader: fn(Counted) -> io::Result<Reader<'static>>,
    ) -> io::Result<Self> {
        let done = Rc::new(Cell::new(0));
        let source = if path.is_dir() {
            Source::Folder(Box::new(Folder::open(path)?))
        } else if is_database(path)? {
            Source::Database(Box::new(Database::open(path)?.nested(importer.nested())))
        } else if is_archive(path)? {
            Source::Archive(Box::new(Archive::open(path)?))
        } else if is_protobuf(path)? {
            Source::Protobuf(Box::new(Batches::open(path)?))
        } else {
            let counted = Counted { file: File::open(path)?, done: Rc::clone(&done) };
            Source::Text(Box::new(reader(counted)?.whole_documents(importer.takes_documents())))
        };
        let parts = importer.holds_parts().then(|| Parts::new(importer));
        Ok(Self { source, parts, done })
    }

    /// The next record or gap; `None` at the end.
    pub(super) fn next_item(&mut self) -> io::Result<Option<Item<'_>>> {
        let source = &mut self.source;
        match &mut self.parts {
            None => source.next_item(),
            Some(parts) => parts.next_item(|hold| match source.next_item()? {
                Some(item) => {
                    hold(item);
                    Ok(true)
                }
                None => Ok(false),
            }),
        }
    }

    /// Bytes read so far; of what is no text nobody knows.
    pub(super) fn done(&self) -> u64 {
        self.done.get()
    }
}

impl Source {
    fn next_item(&mut self) -> io::Result<Option<Item<'_>>> {
        match self {
            Self::Text(reader) => reader.next_item(),
            Self::Database(database) => database.next_item(),
            Self::Folder(folder) => Ok(folder.next_item()),
            Self::Protobuf(batches) => batches.next_item(),
            Self::Archive(archive) => Ok(archive.next_item()),
        }
    }
}

/// A file, and how much of it was read.
struct Counted {
    file: File,
    done: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.done.set(self.done.get() + read as u64);
        Ok(read)
    }
}
