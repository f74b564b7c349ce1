//! A draft: what somebody says happened, before it is redacted and stored.

use serde_json::{Map, Value};

use crate::kind::{FieldType, Kind, nearest};
use crate::names::{SessionId, is_member_name};

/// Header fields that any kind may carry, in the order in which they are written.
pub const COMMON: &[(&str, FieldType)] = &[
    ("at", FieldType::Text),
    ("group", FieldType::Text),
    ("agent", FieldType::Text),
    ("agent_id", FieldType::Text),
    ("parent_agent", FieldType::Text),
    ("parent", FieldType::Reference),
    ("cause", FieldType::Reference),
    ("corr", FieldType::Text),
    ("model", FieldType::Text),
    ("usage", FieldType::Flat),
    ("supersedes", FieldType::Reference),
];

/// Who vouches for an event: set by the door it came through, never by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// An agent or a person said so.
    Claimed,
    /// A hook or the recorder itself saw it.
    Observed,
    /// A transcript said so.
    Imported,
}

impl Origin {
    /// The word in the header.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Observed => "observed",
            Self::Imported => "imported",
        }
    }
}

/// What somebody says happened. Nothing of it is redacted yet: it must not reach a disk or a log.
#[derive(Clone, PartialEq)]
pub struct Draft {
    /// The session as the caller names it.
    pub session: String,
    /// What happened.
    pub kind: Kind,
    /// The door it came through.
    pub origin: Origin,
    /// Identity for "tell me once", without the origin's prefix.
    pub key: Option<String>,
    /// Header fields beyond session, kind, origin and key.
    pub header: Map<String, Value>,
    /// The payload.
    pub data: Map<String, Value>,
}

/// Why a draft is refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum DraftError {
    /// Not a JSON object.
    #[error("not a draft: {what}")]
    NotJson {
        /// What the parser says; never the text itself, which may hold a secret.
        what: String,
    },
    /// A key that drafts don't have.
    #[error("unknown key {name:?}{}", did_you_mean(*near))]
    UnknownKey {
        /// The key.
        name: String,
        /// The nearest known one.
        near: Option<&'static str>,
    },
    /// A kind that this build does not know.
    #[error("unknown kind {name:?}{}", did_you_mean(*near))]
    UnknownKind {
        /// The kind.
        name: String,
        /// The nearest known one.
        near: Option<&'static str>,
    },
    /// A kind or key that only the recorder sets.
    #[error("{name:?} is set by the recorder, not by a draft")]
    Reserved {
        /// The kind or key.
        name: String,
    },
    /// A required key is absent.
    #[error("{name:?} is missing")]
    Missing {
        /// The key.
        name: &'static str,
    },
    /// A value that the field does not take.
    #[error("{name:?} takes {takes}")]
    BadValue {
        /// The key.
        name: String,
        /// What it takes, in words.
        takes: String,
    },
    /// A member of `data` whose name a line cannot carry.
    #[error(
        "data member {name:?} does not fit [a-z][a-z0-9_]{{0,63}}; put objects of your own under \"body\""
    )]
    MemberName {
        /// The member.
        name: String,
    },
    /// A session name that is refused.
    #[error(transparent)]
    Session(#[from] crate::names::NameError),
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!(", did you mean {near:?}?"))
}

impl Draft {
    /// A draft without any fields yet.
    pub fn new(session: &str, kind: Kind, origin: Origin) -> Self {
        let (header, data) = (Map::new(), Map::new());
        Self { session: session.to_owned(), kind, origin, key: None, header, data }
    }

    /// Adds a header field; an absent one is left out.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        if !value.is_null() {
            self.header.insert(name.to_owned(), value);
        }
        self
    }

    /// Adds a member of `data`; an absent one is left out.
    #[must_use]
    pub fn data(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        if !value.is_null() {
            self.data.insert(name.to_owned(), value);
        }
        self
    }

    /// Sets the key.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Checks what a caller handed in: kind, names and values, against the kind's row.
    pub fn check(&self) -> Result<(), DraftError> {
        SessionId::check_caller_name(&self.session)?;
        if self.kind.is_reserved() {
            return Err(DraftError::Reserved { name: self.kind.to_string() });
        }
        for (name, value) in &self.header {
            check_field(name, value, self.field_type(name)?)?;
        }
        match self.data.keys().find(|name| !is_member_name(name)) {
            Some(name) => Err(DraftError::MemberName { name: name.clone() }),
            None => Ok(()),
        }
    }

    fn own_fields(&self) -> &'static [(&'static str, FieldType)] {
        self.kind.spec().map_or(&[], |spec| spec.header)
    }

    fn field_type(&self, name: &str) -> Result<FieldType, DraftError> {
        if matches!(name, "origin" | "redacted" | "src" | "store" | "supersedes") {
            return Err(DraftError::Reserved { name: name.to_owned() });
        }
        let known = || COMMON.iter().chain(self.own_fields());
        known().find(|(known, _)| *known == name).map(|(_, field)| *field).ok_or_else(|| {
            let near = nearest(name, known().map(|(n, _)| *n).chain(["session", "kind", "key", "data"]));
            DraftError::UnknownKey { name: name.to_owned(), near }
        })
    }
}

