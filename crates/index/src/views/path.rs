//! Keys of the one tree: a letter for the projection, then parts that sort as they compare.
//!
//! A part ends with `00 01`, a NUL inside it is `00 ff`; so no part is the beginning of another, and a
//! prefix of parts is a prefix of bytes.

/// A key, or the beginning of several.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Path(Vec<u8>);

impl Path {
    pub(crate) fn new(projection: u8) -> Self {
        Self(vec![projection])
    }

    #[must_use]
    pub(crate) fn text(mut self, part: &str) -> Self {
        for byte in part.bytes() {
            self.0.push(byte);
            if byte == 0 {
                self.0.push(0xff);
            }
        }
        self.0.extend_from_slice(&[0, 1]);
        self
    }

    /// A part that may be absent, which is not the same as empty.
    #[must_use]
    pub(crate) fn optional(mut self, part: Option<&str>) -> Self {
        self.0.push(if part.is_some() { 2 } else { 1 });
        match part {
            Some(part) => self.text(part),
            None => self,
        }
    }

    pub(crate) fn page(&self, first: u64) -> Vec<u8> {
        let mut key = self.0.clone();
        key.extend_from_slice(&first.to_be_bytes());
        key
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The first row of a page, from its key.
pub(crate) fn page_first(key: &[u8]) -> Option<u64> {
    key.last_chunk::<8>().map(|bytes| u64::from_be_bytes(*bytes))
}

/// A part of a key, unescaped, and what comes after it.
pub(crate) fn take_text(key: &[u8]) -> Option<(String, &[u8])> {
    let mut out = Vec::new();
    let mut rest = key;
    loop {
        match rest {
            [0, 1, rest @ ..] => return Some((String::from_utf8(out).ok()?, rest)),
            [0, 0xff, tail @ ..] => {
                out.push(0);
                rest = tail;
            }
            [byte, tail @ ..] => {
                out.push(*byte);
                rest = tail;
            }
            [] => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_sort_as_their_parts_and_read_back(a in "[a\\x00-]{0,4}", b in "[a\\x00-]{0,4}") {
            let (pa, pb) = (Path::new(b'x').text(&a), Path::new(b'x').text(&b));
            prop_assert_eq!(a == b, pa == pb);
            prop_assert_eq!(a != b && pa.bytes().starts_with(pb.bytes()), false);
            prop_assert_eq!(take_text(&pa.bytes()[1..]), Some((a, &[][..])));
        }
    }

    #[test]
    fn absent_is_not_empty() {
        let path = || Path::new(b'o');
        assert_ne!(path().optional(None), path().optional(Some("")));
    }
}
