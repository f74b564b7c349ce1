//! Named values of an event, kept as they stand in its line, each parsed when it is first asked for: who reads ten
//! thousand events wants a field or two of most of them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::json::string_chars;

/// Names and values, by name.
pub type Iter<'a> = std::collections::btree_map::IntoIter<&'a str, &'a Value>;

/// The header's fields or the payload's members of one event: a [`Map`] that parses late.
#[derive(Clone)]
pub struct Members(Kept);

#[derive(Clone)]
enum Kept {
    /// As read.
    Read(Read),
    /// As somebody made it.
    Made(Map<String, Value>),
}

#[derive(Clone)]
struct Read {
    /// In which names and values stand.
    text: Text,
    /// In the order of the line.
    items: Vec<Item>,
    /// What was parsed so far.
    values: OnceLock<Box<[OnceLock<Value>]>>,
    form: Form,
}

#[derive(Clone)]
enum Text {
    /// Copied, one behind the other.
    Own(Box<str>),
    /// The lines of many events, as they were read.
    Shared(Arc<String>),
}

impl Text {
    fn get(&self, from: u32, to: u32) -> &str {
        let text = match self {
            Self::Own(text) => text,
            Self::Shared(text) => text.as_str(),
        };
        &text[from as usize..to as usize]
    }
}

/// Where a name and its value stand in the text.
#[derive(Clone, Copy)]
struct Item {
    mark: u32,
    name: u32,
    name_end: u32,
    value: u32,
    end: u32,
}

/// What a name looks like: other marks are other names.
fn mark(name: &str) -> u32 {
    let bytes = name.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().map_or(0, u32::from);
    let last = bytes.len().saturating_sub(1);
    byte(0) | byte(last) << 8 | byte(last / 2) << 16 | u32::from(bytes.len().to_le_bytes()[0]) << 24
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As headers write values.
    Header,
    /// As JSON.
    Payload,
}

impl Form {
    /// The value; lines that were accepted have nothing but values.
    fn value(self, raw: &str) -> Value {
        let value = match self {
            Self::Header => crate::line::field_value(raw),
            Self::Payload => serde_json::from_str(raw).ok(),
        };
        value.unwrap_or_default()
    }

    /// The text of a string that stands there as it is.
    fn plain(self, raw: &str) -> Option<&str> {
        let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
        let escape = if self == Self::Header { b'%' } else { b'\\' };
        memchr::memchr(escape, inner.as_bytes()).is_none().then_some(inner)
    }
}

