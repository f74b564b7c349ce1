//! Where a literal may stand: three of its bytes are hashed to a word, the fourth is a bit of it. Letters count
//! whatever their size.

use crate::search::bits;
use crate::shape::Follow;

/// So many places are looked at together.
pub(super) const BLOCK: usize = 64;
/// What is read for a block: behind its last place another three bytes, and as many as are taken at once.
const READ: usize = BLOCK + 4;
/// Sparsely filled, and small enough to stay beside the processor.
const WORD_BITS: u32 = 14;
pub(super) const WORDS: usize = 1 << WORD_BITS;
/// What a capital letter lacks.
pub(super) const SMALL: u32 = u32::from_le_bytes([0x20; 4]);
/// Of many odd numbers the one by which the fewest places of texts share a word with a literal that is not there.
const ODD: u32 = 0x958A_3011;
/// As many literals of one or two bytes that anything may follow.
pub(super) const MOST_SHORTS: usize = 4;

/// The four bytes of all literals that are looked for.
pub(super) struct Grams {
    words: Box<[u32]>,
    /// Literals of one or two bytes that anything may follow: they would fill the words.
    shorts: [Short; MOST_SHORTS],
}

/// The bytes of such a literal, and which bits of the second may be any.
#[derive(Clone, Copy)]
struct Short {
    first: u8,
    second: u8,
    any: u8,
}

impl Grams {
    pub(super) fn new() -> Self {
        // Each byte that is compared has the bit of a small letter, and none of these has.
        let none = Short { first: 0, second: 0, any: 0 };
        Self { words: vec![0; WORDS].into_boxed_slice(), shorts: [none; MOST_SHORTS] }
    }

    /// Takes up one of those that anything may follow.
    pub(super) fn insert_short(&mut self, place: usize, text: &[u8]) {
        let first = text[0] | 0x20;
        let short = match text.get(1) {
            Some(second) => Short { first, second: second | 0x20, any: 0 },
            None => Short { first, second: u8::MAX, any: u8::MAX },
        };
        self.shorts[place] = short;
    }

    /// Takes up the first four bytes of `text`, or what there is and what follows it: which words have them.
    pub(super) fn insert(&mut self, text: &[u8], next: Option<Follow>) -> Vec<usize> {
        let fourth = bytes_at(text, next, 3).fold(0, |all, byte| all | 1 << (byte & 0x1F));
        let bytes = |at: usize| bytes_at(text, next, at).map(move |byte| u32::from(byte) << (8 * at));
        let pairs = bytes(0).flat_map(|first| bytes(1).map(move |second| first | second));
        let threes = pairs.flat_map(|pair| bytes(2).map(move |third| pair | third));
        let words: Vec<usize> = threes.map(|bytes| three(bytes | SMALL)).collect();
        for &word in &words {
            self.words[word] |= fourth;
        }
        words
    }

    /// The first places of `rest` at which such bytes stand, a bit each, and those of the short ones.
    pub(super) fn places(&self, rest: &[u8]) -> (u64, u64) {
        if let Some(block) = rest.first_chunk() {
            return (self.look(block, BLOCK), self.shorts(block));
        }
        let mut last = [0; READ];
        last[..rest.len()].copy_from_slice(rest);
        let inside = if rest.len() < BLOCK { (1 << rest.len()) - 1 } else { u64::MAX };
        (self.look(&last, rest.len()) & inside, self.shorts(&last) & inside)
    }

    /// Hot path: nothing branches, one word is looked up for each place, and all that is needed stays in registers.
    #[inline(never)]
    fn look(&self, block: &[u8; READ], long: usize) -> u64 {
        // An array's length is known, so the loop needs no bounds checks.
        let Ok(words) = <&[u32; WORDS]>::try_from(&*self.words) else { return 0 };
        let mut places = 0;
        for from in (0..long.min(BLOCK).div_ceil(4)).rev() {
            let Some(bytes) = block[4 * from..].first_chunk() else { return 0 };
            let bytes = u64::from_le_bytes(*bytes) | u64::from(SMALL) << 32 | u64::from(SMALL);
            let four = [0, 8, 16, 24].map(|bits| {
                #[allow(clippy::cast_possible_truncation, reason = "the lowest bytes")]
                let word = words[three((bytes >> bits) as u32)];
                u64::from(word >> (bytes >> (bits + 24) & 0x1F) & 1)
            });
            places = places << 4 | (four[3] << 3 | four[2] << 2) | (four[1] << 1 | four[0]);
        }
        places
    }

    /// Hot path: the compiler takes many places at once.
    #[inline(never)]
    fn shorts(&self, block: &[u8; READ]) -> u64 {
        let mut flags = [0; BLOCK];
        for ((flag, &one), &two) in flags.iter_mut().zip(block).zip(&block[1..]) {
            let (one, two) = (one | 0x20, two | 0x20);
            let is = |short: Short| u8::from(one == short.first) & u8::from(two | short.any == short.second);
            *flag = self.shorts.iter().fold(0, |any, &short| any | is(short));
        }
        // Most blocks have none.
        let any = flags.as_chunks().0.iter().fold(0, |any, eight| any | u64::from_ne_bytes(*eight));
        if any == 0 { 0 } else { bits(&flags) }
    }
}

/// Which bytes stand at a place of a literal and what follows it.
fn bytes_at(text: &[u8], next: Option<Follow>, at: usize) -> impl Iterator<Item = u8> {
    let own = text.get(at).copied();
    let next = next.filter(|next| (text.len()..text.len() + next.count).contains(&at));
    (own.unwrap_or(0)..=own.unwrap_or(u8::MAX))
        .filter(move |&byte| next.is_none_or(|next| next.set.has(byte)))
}

/// The word of the lowest three bytes, each with the bit that a capital letter lacks.
pub(super) const fn three(bytes: u32) -> usize {
    ((bytes << 8).wrapping_mul(ODD) >> (u32::BITS - WORD_BITS)) as usize
}

/// The word of four bytes, each with the bit that a capital letter lacks.
pub(super) const fn four(bytes: u32) -> usize {
    (bytes.wrapping_mul(ODD) >> (u32::BITS - WORD_BITS)) as usize
}
