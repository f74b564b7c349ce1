//! Duplicates: the same thing told twice under one key.
//!
//! An event whose key an earlier event of its session has, with the same kind and `data`, is told once.
//! With other content it is a conflict: kept, shown and flagged.
//!
//! What a hook saw (`observed:<id>`) and a transcript tells as well (`imported:<id>`) is one event, and the
//! transcript's is told, whichever came first. Where the two share no id, `twin` in the header says what the
//! other's would be. Between the two stands what a tool streamed while it worked (`imported:stream:<id>`): it knows
//! more than a hook, and less than the transcript. The same way a record that was torn, and is whole now, stands for
//! its gap.

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

/// Who may tell the same thing, the best first.
const TELLERS: [&str; 3] = ["imported", "imported:stream", "observed"];

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

    /// Who tells it, and its key without that; nobody whose word stands alone has twins.
    fn teller(&self) -> (&str, Option<&str>) {
        let origin = self.origin.as_deref().unwrap_or_default();
        let id = self.key.as_deref().and_then(|key| key.strip_prefix(origin)?.strip_prefix(':'));
        match id.and_then(|id| id.strip_prefix("stream:")) {
            Some(id) if origin == TELLERS[0] => (TELLERS[1], Some(id)),
            _ => (origin, id),
        }
    }

    /// Under which it can be found: its key, and its twin's id behind who tells it.
    pub fn own(&self) -> Vec<String> {
        let (teller, _) = self.teller();
        let twin = self.twin.as_ref().filter(|_| !teller.is_empty());
        self.key.iter().cloned().chain(twin.map(|twin| format!("{teller}:{twin}"))).collect()
    }

    /// Under which its twins can be found.
    pub fn others(&self) -> Vec<String> {
        let (teller, id) = self.teller();
        if !TELLERS.contains(&teller) {
            return Vec::new();
        }
        let ids = || id.into_iter().chain(self.twin.as_deref());
        let others = TELLERS.iter().filter(|other| **other != teller);
        let mut names: Vec<String> =
            others.flat_map(|other| ids().map(move |id| format!("{other}:{id}"))).collect();
        let gap = self.twin.as_ref().filter(|twin| !self.yields() && twin.starts_with("gap:"));
        names.extend(gap.map(|gap| format!("imported:{gap}")));
        names
    }

    /// How well it is known to who tells it: 0 is best.
    fn rank(&self) -> usize {
        let (teller, id) = self.teller();
        if id.is_some_and(|id| id.starts_with("gap:")) {
            return TELLERS.len();
        }
        TELLERS.iter().position(|known| *known == teller).unwrap_or(0)
    }

    /// True if of the two, which are twins, the other is told.
    pub fn yields_to(&self, other: &Self) -> bool {
        self.rank() > other.rank()
    }

    /// True for what may have to yield to a twin.
    pub fn may_yield(&self) -> bool {
        self.rank() > 0
    }

    /// True for what a hook saw.
    fn yields(&self) -> bool {
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
        assert!(hook.others().contains(&told.own()[0]) && told.others().contains(&hook.own()[0]));
        assert!(hook.yields_to(&told) && !told.yields_to(&hook));
        let stream = names("imported", Some("stream:toolu_1.invoked"), None);
        assert!(stream.yields_to(&told) && hook.yields_to(&stream));
        for (one, other) in [(&stream, &told), (&stream, &hook)] {
            assert!(one.others().contains(&other.own()[0]) && other.others().contains(&one.own()[0]));
        }
        let stream = names("imported", Some("stream:~1"), Some("text.1"));
        let told = names("imported", Some("cc:u.0"), Some("text.1"));
        assert!(stream.others().contains(&told.own()[1]) && told.others().contains(&stream.own()[1]));
        let hook = names("observed", None, Some("text.1"));
        let told = names("imported", Some("cc:u.0"), Some("text.1"));
        assert!(told.others().contains(&hook.own()[0]) && told.own().contains(&hook.others()[0]));
        let whole = names("imported", Some("cc:u.0"), Some("gap:9"));
        let gap = names("imported", Some("gap:9"), None);
        assert!(whole.others().contains(&gap.own()[0]) && gap.yields_to(&whole));
        assert!(names("claimed", Some("k"), None).others().is_empty());
    }

    #[test]
    fn marks_are_equal_whatever_their_kind() {
        assert!(equal(&"a [REDACTED:jwt:0011223344] b".into(), &"a [REDACTED:token] b".into()));
        assert!(!equal(&"a [REDACTED:jwt:0011223344] b".into(), &"a b".into()));
    }
}