impl Members {
    /// Keeps names and values as they are written.
    pub(crate) fn read<'a>(form: Form, pairs: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Self {
        let (count, bytes) =
            pairs.clone().fold((0, 0), |(n, bytes), (name, raw)| (n + 1, bytes + name.len() + raw.len()));
        let (mut text, mut items) = (String::with_capacity(bytes), Vec::with_capacity(count));
        // a line is at most 4 MiB
        let end = |text: &String| u32::try_from(text.len()).unwrap_or(u32::MAX);
        for (name, raw) in pairs {
            let start = end(&text);
            text.push_str(name);
            let name_end = end(&text);
            text.push_str(raw);
            items.push(Item { mark: mark(name), name: start, name_end, value: name_end, end: end(&text) });
        }
        Self(Kept::Read(Read { text: Text::Own(text.into()), items, values: OnceLock::new(), form }))
    }

    /// Keeps where names and values stand in a text that many share; `None` if they do not.
    pub(crate) fn within<'a>(
        form: Form,
        text: &'a Arc<String>,
        pairs: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Option<Self> {
        let base = text.as_ptr().addr();
        let place = |part: &str| {
            let start = part.as_ptr().addr().checked_sub(base)?;
            let end = start.checked_add(part.len()).filter(|end| *end <= text.len())?;
            Some((u32::try_from(start).ok()?, u32::try_from(end).ok()?))
        };
        let item = |(name, raw): (&str, &str)| {
            let ((start, name_end), (value, end)) = (place(name)?, place(raw)?);
            Some(Item { mark: mark(name), name: start, name_end, value, end })
        };
        let mut items = Vec::with_capacity(pairs.size_hint().1.unwrap_or_default());
        for pair in pairs {
            items.push(item(pair)?);
        }
        let text = Text::Shared(Arc::clone(text));
        Some(Self(Kept::Read(Read { text, items, values: OnceLock::new(), form })))
    }

    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match &self.0 {
            Kept::Read(read) => Some(read.value(read.find(name)?)),
            Kept::Made(map) => map.get(name),
        }
    }

    /// The value of this name if it is a string. Most need no parsing at all.
    pub fn text(&self, name: &str) -> Option<&str> {
        match &self.0 {
            Kept::Read(read) => {
                let at = read.find(name)?;
                read.form.plain(read.raw(at)).or_else(|| read.value(at).as_str())
            }
            Kept::Made(map) => map.get(name)?.as_str(),
        }
    }

    /// The value of this name if it is a whole number.
    pub fn number(&self, name: &str) -> Option<u64> {
        match &self.0 {
            Kept::Read(read) => read.raw(read.find(name)?).parse().ok(),
            Kept::Made(map) => map.get(name)?.as_u64(),
        }
    }

    /// The value of this name as it is written, if it was read.
    pub fn raw(&self, name: &str) -> Option<&str> {
        match &self.0 {
            Kept::Read(read) => Some(read.raw(read.find(name)?)),
            Kept::Made(_) => None,
        }
    }

    /// Characters in all strings of the value of this name.
    pub fn chars(&self, name: &str) -> usize {
        match &self.0 {
            // to make strings of them would take longer than all the rest
            Kept::Read(read) if read.form == Form::Payload => {
                read.find(name).map_or(0, |at| string_chars(read.raw(at)))
            }
            _ => self.get(name).map_or(0, |value| string_chars(&value.to_string())),
        }
    }

    /// True if there is one of this name.
    pub fn contains_key(&self, name: &str) -> bool {
        match &self.0 {
            Kept::Read(read) => read.find(name).is_some(),
            Kept::Made(map) => map.contains_key(name),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::Read(read) => read.items.len(),
            Kept::Made(map) => map.len(),
        }
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All, by name.
    pub fn iter(&self) -> Iter<'_> {
        let all: BTreeMap<&str, &Value> = match &self.0 {
            Kept::Read(read) => read.places().map(|at| (read.name(at), read.value(at))).collect(),
            Kept::Made(map) => map.iter().map(|(name, value)| (name.as_str(), value)).collect(),
        };
        all.into_iter()
    }

    /// The names, in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<&str> = match &self.0 {
            Kept::Read(read) => read.places().map(|at| read.name(at)).collect(),
            Kept::Made(map) => map.keys().map(String::as_str).collect(),
        };
        names.sort_unstable();
        names.into_iter()
    }

    /// The values, in the order of their names.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.iter().map(|(_, value)| value)
    }

    /// All as a map, copied.
    pub fn to_map(&self) -> Map<String, Value> {
        self.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect()
    }

    /// All as a map, to be changed.
    pub fn map_mut(&mut self) -> &mut Map<String, Value> {
        if let Kept::Read(..) = self.0 {
            self.0 = Kept::Made(std::mem::take(self).into_map());
        }
        match &mut self.0 {
            Kept::Made(map) => map,
            Kept::Read(..) => unreachable!("made just now"),
        }
    }

    /// All as a map.
    pub fn into_map(self) -> Map<String, Value> {
        match self.0 {
            Kept::Made(map) => map,
            Kept::Read(mut read) => {
                let parsed = read.values.take();
                let mut parsed: Vec<_> = parsed.map_or_else(Vec::new, <[_]>::into_vec);
                let value = |at: usize, parsed: &mut Vec<OnceLock<Value>>| parsed.get_mut(at)?.take();
                let pair = |at: usize| {
                    let value = value(at, &mut parsed).unwrap_or_else(|| read.form.value(read.raw(at)));
                    (read.name(at).to_owned(), value)
                };
                read.places().map(pair).collect()
            }
        }
    }
}

