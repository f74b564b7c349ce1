//! All literals of all engines in one pass, without an automaton to build.
//!
//! Bytes fall into 32 classes (letters without case, digits, a few sorts of signs), so four bytes are an
//! index into a bitmap of 2^20 bits, of which a text uses the few lines that its language does. A bit that
//! is set leads to the literals that begin so, and they are compared. Ready in microseconds, where an
//! Aho-Corasick automaton of as many literals takes milliseconds, and faster than its tables.
//!
//! - L1  each byte is looked at once; a literal is compared only where four classes in a row are its own
//! - L2  a literal of fewer than four bytes is found whatever follows it, at the end of the text too

const CLASS_BITS: u32 = 5;
const CLASSES: u32 = 1 << CLASS_BITS;
/// Bytes of an index.
const GRAM: usize = 4;
const BITS: usize = 1 << (GRAM as u32 * CLASS_BITS);
const MASK: u32 = (1 << (GRAM as u32 * CLASS_BITS)) - 1;
/// Slots of the table that leads from three classes to literals; a power of two, sparsely filled.
const SLOTS: usize = 2048;

const DIGIT: u8 = 26;
const OTHER: u8 = 31;
/// Sorts of signs that literals use.
const SIGNS: [(&[u8], u8); 4] = [(b"_-", 27), (b":/.", 28), (b"$~+@=", 29), (b" ", 30)];

/// A literal to look for.
pub(crate) struct Literal<T> {
    pub(crate) text: Vec<u8>,
    /// In this letter case only.
    pub(crate) exact: bool,
    pub(crate) meaning: T,
}

/// A set of literals, each with what it means.
pub(crate) struct Literals<T> {
    classes: [u8; 256],
    bitmap: Vec<u64>,
    /// By hash of the first three classes: where its literals begin in `entries`.
    heads: Vec<u16>,
    entries: Vec<Entry>,
    literals: Vec<Literal<T>>,
}

struct Entry {
    literal: u16,
    /// The next entry with the same slot, plus one.
    next: u16,
}

fn classes() -> [u8; 256] {
    let mut classes = [OTHER; 256];
    for letter in 0..26 {
        classes[usize::from(b'a' + letter)] = letter;
        classes[usize::from(b'A' + letter)] = letter;
    }
    classes[usize::from(b'0')..=usize::from(b'9')].fill(DIGIT);
    for (signs, class) in SIGNS {
        signs.iter().for_each(|&sign| classes[usize::from(sign)] = class);
    }
    // Spread over the letters' classes, so that the words of other scripts differ too.
    for byte in 0x80..=0xFF_u8 {
        classes[usize::from(byte)] = byte.wrapping_mul(7) % 26;
    }
    classes
}

fn slot(index: u32) -> usize {
    ((index >> CLASS_BITS).wrapping_mul(0x9E37_79B1) >> 21) as usize % SLOTS
}

impl<T: Copy> Literals<T> {
    pub(crate) fn new(literals: impl Iterator<Item = Literal<T>>) -> Self {
        let mut all = Self {
            classes: classes(),
            bitmap: vec![0; BITS / 64],
            heads: vec![0; SLOTS],
            entries: Vec::with_capacity(1024),
            literals: Vec::with_capacity(512),
        };
        literals.for_each(|literal| all.insert(literal));
        all
    }

    fn insert(&mut self, literal: Literal<T>) {
        let number = u16::try_from(self.literals.len()).unwrap_or(u16::MAX);
        let known: Vec<u32> =
            literal.text.iter().take(GRAM).map(|&byte| u32::from(self.classes[usize::from(byte)])).collect();
        let free = u32::try_from(GRAM - known.len()).unwrap_or(0) * CLASS_BITS;
        let lead = known.iter().fold(0, |index, class| index << CLASS_BITS | class) << free;
        let mut last = None;
        for index in lead..lead + (1 << free) {
            self.bitmap[index as usize / 64] |= 1 << (index % 64);
            let slot = slot(index);
            if last.replace(index / CLASSES) != Some(index / CLASSES) {
                self.entries.push(Entry { literal: number, next: self.heads[slot] });
                self.heads[slot] = u16::try_from(self.entries.len()).unwrap_or(0);
            }
        }
        self.literals.push(literal);
    }

    /// Calls `found` with meaning, start and end of each literal in `text`, by start.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(T, usize, usize)) {
        let mut index = 0_u32;
        for (at, &byte) in text.iter().enumerate() {
            index = index << CLASS_BITS | u32::from(self.classes[usize::from(byte)]);
            if self.is_set(index) && at + 1 >= GRAM {
                self.compare(text, at + 1 - GRAM, index & MASK, &mut found);
            }
        }
        // The last bytes may be a shorter literal.
        let short = text.len().min(GRAM - 1);
        index <<= CLASS_BITS * (GRAM - 1 - short) as u32;
        for left in (1..=short).rev() {
            index = index << CLASS_BITS | u32::from(OTHER);
            if self.is_set(index) {
                self.compare(text, text.len() - left, index & MASK, &mut found);
            }
        }
    }

    #[inline]
    fn is_set(&self, index: u32) -> bool {
        let index = index & MASK;
        self.bitmap[index as usize / 64] >> (index % 64) & 1 == 1
    }

    fn compare(&self, text: &[u8], at: usize, index: u32, found: &mut impl FnMut(T, usize, usize)) {
        let mut next = self.heads[slot(index)];
        while let Some(entry) = usize::from(next).checked_sub(1).map(|entry| &self.entries[entry]) {
            let literal = &self.literals[usize::from(entry.literal)];
            let end = at + literal.text.len();
            if text.get(at..end).is_some_and(|here| literal.is(here)) {
                found(literal.meaning, at, end);
            }
            next = entry.next;
        }
    }
}

impl<T> Literal<T> {
    fn is(&self, here: &[u8]) -> bool {
        if self.exact { here == self.text } else { here.eq_ignore_ascii_case(&self.text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(literals: &[&str], text: &str) -> Vec<(usize, usize, usize)> {
        let literal = |(meaning, text): (usize, &&str)| Literal {
            text: text.as_bytes().to_vec(),
            exact: false,
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
