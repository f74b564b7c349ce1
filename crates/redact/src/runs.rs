//! Long runs of letters, digits and the few signs of base64, in which keys, digests and encoded texts stand.
//!
//! - N1  runs are found 64 bytes at a time, without a look at a shorter one
//! - N2  a run of small letters and signs alone is none: words, paths and rules of dashes are most of the long ones

/// Shorter runs are words.
pub(crate) const SHORTEST: usize = 24;
/// What a run has behind the byte that it begins with, at least.
const BEHIND: usize = SHORTEST - 1;
/// So many bytes are looked at together.
const BLOCK: usize = 64;

/// What bytes of a run are.
const SMALL: u8 = 1;
const TELLING: u8 = 2;
const NO_RUN: u8 = 4;

const SORTS: [u8; 256] = {
    let mut table = [NO_RUN; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_uppercase() || byte.is_ascii_digit() {
            table[byte as usize] = TELLING;
        } else if byte.is_ascii_lowercase() || matches!(byte, b'+' | b'/' | b'-' | b'_') {
            table[byte as usize] = SMALL;
        }
        byte += 1;
    }
    table
};

/// Calls `found` with where each run begins and ends. Hot path.
pub(crate) fn each(text: &[u8], mut found: impl FnMut(usize, usize)) {
    if text.len() < SHORTEST {
        return;
    }
    let mut rows = Rows { text, begins: 0, from: 0, before: 0 };
    rows.look();
    let mut past = 0;
    while let Some(start) = rows.next(past) {
        let (end, sorts) = run(text, start);
        if sorts & TELLING != 0 {
            found(start, end);
        }
        past = end;
    }
}

/// Where the run that begins at `start` ends, and what its bytes are, all in one.
fn run(text: &[u8], start: usize) -> (usize, u8) {
    let (mut end, mut seen) = (start, 0);
    for step in text[start..].as_chunks::<16>().0 {
        let sorts = crate::search::sorts(step, &SORTS);
        if sorts & NO_RUN != 0 {
            break;
        }
        (end, seen) = (end + step.len(), seen | sorts);
    }
    for &byte in text[end..].iter().take_while(|&&byte| SORTS[usize::from(byte)] != NO_RUN) {
        (end, seen) = (end + 1, seen | SORTS[usize::from(byte)]);
    }
    (end, seen)
}

/// Which of the bytes are those of a run, a bit each. Hot path: nothing branches, and nothing is looked up, so that the
/// compiler takes many at once.
fn run_bits(block: &[u8; BLOCK]) -> u64 {
    let mut flags = [0_u8; BLOCK];
    for (flag, &byte) in flags.iter_mut().zip(block) {
        let letter = u8::from((byte | 0x20).wrapping_sub(b'a') < 26);
        // A slash stands before the digits.
        let digit = u8::from(byte.wrapping_sub(b'/') < 11);
        let sign = [b'+', b'-', b'_'].map(|sign| u8::from(byte == sign));
        *flag = letter | digit | sign[0] | sign[1] | sign[2];
    }
    let eights = flags.as_chunks::<8>().0.iter().rev();
    // The lowest bits of eight bytes, side by side in the highest byte.
    let bits = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.fold(0, |all, eight| all << 8 | bits(eight))
}

/// Finds the places that begin a run.
struct Rows<'a> {
    text: &'a [u8],
    /// Behind which bytes so many of a run stand, block by block; the first bit is [`BEHIND`] bytes before `from`.
    begins: u128,
    from: usize,
    /// The last bits of the block before.
    before: u128,
}

impl Rows<'_> {
    /// Where a run begins, at or behind `past`: the end of the one before.
    fn next(&mut self, past: usize) -> Option<usize> {
        if past >= self.from + BLOCK {
            (self.from, self.begins, self.before) = (past, 0, 0);
            self.look();
        } else {
            self.begins &= u128::MAX << (past + BEHIND).saturating_sub(self.from);
        }
        while self.begins == 0 {
            self.from += BLOCK;
            if self.from >= self.text.len() {
                return None;
            }
            self.look();
        }
        Some(self.from + self.begins.trailing_zeros() as usize - BEHIND)
    }

    /// Looks at the block at `from`.
    fn look(&mut self) {
        let rest = &self.text[self.from.min(self.text.len())..];
        let block = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut last = [0; BLOCK];
            last[..rest.len()].copy_from_slice(rest);
            last
        });
        let bits = run_bits(&block);
        let all = u128::from(bits) << BEHIND | self.before;
        let two = all & all >> 1;
        let four = two & two >> 2;
        let eight = four & four >> 4;
        self.begins = eight & eight >> 8 & eight >> 16;
        self.before = u128::from(bits >> (BLOCK - BEHIND));
    }
}

#[cfg(test)]
mod tests {
    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        super::each(text.as_bytes(), |start, end| found.push(&text[start..end]));
        found
    }

    #[test]
    fn words_paths_and_rules_are_no_runs() {
        for text in ["", "short0", "a/path/that/goes/on/and/on/through/all", "------------------------------"]
        {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn each_run_is_found_whole(words in proptest::collection::vec("[a-zA-Z0-9+/_-]{0,90}", 0..8)) {
            let text = words.join(" ");
            let telling = |word: &&str| word.bytes().any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
            let long = |word: &&str| word.len() >= super::SHORTEST;
            let all: Vec<&str> = text.split(' ').filter(telling).filter(long).collect();
            proptest::prop_assert_eq!(found(&text), all);
        }
    }
}
