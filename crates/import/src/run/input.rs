//! A file as records, whatever it is: text, a database, or a folder that is one store.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use crate::database::{Database, is_database};
use crate::folder::Folder;
use crate::{Item, Nested, Reader};

/// Records of a file, and how much of it was read.
pub(super) struct Input {
    source: Source,
    done: Rc<Cell<u64>>,
}

enum Source {
    Text(Box<Reader<'static>>),
    Database(Box<Database>),
    Folder(Box<Folder>),
}

impl Input {
    /// Opens a file for its records.
    pub(super) fn open(path: &Path, nested: Option<Nested>) -> io::Result<Self> {
        Self::new(path, nested, Reader::open)
    }

    /// Opens a file for the text of its records alone.
    pub(super) fn open_for_texts(path: &Path, nested: Option<Nested>) -> io::Result<Self> {
        Self::new(path, nested, Reader::open_for_texts)
    }

    fn new(
        path: &Path,
        nested: Option<Nested>,
        reader: fn(Counted) -> io::Result<Reader<'static>>,
    ) -> io::Result<Self> {
        let done = Rc::new(Cell::new(0));
        let source = if path.is_dir() {
            Source::Folder(Box::new(Folder::open(path)?))
        } else if is_database(path)? {
            Source::Database(Box::new(Database::open(path)?.nested(nested)))
        } else {
            Source::Text(Box::new(reader(Counted { file: File::open(path)?, done: Rc::clone(&done) })?))
        };
        Ok(Self { source, done })
    }

    /// The next record or gap; `None` at the end.
    pub(super) fn next_item(&mut self) -> io::Result<Option<Item<'_>>> {
        match &mut self.source {
            Source::Text(reader) => reader.next_item(),
            Source::Database(database) => database.next_item(),
            Source::Folder(folder) => Ok(folder.next_item()),
        }
    }

    /// Bytes read so far; of a database or a folder nobody knows.
    pub(super) fn done(&self) -> u64 {
        self.done.get()
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
