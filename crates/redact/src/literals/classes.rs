//! The 32 classes of bytes, and the indices that three of them make.

use crate::shape::SETS;

pub(super) const CLASS_BITS: u32 = 5;

const DIGIT: u8 = 26;
pub(super) const OTHER: u8 = 31;
/// Sorts of signs that literals use.
const SIGNS: [(&[u8], u8); 4] = [(b"_-", 27), (b":/.", 28), (b"@", 29), (b" ", 30)];

/// The class of each byte.
static CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut letter = 0;
    while letter < 26 {
        classes[(b'a' + letter) as usize] = letter;
        classes[(b'A' + letter) as usize] = letter;
        letter += 1;
    }
    let mut digit = b'0';
    while digit <= b'9' {
        classes[digit as usize] = DIGIT;
        digit += 1;
    }
    let mut sort = 0;
    while sort < SIGNS.len() {
        let (signs, class) = SIGNS[sort];
        let mut sign = 0;
        while sign < signs.len() {
            classes[signs[sign] as usize] = class;
            sign += 1;
        }
        sort += 1;
    }
    // Spread over the letters' classes, so that the words of other scripts differ too.
    let mut byte = 0x80;
    while byte <= 0xFF {
        #[allow(clippy::cast_possible_truncation, reason = "a byte")]
        let class = (byte as u8).wrapping_mul(7) % 26;
        classes[byte] = class;
        byte += 1;
    }
    classes
};

/// The classes that the bytes of each set have.
pub(super) static FOLLOWING: [u32; SETS.len()] = {
    let mut following = [0; SETS.len()];
    let mut byte = 0;
    while byte < CLASSES.len() {
        let mut set = 0;
        while set < SETS.len() {
            #[allow(clippy::cast_possible_truncation, reason = "a byte")]
            if SETS[set].holds(byte as u8) {
                following[SETS[set] as usize] |= 1 << CLASSES[byte];
            }
            set += 1;
        }
        byte += 1;
    }
    following
};

/// The class of each byte, as a bit.
pub(super) static BITS: [u32; 256] = {
    let mut bits = [0; 256];
    let mut byte = 0;
    while byte < bits.len() {
        bits[byte] = 1 << CLASSES[byte];
        byte += 1;
    }
    bits
};

pub(super) fn class(byte: u8) -> u32 {
    u32::from(CLASSES[usize::from(byte)])
}

/// Each index that three sets of classes make.
pub(super) fn triples(first: u32, second: u32, third: u32) -> impl Iterator<Item = u32> {
    members(first).flat_map(move |first| {
        members(second).flat_map(move |second| {
            members(third).map(move |third| (first << CLASS_BITS | second) << CLASS_BITS | third)
        })
    })
}

fn members(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let class = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(class)
    })
}
