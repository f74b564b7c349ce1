//! How literals begin, byte by byte: what most candidates fail at, and which literals are compared with the others.

/// Bits of each table: sparsely filled, and small enough to stay beside the processor.
const BITS: u32 = 12;
const LONG_BITS: u32 = 14;
const WORDS: usize = 1 << (BITS - 6);
const LONG_WORDS: usize = 1 << (LONG_BITS - 6);
/// Chains of literals that begin alike.
pub(super) const CHAINS: usize = 1 << LONG_BITS;
/// What a capital letter lacks.
const SMALL: u64 = u64::from_le_bytes([0x20; 8]);
/// How many ways there are to begin.
pub(super) const STEMS: usize = 5;
/// The first bytes that count, by how long a literal is: one, two, three, four (or five), six.
const MASKS: [u64; STEMS] = [0xFF, 0xFFFF, 0xFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF];

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

    /// Takes a literal up: to which chain it belongs.
    pub(super) fn insert(&mut self, text: &[u8]) -> Option<usize> {
        let mut first = [0; 8];
        let long = text.len().min(8);
        first[..long].copy_from_slice(&text[..long]);
        let two = |next: u8| place::<BITS>([first[0], next, 0, 0, 0, 0, 0, 0], MASKS[1]);
        match long {
            0 => return None,
            1 => (0..=u8::MAX).for_each(|next| set(&mut self.twos, two(next))),
            2 => set(&mut self.twos, two(first[1])),
            3 => set(&mut self.threes, place::<BITS>(first, MASKS[2])),
            4 | 5 => set(&mut self.fours, place::<BITS>(first, MASKS[3])),
            _ => set(&mut self.sixes, place::<LONG_BITS>(first, MASKS[4])),
        }
        Some(Self::chain(first, [0, 0, 1, 2, 3, 3, 4, 4, 4][long]))
    }

    /// The stems of these bytes with which literals may begin, a bit each. Hot path: no branch, four looks.
    pub(super) fn stems(&self, first: [u8; 8]) -> u64 {
        let [two, three, four, six] = self.looks(first).map(|look| look & 1);
        two | two << 1 | three << 2 | four << 3 | six << 4
    }

    /// The chain of the literals that begin with a stem of these bytes. Stems of different lengths fall into different
    /// places, mostly.
    pub(super) fn chain(first: [u8; 8], stem: usize) -> usize {
        place::<LONG_BITS>(first, MASKS[stem])
    }

    /// For each table, whether it holds these bytes: the lowest bit.
    fn looks(&self, first: [u8; 8]) -> [u64; 4] {
        [
            look(&self.twos, place::<BITS>(first, MASKS[1])),
            look(&self.threes, place::<BITS>(first, MASKS[2])),
            look(&self.fours, place::<BITS>(first, MASKS[3])),
            look(&self.sixes, place::<LONG_BITS>(first, MASKS[4])),
        ]
    }
}

/// The bytes of a stem, letters whatever their size, mixed.
#[allow(clippy::cast_possible_truncation, reason = "few bits")]
fn place<const BITS: u32>(first: [u8; 8], stem: u64) -> usize {
    let bytes = (u64::from_le_bytes(first) | SMALL) & stem;
    (bytes.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - BITS)) as usize
}

fn set<const COUNT: usize>(bits: &mut [u64; COUNT], place: usize) {
    bits[place / 64 % COUNT] |= 1 << (place % 64);
}

/// The bit is the lowest of what is returned.
fn look<const COUNT: usize>(bits: &[u64; COUNT], place: usize) -> u64 {
    bits[place / 64 % COUNT] >> (place % 64)
}
