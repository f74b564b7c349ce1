//! Long runs of letters, digits and the few signs of base64, in which keys, digests and encoded texts stand.
//!
//! - N1  runs are found 64 bytes at a time, without a look at most of the shorter ones
//! - N2  a run of small letters and signs alone is none: words, paths and rules of dashes are most of the long ones

use crate::search::sorts;

/// Shorter runs are words.
pub(crate) const SHORTEST: usize = 24;
/// A run has two parts of so many bytes side by side, wherever it begins.
const PART: usize = SHORTEST / 3;
const PARTS: usize = 8;
/// So many bytes are looked at together.
const BLOCK: usize = PARTS * PART;

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
    let (mut past, mut before) = (0, 0);
    for from in (0..text.len()).step_by(BLOCK) {
        let here = parts(&text[from..]);
        let mut two = here & (here << 1 | before);
        before = here >> (PARTS - 1);
        while two != 0 {
            let at = from + two.trailing_zeros() as usize * PART;
            two &= two - 1;
            if at >= past {
                past = around(text, past, at, &mut found);
            }
        }
    }
}

/// The run around `at` that begins behind `past`; returns where it ends.
fn around(text: &[u8], past: usize, at: usize, found: &mut impl FnMut(usize, usize)) -> usize {
    let within = |byte: &&u8| SORTS[usize::from(**byte)] != NO_RUN;
    let start = at - text[past..at].iter().rev().take_while(within).count();
    let (end, seen) = run(text, at);
    if end - start >= SHORTEST && (seen | sorts(&text[start..at], &SORTS)) & TELLING != 0 {
        found(start, end);
    }
    end
}

/// Which parts of the first block have bytes of a run alone, a bit each. Hot path: nothing branches, and nothing is
/// looked up, so that the compiler takes many bytes at once.
fn parts(rest: &[u8]) -> u32 {
    let block = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        last
    });
    let mut flags = [0_u8; BLOCK];
    for (flag, byte) in flags.iter_mut().zip(block) {
        let letter = u8::from((byte | 0x20).wrapping_sub(b'a') < 26);
        // A slash stands before the digits.
        let digit = u8::from(byte.wrapping_sub(b'/') < 11);
        let sign = [b'+', b'-', b'_'].map(|sign| u8::from(byte == sign));
        *flag = letter | digit | sign[0] | sign[1] | sign[2];
    }
    let all = |part: &[u8; PART]| u32::from(*part == [1; PART]);
    flags.as_chunks().0.iter().rev().fold(0, |parts, part| parts << 1 | all(part))
}

/// Where the run goes on to from `start`, and what its bytes are, all in one.
fn run(text: &[u8], start: usize) -> (usize, u8) {
    let (mut end, mut seen) = (start, 0);
    for step in text[start..].as_chunks::<16>().0 {
        let sorts = sorts(step, &SORTS);
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
