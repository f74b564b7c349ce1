//! Short needles in short haystacks: a searcher would take longer to build than to run.

/// Whether a byte is one of a pattern: one look into a table. Hot path: comparing it with one after the other has the
/// processor guess at each.
macro_rules! is_one {
    ($byte:expr, $($of:pat_param)|+) => {{
        const TABLE: [bool; 256] = {
            let (mut table, mut byte) = ([false; 256], 0_u8);
            loop {
                table[byte as usize] = matches!(byte, $($of)|+);
                if byte == u8::MAX {
                    break table;
                }
                byte += 1;
            }
        };
        TABLE[usize::from($byte)]
    }};
}
pub(crate) use is_one;

/// Where `needle` stands in `text`.
pub(crate) fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    crate::work::read(text.len());
    let (&first, rest) = needle.split_first()?;
    memchr::memchr_iter(first, text).find(|at| text[at + 1..].starts_with(rest))
}

/// What is typed without blanks: signs, digits, and letters of Latin, Greek and Cyrillic. The quotes and stops of other
/// languages begin otherwise, and end a word that was read from its first byte.
pub(crate) fn is_typed(byte: u8) -> bool {
    byte.is_ascii_graphic() || matches!(byte, 0xC3..=0xC9 | 0xCD..=0xD4 | 0x80..=0xBF)
}

/// Whether `needle` stands in `text`.
pub(crate) fn has(text: &[u8], needle: &[u8]) -> bool {
    crate::work::read(text.len());
    let Some((&first, rest)) = needle.split_first() else { return true };
    memchr::memchr_iter(first, text).any(|at| text[at + 1..].starts_with(rest))
}

/// Where `needle` stands in `text`, again and again; none overlaps the one before.
pub(crate) fn find_all(text: &[u8], needle: &[u8]) -> impl Iterator<Item = usize> {
    crate::work::read(text.len());
    let mut past = 0;
    memchr::memchr_iter(needle[0], text).filter(move |&at| {
        let found = at >= past && text[at..].starts_with(needle);
        if found {
            past = at + needle.len();
        }
        found
    })
}

/// Where `part` stands in `text`, of which it is a part.
pub(crate) fn offset(text: &[u8], part: &[u8]) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// What stands before `at` within `reach` bytes, of which a run without a blank counts no more than the shortest mark: where
/// secrets are marked, nothing comes nearer than it was, and redacting twice changes nothing.
pub(crate) fn before(text: &[u8], at: usize, reach: usize) -> &[u8] {
    let window = &text[at.saturating_sub(reach + LONGEST_RUN)..at];
    let far = within(window, reach, true);
    crate::work::read(far);
    &window[window.len() - far..]
}

/// The same behind `from`.
pub(crate) fn behind(text: &[u8], from: usize, reach: usize) -> &[u8] {
    let rest = text.get(from..).unwrap_or_default();
    let window = &rest[..within(&rest[..rest.len().min(reach + LONGEST_RUN)], reach, false)];
    crate::work::read(window.len());
    window
}

/// The same, from the end of the line above where that is near.
pub(crate) fn line_before(text: &[u8], at: usize, reach: usize) -> &[u8] {
    // Hot path: most lines are short.
    let near = &text[at.saturating_sub(reach)..at];
    let line = memchr::memrchr(b'\n', near).map_or_else(|| before(text, at, reach), |end| &near[end..]);
    crate::work::read(line.len());
    &line[memchr::memrchr(b'\n', line).unwrap_or(0)..]
}

/// The same behind `from`, to the end of the line where that is near.
pub(crate) fn line_behind(text: &[u8], from: usize, reach: usize) -> &[u8] {
    // Hot path: most lines are short.
    let rest = text.get(from..).unwrap_or_default();
    let near = &rest[..rest.len().min(reach)];
    let line = memchr::memchr(b'\n', near).map_or_else(|| behind(text, from, reach), |end| &near[..=end]);
    crate::work::read(line.len());
    &line[..memchr::memchr(b'\n', line).map_or(line.len(), |end| end + 1)]
}

/// Where the line below begins, if this one ends within `reach`.
pub(crate) fn next_line(text: &[u8], from: usize, reach: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let rest = &rest[..rest.len().min(reach + LONGEST_RUN)];
    crate::work::read(rest.len().min(reach));
    // Hot path: most lines are short, and no line of a text without any ends.
    let end = memchr::memchr(b'\n', rest)?;
    (end < reach || end < behind(text, from, reach).len()).then_some(from + end + 1)
}

/// By how much a window may grow.
const LONGEST_RUN: usize = 512;

