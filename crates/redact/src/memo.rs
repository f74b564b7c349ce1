//! Short texts that come again and again (keys of objects, roles, kinds), and what was said of each: a transcript
//! has some dozens of them, thousands of times. Each thread keeps its own, and forgets one for another. It is
//! kept in memory alone: whole texts in which nothing was found, and names with what they say of their values.

/// Longer texts are not remembered.
pub(crate) const LONGEST: usize = 31;
const SLOTS: usize = 2048;

/// A text: its bytes in a form that tells it from each other of its length, and the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    bytes: [u64; 4],
    long: usize,
}

/// What was said of short texts.
pub(crate) struct Memo<T> {
    slots: Vec<Option<(Key, T)>>,
}

impl<T: Copy> Memo<T> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    /// What was said of `text`.
    pub(crate) fn ask(&self, text: &[u8]) -> Option<T> {
        let key = key(text)?;
        let (known, said) = self.slots.get(slot(&key))?.as_ref()?;
        (*known == key).then_some(*said)
    }

    pub(crate) fn tell(&mut self, text: &[u8], said: T) {
        let Some(key) = key(text) else { return };
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        self.slots[slot(&key)] = Some((key, said));
    }
}

/// The first and the last of its bytes, which overlap unless there are 32. Hot path: nothing is copied byte by byte.
fn key(text: &[u8]) -> Option<Key> {
    let long = text.len();
    let bytes = match long {
        0..=3 => [
            [0, 1, 2].iter().fold(0, |all, &at| all << 8 | text.get(at).map_or(0, |&byte| u64::from(byte))),
            0,
            0,
            0,
        ],
        4..=7 => [
            u64::from(u32::from_le_bytes(*text.first_chunk()?)),
            u64::from(u32::from_le_bytes(*text.last_chunk()?)),
            0,
            0,
        ],
        8..=15 => [u64::from_le_bytes(*text.first_chunk()?), u64::from_le_bytes(*text.last_chunk()?), 0, 0],
        16..=LONGEST => [
            u64::from_le_bytes(*text.first_chunk()?),
            u64::from_le_bytes(*text[8..].first_chunk()?),
            u64::from_le_bytes(*text[..long - 8].last_chunk()?),
            u64::from_le_bytes(*text.last_chunk()?),
        ],
        _ => return None,
    };
    Some(Key { bytes, long })
}

fn slot(key: &Key) -> usize {
    const ODD: [u64; 4] =
        [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5];
    // Side by side: none waits for another.
    let mixed = key.bytes.iter().zip(ODD).map(|(word, odd)| word.wrapping_mul(odd));
    let mixed = mixed.fold(key.long as u64, |all, one| all ^ one ^ one >> 29);
    #[allow(clippy::cast_possible_truncation, reason = "few slots")]
    let slot = (mixed >> 20) as usize % SLOTS;
    slot
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_of_a_text_is_said_of_no_other() {
        let mut memo = Memo::new();
        let texts: Vec<String> = (0..2000).map(|count| format!("key_{count}")).collect();
        for (count, text) in texts.iter().enumerate() {
            assert_eq!(memo.ask(text.as_bytes()), None, "{text}");
            memo.tell(text.as_bytes(), count);
            assert_eq!(memo.ask(text.as_bytes()), Some(count));
        }
        let kept = texts.iter().enumerate().filter(|(count, text)| memo.ask(text.as_bytes()) == Some(*count));
        assert!(kept.count() > SLOTS / 2);
        memo.tell(&[b'a'; LONGEST + 1], 1);
        assert_eq!(memo.ask(&[b'a'; LONGEST + 1]), None);
        assert_eq!(memo.ask(b""), None);
    }
}