impl Read {
    fn places(&self) -> std::ops::Range<usize> {
        0..self.items.len()
    }

    fn find(&self, name: &str) -> Option<usize> {
        let wanted = mark(name);
        self.places().find(|at| self.items[*at].mark == wanted && self.name(*at) == name)
    }

    fn name(&self, at: usize) -> &str {
        let item = self.items[at];
        self.text.get(item.name, item.name_end)
    }

    fn raw(&self, at: usize) -> &str {
        let item = self.items[at];
        self.text.get(item.value, item.end)
    }

    fn value(&self, at: usize) -> &Value {
        let values = self.values.get_or_init(|| self.places().map(|_| OnceLock::new()).collect());
        values[at].get_or_init(|| self.form.value(self.raw(at)))
    }
}

impl Default for Members {
    fn default() -> Self {
        Self(Kept::Made(Map::new()))
    }
}

impl From<Map<String, Value>> for Members {
    fn from(map: Map<String, Value>) -> Self {
        Self(Kept::Made(map))
    }
}

impl<'a> IntoIterator for &'a Members {
    type Item = (&'a str, &'a Value);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl PartialEq for Members {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Members {}

impl std::ops::Index<&str> for Members {
    type Output = Value;

    /// Null where there is none.
    fn index(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&Value::Null)
    }
}

impl std::fmt::Debug for Members {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(form: Form, pairs: &[(&str, &str)]) -> Members {
        Members::read(form, pairs.iter().copied())
    }

    #[test]
    fn values_are_what_a_parser_would_have_made() {
        let header = read(Form::Header, &[("b", "\"50%25\""), ("a", "17"), ("c", "{\"x\":\"%c3%a9\"}")]);
        assert_eq!((header.text("b"), header.text("a"), header.text("d")), (Some("50%"), None, None));
        assert_eq!((header.number("a"), header.number("b")), (Some(17), None));
        assert_eq!(
            header.to_map(),
            *json!({"a": 17, "b": "50%", "c": {"x": "é"}}).as_object().expect("a map")
        );
        assert_eq!(header.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
        let data = read(Form::Payload, &[("text", r#""50% \"sure\"\n""#), ("n", "1.5")]);
        assert_eq!((data.text("text"), data.number("n")), (Some("50% \"sure\"\n"), None));
        assert_eq!(data, data.to_map().into());
        assert_eq!(data.clone().into_map(), data.to_map());
    }

    #[test]
    fn what_is_changed_is_a_map_from_then_on() {
        let mut data = read(Form::Payload, &[("a", "1"), ("b", "[2]")]);
        assert_eq!(data["b"][0], 2);
        data.map_mut().remove("a");
        data.map_mut().insert("c".to_owned(), "x".into());
        assert_eq!((data.len(), data.text("c"), data["a"].is_null()), (2, Some("x"), true));
    }

    proptest! {
        #[test]
        fn names_that_look_alike_are_told_apart(names in prop::collection::btree_set("[ab]{1,4}", 1..12), ask in "[ab]{1,4}") {
            let raws: Vec<String> = (0..names.len()).map(|n| n.to_string()).collect();
            let pairs: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(raws.iter().map(String::as_str)).collect();
            let members = read(Form::Header, &pairs);
            let wanted = pairs.iter().find(|(name, _)| *name == ask).and_then(|(_, raw)| raw.parse().ok());
            prop_assert_eq!(members.number(&ask), wanted);
            prop_assert_eq!(members.get(&ask).and_then(Value::as_u64), wanted);
            prop_assert_eq!(members.contains_key(&ask), wanted.is_some());
        }
    }
}
