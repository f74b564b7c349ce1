//! Answers that were made once, kept beside the views: a file each, in a folder by the name of the question.
//!
//! What cannot be read or written is simply not cached; who asks decides whether an answer still holds.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A file with more bytes is none of ours.
const MAX_BYTES: u64 = 4 << 20;

/// Answers to one kind of question.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    store: String,
}

/// An answer, and whose.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    store: String,
    key: String,
    answer: T,
}

impl Cache {
    pub(crate) fn new(folder: PathBuf, store: &str) -> Self {
        Self { folder, store: store.to_owned() }
    }

    /// The answer that was kept under a key.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let path = self.folder.join(file_name(key));
        if fs::metadata(&path).ok()?.len() > MAX_BYTES {
            return None;
        }
        let kept: Kept<T> = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        (kept.store == self.store && kept.key == key).then_some(kept.answer)
    }

    /// Keeps an answer; written aside and renamed, so that no reader sees half of it.
    pub fn put<T: Serialize>(&self, key: &str, answer: &T) {
        let kept = Kept { store: self.store.clone(), key: key.to_owned(), answer };
        let Ok(bytes) = serde_json::to_vec(&kept) else { return };
        if fs::create_dir_all(&self.folder).is_err() {
            return;
        }
        let aside = self.folder.join(format!(".{}-{}", std::process::id(), file_name(key)));
        let written =
            fs::write(&aside, bytes).and_then(|()| fs::rename(&aside, self.folder.join(file_name(key))));
        if written.is_err() {
            let _ = fs::remove_file(&aside);
        }
    }

    /// Forgets the answer under a key.
    pub fn forget(&self, key: &str) {
        let _ = fs::remove_file(self.folder.join(file_name(key)));
    }
}

/// Keys are hex or words of ours; whatever else stands in one leads to no other folder.
fn file_name(key: &str) -> String {
    key.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_for_its_store_and_key_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("answers");
        let cache = Cache::new(path.clone(), "a");
        assert_eq!(cache.get::<u32>("k/1"), None);
        cache.put("k/1", &7_u32);
        assert_eq!(cache.get::<u32>("k/1"), Some(7));
        assert_eq!(cache.get::<u32>("k_1"), None, "another key with the same file name");
        assert_eq!(Cache::new(path.clone(), "b").get::<u32>("k/1"), None);
        fs::write(path.join("k_1"), b"{").expect("damage");
        assert_eq!(cache.get::<u32>("k/1"), None);
        cache.put("k/1", &8_u32);
        cache.forget("k/1");
        assert_eq!(cache.get::<u32>("k/1"), None);
    }
}
