//! Long runs of letters, digits and the few signs of base64, in which keys, digests and encoded texts stand.
//!
//! - N1  runs are found 64 bytes at a time, as bits of a number
//! - N2  a run of small letters and signs alone is none: words, paths and rules of dashes are most of the long ones

use crate::search::bits;

/// Shorter runs are words.
pub(crate) const SHORTEST: usize = 24;
/// So many bytes are looked at together.
const BLOCK: usize = 64;

/// Calls `found` with where each run begins and ends. Hot path.
pub(crate) fn each(text: &[u8], mut found: impl FnMut(usize, usize)) {
    let tells = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let mut run = |start: usize, end: usize| {
        if end - start >= SHORTEST && text[start..end].iter().any(tells) {
            found(start, end);
        }
    };
    // Where a run began that may go on.
    let mut open = None;
    for from in (0..text.len()).step_by(BLOCK) {
        let mut here = within(&text[from..]);
        if let Some(start) = open {
            let more = here.trailing_ones();
            if more == u64::BITS {
                continue;
            }
            run(start, from + more as usize);
            here &= u64::MAX << more;
        }
        let last = here.leading_ones();
        open = (last > 0).then(|| from + BLOCK - last as usize);
        here &= u64::MAX.checked_shr(last).unwrap_or(0);
        while let Some((start, end)) = long(here) {
            run(from + start as usize, from + end as usize);
            here &= u64::MAX << end;
        }
    }
    if let Some(start) = open {
        run(start, text.len());
    }
}

/// The first run of ones that is long enough, if one is; the highest bit is none.
fn long(here: u64) -> Option<(u32, u32)> {
    let two = here & here >> 1;
    let four = two & two >> 2;
    let eight = four & four >> 4;
    let starts = eight & eight >> 8 & eight >> 16;
    let start = starts.trailing_zeros();
    (starts != 0).then(|| (start, start + (here >> start).trailing_ones()))
}

/// Which of the first bytes are letters, digits and the signs of base64, a bit each. Hot path: a whole block is not copied.
fn within(rest: &[u8]) -> u64 {
    if let Some(block) = rest.first_chunk() {
        return of_run(block);
    }
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    of_run(&last)
}

/// Hot path: nothing branches, and nothing is looked up, so that the compiler takes many bytes at once.
fn of_run(block: &[u8; BLOCK]) -> u64 {
    let mut flags = [0_u8; BLOCK];
    for (flag, byte) in flags.iter_mut().zip(block.iter().copied()) {
        let letter = u8::from((byte | 0x20).wrapping_sub(b'a') < 26);
        // A slash stands before the digits.
        let digit = u8::from(byte.wrapping_sub(b'/') < 11);
        let sign = [b'+', b'-', b'_'].map(|sign| u8::from(byte == sign));
        *flag = letter | digit | sign[0] | sign[1] | sign[2];
    }
    bits(&flags)
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
