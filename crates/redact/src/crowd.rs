//! Names that stand so close together that none of them is spoken about: lists of words, and texts made to be slow.

/// As many within so many bytes are a crowd.
const MANY: usize = 6;
const NEAR: usize = 128;

/// Where the last few were.
#[derive(Debug, Default)]
pub(crate) struct Crowd {
    /// One more than the place; 0 for none.
    last: [usize; MANY],
    next: usize,
}

impl Crowd {
    /// One more at `at`: whether it makes a crowd, on one line. What came before the last few changes nothing, so the answer does
    /// not depend on where a text is cut.
    pub(crate) fn joins(&mut self, text: &[u8], at: usize) -> bool {
        let oldest = std::mem::replace(&mut self.last[self.next], at + 1);
        self.next = (self.next + 1) % MANY;
        oldest > 0 && at + 1 - oldest <= NEAR && memchr::memchr(b'\n', &text[oldest - 1..at]).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_on_a_line_are_a_crowd() {
        let joined = |text: &str| {
            let mut crowd = Crowd::default();
            text.match_indices("key").map(|(at, _)| crowd.joins(text.as_bytes(), at)).collect::<Vec<_>>()
        };
        assert_eq!(joined(&"key ".repeat(8)), [false, false, false, false, false, false, true, true]);
        assert!(!joined(&"key\n".repeat(20)).contains(&true));
        assert!(!joined(&"key and other words here ".repeat(20)).contains(&true));
    }
}
