//! What the recorder may say on its own: facts that cannot carry anybody's text.

use event::SessionId;
use serde_json::{Map, Value};

/// A value that the house made itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// A word of our own.
    Word(&'static str),
    /// A count, an offset, a sequence.
    Number(u64),
    /// True or false.
    Flag(bool),
    /// A hash or an id of the house, in lower-case hex; anything else becomes `[REDACTED:unscanned]`.
    Hex(String),
    /// A member of a payload, by its name.
    Member(String),
    /// A session of the store.
    Session(SessionId),
    /// An event of the store.
    Event(SessionId, u64),
    /// An event of the store and its hash.
    EventHash(SessionId, u64, String),
    /// A file kept aside, named by session, sequence and hash.
    Torn(SessionId, u64, String),
    /// Several.
    List(Vec<Fact>),
    /// Several by name.
    Fields(Vec<(&'static str, Fact)>),
}

impl Fact {
    /// The fact as a JSON value.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Word(word) => word.into(),
            Self::Number(number) => number.into(),
            Self::Flag(flag) => flag.into(),
            Self::Hex(hex) => checked(hex).into(),
            Self::Member(name) => member(name).into(),
            Self::Session(session) => session.as_str().into(),
            Self::Event(session, seq) => format!("{session}/{seq}").into(),
            Self::EventHash(session, seq, hex) => format!("{session}/{seq}#{}", checked(hex)).into(),
            Self::Torn(session, seq, hex) => format!("{session}-{seq}-{}.bin", checked(hex)).into(),
            Self::List(facts) => facts.into_iter().map(Self::into_value).collect(),
            Self::Fields(fields) => Value::Object(into_map(fields)),
        }
    }
}

/// Named facts as a JSON object.
pub(crate) fn into_map(fields: Vec<(&'static str, Fact)>) -> Map<String, Value> {
    fields.into_iter().map(|(name, fact)| (name.to_owned(), fact.into_value())).collect()
}

/// Names of members stand in headers already, and have a grammar of their own.
fn member(name: String) -> String {
    let fits = name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    if fits { name } else { crate::marker::plain("unscanned") }
}

fn checked(hex: String) -> String {
    let fits = hex.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if fits { hex } else { crate::marker::plain("unscanned") }
}
