//! A file being read by a mapping: each record by the first rule of its set that fits.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use event::Draft;
use serde_json::{Map, Value};

use super::calls::Calls;
use super::emit::{Frame, Records};
use super::ext::{Copies, leftover};
use super::path::{self, unpack};
use super::place::{place, stem, telling};
use super::plan::{Content, Mapping, Set};
use crate::derive::{Derived, LastLine, is_global, once, short};
use crate::pen::{self, Stamp};
use crate::{Keys, Mapped, Record, SourceFile, Transcript, json, time};

/// The set that every record of a file is read by.
pub(super) const RECORDS: &str = "record";
/// The longest id that becomes part of a key as it is.
const LONGEST_ID: usize = 200;

/// One file.
pub(super) struct Reading {
    pub(super) mapping: &'static Mapping,
    /// The session of the record at hand.
    pub(super) session: String,
    /// The file's name, for what stands in front of the first record.
    stem: String,
    /// What the first records are, as long as they have to name the session.
    head: String,
    /// The agent that the file's place names.
    pub(super) agent: Option<String>,
    pub(super) calls: Calls,
    derived: Derived,
    /// Records with an id that were seen already.
    seen: HashSet<u64>,
    /// The first event of each record with an id.
    firsts: HashMap<u64, Rc<str>>,
    /// The first event of each message of a history, by what it says and how often it says so.
    pub(super) told: HashMap<(u64, u32), Rc<str>>,
    /// Responses that were told, by their ids.
    pub(super) responses: HashSet<u64>,
    /// Texts of the record at hand that stand in it again.
    copies: Copies,
    last_line: LastLine,
}

/// How often each message came in one list.
pub(super) type Seen = HashMap<u64, u32>;

/// Header fields and words that all events below share.
pub(super) type Shared = Map<String, Value>;

impl Reading {
    /// Without a session the first records name it.
    pub(super) fn new(mapping: &'static Mapping, file: &SourceFile) -> Self {
        let (session, agent) = place(&mapping.session, file);
        let head = &file.head[..telling(&mapping.session, &file.head)];
        let head = if session.is_empty() { head.iter().map(content).collect() } else { String::new() };
        Self {
            mapping,
            session,
            stem: stem(file).to_owned(),
            head,
            agent,
            calls: Calls::default(),
            derived: Derived::default(),
            seen: HashSet::new(),
            firsts: HashMap::new(),
            told: HashMap::new(),
            responses: HashSet::new(),
            copies: Copies::default(),
            last_line: LastLine::default(),
        }
    }

    /// Scope of ids that only a session knows.
    pub(super) fn scope(&self) -> String {
        format!("{}:{}", self.mapping.name, self.session)
    }

    fn raw(&mut self, text: &str, record: Option<&Value>, keys: &dyn Keys) -> Draft {
        let derived = self.derive(text, keys);
        let key = format!("{}:{derived}", self.mapping.name);
        let at = record.and_then(|record| self.time_of(record));
        let stamp =
            Stamp { session: self.session.clone(), at, agent: self.agent.clone(), ..Stamp::default() };
        pen::raw(&stamp, key, text)
    }

    fn time_of(&self, record: &Value) -> Option<String> {
        let shared = &self.mapping.sets[RECORDS].shared;
        let time = shared.iter().find(|field| field.name == "time")?;
        time::at(&time.from.take(record).value)
    }

    /// A key for what has no id: its content, and how often it came before in its session.
    fn derive(&mut self, content: &str, keys: &dyn Keys) -> String {
        let material = format!("{}\n{}\n{content}", self.mapping.name, self.session);
        self.derived.next(keys, &material)
    }

    /// The session of a record, where it says so.
    fn move_on(&mut self, record: &Value, keys: &dyn Keys) {
        let from = &self.mapping.session;
        let mut ids = from.ids.iter().filter(|(when, _)| when.holds(record));
        let id = ids.find_map(|(_, id)| plain(&id.take(record).value).filter(|id| !id.trim().is_empty()));
        if let Some(id) = id {
            // nobody calls a session by a name that long
            self.session = if id.len() > LONGEST_ID { self.of_content(&id, keys) } else { id };
            return;
        }
        let told = from.content.iter().find_map(|part| match part {
            Content::Record => Some(content(record)),
            Content::Part(path) => path.value(record).map(content),
            Content::First | Content::File => None,
        });
        match told {
            Some(told) => self.session = self.of_content(&told, keys),
            None => self.settle(keys),
        }
    }

