//! All literals of all engines in one pass, without an automaton to build.
//!
//! Bytes fall into 64 classes (letters without case, digits, the signs that literals use, the rest), so
//! three bytes are an exact index into a bitmap of 2^18 bits, which stays in the first cache. A bit that
//! is set leads to the few literals that begin so, and they are compared. Ready in microseconds, where an
//! Aho-Corasick automaton of as many literals takes milliseconds, and faster than its tables.

const CLASS_BITS: u32 = 6;
const OTHER: u8 = 63;
const BITS: usize = 1 << (3 * CLASS_BITS);
const MASK: u32 = (1 << (3 * CLASS_BITS)) - 1;
/// Slots of the table that leads from three bytes to literals; a power of two, sparsely filled.
const SLOTS: usize = 2048;

/// Signs that literals use, each a class of its own.
const SIGNS: &[u8] = b"_-.:/=~$@+ {[%&!#\"|,;";

/// A set of literals, each with what it means.
pub(crate) struct Literals<T> {
    classes: [u8; 256],
    bitmap: Vec<u64>,
    /// By hash of the first three classes: where its literals begin in `entries`.
    heads: Vec<u16>,
    entries: Vec<Entry<T>>,
}

struct Entry<T> {
    text: Vec<u8>,
    meaning: T,
    /// The next entry with the same slot, plus one.
    next: u16,
}

fn classes() -> [u8; 256] {
    let mut classes = [OTHER; 256];
    for letter in 0..26 {
        classes[usize::from(b'a' + letter)] = letter;
        classes[usize::from(b'A' + letter)] = letter;
    }
    for digit in 0..10 {
        classes[usize::from(b'0' + digit)] = 26 + digit;
    }
    for (&sign, class) in SIGNS.iter().zip(36..) {
        classes[usize::from(sign)] = class;
    }
    classes
}

fn slot(index: u32) -> usize {
    (index.wrapping_mul(0x9E37_79B1) >> 21) as usize % SLOTS
}

impl<T: Copy> Literals<T> {
    pub(crate) fn new(literals: impl Iterator<Item = (Vec<u8>, T)>) -> Self {
        let mut all = Self {
            classes: classes(),
            bitmap: vec![0; BITS / 64],
            heads: vec![0; SLOTS],
            entries: Vec::with_capacity(512),
        };
        literals.for_each(|(text, meaning)| all.insert(&text, meaning));
        all
    }

    fn insert(&mut self, text: &[u8], meaning: T) {
        let class = |at: usize| text.get(at).map(|&byte| u32::from(self.classes[usize::from(byte)]));
        let (Some(first), Some(second)) = (class(0), class(1)) else { return };
        let lead = first << (2 * CLASS_BITS) | second << CLASS_BITS;
        // A literal of two bytes may be followed by anything.
        let thirds = class(2).map_or(0..1 << CLASS_BITS, |third| third..third + 1);
        for third in thirds {
            let index = lead | third;
            self.bitmap[index as usize / 64] |= 1 << (index % 64);
        }
        let slot = slot(lead | class(2).unwrap_or(0));
        let slots: Vec<usize> = class(2).map_or_else(
            || (0..1 << CLASS_BITS).map(|third| self::slot(lead | third)).collect(),
            |_| vec![slot],
        );
        for slot in slots {
            self.entries.push(Entry { text: text.to_vec(), meaning, next: self.heads[slot] });
            self.heads[slot] = u16::try_from(self.entries.len()).unwrap_or(0);
        }
    }

    /// Calls `found` with meaning, start and end of each literal in `text`, by start; letter case is ignored.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(T, usize, usize)) {
        let mut index = 0_u32;
        let last = [&text[text.len().saturating_sub(2)..], &[0, 0]].concat();
        for (at, &byte) in text.iter().enumerate() {
            index = (index << CLASS_BITS | u32::from(self.classes[usize::from(byte)])) & MASK;
            if self.bitmap[index as usize / 64] >> (index % 64) & 1 == 1 && at >= 2 {
                self.compare(text, at - 2, index, &mut found);
            }
        }
        // The last byte but one may begin a literal of two.
        if text.len() >= 2 {
            let tail = last[..3]
                .iter()
                .fold(0, |index, &byte| index << CLASS_BITS | u32::from(self.classes[usize::from(byte)]))
                & MASK;
            self.compare(text, text.len() - 2, tail, &mut found);
        }
    }

    fn compare(&self, text: &[u8], at: usize, index: u32, found: &mut impl FnMut(T, usize, usize)) {
        let mut next = self.heads[slot(index)];
        while let Some(entry) = usize::from(next).checked_sub(1).map(|entry| &self.entries[entry]) {
            let end = at + entry.text.len();
            if text.get(at..end).is_some_and(|here| here.eq_ignore_ascii_case(&entry.text)) {
                found(entry.meaning, at, end);
            }
            next = entry.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(literals: &[&str], text: &str) -> Vec<(usize, usize, usize)> {
        let all =
            Literals::new(literals.iter().enumerate().map(|(index, text)| (text.as_bytes().to_vec(), index)));
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
    }

    proptest::proptest! {
        #[test]
        fn what_a_plain_search_finds_is_found(text in "[abAB.]{0,40}") {
            let mut found: Vec<_> = hits(&["ab", "aba", "b.a"], &text).into_iter().map(|hit| (hit.0, hit.1)).collect();
            found.sort_unstable();
            let lower = text.to_ascii_lowercase();
            let mut plain = Vec::new();
            for (index, literal) in ["ab", "aba", "b.a"].iter().enumerate() {
                plain.extend((0..lower.len()).filter(|&at| lower[at..].starts_with(literal)).map(|at| (index, at)));
            }
            plain.sort_unstable();
            proptest::prop_assert_eq!(found, plain);
        }
    }
}
