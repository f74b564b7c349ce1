//! The mark that stands where a secret was: `[REDACTED:kind]` or `[REDACTED:kind:fp]`.
//!
//! - M1  ASCII without quote, backslash or brace: safe in JSON, YAML, shell quotes and Markdown
//! - M2  a well-formed mark in the input passes unchanged, so redacting twice changes nothing

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::span::Span;

const OPENING: &str = "[REDACTED:";
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
fn length(text: &str) -> Option<usize> {
    let body = text.strip_prefix(OPENING)?.as_bytes();
    let end = body.iter().take(LONGEST).position(|&byte| byte == b']')?;
    let well_formed = end > 0
        && body[..end]
            .iter()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b':'));
    well_formed.then_some(OPENING.len() + end + 1)
}

/// Whether `text` is one mark and nothing else.
pub(crate) fn is_mark(text: &str) -> bool {
    length(text) == Some(text.len())
}

/// The marks that `text` already holds.
pub(crate) fn marks(text: &str) -> Vec<(usize, usize)> {
    static OPENINGS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(OPENING));
    OPENINGS.find_iter(text.as_bytes()).filter_map(|at| Some((at, at + length(&text[at..])?))).collect()
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
