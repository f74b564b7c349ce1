//! Where a literal may stand: three of its bytes are hashed to a word, the fourth is a bit of it. Letters count
//! whatever their size.

use crate::search::bits;
use crate::shape::Follow;

/// So many places are looked at together.
pub(super) const GROUP: usize = 128;
/// Places of a group; as many as a byte can number, so that none has to be checked.
pub(super) type Places = [u8; 256];
/// So many numbers have a bit for each.
const BLOCKS: usize = GROUP / 64;
/// What is read for them: behind the last place another three bytes, and as many as are taken at once.
const READ: usize = GROUP + 4;
/// Sparsely filled, and small enough to stay beside the processor.
const WORD_BITS: u32 = 14;
pub(super) const WORDS: usize = 1 << WORD_BITS;
/// What a capital letter lacks.
pub(super) const SMALL: u32 = u32::from_le_bytes([0x20; 4]);
/// Of many odd numbers the one by which the fewest places of texts share a word with a literal that is not there.
const ODD: u32 = 0x958A_3011;
/// As many literals of one or two bytes that anything may follow.
pub(super) const MOST_SHORTS: usize = 2;

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

    /// The places of the first bytes of `rest` at which such bytes stand, in their order, and as bits those of the
    /// short ones.
    pub(super) fn places<'a>(&self, rest: &[u8], found: &'a mut Places) -> (&'a [u8], [u64; BLOCKS]) {
        if let Some(group) = rest.first_chunk() {
            let count = self.look(group, GROUP, found);
            return (&found[..count], self.shorts(group));
        }
        let mut last = [0; READ];
        last[..rest.len()].copy_from_slice(rest);
        let count = self.look(&last, rest.len(), found);
        let inside = found[..count].partition_point(|&place| usize::from(place) < rest.len());
        (&found[..inside], self.shorts(&last))
    }

    /// Hot path: nothing branches, one word is looked up for each place, and a place that is none is written over by
    /// the next.
    #[inline(never)]
    #[allow(clippy::cast_possible_truncation, reason = "the lowest bytes, and places of a group")]
    fn look(&self, group: &[u8; READ], long: usize, found: &mut Places) -> usize {
        // The lengths of arrays are known, so the loop needs no bounds checks.
        let Ok(words) = <&[u32; WORDS]>::try_from(&*self.words) else { return 0 };
        let mut count = 0_u8;
        for from in (0..long.min(GROUP)).step_by(4) {
            let Some(bytes) = group[from..].first_chunk() else { return 0 };
            let bytes = u64::from_le_bytes(*bytes) | u64::from(SMALL) << 32 | u64::from(SMALL);
            for place in 0..4 {
                let bits = 8 * place;
                let word = words[three((bytes >> bits) as u32)];
                found[usize::from(count)] = (from + place) as u8;
                count += (word >> (bytes >> (bits + 24) & 0x1F) & 1) as u8;
            }
        }
        usize::from(count)
    }

    /// Hot path: the compiler takes many places at once.
    #[inline(never)]
    fn shorts(&self, group: &[u8; READ]) -> [u64; BLOCKS] {
        let mut flags = [0; GROUP];
        for ((flag, &one), &two) in flags.iter_mut().zip(group).zip(&group[1..]) {
            let (one, two) = (one | 0x20, two | 0x20);
            let is = |short: Short| u8::from(one == short.first) & u8::from(two | short.any == short.second);
            *flag = self.shorts.iter().fold(0, |any, &short| any | is(short));
        }
        // Most groups have none.
        let any = flags.as_chunks().0.iter().fold(0, |any, eight| any | u64::from_ne_bytes(*eight));
        let blocks = flags.as_chunks().0;
        if any == 0 { [0; BLOCKS] } else { std::array::from_fn(|at| bits(&blocks[at])) }
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
