//! `RECOUNT_DISABLE`: while it is set nothing is recorded, but that it is. Which sessions say so is remembered
//! beside the store's keys, an empty file each, so that the first event afterwards can say that it is over.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;

const VARIABLE: &str = "RECOUNT_DISABLE";

/// A folder with a file for each session that is paused.
pub(crate) struct Pauses {
    folder: PathBuf,
    paused: bool,
}

impl Pauses {
    pub(crate) fn new(folder: PathBuf) -> Self {
        let paused = std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty() && value != "0");
        Self { folder, paused }
    }
}

impl recorder::Pause for Pauses {
    fn reason(&self) -> Option<&'static str> {
        self.paused.then_some(VARIABLE)
    }

    fn is_noted(&self, session: &str) -> bool {
        self.folder.join(session).exists()
    }

    /// What cannot be remembered is said once more, or never said to be over: the events before and behind tell.
    fn note(&self, session: &str, paused: bool) {
        let file = self.folder.join(session);
        if paused {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
            let _ = made.and_then(|()| File::create(file));
        } else {
            let _ = fs::remove_file(file);
        }
    }
}
