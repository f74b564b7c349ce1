//! What a bundle says of itself: an in-toto Statement whose subjects are its files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::filter::Filter;

pub(crate) const STATEMENT: &str = "https://in-toto.io/Statement/v1";
pub(crate) const PREDICATE_BASE: &str = "https://recount/audit-bundle/";
pub(crate) const PREDICATE: &str = "https://recount/audit-bundle/v1";

/// The whole of `MANIFEST.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Statement {
    #[serde(rename = "_type")]
    pub(crate) kind: String,
    /// Every file but the manifest, its signature, the sums and the custody lines.
    pub(crate) subject: Vec<Subject>,
    #[serde(rename = "predicateType")]
    pub(crate) predicate_type: String,
    pub(crate) predicate: Predicate,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) digest: Digest,
    pub(crate) annotations: Size,
}

/// Its hashes, hex.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Digest {
    pub(crate) sha256: String,
    pub(crate) blake3: String,
}

/// Its length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Size {
    pub(crate) size: u64,
}

/// What is in the bundle, what is not, and what is claimed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Predicate {
    pub(crate) bundle: String,
    pub(crate) store: String,
    pub(crate) created: String,
    pub(crate) exporter: Exporter,
    pub(crate) request: Request,
    /// The signed note, as `log/checkpoint` has it.
    pub(crate) checkpoint: String,
    pub(crate) sessions: Vec<SessionPart>,
    pub(crate) claims: Vec<Claim>,
    /// Counts by kind over all headers that are told.
    pub(crate) redaction: BTreeMap<String, u64>,
    pub(crate) erasures: Vec<Erasure>,
    pub(crate) withheld: Vec<Withheld>,
    pub(crate) incidents: Vec<Incident>,
    pub(crate) clock: Clock,
    /// The bundle that was exported from this store before.
    pub(crate) previous: Option<String>,
}

/// Who made it, with what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Exporter {
    /// Whose key signs.
    pub(crate) principal: String,
    /// Its fingerprint.
    pub(crate) key: String,
    /// On which machine.
    pub(crate) host: String,
    /// Name and version of the program.
    pub(crate) tool: String,
    /// SHA-256 of the program.
    pub(crate) tool_sha256: String,
}

/// What was asked for: the whole of `request.json`. Its SHA-256 stands in the log before the bundle is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Sessions by id.
    pub sessions: Vec<String>,
    /// The query as it was typed.
    pub query: Option<String>,
    /// The query as anybody can run it again; `None` where headers alone cannot decide it.
    pub filter: Option<Filter>,
    /// How much is told of what does not match.
    pub rest: String,
    /// What for.
    pub purpose: Option<String>,
    /// Which case.
    pub case: Option<String>,
}

/// One session as far as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SessionPart {
    pub(crate) session: String,
    /// The leaf of its seal.
    pub(crate) leaf: u64,
    pub(crate) total: u64,
    pub(crate) full: u64,
    pub(crate) head: u64,
    pub(crate) hash: u64,
    pub(crate) none: u64,
    pub(crate) first: String,
    pub(crate) last: String,
}

/// What is claimed, and whether the bundle proves it or somebody only says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "claim", rename_all = "kebab-case")]
pub(crate) enum Claim {
    /// All events from here to there are told, at this level or more.
    Range {
        #[serde(rename = "type")]
        kind: String,
        session: String,
        from: u64,
        to: u64,
        level: String,
    },
    /// There is no newer seal of the session up to this size of the log.
    Latest {
        #[serde(rename = "type")]
        kind: String,
        session: String,
        log_size: u64,
    },
    /// These are all sessions whose first seal stands at these leaves.
    Sessions {
        #[serde(rename = "type")]
        kind: String,
        from: u64,
        to: u64,
    },
    /// Every event of these sessions that matches the filter is told whole, every other by its header.
    HeaderFilter {
        #[serde(rename = "type")]
        kind: String,
        sessions: Vec<String>,
        filter: Filter,
    },
    /// Every event of these sessions that matches the query is told whole; nobody can see that without the text.
    TextFilter {
        #[serde(rename = "type")]
        kind: String,
        sessions: Vec<String>,
        query: String,
    },
}

/// Members that are gone, and the event that ordered it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Erasure {
    pub(crate) session: String,
    pub(crate) seq: u64,
    pub(crate) members: Vec<String>,
    pub(crate) order: Option<u64>,
}

/// Events that are not told whole, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Withheld {
    pub(crate) session: String,
    pub(crate) events: u64,
    pub(crate) reason: String,
}

/// Where something of the recording itself went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Incident {
    pub(crate) session: String,
    pub(crate) seq: u64,
    pub(crate) kind: String,
}

/// Between which times the log was written, by this machine's clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Clock {
    pub(crate) log_began: String,
    pub(crate) log_ended: String,
}

pub(crate) const PROVEN: &str = "proven";
pub(crate) const ATTESTED: &str = "attested";

/// The text of `MANIFEST.json` and `request.json`.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    // strings, numbers and lists always serialise
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// `SHA256SUMS`, as `sha256sum -c` reads it.
pub(crate) fn sums(subjects: &[Subject], of: impl Fn(&Digest) -> &str) -> String {
    subjects.iter().map(|subject| format!("{}  {}\n", of(&subject.digest), subject.name)).collect()
}
