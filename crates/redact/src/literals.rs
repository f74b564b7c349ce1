//! All literals of all engines in one pass, without an automaton to build.
//!
//! Bytes fall into 32 classes (letters without case, digits, a few sorts of signs): three bytes are an index
//! into a table of 2^15 words, the fourth is a bit of the word. A bit that is set leads to the literals that
//! begin so, and they are compared. Ready in microseconds, where an Aho-Corasick automaton of as many
//! literals takes milliseconds, and twice as fast as its tables.
//!
//! - L1  each byte is looked at once; a literal is compared only where four classes in a row are its own
//! - L2  a literal of fewer than four bytes is found whatever follows it, at the end of the text too

use std::borrow::Cow;

use crate::shape::{SETS, Set};

const CLASS_BITS: u32 = 5;
/// Bytes that say whether a literal may begin: three of an index, and one of a bit.
const GRAM: usize = 4;
/// Forms of two bytes.
const TWOS: usize = 1 << 16;
const TRIPLES: usize = 1 << (3 * CLASS_BITS);
const MASK: u32 = (1 << (3 * CLASS_BITS)) - 1;
/// Slots of the table that leads from three classes to literals; a power of two, sparsely filled.
const SLOTS: usize = 2048;

const DIGIT: u8 = 26;
const OTHER: u8 = 31;
/// Sorts of signs that literals use.
const SIGNS: [(&[u8], u8); 4] = [(b"_-", 27), (b":/.", 28), (b"@", 29), (b" ", 30)];

/// A literal to look for.
pub(crate) struct Literal<T> {
    pub(crate) text: Cow<'static, [u8]>,
    /// In this letter case only.
    pub(crate) exact: bool,
    /// What may follow it, if that is known.
    pub(crate) next: Option<Set>,
    pub(crate) meaning: T,
}

/// A set of literals, each with what it means.
pub(crate) struct Literals<T> {
    /// By three classes: which fourth class a literal has.
    fourths: Box<[u32]>,
    /// By two bytes, a bit each: whether a literal begins so. Signs and digits share their classes.
    twos: Box<[u64]>,
    /// By hash of the first three classes: where its literals begin in `entries`.
    heads: Vec<u16>,
    entries: Vec<Entry>,
    all: Vec<Literal<T>>,
}

struct Entry {
    /// The classes that it begins with; others share its slot.
    triple: u32,
    /// Which fourth classes it has.
    fourth: u32,
    head: Head,
    literal: u16,
    /// The next entry with the same slot, plus one.
    next: u16,
}

/// The first bytes of a literal as one number, and which of its bits are those of small letters: most candidates
/// fail there, and most literals are no longer.
#[derive(Clone, Copy)]
struct Head {
    bytes: u64,
    small: u64,
    known: u64,
}

impl Head {
    fn of(text: &[u8], exact: bool) -> Self {
        let mut head = [[0; 8]; 3];
        for (at, &byte) in text.iter().take(8).enumerate() {
            let letter = !exact && byte.is_ascii_alphabetic();
            head[0][at] = if letter { byte.to_ascii_lowercase() } else { byte };
            head[1][at] = if letter { 0x20 } else { 0 };
            head[2][at] = 0xFF;
        }
        let [bytes, small, known] = head.map(u64::from_le_bytes);
        Self { bytes, small, known }
    }

    fn is(self, here: u64) -> bool {
        (here | self.small) & self.known == self.bytes
    }
}

/// The first bytes of `text` as one number; behind its end there are none.
fn first_bytes(text: &[u8]) -> u64 {
    text.first_chunk().map_or_else(
        || {
            let mut bytes = [0; 8];
            bytes[..text.len()].copy_from_slice(text);
            u64::from_le_bytes(bytes)
        },
        |bytes| u64::from_le_bytes(*bytes),
    )
}

/// The class of each byte.
static CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut letter = 0;
    while letter < 26 {
        classes[(b'a' + letter) as usize] = letter;
        classes[(b'A' + letter) as usize] = letter;
        letter += 1;
    }
    let mut digit = b'0';
    while digit <= b'9' {
        classes[digit as usize] = DIGIT;
        digit += 1;
    }
    let mut sort = 0;
    while sort < SIGNS.len() {
        let (signs, class) = SIGNS[sort];
        let mut sign = 0;
        while sign < signs.len() {
            classes[signs[sign] as usize] = class;
            sign += 1;
        }
        sort += 1;
    }
    // Spread over the letters' classes, so that the words of other scripts differ too.
    let mut byte = 0x80;
    while byte <= 0xFF {
        #[allow(clippy::cast_possible_truncation, reason = "a byte")]
        let class = (byte as u8).wrapping_mul(7) % 26;
        classes[byte] = class;
        byte += 1;
    }
    classes
};

