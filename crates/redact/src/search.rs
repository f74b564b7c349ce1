//! Short needles in short haystacks: a searcher would take longer to build than to run.

/// Where `needle` stands in `text`.
pub(crate) fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    crate::work::read(text.len());
    let (&first, rest) = needle.split_first()?;
    memchr::memchr_iter(first, text).find(|at| text[at + 1..].starts_with(rest))
}

/// Whether `needle` stands in `text`.
pub(crate) fn has(text: &[u8], needle: &[u8]) -> bool {
    crate::work::read(text.len());
    let Some((&first, rest)) = needle.split_first() else { return true };
    memchr::memchr_iter(first, text).any(|at| text[at + 1..].starts_with(rest))
}
