//! The mark that stands where a secret was: `[REDACTED:kind]` or `[REDACTED:kind:fp]`.
//!
//! - M1  ASCII without quote, backslash or brace: safe in JSON, YAML, shell quotes and Markdown
//! - M2  a well-formed mark in the input passes unchanged, so redacting twice changes nothing
//! - M3  a mark says nothing about what stands beside it: it is muted before engines read the text

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::span::Span;

pub(crate) const OPENING: &str = "[REDACTED:";
const LONGEST: usize = 96;

/// The mark of a kind.
pub(crate) fn plain(kind: &str) -> String {
    format!("{OPENING}{kind}]")
}

/// The mark of a kind with a fingerprint.
pub(crate) fn printed(kind: &str, fingerprint: &str) -> String {
    format!("{OPENING}{kind}:{fingerprint}]")
}

/// The end of the well-formed mark that starts at the beginning of `text`.
fn length(text: &[u8]) -> Option<usize> {
    let body = text.strip_prefix(OPENING.as_bytes())?;
    let end = body.iter().take(LONGEST).position(|&byte| byte == b']')?;
    let well_formed = end > 0
        && body[..end]
            .iter()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b':'));
    well_formed.then_some(OPENING.len() + end + 1)
}

/// Whether `text` is one mark and nothing else.
pub(crate) fn is_mark(text: &str) -> bool {
    length(text.as_bytes()) == Some(text.len())
}

/// Whether `text` begins with a mark.
pub(crate) fn begins(text: &[u8]) -> bool {
    text.starts_with(OPENING.as_bytes())
}

/// Whether a mark begins in `text`: what is asked for there has been found.
pub(crate) fn is_within(text: &[u8]) -> bool {
    crate::search::has(text, OPENING.as_bytes())
}

/// The marks that `text` already holds.
pub(crate) fn marks(text: &[u8]) -> Vec<(usize, usize)> {
    static OPENINGS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(OPENING));
    OPENINGS.find_iter(text).filter_map(|at| Some((at, at + length(&text[at..])?))).collect()
}

/// `text` in which marks say nothing: neither their kinds nor their fingerprints tell what stands beside them, so
/// redacting twice changes nothing. Of the same length.
pub(crate) fn muted(text: &str) -> String {
    let mut muted = String::with_capacity(text.len());
    let mut at = 0;
    for (start, end) in marks(text.as_bytes()) {
        let body = start + OPENING.len();
        muted.push_str(&text[at..body]);
        muted.extend(std::iter::repeat_n('_', end - 1 - body));
        at = end - 1;
    }
    muted + &text[at..]
}

/// Whether `text` begins with a mark that is not muted.
pub(crate) fn speaks(text: &[u8]) -> bool {
    length(text).is_some_and(|long| text[OPENING.len()..long - 1].iter().any(|&byte| byte != b'_'))
}

/// Whether a mark covers `at`: what begins there is what an earlier redaction left.
pub(crate) fn covers(marks: &[(usize, usize)], at: usize) -> bool {
    let next = marks.partition_point(|mark| mark.1 <= at);
    marks.get(next).is_some_and(|mark| mark.0 <= at)
}

/// Cuts marks out of `spans`, which are sorted and disjoint.
pub(crate) fn spare(marks: &[(usize, usize)], spans: Vec<Span>) -> Vec<Span> {
    if marks.is_empty() {
        return spans;
    }
    let mut left = Vec::with_capacity(spans.len());
    for mut span in spans {
        let next = marks.partition_point(|mark| mark.1 <= span.start);
        for &(start, end) in marks[next..].iter().take_while(|mark| mark.0 < span.end) {
            if start > span.start {
                left.push(Span { end: start, ..span });
            }
            span.start = end.max(span.start);
        }
        if span.start < span.end {
            left.push(span);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_muted_mark_is_as_long_and_says_nothing() {
        let text = "é [REDACTED:password:510703a868] and [REDACTED:otp], [REDACTED:Not one] [REDACTED:[REDACTED:pin]";
        let muted = muted(text);
        assert_eq!(
            muted,
            "é [REDACTED:___________________] and [REDACTED:___], [REDACTED:Not one] [REDACTED:[REDACTED:___]"
        );
        assert_eq!(marks(muted.as_bytes()), marks(text.as_bytes()));
        let speak = |text: &str| marks(text.as_bytes()).iter().any(|mark| speaks(&text.as_bytes()[mark.0..]));
        assert!(speak(text) && !speak(&muted), "a muted text is not muted again, so reading it ends");
    }
}