/// The classes that the bytes of each set have.
static FOLLOWING: [u32; SETS.len()] = {
    let mut following = [0; SETS.len()];
    let mut byte = 0;
    while byte < CLASSES.len() {
        let mut set = 0;
        while set < SETS.len() {
            #[allow(clippy::cast_possible_truncation, reason = "a byte")]
            if SETS[set].holds(byte as u8) {
                following[SETS[set] as usize] |= 1 << CLASSES[byte];
            }
            set += 1;
        }
        byte += 1;
    }
    following
};

fn slot(triple: u32) -> usize {
    (triple.wrapping_mul(0x9E37_79B1) >> 21) as usize % SLOTS
}

impl<T: Copy> Literals<T> {
    pub(crate) fn new(literals: impl Iterator<Item = Literal<T>>) -> Self {
        let mut all = Self {
            fourths: vec![0; TRIPLES].into_boxed_slice(),
            twos: vec![0; TWOS / 64].into_boxed_slice(),
            heads: vec![0; SLOTS],
            entries: Vec::with_capacity(1024),
            all: Vec::with_capacity(512),
        };
        literals.for_each(|literal| all.insert(literal));
        all
    }

    fn insert(&mut self, literal: Literal<T>) {
        let number = u16::try_from(self.all.len()).unwrap_or(u16::MAX);
        let class = |at: usize| literal.text.get(at).map(|&byte| 1 << CLASSES[usize::from(byte)]);
        let next = literal.next.map_or(u32::MAX, |set| FOLLOWING[set as usize]);
        let at = |at: usize| class(at).unwrap_or(if at == literal.text.len() { next } else { u32::MAX });
        let head = Head::of(&literal.text, literal.exact);
        let [first, second, third, fourth] = [at(0), at(1), at(2), at(3)];
        self.insert_twos(&literal);
        for triple in triples(first, second, third) {
            self.fourths[triple as usize] |= fourth;
            let slot = slot(triple);
            self.entries.push(Entry { triple, fourth, head, literal: number, next: self.heads[slot] });
            self.heads[slot] = u16::try_from(self.entries.len()).unwrap_or(0);
        }
        self.all.push(literal);
    }

    fn insert_twos(&mut self, literal: &Literal<T>) {
        let forms = |byte: u8| {
            let byte = byte..=byte;
            let other = *byte.start() ^ 0x20;
            let both = !literal.exact && byte.start().is_ascii_alphabetic();
            byte.chain(both.then_some(other))
        };
        let Some(&first) = literal.text.first() else { return };
        for first in forms(first) {
            let row = usize::from(first) << 8;
            match literal.text.get(1) {
                Some(&second) => forms(second).for_each(|second| self.mark_two(row | usize::from(second))),
                None => (0..256).for_each(|second| self.mark_two(row | second)),
            }
        }
    }

    fn mark_two(&mut self, two: usize) {
        self.twos[two / 64] |= 1 << (two % 64);
    }

