//! Every field a query can name: one row each. To add one, add a row (and a [`Keyword`] if it has words).

use super::deep::Measure;
use crate::facts::Keyword;

/// What a field's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// A word or several.
    Keyword(Keyword),
    /// A sequence.
    Seq,
    /// When it happened.
    At,
    /// At this time or later.
    Since,
    /// At this time or earlier.
    Until,
    /// Later than this.
    After,
    /// Earlier than this.
    Before,
    /// A file that it names.
    File,
    /// How sure the agent is.
    Confidence,
    /// A number that it carries.
    Count(Measure),
    /// A kind of secret that was taken out, or how many were.
    Redacted,
    /// The folder that a session worked in.
    Project,
    /// A case about it.
    Case,
    /// Events around one.
    Near,
}

/// One field.
#[derive(Debug)]
pub struct FieldSpec {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: FieldKind,
    /// What it means, for help.
    pub about: &'static str,
}

const fn field(name: &'static str, kind: FieldKind, about: &'static str) -> FieldSpec {
    FieldSpec { name, kind, about }
}

use FieldKind::{After, At, Before, Since, Until};

/// Every field.
#[rustfmt::skip]
pub const FIELDS: &[FieldSpec] = &[
    field("session", FieldKind::Keyword(Keyword::Session), "the session id"),
    field("group", FieldKind::Keyword(Keyword::Group), "the unit of parallel work"),
    field("agent", FieldKind::Keyword(Keyword::Agent), "the agent's role or its id"),
    field("kind", FieldKind::Keyword(Keyword::Kind), "what happened: reasoning.recorded, or its noun: reasoning"),
    field("phase", FieldKind::Keyword(Keyword::Phase), "the phase of the reasoning"),
    field("skill", FieldKind::Keyword(Keyword::Skill), "the skill or tool"),
    field("status", FieldKind::Keyword(Keyword::Status), "how it ended"),
    field("role", FieldKind::Keyword(Keyword::Role), "who a message is from"),
    field("origin", FieldKind::Keyword(Keyword::Origin), "claimed, observed or imported"),
    field("model", FieldKind::Keyword(Keyword::Model), "the model"),
    field("is", FieldKind::Keyword(Keyword::Is), "error, handoff, decision, pivot, blocker, write, conflict, erased, redacted, injected, test, bookmarked, unread, silent"),
    field("has", FieldKind::Keyword(Keyword::Has), "a field or member it carries; blob, redaction"),
    field("seq", FieldKind::Seq, "place in the session: seq:17, seq:>=100"),
    field("at", At, "when: at:yesterday, at:>=2026-11-27"),
    field("since", Since, "at this time or later: 2h, 3d, yesterday, 2026-11-27, RFC 3339"),
    field("until", Until, "at this time or earlier"),
    field("after", After, "later than this"),
    field("before", Before, "earlier than this"),
    field("tool", FieldKind::Keyword(Keyword::Skill), "the same as skill"),
    field("file", FieldKind::File, "a file that it names: its path, or the end of it"),
    field("conf", FieldKind::Confidence, "high, medium or low"),
    field("dur", FieldKind::Count(Measure::Duration), "how long it took: dur:>=5s, dur:>200ms"),
    field("tokens", FieldKind::Count(Measure::Tokens), "tokens of a call, in and out: tokens:>=8000"),
    field("redacted", FieldKind::Redacted, "a kind of secret that was taken out, or how many were: redacted:github_token, redacted:>=2"),
    field("project", FieldKind::Project, "the folder that the session worked in, or the end of it"),
    field("case", FieldKind::Case, "what a case is about: case:case-1"),
    field("near", FieldKind::Near, "around an event: near:S/123±20"),
];
