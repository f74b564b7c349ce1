//! All literals of all engines in one pass, without an automaton to build.
//!
//! Bytes fall into 32 classes (letters without case, digits, a few sorts of signs): three bytes are an index
//! into a table of 2^15 words, the fourth is a bit of the word. Where the bit is set, the first bytes themselves are
//! looked up (classes hold several signs, and many words begin alike); only then literals are compared, eight bytes at
//! once, and only those that begin with the same bytes. Ready in microseconds, where an Aho-Corasick automaton of as
//! many literals takes milliseconds, and twice as fast as its tables.
//!
//! - L1  each byte is looked at once; a literal is compared only where its first bytes, up to six, stand
//! - L2  a literal of fewer than four bytes is found whatever follows it, at the end of the text too

use std::borrow::Cow;

mod classes;
mod filter;
mod head;

use self::classes::{BITS, CLASS_BITS, FOLLOWING, class, triples};
use self::filter::{CHAINS, Filter, STEMS};
use self::head::{Head, first_bytes};
use crate::shape::Follow;

/// Bytes that say whether a literal may begin: three of an index, and one of a bit.
const GRAM: usize = 4;
const TRIPLES: usize = 1 << (3 * CLASS_BITS);
const MASK: u32 = (1 << (3 * CLASS_BITS)) - 1;
/// Places that are found before they are looked at.
const MOST_PLACES: usize = 32;

/// A literal to look for.
pub(crate) struct Literal<T> {
    pub(crate) text: Cow<'static, [u8]>,
    /// In this letter case only.
    pub(crate) exact: bool,
    /// What may follow it, if that is known.
    pub(crate) next: Option<Follow>,
    pub(crate) meaning: T,
}

/// A set of literals, each with what it means.
pub(crate) struct Literals<T> {
    /// By three classes: which fourth class a literal has.
    fourths: Box<[u32]>,
    /// Of those places, which begin like a literal byte by byte. Signs and digits share their classes.
    filter: Box<Filter>,
    /// By hash of how they begin: the first of the literals that do, plus one.
    chains: Box<[u16]>,
    entries: Vec<Entry>,
    all: Vec<Literal<T>>,
}

struct Entry {
    head: Head,
    /// The next literal of the chain, plus one: one that was inserted before.
    next: u16,
}

