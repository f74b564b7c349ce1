//! All literals of all engines in one pass, without an automaton to build.
//!
//! Bytes fall into 32 classes (letters without case, digits, a few sorts of signs): three bytes are an index
//! into a table of 2^15 words, the fourth is a bit of the word. Where the bit is set, the first bytes themselves are
//! looked up (classes hold several signs, and many words begin alike); only then literals are compared, eight bytes at once. Ready in
//! microseconds, where an Aho-Corasick automaton of as many literals takes milliseconds, and twice as fast as its
//! tables.
//!
//! - L1  each byte is looked at once; a literal is compared only where four classes in a row are its own
//! - L2  a literal of fewer than four bytes is found whatever follows it, at the end of the text too

use std::borrow::Cow;

mod classes;
mod filter;
mod head;

use self::classes::{BITS, CLASS_BITS, FOLLOWING, OTHER, class, triples};
use self::filter::Filter;
use self::head::{Head, first_bytes};
use crate::shape::Set;

/// Bytes that say whether a literal may begin: three of an index, and one of a bit.
const GRAM: usize = 4;
const TRIPLES: usize = 1 << (3 * CLASS_BITS);
const MASK: u32 = (1 << (3 * CLASS_BITS)) - 1;
/// Slots of the table that leads from three classes to literals; a power of two, sparsely filled.
const SLOTS: usize = 2048;

/// Places that are found before they are looked at.
const MOST_PLACES: usize = 32;

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
    /// Of those places, which begin like a literal byte by byte. Signs and digits share their classes.
    filter: Box<Filter>,
    /// By hash of the first three classes: the first of its groups, plus one.
    heads: Vec<u16>,
    groups: Vec<Group>,
    entries: Vec<Entry>,
    all: Vec<Literal<T>>,
}

/// The literals that begin with three classes.
struct Group {
    triple: u32,
    /// Which classes they have then: most candidates fail there.
    fifth: u32,
    sixth: u32,
    /// The first of its entries, plus one.
    first: u16,
    /// The next group with the same slot, plus one.
    next: u16,
}

struct Entry {
    head: Head,
    /// Which fourth classes it has.
    fourth: u32,
    literal: u16,
    /// The next entry of the group, plus one.
    next: u16,
}

fn number(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

fn slot(triple: u32) -> usize {
    (triple.wrapping_mul(0x9E37_79B1) >> 21) as usize % SLOTS
}

impl<T: Copy> Literals<T> {
    pub(crate) fn new(literals: impl Iterator<Item = Literal<T>>) -> Self {
        let mut all = Self {
            fourths: vec![0; TRIPLES].into_boxed_slice(),
            filter: Filter::new(),
            heads: vec![0; SLOTS],
            groups: Vec::with_capacity(1024),
            entries: Vec::with_capacity(2048),
            all: Vec::with_capacity(1024),
        };
        literals.for_each(|literal| all.insert(literal));
        all
    }

    fn insert(&mut self, literal: Literal<T>) {
        let own = number(self.all.len());
        let class = |at: usize| literal.text.get(at).map(|&byte| BITS[usize::from(byte)]);
        let next = literal.next.map_or(u32::MAX, |set| FOLLOWING[set as usize]);
        let at = |at: usize| class(at).unwrap_or(if at == literal.text.len() { next } else { u32::MAX });
        let head = Head::of(&literal.text, literal.exact);
        let [first, second, third, fourth, fifth, sixth] = [at(0), at(1), at(2), at(3), at(4), at(5)];
        self.filter.insert(&literal.text);
        for triple in triples(first, second, third) {
            self.fourths[triple as usize] |= fourth;
            let entries = number(self.entries.len() + 1);
            let group = self.group_of(triple);
            group.fifth |= fifth;
            group.sixth |= sixth;
            let next = std::mem::replace(&mut group.first, entries);
            self.entries.push(Entry { head, fourth, literal: own, next });
        }
        self.all.push(literal);
    }

    /// The group of a triple, made if there is none yet.
    fn group_of(&mut self, triple: u32) -> &mut Group {
        let slot = slot(triple);
        let place = self.place(triple).unwrap_or_else(|| {
            self.groups.push(Group { triple, fifth: 0, sixth: 0, first: 0, next: self.heads[slot] });
            self.heads[slot] = number(self.groups.len());
            self.groups.len() - 1
        });
        &mut self.groups[place]
    }

    fn place(&self, triple: u32) -> Option<usize> {
        let mut group = self.heads[slot(triple)];
        while let Some(place) = usize::from(group).checked_sub(1) {
            if self.groups[place].triple == triple {
                return Some(place);
            }
            group = self.groups[place].next;
        }
        None
    }

    /// Calls `found` with meaning, start and end of each literal in `text`, by start.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(T, usize, usize)) {
        crate::work::read(text.len());
        let (mut from, mut places) = (0, [0; MOST_PLACES]);
        while from + GRAM <= text.len() {
            let (count, read) = self.candidates(text, from, &mut places);
            let count = self.sift(text, &mut places, count);
            for &at in &places[..count] {
                let [lead @ .., last] = [0, 1, 2, 3].map(|place| class(text[at + place]));
                let triple = lead.iter().fold(0, |triple, &class| triple << CLASS_BITS | class);
                self.compare(text, at, (triple, 1 << last), &mut found);
            }
            from = read;
        }
        // The last bytes may be a shorter literal, whatever would follow it.
        for left in (1..GRAM.min(text.len() + 1)).rev() {
            let known = text[text.len() - left..].iter().map(|&byte| class(byte));
            let lead =
                known.chain([u32::from(OTHER); 2]).take(3).fold(0, |lead, class| lead << CLASS_BITS | class);
            if self.fourths[lead as usize] != 0 {
                self.compare(text, text.len() - left, (lead, u32::MAX), &mut found);
            }
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

    /// Keeps the places whose bytes may begin a literal: how many. Nobody can guess which, so nothing branches here.
    fn sift(&self, text: &[u8], places: &mut [usize; MOST_PLACES], count: usize) -> usize {
        let mut kept = 0;
        for at in 0..count.min(MOST_PLACES) {
            let place = places[at];
            places[kept] = place;
            // At the very end of a text each is compared.
            let first = text[place..].first_chunk();
            kept += first.map_or(1, |first| usize::from(self.filter.may_begin(*first)));
        }
        kept
    }

    fn compare(
        &self,
        text: &[u8],
        at: usize,
        (triple, fourth): (u32, u32),
        found: &mut impl FnMut(T, usize, usize),
    ) {
        let Some(group) = self.place(triple).map(|place| &self.groups[place]) else { return };
        let may = |classes: u32, at: usize| text.get(at).is_none_or(|&byte| classes >> class(byte) & 1 == 1);
        if !may(group.fifth, at + 4) || !may(group.sixth, at + 5) {
            return;
        }
        let here = first_bytes(&text[at..]);
        let mut next = group.first;
        while let Some(entry) = usize::from(next).checked_sub(1).map(|entry| &self.entries[entry]) {
            next = entry.next;
            if entry.fourth & fourth == 0 || !entry.head.is(here) {
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
