//! A mapping as it is used: what [`super::parse`] makes of a mapping file.

use std::collections::BTreeMap;

use event::{FieldType, Kind};
use serde_json::Value;

use super::path::Path;

/// How one tool's transcripts become events.
#[derive(Debug)]
pub(super) struct Mapping {
    pub(super) name: String,
    /// The folder of its transcripts, under the user's home.
    pub(super) home: String,
    /// The tool writes the same things again when more is known of them: a later version supersedes.
    pub(super) rewritten: bool,
    /// A file is recognised if one of these shapes holds.
    pub(super) shapes: Vec<Shape>,
    pub(super) session: SessionFrom,
    /// Starts of texts that nobody typed.
    pub(super) injected: Vec<String>,
    pub(super) usage: BTreeMap<String, Usage>,
    pub(super) sets: BTreeMap<String, Set>,
}

/// What the first records of a file look like.
#[derive(Debug)]
pub(super) struct Shape {
    /// Each must hold for one of the records.
    pub(super) any: Vec<When>,
    /// Must hold for every record.
    pub(super) all: Option<When>,
    /// Must hold for the very first.
    pub(super) first: Option<When>,
    /// Must hold for none.
    pub(super) none: Option<When>,
}

/// Where a file's session and agent come from.
#[derive(Debug, Default)]
pub(super) struct SessionFrom {
    /// In a record, if it is one of these.
    pub(super) ids: Vec<(When, Source)>,
    /// In the path of the file: `{session}/agents/{agent}/wire`.
    pub(super) file: Vec<String>,
    /// In a file beside it.
    pub(super) beside: Option<(String, Path)>,
    /// Otherwise what is in the file says which session it is; without this its name does.
    pub(super) content: Vec<Content>,
}

/// Which part of a file tells it from others.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// The first record: a file that grows stays the same session.
    First,
    /// The first records: they begin alike in every run.
    File,
    /// Each record is a session of its own.
    Record,
    /// A value in each record.
    Part(Path),
}

/// Rules for one kind of record: the first that fits is taken.
#[derive(Debug, Default)]
pub(super) struct Set {
    /// The record's own identity, and what all its events share.
    pub(super) id: Option<Path>,
    pub(super) parent: Option<Path>,
    /// What makes its identity one that no other session has: copies that a fork made are the same then.
    pub(super) unique: Option<Path>,
    /// The session, of records inside a document.
    pub(super) session: Option<Path>,
    /// Values that are JSON in a string.
    pub(super) unpack: Vec<Path>,
    pub(super) shared: Vec<Field>,
    pub(super) rules: Vec<Rule>,
}

#[derive(Debug)]
pub(super) struct Rule {
    pub(super) when: When,
    pub(super) steps: Vec<Step>,
}

/// One thing that a rule does.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) when: When,
    pub(super) does: Does,
}

#[derive(Debug)]
pub(super) enum Does {
    /// An event.
    Event { kind: Kind, fields: Vec<Field>, last: bool },
    /// The parts of the record at hand.
    Each(Below),
    /// Records of their own inside a document.
    Records(Below),
}

/// A list, and the set that reads what is in it.
#[derive(Debug)]
pub(super) struct Below {
    pub(super) path: Path,
    pub(super) set: String,
    pub(super) with: Vec<Field>,
    /// The list's own order is none: by this value.
    pub(super) sort: Option<Path>,
    /// A history that is told again and again: only what is new counts.
    pub(super) once: bool,
    /// What is told here stands in histories later.
    pub(super) told: bool,
}

/// A field of an event.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) to: Target,
    pub(super) from: Source,
}

/// Where a value goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target {
    Header(FieldType),
    Data,
    /// Told by the words of a mapping, not stored as it is.
    Word,
}

/// Where a value comes from.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) path: Option<Path>,
    pub(super) value: Option<Value>,
    pub(super) map: BTreeMap<String, Value>,
    pub(super) otherwise: Option<Value>,
    /// The piece of a text between these.
    pub(super) between: Option<(String, String)>,
    pub(super) times: Option<f64>,
    /// True for a text that begins so.
    pub(super) starts: Vec<String>,
    /// The name of the only member of an object around the value.
    pub(super) wrap: Option<String>,
    /// How counts are read.
    pub(super) usage: Option<String>,
    /// An object of several values.
    pub(super) object: Vec<(String, Path)>,
}

/// A model's counts; each a sum of what the paths lead to.
#[derive(Debug, Default)]
pub(super) struct Usage {
    pub(super) counts: Vec<(&'static str, Vec<Path>)>,
}

/// What must hold of a record; nothing always does.
#[derive(Debug, Default)]
pub(super) struct When(pub(super) Vec<(Path, Test)>);

#[derive(Debug)]
pub(super) enum Test {
    OneOf(Vec<Value>),
    Is(Type),
    Starts(Vec<String>),
    Has(Vec<String>),
    Not(Box<Test>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    /// There, and not null.
    There,
    Missing,
    /// A string with something in it.
    Text,
    String,
    Number,
    Bool,
    Object,
    List,
}

pub(super) const TYPES: &[(&str, Type)] = &[
    ("there", Type::There),
    ("missing", Type::Missing),
    ("text", Type::Text),
    ("string", Type::String),
    ("number", Type::Number),
    ("bool", Type::Bool),
    ("object", Type::Object),
    ("list", Type::List),
];
