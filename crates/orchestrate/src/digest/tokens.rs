//! Who counts tokens. The vocabulary of o200k is part of the program and is read when it is first needed.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use tiktoken_rs::CoreBPE;

/// A longer text is counted in pieces: merging is more than linear in what has no spaces.
const PIECE_BYTES: usize = 16 * 1024;

#[allow(clippy::expect_used)] // the vocabulary is compiled in: if it does not read, nothing does
static O200K: LazyLock<CoreBPE> =
    LazyLock::new(|| tiktoken_rs::o200k_base().expect("the vocabulary is part of the program"));

/// A way to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tokenizer {
    /// `OpenAI`'s o200k.
    #[serde(rename = "o200k_base")]
    O200k,
    /// A quarter of the bytes, rounded up: an estimate.
    #[serde(rename = "bytes/4")]
    Bytes4,
}

impl Tokenizer {
    /// Its name, as outputs have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::O200k => "o200k_base",
            Self::Bytes4 => "bytes/4",
        }
    }

    /// Tokens of a text; of a very long one at most a few too many.
    pub fn count(self, text: &str) -> u64 {
        match self {
            Self::Bytes4 => text.len().div_ceil(4) as u64,
            Self::O200k => pieces(text).map(|piece| O200K.encode_ordinary(piece).len() as u64).sum(),
        }
    }
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, tail) = rest.split_at(rest.floor_char_boundary(PIECE_BYTES));
        rest = tail;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_named_tokenizer() {
        assert_eq!(Tokenizer::O200k.count("hello world"), 2);
        assert_eq!(Tokenizer::O200k.count(""), 0);
        assert_eq!(Tokenizer::Bytes4.count("hello"), 2);
        // a text without spaces, far longer than a piece, ends in time
        assert!(Tokenizer::O200k.count(&"漢".repeat(20_000)) > 1000);
    }
}
