//! Values that are known without being kept: a length and two keyed hashes each.
//!
//! - T1  a trace tells a value that one holds, and gives none away to who has no key
//! - T2  looked for at every place where a word may begin, at every length that is known: a rolling hash
//!   of the whole text makes that one multiplication each, and a keyed hash confirms
//! - T3  only values that [`crate::gate`] lets through have a trace, and no line that is read makes one
//!   for less than eight bytes

use std::collections::{BTreeMap, HashMap};

use crate::span::Spans;
use crate::{gate, kinds};

/// Longer values are tokens, which show by themselves.
pub(crate) const LONGEST: usize = 160;
/// More than these are the values of a flood, not of a session.
const MOST: usize = 8192;
/// Bytes that are hashed in one go.
const CHUNK: usize = 1 << 16;
/// The prime below which the rolling hash lives: 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// What makes traces; the same key finds them again.
#[derive(Clone)]
pub(crate) struct TraceKey {
    base: u64,
    confirm: [u8; 32],
}

impl TraceKey {
    /// Derived from a key of the user's.
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        let material = blake3::derive_key("recount redact trace base v1", key);
        let mut base = [0; 8];
        base.copy_from_slice(&material[..8]);
        let base = u64::from_le_bytes(base) % (PRIME - 1024) + 512;
        Self { base, confirm: blake3::derive_key("recount redact trace confirm v1", key) }
    }

    fn confirm(&self, value: &[u8]) -> u64 {
        let mut first = [0; 8];
        first.copy_from_slice(&blake3::keyed_hash(&self.confirm, value).as_bytes()[..8]);
        u64::from_le_bytes(first)
    }

    fn rolled(&self, value: &[u8]) -> u64 {
        value.iter().fold(0, |hash, &byte| self.roll(hash, byte))
    }

    fn roll(&self, hash: u64, byte: u8) -> u64 {
        add(times(hash, self.base), u64::from(byte) + 1)
    }
}

fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let low = u64::try_from(product & u128::from(PRIME)).unwrap_or(0);
    let high = u64::try_from(product >> 61).unwrap_or(0);
    add(low, high)
}

fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

#[derive(Clone, Copy, Debug)]
struct Trace {
    rolled: u64,
    confirm: u64,
    kind: &'static str,
}

/// A set of traces.
#[derive(Clone)]
pub(crate) struct Traces {
    key: TraceKey,
    /// By length: the power that takes a window's head away, and what has this length.
    lengths: BTreeMap<usize, (u64, HashMap<u64, Trace>)>,
    count: usize,
}

