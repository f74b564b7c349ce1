//! Traces of secrets that a session has shown, kept for the next process: beside the store's keys, never
//! in the store, for the user alone.
//!
//! One small file a session, one line a value: its length and two keyed hashes. Deleting the folder
//! forgets them and harms nothing else.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// More lines than a session ever has.
const MAX_BYTES: u64 = 1 << 20;

/// A folder with a file for each session.
pub(crate) struct Folder {
    path: PathBuf,
    read_only: bool,
    complained: AtomicBool,
}

impl Folder {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, read_only: false, complained: AtomicBool::new(false) }
    }

    /// The same folder for who only looks.
    pub(crate) fn read_only(self) -> Self {
        Self { read_only: true, ..self }
    }

    fn append(&self, session: &str, lines: &str) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.path)?;
        let file = self.path.join(session);
        if fs::metadata(&file).is_ok_and(|meta| meta.len() > MAX_BYTES) {
            return Ok(());
        }
        // one write a line set, so that processes do not mix their lines
        OpenOptions::new().append(true).create(true).mode(0o600).open(file)?.write_all(lines.as_bytes())
    }

    /// Said once: nothing is lost but what makes the next process as wise as this one.
    fn complain(&self, doing: &str, error: &io::Error) {
        if !self.complained.swap(true, Ordering::Relaxed) {
            eprintln!("warning: cannot {doing} {}: {error}", self.path.display());
        }
    }
}

impl redact::Shelf for Folder {
    fn read(&self, session: &str) -> String {
        match fs::read_to_string(self.path.join(session)) {
            Ok(lines) => lines,
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    self.complain("read", &error);
                }
                String::new()
            }
        }
    }

    fn add(&self, session: &str, lines: &str) {
        if self.read_only {
            return;
        }
        if let Err(error) = self.append(session, lines) {
            self.complain("write to", &error);
        }
    }

    fn forget(&self, session: &str) {
        if !self.read_only {
            let _ = fs::remove_file(self.path.join(session));
        }
    }
}
