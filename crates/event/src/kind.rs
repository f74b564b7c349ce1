//! Event kinds: one row each, with the header fields beyond the common ones and the members of `data`.
//!
//! To add a kind: add a row to [`KINDS`]. A reader keeps kinds it does not know; a draft of an unknown
//! kind is refused with the nearest name, except `x.<name>`, which is the caller's own.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

/// The phases in which an agent documents its reasoning.
pub const PHASES: &[&str] =
    &["understanding", "approach", "decisions", "risks", "blockers", "pivot", "completion"];
/// How sure an agent says it is.
pub const CONFIDENCES: &[&str] = &["high", "medium", "low"];
const FORMS: &[&str] = &["full", "summary", "empty", "encrypted"];
const OUTCOMES: &[&str] = &["ok", "error", "denied", "timeout", "interrupted", "unknown"];

/// Kinds that only the recorder makes; a caller's draft of one is an error.
pub const RESERVED: &[&str] = &["session.opened", "session.linked", "gap.found", "raw.kept"];

/// What a header field may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// Any string.
    Text,
    /// An integer.
    Integer,
    /// true or false.
    Flag,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A sequence in this session, or an event of another (`s/12#<hash>`), or a key not seen yet.
    Reference,
    /// A flat array or object of scalars.
    Flat,
}

/// One kind of event.
#[derive(Debug)]
pub struct KindSpec {
    /// `noun.verb`, past tense.
    pub name: &'static str,
    /// Header fields beyond the common ones.
    pub header: &'static [(&'static str, FieldType)],
    /// Usual members of `data`.
    pub data: &'static [&'static str],
}

use FieldType::{Flag, Flat, Integer, OneOf, Reference, Text};

const fn kind(
    name: &'static str,
    header: &'static [(&'static str, FieldType)],
    data: &'static [&'static str],
) -> KindSpec {
    KindSpec { name, header, data }
}

/// Every kind this build knows.
#[rustfmt::skip]
pub const KINDS: &[KindSpec] = &[
    kind("session.opened", &[("store", Text), ("status", Text)], &["title", "cwd", "requirements", "meta", "original_id"]),
    kind("session.updated", &[("status", Text)], &["title", "cwd", "requirements", "meta", "original_id"]),
    kind("session.closed", &[("status", Text)], &["reason"]),
    kind("session.linked", &[("rel", Text), ("target", Text), ("upto", Reference)], &[]),
    kind("turn.started", &[("turn", Text)], &[]),
    kind("turn.ended", &[("turn", Text), ("status", Text), ("duration_ms", Integer)], &[]),
    kind("agent.spawned", &[("call", Text)], &["prompt"]),
    kind("agent.started", &[("call", Text)], &[]),
    kind("agent.stopped", &[("call", Text), ("status", Text)], &["result"]),
    kind("message.recorded", &[("role", Text), ("injected", Flag), ("attempt", Integer)], &["text"]),
    kind("reasoning.recorded", &[("phase", OneOf(PHASES)), ("confidence", OneOf(CONFIDENCES)), ("form", OneOf(FORMS)), ("attempt", Integer)], &["text", "references"]),
    kind("model.called", &[("stop", Text), ("duration_ms", Integer)], &["params"]),
    kind("model.failed", &[("stop", Text), ("duration_ms", Integer)], &["message"]),
    kind("skill.invoked", &[("skill", Text), ("call", Text)], &["input"]),
    kind("skill.progressed", &[("skill", Text), ("call", Text)], &["text"]),
    kind("skill.returned", &[("skill", Text), ("call", Text), ("status", OneOf(OUTCOMES)), ("exit", Integer), ("duration_ms", Integer)], &["output", "error"]),
    kind("handoff.made", &[("from", Text), ("to", Text), ("status", Text), ("mode", Text)], &["summary", "body", "file", "artifacts"]),
    kind("handoff.read", &[("by", Text)], &["file"]),
    kind("digest.assembled", &[("from", Text), ("to", Text), ("phases", Flat), ("budget", Integer), ("tokens", Integer), ("cut", Flag)], &["text", "inputs", "left_out"]),
    kind("digest.delivered", &[("from", Text), ("to", Text), ("phases", Flat), ("budget", Integer), ("tokens", Integer), ("cut", Flag)], &["text", "inputs", "left_out"]),
    kind("decision.scored", &[("selected", Integer)], &["options", "reasoning"]),
    kind("error.raised", &[("category", Text), ("action", Text), ("rule", Text)], &["message", "detail", "fingerprint"]),
    kind("step.thought", &[("attempt", Integer), ("depth", Text), ("catalog", Text)], &["text"]),
    kind("step.acted", &[("attempt", Integer), ("depth", Text), ("catalog", Text)], &["action"]),
    kind("step.observed", &[("attempt", Integer), ("depth", Text), ("catalog", Text)], &["observation"]),
    kind("plan.rejected", &[("attempt", Integer)], &["reason", "plan"]),
    kind("plan.updated", &[("attempt", Integer)], &["plan"]),
    kind("savepoint.made", &[("step", Text)], &["files"]),
    kind("savepoint.restored", &[("step", Text)], &["files"]),
    kind("file.changed", &[("op", Text)], &["path", "diff"]),
    kind("file.snapshotted", &[("op", Text)], &["files", "path"]),
    kind("learning.noted", &[("category", Text), ("confidence", Text)], &["trigger", "root_cause", "fix", "lesson", "applies_to"]),
    kind("learning.offered", &[("category", Text), ("confidence", Text)], &["lesson"]),
    kind("context.compacted", &[("trigger", Text), ("tokens", Integer)], &["summary"]),
    kind("context.injected", &[("source", Text)], &["text"]),
    kind("context.rewound", &[("to", Reference)], &[]),
    kind("permission.asked", &[("skill", Text), ("call", Text)], &["input"]),
    kind("permission.decided", &[("skill", Text), ("call", Text), ("decision", Text)], &["reason"]),
    kind("hook.ran", &[("hook", Text), ("call", Text), ("exit", Integer), ("duration_ms", Integer)], &["output"]),
    kind("usage.reported", &[("attempt", Integer)], &["body"]),
    kind("score.given", &[("score", Text), ("label", Text)], &["text", "body"]),
    kind("state.changed", &[("what", Text)], &["body"]),
    kind("note.added", &[("about", Text), ("mode", Text)], &["text"]),
    kind("bookmark.set", &[("about", Text)], &["text"]),
    kind("case.opened", &[("about", Text)], &["text"]),
    kind("verdict.given", &[("about", Text), ("mode", Text)], &["text"]),
    kind("recording.paused", &[], &["reason"]),
    kind("recording.resumed", &[], &["reason"]),
    kind("audit.recovered", &[("bytes", Integer), ("redone", Flag)], &["file", "digest"]),
    kind("audit.erased", &[("target", Integer)], &["order", "ticket", "reason", "replacement", "by", "signature"]),
    kind("audit.swept", &[("target", Integer)], &["places"]),
    kind("audit.exported", &[("target", Text)], &["reason"]),
    kind("audit.accessed", &[("target", Text)], &["reason"]),
    kind("audit.dropped", &[("count", Integer)], &["reason"]),
    kind("audit.purged", &[("target", Text)], &["reason"]),
    kind("raw.kept", &[], &["record"]),
    kind("gap.found", &[], &["reason"]),
];

