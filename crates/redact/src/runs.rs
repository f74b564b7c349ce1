//! Long runs of letters, digits and the few signs of base64, in which keys, digests and encoded texts stand.
//!
//! - N1  runs are found 64 bytes at a time, without a look at most of the shorter ones
//! - N2  a run of small letters and signs alone is none: words, paths and rules of dashes are most of the long ones

/// Shorter runs are words.
pub(crate) const SHORTEST: usize = 24;
/// A run has two parts of so many bytes side by side, wherever it begins.
const PART: usize = SHORTEST / 3;
const PARTS: usize = 8;
/// So many bytes are looked at together.
const BLOCK: usize = PARTS * PART;

/// The bytes of runs.
static RUN: [bool; 256] = {
    let mut run = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        run[byte as usize] = is_of_run(byte) != 0;
        byte += 1;
    }
    run
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

/// The run around the parts before and behind `at`, of which no byte stands before `past`; returns where it ends.
fn around(text: &[u8], past: usize, at: usize, found: &mut impl FnMut(usize, usize)) -> usize {
    let first = at - PART;
    let start = first - text[past..first].iter().rev().take_while(|&&byte| RUN[usize::from(byte)]).count();
    let end = end(text, at + PART);
    let tells = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    if end - start >= SHORTEST && text[start..end].iter().any(tells) {
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
    let all = |part: &[u8; PART]| u32::from(*part == [1; PART]);
    block.map(is_of_run).as_chunks().0.iter().rev().fold(0, |parts, part| parts << 1 | all(part))
}

/// 1 for letters, digits and the signs of base64. Without branches, so that the compiler takes many at once.
const fn is_of_run(byte: u8) -> u8 {
    let letter = ((byte | 0x20).wrapping_sub(b'a') < 26) as u8;
    // A slash stands before the digits.
    let digit = (byte.wrapping_sub(b'/') < 11) as u8;
    letter | digit | (byte == b'+') as u8 | (byte == b'-') as u8 | (byte == b'_') as u8
}

/// Where the run goes on to from `start`.
fn end(text: &[u8], start: usize) -> usize {
    let all = |step: &&[u8; 16]| step.iter().fold(1, |all, &byte| all & is_of_run(byte)) == 1;
    let whole = text[start..].as_chunks::<16>().0.iter().take_while(all).count();
    let from = start + whole * 16;
    from + text[from..].iter().take_while(|&&byte| RUN[usize::from(byte)]).count()
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
