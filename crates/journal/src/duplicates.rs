//! Duplicates: the same thing told twice under one key.
//!
//! An event whose key an earlier event of its session has, with the same kind and `data`, is told once.
//! With other content it is a conflict: kept, shown and flagged.
//!
//! What a hook saw (`observed:<id>`) and a transcript tells as well (`imported:<id>`) is one event, and the
//! transcript's is told, whichever came first. Where the two share no id, `twin` in the header says what the
//! other's would be. The same way a record that was torn, and is whole now, stands for its gap.

use event::{Event, Kind, Line, Members};
use serde_json::{Map, Value};

/// How a later event with a known key relates to the earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// The same thing again: readers skip it.
    Duplicate,
    /// Something else under the same key: readers show and flag it.
    Conflict,
}

/// What counts when two events under one key are compared.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// What happened.
    pub kind: &'a Kind,
    /// The payload.
    pub data: Data<'a>,
    /// Its erased members.
    pub erased: &'a [String],
}

/// A payload, of a draft or of an event.
#[derive(Debug, Clone, Copy)]
pub enum Data<'a> {
    /// To be written.
    Draft(&'a Map<String, Value>),
    /// As it stands in the journal.
    Event(&'a Members),
}

impl<'a> Data<'a> {
    fn get(self, name: &str) -> Option<&'a Value> {
        match self {
            Self::Draft(map) => map.get(name),
            Self::Event(members) => members.get(name),
        }
    }

    fn names(self) -> Vec<&'a str> {
        match self {
            Self::Draft(map) => map.keys().map(String::as_str).collect(),
            Self::Event(members) => members.keys().collect(),
        }
    }
}

impl<'a> From<&'a Event> for Told<'a> {
    fn from(event: &'a Event) -> Self {
        Self { kind: &event.kind, data: Data::Event(&event.data), erased: &event.erased }
    }
}

/// What an event is called by those who tell the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    key: Option<String>,
    twin: Option<String>,
    origin: Option<String>,
}

impl Names {
    /// The header fields that make them.
    pub fn new(key: Option<String>, twin: Option<String>, origin: Option<String>) -> Self {
        Self { key, twin, origin }
    }

    /// The names of a line.
    pub fn of(line: &Line<'_>) -> Self {
        let text = |name: &str| line.text(name).map(std::borrow::Cow::into_owned);
        Self::new(text("key"), text("twin"), text("origin"))
    }

    /// True if nobody can tell it again.
    pub fn is_empty(&self) -> bool {
        self.key.is_none() && self.twin.is_none()
    }

    /// Under which it can be found: its key, and its twin's id with its own origin.
    pub fn own(&self) -> Vec<String> {
        let twin = self.twin.as_ref().zip(self.origin.as_ref());
        self.key.iter().cloned().chain(twin.map(|(twin, origin)| format!("{origin}:{twin}"))).collect()
    }

    /// Under which its twins can be found.
    pub fn others(&self) -> Vec<String> {
        let other = match self.origin.as_deref() {
            Some("observed") => "imported",
            Some("imported") => "observed",
            _ => return Vec::new(),
        };
        let id = self.key.as_deref().and_then(|key| key.split_once(':')).map(|(_, id)| id);
        let gap = self.twin.as_ref().filter(|twin| !self.yields() && twin.starts_with("gap:"));
        let ids = id.into_iter().chain(self.twin.as_deref());
        ids.map(|id| format!("{other}:{id}")).chain(gap.map(|gap| format!("imported:{gap}"))).collect()
    }

    /// True for what is not told where a twin is.
    pub fn yields(&self) -> bool {
        self.origin.as_deref() == Some("observed")
    }
}

impl From<&Event> for Names {
    fn from(event: &Event) -> Self {
        let text = |name: &str| event.text(name).map(str::to_owned);
        Self { key: text("key"), twin: text("twin"), origin: text("origin") }
    }
}

/// Compares two events with one key: all marks are equal, an erased member equals anything, and what
/// the redactor did (`redactions`) does not count.
pub fn compare(earlier: Told<'_>, later: Told<'_>) -> Sameness {
    let opened = |kind: &Kind| matches!(kind.as_str(), "session.opened" | "session.updated");
    if earlier.kind != later.kind && !(opened(earlier.kind) && opened(later.kind)) {
        return Sameness::Conflict;
    }
    let (own, other) = (earlier.data.names(), later.data.names());
    let mut names = own.into_iter().chain(other).filter(|name| *name != "redactions");
    let erased = |name: &str| earlier.erased.iter().chain(later.erased).any(|erased| erased == name);
    let same = |name: &str| match (earlier.data.get(name), later.data.get(name)) {
        (Some(a), Some(b)) => equal(a, b),
        _ => erased(name),
    };
    if names.all(same) { Sameness::Duplicate } else { Sameness::Conflict }
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a == b || without_marks(a) == without_marks(b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((ka, a), (kb, b))| ka == kb && equal(a, b))
        }
        _ => a == b,
    }
}

/// The text with every `[REDACTED:…]` as one and the same mark.
fn without_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[REDACTED:") {
        let end = after.find(']').map_or(after.len(), |end| end + 1);
        out.push_str(before);
        out.push('\u{fffc}');
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_and_a_transcript_find_each_other() {
        let names = |origin: &str, key: Option<&str>, twin: Option<&str>| Names {
            key: key.map(|key| format!("{origin}:{key}")),
            twin: twin.map(str::to_owned),
            origin: Some(origin.to_owned()),
        };
        let hook = names("observed", Some("toolu_1.invoked"), None);
        let told = names("imported", Some("toolu_1.invoked"), None);
        assert_eq!((hook.others(), told.others()), (told.own(), hook.own()));
        assert!(hook.yields() && !told.yields());
        let hook = names("observed", None, Some("text.1"));
        let told = names("imported", Some("cc:u.0"), Some("text.1"));
        assert!(told.others().contains(&hook.own()[0]) && told.own().contains(&hook.others()[0]));
        let whole = names("imported", Some("cc:u.0"), Some("gap:9"));
        assert!(whole.others().contains(&names("imported", Some("gap:9"), None).own()[0]));
        assert!(names("claimed", Some("k"), None).others().is_empty());
    }

    #[test]
    fn marks_are_equal_whatever_their_kind() {
        assert!(equal(&"a [REDACTED:jwt:0011223344] b".into(), &"a [REDACTED:token] b".into()));
        assert!(!equal(&"a [REDACTED:jwt:0011223344] b".into(), &"a b".into()));
    }
}
