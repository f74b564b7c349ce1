//! All literals of all engines in one pass, without an automaton to build.
//!
//! Of each literal the rarest four bytes are looked for: three are hashed to a word of a table, the fourth is a bit of
//! the word. Only where the bit is set literals are compared, eight bytes at once, and only those of the same bytes.
//! Ready in microseconds, where an Aho-Corasick automaton of as many literals takes milliseconds, and three times as
//! fast as its tables.
//!
//! - L1  each place is looked at once; a literal is compared only where its rarest bytes stand
//! - L2  a literal of fewer than four bytes is found whatever follows it, at the end of the text too

use std::borrow::Cow;
use std::cmp::Reverse;

mod grams;
mod head;
mod rarest;

use self::grams::{GROUP, Grams, MOST_SHORTS, SMALL, WORDS, four, three};
use self::head::{Head, first_bytes};
use crate::shape::Follow;

/// So many are found before they are told.
const MOST_HITS: usize = 64;

/// A literal to look for.
pub(crate) struct Literal<T> {
    pub(crate) text: Cow<'static, [u8]>,
    /// In this letter case only.
    pub(crate) exact: bool,
    /// What may follow it, if that is known.
    pub(crate) next: Option<Follow>,
    /// No small letter follows it.
    pub(crate) whole: bool,
    /// Where a page's element is called so, it is none: pages are full of `<code>`.
    pub(crate) element: bool,
    pub(crate) meaning: T,
}

/// A set of literals, each with what it means.
pub(crate) struct Literals<T> {
    grams: Grams,
    /// By hash of the bytes that are looked for, three if it has no four: the first of the literals, plus one.
    chains: Box<[u16]>,
    entries: Vec<Entry>,
    all: Vec<Literal<T>>,
    /// Those of one or two bytes that anything may follow.
    shorts: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    head: Head,
    /// Which of all it is.
    own: u16,
    /// How far its gram stands behind its beginning.
    lead: u8,
    /// The next literal of the chain, plus one.
    next: u16,
}

fn number(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

impl<T: Copy> Literals<T> {
    pub(crate) fn new(literals: impl Iterator<Item = Literal<T>>) -> Self {
        let mut all = Self {
            grams: Grams::new(),
            chains: vec![0; WORDS].into_boxed_slice(),
            entries: Vec::with_capacity(4096),
            all: Vec::with_capacity(2048),
            shorts: Vec::new(),
        };
        literals.for_each(|literal| all.insert(literal));
        all
    }

    fn insert(&mut self, literal: Literal<T>) {
        let text = &*literal.text;
        let lead = rarest::four(text);
        let entry = Entry { head: Head::of(text, literal.exact), own: number(self.all.len()), lead, next: 0 };
        let gram = &text[usize::from(lead)..];
        if literal.next.is_none() && (1..3).contains(&text.len()) && self.shorts.len() < MOST_SHORTS {
            self.grams.insert_short(self.shorts.len(), text);
            self.shorts.push(entry);
        } else {
            let words = self.grams.insert(gram, literal.next);
            match gram.first_chunk::<4>() {
                Some(bytes) => self.join(four(u32::from_le_bytes(*bytes) | SMALL), entry),
                None => words.into_iter().for_each(|word| self.join(word, entry)),
            }
        }
        self.all.push(literal);
    }

    /// Takes a literal into a chain, if it is not its first already: two bytes that may follow can have the same word.
    fn join(&mut self, chain: usize, entry: Entry) {
        let next = self.chains[chain];
        let first = usize::from(next).checked_sub(1).map(|first| self.entries[first].own);
        if first != Some(entry.own) {
            self.entries.push(Entry { next, ..entry });
            self.chains[chain] = number(self.entries.len());
        }
    }

    /// Calls `found` with meaning, start and end of each literal in `text`, by start, the last inserted first.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(T, usize, usize)) {
        crate::work::read(text.len());
        let mut hits = Vec::new();
        let mut space = [0; _];
        for from in (0..text.len()).step_by(GROUP) {
            let (places, shorts) = self.grams.places(&text[from..], &mut space);
            for &place in places {
                self.chain(text, from + usize::from(place), &mut hits);
            }
            for (block, mut shorts) in shorts.into_iter().enumerate() {
                while shorts != 0 {
                    let at = from + 64 * block + shorts.trailing_zeros() as usize;
                    self.shorts.iter().for_each(|short| self.compare(text, at, short, &mut hits));
                    shorts &= shorts - 1;
                }
            }
            // No literal is as long as a group: what is still to be found begins behind this one's first byte.
            if hits.len() > MOST_HITS {
                self.tell(from, &mut hits, &mut found);
            }
        }
        self.tell(usize::MAX, &mut hits, &mut found);
    }

    /// Tells what begins before `end`.
    fn tell(&self, end: usize, hits: &mut Vec<(usize, u16)>, found: &mut impl FnMut(T, usize, usize)) {
        hits.sort_unstable_by_key(|&(start, own)| (start, Reverse(own)));
        let count = hits.partition_point(|&(start, _)| start < end);
        for (start, own) in hits.drain(..count) {
            let literal = &self.all[usize::from(own)];
            found(literal.meaning, start, start + literal.text.len());
        }
    }

    /// Compares the literals whose gram may stand at `at`.
    fn chain(&self, text: &[u8], at: usize, hits: &mut Vec<(usize, u16)>) {
        let [a, b, c, d, ..] = first_bytes(&text[at..]);
        let bytes = u32::from_le_bytes([a, b, c, d]) | SMALL;
        for chain in [three(bytes), four(bytes)] {
            let mut next = self.chains[chain];
            while let Some(place) = usize::from(next).checked_sub(1) {
                let entry = &self.entries[place];
                self.compare(text, at, entry, hits);
                next = entry.next;
            }
        }
    }

    /// Hot path: most fail at their first bytes.
    #[inline]
    fn compare(&self, text: &[u8], at: usize, entry: &Entry, hits: &mut Vec<(usize, u16)>) {
        if let Some(start) = at.checked_sub(usize::from(entry.lead))
            && entry.head.is(first_bytes(&text[start..]))
        {
            self.take(text, start, entry.own, hits);
        }
    }

    /// Takes the literal at `start`, whose first bytes stand there, if the others do.
    #[inline(never)]
    fn take(&self, text: &[u8], start: usize, own: u16, hits: &mut Vec<(usize, u16)>) {
        let literal = &self.all[usize::from(own)];
        let end = start + literal.text.len();
        if text.get(start..end).is_some_and(|here| here.len() <= 8 || literal.is(here))
            && literal.may_end(&text[end..])
            && !(literal.element && is_element(text, start, end))
        {
            // Most texts with one have more.
            if hits.capacity() == 0 {
                hits.reserve(MOST_HITS);
            }
            hits.push((start, own));
        }
    }
}

/// `<code>`, `</code>`.
fn is_element(text: &[u8], start: usize, end: usize) -> bool {
    text.get(end) == Some(&b'>') && matches!(&text[..start], [.., b'<'] | [.., b'<', b'/'])
}

impl<T> Literal<T> {
    fn is(&self, here: &[u8]) -> bool {
        if self.exact { here == &*self.text } else { here.eq_ignore_ascii_case(&self.text) }
    }

    /// Whether what stands behind it may follow.
    fn may_end(&self, rest: &[u8]) -> bool {
        self.next.is_none_or(|next| next.begins(rest))
            && !(self.whole && rest.first().is_some_and(u8::is_ascii_lowercase))
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
            whole: false,
            element: false,
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
        fn what_a_plain_search_finds_is_found(text in "[abAB.]{0,400}") {
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