    /// What the file is called says nothing: its first records do.
    fn settle(&mut self, keys: &dyn Keys) {
        if self.session.is_empty() {
            let head = std::mem::take(&mut self.head);
            self.session = self.of_content(&head, keys);
        }
    }

    fn of_content(&self, content: &str, keys: &dyn Keys) -> String {
        let hash = once(keys, &format!("{}\n{content}", self.mapping.name));
        format!("{}-{}", self.mapping.name, &hash[..16])
    }

    /// The events of one record and of those inside it.
    fn record(&mut self, set: &str, mut record: Value, with: &Shared, keys: &dyn Keys) -> Vec<Draft> {
        let mapping = self.mapping;
        let set: &Set = &mapping.sets[set];
        let Some(rule) = set.rules.iter().find(|rule| rule.when.holds(&record)) else {
            return vec![self.raw(&record.to_string(), Some(&record), keys)];
        };
        if let Some(session) = set.session.as_ref().and_then(|path| path.value(&record)).and_then(plain) {
            self.session = session;
        }
        let id = set.id.as_ref().and_then(|path| path.value(&record)).and_then(plain);
        let unique = set.unique.as_ref().and_then(|path| path.value(&record)).and_then(plain);
        let base = self.base(id.as_deref(), unique.as_deref(), &record, keys);
        for path in &set.unpack {
            let steps = path.find(&record).map(|found| found.steps.to_vec());
            if let Some(value) = steps.and_then(|steps| path::place(&mut record, &steps)) {
                unpack(value);
            }
        }
        let mut frame = Frame::new(base, with.clone());
        if let Some(parent) = set.parent.as_ref().and_then(|path| path.value(&record)).and_then(plain) {
            frame.shared.insert("parent".to_owned(), self.first_of(&parent).into());
        }
        frame.share(self, &set.shared, &record, &[]);
        let quality = frame.shared.get("time").and_then(time::quality);
        frame.run(self, &rule.steps, &record, &mut Vec::new());
        if frame.drafts.is_empty() {
            frame.bare(self);
        }
        if let (Some(id), Some(key)) = (&id, &frame.drafts[0].key) {
            self.firsts.insert(self.short(id), key.as_str().into());
        }
        let mut inner = Vec::new();
        for list in std::mem::take(&mut frame.records) {
            self.inner(&mut record, &list, &mut inner, keys);
        }
        let Frame { mut drafts, last, told, .. } = frame;
        let mut ext = leftover(record, &told, drafts.len() + inner.len());
        self.copies.fold(&mut ext, &mut drafts, &last);
        if let Some(quality) = quality {
            ext.insert("$time".to_owned(), quality.into());
        }
        pen::add_ext(&mut drafts[0], ext);
        drafts.extend(inner);
        drafts.extend(last);
        drafts
    }

    /// The events of the records of a list; of a history those that are new.
    fn inner(&mut self, record: &mut Value, list: &Records, events: &mut Vec<Draft>, keys: &dyn Keys) {
        let Some(Value::Array(items)) = path::place(record, &list.steps).map(Value::take) else { return };
        let mut items: Vec<(usize, Value)> = items.into_iter().enumerate().collect();
        if let Some(path) = list.sort {
            items.sort_by_cached_key(|(_, item)| path.value(item).map(order));
        }
        let (mut left, mut seen) = (vec![Value::Null; items.len()], Seen::default());
        for (at, item) in items {
            let mark = list.once.then(|| self.mark(list.set, &item, &mut seen));
            if let Some(key) = mark.as_ref().and_then(|mark| self.told.get(mark)) {
                left[at] = serde_json::json!({ "$record": key.as_ref() });
                continue;
            }
            let first = events.len();
            events.extend(self.record(list.set, item, &list.with, keys));
            let key = events.get(first).and_then(|draft| draft.key.clone()).unwrap_or_default();
            if let Some(mark) = mark {
                self.told.insert(mark, key.as_str().into());
            }
            left[at] = serde_json::json!({ "$record": key });
        }
        if let Some(list) = path::place(record, &list.steps) {
            *list = left.into();
        }
    }

