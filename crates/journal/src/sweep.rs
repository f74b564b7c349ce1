//! Sweeping: the places beside the lines where an erased text may still stand.
//!
//! Torn bytes that hold a piece of the text, and copies that an interrupted compression or write left.

use std::path::Path;

use event::SessionId;
use world::Open;

use crate::error::{Context, JournalError};
use crate::store::{Journal, read_file};

/// So many bytes of a text in a row are a piece of it.
const PIECE_BYTES: usize = 16;
/// More of a torn file is not looked at, it goes as it is.
const MAX_TORN_BYTES: usize = 64 * 1024 * 1024;

/// What was removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Swept {
    /// Torn files, by name.
    pub torn: Vec<String>,
    /// Copies that were left lying about.
    pub copies: u64,
}

impl Journal {
    /// Removes what beside its lines may still hold erased text of a session: torn files with a piece of one of
    /// `texts`, and copies. Who does not know the texts any more gives none: then every torn file of the session
    /// goes. Blobs are [`Journal::sweep_blobs`]'s matter.
    pub fn sweep(&self, session: &SessionId, texts: &[Vec<u8>]) -> Result<Swept, JournalError> {
        let mut swept = Swept::default();
        self.sweep_torn(session, texts, &mut swept)?;
        let _lock = self.session_lock(session)?;
        let folder = self.layout.session(session);
        swept.copies += self
            .remove_all(&folder, |name| Path::new(name).extension().is_some_and(|end| end == "new"))?
            .len() as u64;
        Ok(swept)
    }

    fn sweep_torn(
        &self,
        session: &SessionId,
        texts: &[Vec<u8>],
        swept: &mut Swept,
    ) -> Result<(), JournalError> {
        let folder = self.layout.torn();
        let own = format!("{session}-");
        let mut found = Vec::new();
        for name in self.torn_files()? {
            let path = folder.join(&name);
            let holds = if texts.is_empty() {
                name.strip_prefix(&own).is_some_and(|rest| rest.split('-').count() == 2)
            } else {
                let bytes = read_file(&self.world, &path, MAX_TORN_BYTES)?;
                bytes.len() >= MAX_TORN_BYTES || texts.iter().any(|text| holds_piece(&bytes, text))
            };
            found.extend(holds.then_some(name));
        }
        swept.torn.extend(self.remove_all(&folder, |name| found.iter().any(|found| found == name))?);
        Ok(())
    }

    /// Overwrites and removes files of a folder, and makes that durable.
    fn remove_all(&self, folder: &Path, which: impl Fn(&str) -> bool) -> Result<Vec<String>, JournalError> {
        let names = self.world.disk.list(folder).at("list", folder)?;
        let names: Vec<String> = names.into_iter().filter(|name| which(name)).collect();
        for name in &names {
            shred(self, &folder.join(name))?;
        }
        if !names.is_empty() {
            self.world.disk.sync_dir(folder).at("sync", folder)?;
        }
        Ok(names)
    }
}

/// Overwrites a file with zeros and removes it.
fn shred(journal: &Journal, path: &Path) -> Result<(), JournalError> {
    let file = journal.world.disk.open(path, Open::Update).at("open", path)?;
    let len = file.stat().at("look at", path)?.len;
    let zeros = vec![0; 64 * 1024];
    let mut at = 0;
    while at < len {
        let count = usize::try_from(len - at).unwrap_or(usize::MAX).min(zeros.len());
        file.write_at(&zeros[..count], at).at("overwrite", path)?;
        at += count as u64;
    }
    file.sync().at("sync", path)?;
    journal.world.disk.remove(path).at("remove", path)
}

/// True if some bytes of the text stand in a row; a short text has to stand there as a whole.
fn holds_piece(bytes: &[u8], text: &[u8]) -> bool {
    if text.len() <= PIECE_BYTES {
        return !text.is_empty() && memchr::memmem::find(bytes, text).is_some();
    }
    // every piece that begins at one of its pieces' ends: a longer stretch holds one of them
    let half = PIECE_BYTES / 2;
    let pieces = text.chunks(half).filter(|piece| piece.len() == half);
    pieces.into_iter().any(|piece| memchr::memmem::find(bytes, piece).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_a_text_is_found_wherever_it_was_cut() {
        let text = b"the quick brown fox jumps over the lazy dog";
        for (from, to) in [(0, 43), (0, 16), (5, 25), (20, 43)] {
            assert!(holds_piece(&[b"x", &text[from..to], b"y"].concat(), text), "{from}..{to}");
        }
        assert!(!holds_piece(b"nothing of the kind", text));
        assert!(holds_piece(b"a short text", b"short") && !holds_piece(b"a sho", b"short"));
    }
}