/// How many bytes of a window are within `reach`, from its beginning or from its end. Hot path where lines are long: 64
/// bytes are counted together.
fn within(window: &[u8], reach: usize, from_end: bool) -> usize {
    const SHORTEST_MARK: usize = "[REDACTED:otp]".len();
    let (mut count, mut far, mut before) = (0, 0, 0);
    while count < window.len() {
        let most = (window.len() - count).min(64);
        let mut flags = [0; 64];
        let block = if from_end { &window[window.len() - count - most..] } else { &window[count..] };
        for (flag, byte) in flags.iter_mut().zip(&block[..most]) {
            *flag = u8::from(!byte.is_ascii_whitespace());
        }
        let words = bits(&flags);
        let words = if from_end { words.reverse_bits() >> (64 - most) } else { words };
        // Fifteen in a row, of which the first fourteen may stand before.
        let run = u128::from(words) << SHORTEST_MARK | before;
        let run = run & run << 1;
        let run = run & run << 2;
        let run = run & run << 4;
        let long = (run & run << 7) >> SHORTEST_MARK;
        let near = most - long.count_ones() as usize;
        if far + near > reach {
            let last = (0..most).find(|at| {
                far += usize::from(long >> at & 1 == 0);
                far > reach
            });
            return count + last.unwrap_or(most);
        }
        (count, far) = (count + most, far + near);
        before = u128::from(words >> (64 - SHORTEST_MARK));
    }
    count
}

/// What stands from `from` on its line, but no more than so many bytes; nothing behind the end of the text.
pub(crate) fn line(text: &[u8], from: usize, most: usize) -> &[u8] {
    let window = text.get(from..text.len().min(from + most)).unwrap_or_default();
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    crate::work::read(line.len());
    line
}

/// The line that `text` ends in.
pub(crate) fn last_line(text: &[u8]) -> &[u8] {
    memchr::memrchr(b'\n', text).map_or(text, |at| &text[at + 1..])
}

/// What the bytes of `text` are, all in one: what each is, `table` says.
pub(crate) fn sorts(text: &[u8], table: &[u8; 256]) -> u8 {
    text.iter().fold(0, |seen, &byte| seen | table[usize::from(byte)])
}

/// The lowest bit of each byte, the first byte's lowest.
pub(crate) fn bits(flags: &[u8; 64]) -> u64 {
    let eights = flags.as_chunks::<8>().0.iter().rev();
    // The lowest bits of eight bytes, side by side in the highest byte.
    let bits = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.fold(0, |all, eight| all << 8 | bits(eight))
}

/// Words that are looked for together, small or capital: their first two bytes say which may begin at a place.
pub(crate) struct Words<const COUNT: usize> {
    all: [&'static [u8]; COUNT],
    exact: bool,
    /// Which words have a byte in front, and which have it behind that; those of one byte have any.
    first: [u32; 256],
    second: [u32; 256],
    lone: u32,
    longest: usize,
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
        let mut set = Self { all: words, exact, first: [0; 256], second: [0; 256], lone: 0, longest: 0 };
        let mut at = 0;
        while at < COUNT {
            let (word, bit) = (words[at], 1 << at);
            if word.len() > set.longest {
                set.longest = word.len();
            }
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

    pub(crate) fn words(&self) -> impl Iterator<Item = &'static [u8]> {
        self.all.iter().copied()
    }

    /// How long the longest of those is that `text` begins with.
    pub(crate) fn longest(&self, text: &[u8]) -> Option<usize> {
        let (one, two) = (text.first()?, text.get(1)?);
        let may = self.first[usize::from(*one)] & self.second[usize::from(*two)];
        let here = self.those_at(may, text);
        self.all.iter().enumerate().filter(|(at, _)| here >> at & 1 != 0).map(|(_, word)| word.len()).max()
    }

    /// The word of that number.
    pub(crate) fn word(&self, at: usize) -> &'static [u8] {
        self.all[at]
    }

    /// Whether one of them stands anywhere in `text`.
    pub(crate) fn within(&self, text: &[u8]) -> bool {
        crate::work::read(text.len());
        let Some((last, firsts)) = text.split_last() else { return false };
        let mut twos = firsts.iter().zip(&text[1..]).enumerate();
        twos.any(|(at, two)| self.may_begin(two) && self.begin(&text[at..]))
            || self.first[usize::from(*last)] & self.lone != 0
    }

    /// Which of them stand in `text`, a bit each.
    pub(crate) fn which(&self, text: &[u8]) -> u32 {
        crate::work::read(text.len());
        let Some((last, firsts)) = text.split_last() else { return 0 };
        let mut found = self.first[usize::from(*last)] & self.lone;
        for (at, two) in firsts.iter().zip(&text[1..]).enumerate() {
            // What was found is not looked for again.
            let may = self.first[usize::from(*two.0)] & self.second[usize::from(*two.1)] & !found;
            if may != 0 {
                found |= self.those_at(may, &text[at..]);
            }
        }
        found
    }