fn check_field(name: &str, value: &Value, field: FieldType) -> Result<(), DraftError> {
    let scalar = |v: &Value| v.is_string() || v.is_boolean() || is_integer(v);
    let (fits, takes) = match field {
        FieldType::Text => (value.is_string(), "a string".to_owned()),
        FieldType::Integer => (is_integer(value), "an integer under 2^53".to_owned()),
        FieldType::Flag => (value.is_boolean(), "true or false".to_owned()),
        FieldType::Reference => (value.is_string() || value.is_u64(), "a sequence or an event".to_owned()),
        FieldType::OneOf(words) => (value.as_str().is_some_and(|w| words.contains(&w)), one_of(value, words)),
        FieldType::Flat => {
            let fits = match value {
                Value::Array(items) => items.iter().all(scalar),
                Value::Object(map) => map.iter().all(|(k, v)| is_member_name(k) && scalar(v)),
                _ => false,
            };
            (fits, "a flat array or object".to_owned())
        }
    };
    if fits { Ok(()) } else { Err(DraftError::BadValue { name: name.to_owned(), takes }) }
}

fn one_of(value: &Value, words: &'static [&'static str]) -> String {
    let near = nearest(value.as_str().unwrap_or_default(), words.iter().copied());
    format!("one of {}{}", words.join(", "), did_you_mean(near))
}

fn is_integer(value: &Value) -> bool {
    const LIMIT: i64 = 1 << 53;
    value.as_i64().is_some_and(|n| n.abs() < LIMIT)
}

/// Reads a caller's draft from one line of JSON and checks it; `null` members count as absent.
pub fn draft_from_json(line: &str, origin: Origin) -> Result<Draft, DraftError> {
    let not_json = |what: String| DraftError::NotJson { what };
    let value: Value = serde_json::from_str(line).map_err(|e| not_json(position_only(&e)))?;
    let Value::Object(mut map) = value else {
        return Err(not_json("expected a JSON object".to_owned()));
    };
    map.retain(|_, v| !v.is_null());
    let session = take_text(&mut map, "session")?.ok_or(DraftError::Missing { name: "session" })?;
    let kind = take_text(&mut map, "kind")?.ok_or(DraftError::Missing { name: "kind" })?;
    let kind = Kind::known(&kind).map_err(|near| DraftError::UnknownKind { name: kind, near })?;
    let mut draft = Draft::new(&session, kind, origin);
    draft.key = take_text(&mut map, "key")?;
    draft.data = match map.remove("data") {
        None => Map::new(),
        Some(Value::Object(data)) => data,
        Some(_) => {
            return Err(DraftError::BadValue { name: "data".to_owned(), takes: "an object".to_owned() });
        }
    };
    draft.header = map;
    draft.check()?;
    Ok(draft)
}

/// The parser's complaint without any of the text.
fn position_only(error: &serde_json::Error) -> String {
    let what = if error.is_eof() { "it ends early" } else { "it is not JSON" };
    format!("{what} (column {})", error.column())
}

fn take_text(map: &mut Map<String, Value>, name: &str) -> Result<Option<String>, DraftError> {
    match map.remove(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(DraftError::BadValue { name: name.to_owned(), takes: "a string".to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::KINDS;

    fn read(line: &str) -> Result<Draft, DraftError> {
        draft_from_json(line, Origin::Claimed)
    }

    #[test]
    fn a_draft_is_an_event_line_without_what_the_recorder_adds() {
        let draft =
            read(r#"{"session":"s","kind":"note.added","key":"k1","agent":"dev","data":{"text":"hi"}}"#);
        let draft = draft.expect("a good draft");
        assert_eq!(draft.kind, *"note.added");
        assert_eq!(draft.key.as_deref(), Some("k1"));
        assert_eq!(draft.header["agent"], "dev");
        assert_eq!(draft.data["text"], "hi");
    }

    #[test]
    fn mistakes_are_named_with_what_was_meant() {
        let say = |line: &str| read(line).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(say(r#"{"session":"s","kind":"note.add"}"#).contains("did you mean \"note.added\""));
        assert!(say(r#"{"session":"s","kind":"note.added","agnet":"x"}"#).contains("did you mean \"agent\""));
        let phase = r#"{"session":"s","kind":"reasoning.recorded","phase":"approch"}"#;
        assert!(
            say(phase).contains("understanding, approach")
                && say(phase).contains("did you mean \"approach\"")
        );
        assert!(say(r#"{"session":"s","kind":"gap.found"}"#).contains("set by the recorder"));
        assert!(
            say(r#"{"session":"s","kind":"note.added","origin":"observed"}"#).contains("set by the recorder")
        );
        assert!(say(r#"{"session":"../s","kind":"note.added"}"#).contains("refused"));
        assert!(say(r#"{"session":"s","kind":"note.added","data":{"Text":1}}"#).contains("Text"));
        assert!(say(r#"{"kind":"note.added"}"#).contains("\"session\" is missing"));
        assert!(say(r#"{"session":"#).contains("ends early"));
    }

    #[test]
    fn a_parse_error_never_repeats_the_text() {
        let error = read(r#"{"session":"s" ghp_secret}"#).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(!error.is_empty() && !error.contains("ghp_secret"));
    }

    #[test]
    fn the_kinds_table_and_the_common_fields_do_not_overlap() {
        for spec in KINDS {
            for (name, _) in spec.header {
                assert!(!COMMON.iter().any(|(common, _)| common == name), "{} {name}", spec.name);
            }
        }
    }
}
