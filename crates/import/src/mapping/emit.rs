//! The events of one record: steps run, fields filled, and what every kind knows by itself.

use event::{Draft, FieldType, Kind, Origin};
use serde_json::{Map, Value};

use super::apply::{Reading, Seen, Shared, plain};
use super::ext::Told;
use super::known::complete;
use super::path::Path;
use super::plan::{Below, Does, Field, Step, Target};
use crate::derive::short;
use crate::pen;

/// A header string is stored as it is up to this length.
const LONGEST_HEADER: usize = 200;

/// Sets inside sets; a message has four or five.
const DEEPEST: usize = 24;

/// One record on its way.
pub(super) struct Frame {
    base: String,
    pub(super) shared: Shared,
    pub(super) drafts: Vec<Draft>,
    /// Events that come behind the records inside this one.
    pub(super) last: Vec<Draft>,
    pub(super) told: Vec<Told>,
    pub(super) records: Vec<Records>,
    /// The key of the response that this record is part of.
    called: Option<String>,
    /// What is told now is part of a history.
    history: Option<History>,
    /// Sets that are being run, one inside the other.
    depth: usize,
}

/// A list of messages that are told again and again.
struct History {
    /// What was told before is left out.
    once: bool,
    seen: Seen,
}

/// A list of records inside a record.
pub(super) struct Records {
    pub(super) steps: Vec<String>,
    pub(super) set: &'static str,
    pub(super) with: Shared,
    pub(super) once: bool,
    pub(super) sort: Option<&'static Path>,
}

/// What an event's fields say before it becomes one.
#[derive(Default)]
pub(super) struct Said {
    pub(super) words: Map<String, Value>,
    pub(super) header: Map<String, Value>,
    pub(super) data: Map<String, Value>,
    pub(super) told: Vec<Told>,
}

impl Frame {
    pub(super) fn new(base: String, shared: Shared) -> Self {
        let (drafts, last, told, records) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { base, shared, drafts, last, told, records, called: None, history: None, depth: 0 }
    }

    /// Adds what all events below share.
    pub(super) fn share(&mut self, reading: &Reading, fields: &[Field], record: &Value, at: &[String]) {
        let shared = Self::gather(reading, fields, record, at);
        self.shared.extend(shared);
    }

    fn gather(reading: &Reading, fields: &[Field], record: &Value, at: &[String]) -> Shared {
        let mut said = Said::default();
        said.fill(reading, fields, record, at);
        said.header.extend(said.words);
        said.header
    }

    /// Runs the steps of a rule over the value at `at`.
    pub(super) fn run(
        &mut self,
        reading: &mut Reading,
        steps: &'static [Step],
        value: &Value,
        at: &mut Vec<String>,
    ) {
        for step in steps.iter().filter(|step| step.when.holds(value)) {
            match &step.does {
                Does::Event { kind, fields, last } => self.event(reading, kind, fields, *last, value, at),
                Does::Each(below) => self.each(reading, below, value, at),
                Does::Records(below) => self.records(reading, below, value, at),
            }
        }
    }

    fn records(&mut self, reading: &Reading, below: &'static Below, value: &Value, at: &[String]) {
        let Some(found) = below.path.find(value).filter(|found| found.value.is_array()) else { return };
        let mut with = self.shared.clone();
        with.remove("parent");
        with.extend(Self::gather(reading, &below.with, value, at));
        let steps = at.iter().chain(found.steps).cloned().collect();
        let (set, once, sort) = (below.set.as_str(), below.once, below.sort.as_ref());
        self.records.push(Records { steps, set, with, once, sort });
    }

    /// Runs a set over every part, or over the one that stands alone.
    fn each(&mut self, reading: &mut Reading, below: &'static Below, value: &Value, at: &mut Vec<String>) {
        let Some(found) = below.path.find(value) else { return };
        let shared = Self::gather(reading, &below.with, value, at);
        let before = self.shared.clone();
        self.shared.extend(shared);
        let depth = at.len();
        at.extend_from_slice(found.steps);
        self.parts(reading, below, found.value, at);
        at.truncate(depth);
        self.shared = before;
    }