impl Traces {
    pub(crate) fn new(key: &TraceKey) -> Self {
        Self { key: key.clone(), lengths: BTreeMap::new(), count: 0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a value; gives the line by which it is known again, if it is new and may be looked for.
    pub(crate) fn add(&mut self, value: &str, kind: &'static str) -> Option<String> {
        if value.len() > LONGEST || !gate::is_unmistakable(value) {
            return None;
        }
        let bytes = value.as_bytes();
        let trace = Trace { rolled: self.key.rolled(bytes), confirm: self.key.confirm(bytes), kind };
        self.insert(bytes.len(), trace)
            .then(|| format!("{} {:016x} {:016x} {kind}\n", bytes.len(), trace.rolled, trace.confirm))
    }

    fn insert(&mut self, length: usize, trace: Trace) -> bool {
        if self.count >= MOST {
            return false;
        }
        let base = self.key.base;
        let power = || (0..length).fold(1, |power, _| times(power, base));
        let known = &mut self.lengths.entry(length).or_insert_with(|| (power(), HashMap::new())).1;
        let new = known.insert(trace.rolled, trace).is_none();
        self.count += usize::from(new);
        new
    }

    /// Adds what an earlier process wrote down; lines that are none are passed over.
    pub(crate) fn read(&mut self, lines: &str) {
        for line in lines.lines() {
            let mut words = line.split(' ');
            let (Some(length), Some(rolled), Some(confirm), Some(kind), None) =
                (words.next(), words.next(), words.next(), words.next(), words.next())
            else {
                continue;
            };
            let hex = |word| u64::from_str_radix(word, 16).ok();
            if let (Ok(length), Some(rolled), Some(confirm)) = (length.parse(), hex(rolled), hex(confirm))
                && (gate::SHORTEST..=LONGEST).contains(&length)
            {
                self.insert(length, Trace { rolled, confirm, kind: kinds::kept(kind) });
            }
        }
    }

    /// Adds each place of `text` where one of the values stands.
    pub(crate) fn find(&self, text: &str, spans: &mut Spans) {
        let Some(&longest) = self.lengths.keys().next_back() else { return };
        let bytes = text.as_bytes();
        let mut hashes = Vec::with_capacity(CHUNK.min(bytes.len()) + longest + 1);
        let mut from = 0;
        while from < bytes.len() {
            let end = bytes.len().min(from + CHUNK);
            let window = &bytes[from..bytes.len().min(end + longest)];
            self.hash(window, &mut hashes);
            for at in (0..end - from).filter(|&at| may_begin(bytes, from + at)) {
                self.find_at(window, at, &hashes, |to, kind| spans.add(from + at, from + to, kind, true));
            }
            from = end;
        }
    }

    fn hash(&self, window: &[u8], hashes: &mut Vec<u64>) {
        hashes.clear();
        hashes.push(0);
        let mut hash = 0;
        for &byte in window {
            hash = self.key.roll(hash, byte);
            hashes.push(hash);
        }
    }

    fn find_at(&self, window: &[u8], at: usize, hashes: &[u64], mut found: impl FnMut(usize, &'static str)) {
        for (&length, (power, known)) in &self.lengths {
            let end = at + length;
            if end > window.len() {
                return;
            }
            let rolled = add(hashes[end], PRIME - times(hashes[at], *power));
            if let Some(trace) = known.get(&rolled)
                && self.key.confirm(&window[at..end]) == trace.confirm
            {
                found(end, trace.kind);
            }
        }
    }
}

/// Whether a value may begin at `at`: not in the middle of a word; the letter of an escape is no word.
fn may_begin(text: &[u8], at: usize) -> bool {
    let now = text[at];
    if !(now.is_ascii_alphanumeric() && at > 0 && text[at - 1].is_ascii_alphanumeric()) {
        return now > b' ';
    }
    crate::token::stands_alone(text, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str], text: &str) -> Vec<String> {
        let mut traces = Traces::new(&TraceKey::new(&[3; 32]));
        let lines: String = values.iter().filter_map(|value| traces.add(value, "password")).collect();
        let mut again = Traces::new(&TraceKey::new(&[3; 32]));
        again.read(&lines);
        assert_eq!(traces.count, again.count);
        let mut spans = Spans::default();
        again.find(text, &mut spans);
        spans.into_union(text).iter().map(|span| text[span.start..span.end].to_owned()).collect()
    }

    #[test]
    fn a_value_is_found_wherever_it_begins_a_word() {
        let text = "I'll use hunter2!x9, or \"hunter2!x9\"; \\nhunter2!x9 and (hunter2!x9)";
        assert_eq!(found(&["hunter2!x9"], text), ["hunter2!x9"; 4]);
        assert_eq!(
            found(&["correct horse battery staple"], "say correct horse battery staple."),
            ["correct horse battery staple"]
        );
        assert_eq!(found(&["hunter2!x9"], "hunter2!x8 xhunter2!x9"), [""; 0]);
    }

    #[test]
    fn chunks_end_nowhere_in_particular() {
        for lead in CHUNK - 12..CHUNK + 2 {
            let text = format!("{}hunter2!x9 and on", " ".repeat(lead));
            assert_eq!(found(&["hunter2!x9"], &text), ["hunter2!x9"], "{lead}");
        }
    }

    #[test]
    fn ordinary_words_leave_no_trace() {
        assert_eq!(
            found(&["user", "development", "localhost:5432"], "the user of development at localhost:5432"),
            [""; 0]
        );
    }

    #[test]
    fn another_key_finds_nothing() {
        let mut traces = Traces::new(&TraceKey::new(&[3; 32]));
        let line = traces.add("hunter2!x9", "password").expect("a trace");
        assert!(!line.contains("hunter"));
        let mut other = Traces::new(&TraceKey::new(&[4; 32]));
        other.read(&line);
        let mut spans = Spans::default();
        other.find("hunter2!x9", &mut spans);
        assert!(spans.found().is_empty());
    }
}
