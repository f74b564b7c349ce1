//! What is known about an event without reading its payload: the fields that queries filter by and
//! projections fold. Taken from the line once; everything behind it is owned.

use std::str::FromStr as _;

use event::{Kind, Line};
use journal::{Names, Pointer};
use serde_json::Value;

use crate::fold::keyword;

/// A field with words in it, compared without case and accents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keyword {
    /// The session.
    Session,
    /// The group.
    Group,
    /// The agent's role or id.
    Agent,
    /// The kind, or its noun.
    Kind,
    /// The phase.
    Phase,
    /// The skill.
    Skill,
    /// The status.
    Status,
    /// The role of a message.
    Role,
    /// Who vouches for it.
    Origin,
    /// The model.
    Model,
    /// A mark: `error`, `handoff`, …
    Is,
    /// Something that it carries.
    Has,
}

impl Keyword {
    /// All of them, as they are named in queries and in the text index.
    pub const ALL: [(Self, &'static str); 12] = [
        (Self::Session, "session"),
        (Self::Group, "group"),
        (Self::Agent, "agent"),
        (Self::Kind, "kind"),
        (Self::Phase, "phase"),
        (Self::Skill, "skill"),
        (Self::Status, "status"),
        (Self::Role, "role"),
        (Self::Origin, "origin"),
        (Self::Model, "model"),
        (Self::Is, "is"),
        (Self::Has, "has"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(field, _)| *field == self).map_or("", |(_, name)| name)
    }
}

/// The marks that `is:` knows.
pub const MARKS: [&str; 10] = [
    "error", "handoff", "decision", "pivot", "blocker", "write", "conflict", "erased", "redacted", "injected",
];
const BAD_STATUSES: [&str; 8] =
    ["error", "denied", "timeout", "interrupted", "fail", "failed", "failure", "blocked"];
/// Header fields that are kept as they are.
const KEPT: [&str; 18] = [
    "group", "agent", "agent_id", "phase", "skill", "status", "role", "origin", "model", "key", "from", "to",
    "category", "action", "by", "call", "form", "twin",
];

/// One event's fields.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The session.
    pub session: String,
    /// Its place in it.
    pub seq: u64,
    /// When it was recorded.
    pub ts: String,
    /// When it happened, microseconds since 1970.
    pub time: i64,
    /// True if its source says when it happened; else `time` is when it was recorded.
    pub dated: bool,
    /// What happened.
    pub kind: Kind,
    /// Where its line stands.
    pub pointer: Pointer,
    /// True when an earlier event of the session has the same key and other content.
    pub conflict: bool,
    fields: Vec<(&'static str, String)>,
    marks: Vec<&'static str>,
    carries: Vec<String>,
}

impl Facts {
    /// Takes them from a line.
    pub(crate) fn of(line: &Line<'_>, pointer: Pointer) -> Self {
        let kind =
            event::decode(line.kind).map_or_else(|| line.kind.to_owned(), std::borrow::Cow::into_owned);
        let kept = KEPT.iter().filter_map(|name| Some((*name, line.text(name)?.into_owned())));
        let mut facts = Self {
            session: line.session.to_owned(),
            seq: line.seq,
            ts: line.ts.to_owned(),
            time: 0,
            dated: false,
            kind: Kind::stored(&kind),
            pointer,
            conflict: false,
            fields: kept.collect(),
            marks: Vec::new(),
            carries: Vec::new(),
        };
        let at = line.text("at").and_then(|at| micros(&at));
        facts.dated = at.is_some();
        facts.time = at.or_else(|| micros(line.ts)).unwrap_or_default();
        facts.read_marks(line);
        facts.read_carries(line);
        facts
    }

    /// A header field as it was written.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The names under which it may be told again.
    pub(crate) fn names(&self) -> Names {
        let text = |name: &str| self.get(name).map(str::to_owned);
        Names::new(text("key"), text("twin"), text("origin"))
    }

    /// The noun of its kind.
    pub fn noun(&self) -> &str {
        self.kind.as_str().split('.').next().unwrap_or_default()
    }

    /// True when it carries the mark.
    pub fn is(&self, mark: &str) -> bool {
        self.marks.contains(&mark) || (self.conflict && mark == "conflict")
    }

    /// True when it has this header field or member.
    pub fn carries(&self, name: &str) -> bool {
        self.carries.iter().any(|known| known == name)
    }

    /// Calls `each` with every word it can be filtered by, folded.
    pub(crate) fn keywords(&self, mut each: impl FnMut(Keyword, &str)) {
        each(Keyword::Session, &self.session);
        each(Keyword::Kind, self.kind.as_str());
        each(Keyword::Kind, self.noun());
        for (name, value) in &self.fields {
            if let Some(field) = field_of(name) {
                each(field, &keyword(value));
            }
        }
        self.marks.iter().for_each(|mark| each(Keyword::Is, mark));
        if self.conflict {
            each(Keyword::Is, "conflict");
        }
        self.carries.iter().for_each(|name| each(Keyword::Has, name));
    }

    fn read_marks(&mut self, line: &Line<'_>) {
        let status = self.get("status").map(keyword).unwrap_or_default();
        let (noun, phase) = (self.noun(), self.get("phase"));
        let kind = self.kind.as_str();
        let flag = |name: &str| line.field(name).is_some_and(|f| f.raw == "true");
        let marks = [
            ("error", noun == "error" || kind == "model.failed" || BAD_STATUSES.contains(&status.as_str())),
            ("handoff", noun == "handoff"),
            ("decision", noun == "decision" || phase == Some("decisions")),
            ("pivot", phase == Some("pivot")),
            ("blocker", phase == Some("blockers")),
            ("write", kind == "file.changed"),
            ("erased", line.members.iter().any(event::Member::is_erased)),
            ("redacted", line.field("redacted").is_some_and(|f| f.value() != Some(Value::Null))),
            ("injected", flag("injected")),
        ];
        self.marks = marks.into_iter().filter(|(_, holds)| *holds).map(|(mark, _)| mark).collect();
    }

    fn read_carries(&mut self, line: &Line<'_>) {
        let members = line.members.iter().filter(|member| !member.is_erased());
        let blob =
            members.clone().any(|m| memchr::memmem::find(m.value.as_bytes(), b"\"blob\":\"b3:").is_some());
        let names = line.fields.iter().map(|field| field.name).chain(members.map(|member| member.name));
        self.carries = names.map(str::to_owned).collect();
        self.carries.extend(blob.then(|| "blob".to_owned()));
        self.carries.extend(self.is("redacted").then(|| "redaction".to_owned()));
    }
}

fn field_of(header: &str) -> Option<Keyword> {
    Some(match header {
        "group" => Keyword::Group,
        "agent" | "agent_id" => Keyword::Agent,
        "phase" => Keyword::Phase,
        "skill" => Keyword::Skill,
        "status" => Keyword::Status,
        "role" => Keyword::Role,
        "origin" => Keyword::Origin,
        "model" => Keyword::Model,
        _ => return None,
    })
}

/// Microseconds since 1970 of an RFC 3339 time.
pub(crate) fn micros(text: &str) -> Option<i64> {
    jiff::Timestamp::from_str(text).ok().map(jiff::Timestamp::as_microsecond)
}
