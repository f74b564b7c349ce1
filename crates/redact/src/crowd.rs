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