    fn parts(&mut self, reading: &mut Reading, below: &'static Below, value: &Value, at: &mut Vec<String>) {
        let history = match (below.once, below.told) {
            (false, false) => None,
            (once, _) => Some(self.history.replace(History { once, seen: Seen::default() })),
        };
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    at.push(index.to_string());
                    self.part(reading, &below.set, item, at);
                    at.pop();
                }
            }
            value => self.part(reading, &below.set, value, at),
        }
        if let Some(before) = history {
            self.history = before;
        }
    }

    fn part(&mut self, reading: &mut Reading, set: &str, value: &Value, at: &mut Vec<String>) {
        // a mapping may lead in circles
        if self.depth == DEEPEST {
            return;
        }
        self.depth += 1;
        let rules = &reading.mapping.sets[set].rules;
        if let Some(rule) = rules.iter().find(|rule| rule.when.holds(value)) {
            self.run(reading, &rule.steps, value, at);
        }
        self.depth -= 1;
    }

    fn event(
        &mut self,
        reading: &mut Reading,
        kind: &Kind,
        fields: &[Field],
        last: bool,
        value: &Value,
        at: &[String],
    ) {
        let mut said = Said::default();
        said.fill(reading, fields, value, at);
        for (name, value) in &self.shared {
            let held = said.header.get(name).is_some_and(|value| !value.is_null());
            if held || said.words.contains_key(name) {
                continue;
            }
            match field_type(kind, name).and_then(|field| fitting(field, value)) {
                Some(value) => drop(said.header.insert(name.clone(), value)),
                None => drop(said.words.insert(name.clone(), value.clone())),
            }
        }
        self.put(reading, kind, said, last);
    }

    /// An event for a record of which nothing else is told.
    pub(super) fn bare(&mut self, reading: &mut Reading) {
        let kind = Kind::of("message.recorded");
        self.event(reading, &kind, &[], false, &Value::Null, &[]);
    }

    fn put(&mut self, reading: &mut Reading, kind: &Kind, mut said: Said, last: bool) {
        if self.is_told(reading, kind, &said) {
            return;
        }
        let place = if last { self.last.len() } else { self.drafts.len() };
        let own = format!("{}.{}{place}", self.base, if last { "end" } else { "" });
        let response = said.words.get("response").and_then(plain).filter(|_| *kind == "model.called");
        if let Some(id) = &response {
            let key = format!("{}:{id}.called", reading.mapping.name);
            self.called = Some(key.clone());
            if !reading.responses.insert(short(&key)) {
                return;
            }
        }
        let own = response.as_ref().map_or(own, |id| format!("{}:{id}.called", reading.mapping.name));
        let response = response.is_some();
        let key = complete(reading, kind, &mut said, own);
        if *kind == "model.called" && self.called.is_none() {
            self.called = Some(key.clone());
        } else if let (Some(called), false) = (&self.called, said.header.contains_key("cause") || response) {
            said.header.insert("cause".to_owned(), called.as_str().into());
        }
        if let Some(agent) = reading.agent.as_ref().filter(|_| !said.header.contains_key("agent")) {
            said.header.insert("agent".to_owned(), agent.as_str().into());
        }
        for mut told in said.told {
            let kept = match told.member.strip_prefix('@') {
                Some(name) => said.header.contains_key(name),
                None => said.data.contains_key(told.member.split('.').next().unwrap_or_default()),
            };
            (told.event, told.last) = (place, last);
            if kept {
                self.told.push(told);
            }
        }
        let mut draft = Draft::new(&reading.session, kind.clone(), Origin::Imported).key(key);
        draft.header = said.header;
        draft.header.retain(|_, value| !value.is_null());
        draft.data = said.data;
        if reading.mapping.rewritten {
            draft = pen::revisable(draft);
        }
        if last { self.last.push(draft) } else { self.drafts.push(draft) }
    }

    /// True for a part of a history that was told before.
    fn is_told(&mut self, reading: &mut Reading, kind: &Kind, said: &Said) -> bool {
        let Some(history) = &mut self.history else { return false };
        let who =
            ["role", "call", "skill"].map(|name| said.header.get(name).unwrap_or(&Value::Null).to_string());
        let what = Value::from(said.data.clone());
        let content = short(&format!("{}\n{kind}\n{}\n{what}", reading.session, who.join("\n")));
        let count = history.seen.entry(content).or_default();
        // what is told for itself is new, however often it was said before
        while !history.once && reading.told.contains_key(&(content, *count)) {
            *count += 1;
        }
        let told = reading.told.insert((content, *count), self.base.as_str().into()).is_some();
        *count += 1;
        told
    }
}

