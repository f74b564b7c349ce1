//! V3: runs of base64 or hex that decode to printable text.
//!
//! - D1  runs are found 64 bytes at a time; each is looked at where three samples, eight bytes apart, fall into it

use crate::decode;

const SHORTEST_RUN: usize = 24;

/// What bytes of a run are; no encoding of 17 characters in a row has small letters alone.
const LETTER: u8 = 1;
const TELLING: u8 = 2;
const NO_RUN: u8 = 4;

const RUN_BYTES: [u8; 256] = {
    let mut table = [NO_RUN; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_uppercase() || byte.is_ascii_digit() {
            table[byte as usize] = TELLING;
        } else if byte.is_ascii_lowercase() || matches!(byte, b'+' | b'/' | b'-' | b'_') {
            table[byte as usize] = LETTER;
        }
        byte += 1;
    }
    table
};

fn is_run_byte(byte: u8) -> bool {
    RUN_BYTES[usize::from(byte)] != NO_RUN
}

/// What stands between three samples, with the first of them.
const BETWEEN: usize = 2 * EIGHTH;
const EIGHTH: usize = 8;

/// Whether what stands between three samples of a run is not just a long word.
fn is_telling(between: &[u8]) -> bool {
    crate::search::sorts(between, &RUN_BYTES) & TELLING != 0
}

/// So many bytes are looked at together.
const BLOCK: usize = 64;

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

/// Finds the runs of more than [`BETWEEN`] bytes.
struct Rows<'a> {
    text: &'a [u8],
    /// Which bytes of the block at `from` have so many of a run behind them; the first bit is [`BETWEEN`] bytes before.
    begins: u128,
    from: usize,
    /// The last bits of the block before.
    before: u128,
}

impl Rows<'_> {
    /// Where a run begins or goes on, at or behind `past`: the end of the one before.
    fn next(&mut self, past: usize) -> Option<usize> {
        if past >= self.from + BLOCK {
            (self.from, self.begins, self.before) = (past, 0, 0);
            self.look();
        } else {
            self.begins &= u128::MAX << (past + BETWEEN).saturating_sub(self.from);
        }
        while self.begins == 0 {
            self.from += BLOCK;
            if self.from >= self.text.len() {
                return None;
            }
            self.look();
        }
        Some(self.from + self.begins.trailing_zeros() as usize - BETWEEN)
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
        let all = u128::from(bits) << BETWEEN | self.before;
        let two = all & all >> 1;
        let four = two & two >> 2;
        let eight = four & four >> 4;
        self.begins = eight & eight >> 8 & all >> BETWEEN;
        self.before = u128::from(bits >> (BLOCK - BETWEEN));
    }
}

/// Where the run that goes on at `at` ends.
fn run_end(text: &[u8], at: usize) -> usize {
    const STEP: usize = 16;
    let (steps, _) = text[at..].as_chunks::<STEP>();
    let whole =
        steps.iter().take_while(|step| crate::search::sorts(&step[..], &RUN_BYTES) & NO_RUN == 0).count();
    let from = at + whole * STEP;
    from + text[from..].iter().take_while(|&&byte| is_run_byte(byte)).count()
}

/// V3: each run that decodes to printable text, with its range. Every run of 24 holds three of each eighth bytes in a
/// row, and what lies between them.
pub(crate) fn decoded(text: &[u8], mut found: impl FnMut(usize, usize, String)) {
    if text.len() < SHORTEST_RUN {
        return;
    }
    let (mut from, mut floor, mut past) = (EIGHTH - 1, 0, 0);
    let mut rows = Rows { text, begins: 0, from: 0, before: 0 };
    rows.look();
    while let Some(row) = rows.next(past) {
        let end = run_end(text, row + BETWEEN);
        past = end;
        from += row.saturating_sub(from).next_multiple_of(EIGHTH);
        while from + BETWEEN < end && !is_telling(&text[from..from + BETWEEN]) {
            from += EIGHTH;
        }
        if from + BETWEEN >= end {
            continue;
        }
        let at = from + BETWEEN;
        let start = at - text[floor..at].iter().rev().take_while(|&&byte| is_run_byte(byte)).count();
        if end - start >= SHORTEST_RUN {
            let padded = end + text[end..].iter().take(2).take_while(|&&byte| byte == b'=').count();
            if let Some(plain) = printable(&text[start..end]) {
                found(start, padded, plain);
            }
        }
        floor = end;
        from = end + EIGHTH;
    }
}

/// Whether the first bytes are those of a text: those of most digests are not.
fn begins_printable_hex(run: &[u8]) -> bool {
    decode::hex(&run[..8]).is_some_and(|bytes| bytes.iter().all(|&byte| decode::is_printable(byte)))
}

fn printable(run: &[u8]) -> Option<String> {
    let plain = if decode::begins_printable(run) {
        let whole = if run.len() % 4 == 1 { &run[..run.len() - 1] } else { run };
        decode::base64(whole)
    } else if run.len() >= 32 && run.iter().take(32).all(u8::is_ascii_hexdigit) && begins_printable_hex(run) {
        decode::hex(run).filter(|bytes| bytes.iter().all(|&byte| decode::is_printable(byte)))
    } else {
        None
    }?;
    let text = String::from_utf8(plain).ok()?;
    let clear = |text: &str| text.chars().all(|sign| !sign.is_control() || sign.is_ascii_whitespace());
    (text.bytes().all(decode::is_printable) || clear(&text)).then_some(text)
}
