//! Leaves of the store log: one JSON line each, hashed as it stands.

use serde::{Deserialize, Serialize};

use crate::basis::Basis;

/// Every kind of leaf that this build knows.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "genesis", "seal", "epoch", "reepoch", "restore", "anchor_failed", "beat", "start", "stop", "export", "exported",
    "purge", "hold", "release", "erased",
];
/// The version of leaves that this build writes.
const LEAF_VERSION: u64 = 1;

/// The first leaf. Its SHA-256 is the store's pin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Genesis {
    /// The store id.
    pub(crate) store: String,
    /// The log's name.
    pub(crate) origin: String,
    /// SHA-256 of `journal/STORE`.
    pub(crate) store_file: String,
    /// The stable key of the log.
    pub(crate) log_vkey: String,
    /// The key of epoch 0.
    pub(crate) epoch_vkey: String,
    /// When.
    pub(crate) ts: String,
}

/// So many events of a session, this head, this root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seal {
    /// The session.
    pub(crate) session: String,
    /// How many events.
    pub(crate) events: u64,
    /// Their bytes.
    pub(crate) bytes: u64,
    /// Hash of the last of them.
    pub(crate) head: String,
    /// Merkle root over the hashes of all of them.
    pub(crate) root: String,
    /// Leaf hash of the session's seal before; 64 zeros for its first.
    pub(crate) previous: String,
    /// `open` or `closed`.
    pub(crate) status: String,
    /// When.
    pub(crate) ts: String,
}

/// From here on another key signs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Epoch {
    /// Its number.
    pub(crate) n: u64,
    /// Its key.
    pub(crate) vkey: String,
    /// When.
    pub(crate) ts: String,
}

/// The key of an epoch is lost: it is broken off, and the next key goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reepoch {
    /// The number of the next epoch.
    pub(crate) n: u64,
    /// Its key.
    pub(crate) vkey: String,
    /// The last checkpoint that the lost key signed: of all leaves before this one.
    pub(crate) last: String,
    /// When.
    pub(crate) ts: String,
}

/// This store goes on where another ended, whose log's key is lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Restore {
    /// The store id of the other.
    pub(crate) store: String,
    /// Its pin.
    pub(crate) pin: String,
    /// Its last checkpoint.
    pub(crate) last: String,
    /// When.
    pub(crate) ts: String,
}

/// An anchor could not be made. Why is said to who tried: leaves can never be erased, and have no text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AnchorFailed {
    /// `git`, `rfc3161` or `witness`.
    pub(crate) how: String,
    /// When.
    pub(crate) ts: String,
}

/// Every session of the store was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Beat {
    /// How many there were.
    pub(crate) sessions: u64,
    /// Every session that began before this has a seal.
    pub(crate) covers: String,
    /// When.
    pub(crate) ts: String,
}

/// A recording process began, or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Process {
    /// Which.
    pub(crate) pid: u32,
    /// When.
    pub(crate) ts: String,
}

/// Somebody asks for a bundle: written before it is made, so that the bundle proves its own request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Export {
    /// The bundle's id.
    pub(crate) bundle: String,
    /// SHA-256 of its `request.json`.
    pub(crate) request: String,
    /// Fingerprint of the key that will sign it.
    pub(crate) by: String,
    /// When.
    pub(crate) ts: String,
}

/// The bundle was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Exported {
    /// The bundle's id.
    pub(crate) bundle: String,
    /// SHA-256 of its manifest.
    pub(crate) manifest: String,
    /// When.
    pub(crate) ts: String,
}

/// A whole session is taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Purge {
    /// The session.
    pub(crate) session: String,
    /// How many events it had, all of them sealed.
    pub(crate) events: u64,
    /// Hash of the last of them.
    pub(crate) head: String,
    /// Why.
    pub(crate) basis: Basis,
    /// Whose matter it is, elsewhere.
    pub(crate) ticket: String,
    /// When.
    pub(crate) ts: String,
}

/// What is held must neither be erased nor purged; or it may again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hold {
    /// The session, or `*` for all, those to come too.
    pub(crate) session: String,
    /// The case for which.
    pub(crate) case: String,
    /// When.
    pub(crate) ts: String,
}

/// An order to erase was given: a mirror of the event that gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Erased {
    /// The session.
    pub(crate) session: String,
    /// The event that is erased from.
    pub(crate) seq: u64,
    /// The order's sequence.
    pub(crate) order: u64,
    /// The order's hash.
    pub(crate) hash: String,
    /// Why.
    pub(crate) basis: Basis,
    /// When.
    pub(crate) ts: String,
}

