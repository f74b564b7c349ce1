//! Caches of sealing: where it goes on in each session, and the log's own tree. Each file ends in a hash of
//! itself: a cache that is not whole is no cache, and what it knew is read again from journal and log.

use journal::Place;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::tree::{Hash, Tree, hex, unhex};

/// A tree as a cache has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TreeFile {
    size: u64,
    parts: Vec<String>,
}

impl From<&Tree> for TreeFile {
    fn from(tree: &Tree) -> Self {
        Self { size: tree.size(), parts: tree.parts().iter().map(|part| hex(part)).collect() }
    }
}

impl TreeFile {
    pub(crate) fn tree(&self) -> Option<Tree> {
        let parts: Option<Vec<Hash>> = self.parts.iter().map(|part| unhex(part)).collect();
        Tree::of(self.size, parts?)
    }
}

/// Where sealing goes on in a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    /// Leaf hash of the session's last seal.
    pub(crate) previous: String,
    /// Behind the last sealed event.
    pub(crate) place: Place,
    /// The tree of all sealed events.
    pub(crate) tree: TreeFile,
}

/// Where the log goes on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// The tree of all signed leaves.
    pub(crate) tree: TreeFile,
    /// Their bytes.
    pub(crate) bytes: u64,
    /// The epoch that signs now.
    pub(crate) epoch: u64,
    /// Leaves when it began.
    pub(crate) epoch_at: u64,
    /// When it began, in microseconds; 0 when nobody knows.
    pub(crate) epoch_since: i64,
    /// When every session was last looked at, in microseconds.
    pub(crate) beat: i64,
    /// The boot in which all caches were written: they are not synced.
    pub(crate) boot: String,
}

/// The bytes of a cache.
pub(crate) fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    let json = serde_json::to_string(value).unwrap_or_default();
    format!("{json}\n{}\n", hex(&Sha256::digest(&json))).into_bytes()
}

/// Reads a cache; `None` unless it is whole.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (json, sum) = text.strip_suffix('\n')?.split_once('\n')?;
    (hex(&Sha256::digest(json)) == sum).then(|| serde_json::from_str(json).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_reads_back_or_is_none() {
        let state = State { bytes: 7, boot: "b".to_owned(), ..State::default() };
        let bytes = to_bytes(&state);
        assert_eq!(from_bytes(&bytes), Some(state));
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            assert_eq!(from_bytes::<State>(&bad), None, "{at}");
            assert_eq!(from_bytes::<State>(&bytes[..at]), None, "{at}");
        }
    }
}
