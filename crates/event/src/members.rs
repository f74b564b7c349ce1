//! Named values of an event, kept as they stand in its line, each parsed when it is first asked for: who reads ten
//! thousand events wants a field or two of most of them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Names and values, by name.
pub type Iter<'a> = std::collections::btree_map::IntoIter<&'a str, &'a Value>;

/// The header's fields or the payload's members of one event: a [`Map`] that parses late.
#[derive(Clone)]
pub struct Members(Kept);

#[derive(Clone)]
enum Kept {
    /// As read, in the order of the line.
    Read(Box<str>, Vec<Item>),
    /// As somebody made it.
    Made(Map<String, Value>),
}

/// Where a name and its value stand in the text.
#[derive(Clone)]
struct Item {
    name: Range<u32>,
    raw: Range<u32>,
    value: OnceLock<Value>,
    form: Form,
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
        let bytes = pairs.clone().map(|(name, raw)| name.len() + raw.len()).sum();
        let mut text = String::with_capacity(bytes);
        // a line is at most 4 MiB
        let end = |text: &String| u32::try_from(text.len()).unwrap_or(u32::MAX);
        let items = pairs.map(|(name, raw)| {
            let start = end(&text);
            text.push_str(name);
            let middle = end(&text);
            text.push_str(raw);
            Item { name: start..middle, raw: middle..end(&text), value: OnceLock::new(), form }
        });
        let items = items.collect();
        Self(Kept::Read(text.into(), items))
    }

    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match &self.0 {
            Kept::Read(text, items) => {
                items.iter().find(|item| item.name(text) == name).map(|i| i.value(text))
            }
            Kept::Made(map) => map.get(name),
        }
    }

    /// The value of this name if it is a string. Most need no parsing at all.
    pub fn text(&self, name: &str) -> Option<&str> {
        match &self.0 {
            Kept::Read(text, items) => {
                let item = items.iter().find(|item| item.name(text) == name)?;
                item.form.plain(item.raw(text)).or_else(|| item.value(text).as_str())
            }
            Kept::Made(map) => map.get(name)?.as_str(),
        }
    }

    /// The value of this name if it is a whole number.
    pub fn number(&self, name: &str) -> Option<u64> {
        match &self.0 {
            Kept::Read(text, items) => {
                items.iter().find(|item| item.name(text) == name)?.raw(text).parse().ok()
            }
            Kept::Made(map) => map.get(name)?.as_u64(),
        }
    }

    /// True if there is one of this name.
    pub fn contains_key(&self, name: &str) -> bool {
        match &self.0 {
            Kept::Read(text, items) => items.iter().any(|item| item.name(text) == name),
            Kept::Made(map) => map.contains_key(name),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::Read(_, items) => items.len(),
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
            Kept::Read(text, items) => items.iter().map(|item| (item.name(text), item.value(text))).collect(),
            Kept::Made(map) => map.iter().map(|(name, value)| (name.as_str(), value)).collect(),
        };
        all.into_iter()
    }

    /// The names, in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<&str> = match &self.0 {
            Kept::Read(text, items) => items.iter().map(|item| item.name(text)).collect(),
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
    pub fn as_mut(&mut self) -> &mut Map<String, Value> {
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
            Kept::Read(text, items) => {
                let pair = |mut item: Item| {
                    let value = item.value.take().unwrap_or_else(|| item.form.value(item.raw(&text)));
                    (item.name(&text).to_owned(), value)
                };
                items.into_iter().map(pair).collect()
            }
        }
    }
}

impl Item {
    fn name<'t>(&self, text: &'t str) -> &'t str {
        slice(text, &self.name)
    }

    fn raw<'t>(&self, text: &'t str) -> &'t str {
        slice(text, &self.raw)
    }

    fn value(&self, text: &str) -> &Value {
        self.value.get_or_init(|| self.form.value(self.raw(text)))
    }
}

fn slice<'t>(text: &'t str, range: &Range<u32>) -> &'t str {
    &text[range.start as usize..range.end as usize]
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