impl Said {
    /// Fills fields from the value at `at`.
    fn fill(&mut self, reading: &Reading, fields: &[Field], value: &Value, at: &[String]) {
        for field in fields {
            if let Some(name) = &field.from.usage {
                let found = field.from.path.as_ref().and_then(|path| path.value(value));
                let usage = found.map(|counts| reading.mapping.usage[name].read(counts)).unwrap_or_default();
                self.header.insert(field.name.clone(), usage);
                continue;
            }
            let taken = field.from.take(value);
            if taken.value.is_null() {
                continue;
            }
            let (value, json) = unwrapped(&field.name, taken.value);
            let (value, exact) = match field.to {
                Target::Data => (Some(value), true),
                Target::Word => (Some(value), false),
                Target::Header(FieldType::Reference) => {
                    (plain(&value).map(|id| reading.first_of(&id).into()), false)
                }
                Target::Header(kind) => {
                    let fits = fitting(kind, &value);
                    let same = fits.as_ref() == Some(&value) && kind == FieldType::Text;
                    (fits, same && value.as_str().is_some_and(|text| text.len() <= LONGEST_HEADER))
                }
            };
            let Some(value) = value else { continue };
            let into = match field.to {
                Target::Data => &mut self.data,
                Target::Word => &mut self.words,
                Target::Header(_) => &mut self.header,
            };
            into.insert(field.name.clone(), value);
            for (steps, inner) in taken.from.into_iter().filter(|_| exact) {
                let mark = if field.to == Target::Data { "" } else { "@" };
                let member = [format!("{mark}{}", field.name)].into_iter().chain(inner);
                let member = member.collect::<Vec<_>>().join(".");
                let steps = at.iter().cloned().chain(steps).collect();
                self.told.push(Told { steps, event: 0, last: false, member, json });
            }
        }
    }
}

/// An input is often an object in a string.
fn unwrapped(name: &str, value: Value) -> (Value, bool) {
    let parsed = match &value {
        Value::String(text) if name == "input" && text.trim_start().starts_with('{') => {
            match crate::json::parse(text) {
                crate::json::Parsed::Value(parsed @ Value::Object(_)) => Some(parsed),
                _ => None,
            }
        }
        _ => None,
    };
    let json = parsed.is_some();
    (parsed.unwrap_or(value), json)
}

/// The type of a header field of this kind.
pub(super) fn field_type(kind: &Kind, name: &str) -> Option<FieldType> {
    let own = kind.spec().map_or(&[] as &[_], |spec| spec.header);
    event::COMMON.iter().chain(own).find(|(known, _)| *known == name).map(|(_, field)| *field)
}

/// The value as a header field takes it; `None` if it cannot.
fn fitting(field: FieldType, value: &Value) -> Option<Value> {
    const LIMIT: u64 = 1 << 53;
    match field {
        FieldType::Text | FieldType::Reference => match value {
            Value::Bool(flag) => Some(flag.to_string().into()),
            value => plain(value).filter(|text| !text.is_empty()).map(Value::from),
        },
        FieldType::Integer => match value.as_str() {
            Some(text) => text.trim().parse::<i64>().ok(),
            None => value.as_i64(),
        }
        .filter(|number| number.unsigned_abs() < LIMIT)
        .map(Value::from),
        FieldType::Flag => value.is_boolean().then(|| value.clone()),
        FieldType::OneOf(words) => value.as_str().filter(|word| words.contains(word)).map(Value::from),
        FieldType::Flat => value.is_object().then(|| value.clone()),
    }
}
