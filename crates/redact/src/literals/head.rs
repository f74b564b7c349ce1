//! The first bytes of a literal as one number.

/// The first bytes of a literal as one number, and which of its bits are those of small letters: most candidates
/// fail there, and most literals are no longer.
#[derive(Clone, Copy)]
pub(super) struct Head {
    bytes: u64,
    small: u64,
    known: u64,
}

impl Head {
    pub(super) fn of(text: &[u8], exact: bool) -> Self {
        let mut head = [[0; 8]; 3];
        for (at, &byte) in text.iter().take(8).enumerate() {
            let letter = !exact && byte.is_ascii_alphabetic();
            head[0][at] = if letter { byte.to_ascii_lowercase() } else { byte };
            head[1][at] = if letter { 0x20 } else { 0 };
            head[2][at] = 0xFF;
        }
        let [bytes, small, known] = head.map(u64::from_le_bytes);
        Self { bytes, small, known }
    }

    pub(super) fn is(self, here: [u8; 8]) -> bool {
        (u64::from_le_bytes(here) | self.small) & self.known == self.bytes
    }
}

/// The first bytes of `text`; behind its end there are none.
pub(super) fn first_bytes(text: &[u8]) -> [u8; 8] {
    text.first_chunk().copied().unwrap_or_else(|| {
        let mut bytes = [0; 8];
        bytes[..text.len()].copy_from_slice(text);
        bytes
    })
}