/// One leaf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "leaf", rename_all = "snake_case")]
pub(crate) enum Leaf {
    /// The log begins.
    Genesis(Genesis),
    /// Events of a session are sealed.
    Seal(Seal),
    /// The key changes.
    Epoch(Epoch),
    /// The key is lost, and another goes on.
    Reepoch(Reepoch),
    /// The store goes on where another ended.
    Restore(Restore),
    /// An anchor could not be made.
    AnchorFailed(AnchorFailed),
    /// All is looked after.
    Beat(Beat),
    /// A stream of events began.
    Start(Process),
    /// It ended, and everything of it is sealed.
    Stop(Process),
    /// A bundle is asked for.
    Export(Export),
    /// A bundle was made.
    Exported(Exported),
    /// A session is taken away.
    Purge(Purge),
    /// It may not be.
    Hold(Hold),
    /// It may be again.
    Release(Hold),
    /// Something is erased.
    Erased(Erased),
}

#[derive(Serialize)]
struct Versioned<'a> {
    v: u64,
    #[serde(flatten)]
    leaf: &'a Leaf,
}

#[derive(Deserialize)]
struct Version {
    v: u64,
    leaf: String,
}

/// Why bytes are no leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadLeaf {
    /// A newer version than this build reads.
    Newer(u64),
    /// A kind that this build does not know: whether what it says was lawful, a newer one can tell.
    Unknown,
    /// Not a leaf at all.
    Malformed,
}

impl Leaf {
    /// The leaf as its line has it, without LF.
    pub(crate) fn to_line(&self) -> String {
        // plain strings and integers always serialise
        serde_json::to_string(&Versioned { v: LEAF_VERSION, leaf: self }).unwrap_or_default()
    }

    /// Reads a line.
    pub(crate) fn parse(line: &[u8]) -> Result<Self, BadLeaf> {
        let version: Version = serde_json::from_slice(line).map_err(|_| BadLeaf::Malformed)?;
        if version.v > LEAF_VERSION {
            return Err(BadLeaf::Newer(version.v));
        }
        let known = KINDS.contains(&version.leaf.as_str());
        serde_json::from_slice(line).map_err(|_| if known { BadLeaf::Malformed } else { BadLeaf::Unknown })
    }

    /// When it was written.
    pub(crate) fn ts(&self) -> &str {
        match self {
            Self::Genesis(leaf) => &leaf.ts,
            Self::Seal(leaf) => &leaf.ts,
            Self::Epoch(leaf) => &leaf.ts,
            Self::Reepoch(leaf) => &leaf.ts,
            Self::Restore(leaf) => &leaf.ts,
            Self::AnchorFailed(leaf) => &leaf.ts,
            Self::Beat(leaf) => &leaf.ts,
            Self::Start(leaf) | Self::Stop(leaf) => &leaf.ts,
            Self::Export(leaf) => &leaf.ts,
            Self::Exported(leaf) => &leaf.ts,
            Self::Purge(leaf) => &leaf.ts,
            Self::Hold(leaf) | Self::Release(leaf) => &leaf.ts,
            Self::Erased(leaf) => &leaf.ts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_reads_back_and_a_newer_one_says_so() {
        let leaf = Leaf::Beat(Beat {
            sessions: 3,
            covers: String::new(),
            ts: "2026-11-27T20:47:19.123456Z".to_owned(),
        });
        let line = leaf.to_line();
        assert_eq!(
            line,
            r#"{"v":1,"leaf":"beat","sessions":3,"covers":"","ts":"2026-11-27T20:47:19.123456Z"}"#
        );
        assert_eq!(Leaf::parse(line.as_bytes()), Ok(leaf));
        assert_eq!(Leaf::parse(line.replace("\"v\":1", "\"v\":2").as_bytes()), Err(BadLeaf::Newer(2)));
        for bad in ["", "{}", "[1]", r#"{"v":1,"leaf":"beat"}"#] {
            assert_eq!(Leaf::parse(bad.as_bytes()), Err(BadLeaf::Malformed), "{bad}");
        }
        assert_eq!(Leaf::parse(br#"{"v":1,"leaf":"none","ts":""}"#), Err(BadLeaf::Unknown));
        for kind in KINDS {
            let bare = format!("{{\"v\":1,\"leaf\":\"{kind}\",\"ts\":\"\"}}");
            assert_eq!(Leaf::parse(bare.as_bytes()), Err(BadLeaf::Malformed), "{kind}");
        }
    }
}