    fn those_at(&self, mut may: u32, rest: &[u8]) -> u32 {
        let mut found = 0;
        while may != 0 {
            let bit = may & may.wrapping_neg();
            if self.is_at(bit, rest) {
                found |= bit;
            }
            may &= may - 1;
        }
        found
    }

    fn may_begin(&self, (one, two): (&u8, &u8)) -> bool {
        self.first[usize::from(*one)] & self.second[usize::from(*two)] != 0
    }

    /// Where the last of them stands in `text`.
    fn last(&self, text: &[u8]) -> Option<usize> {
        crate::work::read(text.len());
        let twos = text.iter().zip(text.get(1..)?).enumerate();
        let begin = |(at, two): (usize, _)| (self.may_begin(two) && self.begin(&text[at..])).then_some(at);
        let lone = text.last().filter(|last| self.first[usize::from(**last)] & self.lone != 0);
        lone.map(|_| text.len() - 1).or_else(|| twos.rev().find_map(begin))
    }

    /// Whether `text` is one of them.
    pub(crate) fn equals(&self, text: &[u8]) -> bool {
        self.begin(text) && self.all.iter().any(|word| self.same(word, text))
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

    fn same(&self, word: &[u8], here: &[u8]) -> bool {
        if self.exact { here == word } else { here.eq_ignore_ascii_case(word) }
    }

    /// Whether one of those that may begin here does.
    fn is_at(&self, mut may: u32, rest: &[u8]) -> bool {
        while may != 0 {
            let word = self.all[may.trailing_zeros() as usize];
            if rest.get(..word.len()).is_some_and(|here| self.same(word, here)) {
                return true;
            }
            may &= may - 1;
        }
        false
    }
}

/// Which words stood a little before: each byte is looked at once, as long as the places that are asked about grow.
#[derive(Debug, Default)]
pub(crate) struct Lately {
    read: usize,
    last: Option<usize>,
}

impl Lately {
    /// Whether one of `words`, always the same, stands in `text` between `from` and `to`.
    pub(crate) fn stands<const COUNT: usize>(
        &mut self,
        words: &Words<COUNT>,
        text: &[u8],
        from: usize,
        to: usize,
    ) -> bool {
        if to < self.read {
            return words.within(&text[from..to]);
        }
        let fresh = from.max((self.read + 1).saturating_sub(words.longest));
        self.last = words.last(&text[fresh..to]).map(|at| fresh + at).or(self.last);
        self.read = to;
        self.last.is_some_and(|last| last >= from)
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
    fn what_stood_lately_is_what_stands_there() {
        let text = b"a user and @, then nothing for a while, and USER, us, er, and a :// b";
        let mut lately = Lately::default();
        for to in (0..text.len()).chain([20, 9, 60]) {
            for reach in [3, 9] {
                let from = to.saturating_sub(reach);
                let expected = ANY.within(&text[from..to]);
                assert_eq!(Lately::default().stands(&ANY, text, from, to), expected);
                assert!(reach != 9 || lately.stands(&ANY, text, from, to) == expected, "{from} {to}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn a_run_counts_no_more_than_a_mark(words in proptest::collection::vec("[a-z]{0,90}", 0..12), reach in 0_usize..300) {
            let text = words.join(" ");
            let plainly = |bytes: &mut dyn Iterator<Item = u8>| {
                let (mut run, mut far) = (0, 0);
                bytes
                    .take_while(|byte| {
                        run = if *byte == b' ' { 0 } else { run + 1 };
                        far += usize::from(run <= 14);
                        far <= reach
                    })
                    .count()
            };
            proptest::prop_assert_eq!(within(text.as_bytes(), reach, false), plainly(&mut text.bytes()));
            proptest::prop_assert_eq!(within(text.as_bytes(), reach, true), plainly(&mut text.bytes().rev()));
        }
    }

    #[test]
    fn which_of_them_stand_there() {
        for text in ["", "u", "@", "a USER", "x://y@z", "Мой парол", "useruse", "a: //b", "user@"] {
            let plain: u32 = ANY
                .all
                .iter()
                .enumerate()
                .filter(|(_, word)| has(text.to_ascii_lowercase().as_bytes(), word))
                .map(|(at, _)| 1 << at)
                .sum();
            assert_eq!(ANY.which(text.as_bytes()), plain, "{text}");
        }
    }

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
