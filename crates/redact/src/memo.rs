//! Short texts that come again and again (keys of objects, roles, kinds), and what was said of each: a transcript
//! has some dozens of them, thousands of times. Each thread keeps its own, and forgets one for another. It is
//! kept in memory alone: whole texts in which nothing was found, and names with what they say of their values.

/// Longer texts are not remembered.
pub(crate) const LONGEST: usize = 31;
const SLOTS: usize = 512;

type Key = [u8; LONGEST + 1];

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

/// The text and its length.
#[allow(clippy::cast_possible_truncation, reason = "31 at most")]
fn key(text: &[u8]) -> Option<Key> {
    let mut key = [0; LONGEST + 1];
    key[..LONGEST].get_mut(..text.len())?.copy_from_slice(text);
    key[LONGEST] = text.len() as u8;
    Some(key)
}

fn slot(key: &Key) -> usize {
    const ODD: [u64; 4] =
        [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5];
    let (words, _) = key.as_chunks::<8>();
    // Side by side: none waits for another.
    let mixed = words.iter().zip(ODD).map(|(word, odd)| u64::from_le_bytes(*word).wrapping_mul(odd));
    (mixed.fold(0, |all, one| all ^ one ^ one >> 29) >> 20) as usize % SLOTS
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