/// The kind of an event: a row of [`KINDS`], a caller's `x.<name>`, or one from a newer writer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(std::borrow::Cow<'static, str>);

/// The row of a name. Every event that is read comes by here.
fn spec_of(name: &str) -> Option<&'static KindSpec> {
    static ROWS: LazyLock<HashMap<&str, &KindSpec>> =
        LazyLock::new(|| KINDS.iter().map(|spec| (spec.name, spec)).collect());
    ROWS.get(name).copied()
}

impl Kind {
    /// A kind that this build knows, or `x.<name>`; otherwise the nearest name that it knows.
    pub fn known(name: &str) -> Result<Self, Option<&'static str>> {
        if let Some(spec) = spec_of(name) {
            return Ok(Self(spec.name.into()));
        }
        match name.strip_prefix("x.") {
            Some(rest) if is_own_name(rest) => Ok(Self(name.to_owned().into())),
            _ => Err(nearest(name, KINDS.iter().map(|spec| spec.name))),
        }
    }

    /// A kind as a journal has it, known or not.
    pub fn stored(name: &str) -> Self {
        Self(spec_of(name).map_or_else(|| name.to_owned().into(), |spec| spec.name.into()))
    }

    /// A kind by its row; for the house's own code, where the name is a literal of the table.
    pub const fn of(name: &'static str) -> Self {
        Self(std::borrow::Cow::Borrowed(name))
    }

    /// `noun.verb`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its row, unless it is a caller's own or newer than this build.
    pub fn spec(&self) -> Option<&'static KindSpec> {
        spec_of(&self.0)
    }

    /// True for kinds that only the recorder makes.
    pub fn is_reserved(&self) -> bool {
        self.0.starts_with("audit.") || RESERVED.contains(&&*self.0)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for Kind {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Kind {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

fn is_own_name(name: &str) -> bool {
    let fits = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.');
    !name.is_empty() && name.len() <= 64 && name.bytes().all(fits)
}

/// The candidate that a typing mistake most likely meant, if any is near.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .map(|c| (strsim::jaro_winkler(word, c), c))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::is_member_name;

    #[test]
    fn every_row_has_names_that_a_line_can_carry() {
        for spec in KINDS {
            assert!(spec.name.split_once('.').is_some(), "{}", spec.name);
            let names = spec.header.iter().map(|(n, _)| n).chain(spec.data);
            assert!(names.clone().all(|n| is_member_name(n)), "{}", spec.name);
            assert_eq!(KINDS.iter().filter(|k| k.name == spec.name).count(), 1, "{}", spec.name);
        }
    }

    #[test]
    fn an_unknown_kind_names_the_nearest() {
        assert_eq!(Kind::known("reasoning.record"), Err(Some("reasoning.recorded")));
        assert_eq!(Kind::known("qqqq"), Err(None));
        assert!(Kind::known("x.reasoning_handoff").is_ok());
        assert!(Kind::known("x.").is_err());
    }
}
