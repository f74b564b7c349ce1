//! What the tests of many rooms ask.

/// What is taken out of `text`.
pub(crate) fn found(text: &str) -> Vec<&str> {
    crate::scan(text).iter().map(|span| &text[span.start..span.end]).collect()
}