fn number(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

impl<T: Copy> Literals<T> {
    pub(crate) fn new(literals: impl Iterator<Item = Literal<T>>) -> Self {
        let mut all = Self {
            fourths: vec![0; TRIPLES].into_boxed_slice(),
            filter: Filter::new(),
            chains: vec![0; CHAINS].into_boxed_slice(),
            entries: Vec::with_capacity(2048),
            all: Vec::with_capacity(2048),
        };
        literals.for_each(|literal| all.insert(literal));
        all
    }

    fn insert(&mut self, literal: Literal<T>) {
        let class = |at: usize| literal.text.get(at).map(|&byte| BITS[usize::from(byte)]);
        let next = literal.next.map_or(u32::MAX, |next| FOLLOWING[next.set as usize]);
        let at = |at: usize| class(at).unwrap_or(if at == literal.text.len() { next } else { u32::MAX });
        let [first, second, third, fourth] = [at(0), at(1), at(2), at(3)];
        for triple in triples(first, second, third) {
            self.fourths[triple as usize] |= fourth;
        }
        if let Some(chain) = self.filter.insert(&literal.text) {
            let head = Head::of(&literal.text, literal.exact);
            let own = number(self.entries.len() + 1);
            let next = std::mem::replace(&mut self.chains[chain], own);
            self.entries.push(Entry { head, next });
            self.all.push(literal);
        }
    }

    /// Calls `found` with meaning, start and end of each literal in `text`, by start.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(T, usize, usize)) {
        crate::work::read(text.len());
        let (mut from, mut places, mut stems) = (0, [0; MOST_PLACES], [0; MOST_PLACES]);
        while from + GRAM <= text.len() {
            let (count, read) = self.candidates(text, from, &mut places);
            let count = self.sift(text, &mut places, &mut stems, count);
            for (&at, &stems) in places[..count].iter().zip(&stems) {
                self.compare(text, at, stems, &mut found);
            }
            from = read;
        }
        // The last bytes may be a shorter literal, whatever would follow it.
        for left in (1..GRAM.min(text.len() + 1)).rev() {
            let at = text.len() - left;
            let stems = self.filter.stems(first_bytes(&text[at..]));
            self.compare(text, at, stems, &mut found);
        }
    }

    /// Places from `from` on where a literal may begin: how many, and up to where was looked. Hot path: it stands
    /// alone, so that all it needs stays in registers, and looks at four places at once.
    #[inline(never)]
    fn candidates(&self, text: &[u8], from: usize, places: &mut [usize; MOST_PLACES]) -> (usize, usize) {
        // An array's length is known, so the loop needs no bounds checks.
        let Ok(fourths) = <&[u32; TRIPLES]>::try_from(&*self.fourths) else { return (0, text.len()) };
        let hit = |triple: u32, byte: u8| fourths[(triple & MASK) as usize] & BITS[usize::from(byte)];
        let (lead, rest) = text[from..].split_at(GRAM - 1);
        let mut triple = lead.iter().fold(0, |triple, &byte| triple << CLASS_BITS | class(byte));
        let (mut at, mut count) = (from, 0);
        let (fours, last) = rest.as_chunks::<4>();
        for &[a, b, c, d] in fours {
            let second = triple << CLASS_BITS | class(a);
            let third = second << CLASS_BITS | class(b);
            let fourth = third << CLASS_BITS | class(c);
            let hits = [hit(triple, a), hit(second, b), hit(third, c), hit(fourth, d)];
            if hits[0] | hits[1] | hits[2] | hits[3] != 0 {
                for (place, hit) in hits.into_iter().enumerate() {
                    // Nobody can guess which of the four it is, so nothing branches here.
                    places[count] = at + place;
                    count += usize::from(hit != 0);
                }
                if count > MOST_PLACES - 4 {
                    return (count, at + 4);
                }
            }
            triple = fourth << CLASS_BITS | class(d);
            at += 4;
        }
        for &byte in last {
            if hit(triple, byte) != 0 {
                places[count] = at;
                count += 1;
            }
            triple = triple << CLASS_BITS | class(byte);
            at += 1;
        }
        (count, at)
    }

    /// Keeps the places whose bytes may begin a literal, and with which stems: how many. Nobody can guess which, so
    /// nothing branches here.
    fn sift(
        &self,
        text: &[u8],
        places: &mut [usize; MOST_PLACES],
        stems: &mut [u64; MOST_PLACES],
        count: usize,
    ) -> usize {
        let mut kept = 0;
        for at in 0..count.min(MOST_PLACES) {
            let place = places[at];
            places[kept] = place;
            stems[kept] = self.filter.stems(first_bytes(&text[place..]));
            kept += usize::from(stems[kept] != 0);
        }
        kept
    }

    /// The literals at `at` that begin with one of the stems, the last inserted first.
    fn compare(&self, text: &[u8], at: usize, mut stems: u64, found: &mut impl FnMut(T, usize, usize)) {
        let here = first_bytes(&text[at..]);
        let (mut chains, mut count) = ([0; STEMS], 0);
        while stems != 0 {
            chains[count] = self.chains[Filter::chain(here, stems.trailing_zeros() as usize)];
            count += usize::from(chains[count] != 0);
            stems &= stems - 1;
        }
        // Most begin like literals of one length only.
        if count > 1 {
            return self.compare_all(text, at, &mut chains[..count], found);
        }
        let mut next = chains[0];
        while let Some(place) = usize::from(next).checked_sub(1) {
            next = self.compare_one(text, (at, here), place, found);
        }
    }

    fn compare_all(
        &self,
        text: &[u8],
        at: usize,
        chains: &mut [u16],
        found: &mut impl FnMut(T, usize, usize),
    ) {
        let here = first_bytes(&text[at..]);
        while let Some(next) = chains.iter_mut().max_by_key(|next| **next)
            && let Some(place) = usize::from(*next).checked_sub(1)
        {
            *next = self.compare_one(text, (at, here), place, found);
        }
    }

    /// Compares one literal; returns the next of its chain.
    #[inline]
    fn compare_one(
        &self,
        text: &[u8],
        (at, here): (usize, [u8; 8]),
        place: usize,
        found: &mut impl FnMut(T, usize, usize),
    ) -> u16 {
        let entry = &self.entries[place];
        if entry.head.is(here) {
            let literal = &self.all[place];
            let end = at + literal.text.len();
            if text.get(at..end).is_some_and(|here| here.len() <= 8 || literal.is(here))
                && literal.may_end(&text[end..])
            {
                found(literal.meaning, at, end);
            }
        }
        entry.next
    }
}

impl<T> Literal<T> {
    fn is(&self, here: &[u8]) -> bool {
        if self.exact { here == &*self.text } else { here.eq_ignore_ascii_case(&self.text) }
    }

    /// Whether what stands behind it may follow.
    fn may_end(&self, rest: &[u8]) -> bool {
        self.next.is_none_or(|next| next.begins(rest))
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
