//! What most candidates fail at: whether the bytes at a place, exactly, are how a literal begins.

/// Bits of each table: sparsely filled, and small enough to stay beside the processor.
const BITS: u32 = 12;
const LONG_BITS: u32 = 14;
const WORDS: usize = 1 << (BITS - 6);
const LONG_WORDS: usize = 1 << (LONG_BITS - 6);
/// What a capital letter lacks.
const SMALL: u8 = 0x20;

/// By hash of the first bytes, letters whatever their size (and a few signs too): which literals there are. How many
/// bytes count depends on how long a literal is; each table has a few, and most of its bits are none.
pub(super) struct Filter {
    /// One or two bytes.
    twos: [u64; WORDS],
    threes: [u64; WORDS],
    /// Four or five.
    fours: [u64; WORDS],
    sixes: [u64; LONG_WORDS],
}

impl Filter {
    pub(super) fn new() -> Box<Self> {
        Box::new(Self { twos: [0; WORDS], threes: [0; WORDS], fours: [0; WORDS], sixes: [0; LONG_WORDS] })
    }

    pub(super) fn insert(&mut self, text: &[u8]) {
        let mut first = [0; 8];
        let long = text.len().min(8);
        first[..long].copy_from_slice(&text[..long]);
        match text.len() {
            0 => {}
            1 => (0..=u8::MAX).for_each(|next| set(&mut self.twos, short(two([text[0], next, 0, 0, 0, 0, 0, 0])))),
            2 => set(&mut self.twos, short(two(first))),
            3 => set(&mut self.threes, short(three(first))),
            4 | 5 => set(&mut self.fours, short(four(first))),
            _ => set(&mut self.sixes, long_place(six(first))),
        }
    }

    /// Whether a literal may begin with these bytes. Hot path: no branch, four looks.
    pub(super) fn may_begin(&self, first: [u8; 8]) -> bool {
        let found = look(&self.twos, short(two(first)))
            | look(&self.threes, short(three(first)))
            | look(&self.fours, short(four(first)))
            | look(&self.sixes, long_place(six(first)));
        found & 1 != 0
    }
}

fn small(first: [u8; 8]) -> u64 {
    u64::from_le_bytes(first) | u64::from_le_bytes([SMALL; 8])
}

fn two(first: [u8; 8]) -> u64 {
    small(first) & 0xFFFF
}

fn three(first: [u8; 8]) -> u64 {
    small(first) & 0xFF_FFFF
}

fn four(first: [u8; 8]) -> u64 {
    small(first) & 0xFFFF_FFFF
}

fn six(first: [u8; 8]) -> u64 {
    small(first) & 0xFFFF_FFFF_FFFF
}

fn mixed(bytes: u64) -> u64 {
    bytes.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[allow(clippy::cast_possible_truncation, reason = "few bits")]
fn short(bytes: u64) -> usize {
    (mixed(bytes) >> (u64::BITS - BITS)) as usize
}

#[allow(clippy::cast_possible_truncation, reason = "few bits")]
fn long_place(bytes: u64) -> usize {
    (mixed(bytes) >> (u64::BITS - LONG_BITS)) as usize
}

fn set<const COUNT: usize>(bits: &mut [u64; COUNT], place: usize) {
    bits[place / 64 % COUNT] |= 1 << (place % 64);
}

/// The bit is the lowest of what is returned.
fn look<const COUNT: usize>(bits: &[u64; COUNT], place: usize) -> u64 {
    bits[place / 64 % COUNT] >> (place % 64)
}
