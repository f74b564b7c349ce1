//! JSON in a text stays JSON: spans that fit its strings and escapes. Judged by what stands near, since a text
//! may be cut anywhere, hold JSON anywhere, and be none.

use crate::span::Span;

/// Spans that take whole escapes, and leave the signs between strings. Both are read once.
pub(crate) fn fit(text: &[u8], mut union: Vec<Span>) -> Vec<Span> {
    whole_escapes(text, &mut union);
    let mut fitted = Vec::with_capacity(union.len());
    for span in union {
        strings(text, span, &mut fitted);
    }
    fitted
}

/// Half an escape is no text any more: a span takes the whole of one that it begins or ends in, `\n` or `\u001b`.
fn whole_escapes(text: &[u8], union: &mut [Span]) {
    let mut floor = 0;
    for at in 0..union.len() {
        let ceiling = union.get(at + 1).map_or(text.len(), |next| next.start);
        let span = &mut union[at];
        if let Some((start, _)) = escape_around(text, floor, span.start) {
            span.start = start;
        }
        if let Some((_, end)) = escape_around(text, span.start, span.end) {
            span.end = end.min(ceiling);
        }
        floor = span.end;
    }
}

/// The escape that `at` lies inside of, looking back no further than `floor`.
fn escape_around(text: &[u8], floor: usize, at: usize) -> Option<(usize, usize)> {
    // `\u` and four digits: five places are inside.
    let nearest = (floor.max(at.saturating_sub(5))..at).rev().find(|&place| text[place] == b'\\')?;
    let run = text[floor..=nearest].iter().rev().take_while(|&&byte| byte == b'\\').count();
    let end = match text.get(nearest + 1)? {
        b'u' if text.get(nearest + 2..nearest + 6)?.iter().all(u8::is_ascii_hexdigit) => nearest + 6,
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => nearest + 2,
        _ => return None,
    };
    (run % 2 == 1 && at < end).then_some((nearest, end))
}

/// The parts of a span between the ends and beginnings of strings: all of it, if there are none.
fn strings(text: &[u8], span: Span, fitted: &mut Vec<Span>) {
    let (mut start, mut at) = (span.start, span.start);
    let sign = |at: usize| Some(at + memchr::memchr2(b'\\', b'"', text.get(at..span.end)?)?);
    while let Some(next) = sign(at) {
        at = next;
        match text[at] {
            b'\\' => at += 2,
            b'"' if ends_string(text, at) => {
                part(text, Span { start, end: at, ..span }, fitted);
                at = next_string(text, at + 1, span.end);
                start = at;
            }
            _ => at += 1,
        }
    }
    part(text, Span { start, ..span }, fitted);
}

/// Past what stands between two strings, numbers and the like too, and past the quote that opens the next.
fn next_string(text: &[u8], mut at: usize, end: usize) -> usize {
    loop {
        at += text[at..end].iter().take_while(|&&byte| is_between(byte)).count();
        let long = text[at..end].iter().take_while(|&&byte| is_scalar_byte(byte)).count();
        let word = &text[at..at + long];
        let number = |word: &[u8]| word.iter().all(|byte| !byte.is_ascii_alphabetic() || *byte | 32 == b'e');
        if word.is_empty() || !matches!(word, b"true" | b"false" | b"null") && !number(word) {
            return at + usize::from(at < end && text[at] == b'"');
        }
        at += long;
    }
}

fn is_scalar_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

fn part(text: &[u8], part: Span, fitted: &mut Vec<Span>) {
    let bare = |&byte: &u8| is_between(byte) || byte == b'"';
    if part.start < part.end && !text[part.start..part.end].iter().all(bare) {
        fitted.push(part);
    }
}

/// A quote behind which no text goes on.
fn ends_string(text: &[u8], at: usize) -> bool {
    let rest = &text[at + 1..text.len().min(at + 33)];
    let next = rest.iter().find(|byte| !byte.is_ascii_whitespace());
    // A text that is one string.
    let whole = || text.starts_with(b"\"") && text[at + 1..].trim_ascii().is_empty();
    next.map_or_else(whole, |next| matches!(next, b',' | b':' | b']' | b'}'))
}

/// What stands between two strings.
fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b':' | b'[' | b']' | b'{' | b'}')
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_text_that_is_one_string_keeps_its_quotes() {
        for text in [
            "\"token=curl -u me:dXNlcjpwYXNzd29yZDE5OTk5OTk5\"",
            "\"Authorization: Bearer mysql -p\\\\u0022recovery codes: \"\n",
        ] {
            let spans = found(text);
            assert!(spans.iter().all(|span| !span.ends_with('"')) && spans.len() == 1, "{text}: {spans:?}");
        }
    }
}
