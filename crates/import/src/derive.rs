//! Keys for records that have no identity of their own: their content, and how often it came before.
//!
//! Two equal `ls` calls stay two events, yet a copied file meets the same keys, occurrence by occurrence.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;

use crate::Keys;

/// Hex digits of a derived key that stand in an event's key.
const DIGITS: usize = 32;

/// The keys derived so far in one file.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    seen: HashMap<u64, u32>,
}

impl Derived {
    /// The key for the next record with this material.
    pub(crate) fn next(&mut self, keys: &dyn Keys, material: &str) -> String {
        let key = cut(keys.derived_key(material));
        let before = self.seen.entry(short(&key)).or_default();
        *before += 1;
        if *before == 1 { key } else { format!("{key}-{before}") }
    }
}

/// A derived key without counting.
pub(crate) fn once(keys: &dyn Keys, material: &str) -> String {
    cut(keys.derived_key(material))
}

/// An id as it can stand between the dots of a key: itself, or what stands for it.
pub(crate) fn id(keys: &dyn Keys, id: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let fits = !id.is_empty() && id.len() <= 72 && id.bytes().all(plain);
    if fits { id.to_owned() } else { once(keys, &format!("id\n{id}")) }
}

fn cut(mut key: String) -> String {
    key.truncate(DIGITS);
    key
}

/// A text as eight bytes: what is kept of every record must be small. Two that meet are a chance in
/// millions of millions, and cost no more than a wrong reference.
pub(crate) fn short(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The line before: the very same line again is a copy, not a second event, where a line says something that
/// cannot be said twice, like its time.
#[derive(Debug, Default)]
pub(crate) struct LastLine(Option<u64>);

impl LastLine {
    /// True for a line that is the one before once more, byte by byte.
    pub(crate) fn repeats(&mut self, line: &str) -> bool {
        let line = Some(short(line));
        std::mem::replace(&mut self.0, line) == line
    }
}

/// Names that many records repeat, each kept once.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<Rc<str>>);

impl Names {
    pub(crate) fn keep(&mut self, name: &str) -> Rc<str> {
        if let Some(kept) = self.0.get(name) {
            return Rc::clone(kept);
        }
        let kept: Rc<str> = name.into();
        self.0.insert(Rc::clone(&kept));
        kept
    }
}

/// True for an id that no other session will ever use. Some providers count (`call_0`,
/// `functions.Bash:3`): such an id names a call within its session only.
pub fn is_global(id: &str) -> bool {
    id.len() >= 16 && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'|' | b'.'))
}
