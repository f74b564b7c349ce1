//! Short needles in short haystacks: a searcher would take longer to build than to run.

/// Where `needle` stands in `text`.
pub(crate) fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    crate::work::read(text.len());
    let (&first, rest) = needle.split_first()?;
    memchr::memchr_iter(first, text).find(|at| text[at + 1..].starts_with(rest))
}

/// Whether `needle` stands in `text`.
pub(crate) fn has(text: &[u8], needle: &[u8]) -> bool {
    crate::work::read(text.len());
    let Some((&first, rest)) = needle.split_first() else { return true };
    memchr::memchr_iter(first, text).any(|at| text[at + 1..].starts_with(rest))
}

/// What the bytes of `text` are, all in one: what each is, `table` says.
pub(crate) fn sorts(text: &[u8], table: &[u8; 256]) -> u8 {
    text.iter().fold(0, |seen, &byte| seen | table[usize::from(byte)])
}

/// Words that are looked for together, small or capital: their first two bytes say which may begin at a place.
pub(crate) struct Words<const COUNT: usize> {
    words: [&'static [u8]; COUNT],
    exact: bool,
    /// Which words have a byte in front, and which have it behind that; those of one byte have any.
    first: [u32; 256],
    second: [u32; 256],
    lone: u32,
}

impl<const COUNT: usize> Words<COUNT> {
    /// As many as 32, none of them empty.
    pub(crate) const fn new(words: [&'static [u8]; COUNT]) -> Self {
        Self::set(words, false)
    }

    /// The same, in this letter case only.
    pub(crate) const fn exact(words: [&'static [u8]; COUNT]) -> Self {
        Self::set(words, true)
    }

    const fn set(words: [&'static [u8]; COUNT], exact: bool) -> Self {
        assert!(COUNT <= 32, "each word has a bit");
        let mut set = Self { words, exact, first: [0; 256], second: [0; 256], lone: 0 };
        let mut at = 0;
        while at < COUNT {
            let (word, bit) = (words[at], 1 << at);
            mark(&mut set.first, word[0], bit, exact);
            if word.len() > 1 {
                mark(&mut set.second, word[1], bit, exact);
            } else {
                set.lone |= bit;
            }
            at += 1;
        }
        let mut byte = 0;
        while byte < 256 {
            set.second[byte] |= set.lone;
            byte += 1;
        }
        set
    }

    /// Whether one of them stands anywhere in `text`.
    pub(crate) fn within(&self, text: &[u8]) -> bool {
        crate::work::read(text.len());
        let Some(last) = text.last() else { return false };
        let here = |(at, two): (usize, &[u8])| {
            let may = self.first[usize::from(two[0])] & self.second[usize::from(two[1])];
            may != 0 && self.is_at(may, &text[at..])
        };
        text.windows(2).enumerate().any(here) || self.first[usize::from(*last)] & self.lone != 0
    }

    /// Whether `text` begins with one of them.
    pub(crate) fn begin(&self, text: &[u8]) -> bool {
        match text {
            [] => false,
            [only] => self.first[usize::from(*only)] & self.lone != 0,
            [one, two, ..] => {
                let may = self.first[usize::from(*one)] & self.second[usize::from(*two)];
                may != 0 && self.is_at(may, text)
            }
        }
    }

    /// Whether one of those that may begin here does.
    fn is_at(&self, mut may: u32, rest: &[u8]) -> bool {
        while may != 0 {
            let word = self.words[may.trailing_zeros() as usize];
            let same = |here: &[u8]| if self.exact { here == word } else { here.eq_ignore_ascii_case(word) };
            if rest.get(..word.len()).is_some_and(same) {
                return true;
            }
            may &= may - 1;
        }
        false
    }
}

const fn mark(table: &mut [u32; 256], byte: u8, bit: u32, exact: bool) {
    table[byte as usize] |= bit;
    if !exact {
        table[byte.to_ascii_lowercase() as usize] |= bit;
        table[byte.to_ascii_uppercase() as usize] |= bit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static ANY: Words<4> = Words::new([b"user", b"@", b"://", "парол".as_bytes()]);
    static EXACT: Words<2> = Words::exact([b"os.", b"C"]);

    #[test]
    fn words_are_found_wherever_they_stand() {
        for text in ["the USER", "a@", "@", "x://y", "Мой парол", "useruse"] {
            assert!(ANY.within(text.as_bytes()), "{text}");
        }
        for text in ["", "u", "use", "usr :/ /", "the use"] {
            assert!(!ANY.within(text.as_bytes()), "{text}");
        }
        assert!(ANY.begin(b"User1") && ANY.begin(b"@") && !ANY.begin(b"a@") && !ANY.begin(b"use"));
        assert!(EXACT.begin(b"os.x") && EXACT.begin(b"C") && !EXACT.begin(b"OS.x") && !EXACT.begin(b"c"));
    }
}
