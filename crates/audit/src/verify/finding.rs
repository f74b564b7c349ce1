//! What is wrong with a store, its log or what is known of both: one table of codes, which are exit codes.

use std::fmt;

/// Every code and its name. Those of the journal alone are [`journal::FindingCode`]'s.
const NAMES: &[(u8, &str)] = &[
    (10, "TORN_TAIL"),
    (11, "UNSEALED"),
    (12, "UNTRUSTED"),
    (13, "ANCHOR_MISSING"),
    (20, "MODIFIED"),
    (21, "MALFORMED"),
    (22, "PAYLOAD_MISMATCH"),
    (23, "PAYLOAD_MISSING"),
    (24, "DROPPED"),
    (25, "REORDERED"),
    (26, "TRUNCATED"),
    (27, "FOREIGN"),
    (28, "REWRITTEN"),
    (29, "SESSION_MISSING"),
    (30, "SESSION_UNKNOWN"),
    (31, "LOG_INCONSISTENT"),
    (32, "ROLLBACK"),
    (33, "FORK"),
    (34, "SIGNATURE"),
    (35, "EPOCH"),
    (36, "ANCHOR_INVALID"),
    (37, "ERASURE_INVALID"),
    (38, "RETENTION"),
    (40, "BUNDLE_FILE"),
    (41, "PROOF"),
    (42, "COMPLETENESS"),
    (43, "CUSTODY"),
    (44, "VIEW"),
    (45, "UNSUPPORTED"),
];

pub(crate) const TORN_TAIL: u8 = 10;
pub(crate) const UNSEALED: u8 = 11;
pub(crate) const UNTRUSTED: u8 = 12;
pub(crate) const ANCHOR_MISSING: u8 = 13;
pub(crate) const MODIFIED: u8 = 20;
pub(crate) const MALFORMED: u8 = 21;
pub(crate) const PAYLOAD_MISMATCH: u8 = 22;
pub(crate) const PAYLOAD_MISSING: u8 = 23;
pub(crate) const TRUNCATED: u8 = 26;
pub(crate) const FOREIGN: u8 = 27;
pub(crate) const REWRITTEN: u8 = 28;
pub(crate) const SESSION_MISSING: u8 = 29;
pub(crate) const SESSION_UNKNOWN: u8 = 30;
pub(crate) const LOG_INCONSISTENT: u8 = 31;
pub(crate) const ROLLBACK: u8 = 32;
pub(crate) const FORK: u8 = 33;
pub(crate) const SIGNATURE: u8 = 34;
pub(crate) const EPOCH: u8 = 35;
pub(crate) const ANCHOR_INVALID: u8 = 36;
pub(crate) const ERASURE_INVALID: u8 = 37;
pub(crate) const RETENTION: u8 = 38;
pub(crate) const BUNDLE_FILE: u8 = 40;
pub(crate) const PROOF: u8 = 41;
pub(crate) const COMPLETENESS: u8 = 42;
pub(crate) const CUSTODY: u8 = 43;
pub(crate) const VIEW: u8 = 44;
pub(crate) const UNSUPPORTED: u8 = 45;

/// One thing that is wrong, and where, as far as it has a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finding {
    /// The code: also the exit code.
    pub code: u8,
    /// The session.
    pub session: Option<String>,
    /// The sequence.
    pub seq: Option<u64>,
    /// The segment, by its first sequence.
    pub segment: Option<u64>,
    /// Offset of the line in its segment.
    pub offset: Option<u64>,
    /// The leaf of the store log.
    pub leaf: Option<u64>,
    /// What was seen, without any recorded text.
    pub msg: String,
}

impl Finding {
    pub(crate) fn new(code: u8, msg: impl Into<String>) -> Self {
        Self { code, msg: msg.into(), ..Self::default() }
    }

    pub(crate) fn leaf(mut self, leaf: u64) -> Self {
        self.leaf = Some(leaf);
        self
    }

    pub(crate) fn at(mut self, session: &str, seq: Option<u64>) -> Self {
        self.session = Some(session.to_owned());
        self.seq = seq;
        self
    }

    /// Something derived is not what the journal makes: what a comparison of the index found.
    pub fn view(session: Option<String>, seq: Option<u64>, msg: impl Into<String>) -> Self {
        Self { session, seq, ..Self::new(VIEW, msg) }
    }

    /// An anchor that does not hold: what somebody outside found.
    pub fn anchor(msg: impl Into<String>) -> Self {
        Self::new(ANCHOR_INVALID, msg)
    }

    /// The code's name.
    pub fn name(&self) -> &'static str {
        NAMES.iter().find(|(code, _)| *code == self.code).map_or("UNKNOWN", |(_, name)| name)
    }
}

impl From<journal::Finding> for Finding {
    fn from(finding: journal::Finding) -> Self {
        Self {
            code: finding.code.exit(),
            session: Some(finding.session),
            seq: Some(finding.seq),
            segment: Some(finding.segment),
            offset: Some(finding.offset),
            leaf: None,
            msg: finding.cause,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.session, self.seq, self.leaf) {
            (Some(session), Some(seq), _) => write!(f, "{session}/{seq}: ")?,
            (Some(session), None, _) => write!(f, "{session}: ")?,
            (None, _, Some(leaf)) => write!(f, "log leaf {leaf}: ")?,
            (None, _, None) => {}
        }
        f.write_str(&self.msg)
    }
}

/// The exit code of several findings: damage first, then trust, then what is only unfinished.
pub(crate) fn worst(findings: &[Finding]) -> u8 {
    let codes = || findings.iter().map(|finding| finding.code);
    let damage = codes().filter(|code| *code >= MODIFIED).min();
    let lesser =
        [UNTRUSTED, ANCHOR_MISSING, UNSEALED, TORN_TAIL].into_iter().find(|code| codes().any(|c| c == *code));
    damage.or(lesser).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_findings_damage_goes_first_and_a_torn_tail_last() {
        let exit =
            |codes: &[u8]| worst(&codes.iter().map(|code| Finding::new(*code, "")).collect::<Vec<_>>());
        assert_eq!(exit(&[]), 0);
        assert_eq!(exit(&[10]), 10);
        assert_eq!(exit(&[10, 11]), 11);
        assert_eq!(exit(&[10, 11, 13]), 13);
        assert_eq!(exit(&[10, 11, 12, 13]), 12);
        assert_eq!(exit(&[10, 12, 31, 45]), 31);
        assert_eq!(exit(&[31, 22, 12]), 22);
    }

    #[test]
    fn every_code_of_the_journal_has_the_name_it_has_here() {
        for code in [10u8, 20, 21, 22, 23, 24, 25, 27, 37, 45] {
            assert!(NAMES.iter().any(|(known, _)| *known == code), "{code}");
        }
    }
}