    /// Calls `found` with meaning, start and end of each literal in `text`, by start.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(T, usize, usize)) {
        crate::work::read(text.len());
        // An array's length is known, so the loop needs no bounds checks.
        let Ok(fourths) = <&[u32; TRIPLES]>::try_from(&*self.fourths) else { return };
        let Ok(twos) = <&[u64; TWOS / 64]>::try_from(&*self.twos) else { return };
        let begins = |first: u8, second: u8| {
            let two = usize::from(first) << 8 | usize::from(second);
            twos[two / 64] >> (two % 64) & 1 == 1
        };
        let class = |byte: &u8| u32::from(CLASSES[usize::from(*byte)]);
        let lead = &text[..text.len().min(GRAM - 1)];
        let mut triple = lead.iter().fold(0, |triple, byte| triple << CLASS_BITS | class(byte));
        for (at, byte) in text[lead.len()..].iter().enumerate() {
            let class = class(byte);
            if fourths[(triple & MASK) as usize] >> class & 1 == 1 && begins(text[at], text[at + 1]) {
                self.compare(text, at, (triple & MASK, 1 << class), &mut found);
            }
            triple = triple << CLASS_BITS | class;
        }
        // The last bytes may be a shorter literal, whatever would follow it.
        for left in (1..GRAM.min(text.len() + 1)).rev() {
            let known = text[text.len() - left..].iter().map(class);
            let lead =
                known.chain([u32::from(OTHER); 2]).take(3).fold(0, |lead, class| lead << CLASS_BITS | class);
            if fourths[lead as usize] != 0 {
                self.compare(text, text.len() - left, (lead, u32::MAX), &mut found);
            }
        }
    }

    #[inline(never)]
    fn compare(
        &self,
        text: &[u8],
        at: usize,
        (triple, fourth): (u32, u32),
        found: &mut impl FnMut(T, usize, usize),
    ) {
        let mut next = self.heads[slot(triple)];
        let here = first_bytes(&text[at..]);
        while let Some(entry) = usize::from(next).checked_sub(1).map(|entry| &self.entries[entry]) {
            next = entry.next;
            if entry.triple != triple || entry.fourth & fourth == 0 || !entry.head.is(here) {
                continue;
            }
            let literal = &self.all[usize::from(entry.literal)];
            let end = at + literal.text.len();
            if text.get(at..end).is_some_and(|here| here.len() <= 8 || literal.is(here)) {
                found(literal.meaning, at, end);
            }
        }
    }
}

/// Each index that three sets of classes make.
fn triples(first: u32, second: u32, third: u32) -> impl Iterator<Item = u32> {
    let members = |set: u32| {
        let less = |set: &u32| Some(set & (set - 1)).filter(|&left| left > 0);
        std::iter::successors(Some(set).filter(|&set| set > 0), less).map(u32::trailing_zeros)
    };
    members(first).flat_map(move |first| {
        members(second).flat_map(move |second| {
            members(third).map(move |third| (first << CLASS_BITS | second) << CLASS_BITS | third)
        })
    })
}

impl<T> Literal<T> {
    fn is(&self, here: &[u8]) -> bool {
        if self.exact { here == &*self.text } else { here.eq_ignore_ascii_case(&self.text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(literals: &[&str], text: &str) -> Vec<(usize, usize, usize)> {
        let literal = |(meaning, text): (usize, &&str)| Literal {
            text: text.as_bytes().to_vec().into(),
            exact: false,
            next: None,
            meaning,
        };
        let all = Literals::new(literals.iter().enumerate().map(literal));
        let mut hits = Vec::new();
        all.find(text.as_bytes(), |literal, start, end| hits.push((literal, start, end)));
        hits
    }

    #[test]
    fn every_literal_is_found_wherever_it_stands() {
        assert_eq!(hits(&["pass", "SK", "://"], "PASS http://x SK"), [(0, 0, 4), (2, 9, 12), (1, 14, 16)]);
        assert_eq!(hits(&["pass", "password"], "xpassword"), [(1, 1, 9), (0, 1, 5)]);
        assert_eq!(hits(&["пароль"], "мой пароль:"), [(0, 7, 19)]);
        assert_eq!(hits(&["abc"], "ab"), []);
        assert_eq!(hits(&["abc", "ab", "a"], "xabc"), [(2, 1, 2), (1, 1, 3), (0, 1, 4)]);
        assert_eq!(hits(&["ab"], "ab"), [(0, 0, 2)]);
    }

    proptest::proptest! {
        #[test]
        fn what_a_plain_search_finds_is_found(text in "[abAB.]{0,40}") {
            let literals = ["ab", "aba", "b.a", "a.bab"];
            let mut found: Vec<_> = hits(&literals, &text).into_iter().map(|hit| (hit.0, hit.1)).collect();
            found.sort_unstable();
            let lower = text.to_ascii_lowercase();
            let mut plain = Vec::new();
            for (index, literal) in literals.iter().enumerate() {
                plain.extend((0..lower.len()).filter(|&at| lower[at..].starts_with(literal)).map(|at| (index, at)));
            }
            plain.sort_unstable();
            proptest::prop_assert_eq!(found, plain);
        }
    }
}
