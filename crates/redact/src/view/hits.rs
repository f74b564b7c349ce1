//! Where the literals of the one pass stand: what has none inside is worth no second reading.

/// A bit for each 64 bytes of a text.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    words: Vec<u64>,
}

impl Hits {
    pub(crate) const BLOCK: usize = 64;

    /// Hot path: once for each literal.
    pub(crate) fn mark(&mut self, at: usize) {
        let (word, bit) = (at / Self::BLOCK / 64, at / Self::BLOCK % 64);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
    }

    /// Where the next block begins that has one, or `from` in its middle.
    pub(crate) fn next(&self, from: usize) -> Option<usize> {
        let block = from / Self::BLOCK;
        let first = self.words.get(block / 64)? & u64::MAX << (block % 64);
        let rest = self.words.iter().enumerate().skip(block / 64 + 1).map(|(word, bits)| (word, *bits));
        let (word, bits) = std::iter::once((block / 64, first)).chain(rest).find(|(_, bits)| *bits != 0)?;
        Some(from.max((word * 64 + bits.trailing_zeros() as usize) * Self::BLOCK))
    }

    /// Whether a literal may begin in the range.
    pub(crate) fn any(&self, from: usize, to: usize) -> bool {
        let (first, last) = (from / Self::BLOCK, to / Self::BLOCK);
        let range = |word: usize| {
            let low = if word == first / 64 { u64::MAX << (first % 64) } else { u64::MAX };
            let high = if word == last / 64 { u64::MAX >> (63 - last % 64) } else { u64::MAX };
            low & high
        };
        (first / 64..=last / 64).any(|word| self.words.get(word).is_some_and(|bits| bits & range(word) != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::Hits;

    #[test]
    fn a_range_has_what_was_marked_in_it() {
        let mut hits = Hits::default();
        assert!(!hits.any(0, 100_000));
        for at in [130, 9000] {
            hits.mark(at);
        }
        for (from, to, any) in [
            (0, 127, false),
            (0, 128, true),
            (191, 200, true),
            (192, 8959, false),
            (192, 8960, true),
            (9024, 90_000, false),
        ] {
            assert_eq!(hits.any(from, to), any, "{from}..{to}");
        }
        for (from, next) in
            [(0, Some(128)), (130, Some(130)), (192, Some(8960)), (9024, None), (90_000, None)]
        {
            assert_eq!(hits.next(from), next, "{from}");
        }
    }
}
