//! Texts that are kept of each session beside the views: a file each, in a folder by the name of what they are for.
//!
//! Reading takes no lock. Writing takes the projector's, before what is to be kept is read: who erases takes it
//! too, removes the folder, and so finds all that was made of what is gone.

use std::fs::{self, File};
use std::path::PathBuf;

use event::SessionId;

use crate::folders::Folders;

/// A file with more bytes is none of ours.
const MAX_BYTES: u64 = 1 << 30;

/// What is kept of sessions for one purpose.
#[derive(Debug, Clone)]
pub struct Kept {
    folders: Folders,
    name: &'static str,
}

/// The right to keep something; nobody else writes while it lasts.
#[derive(Debug)]
pub struct KeepTurn {
    folder: PathBuf,
    _lock: File,
}

impl Kept {
    pub(crate) fn new(folders: &Folders, name: &'static str) -> Self {
        Self { folders: folders.clone(), name }
    }

    fn folder(&self) -> PathBuf {
        self.folders.root().join(self.name)
    }

    /// What is kept of a session; whether it still holds, who asks must find out.
    pub fn read(&self, session: &SessionId) -> Option<String> {
        let path = self.folder().join(session.as_str());
        if fs::metadata(&path).ok()?.len() > MAX_BYTES {
            return None;
        }
        String::from_utf8(fs::read(&path).ok()?).ok()
    }

    /// The turn to write, if nobody else has it and the folder can be written. Never waits.
    pub fn turn(&self) -> Option<KeepTurn> {
        let lock = self.folders.lock().ok()?;
        Some(KeepTurn { folder: self.folder(), _lock: lock })
    }
}

impl KeepTurn {
    /// Keeps a text, given in pieces; written aside and renamed, so that no reader sees half of it. What cannot be
    /// written is not kept.
    pub fn keep(&self, session: &SessionId, pieces: &[&str]) {
        if fs::create_dir_all(&self.folder).is_err() {
            return;
        }
        // the turn is ours alone: nobody else has this name
        let aside = self.folder.join(".new");
        let written = fs::write(&aside, pieces.concat());
        if written.and_then(|()| fs::rename(&aside, self.folder.join(session.as_str()))).is_err() {
            let _ = fs::remove_file(&aside);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_and_forgotten_with_everything_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = Folders::new(&folder.path().join("index"), "a");
        let (kept, session) = (Kept::new(&folders, "listings"), SessionId::new("s").expect("an id"));
        assert_eq!(kept.read(&session), None);
        let turn = kept.turn().expect("a turn");
        assert!(kept.turn().is_none(), "one at a time");
        turn.keep(&session, &["a", "b"]);
        assert_eq!(kept.read(&session).as_deref(), Some("ab"));
        drop(turn);
        let _lock = folders.lock().expect("the lock");
        folders.forget().expect("forgets");
        assert_eq!(kept.read(&session), None);
    }
}
