//! Texts that are kept of each session beside the views: a file each, in a folder by the name of what they are for.
//!
//! Reading takes no lock. Writing takes the projector's, before what is to be kept is read: who erases takes it
//! too, removes the folder, and so finds all that was made of what is gone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

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

    /// The first lines of what is kept of a session.
    pub fn first_lines(&self, session: &SessionId, count: usize) -> Option<Vec<String>> {
        let file = File::open(self.folder().join(session.as_str())).ok()?;
        io::BufReader::new(file.take(MAX_BYTES)).lines().take(count).collect::<Result<_, _>>().ok()
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
        // the turn is ours alone: nobody else has this name
        let aside = self.folder.join(".new");
        let written = write(&self.folder, &aside, pieces);
        if written.and_then(|()| fs::rename(&aside, self.folder.join(session.as_str()))).is_err() {
            let _ = fs::remove_file(&aside);
        }
    }
}

/// Writes a file that is its user's alone, as the journal is.
fn write(folder: &Path, path: &Path, pieces: &[&str]) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // a store may come from anywhere: what stands there is removed, never followed
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(path)?;
    pieces.iter().try_for_each(|piece| file.write_all(piece.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

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
        let path = folder.path().join("index/listings/s");
        assert_eq!(fs::metadata(path).expect("a file").permissions().mode() & 0o077, 0);
        // a link that somebody left there leads nowhere
        let other = folder.path().join("other");
        fs::write(&other, "precious").expect("a file");
        std::os::unix::fs::symlink(&other, folder.path().join("index/listings/.new")).expect("a link");
        turn.keep(&session, &["a\nb", "\nc"]);
        assert_eq!(fs::read_to_string(&other).expect("the file"), "precious");
        assert_eq!(kept.first_lines(&session, 2), Some(vec!["a".to_owned(), "b".to_owned()]));
        drop(turn);
        let _lock = folders.lock().expect("the lock");
        folders.forget().expect("forgets");
        assert_eq!(kept.read(&session), None);
    }
}