    /// What a message of a history is, and how often it came before in it.
    fn mark(&self, set: &str, item: &Value, seen: &mut Seen) -> (u64, u32) {
        let content = short(&format!("{}\n{set}\n{}", self.session, content(item)));
        let count = seen.entry(content).and_modify(|count| *count += 1).or_insert(0);
        (content, *count)
    }

    /// What the keys of a record's events begin with.
    fn base(&mut self, id: Option<&str>, unique: Option<&str>, record: &Value, keys: &dyn Keys) -> String {
        let name = &self.mapping.name;
        match id {
            Some(id) if id.len() <= LONGEST_ID && unique.is_some() => {
                format!("{name}:{id}@{}", once(keys, unique.unwrap_or_default()))
            }
            Some(id) if id.len() > LONGEST_ID => format!("{name}:{}", once(keys, id)),
            Some(id) if is_global(id) => format!("{name}:{id}"),
            Some(id) => format!("{}/{id}", self.scope()),
            None if unique.is_some() => {
                format!("{name}:{}", self.derived.next(keys, &format!("{name}\n{}", content(record))))
            }
            None => format!("{name}:{}", self.derive(&content(record), keys)),
        }
    }

    /// A call is the parent of what came of it, in some trees.
    pub(super) fn call_is(&mut self, call: &str, key: &str) {
        let call = self.short(call);
        self.firsts.entry(call).or_insert_with(|| key.into());
    }

    fn short(&self, id: &str) -> u64 {
        short(&format!("{}\n{id}", self.session))
    }

    /// The key of the first event of the record with this id, seen or not.
    pub(super) fn first_of(&self, id: &str) -> String {
        let known = self.firsts.get(&self.short(id)).map(ToString::to_string);
        known.unwrap_or_else(|| {
            if is_global(id) {
                format!("{}:{id}.0", self.mapping.name)
            } else {
                format!("{}/{id}.0", self.scope())
            }
        })
    }

    /// True if this very record, with an id of its own, was told before, or with its time just before.
    fn again(&mut self, record: &Value, text: &str) -> bool {
        let repeats = self.last_line.repeats(text);
        let set = &self.mapping.sets[RECORDS];
        let id = set.id.as_ref().and_then(|path| path.value(record)).and_then(plain);
        let Some(id) = id else { return repeats && self.time_of(record).is_some() };
        !self.seen.insert(short(&format!("{}\n{id}\n{}", self.session, content(record))))
    }
}

impl Transcript for Reading {
    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        let Some(value) = record.value else {
            self.settle(keys);
            return Mapped::Raw(self.raw(record.text, None, keys));
        };
        self.move_on(&value, keys);
        let rules = &self.mapping.sets[RECORDS].rules;
        if !rules.iter().any(|rule| rule.when.holds(&value)) {
            return Mapped::Raw(self.raw(record.text, Some(&value), keys));
        }
        if self.again(&value, record.text) {
            return Mapped::Duplicate;
        }
        self.copies = Copies::default();
        Mapped::Events(self.record(RECORDS, value, &Shared::new(), keys))
    }

    fn gap_session(&self) -> &str {
        if self.session.is_empty() { &self.stem } else { &self.session }
    }

    fn opening(&mut self) -> Option<Draft> {
        None
    }
}

/// An id, as text.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Values in their order: numbers by size, texts by letters.
fn order(value: &Value) -> (u64, String) {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "times are positive; others come first"
    )]
    let number = value.as_f64().map_or(0, |number| (number * 1e3) as u64);
    (number, value.as_str().unwrap_or_default().to_owned())
}

/// What a record is, whatever the order of its keys.
fn content(record: &Value) -> String {
    match record {
        Value::Object(map) => json::digest(map, &[]).to_hex().to_string(),
        other => other.to_string(),
    }
}
